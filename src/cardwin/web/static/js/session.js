// The hands played at a table: a graph of the winnings with their interval, a list that opens in the replayer, files.
import { ask, h, number, signed, svg } from "./dom.js";
import { cards } from "./cards.js";
import { fragmentOf } from "./link.js";

const ENOUGH = 10; // hands before an interval says anything
const WIDE = 300, HIGH = 120, LEFT = 46, BELOW = 18;

export function winningsPicture({ hand, chips, at, low, high }, only = "") {
  if (hand.length < 2) return h("p", { class: "small soft" }, "The graph begins with the second hand.");
  const last = hand.at(-1);
  const band = at.map((count, place) => [count, low[place], high[place]]).filter(([count]) => count >= ENOUGH);
  const span = Math.max(1, Math.max(0, ...chips) - Math.min(0, ...chips));
  // The interval of a few hands is far wider than the winnings: the picture shows it up to their triple range.
  const near = (value) => Math.min(Math.max(0, ...chips) + span, Math.max(Math.min(0, ...chips) - span, value));
  const all = [0, ...chips, ...band.flatMap(([, one, two]) => [near(one), near(two)])];
  const [least, most] = [Math.min(...all), Math.max(...all)];
  const x = (count) => LEFT + ((WIDE - LEFT - 6) * count) / last;
  const y = (value) => 6 + ((HIGH - BELOW - 6) * (most - value)) / (most - least || 1);
  const path = (points) => `M${points.map(([count, value]) => `${x(count).toFixed(1)},${y(value).toFixed(1)}`).join("L")}`;
  const bounds = band.at(-1);
  const told = `winnings over ${last} hands: ${signed(chips.at(-1))} chips${bounds ? `, 95% interval ${number(bounds[1], 3)} to ${number(bounds[2], 3)}` : ""}`;
  const picture = svg("svg", { class: "winnings", viewBox: `0 0 ${WIDE} ${HIGH}`, width: "100%", role: "img", "aria-label": told });
  if (band.length > 1) picture.append(svg("path", { class: "band", d: `${path(band.map(([count, one]) => [count, near(one)]))}L${path(band.map(([count, , two]) => [count, near(two)]).reverse()).slice(1)}Z` }));
  picture.append(svg("line", { class: "zero", x1: LEFT, x2: WIDE - 6, y1: y(0), y2: y(0) }), svg("path", { class: "line", d: path([[0, 0], ...hand.map((count, place) => [count, chips[place]])]) }));
  for (const value of new Set([most, 0, least].map(Math.round))) {
    const label = svg("text", { x: LEFT - 4, y: y(value) + 4, "text-anchor": "end" });
    label.textContent = number(value);
    picture.append(label);
  }
  for (const [count, anchor] of [[0, "start"], [last, "end"]]) {
    const label = svg("text", { x: x(count), y: HIGH - 4, "text-anchor": anchor, class: "tick" });
    label.textContent = number(count);
    picture.append(label);
  }
  const said = bounds ? `Shaded: 95% interval of the winnings, valid at any stop: ${signed(bounds[1], 3)} to ${signed(bounds[2], 3)} chips.` : `An interval is shown after ${ENOUGH} hands.`;
  return h("div", {}, picture, h("p", { class: "small soft" }, only || `Chips by hand. ${said}`));
}

export async function replayAddress(id, token, row) {
  const where = `/api/tables/${id}/hands/${row.number}`, query = `?token=${encodeURIComponent(token)}`;
  if (!row.phh) return `/hands${await fragmentOf("hand", JSON.stringify(await ask(`${where}.json${query}`)))}`;
  const answer = await fetch(`${where}.phh${query}`);
  if (!answer.ok) throw new Error("this hand cannot be read");
  return `/hands${await fragmentOf("phh", await answer.text())}`;
}

export async function drawSession(box, id, token) {
  const found = await ask(`/api/tables/${id}/session?token=${encodeURIComponent(token)}`);
  if (!found.total) return;
  const open = box.querySelector("details")?.open;
  const file = (name, words) => h("a", { class: "button", download: "", href: `/api/tables/${id}/session.${name}?token=${encodeURIComponent(token)}` }, words);
  const replay = (row) => h("button", { class: "link", type: "button", "aria-label": `step through hand ${row.number}`, onclick: async () => { location.assign(await replayAddress(id, token, row)); } }, "replay");
  box.replaceChildren(h("h2", {}, "Session"), h("div", { class: "course" }, winningsPicture(found.winnings)),
    h("details", { open }, h("summary", {}, `Hands played: ${number(found.total)}${found.total > found.hands.length ? `, the last ${number(found.hands.length)}` : ""}`),
      h("ol", { class: "played" }, [...found.hands].reverse().map((row) => h("li", { "data-hand": String(row.number) }, h("span", { class: "row" }, h("span", { class: "soft num" }, `#${row.number}`), cards(row.cards), row.board.length ? cards(row.board) : ""), h("span", { class: "row" }, h("b", { class: "num" }, signed(row.won)), replay(row)))))),
    h("div", { class: "row", style: "margin-top:.5rem" }, found.hands.some((row) => row.phh) ? file("phhs", "Save session (PHHS)") : null, file("csv", "Save results (CSV)")));
}

// What each own decision of a finished hand cost: a bar each, or that it is not known.
export function decisionBars(look, text) {
  const own = look.events.map((event, place) => [event, place]).filter(([event]) => event.what === "acted" && event.seat === look.seat);
  if (!own.length) return null;
  const costs = own.map(([, place]) => look.ev_loss?.[place]);
  const most = Math.max(1e-9, ...costs.map((cost) => cost ?? 0));
  const known = costs.filter((cost) => cost !== undefined).length;
  const rows = own.map(([event], place) => {
    const cost = costs[place];
    const said = cost === undefined ? "not known" : cost > 1e-9 ? `−${number(cost, 3)}` : "no loss";
    return h("tr", {}, h("th", { scope: "row" }, text(event)), h("td", {}, cost === undefined ? null : h("div", { class: "cost", "aria-hidden": "true" }, h("i", { style: `width:${cost > 1e-9 ? Math.max(2, (100 * cost) / most) : 0}%` }))), h("td", { class: "n" }, said));
  });
  const exact = look.big_blind === null ? "Exact, against this opponent." : "In hold'em the cost is known where a call ends the betting, against any two cards; for other decisions no method tells.";
  return h("div", { class: "costs" }, h("h3", {}, "What your decisions cost"), h("table", { class: "small" }, h("thead", { class: "hidden" }, h("tr", {}, ["decision", "bar", "chips"].map((title) => h("th", { scope: "col" }, title)))), h("tbody", {}, rows)), h("p", { class: "small soft" }, known || look.big_blind !== null ? exact : "Against a person it is not known."));
}
