// The first page: open a table, or return to one.
import { ask, h, number, remember, remembered, sparkline, stateChip } from "./dom.js";
import { go } from "./main.js";
import { chooser } from "./choose.js";
import { runName } from "./runs.js";

const QUICK = [
  ["Kuhn poker", "Three cards, one bet. Your opponent plays an equilibrium; the EV loss of every mistake is exact.", "kuhn", ["person", "equilibrium"]],
  ["Leduc hold'em", "Six cards, two rounds, one common card, against an equilibrium.", "leduc", ["person", "equilibrium"]],
  ["No-limit, heads-up", "Against Chen's V1, which simulates its odds and explains its actions.", "holdem-nl", ["person", "v1"]],
  ["No-limit, six seats", "A matrix player, a chart player, Loki, a caller and a random player.", "holdem-nl", ["person", "matrix", "standard", "loki", "call", "random"]],
];

export async function openTable(game, players, more = {}) {
  const opened = await ask("/api/tables", { game, players, open_cards: true, ...more });
  const tables = remembered("tables", {});
  tables[opened.id] = opened.token;
  remember("tables", tables);
  go(`/table/${opened.id}`);
}

export async function show(room) {
  const [{ games }, { players, champions }, { tables }, { runs }] = await Promise.all(["games", "players", "tables", "runs?count=6"].map((name) => ask(`/api/${name}`)));
  const wrong = h("p", { class: "warn", role: "alert" });
  const start = (...words) => openTable(...words).catch((error) => { wrong.textContent = error.message; });
  const mine = tables.filter((one) => one.id in remembered("tables", {}) && one.hands).slice(0, 8);

  room.append(
    h("h1", {}, "Play"),
    h("div", { class: "tiles sheet", role: "group", "aria-label": "Quick tables" }, QUICK.map(([title, about, game, seats]) =>
      h("button", { type: "button", class: "tile", onclick: () => start(game, seats) }, h("b", {}, title), h("span", { class: "soft small" }, about)))),
    wrong,
    h("div", { class: "beside even" },
      h("section", { class: "sheet" }, h("h2", {}, "New table"), tableForm(games, players, champions, start)),
      h("div", {},
        h("section", { class: "sheet" }, h("h2", {}, "Your tables"), mine.length
          ? h("table", {}, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "game"), h("th", { scope: "col" }, "against"), h("th", { scope: "col", class: "n" }, "hands"))),
            h("tbody", {}, mine.map((one) => h("tr", {}, h("td", {}, h("a", { href: `/table/${one.id}` }, one.game)), h("td", {}, one.players.filter((name) => name !== "person").join(", ")), h("td", { class: "n" }, number(one.hands))))))
          : h("p", { class: "soft" }, "Your tables are listed here, also after a restart.")),
        h("section", { class: "sheet" }, h("h2", {}, "Runs"), runs.length
          ? h("table", {}, h("thead", { class: "hidden" }, h("tr", {}, ["run", "state", "curve"].map((title) => h("th", { scope: "col" }, title)))), h("tbody", {}, runs.map((run) => h("tr", {}, h("td", {}, h("a", { href: `/runs/${run.name}` }, runName(run))), h("td", {}, stateChip(run)), h("td", {}, sparkline(run.curve, `curve of ${run.primary_metric}`))))))
          : h("p", { class: "soft" }, "There are no runs yet."),
          h("p", {}, h("a", { class: "button", href: "/runs/new/kuhn-coevolution" }, "Watch two populations find an equilibrium"))),
        h("p", { class: "small soft" }, "All data is also available from ", h("a", { href: "/api/docs" }, "the API"), ". Drop a PHH file anywhere to step through it.")))); // eslint-disable-line
}

function tableForm(games, players, champions, start) {
  const game = h("select", { id: "game" }, games.map((one) => h("option", { value: one.name }, `${one.name}`)));
  const about = h("p", { class: "small soft" });
  const seats = h("div", { class: "fields" });
  const open = h("input", { type: "checkbox", id: "open", checked: true });
  const seed = h("input", { type: "number", id: "seed", min: "0", placeholder: "random" });
  const chosen = () => games.find((one) => one.name === game.value);
  const add = h("button", { type: "button", onclick: () => { seats.append(seat()); draw(); } }, "Add a seat");
  const take = h("button", { type: "button", onclick: () => { seats.lastChild.remove(); draw(); } }, "Remove a seat");
  let made = 0;
  function seat() {
    const id = `seat-${++made}`;
    return h("label", { class: "field", for: id }, h("span", {}, "opponent"), chooser(id, chosen(), players, champions));
  }
  function draw() {
    add.disabled = seats.children.length >= chosen().seats[1] - 1;
    take.disabled = seats.children.length <= chosen().seats[0] - 1;
  }
  function begin() { about.textContent = chosen().title; seats.replaceChildren(seat()); draw(); }
  game.addEventListener("change", begin);
  begin();
  return h("form", { onsubmit: (event) => {
    event.preventDefault();
    const others = [...seats.querySelectorAll("select")].map((one) => one.value);
    start(game.value, ["person", ...others], { open_cards: open.checked, ...(seed.value ? { seed: Number(seed.value) } : {}) });
  } },
    h("label", { class: "field", for: "game" }, h("span", {}, "game"), game), about, seats,
    h("div", { class: "row", style: "margin:.6rem 0" }, add, take),
    h("label", { class: "field", for: "seed", style: "max-width:12rem" }, h("span", {}, "seed of the cards"), seed),
    h("p", { style: "margin-top:.6rem" }, h("label", { for: "open" }, open, "show all cards after each hand")),
    h("button", { class: "main" }, "Sit down"));
}
