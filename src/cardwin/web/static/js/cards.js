// Cards: four colours, and a name for screen readers.
import { h } from "./dom.js";

const SIGNS = { s: "♠", h: "♥", d: "♦", c: "♣" };
const SUITS = { s: "spades", h: "hearts", d: "diamonds", c: "clubs" };
const RANKS = { A: "ace", K: "king", Q: "queen", J: "jack", T: "ten" };

export function cardName(card) {
  const found = /^([2-9TJQKA])([shdc])$/.exec(card);
  return found ? `${RANKS[found[1]] || found[1]} of ${SUITS[found[2]]}` : RANKS[card] || card;
}
export function cardText(card) { return /^.[shdc]$/.test(card) ? card[0] + SIGNS[card[1]] : card; }

export function card(name) {
  if (name === null || name === "??") return h("span", { class: "card back", role: "img", "aria-label": "a hidden card" });
  const suit = /^.[shdc]$/.test(name) ? name[1] : "plain";
  return h("span", { class: `card ${suit}`, role: "img", "aria-label": cardName(name) }, cardText(name));
}
export function cards(names) { return h("span", { class: "cards" }, names.map(card)); }
