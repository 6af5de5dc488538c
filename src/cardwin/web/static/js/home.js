// The first page: open a table, or return to one.
import { ask, h, number, remember, remembered, sparkline, stateChip } from "./dom.js";
import { go } from "./main.js";
import { tableForm } from "./seats.js";
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
