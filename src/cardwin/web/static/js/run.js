// One run, live: its curves, the champion of a chosen generation, its ancestors, and what was forgotten.
import { ask, duration, h, number, percent, settingValue, stateChip, svg } from "./dom.js";
import { chart } from "./chart.js";
import { atlas } from "./atlas.js";
import { evolution } from "./evolution.js";
import { championView, hasMoves } from "./champion.js";

function clusterText(found) {
  const here = found.nodes.filter((node) => node.alive);
  const jobs = found.nodes.map((node) => `${node.name}${node.alive ? "" : ", gone"}: ${number(node.jobs)} jobs`).join("; ");
  return `${here.length} nodes, ${number(found.cores)} cores, ${number(found.hands_per_second)} hands/s (${jobs})`;
}

export async function show(room, name) {
  let run = await ask(`/api/runs/${name}`);
  const head = h("section", { class: "sheet" });
  const charts = h("section", { class: "sheet" });
  const inside = h("section", { class: "sheet" }, h("h2", {}, "The champion"));
  const further = h("section", { class: "sheet" });
  const styles = h("section", { class: "sheet", hidden: !run.atlas });
  const wrong = h("p", { class: "warn", role: "alert" });
  const series = { generation: [], value: [], populations: {} };
  const watched = evolution(name);
  room.append(h("h1", {}, run.title || name), head, styles, watched.box, h("div", { class: "beside even" }, h("div", {}, charts, further), inside), settings(run));

  const primary = chart(run.primary_metric || "primary metric", { log: run.kind === "small-game" });
  const fitness = chart("fitness");
  const diversity = chart("diversity and style", { label: "the mean standard deviation of the genes, and the champions' playing style" });
  const nothing = h("p", { class: "soft" }, "Nothing is recorded yet.");
  charts.append(h("h2", {}, "Progress"), nothing, primary.box, fitness.box, diversity.box);

  function drawHead() {
    const act = (what) => ask(`/api/runs/${name}/${what}`, {}).then(() => setTimeout(again, 400)).catch((error) => { wrong.textContent = error.message; });
    const buttons = run.state === "running" ? [h("button", { type: "button", onclick: () => act("stop") }, "Stop")] : run.state === "waiting" ? [h("span", { class: "num" }, `${run.position}. in the queue`), h("button", { type: "button", onclick: () => act("cancel") }, "Cancel waiting")] : run.state === "finished" ? [] : [h("button", { type: "button", class: "main", onclick: () => act("resume") }, "Resume")];
    head.replaceChildren(h("div", { class: "row", style: "gap:1.2rem" }, stateChip(run), h("span", { class: "num" }, `${number(run.generations)} of ${number(run.of)} steps`), run.state === "running" && run.seconds_left !== null && run.seconds_left !== undefined ? h("span", { class: "soft num left" }, `${duration(run.seconds_left)} left`) : null, h("span", {}, run.primary_metric ? [`${run.primary_metric} `, h("b", { class: "num" }, number(run.value, 4))] : ""), run.game ? h("span", { class: "soft" }, run.game) : null, h("span", { class: "soft num" }, `seed ${run.seed}`), ...buttons, run.report ? h("a", { class: "button", href: `/api/runs/${name}/report`, target: "_blank", rel: "noopener" }, "Report") : null, h("a", { class: "button", href: `/runs/new?run=${encodeURIComponent(name)}` }, "Repeat with changes")),
      h("div", { class: "bar", style: "margin-top:.6rem", role: "progressbar", "aria-label": "progress", "aria-valuenow": String(run.generations), "aria-valuemin": "0", "aria-valuemax": String(run.of) }, h("i", { style: `width:${run.of ? (100 * run.generations) / run.of : 0}%` })), wrong,
      run.cluster ? h("p", { class: "soft num", style: "margin:.6rem 0 0" }, clusterText(run.cluster)) : "",
      run.failure ? h("pre", { class: "small", style: "white-space:pre-wrap;overflow-wrap:anywhere" }, run.failure) : "");
  }

  function add(found) {
    const last = series.generation.at(-1) ?? -1;
    found.generation.forEach((generation, place) => { if (generation > last) { series.generation.push(generation); series.value.push(found.value[place]); } });
    for (const [population, more] of Object.entries(found.populations)) {
      const own = (series.populations[population] ??= { generation: [], metrics: {} });
      const reached = own.generation.at(-1) ?? -1;
      more.generation.forEach((generation, place) => {
        if (generation <= reached) return;
        own.generation.push(generation);
        for (const [label, numbers] of Object.entries(more.metrics)) (own.metrics[label] ??= Array(own.generation.length - 1).fill(null)).push(numbers[place]);
      });
    }
    drawCurves();
  }

  function lines(wanted) {
    return Object.entries(series.populations).flatMap(([population, own]) => Object.keys(own.metrics).filter(wanted).map((label) => ({ name: `${population}: ${label.replaceAll("_", " ")}`, x: own.generation, y: own.metrics[label] })));
  }

  function drawCurves() {
    const guide = lines((label) => label === "hall_exploitability").map((line) => ({ ...line, dash: "dot" }));
    primary.set([{ name: run.primary_metric || "figure", x: series.generation, y: series.value }, ...guide]);
    const fit = lines((label) => label === "best" || label === "mean");
    primary.box.hidden = !series.generation.length;
    fitness.box.hidden = !fit.length;
    nothing.hidden = series.generation.length > 0;
    if (fit.length) fitness.set(fit);
    const rest = lines((label) => /divers|spread|distinct|raise|call|fold|aggress|vpip|hall$|distance/.test(label));
    diversity.box.hidden = !rest.length;
    if (rest.length) diversity.set(rest);
  }

  async function again() {
    run = await ask(`/api/runs/${name}`);
    drawHead();
    drawAtlas();
    if (run.generations && !inside.dataset.drawn) drawInside();
    if (["finished", "stopped"].includes(run.state) && run.generations) drawFurther();
  }

  async function drawAtlas() {
    if (!run.atlas) return;
    const found = run.generations ? await ask(`/api/runs/${name}/atlas`).catch(() => null) : null;
    if (found) styles.replaceChildren(h("h2", {}, `The atlas: ${found.cells.length} styles`), atlas(found));
    else styles.replaceChildren(h("h2", {}, "The atlas"), h("p", { class: "soft" }, "It is shown after the first generation."));
  }

  let slider = null, lookAtLast = () => {};
  async function drawInside() {
    if (!run.looks) { inside.hidden = true; return; }
    inside.dataset.drawn = "true";
    const body = h("div", {});
    slider = h("input", { type: "range", min: "0", max: String(Math.max(0, run.generations - 1)), value: String(Math.max(0, run.generations - 1)), "aria-label": "generation", oninput: () => { chose(Number(slider.value)); look(Number(slider.value)); } });
    const asked = new URLSearchParams(location.search).get("generation");
    if (asked !== null && Number(asked) < run.generations) slider.value = asked;
    // A chosen generation is in the address; the last one is not, because it moves on.
    function chose(generation) { history.replaceState(null, "", `/runs/${name}${generation < Number(slider.max) ? `?generation=${generation}` : ""}`); }
    const told = h("span", { class: "num" });
    const legend = h("div", { class: "legend" }, [["fold", "fold"], ["call", "check, call"], ["raise", "bet, raise"]].map(([kind, text]) => h("span", {}, h("i", { style: `background:var(--${kind})` }), text)));
    inside.replaceChildren(h("h2", {}, "The champion"), h("label", { style: "display:grid;grid-template-columns:auto 1fr auto;width:100%" }, "generation", slider, told), body, legend);
    let wanted = 0;
    async function look(generation) {
      const mine = ++wanted;
      const found = await ask(`/api/runs/${name}/champion?generation=${generation}`).catch((error) => ({ error }));
      if (mine !== wanted) return;
      if (found.error) { body.replaceChildren(h("p", { class: "soft" }, found.error.message)); legend.hidden = true; return; }
      told.textContent = number(found.generation);
      legend.hidden = !hasMoves(found);
      body.replaceChildren(...championView(found));
    }
    // The champion shown is the latest until a person chooses another one.
    lookAtLast = () => {
      const followed = slider.value === slider.max;
      slider.max = String(Math.max(0, run.generations - 1));
      if (followed && slider.value !== slider.max) { slider.value = slider.max; look(Number(slider.max)); }
    };
    await look(Number(slider.value));
  }

  async function drawFurther() {
    if (further.dataset.drawn) return;
    further.dataset.drawn = "true";
    const [pedigree, memory] = await Promise.all([ask(`/api/runs/${name}/pedigree`).catch(() => ({ populations: {} })), run.memory ? ask(`/api/runs/${name}/memory`).catch(() => null) : null]);
    const parts = Object.entries(pedigree.populations).filter(([, line]) => line.places.length > 1).map(([population, line]) => [h("details", { class: "fold-in" }, h("summary", {}, `Ancestors of ${population}'s last champion`), pedigreePicture(line))]);
    if (memory) parts.unshift([h("h3", {}, "What was forgotten"), memoryPicture(memory), h("p", { class: "small" }, memory.said)]);
    further.replaceChildren(...(parts.length ? [h("h2", {}, "History"), ...parts.flat()] : []));
    further.hidden = !parts.length;
  }

  drawHead();
  watched.refresh();
  await drawAtlas();
  add(await ask(`/api/runs/${name}/curves`));
  if (run.generations) await drawInside(); else inside.append(h("p", { class: "soft" }, run.looks ? "It is shown after the first generation." : "This kind of run has no champion to show."));
  if (run.state !== "running" && run.generations) drawFurther(); else further.hidden = true;

  let source = null;
  function watch() {
    source = new EventSource(`/api/runs/${name}/events?since=${series.generation.at(-1) ?? -1}`);
    source.addEventListener("row", (event) => {
      const before = run.state;
      run = { ...run, ...JSON.parse(event.data) };
      lookAtLast();
      drawHead();
      if (before !== run.state || (run.generations && !inside.dataset.drawn)) again();
    });
    source.addEventListener("curves", (event) => { add(JSON.parse(event.data)); drawAtlas(); watched.refresh(); });
    source.addEventListener("done", () => { source.close(); again(); });
  }
  if (run.state !== "finished") watch();
  return () => { source?.close(); watched.leave(); };
}

