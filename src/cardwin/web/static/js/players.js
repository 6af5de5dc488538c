// A player's behaviour: all information sets of a small game, or a grid for a betting line of hold'em.
import { ask, h, number, percent, signed } from "./dom.js";
import { chooser } from "./choose.js";
import { openTable } from "./home.js";
import { opponentCard, surprise } from "./opponents.js";
import { mix } from "./mix.js";
import { showGrid } from "./grid.js";

const SPOT = ["seats", "line", "board", "hand", "with", "samples"];

export async function show(room) {
  const [{ games }, { players, champions }] = await Promise.all([ask("/api/games"), ask("/api/players")]);
  const asked = new URLSearchParams(location.search);
  const game = h("select", { id: "game" }, games.map((one) => h("option", { value: one.name, selected: one.name === (asked.get("game") || "kuhn") }, one.name)));
  const who = h("div", {}), against = h("div", {}), card = h("div", {}), everybody = h("div", { class: "everybody" });
  const list = h("details", { class: "sheet", open: !asked.get("spec") }, h("summary", {}, "All players, easiest first"), everybody);
  const body = h("div", {});
  const wrong = h("p", { class: "warn", role: "alert" });
  const chosen = () => games.find((one) => one.name === game.value);
  let mine = null;
  async function names() {
    mine = await chooser("who", chosen(), players, champions, asked.get("spec"));
    const other = await chooser("against", chosen(), players, champions, asked.get("against") || (chosen().small ? "equilibrium" : "call"));
    who.replaceChildren(mine.select);
    against.replaceChildren(other.select);
    card.replaceChildren(mine.card);
    everybody.replaceChildren(...mine.all.map((one) => h("button", { type: "button", class: "tile", "data-spec": one.spec, onclick: () => { mine.choose(one.spec); scrollTo(0, 0); } }, opponentCard(one, mine.all))));
    mine.select.addEventListener("change", draw);
    other.select.addEventListener("change", draw);
  }
  async function draw() {
    wrong.textContent = "";
    const query = new URLSearchParams({ game: game.value, spec: who.firstChild.value, against: against.firstChild.value });
    // The spot of a grid stays the same for another player of the same game.
    const before = new URLSearchParams(location.search);
    if (before.get("game") === game.value) for (const key of SPOT) if (before.get(key)) query.set(key, before.get(key));
    history.replaceState(null, "", `/players?${query}`);
    body.replaceChildren(h("p", { class: "soft" }, "loading …"));
    try { await (chosen().small ? policy(body, query) : holdem(body, query, mine.all)); } catch (error) { body.replaceChildren(); wrong.textContent = error.message; }
  }
  game.addEventListener("change", async () => { asked.delete("spec"); asked.delete("against"); try { await names(); await draw(); } catch (error) { wrong.textContent = error.message; } });
  await names();
  room.append(h("h1", {}, "Players"), h("p", { class: "small" }, h("a", { href: "/atlas" }, "Atlas of styles"), ": networks by VPIP, PFR and aggression"), h("div", { class: "sheet row", style: "align-items:end" }, h("label", { class: "field", for: "game" }, h("span", {}, "game"), game), h("label", { class: "field", for: "who", style: "flex:1 1 10rem" }, h("span", {}, "player"), who), h("label", { class: "field", for: "against", style: "flex:1 1 10rem" }, h("span", {}, "against"), against),
    h("button", { type: "button", onclick: () => mine.choose(surprise(mine.all, [mine.select.value]).spec) }, "Surprise me"), h("button", { type: "button", class: "main", onclick: () => openTable(game.value, ["person", who.firstChild.value]).catch((error) => { wrong.textContent = error.message; }) }, "Play it"), h("div", { style: "flex-basis:100%" }, card)), wrong, list, body);
  await draw();
}

