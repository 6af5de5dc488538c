// The form of a new table: game, chips, opponents with their cards, seed.
import { h } from "./dom.js";
import { chooser } from "./choose.js";
import { surprise } from "./opponents.js";

const FIRST = { small: "equilibrium", large: "standard" }; // who sits down if nobody is chosen

// The game with the chips that everybody brings to each hand.
export function withChips(game, bigBlinds) {
  const stack = Math.round(bigBlinds * game.big_blind);
  return stack === game.stack ? game.name : `${game.name}:stack=${stack}`;
}

export function tableForm(games, players, champions, start) {
  const game = h("select", { id: "game" }, games.map((one) => h("option", { value: one.name }, one.name)));
  const about = h("p", { class: "small soft" });
  const seats = h("div", { class: "seats" });
  const open = h("input", { type: "checkbox", id: "open", checked: true });
  const seed = h("input", { type: "number", id: "seed", min: "0", placeholder: "random" });
  const chips = h("input", { type: "number", id: "chips", min: "2", max: "10000", step: "1", onchange: () => begin(false) });
  const chipsField = h("label", { class: "field", for: "chips", style: "max-width:12rem" }, h("span", {}, "chips each, in big blinds"), chips);
  const wrong = h("p", { class: "warn", role: "alert" });
  const chosen = () => games.find((one) => one.name === game.value);
  const spec = () => (chosen().small || !chips.checkValidity() || !chips.value ? chosen().name : withChips(chosen(), Number(chips.value)));
  const add = h("button", { type: "button", onclick: () => seat().then(draw) }, "Add a seat");
  const take = h("button", { type: "button", onclick: () => { seats.lastChild.remove(); draw(); } }, "Remove a seat");
  let made = 0, filled = 0;
  const taken = () => [...seats.querySelectorAll("select")].map((one) => one.value);
  async function seat(value) {
    const id = `seat-${++made}`, mine = filled;
    const { select, card, all, choose } = await chooser(id, { ...chosen(), name: spec() }, players, champions, value ?? (chosen().small ? FIRST.small : FIRST.large));
    if (mine !== filled) return;
    seats.append(h("div", { class: "opponent-seat" }, h("div", { class: "row" }, h("label", { class: "field", for: id, style: "flex:1 1 12rem" }, h("span", {}, "opponent, easiest first"), select),
      h("button", { type: "button", style: "align-self:end", onclick: () => choose(surprise(all, taken()).spec) }, "Surprise me")), card));
  }
  function draw() {
    add.disabled = seats.children.length >= chosen().seats[1] - 1;
    take.disabled = seats.children.length <= chosen().seats[0] - 1;
  }
  async function begin(afresh = true) {
    filled += 1;
    wrong.textContent = "";
    about.textContent = chosen().title;
    chipsField.hidden = chosen().small;
    if (afresh && !chosen().small) chips.value = String(chosen().stack / chosen().big_blind);
    const before = afresh ? [undefined] : taken();
    seats.replaceChildren();
    const mine = filled;
    try { for (const value of before) await seat(value); } catch (error) { wrong.textContent = error.message; }
    if (mine === filled) draw();
  }
  game.addEventListener("change", () => begin());
  begin();
  return h("form", { onsubmit: (event) => {
    event.preventDefault();
    start(spec(), ["person", ...taken()], { open_cards: open.checked, ...(seed.value ? { seed: Number(seed.value) } : {}) });
  } },
    h("label", { class: "field", for: "game" }, h("span", {}, "game"), game), about, chipsField, seats, wrong,
    h("div", { class: "row", style: "margin:.6rem 0" }, add, take),
    h("label", { class: "field", for: "seed", style: "max-width:12rem" }, h("span", {}, "seed of the cards"), seed),
    h("p", { style: "margin-top:.6rem" }, h("label", { for: "open" }, open, "show all cards after each hand")),
    h("button", { class: "main" }, "Sit down"));
}
