// A hand from its events: the position after each event, drawn as a table and as a list.
import { h, number } from "./dom.js";
import { cards, cardText } from "./cards.js";

export const VERBS = { fold: "folds", check: "checks", call: "calls", bet: "bets", raise: "raises to" };
const STREETS = ["preflop", "flop", "turn", "river"];

// The position after each event; the first entry is the position before any event.
export function positions(events, seats) {
  let now = { stacks: null, bets: Array(seats).fill(0), pot: 0, board: [], out: Array(seats).fill(false), did: Array(seats).fill(""), won: Array(seats).fill(0), shown: {}, button: null, over: false };
  const all = [now];
  for (const event of events) {
    now = { ...now, bets: [...now.bets], out: [...now.out], did: [...now.did], won: [...now.won], shown: { ...now.shown }, stacks: now.stacks && [...now.stacks] };
    const move = (seat, chips) => { if (now.stacks) now.stacks[seat] -= chips; now.pot += chips; };
    if (event.what === "hand") {
      now.stacks = event.stacks && [...event.stacks];
      now.button = event.button;
      now.out = now.stacks ? now.stacks.map((stack) => stack === 0) : now.out;
    } else if (event.what === "posted") {
      move(event.seat, event.chips);
      if (event.kind !== "ante") now.bets[event.seat] += event.chips;
      now.did[event.seat] = `${event.kind} ${number(event.chips)}`;
    } else if (event.what === "acted") {
      move(event.seat, event.chips);
      now.bets[event.seat] += event.chips;
      now.out[event.seat] = event.action === "fold";
      now.did[event.seat] = actionText(event);
    } else if (event.what === "board") {
      now.board = [...now.board, ...event.cards];
      now.bets = now.bets.map(() => 0);
      now.did = now.did.map((text, seat) => (now.out[seat] ? text : ""));
    } else if (event.what === "returned") {
      move(event.seat, -event.chips);
      now.bets[event.seat] = Math.max(0, now.bets[event.seat] - event.chips);
    } else if (event.what === "shown") {
      now.shown[event.seat] = event.cards;
    } else if (event.what === "won") {
      move(event.seat, -event.chips);
      now.bets = now.bets.map(() => 0);
      now.won[event.seat] += event.chips;
      now.did[event.seat] = `won ${number(now.won[event.seat])}`;
    } else if (event.what === "ended") now.over = true;
    all.push(now);
  }
  return all;
}

export function actionText(event) {
  const chips = event.action === "call" ? event.chips : event.amount;
  return `${VERBS[event.action] || event.action}${chips || event.action === "bet" ? ` ${number(chips)}` : ""}`;
}

const plain = (verb) => verb.replace(/^(\w+?)s\b/, "$1");

// Robots are named after what they do: "Call calls 100" reads better than "call calls 100".
const title = (name) => (/^[a-z][a-z-]*\d*$/.test(name) && name !== "you" ? name[0].toUpperCase() + name.slice(1) : name);

export function eventText(event, names) {
  const who = title(names[event.seat] ?? "");
  const you = who === "you";
  const says = (verb) => (you ? plain(verb) : verb);
  switch (event.what) {
    case "posted": return `${who}: ${event.kind} ${number(event.chips)}`;
    case "acted": return `${who} ${says(actionText(event))}`;
    case "board": return `${event.street ? STREETS[event.cards.length === 2 ? 3 : event.street] || "board" : "board"}: ${event.cards.map(cardText).join(" ")}`;
    case "returned": return `${number(event.chips)} that nobody called go back to ${who}`;
    case "shown": return `${who} ${says("shows")} ${event.cards.map(cardText).join(" ")}`;
    case "won": return `${who} ${says("collects")} ${number(event.chips)} from ${event.pot ? `side pot ${event.pot}` : "the pot"}`;
    default: return "";
  }
}

