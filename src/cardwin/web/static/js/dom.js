// Elements, numbers and requests: the few helpers that every page uses.

export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "class") element.className = value;
    else if (name === "style") element.style.cssText = value;
    else if (name in element && name !== "list" && typeof value === "boolean") element[name] = value;
    else if (name === "value") element.value = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(3).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children.flat());
  return element;
}

export class Refused extends Error {
  constructor(answer, status) {
    super(answer.error || `the server answered ${status}`);
    this.fields = answer.fields || [];
    this.status = status;
  }
}

export async function ask(path, body) {
  const how = body === undefined ? {} : { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  let answer;
  try { answer = await fetch(path, how); } catch { throw new Refused({ error: "the server does not answer: is cardwin serve still running?" }, 0); }
  const told = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Refused(told, answer.status);
  return told;
}

export const number = (value, digits = 4) => {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  if (Number.isInteger(value)) return value.toLocaleString("en");
  return Math.abs(value) >= 1000 ? Math.round(value).toLocaleString("en") : String(Number(value.toPrecision(digits)));
};
export const signed = (value, digits = 4) => (value > 0 ? "+" : "") + number(value, digits).replace("-", "−");
export const percent = (value, digits = 0) => (value === null || value === undefined ? "–" : `${(100 * value).toFixed(digits)}%`);

// A setting as text; seeds are names, not amounts, so they have no separators.
export const setting = (key, value) => `${key} ${settingValue(key, value)}`;
export const settingValue = (key, value) => (key === "seed" && value !== null ? String(value) : typeof value === "number" ? number(value, 5) : Array.isArray(value) ? value.join(", ") : value === null || value === undefined ? "–" : String(value));

export function duration(seconds) {
  if (seconds < 90) return `about ${Math.max(1, Math.round(seconds))} s`;
  if (seconds < 5400) return `about ${Math.round(seconds / 60)} min`;
  return seconds < 172_800 ? `about ${number(seconds / 3600, 2)} h` : `about ${Math.round(seconds / 86_400)} days`;
}

// Announced by screen readers, not visible.
export function say(text) { document.getElementById("live").textContent = text; }

export function remembered(name, otherwise) {
  try { return JSON.parse(localStorage.getItem(name)) ?? otherwise; } catch { return otherwise; }
}
export function remember(name, value) {
  try { localStorage.setItem(name, JSON.stringify(value)); } catch { /* private windows have no storage */ }
}

// A table that is sorted by a click on a column head. Columns: [title, row => value, shown?, isNumber?].
export function sortable(columns, rows, caption) {
  let by = null, down = false;
  const body = h("tbody");
  const heads = columns.map(([title, , , isNumber], place) => {
    const button = h("button", { type: "button", onclick: () => { down = by === place ? !down : Boolean(isNumber); by = place; draw(); } }, title);
    return h("th", { scope: "col", class: isNumber ? "n" : null }, button);
  });
  function draw() {
    const sorted = by === null ? rows : [...rows].sort((a, b) => {
      const [one, two] = [columns[by][1](a), columns[by][1](b)];
      if (one === null || one === undefined) return 1;
      if (two === null || two === undefined) return -1;
      return (one < two ? -1 : one > two ? 1 : 0) * (down ? -1 : 1);
    });
    heads.forEach((head, place) => (place === by ? head.setAttribute("aria-sort", down ? "descending" : "ascending") : head.removeAttribute("aria-sort")));
    body.replaceChildren(...sorted.map((row) => h("tr", {}, columns.map(([, value, shown, isNumber]) => h("td", { class: isNumber ? "n" : null }, shown ? shown(row) : String(value(row) ?? ""))))));
  }
  draw();
  return h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption || "table" }, h("table", {}, caption ? h("caption", { class: "hidden" }, caption) : null, h("thead", {}, h("tr", {}, heads)), body));
}

export function sparkline(values, label) {
  const drawn = values.filter((value) => value !== null);
  if (drawn.length < 2) return h("span", { class: "soft small" }, "–");
  const [low, high] = [Math.min(...drawn), Math.max(...drawn)];
  const points = drawn.map((value, place) => `${(place / (drawn.length - 1)) * 88 + 1},${high > low ? 21 - ((value - low) / (high - low)) * 18 : 12}`);
  return svg("svg", { class: "spark", width: 90, height: 24, viewBox: "0 0 90 24", role: "img", "aria-label": label }, svg("path", { d: `M${points.join("L")}` }));
}

export function stateChip(row) { return h("span", { class: `chip ${row.state}` }, row.state); }
