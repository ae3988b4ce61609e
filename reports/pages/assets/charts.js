// Draws a chart when it comes into view, as wide as its place and in the page's theme; until then a picture stands there.
// Specifications and the drawing library are scripts, fetched with the first chart, because pages open from a folder.
(function () {
  "use strict";
  const LEAST_PANEL = 250; // pixels a panel needs, its labels included
  const TRIES = 4;
  const AHEAD = "150px"; // how far below the window a chart is begun
  const charts = new Map(
    [...document.querySelectorAll("[data-chart]")].map((place) => [place, { place, spec: null, view: null, wanted: false }]),
  );

  const specs = {};
  window.slotwiseChart = (name, spec) => { specs[name] = spec; };

  const scripts = {};
  function load(source) {
    scripts[source] ||= new Promise((resolve, reject) => {
      const element = document.createElement("script");
      element.src = source;
      element.onload = resolve;
      element.onerror = () => reject(new Error(`${source} could not be loaded`));
      document.head.append(element);
    });
    return scripts[source];
  }

  async function specified(chart) {
    const name = chart.place.dataset.chart;
    await Promise.all([load("assets/vega.js"), load("assets/themes.js"), load(`${name}.js`)]);
    chart.spec = specs[name];
  }

  const columnsOf = (spec) => (spec.concat || spec.facet ? spec.columns || 1 : 1);

  // Return how many columns of a legend fit, each as wide as the longest word of a scale.
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

  function sized(spec, panel, columns) {
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
      copy.width = panel;
    }
    return copy;
  }

  async function embed(chart, onto, spec, width) {
    if (chart.view) chart.view.finalize();
    const result = await window.vegaEmbed(onto, spec, {
      renderer: "svg", actions: false, config: themeFor(spec, width), mode: "vega-lite", tooltip: { theme: "custom" },
      logLevel: 1, // errors only
    });
    chart.view = result;
    const svg = onto.querySelector("svg");
    return Number(svg.getAttribute("width")) || svg.getBoundingClientRect().width;
  }

  // Labels make a chart wider than its panels: draw, measure, and give the difference to the panels. The picture or the old chart
  // stays until the new one is done.
  async function draw(chart) {
    if (!chart.spec) await specified(chart);
    const theme = document.documentElement.dataset.theme;
    const width = Math.floor(chart.place.clientWidth);
    const onto = document.createElement("div");
    onto.className = "drawing";
    chart.place.append(onto);
    const columns = Math.max(1, Math.min(columnsOf(chart.spec), Math.floor(width / LEAST_PANEL)));
    let panel = Math.floor((width - 70) / columns) - 30;
    for (let attempt = 0; attempt < TRIES; attempt += 1) {
      const spare = width - (await embed(chart, onto, sized(chart.spec, panel, columns), width));
      if (spare >= 0 && spare < 4 * columns) break;
      panel = Math.max(140, panel + Math.floor(spare / columns));
    }
    const svg = onto.querySelector("svg");
    svg.style.setProperty("--whole", `${svg.getAttribute("height")}px`); // what the figure of a first screen shrinks from
    for (const old of [...chart.place.children]) if (old !== onto) old.remove();
    onto.className = "";
    chart.place.dataset.drawn = theme;
  }

  // One after the other, so that the page stays responsive while several charts are drawn.
  let running = Promise.resolve();
  function want(chart) {
    chart.wanted = true;
    running = running.then(() => draw(chart)).catch((error) => {
      chart.place.dataset.drawn = "failed"; // the picture stays
      console.warn(error.message);
    });
  }
  const again = () => { for (const chart of charts.values()) if (chart.wanted) want(chart); };

  let width = window.innerWidth;
  let timer = 0;
  window.addEventListener("resize", () => {
    if (window.innerWidth === width) return;
    width = window.innerWidth;
    clearTimeout(timer);
    timer = setTimeout(again, 150);
  });
  document.addEventListener("slotwise:theme", again);

  // The page itself comes first: charts begin when it has been loaded.
  window.addEventListener("load", () => {
    const seen = new IntersectionObserver((entries) => {
      for (const entry of entries) {
        if (!entry.isIntersecting) continue;
        seen.unobserve(entry.target);
        want(charts.get(entry.target));
      }
    }, { rootMargin: `${AHEAD} 0px` });
    for (const place of charts.keys()) seen.observe(place);
  });
})();
