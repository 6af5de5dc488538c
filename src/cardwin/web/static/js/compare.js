// Up to eight runs on one chart, and the settings in which they differ.
import { ask, h, number, settingValue, stateChip } from "./dom.js";
import { chart } from "./chart.js";

export async function show(room) {
  const names = new URLSearchParams(location.search).getAll("run");
  const found = await ask(`/api/compare?${names.map((name) => `run=${encodeURIComponent(name)}`).join("&")}`);
  const short = (name) => name.replace(/-\d{8}-\d{6}/, "");
  const kinds = [...new Set(found.runs.map((run) => run.primary_metric))];
  const picture = chart(kinds.filter(Boolean).join(", ") || "primary metric", { log: true });
  const rows = [["state", found.rows.map((row) => stateChip(row))], ["figure", found.rows.map((row) => number(row.value, 5))], ["steps", found.rows.map((row) => `${number(row.generations)} / ${number(row.of)}`)], ...Object.entries(found.differences).map(([key, values]) => [key, values.map((value) => settingValue(key, value))])];
  room.append(h("h1", {}, `${names.length} runs compared`), h("section", { class: "sheet" }, picture.box),
    h("section", { class: "sheet" }, h("h2", {}, "Differences"), h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "differences" }, h("table", {}, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, ""), found.runs.map((run) => h("th", { scope: "col" }, h("a", { href: `/runs/${run.name}` }, short(run.name)))))), h("tbody", {}, rows.map(([key, values]) => h("tr", {}, h("th", { scope: "row" }, key), values.map((value) => h("td", { style: "overflow-wrap:anywhere" }, value)))))))));
  await picture.set(found.runs.map((run) => ({ name: short(run.name), x: run.generation, y: run.value })));
}
