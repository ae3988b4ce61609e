// Draws every chart of the page at the width there is, in the page's theme; panels stack where the page is narrow.
(function () {
  "use strict";
  const LEAST_PANEL = 250; // pixels a panel needs, its labels included
  const TRIES = 4;
  const charts = [...document.querySelectorAll("[data-chart]")].map((place) => ({
    place,
    spec: JSON.parse(document.getElementById(place.dataset.chart).textContent),
    view: null,
    turn: 0,
  }));

  const columnsOf = (spec) => (spec.concat || spec.facet ? spec.columns || 1 : 1);

  // Columns of a legend that fit: as wide as the longest word a scale names.
  function legendColumns(spec, width) {
    const words = [];
    JSON.stringify(spec, (key, value) => {
      if (key === "domain" && Array.isArray(value)) words.push(...value.filter((word) => typeof word === "string"));
      return key === "values" ? undefined : value;
    });
    const longest = words.reduce((most, word) => Math.max(most, word.length), 12);
    return Math.max(1, Math.floor((width - 110) / (longest * 7 + 30)));
  }

  function themeFor(spec, width) {
    const config = structuredClone(window.slotwiseThemes[document.documentElement.dataset.theme]);
    config.axis.labelLimit = width < 500 ? 160 : 230;
    config.legend.columns = legendColumns(spec, width);
    return config;
  }

  function sized(spec, width, panel, columns) {
    const copy = structuredClone(spec);
    if (copy.concat) {
      copy.columns = columns;
      copy.concat.forEach((part) => { part.width = panel; });
      // charts that leave out words for which a mark is too narrow ask for the width
      for (const one of copy.params || []) if (one.name === "panel_width") one.value = panel;
    } else if (copy.facet) {
      copy.columns = columns;
      copy.spec.width = panel;
    } else {
      copy.width = width;
      copy.autosize = { type: "fit-x", contains: "padding" };
    }
    return copy;
  }

  async function embed(chart, spec, width) {
    if (chart.view) chart.view.finalize();
    const result = await window.vegaEmbed(chart.place, spec, {
      renderer: "svg", actions: false, config: themeFor(spec, width), mode: "vega-lite", tooltip: { theme: "custom" },
      logLevel: 1, // errors only
    });
    chart.view = result;
    return chart.place.querySelector("svg").getBoundingClientRect().width;
  }

  // Labels make a chart wider than its panels: draw, measure, and give the difference to the panels.
  async function draw(chart) {
    const turn = ++chart.turn;
    const width = Math.floor(chart.place.clientWidth);
    const columns = Math.max(1, Math.min(columnsOf(chart.spec), Math.floor(width / LEAST_PANEL)));
    let panel = Math.floor((width - 70) / columns) - 30;
    chart.place.style.overflow = "visible";
    for (let attempt = 0; attempt < TRIES && turn === chart.turn; attempt += 1) {
      chart.place.dataset.natural = "1";
      const got = natural(chart, await embed(chart, sized(chart.spec, width, panel, columns), width));
      const spare = width - got;
      if (!(chart.spec.concat || chart.spec.facet) || (spare >= 0 && spare < 4 * columns)) break;
      panel = Math.max(140, panel + Math.floor(spare / columns));
    }
    chart.place.style.overflow = "";
    chart.place.dataset.drawn = document.documentElement.dataset.theme;
  }

  function natural(chart, measured) {
    const svg = chart.place.querySelector("svg");
    return Number(svg.getAttribute("width")) || measured;
  }

  // One after the other, so that the page stays responsive while a dozen charts are drawn.
  let running = Promise.resolve();
  function drawAll() {
    running = running.then(async () => { for (const chart of charts) await draw(chart); });
    return running;
  }

  let width = window.innerWidth;
  let timer = 0;
  window.addEventListener("resize", () => {
    if (window.innerWidth === width) return;
    width = window.innerWidth;
    clearTimeout(timer);
    timer = setTimeout(drawAll, 150);
  });
  document.addEventListener("slotwise:theme", drawAll);
  document.addEventListener("DOMContentLoaded", drawAll);
})();
