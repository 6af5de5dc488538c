// An interactive table: the board, the keys, the log with its "why?" buttons.
import { ask, h, number, percent, remember, remembered, say, signed } from "./dom.js";
import { actionText, drawBoard, eventText, positions, explanationBox } from "./board.js";
import { cards } from "./cards.js";
import { openTable } from "./home.js";
import { fragmentOf } from "./link.js";
import { analysisBanner, analysisResult, earlier, gameWithStack } from "./analysis.js";
import { decisionBars, drawSession, winningsPicture } from "./session.js";

const ENOUGH = 10; // hands before an interval says anything
const SPEEDS = [["slow", 900], ["steady", 350], ["instant", 0]];

export async function show(room, id) {
  const token = remembered("tables", {})[id] || new URLSearchParams(location.search).get("token") || "";
  const first = await ask(`/api/tables/${id}?token=${encodeURIComponent(token)}`);
  if (first.type === "kept") return showKept(room, first);
  const table = new Table(room, id, token, first);
  return () => table.leave();
}

class Table {
  constructor(room, id, token, look) {
    this.id = id;
    this.token = token;
    this.look = look;
    this.drawn = 0;
    this.amount = null;
    this.left = false;
    this.board = h("div", {});
    this.bar = h("div", { class: "acts", role: "group", "aria-label": "Your actions" });
    this.log = h("ol", { class: "log", "aria-label": "Events of this hand" });
    this.why = h("div", { "aria-live": "polite" });
    this.score = h("div", {});
    this.session = h("section", { class: "sheet session", hidden: true, "aria-label": "Session" });
    this.costs = h("div", {});
    this.hint = h("div", { "aria-live": "polite" });
    this.listed = 0;
    this.banner = h("div", {});
    this.bring = h("input", { id: "bring", type: "number", min: "2", max: "10000", step: "1", style: "width:4.5rem" });
    this.adviser = h("select", { id: "adviser", onchange: () => remember("adviser", this.adviser.value) });
    const small = !look.game.startsWith("holdem");
    if (!small) this.drawAdvisers();
    this.wrong = h("p", { class: "warn", role: "alert" });
    this.speed = h("select", { id: "speed", onchange: () => remember("speed", this.speed.value) }, SPEEDS.map(([name], place) => h("option", { value: String(place), selected: String(place) === remembered("speed", "1") }, name)));
    this.save = h("a", { class: "button", download: "", hidden: true }, "Save hand (PHH)");
    room.append(
      h("h1", { class: "hidden" }, `${look.game} against ${look.players.filter((_, seat) => seat !== look.seat).join(", ")}`),
      h("div", { class: "beside table" },
        h("section", { "aria-label": "The table" }, this.banner, this.board, this.bar, this.hint, this.wrong),
        h("aside", {},
          h("section", { class: "sheet compact" }, h("h2", {}, look.game), this.score,
            h("div", { class: "row" }, h("label", { for: "speed" }, "pace", this.speed), this.save),
            h("div", { class: "row", style: "margin-top:.5rem" }, h("button", { type: "button", onclick: () => this.askHint() }, "Hint ", h("kbd", {}, "h")), small ? null : h("label", { for: "adviser" }, "of", this.adviser), h("button", { type: "button", onclick: () => this.again(0) }, "Rematch"), h("button", { type: "button", onclick: () => this.again(1) }, "Swap seats")),
            small ? null : h("form", { class: "row", style: "margin-top:.5rem", onsubmit: (event) => { event.preventDefault(); this.bringChips(); } }, h("label", { for: "bring" }, "bring", this.bring, "big blinds"), h("button", {}, "New table"))),
          h("section", { class: "sheet" }, h("h2", {}, "This hand"), this.log, this.costs, this.why),
          h("p", { class: "small soft wide-only" }, h("kbd", {}, "f"), " fold ", h("kbd", {}, "c"), " check, call ", h("kbd", {}, "r"), " bet, raise ", h("kbd", {}, "1"), "…", h("kbd", {}, "9"), " sizes or actions ", h("kbd", {}, "↑"), h("kbd", {}, "↓"), " amount ", h("kbd", {}, "n"), " next hand ", h("kbd", {}, "w"), " why? ", h("kbd", {}, "h"), " hint ", h("kbd", {}, "t"), " take back")),
        this.session));
    this.keys = (event) => this.key(event);
    addEventListener("keydown", this.keys);
    this.connect();
  }

