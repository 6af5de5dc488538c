// An atlas of styles: panels by aggression, cells by VPIP and PFR, coloured by chips; a cell opens its network.
import { ask, h, number, percent, say, signed } from "./dom.js";
import { openTable } from "./home.js";

export async function show(room) {
  const found = await ask("/api/look/atlas");
  room.append(h("h1", {}, "Atlas of styles"), h("section", { class: "sheet" },
    h("p", {}, `The best network of each of ${found.cells.length} playing styles, made by `, h("code", {}, "cardwin evolve style-atlas"), ". Any command takes one by its style, such as ", h("code", {}, found.cells[0].spec), "."), atlas(found)));
}

export function atlas(found) {
  const [vpips, pfrs, bolds] = found.edges;
  const most = limit(found.cells.map((cell) => cell.value));
  const side = h("div", { class: "atlas-side", "aria-live": "polite" }, h("p", { class: "soft" }, found.stated ? "Choose a cell to open its network." : "Cells can be opened when the run is finished."));
  const byBins = new Map(found.cells.map((cell) => [cell.bins.join(), cell]));
  const panels = Array.from({ length: bolds.length + 1 }, (_, bold) => panel(bold));

  function panel(bold) {
    const range = `aggression ${bold ? bolds[bold - 1] : 0}${bold < bolds.length ? ` to ${bolds[bold]}` : " or more"}`;
    const rows = Array.from({ length: pfrs.length + 1 }, (_, up) => pfrs.length - up);
    return h("table", { class: "atlas" }, h("caption", {}, range),
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "PFR"), ends(vpips).map((text) => h("th", { scope: "col" }, text)))),
      h("tbody", {}, rows.map((row) => h("tr", {}, h("th", { scope: "row" }, ends(pfrs)[row]), ends(vpips).map((_, column) => h("td", {}, square(column, row, bold)))))));
  }

  function square(column, row, bold) {
    const cell = byBins.get([column, row, bold].join());
    if (!cell) return h("span", { class: (row ? pfrs[row - 1] : 0) < (column < vpips.length ? vpips[column] : 100) ? "none" : "impossible" });
    const colours = `background:rgb(${colour(cell.value, most)});color:${ink(colour(cell.value, most))}`;
    return h("button", { type: "button", "data-cell": cell.name, style: colours, title: `${cell.text}: ${signed(Math.round(cell.value))} mbb per hand`, "aria-label": `${cell.name}, ${cell.text}, ${signed(Math.round(cell.value))} mbb per hand`, disabled: !cell.spec, onclick: (event) => open(cell, event.currentTarget) }, brief(cell.value));
  }

  function open(cell, button) {
    for (const one of box.querySelectorAll("button[aria-pressed]")) one.removeAttribute("aria-pressed");
    button.setAttribute("aria-pressed", "true");
    const asked = new URLSearchParams(location.search);
    asked.set("cell", cell.name);
    history.replaceState(null, "", `${location.pathname}?${asked}`);
    const wrong = h("p", { class: "warn", role: "alert" });
    const look = new URLSearchParams({ game: found.game, spec: cell.spec });
    side.replaceChildren(h("h3", {}, cell.name), h("p", {}, cell.text), h("table", {}, h("tbody", {},
      [["VPIP", percent(cell.vpip, 1)], ["PFR", percent(cell.pfr, 1)], ["aggression", cell.aggression === null ? "never calls" : number(cell.aggression, 3)], ["mbb per hand", signed(Math.round(cell.value))], ["95% interval", `${signed(Math.round(cell.low))} to ${signed(Math.round(cell.high))}`]].map(([name, value]) => h("tr", {}, h("th", { scope: "row" }, name), h("td", { class: "n" }, value))))),
      h("p", { class: "row" }, h("a", { class: "button", href: `/players?${look}` }, "Open and explain"), h("button", { type: "button", class: "main", onclick: () => openTable(found.game, ["person", cell.spec]).catch((error) => { wrong.textContent = error.message; }) }, "Play it")),
      h("p", { class: "small soft", style: "overflow-wrap:anywhere" }, cell.spec), wrong);
    side.scrollIntoView({ block: "nearest" });
    say(`${cell.name}: ${cell.text}`);
  }

  const box = h("div", {}, h("div", { class: "beside" }, h("div", {}, h("div", { class: "atlas-panels" }, panels), scale(most)), side),
    h("p", { class: "small soft" }, `Chips against ${found.opponents.join(", ")}, in thousandths of a big blind per hand; ${found.stated ? "each cell was measured again on fresh deals after the networks had been chosen" : "as the archive has them so far"}. VPIP from left to right and PFR upwards, in percent; aggression is bets and raises per call. Grey cells are empty; in the others without a number PFR would exceed VPIP.`));
  const named = found.cells.find((cell) => cell.spec && cell.name === new URLSearchParams(location.search).get("cell"));
  if (named) open(named, box.querySelector(`[data-cell="${CSS.escape(named.name)}"]`));
  return box;
}

function ends(edges) {
  const all = [0, ...edges, 100];
  return all.slice(0, -1).map((low, place) => `${low}–${all[place + 1]}`);
}

// The end of the colour scale: the ninth decile of absolute values, so that a few disasters do not flatten it.
function limit(values) {
  const sorted = values.map(Math.abs).sort((a, b) => a - b);
  return sorted.length ? Math.max(1, sorted[Math.min(sorted.length - 1, Math.floor(0.9 * sorted.length))]) : 1;
}

// From red (loses) by a pale grey to blue (wins), the same on a light and on a dark page.
function colour(value, most) {
  const share = Math.max(-1, Math.min(1, value / most)), pale = [244, 244, 244], end = share < 0 ? [165, 30, 40] : [25, 85, 150];
  return pale.map((one, place) => Math.round(one + (end[place] - one) * Math.abs(share)));
}

// Black or white, whichever has the larger contrast (WCAG): on any colour that is at least 4.5.
function ink(colours) {
  const [red, green, blue] = colours.map((one) => (one / 255 <= 0.04045 ? one / 255 / 12.92 : ((one / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? "#000" : "#fff";
}

// Few enough characters for a narrow screen.
const brief = (value) => (Math.abs(value) < 999.5 ? signed(Math.round(value)) : `${signed(Number((value / 1000).toPrecision(2)))}k`);

function scale(most) {
  const steps = [-1, -0.5, 0, 0.5, 1];
  return h("div", { class: "atlas-scale", role: "img", "aria-label": `colour scale: from ${signed(-Math.round(most))} or less, red, to ${signed(Math.round(most))} or more mbb per hand, blue` },
    h("i", { style: `background:linear-gradient(to right, ${steps.map((step) => `rgb(${colour(step * most, most)})`).join(", ")})` }),
    h("div", {}, steps.map((step) => h("span", { class: "num" }, signed(Math.round(step * most))))));
}
