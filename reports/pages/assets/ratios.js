// The plot of the front page: a study's workloads under its policies, each cell a ratio with its interval.
(function () {
  "use strict";
  const studies = window.slotwiseRatios;
  const form = document.getElementById("ratio-controls");
  if (!form) return;
  const table = document.getElementById("ratio-table");
  const told = document.getElementById("ratio-told");
  const [NARROW, BROAD, HEIGHT] = [84, 190, 16]; // pixels of a cell's axis: as wide as the page has room for
  const BESIDE = 240; // pixels of the row headers
  const [LEAST, MOST, WITHIN] = [1.1, 4, 0.75]; // least and greatest end of the axis, as a factor; share of ratios on it
  const NAMESPACE = "http://www.w3.org/2000/svg";
  const study = () => studies[Number(form.elements.study.value)];
  const metric = () => study().metrics[Number(form.elements.metric.value)];

  function made(name, className, ...inside) {
    const element = document.createElement(name);
    if (className) element.className = className;
    element.append(...inside);
    return element;
  }

  function part(name, attributes) {
    const element = document.createElementNS(NAMESPACE, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    return element;
  }

  // Return the end of the axis, which three of four ratios are within; others have an arrow, with their number below.
  function reach(cells) {
    const factors = cells.map((cell) => Math.max(cell[2], 1 / cell[2])).filter(Number.isFinite).sort((a, b) => a - b);
    return Math.min(MOST, Math.max(LEAST, 1.15 * (factors[Math.floor(WITHIN * (factors.length - 1))] || LEAST)));
  }

  function picture([, , ratio, low, high], most, width) {
    const svg = part("svg", { viewBox: `0 0 ${width} ${HEIGHT}`, width, height: HEIGHT, "aria-hidden": "true" });
    const bounded = (value) => Math.min(1, Math.max(-1, value > 0 ? Math.log(value) / Math.log(most) : -1));
    const x = (value) => width / 2 + bounded(value) * (width / 2 - 6);
    const y = HEIGHT / 2;
    svg.append(part("line", { class: "none", x1: width / 2, x2: width / 2, y1: 0, y2: HEIGHT }));
    if (low !== null && high !== null) svg.append(part("line", { class: "span", x1: x(low), x2: x(high), y1: y, y2: y }));
    if (ratio > most) svg.append(part("path", { d: `M${width - 1} ${y}l-7 -4.5v9Z` }));
    else if (ratio < 1 / most) svg.append(part("path", { d: `M1 ${y}l7 -4.5v9Z` }));
    else svg.append(part("circle", { cx: x(ratio), cy: y, r: 4 }));
    return svg;
  }

  function side([, , ratio, low, high]) {
    if (low === null || high === null || (low <= 1 && high >= 1)) return "unsure";
    return ratio < 1 === (metric().better === "low") ? "gain" : "loss";
  }

  function sentence(cell) {
    const { workloads, policies, versus } = study();
    const known = cell[6] === "–" ? "; one unit alone has no interval" : ` (${cell[6]})`;
    return `${policies[cell[1]].label} on ${workloads[cell[0]]}: ${metric().label.toLowerCase()} ${cell[5]} times that of ${versus}${known}.`;
  }

  function square(cell, most, width) {
    if (!cell) return made("td", "", "");
    const element = made("td", `ratio ${side(cell)}`, picture(cell, most, width), made("span", "", cell[5]));
    element.tabIndex = -1;
    element.setAttribute("aria-label", sentence(cell));
    for (const event of ["pointerenter", "focus", "click"]) element.addEventListener(event, () => { told.textContent = sentence(cell); });
    return element;
  }

  // The longer of the two lists goes down the page.
  function draw() {
    const { workloads, policies, metrics } = study();
    const cells = metrics[Number(form.elements.metric.value)].cells;
    const most = reach(cells);
    const down = workloads.length >= policies.length;
    const [rows, columns] = [0, 1].map((place) => [...new Set(cells.map((cell) => cell[(place === 0) === down ? 0 : 1]))].sort((a, b) => a - b));
    const room = (table.parentElement.clientWidth - BESIDE) / columns.length - 16;
    const width = Math.floor(Math.min(BROAD, Math.max(NARROW, room)));
    const policyHead = (place, scope) => {
      const dot = made("span", "dot");
      dot.style.background = policies[place].colour;
      return headed(scope, dot, policies[place].label);
    };
    const workloadHead = (place, scope) => headed(scope, workloads[place]);
    const at = (row, column) => cells.find((cell) => (down ? cell[0] === row && cell[1] === column : cell[1] === row && cell[0] === column));
    const scale = most >= 1.995 ? `1/${most.toFixed(1)} to ${most.toFixed(1)}` : `${(1 / most).toFixed(2)} to ${most.toFixed(2)}`;
    const [onTop, beside] = down ? [policyHead, workloadHead] : [workloadHead, policyHead];
    table.replaceChildren(
      made("caption", "", made("span", "", `${metric().label} over that of ${study().versus}; the axis of each cell goes from ${scale}`)),
      made("thead", "", made("tr", "", headed("col", down ? "Workload" : "Policy"), ...columns.map((column) => onTop(column, "col")))),
      made("tbody", "", ...rows.map((row) => made("tr", "", beside(row, "row"), ...columns.map((column) => square(at(row, column), most, width))))),
    );
    const first = table.querySelector("td.ratio");
    if (first) first.tabIndex = 0;
    told.textContent = `${cells.length} ${cells.length === 1 ? "pair" : "pairs"} of a workload and a policy.`;
  }

  function headed(scope, ...inside) {
    const element = made("th", "", ...inside);
    element.scope = scope;
    return element;
  }

  function chooseStudy() {
    const before = form.elements.metric.selectedOptions[0]?.textContent;
    form.elements.metric.replaceChildren(...study().metrics.map((one, place) => new Option(one.label, String(place), false, one.label === before)));
    draw();
  }

  const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
  table.addEventListener("keydown", (event) => {
    const step = STEPS[event.key];
    const cell = event.target.closest("td.ratio");
    if (!step || !cell) return;
    event.preventDefault();
    let [row, column] = [cell.parentElement.sectionRowIndex, cell.cellIndex];
    for (;;) { // over cells that were not run
      [row, column] = [row + step[0], column + step[1]];
      const next = table.tBodies[0].rows[row]?.cells[column];
      if (!next || next.tagName === "TH") return;
      if (!next.classList.contains("ratio")) continue;
      [cell.tabIndex, next.tabIndex] = [-1, 0];
      next.focus();
      return;
    }
  });
  form.elements.study.addEventListener("change", chooseStudy);
  form.elements.metric.addEventListener("change", draw);
  form.addEventListener("submit", (event) => event.preventDefault());
  chooseStudy();
})();
