// What every page does: be light or dark, open folded parts that an address names, and print.
(function () {
  "use strict";
  const root = document.documentElement;
  root.classList.add("js");
  const WORDS = { "✓": "reproduced", "◐": "reproduced in part", "✗": "not reproduced", "?": "cannot tell", "–": "not testable" };

  // The theme is the reader's last choice, else the system's. This runs before the body is drawn.
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

  // For print, open all folds and use the light theme; restore both afterwards. Tables of windows have no rows until a reader opens them.
  let before = null;
  let opened = [];
  window.addEventListener("beforeprint", () => {
    before = root.dataset.theme;
    if (before === "dark") use("light");
    opened = [...document.querySelectorAll("main details:not([open], .window-jobs)")];
    for (const fold of opened) fold.open = true;
    for (const picture of document.querySelectorAll("img[loading=lazy]")) picture.loading = "eager";
  });
  window.addEventListener("afterprint", () => {
    if (before === "dark") use("dark");
    for (const fold of opened) fold.open = false;
  });

  // Open or close the row that a button controls.
  function unfold(button, open) {
    button.setAttribute("aria-expanded", String(open));
    document.getElementById(button.getAttribute("aria-controls")).classList.toggle("open", open);
  }

  function named(hash) {
    try { return document.getElementById(decodeURIComponent(hash.slice(1))); } catch { return null; /* no address of ours */ }
  }

  // Open what the address names, and every fold around it.
  function reveal() {
    const target = location.hash.length > 1 && named(location.hash);
    if (!target) return;
    const button = target.querySelector("button[aria-controls]");
    if (button && target.matches("tr")) unfold(button, true);
    for (let fold = target.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
    target.scrollIntoView();
  }

  // Show the sheet that the selector names, and hide the others.
  function choose(selector) {
    for (const option of selector.options) {
      document.getElementById(option.value).classList.toggle("chosen", option.selected);
    }
  }

  // Give a square of a strip its reading and verdict as a title when it is pointed at.
  function nameSquare(event) {
    const square = event.target.closest(".strip .square");
    if (!square || square.title) return;
    const names = document.querySelectorAll("#what-readings-follow tbody th");
    const name = names[[...square.parentElement.children].indexOf(square)];
    if (name) square.title = `${name.firstChild.textContent.trim()}: ${WORDS[square.textContent]}`;
  }

  document.addEventListener("DOMContentLoaded", () => {
    document.addEventListener("pointerover", nameSquare);
    use(root.dataset.theme);
    document.getElementById("theme").addEventListener("click", () => {
      const mode = root.dataset.theme === "dark" ? "light" : "dark";
      remember(mode);
      use(mode);
    });
    for (const button of document.querySelectorAll("button[aria-controls]")) {
      button.addEventListener("click", () => unfold(button, button.getAttribute("aria-expanded") !== "true"));
    }
    for (const selector of document.querySelectorAll("select[data-sheets]")) {
      choose(selector);
      selector.addEventListener("change", () => choose(selector));
    }
    // contents are open beside the text on wide windows, and folded above it on narrow ones
    for (const fold of document.querySelectorAll("details.contents")) fold.open = window.matchMedia("(min-width: 1000px)").matches;
    const menus = [...document.querySelectorAll("details.menu")];
    document.addEventListener("click", (event) => {
      for (const menu of menus) if (!menu.contains(event.target)) menu.open = false;
    });
    document.addEventListener("keydown", (event) => {
      const open = menus.find((menu) => menu.open);
      if (event.key !== "Escape" || !open) return;
      open.open = false;
      open.querySelector("summary").focus();
    });
    reveal();
  });
  window.addEventListener("hashchange", reveal);
})();
