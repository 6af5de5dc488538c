// A list of all players that a game accepts.
import { h } from "./dom.js";

export function specsFor(game, players, champions) {
  const own = champions.filter((one) => (game.small ? one.game === game.name : one.game === null));
  const known = game.small ? game.policies.map((spec) => ({ spec, title: spec })) : players.filter((one) => !one.needs_file);
  return [...known, ...own];
}

export function chooser(id, game, players, champions, value) {
  const found = specsFor(game, players, champions);
  // A network of an atlas is named by a link: there are too many of them for the list.
  if (!game.small && value && /\/[\d.]+-[\d.]+-[\d.]+$/.test(value) && !found.some((one) => one.spec === value)) found.push({ spec: value, title: value });
  return h("select", { id, value: value ?? found[0]?.spec }, found.map((one) => h("option", { value: one.spec, title: one.title, selected: one.spec === value }, one.spec.replace(/^champion:/, "★ "))));
}
