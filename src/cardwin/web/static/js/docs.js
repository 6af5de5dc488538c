// The documentation of the API, from its OpenAPI description; nothing is fetched from other servers.
import { ask, h } from "./dom.js";

export async function show(room) {
  const spec = await ask("/api/openapi.json");
  const schema = (name) => spec.components?.schemas?.[name?.split("/").pop()];
  room.append(h("h1", {}, "The API"), h("p", {}, spec.info.description, " ", h("a", { href: "/api/openapi.json" }, "openapi.json")));
  const groups = new Map();
  for (const [path, methods] of Object.entries(spec.paths)) for (const [method, about] of Object.entries(methods)) {
    const tag = about.tags?.[0] || "other";
    if (!groups.has(tag)) groups.set(tag, []);
    groups.get(tag).push([method.toUpperCase(), path, about]);
  }
  for (const [tag, calls] of groups) room.append(h("section", { class: "sheet" }, h("h2", {}, tag), calls.map(([method, path, about]) => {
    const body = schema(about.requestBody?.content?.["application/json"]?.schema?.$ref);
    return h("div", { style: "margin:.8rem 0" }, h("h3", { style: "overflow-wrap:anywhere" }, h("code", {}, `${method} ${path}`)), h("p", {}, about.description || about.summary),
      about.parameters?.length ? h("ul", {}, about.parameters.map((one) => h("li", { class: "small" }, h("code", {}, one.name), ` ${one.required ? "" : "(optional) "}${one.description || ""}`))) : null,
      body ? h("p", { class: "small" }, "Body: ", Object.keys(body.properties).map((key) => `${key}${body.required?.includes(key) ? "" : "?"}`).join(", ")) : null);
  })));
  room.append(h("section", { class: "sheet" }, h("h2", {}, "A table's socket"), h("p", {}, "ws://…/api/tables/{id}/socket?token=… sends ", h("code", {}, "look"), " after every change, ", h("code", {}, "why"), " and ", h("code", {}, "refused"), "; it accepts:"), h("pre", { class: "scroll small" }, '{"do": "deal"}\n{"do": "act", "turn": 3, "move": "raise 300"}\n{"do": "why", "hand": 1, "event": 5}\n{"do": "look"}')));
}
