// The champion of one generation: a policy of a small game, a network before the flop, a matrix, or the fittest rules.
import { h, number, percent } from "./dom.js";
import { mix } from "./mix.js";

const ACTIONS = ["fold", "call", "raise"];

export function championView(found) {
  if (found.seats) return found.seats.map(seat);
  if (found.players) return found.players.map((player) => h("div", {}, h("h3", {}, player.name), player.grids ? h("div", { class: "maps" }, player.grids.map((grid) => preflop(grid, found.classes, player.name))) : matrix(player.matrix, player.name)));
  return [rules(found)];
}

export const hasMoves = (found) => !found.rules;

function seat(one) {
  const nearest = one.distance === null ? "" : `; distance ${number(one.distance, 3)} from the nearest equilibrium (Euclidean, between realisation plans)`;
  return h("div", {}, h("h3", {}, `Seat ${one.seat}`), h("p", { class: "small" }, `wins ${number(one.value, 3)} of the ${number(one.most, 3)} that a best response wins from ${one.against}; exploitability ${number(one.exploitability, 3)}${nearest}`),
    h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": `seat ${one.seat}, every information set`, style: "max-height:30rem;overflow:auto" }, h("table", {}, h("thead", {}, h("tr", {}, ["knows", "champion", "best response", one.distance === null ? "an equilibrium" : "the nearest equilibrium"].map((title) => h("th", { scope: "col" }, title)))),
      h("tbody", {}, one.sets.map((set) => h("tr", {}, h("td", {}, set.knows), [set.champion, set.response, set.equilibrium].map((chances) => h("td", {}, mix(set.actions, chances)))))))));
}

// How many of the 1,326 hands a class has.
const combos = (name) => (name.length === 2 ? 6 : name.endsWith("s") ? 4 : 12);

function preflop(grid, classes, name) {
  const cell = 12, size = 13 * cell;
  const shares = ACTIONS.map((_, action) => grid.chances.reduce((sum, row, place) => sum + row[action] * combos(classes[place]), 0) / 1326);
  const told = shares.map((share, action) => `${ACTIONS[action]} ${percent(share)}`).join(", ");
  const canvas = h("canvas", { width: String(2 * size), height: String(2 * size), style: `width:${size}px;height:${size}px`, role: "img", "aria-label": `${name}, ${grid.title}: ${told}`, class: "preflop" });
  const brush = canvas.getContext("2d");
  brush.scale(2, 2);
  const style = getComputedStyle(document.documentElement);
  const colours = ["--fold", "--call", "--raise"].map((one) => style.getPropertyValue(one).trim());
  grid.chances.forEach((row, place) => {
    let left = (place % 13) * cell;
    row.forEach((chance, action) => {
      brush.fillStyle = colours[action];
      brush.fillRect(left, Math.floor(place / 13) * cell, chance * (cell - 1), cell - 1);
      left += chance * (cell - 1);
    });
  });
  canvas.addEventListener("mousemove", (event) => {
    const place = 13 * Math.min(12, Math.floor(event.offsetY / cell)) + Math.min(12, Math.floor(event.offsetX / cell));
    if (classes[place]) canvas.title = `${classes[place]}: ${grid.chances[place].map((chance, action) => `${ACTIONS[action]} ${percent(chance)}`).join(", ")}`;
  });
  return h("figure", { style: "margin:0;max-width:160px" }, canvas, h("figcaption", { class: "small" }, grid.title, h("br"), h("span", { class: "num soft" }, told)));
}

function matrix(rows, name) {
  return h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": `matrix of ${name}` }, h("table", {}, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "strength"), rows[0].map((_, cost) => h("th", { scope: "col" }, `cost ${cost + 1}`)))),
    h("tbody", {}, rows.map((row, strength) => h("tr", {}, h("th", { scope: "row" }, String(strength + 1)), row.map((chances) => h("td", {}, mix(ACTIONS, chances))))))));
}

function rules(found) {
  return h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "the fittest rules", style: "max-height:36rem;overflow:auto" }, h("table", { class: "rules" }, h("caption", { class: "hidden" }, "the fittest rules"), h("thead", {}, h("tr", {}, ["rule", "expects", "error", "fitness", "number"].map((title, place) => h("th", { scope: "col", class: place > 1 ? "n" : null }, title)))),
    h("tbody", {}, found.rules.map((rule) => h("tr", {}, h("td", { style: "min-width:10rem" }, `${rule.condition}, then ${rule.action}`), h("td", {}, rule.expects), h("td", { class: "n" }, number(rule.error, 3)), h("td", { class: "n" }, number(rule.fitness, 3)), h("td", { class: "n" }, number(rule.numerosity)))))));
}
