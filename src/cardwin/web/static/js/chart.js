// Charts by plotly, whose script is loaded only on pages with charts; every chart has a table of its numbers.
import { h, number } from "./dom.js";

let loading = null;
function plotly() {
  loading ??= new Promise((done, failed) => {
    const script = h("script", { src: "/static/plotly.js" });
    script.onload = () => done(window.Plotly);
    script.onerror = () => failed(new Error("the charts' script did not load"));
    document.head.append(script);
  });
  return loading;
}

const COLOURS = ["#2f7d5b", "#b5552b", "#3f72b0", "#8a5aa5", "#8c7a1d", "#2b8c98", "#b03a68", "#666f76"];
function style(name) { return getComputedStyle(document.documentElement).getPropertyValue(name).trim(); }

// The value of a line at a place of the axis: that of its last point before it, none beyond its end.
function valueAt(line, wanted) {
  if (!line.x.length || wanted < line.x[0] || wanted > line.x.at(-1)) return null;
  let low = 0, high = line.x.length - 1;
  while (low < high) { const middle = Math.ceil((low + high) / 2); if (line.x[middle] <= wanted) low = middle; else high = middle - 1; }
  return line.y[low];
}

// The labels of a logarithmic axis: 1, 2 and 5 of every decade, or decades only; plotly's own choice overlaps.
function logTicks(lines) {
  const values = lines.flatMap((line) => line.y.filter((value) => value !== null));
  const decades = Math.log10(Math.max(...values) / Math.min(...values));
  return decades > 4 ? 1 : decades > 0.7 ? "D2" : undefined;
}

// A chart; `set` replaces its lines: {name, x, y, dash, colour}. `log` selects a logarithmic scale.
export function chart(title, { log = false, xTitle = "generation", label } = {}) {
  const plot = h("div", { class: "chart", role: "img", "aria-label": label || title });
  const table = h("div", { class: "scroll" });
  const numbers = h("details", {}, h("summary", {}, "Numbers"), table);
  let lines = [];
  const box = h("figure", { style: "margin:0" }, h("h3", {}, title, h("span", { class: "soft", style: "font-weight:400" }, `, by ${xTitle}`)), plot, numbers);
  // Plotly draws a line again only if its arrays are others than before, so it gets copies.
  async function draw() {
    const Plotly = await plotly();
    if (!box.isConnected) return;
    const positive = log && lines.every((line) => line.y.every((value) => value === null || value > 0));
    await Plotly.react(plot, lines.map((line, place) => ({ x: [...line.x], y: [...line.y], name: line.name, mode: line.x.length > 1 ? "lines" : "markers", line: { color: COLOURS[(line.colour ?? place) % COLOURS.length], width: 1.8, dash: line.dash || "solid" }, hovertemplate: "%{y:.5g}" })), {
      margin: { l: 56, r: 12, t: 8, b: 30 }, paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)", font: { color: style("--ink"), size: 12.5, family: "system-ui, sans-serif" }, hovermode: "x unified", hoverlabel: { bgcolor: style("--sheet") },
      showlegend: lines.length > 1, legend: { orientation: "h", y: -0.12, x: 0, yanchor: "top" },
      xaxis: { gridcolor: style("--line"), zerolinecolor: style("--line") }, yaxis: { type: positive ? "log" : "linear", gridcolor: style("--line"), zerolinecolor: style("--line"), tickformat: positive ? "~g" : undefined, dtick: positive ? logTicks(lines) : undefined },
    }, { displayModeBar: false, responsive: true });
    plot.dataset.points = String(Math.max(0, ...lines.map((line) => line.x.length)));
  }
  function tabled() {
    const longest = lines.reduce((a, b) => ((b.x.at(-1) ?? -1) > (a.x.at(-1) ?? -1) ? b : a), { x: [] });
    const step = Math.max(1, Math.floor(longest.x.length / 25));
    const places = longest.x.map((_, place) => place).filter((place) => place % step === 0 || place === longest.x.length - 1);
    table.replaceChildren(h("table", {}, h("thead", {}, h("tr", {}, h("th", { scope: "col", class: "n" }, xTitle), lines.map((line) => h("th", { scope: "col", class: "n" }, line.name)))),
      h("tbody", {}, places.map((place) => h("tr", {}, h("td", { class: "n" }, number(longest.x[place])), lines.map((line) => h("td", { class: "n" }, number(valueAt(line, longest.x[place]), 5))))))));
  }
  numbers.addEventListener("toggle", () => numbers.open && tabled());
  addEventListener("themechange", draw);
  return { box, set(next) { lines = next; if (numbers.open) tabled(); return draw(); } };
}
