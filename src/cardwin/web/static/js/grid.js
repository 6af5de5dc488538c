// The 13 x 13 grid for a chosen betting line, and the explanation for one hand.
import { ask, h, number, percent } from "./dom.js";
import { cellGrid, difference, differenceGrid, differenceParts, meanDifference, methodText, numbersTable, partsOf, saveCsv, savePng } from "./cells.js";
import { eventText, explanationBox } from "./board.js";
import { cards, cardName, cardText } from "./cards.js";

const RANKS = "AKQJT98765432";

const FIRST_SAMPLES = 32, MOST_SAMPLES = 512;

export async function showGrid(main, side, game, spec, asked, everybody) {
  let found = null, second = null;
  let other = asked.get("with") || "", samples = Math.min(MOST_SAMPLES, Math.max(1, Number(asked.get("samples")) || FIRST_SAMPLES));
  const nameOf = (one) => everybody.find((each) => each.spec === one)?.name || one;
  let line = (asked.get("line") || "").split(",").filter(Boolean), board = (asked.get("board") || "").match(/../g) || [];
  let seats = Math.min(10, Math.max(2, Number(asked.get("seats")) || 2)), picked = asked.get("hand");
  // The spot is in the address, so that it opens again.
  function address() {
    const query = new URLSearchParams(location.search);
    const spot = { seats: seats === 2 ? "" : String(seats), line: line.join(","), board: board.join(""), hand: picked || "", with: other, samples: samples === FIRST_SAMPLES ? "" : String(samples) };
    for (const [key, value] of Object.entries(spot)) value ? query.set(key, value) : query.delete(key);
    history.replaceState(null, "", `/players?${query}`);
  }
  const grids = h("div", { class: "grids" });
  const path = h("div", { class: "row" });
  const picker = h("div", { class: "pick", role: "group", "aria-label": "cards of the board" });
  const boardBox = h("div", {});
  const told = h("p", { class: "num" });
  const wrong = h("p", { class: "warn", role: "alert" });
  const numbers = h("details", {}, h("summary", {}, "Numbers"));
  const explained = h("section", { class: "sheet" }, h("h2", {}, "One hand"), h("p", { class: "soft" }, "Choose a cell to see the action and its explanation."));
  const count = h("select", { id: "seats", onchange: () => { seats = Number(count.value); line = []; board = []; draw(); } }, Array.from({ length: 9 }, (_, place) => h("option", { value: String(place + 2), selected: place + 2 === seats }, String(place + 2))));
  const beside = h("select", { id: "with", onchange: () => { other = beside.value; draw(); } }, h("option", { value: "" }, "nobody"), everybody.map((one) => h("option", { value: one.spec, selected: one.spec === other }, one.name)));
  const more = h("button", { type: "button", onclick: () => { samples = Math.min(samples * 4, MOST_SAMPLES); draw(); } }, "More samples");
  const save = h("div", { class: "row" }, h("button", { type: "button", onclick: () => saveCsv(shown(), fileName()) }, "Save CSV"), h("button", { type: "button", onclick: () => savePng(panels(), caption(), fileName()) }, "Save PNG"), more);
  main.replaceChildren(h("h2", {}, "What it does with every hand"), h("div", { class: "row" }, h("label", { for: "seats" }, "seats", count), h("label", { for: "with" }, "beside", beside), told), path, boardBox, wrong, grids,
    h("div", { class: "legend", style: "margin:.5rem 0" }, [["fold", "fold"], ["call", "check, call"], ["raise", "bet, raise"]].map(([name, title]) => h("span", {}, h("i", { style: `background:var(--${name})` }), title)), h("span", { class: "soft" }, "height: probability that the hand reaches this point")), save, numbers);
  side.replaceChildren(explained);

  async function draw() {
    wrong.textContent = "";
    address();
    grids.setAttribute("aria-busy", "true");
    const asking = (one) => ask(`/api/look/grid?${new URLSearchParams({ game, spec: one, seats: String(seats), line: line.join(","), board: board.join(""), samples: String(samples) })}`);
    try { [found, second] = await Promise.all([asking(spec), other ? asking(other) : null]); } catch (error) { wrong.textContent = error.message; grids.removeAttribute("aria-busy"); return; }
    const names = Array.from({ length: seats }, (_, seat) => `seat ${seat + 1}`);
    told.textContent = found.over ? "The hand is over." : `${found.street}, ${names[found.turn]} to act, pot ${number(found.pot)}${found.to_call ? `, ${number(found.to_call)} to call` : ""}`;
    const acted = found.events.filter((event) => event.what === "acted");
    path.replaceChildren(h("button", { type: "button", onclick: () => { line = []; board = []; draw(); } }, "from the start"), ...acted.map((event, place) => h("button", { type: "button", title: "go back to before this action", onclick: () => { line = line.slice(0, place); draw(); } }, eventText(event, names))),
      ...found.actions.flatMap((action) => sizes(action)).map(([text, move]) => h("button", { type: "button", class: "main", onclick: () => { line = [...line, move]; draw(); } }, `+ ${text}`)));
    drawBoard();
    drawCells();
    grids.removeAttribute("aria-busy");
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

  // What is shown: one player, or two with their difference.
  const shown = () => [{ name: spec, found }, ...(second ? [{ name: other, found: second }] : [])];
  const apart = () => difference(found.cells, second.cells);
  const panels = () => [...shown().map((one) => ({ title: nameOf(one.name), cells: one.found.cells, parts: partsOf })), ...(second ? [{ title: "difference", cells: apart(), parts: differenceParts }] : [])];
  const fileName = () => `range-${[spec, other].filter(Boolean).join("-").replace(/[^\w-]+/g, "-")}`;
  const caption = () => `${game}, ${seats} seats, ${line.join(", ") || "first to act"}${board.length ? `, board ${board.join(" ")}` : ""}; ${shown().map((one) => `${one.name}: ${methodText(one.found)}`).join("; ")}`;

  function drawCells() {
    numbers.hidden = save.hidden = !found.cells;
    if (!found.cells) { grids.replaceChildren(); return; }
    more.hidden = samples >= MOST_SAMPLES || shown().every((one) => one.found.exact || one.found.samples < samples);
    const panel = (title, about, cells) => h("section", {}, h("h3", {}, title), h("p", { class: "small soft method" }, about), cells);
    const boxes = shown().map((one) => panel(nameOf(one.name), methodText(one.found), cellGrid(one.found.cells, picked, explain, `169 starting hands of ${one.name}`)));
    if (second) {
      const cells = apart();
      boxes.push(panel("Difference", `they act differently ${percent(meanDifference(cells), 1)} of the time over all combos; colour: what ${nameOf(spec)} does more`, differenceGrid(cells, [nameOf(spec), nameOf(other)], picked, explain)));
    }
    grids.className = `grids${second ? " several" : ""}`;
    grids.replaceChildren(...boxes);
    numbers.replaceChildren(h("summary", {}, "Numbers"), numbersTable(shown()));
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