// The table seen from above: `you` is at the bottom, the other seats follow clockwise.
export function drawBoard(at, { names, cards: known, you = 0, turn = null, odds = null, boardSize = 5, size = 2 }) {
  const seats = names.length;
  const places = names.map((_, seat) => ((seat - you + seats) % seats) / seats);
  const spots = places.map((turned) => {
    const angle = Math.PI / 2 + turned * 2 * Math.PI;
    return [50 + 44 * Math.cos(angle), 50 + 48 * Math.sin(angle)];
  });
  const children = [];
  names.forEach((name, seat) => {
    const [x, y] = spots[seat];
    const hand = known[seat] || at.shown[seat] || (at.out[seat] && !at.over ? null : Array(size).fill(null));
    const folded = at.out[seat] && !at.won[seat];
    const label = `${name}${at.stacks ? `, stack ${at.stacks[seat]}` : ""}${folded ? ", folded" : ""}${turn === seat ? ", to act" : ""}`;
    children.push(h("div", { class: `seat${seat === you && known[seat] ? " you" : ""}${turn === seat ? " turn" : ""}${folded ? " out" : ""}`, style: `left:${x}%;top:${y}%`, role: "group", "aria-label": label },
      at.button === seat ? h("span", { class: "dealer", title: "the dealer's button" }, "D") : null,
      hand ? cards(hand) : h("span", { class: "small soft" }, "folded"),
      h("b", { title: name }, name === "person" ? "you" : name.replace(/^champion:/, "")),
      at.stacks ? h("span", { class: "num" }, number(at.stacks[seat])) : null,
      odds?.[seat] !== undefined && odds?.[seat] !== null ? h("span", { class: "chip" }, `wins ${(100 * odds[seat]).toFixed(1)}%`) : null,
      h("div", { class: `did${at.won[seat] ? " won" : ""}` }, at.did[seat] || "\u00a0")));
    if (at.bets[seat] > 0) {
      const [bx, by] = [50 + (x - 50) * 0.6, 50 + (y - 50) * 0.52];
      children.push(h("span", { class: "bet", style: `left:${bx}%;top:${by}%` }, h("span", { class: "hidden" }, `${name} has bet `), number(at.bets[seat])));
    }
  });
  const slots = Math.max(0, boardSize - at.board.length);
  return h("div", { class: `felt${seats > 6 ? " many" : ""}${at.stacks ? "" : " little"}` },
    h("div", { class: "middle" },
      boardSize ? h("span", { class: "cards" }, cards(at.board), Array.from({ length: slots }, () => h("span", { class: "card slot", "aria-hidden": "true" }))) : null,
      h("span", { class: "pot" }, at.over ? "\u00a0" : `pot ${number(at.pot)}`)),
    children);
}

// Any value in one line: lists with commas, mappings by name.
function flat(value) {
  if (Array.isArray(value)) return value.map((one) => (Array.isArray(one) ? one.map(flat).join(" ") : flat(one))).join(", ");
  if (value && typeof value === "object") return Object.entries(value).map(([key, one]) => `${key} ${flat(one)}`).join("; ");
  return typeof value === "number" ? number(value, 4) : String(value ?? "–");
}

// A player's explanation: single values as a list, lists and mappings below.
export function explanationBox(thoughts) {
  const single = Object.entries(thoughts).filter(([, one]) => typeof one !== "object");
  const large = Object.entries(thoughts).filter(([, one]) => typeof one === "object" && one !== null);
  if (!single.length && !large.length) return h("p", { class: "soft" }, "This player gives no explanation.");
  const shown = (one) => (typeof one === "number" ? number(one, 4) : String(one));
  const list = (entries) => h("dl", {}, entries.map(([name, one]) => [h("dt", {}, name.replaceAll("_", " ")), h("dd", {}, shown(one))]));
  return h("div", { class: "explanation" },
    single.length ? list(single) : null,
    large.map(([name, one]) => {
      const entries = Object.entries(one).map(([key, value]) => [key, flat(value)]);
      return h("details", { open: entries.length <= 8 }, h("summary", {}, `${name.replaceAll("_", " ")} (${entries.length})`), list(entries));
    }));
}