function settings(run) {
  return h("details", { class: "sheet" }, h("summary", {}, "Settings"), h("div", { class: "scroll" }, h("table", {}, h("tbody", {}, Object.entries(run.experiment).map(([key, value]) => h("tr", {}, h("th", { scope: "row" }, key), h("td", { style: "overflow-wrap:anywhere" }, settingValue(key, value))))))));
}

function pedigreePicture(line) {
  const step = 24, wide = 340, rows = line.places.length;
  const x = (row, place) => { const all = line.places[row]; return ((all.indexOf(place) + 0.5) / all.length) * wide; };
  const picture = svg("svg", { viewBox: `0 0 ${wide} ${rows * step}`, width: "100%", role: "img", "aria-label": `number of ancestors by generations back: ${line.places.map((row) => row.length).join(", ")}` });
  for (const [row, child, parent] of line.links) if (row + 1 < rows) picture.append(svg("line", { x1: x(row, child), y1: row * step + 10, x2: x(row + 1, parent), y2: (row + 1) * step + 10, stroke: "var(--line)" }));
  line.places.forEach((row, depth) => row.forEach((place) => picture.append(svg("circle", { cx: x(depth, place), cy: depth * step + 10, r: row.length > 40 ? 1.6 : 3.4, fill: depth ? "var(--soft)" : "var(--accent)" }))));
  return h("div", {}, picture, h("details", {}, h("summary", {}, "Numbers"), h("p", { class: "small num" }, `born in generation ${line.generation}; number of ancestors by generations back: ${line.places.slice(1).map((row) => row.length).join(", ")}`)));
}

