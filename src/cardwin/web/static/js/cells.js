// The 169 cells of a range: as a grid, as the difference of two, as a table of numbers, as a picture and as CSV.
import { h, number, percent } from "./dom.js";

const NAMES = ["fold", "call", "raise"];
const TITLES = ["fold", "check, call", "bet, raise"];

const share = (cell, place) => {
  const between = cell.low ? ` (${percent(cell.low[place])} to ${percent(cell.high[place])})` : "";
  return `${NAMES[place]} ${percent(cell.plays[place])}${between}`;
};
export const cellText = (cell) => (cell.plays ? `${cell.hand}: ${NAMES.map((_, place) => share(cell, place)).join(", ")}, reach ${percent(cell.reach)}${cell.came ? `, ${number(cell.came)} samples` : ""}` : `${cell.hand}: never reached`);

// What the numbers rest on, in a few words.
export function methodText(found) {
  return found.exact ? "exact chances" : `from ${number(found.samples)} samples of each hand, with 95% intervals`;
}

// How two players differ with a hand: the share of the time in which they act differently, and what the first does more.
export function difference(first, second) {
  return first.map((one, at) => {
    const two = second[at];
    if (!one.plays || !two.plays) return { hand: one.hand, share: null, more: null };
    const gaps = one.plays.map((value, place) => value - two.plays[place]);
    const differ = gaps.reduce((sum, gap) => sum + Math.max(0, gap), 0);
    return { hand: one.hand, share: differ, gaps, more: differ > 0.0005 ? gaps.indexOf(Math.max(...gaps)) : null };
  });
}
const combos = (hand) => (hand.length === 2 ? 6 : hand[2] === "s" ? 4 : 12);
// Over all combos of hands that both players can hold here.
export function meanDifference(cells) {
  const known = cells.filter((cell) => cell.share !== null);
  const weight = known.reduce((sum, cell) => sum + combos(cell.hand), 0);
  return weight ? known.reduce((sum, cell) => sum + combos(cell.hand) * cell.share, 0) / weight : null;
}

export function cellGrid(cells, picked, choose, label) {
  return h("div", { class: "grid13", role: "group", "aria-label": label }, cells.map((cell) => {
    const plays = cell.plays || [0, 0, 0], said = cellText(cell);
    return h("button", { type: "button", "aria-label": said, title: said, "data-hand": cell.hand, "aria-pressed": String(picked === cell.hand), onclick: () => choose(cell) },
      h("span", { class: "fill", style: `height:${100 * (cell.reach || 0)}%` }, NAMES.map((name, place) => h("i", { class: name, style: `width:${100 * plays[place]}%` }))), h("span", { class: "name" }, cell.hand));
  }));
}

export function differenceGrid(cells, names, picked, choose) {
  return h("div", { class: "grid13 difference", role: "group", "aria-label": `difference of ${names.join(" and ")}` }, cells.map((cell) => {
    const said = cell.share === null ? `${cell.hand}: not reached by both` : `${cell.hand}: they differ ${percent(cell.share)} of the time${cell.more === null ? "" : `; ${names[0]} ${TITLES[cell.more]} ${percent(cell.gaps[cell.more])} more`}`;
    return h("button", { type: "button", "aria-label": said, title: said, "data-hand": cell.hand, "aria-pressed": String(picked === cell.hand), onclick: () => choose(cell) },
      h("span", { class: "fill", style: `height:${100 * (cell.share || 0)}%` }, cell.more === null ? null : h("i", { class: NAMES[cell.more], style: "width:100%" })), h("span", { class: "name" }, cell.hand));
  }));
}

// The rows of one or two grids: hand, player, chances, their bounds where they were sampled, reach, samples.
function rowsOf(grids) {
  return grids.flatMap(({ name, found }) => found.cells.map((cell) => [cell.hand, name, ...(cell.plays || ["", "", ""]), ...(cell.low || ["", "", ""]), ...(cell.high || ["", "", ""]), cell.reach ?? "", cell.came ?? ""]));
}

