// The action probabilities of one information set as a bar: fold, call and raise in three colours.
import { h, percent } from "./dom.js";

export function kindOf(action) {
  const name = action.split(" ")[0];
  return name === "fold" ? "fold" : name === "check" || name === "call" ? "call" : "raise";
}

export function mix(actions, chances) {
  const said = actions.map((action, place) => `${action} ${percent(chances[place])}`).filter((_, place) => chances[place] > 0.0005).join(", ");
  let raises = 0;
  return h("div", {}, h("div", { class: "mix", "aria-hidden": "true" }, actions.map((action, place) => {
    const kind = kindOf(action);
    const cls = kind === "raise" && raises++ % 2 ? "raise2" : kind;
    return h("i", { class: cls, style: `width:${100 * chances[place]}%` });
  })), h("span", { class: "small num" }, said));
}
