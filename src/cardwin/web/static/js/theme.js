// Light or dark, before anything is drawn: as was chosen here, or as the system has it.
(() => {
  let kept = null;
  try { kept = localStorage.getItem("theme"); } catch { kept = null; }
  const dark = kept ? kept === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset.theme = dark ? "dark" : "light";
})();
