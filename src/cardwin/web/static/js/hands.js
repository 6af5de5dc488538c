// Recorded hands: from a file, a text or a table, shown step by step with the odds.
import { ask, h, number, say } from "./dom.js";
import { stepper } from "./stepper.js";
import { checkedHand, fragmentOf, readFragment } from "./link.js";

const EXAMPLE = `variant = "NT"
antes = [0, 0, 0]
blinds_or_straddles = [50, 100, 0]
min_bet = 100
starting_stacks = [10000, 10000, 10000]
actions = ["d dh p1 9h9s", "d dh p2 AdKd", "d dh p3 7c2d", "p3 f", "p1 cbr 300", "p2 cbr 1000", "p1 cc", "d db 9d4dKc", "p1 cc", "p2 cbr 1200", "p1 cc", "d db 2s", "p1 cc", "p2 cbr 7800", "p1 cc", "d db Qd", "p1 sm 9h9s", "p2 sm AdKd"]
`;

export async function show(room) {
  const stage = h("div", {});
  const wrong = h("p", { class: "warn", role: "alert" });
  const paste = h("textarea", { id: "phh", rows: "5", style: "width:100%;font:13px ui-monospace,monospace;background:var(--sheet);color:inherit;border:1px solid var(--line);border-radius:7px", spellcheck: "false" });
  const file = h("input", { type: "file", id: "file", accept: ".phh,.phhs,text/plain", onchange: async () => file.files[0] && read(await file.files[0].text()) });
  const drop = h("div", { class: "drop" }, h("p", {}, "Drop a PHH or PHHS file here, choose one, or paste it."), h("label", { for: "file" }, "a file ", file));
  for (const [name, over] of [["dragover", true], ["dragleave", false], ["drop", false]]) drop.addEventListener(name, () => drop.classList.toggle("over", over));
  const keys = (event) => stage.dataset.ready && !event.target.closest?.("input, textarea, select") && stage.step?.(event);
  room.append(h("h1", {}, "Hands"), stage,
    h("details", { class: "sheet", open: true }, h("summary", {}, "Another hand"), drop, h("label", { class: "field", for: "phh", style: "margin:.8rem 0" }, h("span", {}, "or its text"), paste),
      h("div", { class: "row" }, h("button", { type: "button", class: "main", onclick: () => read(paste.value) }, "Step through it"), h("button", { type: "button", onclick: () => { paste.value = EXAMPLE; read(EXAMPLE); } }, "Show an example"))), wrong);
  const pages = h("nav", { class: "row", "aria-label": "Hands of this file" });
  stage.before(pages);
  async function read(text, first = 0) {
    wrong.textContent = "";
    try {
      const { hands, failed, total, page } = await ask("/api/hands", { text, first });
      const last = Math.min(first + page, total);
      const turn = (words, to) => h("button", { type: "button", onclick: () => read(text, to) }, words);
      pages.replaceChildren(...(total > page ? [h("span", { class: "num" }, `Hands ${number(first + 1)} to ${number(last)} of ${number(total)}`), first > 0 ? turn("Earlier hands", Math.max(0, first - page)) : null, last < total ? turn("Later hands", last) : null].filter(Boolean) : []));
      if (failed.length) wrong.textContent = failed.map((one) => `${one.hand ? `hand ${one.hand}, ` : ""}line ${one.line}: ${one.reason}`).join("; ");
      if (hands.length) place(hands, text, total);
    } catch (error) { wrong.textContent = error.message; }
  }
  // Every step of a hand has an address; a file of several hands does not fit into one.
  function place(hands, text, total, at = 0) {
    const own = total === 1 && text.length < 20_000;
    const share = h("button", { type: "button", onclick: async () => {
      await navigator.clipboard?.writeText(location.href).catch(() => {});
      share.textContent = "Link copied";
      say("The link to this hand was copied.");
    } }, "Copy link");
    let fragment = "";
    const ready = own ? fragmentOf(text.trimStart().startsWith("{") ? "hand" : "phh", text).then((made) => { fragment = made; }) : Promise.resolve();
    stepper(stage, hands, { at, tools: own ? [share] : [], onstep: async (step) => {
      await ready;
      if (own && stage.isConnected) history.replaceState(null, "", `/hands${fragment}&at=${step}`);
    } });
    if (!own) history.replaceState(null, "", "/hands");
  }
  async function open() {
    const linked = await readFragment(location.hash);
    if (!linked) return false;
    if (linked.kind === "hand") { place([checkedHand(linked.text)], linked.text, 1, linked.at); return true; }
    const { hands, failed } = await ask("/api/hands", { text: linked.text });
    if (!hands.length) throw new Error(failed.map((one) => `line ${one.line}: ${one.reason}`).join("; ") || "The link contains no hand.");
    paste.value = linked.text;
    place(hands.slice(0, 1), linked.text, 1, linked.at);
    return true;
  }
  addEventListener("keydown", keys);
  const opened = await open().catch((error) => { wrong.textContent = error.message; return true; });
  const kept = opened ? null : sessionStorage.getItem("hand");
  if (kept) { sessionStorage.removeItem("hand"); paste.value = kept; await read(kept); }
  return () => removeEventListener("keydown", keys);
}
