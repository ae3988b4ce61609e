// Light or dark: what the reader chose last, else what the system asks for. Runs before the body is drawn.
(function () {
  "use strict";
  const root = document.documentElement;
  const system = window.matchMedia("(prefers-color-scheme: dark)");
  const remembered = () => { try { return localStorage.getItem("slotwise-theme"); } catch { return null; } };
  const remember = (mode) => { try { localStorage.setItem("slotwise-theme", mode); } catch { /* a page from a file may not */ } };

  function use(mode) {
    root.dataset.theme = mode;
    const button = document.getElementById("theme");
    if (button) button.textContent = mode === "dark" ? "Light" : "Dark";
    document.dispatchEvent(new CustomEvent("slotwise:theme", { detail: mode }));
  }

  use(remembered() || (system.matches ? "dark" : "light"));
  system.addEventListener("change", () => { if (!remembered()) use(system.matches ? "dark" : "light"); });
  let before = null;
  window.addEventListener("beforeprint", () => { before = root.dataset.theme; if (before === "dark") use("light"); });
  window.addEventListener("afterprint", () => { if (before === "dark") use("dark"); });
  document.addEventListener("DOMContentLoaded", () => {
    use(root.dataset.theme);
    document.getElementById("theme").addEventListener("click", () => {
      const mode = root.dataset.theme === "dark" ? "light" : "dark";
      remember(mode);
      use(mode);
    });
  });
})();