export function numbersTable(grids) {
  const between = (cell, place) => [percent(cell.plays?.[place] ?? null), cell.low ? h("span", { class: "soft" }, ` ${percent(cell.low[place])} to ${percent(cell.high[place])}`) : null];
  return h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "numbers", style: "max-height:20rem;overflow:auto" }, h("table", {}, h("thead", {}, h("tr", {}, ["hand", ...(grids.length > 1 ? ["player"] : []), ...TITLES, "reach", ...(grids.some((one) => !one.found.exact) ? ["samples"] : [])].map((title) => h("th", { scope: "col" }, title)))),
    h("tbody", {}, grids[0].found.cells.flatMap((_, at) => grids.map(({ name, found }) => {
      const cell = found.cells[at];
      return h("tr", {}, h("td", {}, cell.hand), grids.length > 1 ? h("td", {}, name) : null, NAMES.map((_, place) => h("td", { class: "num" }, between(cell, place))), h("td", { class: "num" }, percent(cell.reach)), grids.some((one) => !one.found.exact) ? h("td", { class: "num" }, cell.came === null ? "–" : number(cell.came)) : null);
    })))));
}

function save(blob, name) {
  const link = h("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

export function saveCsv(grids, name) {
  const quoted = (value) => (/[",\n]/.test(String(value)) ? `"${String(value).replaceAll('"', '""')}"` : String(value));
  const head = ["hand", "player", ...NAMES, ...NAMES.map((one) => `${one}_low`), ...NAMES.map((one) => `${one}_high`), "reach", "samples"];
  save(new Blob([[head, ...rowsOf(grids)].map((row) => `${row.map(quoted).join(",")}\n`).join("")], { type: "text/csv" }), `${name}.csv`);
}

const SIDE = 44, TOP = 46, GAP = 24;
// All grids that are shown, beside each other, in the colours of the page.
export function savePng(panels, caption, name) {
  const width = panels.length * 13 * SIDE + (panels.length + 1) * GAP, height = 13 * SIDE + TOP + 2 * GAP + 16;
  const canvas = h("canvas", {});
  [canvas.width, canvas.height] = [2 * width, 2 * height];
  const pen = canvas.getContext("2d");
  const style = (of) => getComputedStyle(document.documentElement).getPropertyValue(of).trim();
  pen.scale(2, 2);
  pen.fillStyle = style("--sheet");
  pen.fillRect(0, 0, width, height);
  panels.forEach(({ title, cells, parts }, at) => {
    const left = GAP + at * (13 * SIDE + GAP);
    pen.fillStyle = style("--ink");
    pen.font = "600 17px system-ui, sans-serif";
    pen.textAlign = "left";
    pen.fillText(title, left, GAP + 12, 13 * SIDE);
    cells.forEach((cell, place) => {
      const [x, y] = [left + (place % 13) * SIDE, TOP + Math.floor(place / 13) * SIDE];
      pen.fillStyle = style("--faint");
      pen.fillRect(x, y, SIDE - 2, SIDE - 2);
      let at = x;
      for (const [kind, wide, high] of parts(cell)) {
        pen.fillStyle = style(`--${kind}`);
        pen.fillRect(at, y + (SIDE - 2) * (1 - high), (SIDE - 2) * wide, (SIDE - 2) * high);
        at += (SIDE - 2) * wide;
      }
      pen.font = "600 13px system-ui, sans-serif";
      pen.textAlign = "center";
      pen.lineWidth = 3;
      pen.strokeStyle = style("--sheet");
      pen.strokeText(cell.hand, x + SIDE / 2 - 1, y + SIDE / 2 + 4);
      pen.fillStyle = style("--ink");
      pen.fillText(cell.hand, x + SIDE / 2 - 1, y + SIDE / 2 + 4);
    });
  });
  pen.fillStyle = style("--soft");
  pen.font = "13px system-ui, sans-serif";
  pen.textAlign = "left";
  pen.fillText(caption, GAP, height - GAP, width - 2 * GAP);
  canvas.toBlob((blob) => save(blob, `${name}.png`), "image/png");
}

export const partsOf = (cell) => NAMES.map((name, place) => [name, cell.plays?.[place] ?? 0, cell.reach ?? 0]);
export const differenceParts = (cell) => (cell.more === null ? [] : [[NAMES[cell.more], 1, cell.share]]);
