// A list of all players that a game accepts, by difficulty, with a card of the chosen one.
import { h } from "./dom.js";
import { opponentCard, opponentsOf, strengthText } from "./opponents.js";

// A network of an atlas is named by a link: there are too many of them for the list.
const IN_ATLAS = /\/[\d.]+-[\d.]+-[\d.]+$/;

// Returns {select, card, all, choose}; `card` shows who is chosen.
export async function chooser(id, game, players, champions, value) {
  const all = [...await opponentsOf(game, players, champions)];
  if (!game.small && value && IN_ATLAS.test(value) && !all.some((one) => one.spec === value)) all.push({ spec: value, name: value, about: "a network of the atlas of styles" });
  const select = h("select", { id }, all.map((one) => h("option", { value: one.spec, title: one.about, selected: one.spec === value }, `${one.name} · ${strengthText(one)}`)));
  const card = h("div", { class: "opponent-chosen", "aria-live": "polite" });
  const draw = () => { const one = all.find((each) => each.spec === select.value); card.replaceChildren(...(one ? [opponentCard(one, all)] : [])); };
  const choose = (spec) => { select.value = spec; draw(); select.dispatchEvent(new Event("change")); };
  select.addEventListener("change", draw);
  draw();
  return { select, card, all, choose };
}
