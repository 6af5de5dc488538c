// Taking back: a finished hand is played on from an earlier decision, as analysis that does not count.
import { h, number, signed } from "./dom.js";

// The indices of the person's own decisions among the events of a hand.
export const ownDecisions = (look) => look.events.map((event, place) => [event, place]).filter(([event]) => event.what === "acted" && event.seat === look.seat).map(([, place]) => place);

// Where a take-back goes: the last own decision of a finished hand, in an analysis the one before its beginning.
export function earlier(look) {
  const own = ownDecisions(look);
  if (!look.analysis) return look.over && look.hand ? own.at(-1) ?? null : null;
  return own.filter((place) => place < look.analysis.event).at(-1) ?? null;
}

export function analysisBanner(look, { leave, retry, back }) {
  if (!look.analysis) return null;
  return h("div", { class: "analysis", role: "status" }, h("b", {}, `Analysis of hand ${number(look.analysis.hand)}`), h("span", {}, " does not count. You played it for ", h("b", { class: "num" }, signed(look.analysis.played)), "."),
    h("span", { class: "row" }, h("button", { type: "button", onclick: retry }, "Try again"), back ? h("button", { type: "button", onclick: back }, "Take back ", h("kbd", {}, "t")) : null, look.over ? null : h("button", { type: "button", class: "main", onclick: leave }, "Back to the table ", h("kbd", {}, "n"))));
}

export function analysisResult(look, won) {
  const more = won - look.analysis.played;
  return `Analysis: you ${won > 0 ? `win ${number(won)}` : won < 0 ? `lose ${number(-won)}` : "end even"}, ${more ? `${number(Math.abs(more))} ${more > 0 ? "more" : "less"} than you played it for` : "as you played it"}.`;
}

// The same game with other chips in front of everybody.
export function gameWithStack(spec, stack) {
  const [name, rest = ""] = spec.split(":");
  return `${name}:${[...rest.split(",").filter((one) => one && !one.startsWith("stack=")), `stack=${stack}`].join(",")}`;
}
