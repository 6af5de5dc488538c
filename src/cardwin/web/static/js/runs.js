// All runs: sorted, filtered, tagged, renamed, put into the bin and taken out of it, compared. The server sorts and filters.
import { ask, duration, h, number, setting, sparkline, stateChip } from "./dom.js";
import { go } from "./main.js";

const STATES = ["running", "waiting", "finished", "stopped", "failed"];
const COLUMNS = [["run"], ["game", "wide-only"], ["state"], ["progress", "wide-only"], ["figure", "n"], ["changed", "wide-only"]];
const PAGE = 50;

// The title, and if others have it too, what distinguishes this run from them.
export function runName(run) {
  const apart = (run.apart || []).map(([key, value]) => setting(key, value));
  return [run.title || run.name, ...apart].join(" · ");
}

export async function show(room) {
  const asked = new URLSearchParams(location.search);
  const list = h("div", {}), bin = h("div", {}), more = h("div", { class: "row", style: "margin-top:.6rem" });
  const chosen = new Set();
  let found = { runs: [], total: 0, matched: 0, states: {}, tags: {}, queue: {} }, count = PAGE, turn = 0, soon = 0;
  let by = asked.get("sort") || "changed", down = asked.get("order") !== "up", editing = null;
  const wrong = h("p", { class: "warn", role: "alert" }), queue = h("span", { class: "small soft num queue" });
  const compare = h("button", { type: "button", disabled: true, onclick: () => go(`/runs/compare?${[...chosen].map((name) => `run=${encodeURIComponent(name)}`).join("&")}`) }, "Compare");
  const preset = h("select", { id: "preset" });
  const words = h("input", { id: "words", type: "search", value: asked.get("words") || "", oninput: () => search() });
  const state = h("select", { id: "state", onchange: () => search() }, ["any", ...STATES].map((one) => h("option", { value: one, selected: one === asked.get("state") }, one)));
  const tag = h("select", { id: "tag", onchange: () => search() });
  let tagged = asked.get("tag") || "";
  const told = h("span", { class: "small soft", role: "status" });
  room.append(h("h1", {}, "Runs"),
    h("form", { class: "sheet row", onsubmit: (event) => { event.preventDefault(); go(`/runs/new/${preset.value}`); } }, h("label", { class: "field", for: "preset", style: "flex:1 1 240px" }, h("span", {}, "start a new run from a preset"), preset), h("button", { class: "main", style: "align-self:end" }, "Set up")),
    h("section", { class: "sheet" }, h("div", { class: "row", style: "margin-bottom:.6rem" }, h("label", { for: "words" }, "filter", words), h("label", { for: "state" }, "state", state), h("label", { for: "tag" }, "tag", tag), told, queue), wrong, list, more, h("div", { class: "row", style: "margin-top:.6rem" }, compare, h("span", { class: "small soft" }, "two to eight runs on one chart")), bin));

  const query = () => Object.entries({ words: words.value.trim(), state: state.value === "any" ? "" : state.value, tag: tagged, sort: by === "changed" ? "" : by, order: down ? "" : "up" }).filter(([, value]) => value);
  function address() {
    const parts = new URLSearchParams(query());
    history.replaceState(null, "", `/runs${parts.size ? `?${parts}` : ""}`);
  }
  const act = (path, body, after) => ask(path, body).then(after).then(() => Promise.all([load(), drawBin()])).catch((error) => { wrong.textContent = error.message; });
  const fail = (error) => { wrong.textContent = error.message; };
  function search() { tagged = tag.value; count = PAGE; address(); load().catch(fail); }

  // Only the rows that are shown are sent and drawn; of several answers the last one asked for counts.
  async function load() {
    const mine = ++turn;
    clearTimeout(soon);
    const answer = await ask(`/api/runs?${new URLSearchParams([...query(), ["count", String(count)]])}`);
    if (mine !== turn) return;
    found = answer;
    draw();
    // Runs that are not in the server's index yet are read a part at a time.
    if (found.states.unread) soon = setTimeout(() => load().catch(() => {}), 200);
  }

  function drawFilters() {
    const names = Object.keys(found.tags);
    if (tagged && !names.includes(tagged)) names.unshift(tagged);
    tag.replaceChildren(h("option", { value: "" }, "any"), ...names.map((one) => h("option", { value: one, selected: one === tagged }, `${one} (${found.tags[one] || 0})`)));
    tag.closest("label").hidden = !names.length;
    const { running = 0, waiting = 0, unread = 0 } = found.states;
    queue.textContent = [unread ? `Reading ${number(unread)} more runs.` : "", waiting ? `${number(running)} running, ${number(waiting)} waiting: ${number(found.queue.at_once)} run at once.` : "", found.queue.note || ""].join(" ").trim();
  }

  function draw() {
    compare.disabled = chosen.size < 2 || chosen.size > 8;
    drawFilters();
    told.textContent = found.matched < found.total ? `${number(found.matched)} of ${number(found.total)} runs` : "";
    more.replaceChildren(...(found.runs.length < found.matched ? [h("button", { type: "button", onclick: () => { count = Math.min(1000, 2 * count); load().catch(fail); } }, "Show more"), h("span", { class: "small soft num" }, `${number(found.runs.length)} of ${number(found.matched)} shown`)] : []));
    if (!found.total) return list.replaceChildren(h("p", { class: "soft" }, "There are no runs yet. kuhn-coevolution takes about ten seconds and finds the equilibrium of Kuhn poker."));
    const heads = COLUMNS.map(([title, kind]) => h("th", { scope: "col", class: kind || null, "aria-sort": by === title ? (down ? "descending" : "ascending") : null },
      h("button", { type: "button", onclick: () => { down = by === title ? !down : ["figure", "changed", "progress"].includes(title); by = title; address(); load().catch(fail); } }, title, h("span", { "aria-hidden": "true" }, by === title ? (down ? " ↓" : " ↑") : ""))));
    return list.replaceChildren(h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "runs" }, h("table", { class: "runs" }, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, h("span", { class: "hidden" }, "compare")), heads)), h("tbody", {}, found.runs.map(row)))));
  }

  function row(run) {
    const left = run.state === "running" && run.seconds_left !== null ? `${duration(run.seconds_left)} left` : null;
    const steps = run.of ? `${number(run.generations)} / ${number(run.of)}` : "";
    const edit = (what) => { editing = [run.name, what]; draw(); list.querySelector("#title, #tags")?.focus(); };
    const menu = h("details", { class: "menu" }, h("summary", { "aria-label": `more for ${run.name}` }, "more"), h("div", { class: "row" },
      h("button", { type: "button", onclick: () => edit("title") }, "Rename"),
      h("button", { type: "button", onclick: () => edit("tags") }, "Tags"),
      run.state === "waiting" ? h("button", { type: "button", onclick: () => act(`/api/runs/${run.name}/cancel`, {}) }, "Cancel waiting") : null,
      run.wrong ? null : h("a", { class: "button", href: `/runs/new?run=${encodeURIComponent(run.name)}` }, "Repeat with changes"),
      h("button", { type: "button", disabled: ["running", "waiting"].includes(run.state), title: run.state === "running" ? "stop it first" : run.state === "waiting" ? "cancel it first" : "nothing is destroyed: it can be restored", onclick: () => act(`/api/runs/${run.name}/discard`, {}) }, "Move to the bin")));
    return h("tr", { "data-run": run.name },
      h("td", {}, h("input", { type: "checkbox", checked: chosen.has(run.name), "aria-label": `compare ${run.name}`, onchange: (event) => { event.target.checked ? chosen.add(run.name) : chosen.delete(run.name); compare.disabled = chosen.size < 2 || chosen.size > 8; } })),
      h("td", {}, editing?.[0] === run.name ? editor(run, editing[1]) : h("a", { href: `/runs/${run.name}` }, runName(run)), h("div", { class: "small soft wide-only", style: "overflow-wrap:anywhere" }, run.name), tagChips(run.tags, (one) => { tag.append(h("option", { value: one })); tag.value = one; search(); }), menu),
      h("td", { class: "wide-only" }, run.game || run.kind || ""),
      h("td", {}, stateChip(run), run.of ? h("div", { class: "small soft num narrow-only" }, steps) : null, left ? h("div", { class: "small soft num left" }, left) : null, run.position ? h("div", { class: "small soft num" }, `${run.position}. in the queue`) : null),
      h("td", { class: "wide-only" }, run.of ? [h("div", { class: "bar", role: "img", "aria-label": `${run.generations} of ${run.of} steps` }, h("i", { style: `width:${(100 * run.generations) / run.of}%` })), h("span", { class: "small soft num" }, steps)] : null),
      h("td", { class: "n" }, run.wrong ? h("span", { class: "warn small" }, run.wrong) : [h("b", {}, number(run.value, 4)), h("div", { class: "small soft", style: "white-space:normal" }, run.primary_metric || "")]),
      h("td", { class: "wide-only" }, sparkline(run.curve, `curve of ${run.primary_metric || "its primary metric"}`), run.changed ? h("div", { class: "small soft num" }, when(run.changed)) : null));
  }

  // The title or the tags of a run, as a field in its row.
  function editor(run, what) {
    const field = h("input", what === "title" ? { id: "title", value: run.title || "", maxlength: "120", "aria-label": `title of ${run.name}` } : { id: "tags", value: run.tags.join(", "), maxlength: "400", "aria-label": `tags of ${run.name}, with commas between them` });
    const end = () => { editing = null; draw(); };
    const body = () => (what === "title" ? { title: field.value } : { tags: field.value.split(",").map((one) => one.trim()).filter(Boolean) });
    return h("form", { class: "row", onsubmit: (event) => { event.preventDefault(); act(`/api/runs/${run.name}/${what}`, body(), () => { editing = null; wrong.textContent = ""; }); }, onkeydown: (event) => event.key === "Escape" && end() }, field, h("button", { class: "main" }, "Save"), h("button", { type: "button", onclick: end }, "Cancel"));
  }

  async function drawBin() {
    const { runs: binned } = await ask("/api/bin");
    const open = bin.querySelector("details")?.open;
    bin.replaceChildren(...(binned.length ? [h("details", { open }, h("summary", {}, `Bin: ${number(binned.length)} run${binned.length === 1 ? "" : "s"}`),
      h("table", {}, h("thead", { class: "hidden" }, h("tr", {}, ["run", "restore"].map((title) => h("th", { scope: "col" }, title)))), h("tbody", {}, binned.map((run) => h("tr", {}, h("td", {}, runName(run), h("div", { class: "small soft", style: "overflow-wrap:anywhere" }, run.name)), h("td", { class: "n" }, h("button", { type: "button", onclick: () => act(`/api/bin/${run.name}/restore`, {}) }, "Restore")))))),
      h("p", { class: "small soft" }, "They are in the folder .bin among the runs; delete them there to free their space."))] : []));
  }
  drawFilters();
  ask("/api/presets").then(({ families }) => preset.append(...families.map((family) => h("optgroup", { label: family.title }, family.presets.map((one) => h("option", { value: one.name }, `${one.name}: ${one.title}`))))), fail);
  await load();
  drawBin().catch(fail);
  const timer = setInterval(() => { if (!list.contains(document.activeElement) && !editing && !list.querySelector("details[open]")) load().catch(() => {}); }, 2500);
  return () => { clearInterval(timer); clearTimeout(soon); };
}

// Tags of a run, each a button that filters by it.
function tagChips(names, choose) {
  return names?.length ? h("div", { class: "tags" }, names.map((one) => h("button", { type: "button", class: "chip", title: `only runs with the tag ${one}`, onclick: () => choose(one) }, one))) : null;
}

function when(seconds) {
  const at = new Date(1000 * seconds);
  return at.toLocaleString("en-GB", { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });
}
