// Every page: light or dark, folded parts that open when something in them is asked for, and print.
(function () {
  "use strict";
  const root = document.documentElement;
  root.classList.add("js");
  const WORDS = { "✓": "reproduced", "◐": "reproduced in part", "✗": "not reproduced", "?": "cannot tell", "–": "not testable" };

  // Light or dark: what the reader chose last, else what the system asks for. Runs before the body is drawn.
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

  // In print all is open and light; afterwards everything is as it was.
  let before = null;
  let opened = [];
  window.addEventListener("beforeprint", () => {
    before = root.dataset.theme;
    if (before === "dark") use("light");
    opened = [...document.querySelectorAll("main details:not([open])")];
    for (const fold of opened) fold.open = true;
    for (const picture of document.querySelectorAll("img[loading=lazy]")) picture.loading = "eager";
  });
  window.addEventListener("afterprint", () => {
    if (before === "dark") use("dark");
    for (const fold of opened) fold.open = false;
  });

  // A row that explains the row above it: its button opens it.
  function unfold(button, open) {
    button.setAttribute("aria-expanded", String(open));
    document.getElementById(button.getAttribute("aria-controls")).classList.toggle("open", open);
  }

  function named(hash) {
    try { return document.getElementById(decodeURIComponent(hash.slice(1))); } catch { return null; /* no address of ours */ }
  }

  // What an address names is opened, with all it stands in.
  function reveal() {
    const target = location.hash.length > 1 && named(location.hash);
    if (!target) return;
    const button = target.querySelector("button[aria-controls]");
    if (button && target.matches("tr")) unfold(button, true);
    for (let fold = target.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
    target.scrollIntoView();
  }

  // One of several sheets is shown: that which the selector before them names.
  function choose(selector) {
    for (const option of selector.options) {
      document.getElementById(option.value).classList.toggle("chosen", option.selected);
    }
  }

  // A square of a strip is named by its place among the readings of the page when it is pointed at.
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
    // contents stand open beside the text where there is room, and folded above it where there is not
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
