// The shell: chooses the page, follows links without reloading, handles dropped files and the theme.
import { h, remember } from "./dom.js";

const PAGES = [
  [/^\/$/, () => import("./home.js")],
  [/^\/table\/([\w-]+)$/, () => import("./table.js")],
  [/^\/hands$/, () => import("./hands.js")],
  [/^\/runs$/, () => import("./runs.js")],
  [/^\/runs\/new\/([\w.-]+)$/, () => import("./form.js")],
  [/^\/runs\/new$/, () => import("./form.js")],
  [/^\/runs\/compare$/, () => import("./compare.js")],
  [/^\/runs\/([\w.-]+)$/, () => import("./run.js")],
  [/^\/players$/, () => import("./players.js")],
  [/^\/atlas$/, () => import("./atlas.js")],
  [/^\/leaderboard$/, () => import("./leaderboard.js")],
  [/^\/papers$/, () => import("./papers.js")],
  [/^\/api\/docs$/, () => import("./docs.js")],
];
const main = document.getElementById("main");
let leave = null;
let shown = 0;

async function show() {
  const mine = ++shown;
  leave?.();
  leave = null;
  const path = decodeURIComponent(location.pathname).replace(/\/+$/, "") || "/";
  const found = PAGES.map(([pattern, load]) => [pattern.exec(path), load]).find(([match]) => match);
  for (const link of document.querySelectorAll("nav a")) {
    const href = link.getAttribute("href");
    const here = href === "/" ? path === "/" || path.startsWith("/table") : path.startsWith(href);
    here ? link.setAttribute("aria-current", "page") : link.removeAttribute("aria-current");
  }
  const room = h("div");
  main.replaceChildren(room);
  try {
    if (!found) throw new Error("this page does not exist");
    const page = await found[1]();
    if (mine !== shown) return;
    const left = await page.show(room, ...found[0].slice(1));
    mine === shown ? (leave = left || null) : left?.();
    document.title = `${room.querySelector("h1")?.textContent || "Cardwin"} · Cardwin`;
  } catch (error) {
    room.replaceChildren(h("h1", {}, "Error"), h("p", { role: "alert" }, error.message), h("p", {}, h("a", { href: "/" }, "Back to the first page")));
  }
  room.dataset.ready = "true";
}

export function go(path) {
  history.pushState(null, "", path);
  main.focus({ preventScroll: true });
  scrollTo(0, 0);
  show();
}

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[href]");
  if (!link || event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  const to = new URL(link.href);
  if (to.origin !== location.origin || link.target || link.hasAttribute("download") || (to.pathname.startsWith("/api/") && to.pathname !== "/api/docs") || to.hash) return;
  event.preventDefault();
  go(to.pathname + to.search);
});
addEventListener("popstate", show);
addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", async (event) => {
  event.preventDefault();
  const file = event.dataTransfer?.files?.[0];
  if (!file) return;
  sessionStorage.setItem("hand", await file.text());
  go("/hands");
});
document.getElementById("theme").addEventListener("click", () => {
  const root = document.documentElement;
  root.dataset.theme = root.dataset.theme === "dark" ? "light" : "dark";
  try { localStorage.setItem("theme", root.dataset.theme); } catch { remember("theme", root.dataset.theme); }
  dispatchEvent(new Event("themechange"));
});
show();
