// All runs: game, state, progress, primary metric and curve of each.
import { ask, h, number, sparkline, stateChip } from "./dom.js";
import { go } from "./main.js";

export async function show(room) {
  const { families } = await ask("/api/presets");
  const list = h("div", {});
  const chosen = new Set();
  const compare = h("button", { type: "button", disabled: true, onclick: () => go(`/runs/compare?${[...chosen].map((name) => `run=${encodeURIComponent(name)}`).join("&")}`) }, "Compare");
  const preset = h("select", { id: "preset" }, families.map((family) => h("optgroup", { label: family.title }, family.presets.map((one) => h("option", { value: one.name }, `${one.name}: ${one.title}`)))));
  room.append(h("h1", {}, "Runs"),
    h("form", { class: "sheet row", onsubmit: (event) => { event.preventDefault(); go(`/runs/new/${preset.value}`); } }, h("label", { class: "field", for: "preset", style: "flex:1 1 240px" }, h("span", {}, "start a new run from a preset"), preset), h("button", { class: "main", style: "align-self:end" }, "Set up")),
    h("section", { class: "sheet" }, list, h("div", { class: "row", style: "margin-top:.6rem" }, compare, h("span", { class: "small soft" }, "two to eight runs on one chart"))));
  async function draw() {
    const { runs } = await ask("/api/runs");
    if (!runs.length) return list.replaceChildren(h("p", { class: "soft" }, "There are no runs yet. kuhn-coevolution takes about ten seconds and finds the equilibrium of Kuhn poker."));
    const rows = runs.map((run) => h("tr", {},
      h("td", {}, h("input", { type: "checkbox", checked: chosen.has(run.name), "aria-label": `compare ${run.name}`, onchange: (event) => { event.target.checked ? chosen.add(run.name) : chosen.delete(run.name); compare.disabled = chosen.size < 2 || chosen.size > 8; } })),
      h("td", {}, h("a", { href: `/runs/${run.name}` }, run.title || run.name), h("div", { class: "small soft wide-only", style: "overflow-wrap:anywhere" }, run.name)),
      h("td", { class: "wide-only" }, run.game || run.kind || ""),
      h("td", {}, stateChip(run), run.of ? h("div", { class: "small soft num narrow-only" }, `${number(run.generations)} / ${number(run.of)}`) : null),
      h("td", { class: "wide-only" }, run.of ? [h("div", { class: "bar", role: "img", "aria-label": `${run.generations} of ${run.of} steps` }, h("i", { style: `width:${(100 * run.generations) / run.of}%` })), h("span", { class: "small soft num" }, `${number(run.generations)} / ${number(run.of)}`)] : null),
      h("td", { class: "n" }, run.wrong ? h("span", { class: "warn small" }, run.wrong) : [h("b", {}, number(run.value, 4)), h("div", { class: "small soft", style: "white-space:normal" }, run.primary_metric || "")]),
      h("td", { class: "wide-only" }, sparkline(run.curve, `curve of ${run.primary_metric || "its primary metric"}`))));
    return list.replaceChildren(h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "runs" }, h("table", {}, h("thead", {}, h("tr", {}, ["", "run", "game", "state", "progress", "figure", "curve"].map((title, place) => h("th", { scope: "col", class: place === 5 ? "n" : [2, 4, 6].includes(place) ? "wide-only" : null }, title || h("span", { class: "hidden" }, "compare"))))), h("tbody", {}, rows))));
  }
  await draw();
  const timer = setInterval(() => { if (!list.contains(document.activeElement)) draw().catch(() => {}); }, 2500);
  return () => clearInterval(timer);
}