function memoryPicture(memory) {
  const size = memory.generations.length, cell = 300 / size;
  const most = Math.max(1e-9, ...memory.scores.flat().map(Math.abs));
  const canvas = h("canvas", { width: "300", height: "300", style: "width:100%;max-width:300px;image-rendering:pixelated;border:1px solid var(--line)", role: "img", "aria-label": "champions of all generations against each other; numbers below" });
  const brush = canvas.getContext("2d");
  memory.scores.forEach((row, y) => row.forEach((score, x) => {
    const share = Math.min(1, Math.abs(score) / most);
    brush.fillStyle = score >= 0 ? `rgba(47,125,91,${share})` : `rgba(181,85,43,${share})`;
    brush.fillRect(x * cell, y * cell, cell + 0.6, cell + 0.6);
  }));
  const shown = memory.generations.map((_, place) => place).filter((place) => place % Math.max(1, Math.floor(size / 6)) === 0);
  return h("div", {}, canvas, h("p", { class: "small soft" }, "Rows: the champions of one generation. Columns: their opponents of all generations. Green: win, red: loss."),
    h("details", {}, h("summary", {}, "Numbers"), h("div", { class: "scroll" }, h("table", {}, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "generation"), shown.map((place) => h("th", { scope: "col", class: "n" }, number(memory.generations[place]))))), h("tbody", {}, shown.map((row) => h("tr", {}, h("th", { scope: "row" }, number(memory.generations[row])), shown.map((place) => h("td", { class: "n" }, number(memory.scores[row][place], 2))))))))));
}
