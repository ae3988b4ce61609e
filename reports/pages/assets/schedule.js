// The schedule viewer: two policies above one another on the same time axis; blocks are jobs on processors.
// Input: windows with policies of rectangles (columns given once), so that any family's allocations can be shown.
(function () {
  "use strict";
  const WINDOWS = JSON.parse(document.getElementById("windows").textContent);
  const form = document.getElementById("controls");
  const MARGIN = { left: 52, right: 10, top: 6, bottom: 30 };
  const VIRIDIS = [[68, 1, 84], [65, 68, 135], [42, 120, 142], [34, 168, 132], [122, 209, 81], [253, 231, 37]];
  const MEASURES = {
    wait: { label: "wait (h)", of: (job) => job.wait, low: 0, linear: true },
    over: { label: "estimate / run time", of: (job) => job.estimate / job.run, low: 1 },
    size: { label: "processors asked", of: (job) => job.size, low: 1 },
  };
  const state = { pinned: null, hover: null, places: { above: [], below: [] } };

  function ramp(share) {
    const x = Math.min(1, Math.max(0, share)) * (VIRIDIS.length - 1);
    const i = Math.min(VIRIDIS.length - 2, Math.floor(x));
    return "rgb(" + VIRIDIS[i].map((c, k) => Math.round(c + (VIRIDIS[i + 1][k] - c) * (x - i))).join(",") + ")";
  }

  const current = () => WINDOWS[Number(form.workload.value)];
  const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

  function jobsOf(policy) {
    if (!policy.jobs) {
      policy.jobs = policy.rows.map((row) => Object.fromEntries(current().columns.map((name, i) => [name, row[i]])));
      policy.byJob = new Map(policy.jobs.map((job) => [job.job, job]));
    }
    return policy.jobs;
  }

  function chosen(side) { return current().policies[Number(form[side].value)]; }

  function most(measure) {
    let value = measure.low;
    for (const side of ["above", "below"]) for (const job of jobsOf(chosen(side))) value = Math.max(value, measure.of(job));
    return value;
  }

  function painter() {
    if (form.colour.value === "job") return (job) => `hsl(${(job.job * 137.508) % 360} 55% 55%)`;
    const measure = MEASURES[form.colour.value];
    const high = most(measure);
    const linear = (value) => (value - measure.low) / (high - measure.low || 1);
    const scale = measure.linear ? linear : (value) => Math.log1p(Math.max(0, value - measure.low)) / (Math.log1p(high - measure.low) || 1);
    return (job) => ramp(scale(measure.of(job)));
  }

  const text = (value) => {
    if (value >= 100) return Math.round(value).toLocaleString("en");
    return Number(value.toPrecision(3)).toString();
  };
  const time = (hours) => (hours < 1 / 60 ? `${Math.round(hours * 3600)} s` : hours < 1 ? `${Math.round(hours * 60)} min` : `${text(hours)} h`);

  function view() {
    const whole = current();
    const span = (whole.end - whole.begin) * Number(form.span.value);
    const begin = whole.begin + (whole.end - whole.begin - span) * Number(form.from.value);
    return { begin, end: begin + span };
  }

  function draw(side) {
    const canvas = document.getElementById(side);
    const policy = chosen(side);
    document.getElementById(`title-${side}`).textContent = policy.label;
    const box = canvas.getBoundingClientRect();
    const dense = window.devicePixelRatio || 1;
    canvas.width = box.width * dense;
    canvas.height = box.height * dense;
    const pen = canvas.getContext("2d");
    pen.scale(dense, dense);
    pen.font = '11px "DejaVu Sans", Verdana, sans-serif';
    const rows = 1 + jobsOf(policy).reduce((top, job) => Math.max(top, job.row), 0);
    const range = view();
    const area = { w: box.width - MARGIN.left - MARGIN.right, h: box.height - MARGIN.top - MARGIN.bottom };
    const x = (hour) => MARGIN.left + ((hour - range.begin) / (range.end - range.begin)) * area.w;
    const y = (row, processor) => MARGIN.top + area.h * (1 - (row + processor / current().processors) / rows);
    pen.fillStyle = css("--raised");
    pen.fillRect(MARGIN.left, MARGIN.top, area.w, area.h);
    pen.save();
    pen.beginPath();
    pen.rect(MARGIN.left, MARGIN.top, area.w, area.h);
    pen.clip();
    blocks(pen, side, policy, x, y, range);
    pen.restore();
    axes(pen, area, x, y, rows, range);
  }

  function blocks(pen, side, policy, x, y, range) {
    const paint = painter();
    const lit = state.hover ?? state.pinned;
    const places = [];
    for (const job of jobsOf(policy)) {
      if (job.end < range.begin || job.begin > range.end) continue;
      const place = { job, x: x(job.begin), y: y(job.row, job.last), w: Math.max(1, x(job.end) - x(job.begin)), h: y(job.row, job.first) - y(job.row, job.last) };
      places.push(place);
      pen.globalAlpha = lit === null || lit === job.job ? 1 : 0.35;
      pen.fillStyle = paint(job);
      pen.fillRect(place.x, place.y, place.w, place.h);
      if (place.h > 2.5 && place.w > 2.5) {
        pen.strokeStyle = css("--paper");
        pen.lineWidth = 0.7;
        pen.strokeRect(place.x, place.y, place.w, place.h);
      }
    }
    pen.globalAlpha = 1;
    pen.strokeStyle = css("--bad");
    pen.lineWidth = 2;
    for (const place of places) if (place.job.job === lit) pen.strokeRect(place.x, place.y, place.w, place.h);
    state.places[side] = places;
  }

  function axes(pen, area, x, y, rows, range) {
    pen.fillStyle = css("--soft");
    pen.strokeStyle = css("--soft");
    pen.lineWidth = 1;
    const hours = range.end - range.begin;
    const step = [0.25, 0.5, 1, 2, 3, 4, 6].find((s) => (hours / s) * 44 < area.w) || 6;
    const base = MARGIN.top + area.h;
    pen.textAlign = "center";
    for (let h = Math.ceil(range.begin / step) * step; h <= range.end; h += step) {
      pen.fillRect(x(h), base, 1, 4);
      const label = Number((h - current().begin).toFixed(2));
      if (x(h) < MARGIN.left + area.w - 12) pen.fillText(`${label >= 0 ? "+" : ""}${text(label)}`, x(h), base + 16);
    }
    pen.textAlign = "right";
    pen.fillText(`hours into the window`, MARGIN.left + area.w, base + 28);
    for (let row = 0; row < rows; row += 1) {
      const marks = [0, 0.5, 1].map((share) => Math.round(share * current().processors));
      for (const mark of marks) pen.fillText(mark.toLocaleString("en"), MARGIN.left - 6, y(row, mark) + (mark ? 8 : 0));
    }
    pen.save();
    pen.translate(11, MARGIN.top + area.h / 2);
    pen.rotate(-Math.PI / 2);
    pen.textAlign = "center";
    pen.fillText(rows > 1 ? "processors, slot by slot" : "processors", 0, 0);
    pen.restore();
  }

  function describe(id) {
    const place = document.getElementById("job");
    const found = ["above", "below"].map((side) => [chosen(side), (jobsOf(chosen(side)), chosen(side).byJob.get(id))]);
    const job = (found.find(([, one]) => one) || [])[1];
    if (!job) { place.textContent = "Point at a job."; return; }
    const started = found.map(([policy, one]) => `${policy.label}: ${one ? `waited ${time(one.wait)}` : "does not run in this window"}`);
    const same = chosen("above") === chosen("below") ? started.slice(0, 1) : started;
    const user = job.user === undefined || job.user === null ? "" : `, user ${job.user}`;
    place.textContent = `Job ${job.job}${user}: ${job.size} processors, ran ${time(job.run)}, estimate ${time(job.estimate)}` +
      `${job.outcome === "killed" ? ", killed at its estimate" : ""}. ${same.join(". ")}.`;
  }

  function at(side, event) {
    const box = event.currentTarget.getBoundingClientRect();
    const [px, py] = [event.clientX - box.left, event.clientY - box.top];
    const hit = state.places[side].find((p) => px >= p.x && px <= p.x + p.w && py >= p.y && py <= p.y + p.h);
    return hit ? hit.job.job : null;
  }

  function both() { draw("above"); draw("below"); }

  function light(id) {
    if (id === state.hover) return;
    state.hover = id;
    both();
    describe(id ?? state.pinned);
  }

  function scale() {
    const place = document.getElementById("scale");
    if (form.colour.value === "job") { place.textContent = "Colours only tell jobs apart."; return; }
    const measure = MEASURES[form.colour.value];
    const stops = VIRIDIS.map((c) => `rgb(${c.join(",")})`).join(",");
    place.innerHTML = `<span>${measure.label}${measure.linear ? "" : ", log scale"}: ${measure.low}</span><i style="background:linear-gradient(90deg,${stops})"></i><span>${text(most(measure))}</span>`;
  }

  function refresh() {
    form.from.disabled = form.span.value === "1";
    scale();
    both();
    describe(state.pinned);
  }

  function fill() {
    state.pinned = state.hover = null;
    const options = current().policies.map((policy, i) => `<option value="${i}">${policy.label.replace(/[<&]/g, " ")}</option>`).join("");
    const labels = current().policies.map((policy) => policy.label);
    form.above.innerHTML = form.below.innerHTML = options;
    // Below stands the policy whose queue chose the window, above the first other one.
    const below = Math.max(labels.indexOf(current().under), Math.min(1, labels.length - 1));
    form.above.value = String(below === 0 ? Math.min(1, labels.length - 1) : 0);
    form.below.value = String(below);
    refresh();
  }

  for (const side of ["above", "below"]) {
    const canvas = document.getElementById(side);
    canvas.addEventListener("pointermove", (event) => light(at(side, event)));
    canvas.addEventListener("pointerleave", () => light(null));
    canvas.addEventListener("click", (event) => { state.pinned = at(side, event); both(); describe(state.pinned); });
  }
  form.workload.addEventListener("change", fill);
  for (const name of ["above", "below", "colour", "span"]) form[name].addEventListener("change", refresh);
  form.from.addEventListener("input", both);
  window.addEventListener("resize", both);
  document.addEventListener("slotwise:theme", both);
  document.addEventListener("DOMContentLoaded", fill);
})();