  connect() {
    const ws = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/api/tables/${this.id}/socket?token=${encodeURIComponent(this.token)}`);
    this.socket = ws;
    ws.onopen = () => { if (this.waiting) { this.send(this.waiting); this.waiting = null; } };
    ws.onmessage = (message) => this.hear(JSON.parse(message.data));
    ws.onclose = () => {
      if (this.left) return;
      this.wrong.textContent = "The connection was lost; reconnecting.";
      setTimeout(() => { if (!this.left) this.connect(); }, 1500);
    };
  }

  leave() {
    this.left = true;
    clearTimeout(this.timer);
    removeEventListener("keydown", this.keys);
    this.socket.close();
  }

  send(message) {
    this.wrong.textContent = "";
    // A message that cannot be sent waits for the connection; the turn number prevents a duplicate action.
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
    else this.waiting = message;
  }

  hear(message) {
    if (message.type === "refused") { this.wrong.textContent = message.reason; return; }
    if (message.type === "why") { this.showWhy(message); return; }
    if (message.type === "hint") { this.showHint(message); return; }
    this.wrong.textContent = message.notice || "";
    if (message.hand !== this.look.hand) { this.drawn = 0; this.why.replaceChildren(); }
    const decided = message.turn_number !== this.look.turn_number;
    const switched = JSON.stringify(message.analysis) !== JSON.stringify(this.look.analysis);
    this.look = message;
    if (switched) { this.drawn = message.events.length; this.why.replaceChildren(); }
    if (decided) { this.amount = null; this.hint.replaceChildren(); }
    if (this.drawn > message.events.length) this.drawn = 0;
    clearTimeout(this.timer);
    this.step();
    if (message.hand === 0) this.send({ do: "deal" });
  }

  // Shows one event after another at the chosen pace; forced bets are shown together, and so is the end of a hand.
  step() {
    const { events } = this.look;
    const pace = SPEEDS[Number(this.speed.value)][1];
    if (!pace || this.drawn === 0) {
      const first = events.findIndex((event) => event.what === "acted");
      this.drawn = pace ? Math.max(this.drawn, first < 0 ? events.length : first) : events.length;
    }
    this.draw();
    if (this.drawn < events.length) {
      this.timer = setTimeout(() => { this.drawn += 1; this.step(); }, events[this.drawn].what === "ended" ? 0 : pace);
    }
  }

  get caughtUp() { return this.drawn >= this.look.events.length; }

  draw() {
    const { look } = this;
    const at = positions(look.events.slice(0, this.drawn), look.players.length).at(-1);
    const small = look.big_blind === null;
    const names = look.players.map((name, seat) => (seat === look.seat ? "you" : name));
    const known = this.caughtUp ? look.cards : { [look.seat]: look.cards[look.seat] };
    const boardSize = look.game === "leduc" ? 1 : small ? 0 : 5;
    if (look.hand) this.board.replaceChildren(drawBoard(at, { names, cards: known, you: look.seat, turn: this.caughtUp ? look.turn : null, boardSize, size: small ? 1 : 2 }));
    const back = earlier(look);
    this.banner.replaceChildren(...[analysisBanner(look, { leave: () => this.send({ do: "leave" }), retry: () => this.takeBack(look.analysis.event), back: back === null ? null : () => this.takeBack(back) })].filter(Boolean));
    if (!this.bring.value && look.hand && !small) this.bring.value = String(Math.round(look.events[0].stacks[look.seat] / look.big_blind));
    this.drawBar();
    this.drawLog(names);
    this.drawScore();
    this.drawEnd(names);
  }

  // After a hand: what the decisions cost, and the session's graph and list, once for each hand.
  drawEnd(names) {
    const { look } = this;
    const over = look.over && look.hand && this.caughtUp;
    this.costs.replaceChildren(...(over ? [decisionBars(look, (event) => eventText(event, names))] : []).filter(Boolean));
    if (!look.score.hands || this.listed === look.score.hands || !this.caughtUp) return;
    this.listed = look.score.hands;
    this.session.hidden = false;
    drawSession(this.session, this.id, this.token).catch((error) => { this.wrong.textContent = error.message; });
  }

  // A new table with other cards and the same players, the person `places` seats further on.
  again(places) {
    const { specs } = this.look;
    const turned = specs.map((_, seat) => specs[(seat + specs.length - places) % specs.length]);
    openTable(this.look.game, turned, { open_cards: this.look.open_cards }).catch((error) => { this.wrong.textContent = error.message; });
  }

  // A new table at which everybody has so many chips.
  bringChips() {
    const stack = Math.round(Number(this.bring.value) * this.look.big_blind);
    openTable(gameWithStack(this.look.game, stack), this.look.specs, { open_cards: this.look.open_cards }).catch((error) => { this.wrong.textContent = error.message; });
  }

  // The finished hand again from an own decision, as analysis.
  takeBack(event) {
    if (event === null) this.wrong.textContent = this.look.over ? "You made no decision in this hand." : "A hand is taken back when it is over, as analysis.";
    else this.send({ do: "analyse", hand: this.look.analysis?.hand ?? this.look.hand, event });
  }

  async drawAdvisers() {
    const { players } = await ask("/api/players").catch(() => ({ players: [] }));
    const kept = remembered("adviser", "v1");
    this.adviser.replaceChildren(...players.filter((one) => !one.needs_file).map((one) => h("option", { value: one.spec, title: one.title, selected: one.spec === kept }, one.spec)));
  }

  askHint() {
    if (this.caughtUp && !this.look.over && this.look.turn === this.look.seat) this.send({ do: "hint", player: this.adviser.value || "v1" });
    else this.wrong.textContent = "A hint is for your turn.";
  }

  showHint(message) {
    if (message.turn_number !== this.look.turn_number) return;
    this.look.hints = message.hints;
    const choices = message.choices.map((one) => `${one.move}: ${one.ev_loss > 1e-9 ? `−${number(one.ev_loss, 3)}` : "best"}`).join(" · ");
    this.hint.replaceChildren(h("div", { class: "hint" }, h("p", {}, h("b", {}, message.text)),
      h("p", { class: "small" }, message.exact ? `Exact EV loss in chips: ${choices}` : "This is one player's choice, not the best one.")));
    this.drawScore();
  }

  drawBar() {
    const { look } = this;
    if (!this.caughtUp) return this.bar.replaceChildren(h("span", { class: "soft" }, "…"));
    if (!look.hand) return this.drawWaiting();
    if (look.over) {
      const won = look.events.find((event) => event.what === "ended")?.won[look.seat] ?? 0;
      const told = look.analysis ? analysisResult(look, won) : `Hand ${look.hand}: you ${won > 0 ? `win ${number(won)}` : won < 0 ? `lose ${number(-won)}` : "end even"}.`;
      if (look.hand) say(told);
      const next = h("button", { class: "main", type: "button", onclick: () => this.goOn() }, look.analysis ? "Back to the table " : "Next hand ", h("kbd", {}, "n"));
      const back = look.open_cards && !look.analysis && earlier(look) !== null ? h("button", { type: "button", title: "try this hand again as analysis, which does not count", onclick: () => this.takeBack(earlier(look)) }, "Take back ", h("kbd", {}, "t")) : null;
      this.bar.replaceChildren(...[next, back, h("span", { style: "align-self:center" }, look.hand ? told : "")].filter(Boolean));
      if (!this.bar.contains(document.activeElement) && (document.activeElement === document.body || !document.activeElement)) next.focus({ preventScroll: true });
      return undefined;
    }
    if (look.turn !== look.seat) return this.bar.replaceChildren(h("span", { class: "soft" }, `${look.players[look.turn]} is to act`));
    const buttons = look.actions.map((action, place) => this.actionButton(action, place));
    const sized = look.actions.find((action) => "most" in action);
    this.bar.replaceChildren(...buttons, ...(sized && sized.most > sized.amount ? [this.sizes(sized)] : []));
    say(`Your turn. ${look.to_call ? `${look.to_call} to call. ` : ""}${look.actions.map((one) => one.name).join(", ")}`);
    return undefined;
  }

  goOn() { this.send({ do: this.look.analysis ? "leave" : "deal" }); }

  // Before the first hand: the server may have to compile its rules first, and says so. Small games need no compiler.
  drawWaiting() {
    if (this.waitingBox?.isConnected) return;
    const began = Date.now(), text = h("span", {}, "Dealing the first hand …"), meanwhile = h("p", { class: "small", hidden: true }, "Small games can be played meanwhile: ", h("button", { type: "button", class: "link", onclick: () => openTable("kuhn", ["person", "equilibrium"]) }, "Kuhn poker"));
    this.waitingBox = h("div", { class: "waiting", role: "status" }, text, h("progress", { "aria-label": "getting ready" }), meanwhile);
    this.bar.replaceChildren(this.waitingBox);
    const tell = async () => {
      if (this.left || this.look.hand || !this.waitingBox.isConnected) return;
      const { ready, preparing } = await ask("/api/health").catch(() => ({ ready: true }));
      meanwhile.hidden = ready;
      if (!ready) text.textContent = `Getting ready: ${Math.round(preparing ?? (Date.now() - began) / 1000)} s so far, usually about half a minute, once for this version: the rules of hold'em are compiled.`;
      setTimeout(tell, 1000);
    };
    setTimeout(tell, 300);
  }

  actionButton(action, place) {
    const keys = { fold: "f", check: "c", call: "c" };
    const sized = "most" in action;
    const text = sized ? `${action.name} ${number(this.amountOf(action))}` : action.name === "call" && action.amount ? `call ${number(action.amount)}` : action.text || action.name;
    const one = this.look.actions.filter((each) => each.name === "bet" || each.name === "raise").length === 1;
    const key = keys[action.name] || (one ? "r" : String(place + 1));
    return h("button", { type: "button", "data-action": action.name, "data-sized": sized ? "true" : null, onclick: () => this.act(action) }, h("span", {}, text), h("kbd", { "aria-hidden": "true" }, key));
  }

  amountOf(action) { return Math.min(Math.max(this.amount ?? action.amount, action.amount), action.most); }

  sizes(action) {
    const { look } = this;
    const pot = look.pot + look.to_call;
    const own = positions(look.events, look.players.length).at(-1).bets[look.seat];
    const to = (share) => Math.min(action.most, Math.max(action.amount, Math.round(own + look.to_call + share * pot)));
    const set = (value) => { this.amount = Math.min(action.most, Math.max(action.amount, Math.round(value))); refresh(); };
    const slider = h("input", { type: "range", min: String(action.amount), max: String(action.most), step: "1", value: String(this.amountOf(action)), "aria-label": `amount to ${action.name}`, oninput: (event) => set(Number(event.target.value)) });
    const box = h("input", { type: "number", min: String(action.amount), max: String(action.most), value: String(this.amountOf(action)), "aria-label": `amount to ${action.name} in chips`, onchange: (event) => set(Number(event.target.value)) });
    const refresh = () => {
      slider.value = String(this.amountOf(action));
      box.value = String(this.amountOf(action));
      const button = this.bar.querySelector("[data-sized] span");
      if (button) button.textContent = `${action.name} ${number(this.amountOf(action))}`;
    };
    this.setAmount = set;
    this.presets = [["least", action.amount], ["½ pot", to(0.5)], ["pot", to(1)], ["all", action.most]];
    return h("div", { class: "sizes", style: "flex-wrap:wrap" }, slider, box, h("div", { class: "row" }, this.presets.map(([name, value], place) => h("button", { type: "button", onclick: () => set(value), style: "min-width:0;min-height:2.2rem" }, name, h("kbd", { "aria-hidden": "true" }, String(place + 1))))));
  }

  act(action) {
    if (!this.caughtUp || this.look.over) return;
    const move = "most" in action ? `${action.name} ${this.amountOf(action)}` : action.text || action.name;
    this.send({ do: "act", turn: this.look.turn_number, move });
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const typing = event.target.closest?.("input[type=number], select, textarea");
    if (typing && event.key !== "Enter") return;
    if (!this.caughtUp) {
      if ([" ", "n", "Enter"].includes(event.key) && !event.target.closest?.("button, a")) { this.drawn = this.look.events.length; clearTimeout(this.timer); this.step(); event.preventDefault(); }
      return;
    }
    const { look } = this;
    const named = (...names) => look.actions.find((action) => names.includes(action.name));
    const sized = named("bet", "raise");
    const bold = look.actions.filter((action) => action.name === "bet" || action.name === "raise");
    let done = true;
    if (event.key === "n" && (look.over || look.analysis)) this.goOn();
    else if (event.key === "t") this.takeBack(earlier(look) ?? look.analysis?.event ?? null);
    else if (event.key === "h") this.askHint();
    else if (event.key === "w") this.log.querySelector("li:last-of-type button, li button")?.click();
    else if (look.over || look.turn !== look.seat) done = false;
    else if (event.key === "f" && named("fold")) this.act(named("fold"));
    else if (event.key === "c" && named("check", "call")) this.act(named("check", "call"));
    else if (event.key === "r" && bold.length === 1) this.act(bold[0]);
    else if (sized && "most" in sized && ["ArrowUp", "ArrowDown"].includes(event.key)) this.setAmount?.(this.amountOf(sized) + (event.key === "ArrowUp" ? 1 : -1) * (event.shiftKey ? 5 : 1) * (look.big_blind || 1));
    else if (/^[1-9]$/.test(event.key)) {
      const place = Number(event.key) - 1;
      if (sized && "most" in sized && sized.most > sized.amount) place < 4 ? this.setAmount?.(this.presets[place][1]) : (done = false);
      else if (look.actions[place]) this.act(look.actions[place]);
      else done = false;
    } else done = false;
    if (done) event.preventDefault();
  }

  drawLog(names) {
    const { look } = this;
    const finished = look.over && this.caughtUp;
    const lines = look.events.slice(0, this.drawn).map((event, place) => [event, place]).filter(([event]) => eventText(event, names));
    this.log.replaceChildren(...lines.map(([event, place]) => {
      const given = look.ev_loss?.[place];
      const asks = finished && event.what === "acted" && event.seat !== look.seat;
      const again = finished && look.open_cards && !look.analysis && event.what === "acted" && event.seat === look.seat;
      return h("li", { class: event.what === "board" ? "street" : null }, h("span", {}, eventText(event, names)),
        asks ? h("button", { class: "link", type: "button", "aria-label": `why ${names[event.seat]} ${actionText(event)}`, onclick: () => this.send({ do: "why", hand: look.hand, event: place }) }, "why?") : null,
        again ? h("button", { class: "link", type: "button", "aria-label": `try again instead of ${actionText(event)}`, onclick: () => this.takeBack(place) }, "try again") : null,
        finished && given !== undefined && event.seat === look.seat ? h("span", { class: given > 1e-9 ? "warn small num" : "soft small" }, given > 1e-9 ? `EV loss ${number(given, 3)}` : "no EV loss") : null,
        finished && look.odds?.[place] ? h("span", { class: "how small soft" }, `${look.odds[place].reason}${look.odds[place].raising ? "; the value of a raise is not computed" : ""}`) : null);
    }));
    this.log.scrollTop = this.log.scrollHeight;
    this.save.hidden = !(finished && look.big_blind !== null && look.hand && !look.analysis);
    this.save.href = `/api/tables/${this.id}/hands/${look.hand}.phh?token=${encodeURIComponent(this.token)}`;
  }

  drawScore() {
    const { score } = this.look;
    const line = (title, found) => found && h("tr", {}, h("th", { scope: "row" }, title), h("td", { class: "n" }, signed(found.mean, 3)), h("td", { class: "n soft" }, score.hands < ENOUGH ? `after ${ENOUGH} hands` : `${number(found.low, 3)} to ${number(found.high, 3)}`));
    this.score.replaceChildren(
      h("p", {}, h("b", { class: "num" }, `${signed(score.chips)} chips`), ` in ${number(score.hands)} hand${score.hands === 1 ? "" : "s"}${this.look.hints ? `, with ${number(this.look.hints)} hint${this.look.hints === 1 ? "" : "s"}` : ""}`),
      ...(score.played ? [h("table", { class: "small" }, h("caption", { class: "hidden" }, `your result in ${score.unit}`), h("thead", {}, h("tr", {}, h("th", {}, score.unit), h("th", { class: "n", scope: "col" }, "mean"), h("th", { class: "n", scope: "col" }, "95%, any stop"))), h("tbody", {}, line("played", score.played), line("adjusted", score.adjusted),
        score.ev_loss !== undefined ? h("tr", {}, h("th", { scope: "row" }, "EV loss"), h("td", { class: "n" }, number(score.ev_loss, 3)), h("td", { class: "n soft" }, score.odds ? `in ${number(score.odds.count)} decision${score.odds.count === 1 ? "" : "s"}` : "exact")) : null)),
        ...(score.odds ? [h("p", { class: "small soft", style: "margin-top:.5rem" }, "EV loss covers folds and calls where a call ends the betting, against any two cards.")] : [])] : []));
  }

  showWhy(message) {
    const plays = message.explanation?.plays;
    const numbers = explanationBox(Object.fromEntries(Object.entries(message.explanation || {}).filter(([name]) => !(plays && (name === "plays" || name === "text")))));
    this.why.replaceChildren(h("h3", {}, `Why ${message.player} did that`),
      ...(message.sentence ? [h("p", { class: "sentence" }, message.sentence)] : []),
      ...(message.cards ? [h("p", {}, "it held ", cards(message.cards))] : []),
      ...(plays ? [h("p", {}, Object.entries(plays).map(([name, chance]) => `${name} ${percent(chance)}`).join(" · "))] : []),
      ...(message.sentence ? (Object.keys(message.explanation || {}).length ? [h("details", {}, h("summary", {}, "Its numbers"), numbers)] : []) : [numbers]));
    this.why.scrollIntoView({ block: "nearest" });
  }
}

