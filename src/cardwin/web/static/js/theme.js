// Sets the light or dark theme before anything is drawn: the stored choice, or that of the system.
(() => {
  let kept = null;
  try { kept = localStorage.getItem("theme"); } catch { kept = null; }
  const dark = kept ? kept === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset.theme = dark ? "dark" : "light";
})();
