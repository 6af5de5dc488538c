// Recorded hands, step by step: the board, the events, the streets, the odds. Used by the page and by files of HTML.
import { h, number, percent } from "./dom.js";
import { drawBoard, eventText, positions } from "./board.js";

const STREETS = { 0: "Preflop", 3: "Flop", 4: "Turn", 5: "River" };

// Draws the hands into `stage`, from hand `first` and step `at` on; `onstep` is told every step and hand, `tools` are
// further buttons.
export function stepper(stage, hands, { at = 0, first = 0, onstep = () => {}, tools = [] } = {}) {
  let hand = hands[first], shown = first, place = 0, all = [];
  const streets = h("div", { class: "row streets", role: "group", "aria-label": "Streets" });
  const board = h("div", {});
  const log = h("ol", { class: "log" });
  const slider = h("input", { type: "range", min: "1", "aria-label": "step of the hand", oninput: () => move(Number(slider.value)) });
  const which = h("select", { id: "which", onchange: () => choose(Number(which.value)) }, hands.map((one, number_) => h("option", { value: String(number_) }, one.name ? `hand ${one.name}` : `hand ${number_ + 1}`)));
  function choose(number_) { hand = hands[number_]; shown = number_; which.value = String(number_); all = positions(hand.events, hand.players.length); slider.max = String(hand.events.length); const begins = hand.events.findIndex((event) => event.what === "acted"); drawStreets(); move(Math.max(begins, 0)); }
  // The step before each street's first action, as buttons.
  function drawStreets() {
    const starts = [[0, Math.max(0, hand.events.findIndex((event) => event.what === "acted"))]];
    let dealt = 0;
    hand.events.forEach((event, step) => { if (event.what === "board") { dealt += event.cards.length; starts.push([dealt, step + 1]); } });
    const named = (count, number_) => (hand.events[0]?.big_blind === null ? (number_ ? "Second round" : "First round") : STREETS[count] || `Board of ${count}`);
    streets.replaceChildren(...(starts.length > 1 ? starts.map(([count, step], number_) => h("button", { type: "button", "data-step": String(step), onclick: () => move(step) }, named(count, number_))) : []));
  }
  function move(to) {
    place = Math.min(Math.max(to, 1), hand.events.length);
    slider.value = String(place);
    onstep(place, shown);
    const now = [...streets.children].filter((one) => Number(one.dataset.step) <= place).at(-1);
    for (const one of streets.children) one.setAttribute("aria-pressed", String(one === now));
    const odds = place ? hand.odds?.[place - 1] ?? null : null;
    const small = hand.events[0]?.big_blind === null;
    const names = hand.players.map((name) => (name === "person" ? "you" : name));
    board.replaceChildren(drawBoard(all[place], { names, cards: hand.cards, you: hand.you ?? Math.max(0, hand.players.indexOf("person")), odds, boardSize: small ? (hand.events.some((event) => event.what === "board") ? 1 : 0) : 5, size: small ? 1 : 2 }));
    log.replaceChildren(...hand.events.map((event, number_) => [event, number_]).filter(([event]) => eventText(event, names)).map(([event, number_]) => h("li", { class: event.what === "board" ? "street" : null, "aria-current": number_ === place - 1 ? "step" : null },
      h("button", { class: "link", type: "button", style: "text-decoration:none;color:inherit;text-align:left", onclick: () => move(number_ + 1) }, eventText(event, names)))));
    const line = log.querySelector("[aria-current]");
    if (line) log.scrollTop = line.offsetTop - log.offsetTop - log.clientHeight / 2;
    numbers.replaceChildren(...names.map((name, seat) => h("tr", {}, h("th", { scope: "row" }, name), h("td", { class: "n" }, number(all[place].stacks?.[seat])), h("td", { class: "n" }, odds && typeof odds[seat] === "number" ? percent(odds[seat], 1) : "–"))));
  }
  const numbers = h("tbody", {});
  stage.replaceChildren(h("div", { class: "beside" },
    h("section", { "aria-label": "The hand" }, board, h("div", { class: "row" }, h("button", { type: "button", onclick: () => move(0), "aria-label": "go to the start" }, "|◀"), h("button", { type: "button", onclick: () => move(place - 1), "aria-label": "previous step" }, "◀"), h("button", { type: "button", class: "main", onclick: () => move(place + 1), "aria-label": "next step" }, "▶"), h("button", { type: "button", onclick: () => move(hand.events.length), "aria-label": "go to the end" }, "▶|"), hands.length > 1 ? h("label", { for: "which" }, "of ", which) : null, h("span", { class: "small soft wide-only" }, h("kbd", {}, "←"), " ", h("kbd", {}, "→"), " step"), ...tools), streets, slider),
    h("aside", {}, h("section", { class: "sheet" }, h("h2", {}, "Events"), log), h("section", { class: "sheet" }, h("h2", {}, "Numbers"), h("table", {}, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "seat"), h("th", { scope: "col", class: "n" }, "stack"), h("th", { scope: "col", class: "n" }, "wins"))), numbers)))));
  stage.step = (event) => {
    const steps = { ArrowRight: 1, ArrowLeft: -1, Home: -1e9, End: 1e9 };
    if (event.key in steps) { move(place + steps[event.key]); event.preventDefault(); }
  };
  stage.dataset.ready = "true";
  choose(first);
  if (at) move(at);
}
