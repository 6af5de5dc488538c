// Papers: published numbers, our measurements, exact values, and verdicts.
import { ask, h, number, sortable } from "./dom.js";

export async function show(room) {
  const { papers, reproductions } = await ask("/api/papers");
  room.append(h("h1", {}, "Papers"));
  const value = (one) => (one === null || one === undefined ? "–" : typeof one === "number" ? number(one, 4) : String(one));
  for (const paper of papers) {
    const found = reproductions.filter((one) => one.paper === paper.name);
    room.append(h("section", { class: "sheet" }, h("h2", {}, paper.title),
      found.length ? found.map((one) => [h("p", { class: "small soft" }, `${one.experiments.length} findings at scale ${one.scale}, seed ${one.seed}. `, h("a", { href: `/runs/${one.run}` }, one.run)),
        h("div", { class: "columns" }, one.columns.map((column) => h("section", {}, h("h3", {}, column.title),
          h("ul", {}, column.links.map((link) => h("li", {}, link.text, h("small", { class: "soft" }, link.note))),
            column.more ? h("li", { class: "soft small" }, column.more) : [])))),
        h("details", {}, h("summary", {}, "All findings"), sortable([
          ["experiment", (row) => row.experiment],
          ["place", (row) => row.place],
          ["finding", (row) => row.name],
          ["published", (row) => row.published, (row) => value(row.published), true],
          ["measured", (row) => row.measured, (row) => value(row.measured), true],
          ["95%", (row) => row.ci95?.[0], (row) => (row.ci95 ? `${value(row.ci95[0])} to ${value(row.ci95[1])}` : "–"), true],
          ["exact", (row) => row.exact, (row) => value(row.exact), true],
          ["verdict", (row) => row.verdict ?? "–"],
        ], one.experiments, `findings of ${paper.name}`))])
        : [h("p", { class: "soft" }, `Not reproduced here yet; its experiments: ${paper.experiments.join(", ")}.`), h("pre", { class: "scroll" }, `cardwin reproduce ${paper.name} --scale seconds --out runs/${paper.name}`)]));
  }
}