function showKept(room, kept) {
  const names = kept.players.map((name, seat) => (seat === kept.seat ? "you" : name));
  const others = kept.players.filter((_, seat) => seat !== kept.seat);
  let total = 0;
  const chips = kept.hands.map((hand) => (total += hand.won[kept.seat]));
  const replay = async (hand) => location.assign(`/hands${hand.phh ? await fragmentOf("phh", hand.phh) : await fragmentOf("hand", JSON.stringify({ name: String(hand.number), game: kept.game, players: kept.players, you: kept.seat, events: hand.events, cards: hand.cards }))}`);
  room.append(h("h1", {}, `${kept.game}: a finished table`),
    h("section", { class: "sheet" },
      h("p", {}, `${number(kept.hands.length)} hands against ${others.join(", ")}, ${signed(kept.chips)} chips. The server was restarted, so this table is closed.`),
      h("div", { style: "max-width:30rem" }, winningsPicture({ hand: chips.map((_, place) => place + 1), chips, at: [], low: [], high: [] })),
      h("button", { class: "main", type: "button", onclick: () => openTable(kept.game, kept.players.map((name, seat) => (seat === kept.seat ? "person" : name.replace(/ #?\d+$/, "")))) }, "Continue at a new table"),
      h("ol", { class: "log", style: "margin-top:1rem" }, [...kept.hands].reverse().map((hand) => h("li", {}, h("span", {}, `hand ${hand.number}: ${hand.events.filter((event) => event.what === "acted").map((event) => eventText(event, names)).join(", ")}`), h("span", { class: "row" }, h("b", { class: "num" }, signed(hand.won[kept.seat])), h("button", { class: "link", type: "button", onclick: () => replay(hand) }, "step through")))))));
}
