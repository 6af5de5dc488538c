// A preset or a run as a form, made from its schema: five fields first, the rest folded; every error at its field.
import { ask, h } from "./dom.js";
import { go } from "./main.js";

export async function show(room, preset) {
  const run = preset ? null : new URLSearchParams(location.search).get("run") || "";
  const form = await ask(run === null ? `/api/presets/${preset}` : `/api/runs/${encodeURIComponent(run)}/form`);
  const inputs = new Map();
  const groups = new Map();
  const first = form.fields.filter((field) => field.first).map((field) => one(field, label(field.key), inputs));
  for (const field of form.fields.filter((each) => !each.first)) {
    const [group, name] = field.key.includes(".") ? field.key.split(/\.(.*)/) : ["the experiment", field.key];
    if (!groups.has(group)) groups.set(group, []);
    groups.get(group).push(one(field, label(name), inputs));
  }
  const rest = form.fields.length - first.length;
  const wrong = h("p", { class: "warn", role: "alert" });
  const workers = h("input", { type: "number", id: "workers", min: "1", max: "64", value: "1" });
  const element = h("form", { novalidate: true, onsubmit: async (event) => {
    event.preventDefault();
    wrong.textContent = "";
    for (const each of inputs.values()) each.mark("");
    const values = Object.fromEntries([...inputs].filter(([, each]) => each.changed()).map(([key, each]) => [key, each.read()]));
    try {
      const started = await ask("/api/runs", { ...(run === null ? { preset } : { run }), values, workers: Number(workers.value) || 1 });
      go(`/runs/${started.name}`);
    } catch (error) {
      const loose = [];
      for (const { field, message } of error.fields || []) inputs.has(field) ? inputs.get(field).mark(message) : loose.push(message);
      wrong.textContent = error.fields?.length ? loose.join("; ") || "Some fields are invalid." : error.message;
      for (const field of element.querySelectorAll("[aria-invalid=true]")) field.closest("details")?.setAttribute("open", "");
      element.querySelector("[aria-invalid=true]")?.focus();
    }
  } },
    h("section", { class: "sheet" }, h("p", {}, form.about || form.title),
      run === null ? null : h("p", { class: "small soft" }, `The settings of ${run}. Without a seed a new one is drawn.`),
      h("div", { class: "fields first" }, first),
      h("div", { class: "row", style: "margin-top:.9rem" }, h("button", { class: "main" }, "Start the run"), h("label", { for: "workers", title: "processes that compute at once" }, "workers", workers)), wrong),
    rest ? h("details", { class: "sheet fold-in", id: "further" }, h("summary", {}, `${rest} further settings`),
      [...groups].map(([group, fields]) => h("fieldset", {}, h("legend", {}, label(group)), h("div", { class: "fields" }, fields)))) : null);
  room.append(h("h1", {}, run === null ? form.title || preset : `Repeat: ${form.title || run}`), element);
}

const label = (name) => name.replaceAll("_", " ").replaceAll(".", " ");

function one(field, name, inputs) {
  const id = `field-${field.key}`;
  const text = (value) => (Array.isArray(value) ? value.join(", ") : value === null || value === undefined ? "" : String(value));
  const more = [];
  let input;
  if (field.kind === "choice") input = h("select", { id }, field.choices.map((choice) => h("option", { value: choice, selected: choice === field.value }, choice)));
  else if (field.kind === "boolean") input = h("input", { type: "checkbox", id, checked: Boolean(field.value) });
  else input = h("input", { id, type: "text", inputmode: ["integer", "number"].includes(field.kind) ? "decimal" : null, value: text(field.value), placeholder: field.optional ? "optional" : null });
  if (field.suggestions && field.kind === "array") more.push(adder(input, field, name));
  else if (field.suggestions) {
    input.setAttribute("list", `${id}-names`);
    more.push(h("datalist", { id: `${id}-names` }, field.suggestions.map((each) => h("option", { value: each }))));
  }
  const before = field.kind === "boolean" ? input.checked : input.value;
  const said = h("span", { class: "wrong", id: `${id}-wrong` });
  const help = h("small", { class: "help", id: `${id}-help` }, field.help);
  input.setAttribute("aria-describedby", `${help.id} ${said.id}`);
  const typed = (given) => (["integer", "number"].includes(field.kind) && given !== "" && Number.isFinite(Number(given)) ? Number(given) : given);
  const read = () => {
    if (field.kind === "boolean") return input.checked;
    const given = input.value.trim();
    if (field.kind === "array") return given ? given.split(",").map((item) => item.trim()) : [];
    if (given === "" && field.optional) return null;
    if (field.kind === "choice") return field.choices.find((choice) => String(choice) === given) ?? given;
    return typed(given);
  };
  inputs.set(field.key, { read, changed: () => (field.kind === "boolean" ? input.checked : input.value) !== before, mark(sentence) { said.textContent = sentence; sentence ? input.setAttribute("aria-invalid", "true") : input.removeAttribute("aria-invalid"); } });
  const [min, max] = [field.min, field.max].map((bound) => (bound === undefined ? null : bound.toLocaleString("en")));
  const bounds = min !== null && max !== null ? ` (${min} to ${max})` : min !== null ? ` (at least ${min})` : max !== null ? ` (at most ${max})` : "";
  return h("div", { class: "field" }, h("label", { for: id }, name), input, ...more, help, bounds ? h("small", { class: "help" }, `Allowed:${bounds.replace(/[()]/g, "")}.`) : null, said);
}

// A list of names as text, and a drop-down that adds one of the known names to it.
function adder(input, field, name) {
  const select = h("select", { "aria-label": `add to ${name}`, onchange: () => {
    if (select.value) input.value = [...input.value.split(",").map((item) => item.trim()).filter(Boolean), select.value].join(", ");
    select.value = "";
  } }, h("option", { value: "" }, "add …"), field.suggestions.map((each) => h("option", { value: each }, each)));
  return select;
}
