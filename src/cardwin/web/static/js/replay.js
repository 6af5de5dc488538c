// The script of a file of HTML with recorded hands: the winnings of a player, and the stepper. It asks no server.
import { h, number } from "./dom.js";
import { winningsPicture } from "./session.js";
import { stepper } from "./stepper.js";

const { hands, total, winnings } = JSON.parse(document.getElementById("hands").textContent);
const main = document.getElementById("main");
const stage = h("div", {});
const names = Object.keys(winnings);
const graph = h("div", { class: "course" });
const who = h("select", { id: "who", onchange: () => drawGraph() }, names.map((name) => h("option", { value: name }, name)));
function drawGraph() {
  const chips = winnings[who.value];
  graph.replaceChildren(winningsPicture({ hand: chips.map((_, place) => place + 1), chips, at: [], low: [], high: [] }, "Chips by hand."));
}
main.append(h("p", { class: "soft" }, `${number(hands.length)} hand${hands.length === 1 ? "" : "s"}${total > hands.length ? ` of ${number(total)} in the files` : ""}, ${names.length > 10 ? `${number(names.length)} players` : names.join(", ")}`), stage);
if (hands.length > 1) {
  main.append(h("section", { class: "sheet" }, h("h2", {}, "Winnings"), h("label", { for: "who" }, "player", who), graph));
  drawGraph();
}
stepper(stage, hands, { onstep: (step, which) => history.replaceState(null, "", `#hand=${which + 1}&at=${step}`), ...asked() });
addEventListener("keydown", (event) => !event.target.closest?.("input, textarea, select") && stage.step(event));

function asked() {
  const wanted = new URLSearchParams(location.hash.slice(1));
  return { first: Math.min(hands.length, Math.max(1, Number(wanted.get("hand")) || 1)) - 1, at: Number(wanted.get("at")) || 0 };
}
