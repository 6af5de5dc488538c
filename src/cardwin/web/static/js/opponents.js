// Opponents as somebody: a name, a line, strength with its interval, and style as a small picture; easiest first.
import { ask, h, number, percent, signed, svg } from "./dom.js";

const known = new Map(); // of each game, asked once

// Everybody that a game accepts: those that ship by difficulty, then programs and champions that nobody rated.
export async function opponentsOf(game, players, champions) {
  if (!known.has(game.name)) known.set(game.name, ask(`/api/look/opponents?${new URLSearchParams({ game: game.name })}`));
  let shipped;
  try { shipped = (await known.get(game.name)).opponents; } catch (error) { known.delete(game.name); throw error; }
  const programs = game.small ? [] : players.filter((one) => one.program).map((one) => ({ spec: one.spec, name: one.spec, about: one.title }));
  const own = champions.filter((one) => (game.small ? one.game === game.name : one.game === null)).map((one) => ({ spec: one.spec, name: `★ ${one.spec.replace(/^champion:/, "")}`, about: one.title }));
  return [...shipped, ...programs, ...own];
}

export function strengthText(one) {
  if (one.rating) return `${signed(Math.round(one.rating.mean))} ${one.rating.unit}`;
  if (one.exploitability !== undefined && one.exploitability !== null) return `exploitability ${one.exploitability < 5e-10 ? "0" : number(one.exploitability, 3)}`;
  return "not rated";
}

// How far up the list: one to five bars. Unrated players have none.
function difficulty(one, all) {
  const rated = all.filter((other) => other.rating || other.exploitability !== undefined && other.exploitability !== null);
  const place = rated.indexOf(one);
  return place < 0 ? 0 : rated.length < 2 ? 3 : 1 + Math.round((4 * place) / (rated.length - 1));
}

const WIDE = 132, ROW = 14, LEFT = 34, RIGHT = 30;
const MOST_AGGRESSION = 4; // bets for each call that fill the bar

// VPIP and PFR as shares, aggression as bets for each call; a player that never calls has no ratio and a full bar.
export function stylePicture(style) {
  if (!style || style.vpip === null) return null;
  const { vpip, pfr, aggression } = style;
  const ratio = aggression === null ? (pfr > 0 ? "∞" : "–") : number(aggression, 2);
  const rows = [["VPIP", vpip, percent(vpip), "call"], ["PFR", pfr, percent(pfr), "raise"], ["AGG", aggression === null ? (pfr > 0 ? 1 : 0) : Math.min(1, aggression / MOST_AGGRESSION), ratio, "mark"]];
  const told = `style: plays ${percent(vpip)} of its hands, raises ${percent(pfr)} before the flop, ${ratio === "∞" || ratio === "–" ? "never calls" : `${ratio} bets for each call`}`;
  const picture = svg("svg", { class: "style", viewBox: `0 0 ${WIDE} ${3 * ROW}`, width: WIDE, height: 3 * ROW, role: "img", "aria-label": told });
  rows.forEach(([name, share, text, colour], place) => {
    const y = place * ROW, full = WIDE - LEFT - RIGHT;
    const label = svg("text", { x: 0, y: y + 10 }), value = svg("text", { x: WIDE, y: y + 10, "text-anchor": "end" });
    label.textContent = name;
    value.textContent = text;
    picture.append(label, svg("rect", { class: "room", x: LEFT, y: y + 2, width: full, height: 9, rx: 2 }), svg("rect", { class: colour, x: LEFT, y: y + 2, width: (full * (share ?? 0)).toFixed(1), height: 9, rx: 2 }), value);
  });
  return picture;
}

const chips = (value) => number(Math.round(value)).replace("-", "−");
const between = (one) => `${chips(one.low)} to ${chips(one.high)}`;

export function opponentCard(one, all) {
  const bars = difficulty(one, all), rating = one.rating, exact = one.exploitability !== undefined && one.exploitability !== null;
  const title = rating ? `won per hand, heads-up: ${number(rating.hands)} hands of ${rating.game} against each other player that ships; 95% interval` : null;
  return h("div", { class: "opponent", "data-spec": one.spec },
    h("div", { class: "who" },
      h("b", {}, one.name), " ", h("code", { class: "small soft" }, one.spec.length > 40 ? `${one.spec.slice(0, 38)}…` : one.spec),
      h("p", { class: "small" }, one.about),
      h("p", { class: "small num", title }, bars ? h("span", { class: "difficulty", role: "img", "aria-label": `difficulty ${bars} of 5`, title: `difficulty ${bars} of 5` }, Array.from({ length: 5 }, (_, place) => h("i", { class: place < bars ? "on" : null }))) : null, h("b", {}, strengthText(one)), h("span", { class: "soft" }, rating ? ` (95%: ${between(rating)}) in ${rating.game}` : exact ? " chips per hand, exact" : "")),
      one.lbr ? h("p", { class: "small soft num" }, `a local best response won ${chips(one.lbr.mean)} from it (${between(one.lbr)})`) : null),
    stylePicture(one.style));
}

// Any of them but those that are chosen already.
export function surprise(all, taken = []) {
  const free = all.filter((one) => !taken.includes(one.spec));
  return (free.length ? free : all)[Math.floor(Math.random() * (free.length || all.length))];
}
