// The 13 x 13 grid for a chosen betting line, and the explanation for one hand.
import { ask, h, number, percent } from "./dom.js";
import { eventText, explanationBox } from "./board.js";
import { cards, cardName, cardText } from "./cards.js";

const RANKS = "AKQJT98765432";

export async function showGrid(main, side, game, spec, asked) {
  let found = null;
  let line = (asked.get("line") || "").split(",").filter(Boolean), board = (asked.get("board") || "").match(/../g) || [];
  let seats = Math.min(10, Math.max(2, Number(asked.get("seats")) || 2)), picked = asked.get("hand");
  // The spot is in the address, so that it opens again.
  function address() {
    const query = new URLSearchParams(location.search);
    const spot = { seats: seats === 2 ? "" : String(seats), line: line.join(","), board: board.join(""), hand: picked || "" };
    for (const [key, value] of Object.entries(spot)) value ? query.set(key, value) : query.delete(key);
    history.replaceState(null, "", `/players?${query}`);
  }
  const grid = h("div", { class: "grid13", role: "group", "aria-label": "169 starting hands" });
  const path = h("div", { class: "row" });
  const picker = h("div", { class: "pick", role: "group", "aria-label": "cards of the board" });
  const boardBox = h("div", {});
  const told = h("p", { class: "num" });
  const wrong = h("p", { class: "warn", role: "alert" });
  const numbers = h("details", {}, h("summary", {}, "Numbers"));
  const explained = h("section", { class: "sheet" }, h("h2", {}, "One hand"), h("p", { class: "soft" }, "Choose a cell to see the action and its explanation."));
  const count = h("select", { id: "seats", onchange: () => { seats = Number(count.value); line = []; board = []; draw(); } }, Array.from({ length: 9 }, (_, place) => h("option", { value: String(place + 2), selected: place + 2 === seats }, String(place + 2))));
  main.replaceChildren(h("h2", {}, "What it does with every hand"), h("div", { class: "row" }, h("label", { for: "seats" }, "seats", count), told), path, boardBox, wrong, grid,
    h("div", { class: "legend", style: "margin-top:.5rem" }, [["fold", "fold"], ["call", "check, call"], ["raise", "bet, raise"]].map(([name, title]) => h("span", {}, h("i", { style: `background:var(--${name})` }), title)), h("span", { class: "soft" }, "height: probability that the hand reaches this point")), numbers);
  side.replaceChildren(explained);

  async function draw() {
    wrong.textContent = "";
    address();
    const query = new URLSearchParams({ game, spec, seats: String(seats), line: line.join(","), board: board.join("") });
    grid.setAttribute("aria-busy", "true");
    try { found = await ask(`/api/look/grid?${query}`); } catch (error) { wrong.textContent = error.message; return; }
    const names = Array.from({ length: seats }, (_, seat) => `seat ${seat + 1}`);
    told.textContent = found.over ? "The hand is over." : `${found.street}, ${names[found.turn]} to act, pot ${number(found.pot)}${found.to_call ? `, ${number(found.to_call)} to call` : ""}`;
    const acted = found.events.filter((event) => event.what === "acted");
    path.replaceChildren(h("button", { type: "button", onclick: () => { line = []; board = []; draw(); } }, "from the start"), ...acted.map((event, place) => h("button", { type: "button", title: "go back to before this action", onclick: () => { line = line.slice(0, place); draw(); } }, eventText(event, names))),
      ...found.actions.flatMap((action) => sizes(action)).map(([text, move]) => h("button", { type: "button", class: "main", onclick: () => { line = [...line, move]; draw(); } }, `+ ${text}`)));
    drawBoard();
    drawCells();
    grid.removeAttribute("aria-busy");
  }

  function sizes(action) {
    if (!("most" in action)) return [[action.name === "call" ? `call ${number(action.amount)}` : action.name, action.name]];
    const steps = [action.amount, Math.min(action.most, Math.max(action.amount, Math.round(found.pot + found.to_call))), action.most];
    return [...new Set(steps)].map((amount) => [`${action.name} ${number(amount)}`, `${action.name} ${amount}`]);
  }

  function drawBoard() {
    const needed = found.missing ? board.length + found.missing : found.board.length / 2;
    if (!needed || found.over) { boardBox.replaceChildren(); return; }
    picker.replaceChildren(..."shdc".split("").flatMap((suit) => RANKS.split("").map((rank) => {
      const name = rank + suit;
      const on = board.includes(name);
      return h("button", { type: "button", class: `c-${suit}`, style: `color:${on ? "" : `var(--${{ s: "spade", h: "heart", d: "diamond", c: "club" }[suit]})`}`, "aria-pressed": String(on), "aria-label": cardName(name), onclick: () => { board = on ? board.filter((one) => one !== name) : [...board, name]; if ([0, 3, 4, 5].includes(board.length)) draw(); else drawBoard(); } }, cardText(name));
    })));
    boardBox.replaceChildren(h("div", { class: "row", style: "margin:.4rem 0" }, "board", cards(board), found.missing ? h("span", { class: "soft" }, `pick ${Math.max(1, needed - board.length)} more`) : ""), h("details", { open: Boolean(found.missing) }, h("summary", {}, "Pick its cards"), picker));
  }

  function drawCells() {
    if (!found.cells) { grid.replaceChildren(); numbers.hidden = true; return; }
    numbers.hidden = false;
    grid.replaceChildren(...found.cells.map((cell) => {
      const plays = cell.plays || [0, 0, 0];
      const said = cell.plays ? `${cell.hand}: fold ${percent(plays[0])}, call ${percent(plays[1])}, raise ${percent(plays[2])}, reach ${percent(cell.reach)}` : `${cell.hand}: never reached`;
      return h("button", { type: "button", "aria-label": said, title: said, "aria-pressed": String(picked === cell.hand), onclick: () => explain(cell) }, h("span", { class: "fill", style: `height:${100 * (cell.reach || 0)}%` }, ["fold", "call", "raise"].map((name, place) => h("i", { class: name, style: `width:${100 * plays[place]}%` }))), h("span", { class: "name" }, cell.hand));
    }));
    numbers.replaceChildren(h("summary", {}, "Numbers"), h("div", { class: "scroll", style: "max-height:20rem;overflow:auto" }, h("table", {}, h("thead", {}, h("tr", {}, ["hand", "fold", "check, call", "bet, raise", "reach"].map((title, place) => h("th", { scope: "col", class: place ? "n" : null }, title)))), h("tbody", {}, found.cells.map((cell) => h("tr", {}, h("td", {}, cell.hand), (cell.plays || [null, null, null]).map((share) => h("td", { class: "n" }, percent(share))), h("td", { class: "n" }, percent(cell.reach))))))));
  }

  async function explain(cell) {
    picked = cell.hand;
    address();
    drawCells();
    const taken = (name) => board.includes(name);
    const [one, two, kind] = cell.hand;
    const pairs = "shdc".split("").flatMap((a) => "shdc".split("").map((b) => [one + a, two + b])).filter(([a, b]) => a !== b && !taken(a) && !taken(b) && (kind === "s" ? a[1] === b[1] : a[1] !== b[1]));
    if (!pairs.length) return;
    const query = new URLSearchParams({ game, spec, seats: String(seats), line: line.join(","), board: board.join(""), hand: pairs[0].join("") });
    try {
      const { explained: why } = await ask(`/api/look/grid?${query}`);
      explained.replaceChildren(h("h2", {}, "One hand"), h("p", {}, cards(pairs[0]), " ", h("b", {}, why.action)), explanationBox(why.explanation));
    } catch (error) { explained.replaceChildren(h("h2", {}, "One hand"), h("p", { class: "warn" }, error.message)); }
  }
  await draw();
  const named = found?.cells?.find((cell) => cell.hand === picked);
  if (named) await explain(named);
}
