// Recorded hands: from a file, a text or a table, shown step by step with the odds.
import { ask, h, number, percent } from "./dom.js";
import { drawBoard, eventText, positions } from "./board.js";

const EXAMPLE = `variant = "NT"
antes = [0, 0, 0]
blinds_or_straddles = [50, 100, 0]
min_bet = 100
starting_stacks = [10000, 10000, 10000]
actions = ["d dh p1 9h9s", "d dh p2 AdKd", "d dh p3 7c2d", "p3 f", "p1 cbr 300", "p2 cbr 1000", "p1 cc", "d db 9d4dKc", "p1 cc", "p2 cbr 1200", "p1 cc", "d db 2s", "p1 cc", "p2 cbr 7800", "p1 cc", "d db Qd", "p1 sm 9h9s", "p2 sm AdKd"]
`;

export async function show(room) {
  const stage = h("div", {});
  const wrong = h("p", { class: "warn", role: "alert" });
  const paste = h("textarea", { id: "phh", rows: "5", style: "width:100%;font:13px ui-monospace,monospace;background:var(--sheet);color:inherit;border:1px solid var(--line);border-radius:7px", spellcheck: "false" });
  const file = h("input", { type: "file", id: "file", accept: ".phh,.phhs,text/plain", onchange: async () => file.files[0] && read(await file.files[0].text()) });
  const drop = h("div", { class: "drop" }, h("p", {}, "Drop a PHH or PHHS file here, choose one, or paste it."), h("label", { for: "file" }, "a file ", file));
  for (const [name, over] of [["dragover", true], ["dragleave", false], ["drop", false]]) drop.addEventListener(name, () => drop.classList.toggle("over", over));
  const keys = (event) => stage.dataset.ready && !event.target.closest?.("input, textarea, select") && stage.step?.(event);
  room.append(h("h1", {}, "Hands"), stage,
    h("details", { class: "sheet", open: true }, h("summary", {}, "Another hand"), drop, h("label", { class: "field", for: "phh", style: "margin:.8rem 0" }, h("span", {}, "or its text"), paste),
      h("div", { class: "row" }, h("button", { type: "button", class: "main", onclick: () => read(paste.value) }, "Step through it"), h("button", { type: "button", onclick: () => { paste.value = EXAMPLE; read(EXAMPLE); } }, "Show an example"))), wrong);
  const pages = h("nav", { class: "row", "aria-label": "Hands of this file" });
  stage.before(pages);
  async function read(text, first = 0) {
    wrong.textContent = "";
    try {
      const { hands, failed, total, page } = await ask("/api/hands", { text, first });
      const last = Math.min(first + page, total);
      const turn = (words, to) => h("button", { type: "button", onclick: () => read(text, to) }, words);
      pages.replaceChildren(...(total > page ? [h("span", { class: "num" }, `Hands ${number(first + 1)} to ${number(last)} of ${number(total)}`), first > 0 ? turn("Earlier hands", Math.max(0, first - page)) : null, last < total ? turn("Later hands", last) : null].filter(Boolean) : []));
      if (failed.length) wrong.textContent = failed.map((one) => `${one.hand ? `hand ${one.hand}, ` : ""}line ${one.line}: ${one.reason}`).join("; ");
      if (hands.length) stepper(stage, hands);
    } catch (error) { wrong.textContent = error.message; }
  }
  addEventListener("keydown", keys);
  const kept = sessionStorage.getItem("hand");
  if (kept) { sessionStorage.removeItem("hand"); paste.value = kept; await read(kept); }
  return () => removeEventListener("keydown", keys);
}

function stepper(stage, hands) {
  let hand = hands[0], place = 0, all = [];
  const board = h("div", {});
  const log = h("ol", { class: "log" });
  const slider = h("input", { type: "range", min: "1", "aria-label": "step of the hand", oninput: () => move(Number(slider.value)) });
  const which = h("select", { id: "which", onchange: () => choose(Number(which.value)) }, hands.map((one, number_) => h("option", { value: String(number_) }, one.name ? `hand ${one.name}` : `hand ${number_ + 1}`)));
  function choose(number_) { hand = hands[number_]; all = positions(hand.events, hand.players.length); slider.max = String(hand.events.length); const first = hand.events.findIndex((event) => event.what === "acted"); move(Math.max(first, 0)); }
  function move(to) {
    place = Math.min(Math.max(to, 1), hand.events.length);
    slider.value = String(place);
    const odds = place ? hand.odds[place - 1] : null;
    board.replaceChildren(drawBoard(all[place], { names: hand.players, cards: hand.cards, you: 0, odds }));
    log.replaceChildren(...hand.events.map((event, number_) => [event, number_]).filter(([event]) => eventText(event, hand.players)).map(([event, number_]) => h("li", { class: event.what === "board" ? "street" : null, "aria-current": number_ === place - 1 ? "step" : null },
      h("button", { class: "link", type: "button", style: "text-decoration:none;color:inherit;text-align:left", onclick: () => move(number_ + 1) }, eventText(event, hand.players)))));
    const line = log.querySelector("[aria-current]");
    if (line) log.scrollTop = line.offsetTop - log.offsetTop - log.clientHeight / 2;
    numbers.replaceChildren(...hand.players.map((name, seat) => h("tr", {}, h("th", { scope: "row" }, name), h("td", { class: "n" }, number(all[place].stacks?.[seat])), h("td", { class: "n" }, odds && odds[seat] !== null ? percent(odds[seat], 1) : "–"))));
  }
  const numbers = h("tbody", {});
  stage.replaceChildren(h("div", { class: "beside" },
    h("section", { "aria-label": "The hand" }, board, h("div", { class: "row" }, h("button", { type: "button", onclick: () => move(0), "aria-label": "go to the start" }, "|◀"), h("button", { type: "button", onclick: () => move(place - 1), "aria-label": "previous step" }, "◀"), h("button", { type: "button", class: "main", onclick: () => move(place + 1), "aria-label": "next step" }, "▶"), h("button", { type: "button", onclick: () => move(hand.events.length), "aria-label": "go to the end" }, "▶|"), hands.length > 1 ? h("label", { for: "which" }, "of ", which) : null, h("span", { class: "small soft wide-only" }, h("kbd", {}, "←"), " ", h("kbd", {}, "→"), " step")), slider),
    h("aside", {}, h("section", { class: "sheet" }, h("h2", {}, "Events"), log), h("section", { class: "sheet" }, h("h2", {}, "Numbers"), h("table", {}, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "seat"), h("th", { scope: "col", class: "n" }, "stack"), h("th", { scope: "col", class: "n" }, "wins"))), numbers)))));
  stage.step = (event) => {
    const steps = { ArrowRight: 1, ArrowLeft: -1, Home: -1e9, End: 1e9 };
    if (event.key in steps) { move(place + steps[event.key]); event.preventDefault(); }
  };
  stage.dataset.ready = "true";
  choose(0);
}
