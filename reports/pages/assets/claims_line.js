// The common number line: 0 is no effect, 1 the printed value; each row of a claim has a lane.
(function () {
  "use strict";
  const [LEAST, MOST, WIDTH, EDGE] = [-1, 2.2, 210, 7];
  const LANES = 40; // rows that are drawn; the table of evidence has all
  const NAMESPACE = "http://www.w3.org/2000/svg";
  const x = (value) => EDGE + ((Math.min(MOST, Math.max(LEAST, value)) - LEAST) / (MOST - LEAST)) * (WIDTH - 2 * EDGE);
  const outside = (value) => value < LEAST || value > MOST;

  function part(name, attributes) {
    const element = document.createElementNS(NAMESPACE, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    return element;
  }

  function mark(row, y, radius, className) {
    const [value, low, high] = row.at;
    const group = part("g", { class: className(row.verdict) });
    if (low !== null && high !== null) group.append(part("line", { x1: x(low), x2: x(high), y1: y, y2: y }));
    if (outside(value)) {
      const [tip, back] = value > MOST ? [WIDTH - 1, WIDTH - 7] : [1, 7];
      group.append(part("path", { d: `M${tip} ${y}L${back} ${y - 4}V${y + 4}Z` }));
    } else group.append(part("circle", { cx: x(value), cy: y, r: radius }));
    return group;
  }

  function told(claim) {
    const row = claim.evidence[0];
    const printed = row.printed ? `; printed ${row.printed}` : "";
    return `Found ${claim.brief}${printed}`;
  }

  function line(claim, className) {
    const rows = claim.evidence.filter((row) => row.at[0] !== null).slice(0, LANES);
    if (!claim.line || !rows.length) return document.createTextNode("");
    const lane = rows.length <= 4 ? 10 : Math.max(2.6, Math.min(7, 60 / rows.length));
    const height = Math.max(20, rows.length * lane + 8);
    const svg = part("svg", { class: "number-line", viewBox: `0 0 ${WIDTH} ${height}`, width: WIDTH, height, role: "img",
      "aria-label": told(claim) });
    svg.append(part("line", { class: "none", x1: x(0), x2: x(0), y1: 0, y2: height }));
    if (claim.line !== "bound") svg.append(part("line", { class: "printed", x1: x(1), x2: x(1), y1: 0, y2: height }));
    rows.forEach((row, place) => {
      const y = height / 2 + (place - (rows.length - 1) / 2) * lane;
      svg.append(mark(row, y, Math.max(1.6, Math.min(4, lane / 2.2)), className));
    });
    return svg;
  }

  function axis() {
    const svg = part("svg", { class: "number-line", viewBox: `0 0 ${WIDTH} 14`, width: WIDTH, height: 14, "aria-hidden": "true" });
    for (const [value, words] of [[0, "no effect"], [1, "printed"]]) {
      const text = part("text", { x: x(value), y: 11, "text-anchor": "middle" });
      text.textContent = words;
      svg.append(text);
    }
    return svg;
  }

  Object.assign(window.slotwiseExplorer, { line, axis });
})();
