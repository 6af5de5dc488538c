// A preset as a form, made from its schema; every error is shown at its field.
import { ask, h } from "./dom.js";
import { go } from "./main.js";

export async function show(room, preset) {
  const form = await ask(`/api/presets/${preset}`);
  const inputs = new Map();
  const groups = new Map();
  for (const field of form.fields) {
    const [group, name] = field.key.includes(".") ? field.key.split(/\.(.*)/) : ["the experiment", field.key];
    if (!groups.has(group)) groups.set(group, []);
    groups.get(group).push(one(field, name, inputs));
  }
  const wrong = h("p", { class: "warn", role: "alert" });
  const workers = h("input", { type: "number", id: "workers", min: "1", max: "64", value: "1" });
  const element = h("form", { novalidate: true, onsubmit: async (event) => {
    event.preventDefault();
    wrong.textContent = "";
    for (const each of inputs.values()) each.mark("");
    const values = Object.fromEntries([...inputs].filter(([, each]) => each.changed()).map(([key, each]) => [key, each.read()]));
    try {
      const started = await ask("/api/runs", { preset, values, workers: Number(workers.value) || 1 });
      go(`/runs/${started.name}`);
    } catch (error) {
      const loose = [];
      for (const { field, said } of error.fields || []) inputs.has(field) ? inputs.get(field).mark(said) : loose.push(said);
      wrong.textContent = error.fields?.length ? loose.join("; ") || "Some fields are invalid." : error.message;
      element.querySelector("[aria-invalid=true]")?.focus();
    }
  } },
    h("section", { class: "sheet" }, h("p", {}, form.about || form.title), h("div", { class: "row" }, h("button", { class: "main" }, "Start the run"), h("label", { for: "workers" }, "workers", workers)), wrong),
    [...groups].map(([group, fields], place) => place === 0 ? h("fieldset", { class: "sheet" }, h("legend", {}, group), h("div", { class: "fields" }, fields)) : h("fieldset", { class: "sheet" }, h("legend", {}, group), h("div", { class: "fields" }, fields))));
  room.append(h("h1", {}, form.title || preset), element);
}

function one(field, name, inputs) {
  const id = `field-${field.key}`;
  const text = (value) => (Array.isArray(value) ? value.join(", ") : value === null || value === undefined ? "" : String(value));
  let input;
  if (field.kind === "choice") input = h("select", { id }, field.choices.map((choice) => h("option", { value: choice, selected: choice === field.value }, choice)));
  else if (field.kind === "boolean") input = h("input", { type: "checkbox", id, checked: Boolean(field.value) });
  else input = h("input", { id, type: "text", inputmode: ["integer", "number"].includes(field.kind) ? "decimal" : null, value: text(field.value), placeholder: field.optional ? "optional" : null });
  const before = field.kind === "boolean" ? input.checked : input.value;
  const said = h("span", { class: "wrong", id: `${id}-wrong` });
  input.setAttribute("aria-describedby", said.id);
  const read = () => {
    if (field.kind === "boolean") return input.checked;
    const given = input.value.trim();
    if (field.kind === "array") return given ? given.split(",").map((item) => item.trim()) : [];
    if (given === "" && field.optional) return null;
    if (["integer", "number"].includes(field.kind) && given !== "" && Number.isFinite(Number(given))) return Number(given);
    return given;
  };
  inputs.set(field.key, { read, changed: () => (field.kind === "boolean" ? input.checked : input.value) !== before, mark(sentence) { said.textContent = sentence; sentence ? input.setAttribute("aria-invalid", "true") : input.removeAttribute("aria-invalid"); } });
  const bounds = field.least !== undefined || field.most !== undefined ? ` (${field.least ?? ""} … ${field.most ?? ""})` : "";
  return h("label", { class: "field", for: id }, h("span", {}, name.replaceAll("_", " ") + bounds), input, said);
}
