// Finished leaderboards: the ranking and the cross table, with a link to each player.
import { ask, h, number, percent, signed, sortable } from "./dom.js";

export async function show(room) {
  const { leaderboards } = await ask("/api/leaderboards");
  room.append(h("h1", {}, "Leaderboard"));
  if (!leaderboards.length) {
    room.append(h("section", { class: "sheet" }, h("p", {}, "There is no finished leaderboard yet. This command plays one, every pair with duplicate deals:"), h("pre", { class: "scroll" }, "cardwin leaderboard call raise random standard v1 --game holdem-nl --hands 2000")));
    return;
  }
  for (const board of leaderboards) {
    const unit = board.players[0]?.unit || "";
    const link = (spec) => h("a", { class: "spec", href: `/players?${new URLSearchParams({ game: board.game.split(":")[0], spec })}` }, spec);
    const range = (one) => (one.interval[0] === null ? "–" : `${number(one.interval[0], 3)} to ${number(one.interval[1], 3)}`);
    // A player cannot win from itself: what differs from 0 is noise, as its interval says.
    const control = (one) => h("span", { title: "a player cannot win from itself: this is noise, and its interval contains 0 unless by chance" }, one.mean === 0 ? "0" : `${signed(one.mean, 3)} (${range(one)})`);
    // Players whose pairs are not separated share their ranks, drawn as an interval.
    const all = board.players.length;
    const places = ({ places: [first, last] }) => [first === last ? `${first}` : `${first} to ${last}`, h("div", { class: "bar", "aria-hidden": "true" }, h("i", { style: `margin-left:${(100 * (first - 1)) / all}%;width:${(100 * (last - first + 1)) / all}%` }))];
    const players = board.players.map((one, place) => ({ places: [place + 1, place + 1], ...one, place }));
    room.append(h("section", { class: "sheet" }, h("h2", {}, `${board.game}, ${number(board.hands)} hands a pair`), board.separation ? h("p", {}, h("b", {}, board.separation)) : "",
      sortable([
        ["rank", (one) => one.place, places, true],
        ["player", (one) => one.spec, (one) => link(one.spec)],
        [`rating, ${unit}`, (one) => one.rating.mean, (one) => signed(one.rating.mean, 4), true],
        ["95%", (one) => one.rating.interval[0], (one) => range(one.rating), true],
        [`won, ${unit}`, (one) => one.mean, (one) => signed(one.mean, 4), true],
        ["control: against itself", (one) => one.control.mean, (one) => control(one.control), true],
        ["vpip", (one) => one.style.vpip, (one) => percent(one.style.vpip), true],
        ["aggression", (one) => one.style.aggression, (one) => number(one.style.aggression, 3), true],
        ["faults", (one) => one.faults, (one) => `${number(one.faults)}${one.disqualified ? ", disqualified" : ""}`, true],
        ["ms a decision", (one) => one.milliseconds ?? -1, (one) => (one.milliseconds == null ? "–" : number(one.milliseconds, 3)), true],
      ], players, `leaderboard of ${board.game}`)),
    h("section", { class: "sheet" }, h("h2", {}, `Cross table, ${unit}`), h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "cross table" }, h("table", {}, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, ""), board.players.map((one) => h("th", { scope: "col", class: "n" }, h("span", { class: "spec narrow" }, one.spec))))), h("tbody", {}, board.players.map((one, row) => h("tr", {}, h("th", { scope: "row" }, link(one.spec)), board.cross[row].map((cell) => h("td", { class: "n" }, cell ? [signed(cell.mean, 3), h("div", { class: "small soft" }, `± ${cell.ci95 === null ? "∞" : number(cell.ci95, 3)}`)] : "·"))))))), h("p", { class: "small soft" }, `Run ${board.run}, seed ${board.seed}.`), board.skipped?.length ? h("details", {}, h("summary", {}, `Skipped: ${board.skipped.length}`), h("ul", {}, board.skipped.map((one) => h("li", {}, one)))) : ""));
  }
}
