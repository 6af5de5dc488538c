// Up to eight runs: their curves one over the other, a chart for each metric, and the settings in which they differ.
import { ask, h, number, setting, settingValue, stateChip } from "./dom.js";
import { chart } from "./chart.js";

// A name for each run: its title, and if others have it too, some of the settings in which the runs differ.
function namesOf({ runs, rows, differences }) {
  const titles = rows.map((row, place) => row.title || runs[place].name);
  const keys = [...Object.keys(differences).filter((key) => !["seed", "save_seconds"].includes(key)).slice(0, 2), ...("seed" in differences ? ["seed"] : [])];
  const named = titles.map((title, place) => (titles.filter((one) => one === title).length > 1 ? [title, ...keys.map((key) => setting(key, differences[key][place]))].join(" · ") : title));
  return named.map((name, place) => (named.filter((one) => one === name).length > 1 ? `${name} · ${runs[place].name}` : name));
}

const AXES = {
  step: ["generation or step", (run) => run.generation],
  part: ["per cent of the run", (run, row) => run.generation.map((generation) => (100 * (generation + 1)) / row.of)],
};

export async function show(room) {
  const asked = new URLSearchParams(location.search);
  const found = await ask(`/api/compare?${asked.getAll("run").map((name) => `run=${encodeURIComponent(name)}`).join("&")}`);
  const names = namesOf(found), charts = h("div", {});
  const by = h("select", { id: "by", onchange: () => draw() }, h("option", { value: "step" }, "by generation or step"), h("option", { value: "part", selected: asked.get("by") === "part" }, "by part of the run"));
  const metrics = [...new Set(found.runs.map((run) => run.primary_metric).filter(Boolean))];
  const empty = found.runs.flatMap((run, place) => (run.generation.length ? [] : [names[place]]));
  const rows = [["state", found.rows.map((row) => stateChip(row))], ["figure", found.rows.map((row) => [number(row.value, 5), h("div", { class: "small soft" }, row.primary_metric || "")])], ["steps", found.rows.map((row) => `${number(row.generations)} / ${number(row.of)}`)], ...Object.entries(found.differences).map(([key, values]) => [key, values.map((value) => settingValue(key, value))])];
  room.append(h("h1", {}, `${found.runs.length} runs compared`),
    h("section", { class: "sheet" }, h("div", { class: "row" }, h("label", { for: "by" }, "curves", by), metrics.length > 1 ? h("span", { class: "small soft" }, "The runs have different metrics, so each metric has its own chart.") : null), charts, empty.length ? h("p", { class: "small soft" }, `Nothing is recorded yet of ${empty.join(", ")}.`) : null),
    h("section", { class: "sheet" }, h("h2", {}, "Differences"), h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "differences" }, h("table", {}, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, ""), found.runs.map((run, place) => h("th", { scope: "col", style: "white-space:normal;min-width:8rem" }, h("a", { href: `/runs/${run.name}` }, names[place]))))), h("tbody", {}, rows.map(([key, values]) => h("tr", {}, h("th", { scope: "row" }, key), values.map((value) => h("td", { style: "overflow-wrap:anywhere" }, value)))))))));

  // A run has one colour in all charts.
  async function draw() {
    const [xTitle, along] = AXES[by.value];
    asked.set("by", by.value);
    history.replaceState(null, "", `/runs/compare?${asked}`);
    const made = metrics.map((metric) => [metric, chart(metric, { log: metric === "exploitability", xTitle })]);
    charts.replaceChildren(...made.map(([, one]) => one.box));
    await Promise.all(made.map(([metric, one]) => one.set(found.runs.flatMap((run, place) => (run.primary_metric === metric && run.generation.length ? [{ name: names[place], x: along(run, found.rows[place]), y: run.value, colour: place }] : [])))));
  }
  await draw();
}
