// All runs: sorted, filtered, renamed, put into the bin and taken out of it, compared.
import { ask, duration, h, number, setting, sparkline, stateChip } from "./dom.js";
import { go } from "./main.js";

const STATES = ["running", "finished", "stopped", "failed"];
const COLUMNS = [
  ["run", (run) => runName(run).toLowerCase()], ["game", (run) => run.game || run.kind || "", "wide-only"], ["state", (run) => STATES.indexOf(run.state)],
  ["progress", (run) => (run.of ? run.generations / run.of : null), "wide-only"], ["figure", (run) => run.value, "n"], ["changed", (run) => run.changed ?? 0, "wide-only"],
];

// The title, and if others have it too, what distinguishes this run from them.
export function runName(run) {
  const apart = (run.apart || []).map(([key, value]) => setting(key, value));
  return [run.title || run.name, ...apart].join(" · ");
}

export async function show(room) {
  const { families } = await ask("/api/presets");
  const asked = new URLSearchParams(location.search);
  const list = h("div", {}), bin = h("div", {});
  const chosen = new Set();
  let runs = [], by = asked.get("sort") || "changed", down = asked.get("order") !== "up", renaming = null;
  const wrong = h("p", { class: "warn", role: "alert" });
  const compare = h("button", { type: "button", disabled: true, onclick: () => go(`/runs/compare?${[...chosen].map((name) => `run=${encodeURIComponent(name)}`).join("&")}`) }, "Compare");
  const preset = h("select", { id: "preset" }, families.map((family) => h("optgroup", { label: family.title }, family.presets.map((one) => h("option", { value: one.name }, `${one.name}: ${one.title}`)))));
  const words = h("input", { id: "words", type: "search", value: asked.get("words") || "", oninput: () => draw() });
  const state = h("select", { id: "state", onchange: () => draw() }, ["any", ...STATES].map((one) => h("option", { value: one, selected: one === asked.get("state") }, one)));
  const told = h("span", { class: "small soft", role: "status" });
  room.append(h("h1", {}, "Runs"),
    h("form", { class: "sheet row", onsubmit: (event) => { event.preventDefault(); go(`/runs/new/${preset.value}`); } }, h("label", { class: "field", for: "preset", style: "flex:1 1 240px" }, h("span", {}, "start a new run from a preset"), preset), h("button", { class: "main", style: "align-self:end" }, "Set up")),
    h("section", { class: "sheet" }, h("div", { class: "row", style: "margin-bottom:.6rem" }, h("label", { for: "words" }, "filter", words), h("label", { for: "state" }, "state", state), told), wrong, list, h("div", { class: "row", style: "margin-top:.6rem" }, compare, h("span", { class: "small soft" }, "two to eight runs on one chart")), bin));

  const matches = (run) => (state.value === "any" || run.state === state.value) && words.value.toLowerCase().split(/\s+/).every((word) => `${runName(run)} ${run.name} ${run.game || ""} ${run.kind || ""}`.toLowerCase().includes(word));
  function address() {
    const query = new URLSearchParams(Object.entries({ words: words.value, state: state.value === "any" ? "" : state.value, sort: by === "changed" ? "" : by, order: down ? "" : "up" }).filter(([, value]) => value));
    history.replaceState(null, "", `/runs${query.size ? `?${query}` : ""}`);
  }
  const act = (path, body, after) => ask(path, body).then(after).then(load).catch((error) => { wrong.textContent = error.message; });

  async function load() {
    [{ runs }] = [await ask("/api/runs")];
    const names = new Set(runs.map((run) => run.name));
    for (const name of chosen) if (!names.has(name)) chosen.delete(name);
    draw();
    await drawBin();
  }

  function draw() {
    address();
    compare.disabled = chosen.size < 2 || chosen.size > 8;
    told.textContent = "";
    if (!runs.length) return list.replaceChildren(h("p", { class: "soft" }, "There are no runs yet. kuhn-coevolution takes about ten seconds and finds the equilibrium of Kuhn poker."));
    const value = COLUMNS.find(([title]) => title === by)?.[1] ?? COLUMNS.at(-1)[1];
    const shown = runs.filter(matches).sort((a, b) => {
      const [one, two] = [value(a), value(b)];
      if (one === null || one === undefined) return 1;
      if (two === null || two === undefined) return -1;
      return (one < two ? -1 : one > two ? 1 : 0) * (down ? -1 : 1);
    });
    if (shown.length < runs.length) told.textContent = `${number(shown.length)} of ${number(runs.length)} runs`;
    const heads = COLUMNS.map(([title, , kind]) => h("th", { scope: "col", class: kind || null, "aria-sort": by === title ? (down ? "descending" : "ascending") : null },
      h("button", { type: "button", onclick: () => { down = by === title ? !down : ["figure", "changed", "progress"].includes(title); by = title; draw(); } }, title, h("span", { "aria-hidden": "true" }, by === title ? (down ? " ↓" : " ↑") : ""))));
    return list.replaceChildren(h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "runs" }, h("table", { class: "runs" }, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, h("span", { class: "hidden" }, "compare")), heads)), h("tbody", {}, shown.map(row)))));
  }

  function row(run) {
    const left = run.state === "running" && run.seconds_left !== null ? `${duration(run.seconds_left)} left` : null;
    const steps = run.of ? `${number(run.generations)} / ${number(run.of)}` : "";
    const menu = h("details", { class: "menu" }, h("summary", { "aria-label": `more for ${run.name}` }, "more"), h("div", { class: "row" },
      h("button", { type: "button", onclick: () => { renaming = run.name; draw(); list.querySelector("#title")?.focus(); } }, "Rename"),
      run.wrong ? null : h("a", { class: "button", href: `/runs/new?run=${encodeURIComponent(run.name)}` }, "Repeat with changes"),
      h("button", { type: "button", disabled: run.state === "running", title: run.state === "running" ? "stop it first" : "nothing is destroyed: it can be restored", onclick: () => act(`/api/runs/${run.name}/discard`, {}) }, "Move to the bin")));
    return h("tr", { "data-run": run.name },
      h("td", {}, h("input", { type: "checkbox", checked: chosen.has(run.name), "aria-label": `compare ${run.name}`, onchange: (event) => { event.target.checked ? chosen.add(run.name) : chosen.delete(run.name); compare.disabled = chosen.size < 2 || chosen.size > 8; } })),
      h("td", {}, renaming === run.name ? rename(run) : h("a", { href: `/runs/${run.name}` }, runName(run)), h("div", { class: "small soft wide-only", style: "overflow-wrap:anywhere" }, run.name), menu),
      h("td", { class: "wide-only" }, run.game || run.kind || ""),
      h("td", {}, stateChip(run), run.of ? h("div", { class: "small soft num narrow-only" }, steps) : null, left ? h("div", { class: "small soft num left" }, left) : null),
      h("td", { class: "wide-only" }, run.of ? [h("div", { class: "bar", role: "img", "aria-label": `${run.generations} of ${run.of} steps` }, h("i", { style: `width:${(100 * run.generations) / run.of}%` })), h("span", { class: "small soft num" }, steps)] : null),
      h("td", { class: "n" }, run.wrong ? h("span", { class: "warn small" }, run.wrong) : [h("b", {}, number(run.value, 4)), h("div", { class: "small soft", style: "white-space:normal" }, run.primary_metric || "")]),
      h("td", { class: "wide-only" }, sparkline(run.curve, `curve of ${run.primary_metric || "its primary metric"}`), run.changed ? h("span", { class: "small soft num" }, when(run.changed)) : null));
  }

  function rename(run) {
    const title = h("input", { id: "title", value: run.title || "", maxlength: "120", "aria-label": `title of ${run.name}` });
    const end = () => { renaming = null; draw(); };
    return h("form", { class: "row", onsubmit: (event) => { event.preventDefault(); act(`/api/runs/${run.name}/title`, { title: title.value }, () => { renaming = null; }); }, onkeydown: (event) => event.key === "Escape" && end() }, title, h("button", { class: "main" }, "Save"), h("button", { type: "button", onclick: end }, "Cancel"));
  }

  async function drawBin() {
    const { runs: binned } = await ask("/api/bin");
    const open = bin.querySelector("details")?.open;
    bin.replaceChildren(...(binned.length ? [h("details", { open }, h("summary", {}, `Bin: ${number(binned.length)} run${binned.length === 1 ? "" : "s"}`),
      h("table", {}, h("thead", { class: "hidden" }, h("tr", {}, ["run", "restore"].map((title) => h("th", { scope: "col" }, title)))), h("tbody", {}, binned.map((run) => h("tr", {}, h("td", {}, runName(run), h("div", { class: "small soft", style: "overflow-wrap:anywhere" }, run.name)), h("td", { class: "n" }, h("button", { type: "button", onclick: () => act(`/api/bin/${run.name}/restore`, {}) }, "Restore")))))),
      h("p", { class: "small soft" }, "They are in the folder .bin among the runs; delete them there to free their space."))] : []));
  }
  await load();
  const timer = setInterval(() => { if (!list.contains(document.activeElement) && !renaming && !list.querySelector("details[open]")) load().catch(() => {}); }, 2500);
  return () => clearInterval(timer);
}

function when(seconds) {
  const at = new Date(1000 * seconds);
  return at.toLocaleString("en-GB", { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });
}