async function policy(body, query) {
  const found = await ask(`/api/look/policy?${query}`);
  const seat = (one) => h("section", { class: "sheet" }, h("h2", {}, `Seat ${one.seat}`),
    h("p", {}, "expects ", h("b", { class: "num" }, signed(one.value, 4)), ` chips per hand; a best response ${signed(one.best, 4)}${one.best_fraction ? ` (${one.best_fraction})` : ""}. EV loss `, h("b", { class: one.ev_loss > 1e-9 ? "warn num" : "num" }, number(one.ev_loss, 4)), "."),
    one.habits.length ? h("p", { class: "small" }, one.habits.slice(0, 6).join("; ")) : null,
    one.leaks.length ? [h("h3", {}, "Largest leaks"), h("table", {}, h("tbody", {}, one.leaks.map((leak) => h("tr", {}, h("th", { scope: "row", style: "font-weight:400;color:inherit" }, leak.knows), h("td", { class: "n" }, `${number(leak.loss, 3)} per game`)))))] : null,
    h("h3", {}, "Every information set"),
    h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": `every information set of seat ${one.seat}`, style: "max-height:34rem;overflow:auto" }, h("table", {}, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "knows"), h("th", { scope: "col" }, "plays"), h("th", { scope: "col" }, "forced"), h("th", { scope: "col" }, "cost of a mistake"), h("th", { scope: "col", class: "n" }, "reach"))),
      h("tbody", {}, one.sets.map((set) => {
        const costly = set.choices.filter((choice) => choice.cost > 1e-9);
        return h("tr", {}, h("td", {}, set.knows), h("td", {}, mix(set.choices.map((choice) => choice.action), set.choices.map((choice) => choice.p))), h("td", {}, set.forced || (set.choices[0].cost === null ? "–" : "free")), h("td", { class: "small num" }, costly.length ? costly.map((choice) => `${choice.action} ${number(choice.cost, 3)}`).join(", ") : set.choices[0].cost === null ? "never reached" : "none"), h("td", { class: "n" }, percent(set.reach, 1)));
      })))));
  body.replaceChildren(h("p", {}, found.title, found.exploitability !== undefined ? [". Exploitability ", h("b", { class: "num" }, number(found.exploitability, 4)), " chips per hand."] : ""), h("div", { class: "beside even" }, found.seats.map(seat)), legend());
}

function legend() {
  return h("div", { class: "legend" }, [["fold", "fold"], ["call", "check, call"], ["raise", "bet, raise"]].map(([name, title]) => h("span", {}, h("i", { style: `background:var(--${name})` }), title)));
}

async function holdem(body, query, everybody) {
  const style = h("section", { class: "sheet" }, h("h2", {}, "Style"), h("p", { class: "soft" }, "playing 300 hands …"));
  const main = h("section", { class: "sheet" });
  const side = h("div", {});
  body.replaceChildren(h("div", { class: "beside" }, main, h("aside", {}, side, style)));
  ask("/api/look/yardsticks").then((found) => {
    const cells = found.cells.find((one) => one[0] === query.get("spec"));
    if (cells) body.append(yardsticks(found, cells));
  }).catch(() => null);
  await showGrid(main, side, query.get("game"), query.get("spec"), query, everybody);
  ask(`/api/look/style?${query}`).then((found) => {
    style.replaceChildren(h("h2", {}, "Style"), h("p", { class: "small soft" }, `${number(found.hands)} hands against ${found.against.join(", ")}`),
      h("table", {}, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "figure"), h("th", { scope: "col", class: "n" }, "share"), h("th", { scope: "col", class: "n" }, "95%"))), h("tbody", {}, Object.entries(found.figures).map(([name, one]) => h("tr", {}, h("th", { scope: "row", title: one.about, style: "white-space:normal" }, name.replaceAll("_", " ")), h("td", { class: "n" }, percent(one.mean)), h("td", { class: "n soft" }, `${percent(one.low)} to ${percent(one.high)}`))), h("tr", {}, h("th", { scope: "row" }, "aggression"), h("td", { class: "n" }, number(found.aggression, 3)), h("td", { class: "n soft" }, "bets per call")))));
  }).catch((error) => style.replaceChildren(h("h2", {}, "Style"), h("p", { class: "warn" }, error.message)));
}

function yardsticks(found, cells) {
  return h("section", { class: "sheet" }, h("h2", {}, "How good is it?"), h("p", { class: "small soft" }, `heads-up, in ${found.unit}: what a local best response won from it, what a perfect opponent wins, and what it won against a blueprint`),
    h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "yardsticks" }, h("table", {}, h("thead", {}, h("tr", {}, found.header.slice(1).map((name) => h("th", { scope: "col", class: "n" }, name)))), h("tbody", {}, h("tr", {}, cells.slice(1).map((cell) => h("td", { class: "n" }, cell)))))));
}
