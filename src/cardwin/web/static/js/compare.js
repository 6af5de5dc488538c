// Up to eight runs: their curves one over the other, a chart for each metric, and the settings in which they differ.
import { ask, h, number, setting, settingValue, stateChip } from "./dom.js";
import { chart } from "./chart.js";

// For each run its title, and if others have it too, some of the settings in which they differ.
function namesOf({ runs, rows, differences }) {
  const titles = rows.map((row, place) => row.title || runs[place].name);
  return titles.map((title, place) => {
    const alike = titles.flatMap((one, other) => (one === title ? [other] : []));
    if (alike.length === 1) return [title, ""];
    const keys = Object.keys(differences).filter((key) => new Set(alike.map((one) => JSON.stringify(differences[key][one]))).size > 1);
    const shown = [...keys.filter((key) => !["seed", "save_seconds"].includes(key)).slice(0, 2), ...keys.filter((key) => key === "seed")];
    const apart = (one) => shown.map((key) => setting(key, differences[key][one])).join(" · ");
    return [title, alike.some((one) => one !== place && apart(one) === apart(place)) ? [apart(place), runs[place].name].filter(Boolean).join(" · ") : apart(place)];
  });
}

const AXES = {
  step: ["generation or step", (run) => run.generation],
  part: ["per cent of the run", (run, row) => run.generation.map((generation) => (100 * (generation + 1)) / row.of)],
};

export async function show(room) {
  const asked = new URLSearchParams(location.search);
  const found = await ask(`/api/compare?${asked.getAll("run").map((name) => `run=${encodeURIComponent(name)}`).join("&")}`);
  const parts = namesOf(found), charts = h("div", {});
  const names = parts.map((both) => both.filter(Boolean).join(" · ")), short = parts.map(([title, apart]) => apart || title);
  const by = h("select", { id: "by", onchange: () => draw() }, h("option", { value: "step" }, "by generation or step"), h("option", { value: "part", selected: asked.get("by") === "part" }, "by part of the run"));
  const metrics = [...new Set(found.runs.map((run) => run.primary_metric).filter(Boolean))];
  const empty = found.runs.flatMap((run, place) => (run.generation.length ? [] : [names[place]]));
  const heads = h("tr", {}, h("th", { scope: "col" }, ""), found.runs.map((run, place) => h("th", { scope: "col", style: "white-space:normal;min-width:8rem" }, h("a", { href: `/runs/${run.name}` }, names[place]))));
  const table = (rows, label) => h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": label }, h("table", {}, h("thead", {}, heads.cloneNode(true)), h("tbody", {}, rows.map(([key, values]) => h("tr", {}, h("th", { scope: "row" }, key), values.map((value) => h("td", { style: "overflow-wrap:anywhere" }, value)))))));
  // Settings that some of the runs do not have, because they are of another kind, are folded.
  const settings = Object.entries(found.differences).map(([key, values]) => [key, values.map((value) => settingValue(key, value))]);
  const partly = new Set(Object.entries(found.differences).filter(([, values]) => new Set(values.filter((value) => value !== null).map((value) => JSON.stringify(value))).size < 2).map(([key]) => key));
  const first = [["state", found.rows.map((row) => stateChip(row))], ["figure", found.rows.map((row) => [number(row.value, 5), h("div", { class: "small soft" }, row.primary_metric || "")])], ["steps", found.rows.map((row) => `${number(row.generations)} / ${number(row.of)}`)], ...settings.filter(([key]) => !partly.has(key))];
  room.append(h("h1", {}, `${found.runs.length} runs compared`),
    h("section", { class: "sheet" }, h("h2", {}, "Curves"), h("div", { class: "row" }, h("label", { for: "by" }, "shown", by), metrics.length > 1 ? h("span", { class: "small soft" }, "The runs have different metrics, so each metric has its own chart.") : null), charts, empty.length ? h("p", { class: "small soft" }, `Nothing is recorded yet of ${empty.join(", ")}.`) : null),
    h("section", { class: "sheet" }, h("h2", {}, "Differences"), table(first, "differences"), partly.size ? h("details", { class: "fold-in" }, h("summary", {}, `${partly.size} settings that only some of the runs have`), table(settings.filter(([key]) => partly.has(key)), "settings of some of the runs")) : null));

  // A run has one colour in all charts.
  async function draw() {
    const [xTitle, along] = AXES[by.value];
    asked.set("by", by.value);
    history.replaceState(null, "", `/runs/compare?${asked}`);
    const made = metrics.map((metric) => [metric, chart(metric, { log: metric === "exploitability", xTitle })]);
    charts.replaceChildren(...made.map(([, one]) => one.box));
    await Promise.all(made.map(([metric, one]) => one.set(found.runs.flatMap((run, place) => (run.primary_metric === metric && run.generation.length ? [{ name: short[place], x: along(run, found.rows[place]), y: run.value, colour: place }] : [])))));
  }
  await draw();
}
