// What axe-core would ask of names, contrast and order, with what the browser itself knows: a list of what is wrong.
() => {
  const wrong = [];
  const shown = (e) => { const b = e.getBoundingClientRect(); const s = getComputedStyle(e); return b.width > 1 && b.height > 1 && s.visibility !== "hidden" && s.display !== "none" && !e.closest(".hidden"); };
  const told = (e) => `${e.tagName.toLowerCase()}.${e.className || ""} ${JSON.stringify((e.textContent || "").trim().slice(0, 30))}`;
  const name = (e) => (e.getAttribute("aria-label") || (e.labels && [...e.labels].map((l) => l.textContent).join(" ")) || e.textContent || e.title || "").trim();
  for (const e of document.querySelectorAll("button, a[href], input, select, textarea, [role=img], [role=region], summary")) if (shown(e) && !name(e)) wrong.push(`no name: ${told(e)}`);
  for (const e of document.querySelectorAll("img")) if (!e.hasAttribute("alt")) wrong.push("img without alt");
  const ids = [...document.querySelectorAll("[id]")].map((e) => e.id);
  for (const id of new Set(ids)) if (ids.filter((one) => one === id).length > 1) wrong.push(`id ${id} twice`);
  if (document.querySelectorAll("h1").length !== 1) wrong.push(`${document.querySelectorAll("h1").length} h1`);
  let last = 1;
  for (const e of document.querySelectorAll("main h1, main h2, main h3, main h4")) { const n = Number(e.tagName[1]); if (n > last + 1) wrong.push(`heading jumps: ${told(e)}`); last = n; }
  if (!document.documentElement.lang) wrong.push("no language");
  if (!document.querySelector("main") || !document.querySelector("nav[aria-label]")) wrong.push("no landmarks");
  for (const e of document.querySelectorAll("[tabindex]")) if (e.tabIndex > 0) wrong.push(`focus order forced: ${told(e)}`);
  for (const e of document.querySelectorAll("table")) if (!e.querySelector("th") && shown(e)) wrong.push("table without headers");
  const canvas = document.createElement("canvas"); canvas.width = canvas.height = 1;
  const brush = canvas.getContext("2d", { willReadFrequently: true });
  const rgba = (colour) => { brush.clearRect(0, 0, 1, 1); brush.fillStyle = colour; brush.fillRect(0, 0, 1, 1); const d = brush.getImageData(0, 0, 1, 1).data; return [d[0], d[1], d[2], d[3] / 255]; };
  const over = (top, below) => top.slice(0, 3).map((c, i) => c * top[3] + below[i] * (1 - top[3]));
  const ground = (e) => { let layers = []; for (let n = e; n; n = n.parentElement) { const c = rgba(getComputedStyle(n).backgroundColor); if (c[3] > 0) layers.push(c); if (c[3] === 1) break; } let base = [255, 255, 255]; for (const c of layers.reverse()) base = over(c, base); return base; };
  const light = (c) => { const [r, g, b] = c.map((v) => { v /= 255; return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; }); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const seen = new Set();
  while (walker.nextNode()) {
    const e = walker.currentNode.parentElement;
    if (!walker.currentNode.textContent.trim() || seen.has(e) || !shown(e) || e.closest("svg, option, .chart, :disabled, noscript, script")) continue;
    seen.add(e);
    let faded = 1; for (let n = e; n; n = n.parentElement) faded *= Number(getComputedStyle(n).opacity);
    const s = getComputedStyle(e), below = ground(e), ink = rgba(s.color); ink[3] *= e.closest(".cards") ? 1 : faded;
    const [a, b] = [light(over(ink, below)), light(below)].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05), size = parseFloat(s.fontSize), large = size >= 24 || (size >= 18.66 && Number(s.fontWeight) >= 700);
    if (ratio < (large ? 3 : 4.5) - 0.01) wrong.push(`contrast ${ratio.toFixed(2)}: ${told(e)}`);
  }
  return wrong;
}
