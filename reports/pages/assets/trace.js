// What the reader does with the trace diagram: points, walks with the keys, chooses, moves in time.
(function () {
  "use strict";
  const { state, form, workload, policy, inTurns, jobs, intervals, phases, phaseAt, hasTurns, cycle, view, lit, clock, lasting, traits,
    facts, sentence, canvas, draw, css, CLASSES, KINDS } = window.slotwiseTrace;
  const byId = (id) => document.getElementById(id);
  const tip = byId("trace-tip");

  function tell() {
    const held = lit();
    byId("trace-job").textContent = held === null ? "Point at a job, or walk through the jobs with the arrow keys." : sentence(held);
  }

  function showTip(held, px, py) {
    tip.hidden = held === null;
    if (held === null) return;
    tip.replaceChildren();
    const head = tip.appendChild(document.createElement("b"));
    head.textContent = `Job ${held.job.job}: ${traits(held.job)}`;
    const list = tip.appendChild(document.createElement("dl"));
    for (const [term, value] of facts(held)) {
      list.appendChild(document.createElement("dt")).textContent = term;
      list.appendChild(document.createElement("dd")).textContent = value;
    }
    const room = canvas.parentElement.clientWidth;
    tip.style.left = `${Math.max(0, px + 16 + tip.offsetWidth > room ? px - 16 - tip.offsetWidth : px + 16)}px`;
    tip.style.top = `${py + 14}px`;
  }

  function at(event) {
    const box = canvas.getBoundingClientRect();
    const [px, py] = [event.clientX - box.left, event.clientY - box.top];
    const hit = state.places.find((p) => px >= p.x && px <= p.x + p.w && py >= p.y && py <= p.y + p.h && px >= state.shown.place.left);
    return { held: hit ? hit.held : null, px, py };
  }

  function light(held) {
    const number = held === null ? null : held.number;
    if (number === state.lit) return;
    state.lit = number;
    draw();
    tell();
  }

  // The neighbour of the interval in focus: before or after it in its slot, or in the next slot at the same time.
  function neighbour(key) {
    const seen = [...new Set(state.places.map((place) => place.held))];
    const from = lit();
    if (!seen.length) return null;
    if (from === null || !seen.includes(from)) return seen[0];
    const ordered = seen.filter((held) => held.slot === from.slot).sort((a, b) => a.begin - b.begin || a.runs[0][0] - b.runs[0][0]);
    if (key === "ArrowRight" || key === "ArrowLeft") {
      return ordered[ordered.indexOf(from) + (key === "ArrowRight" ? 1 : -1)] || from;
    }
    const middle = (Math.max(from.begin, state.shown.range.begin) + Math.min(from.end, state.shown.range.end)) / 2;
    const column = seen.filter((held) => held.begin <= middle && held.end > middle)
      .sort((a, b) => a.slot - b.slot || b.runs[0][0] - a.runs[0][0]);
    return column[column.indexOf(from) + (key === "ArrowDown" ? 1 : -1)] || from;
  }

  function keyed(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key.startsWith("Arrow")) {
      const held = neighbour(event.key);
      state.lit = null;
      state.pinned = held === null ? null : held.number;
      state.job = held === null ? null : held.job;
    } else if (event.key === "Escape") state.lit = state.pinned = null;
    else if (event.key === "+" || event.key === "-") return void zoom(event.key === "+" ? 1 : -1);
    else if (event.key === "n" || event.key === "p") return void step(event.key === "n" ? 1 : -1);
    else return;
    event.preventDefault();
    tip.hidden = true;
    draw();
    tell();
  }

  function zoom(by) {
    const index = form.span.selectedIndex + (inTurns() ? -by : by);
    if (index < 0 || index >= form.span.options.length) return;
    form.span.selectedIndex = index;
    refresh();
  }

  function moments() {
    const found = new Set();
    for (const held of intervals()) for (const time of [held.begin, held.end]) found.add(time);
    for (const phase of phases()) found.add(phase.begin);
    return [...found].filter((time) => time > 0 && time < workload().length).sort((a, b) => a - b);
  }

  // To the next change of the matrix: it comes to stand a quarter into the view.
  function step(by) {
    const range = view();
    const now = range.begin + range.span / 4;
    const close = range.span / 400;
    const all = moments();
    const next = by > 0 ? all.find((time) => time > now + close) : all.filter((time) => time < now - close).at(-1);
    if (next === undefined) return;
    state.begin = Math.max(0, next - range.span / 4);
    moved();
  }

  function page(by) {
    const range = view();
    state.begin = range.begin + by * range.span * 0.8;
    moved();
  }

  function moved() {
    const range = view();
    state.begin = range.begin;
    if (inTurns()) state.turnsBegin = range.begin;
    form.from.value = String(range.begin / Math.max(1e-9, workload().length - range.span));
    draw();
    where();
  }

  function where() {
    const range = view();
    const seen = [...new Set(phases().filter((p) => p.end > range.begin && p.begin < range.end).map((p) => p.level))].sort((a, b) => a - b);
    const levels = seen.length > 2 ? `${seen[0]} to ${seen.at(-1)}` : seen.join(" or ");
    const turn = phaseAt(range.begin + range.span / 4);
    const nominal = policy().scaled ? "slices grow as slots become fewer" : "slices keep their length";
    byId("trace-where").textContent = `${clock(range.begin)} to ${clock(range.end)}, level ${levels}` +
      (inTurns() && turn.slice ? `; a slice of ${Number(turn.slice.toPrecision(4))} s at level ${turn.level}, ${nominal}` : "") + ".";
  }

  function legend() {
    const place = byId("trace-legend");
    const swatch = (colour, text) => {
      const item = document.createElement("span");
      const box = item.appendChild(document.createElement("i"));
      box.style.background = colour;
      item.append(text);
      return item;
    };
    const of = { job: [], class: Object.entries(CLASSES), flexibility: Object.entries(KINDS) }[form.colour.value];
    const items = of.map(([word, colour]) => swatch(colour, word));
    if (!items.length) items.push("Colours only tell jobs apart; numbers are the jobs'.");
    items.push(swatch(css("--line"), "idle processors of a slot"));
    if (inTurns() && phases().some((p) => p.share * p.slots.length < 0.9999)) items.push(swatch(css("--soft"), "context switch"));
    if (!inTurns() && intervals().some((held) => held.change)) items.push("▲ grew  ▼ shrank");
    if (!inTurns() && hasTurns()) items.push(swatch(css("--bad"), "where the turns are shown"));
    if (form.processors.value === "gathered") items.push("jobs in one piece where possible: heights count processors, places do not name them");
    place.replaceChildren(...items);
  }

  function table() {
    const body = byId("trace-jobs");
    const rows = new Map();
    for (const held of intervals()) {
      const row = rows.get(held.job) || { held, slots: new Set(), sizes: [] };
      row.slots.add(held.slot);
      if (row.sizes.at(-1) !== held.size) row.sizes.push(held.size);
      rows.set(held.job, row);
    }
    body.replaceChildren(...[...rows.values()].map(({ held, slots, sizes: had }) => {
      const line = document.createElement("tr");
      const { job } = held;
      const range = job.flexibility === "rigid" ? String(job.optimum) : `${job.least} / ${job.optimum} / ${job.most}`;
      const cells = [job.job, job.kind || "–", job.flexibility, range, had.join(" → "), [...slots].sort((a, b) => a - b).join(", "),
        clock(job.submit), lasting(held.start - job.submit), clock(held.start), clock(held.finish)];
      cells.forEach((cell, i) => { line.appendChild(document.createElement(i ? "td" : "th")).textContent = String(cell); });
      return line;
    }));
  }

  // Cycles that leave a slice wide enough for its slot's number.
  const cyclesIn = (narrow) => (narrow ? (phaseAt(state.begin).slots.length > 2 ? "2" : "4") : "6");

  function spans() {
    const kept = form.span.dataset.view === form.view.value ? form.span.value : null;
    const options = inTurns() ? [1, 2, 4, 6, 10, 20].map((n) => [n, n === 1 ? "1 cycle" : `${n} cycles`])
      : [[1, "all"], [2, "a half"], [4, "a quarter"], [8, "an eighth"], [16, "a sixteenth"], [32, "a thirty-second"]];
    form.span.replaceChildren(...options.map(([value, text]) => new Option(text, value)));
    const narrow = canvas.parentElement.clientWidth < 600;
    const roomy = options.find(([value]) => intervals().length / value < (narrow ? 60 : 150)) || options.at(-1);
    form.span.value = kept ?? (inTurns() ? cyclesIn(narrow) : String(roomy[0]));
    form.span.dataset.view = form.view.value;
  }

  function refresh() {
    spans();
    const range = view();
    const fits = range.span >= workload().length;
    form.from.disabled = form.earlier.disabled = form.later.disabled = fits;
    legend();
    if (byId("trace-table").open) table();
    moved();
    tell();
  }

  function chooseView() {
    const held = lit();
    if (inTurns()) {
      state.begin = held !== null ? Math.max(0, held.begin - cycle(held.begin)) : state.turnsBegin ?? policy().stretch[0];
    } else {
      spans();
      const middle = held !== null ? held.begin : state.turnsBegin ?? policy().stretch[0];
      state.begin = Math.max(0, middle - view().span / 4);
    }
    refresh();
  }

  function choosePolicy() {
    state.lit = null;
    const job = state.pinned === null ? null : state.job;
    state.pinned = null;
    const held = job ? intervals().find((one) => one.job === job) : null;
    if (held) state.pinned = held.number;
    const turns = [...form.view.options].find((option) => option.value === "turns");
    turns.disabled = !hasTurns();
    if (turns.disabled && inTurns()) form.view.value = "matrix";
    byId("trace-note").textContent = [
      hasTurns() ? "" : "This policy acts on events at once and has no slices: it has no turns to draw.",
      workload().missing.length ? `Not drawn, as too many slots take turns: ${workload().missing.join(", ")}.` : "",
      policy().named ? "" : "This run only counts processors: a job is drawn on the lowest-numbered ones free in its slot.",
    ].join(" ").trim();
    chooseView();
  }

  function chooseWorkload() {
    const whole = workload();
    form.policy.replaceChildren(...whole.policies.map((one, i) => new Option(one.label, i)));
    const pieces = whole.policies.flatMap((one) => one.held.map((row) => row[8].length / 2));
    form.processors.value = pieces.reduce((sum, n) => sum + n, 0) > 2 * pieces.length ? "gathered" : "numbered";
    const changing = whole.policies.findIndex((one) => one.held.some((row) => row[6] !== 0));
    form.policy.value = String(Math.max(0, changing));
    const kinds = [...form.colour.options].find((option) => option.value === "class");
    kinds.disabled = !jobs().some((job) => job.kind);
    if (kinds.disabled && form.colour.value === "class") form.colour.value = "job";
    byId("trace-window").textContent = `The window begins ${lasting(whole.begin)} after the first submission and lasts ` +
      `${lasting(whole.length)}; the machine has ${whole.processors.toLocaleString("en")} processors.`;
    state.pinned = state.turnsBegin = null;
    choosePolicy();
  }

  canvas.addEventListener("pointermove", (event) => {
    const { held, px, py } = at(event);
    light(held);
    if (event.pointerType !== "touch") showTip(held, px, py);
  });
  canvas.addEventListener("pointerleave", () => { light(null); tip.hidden = true; });
  canvas.addEventListener("click", (event) => {
    const { held } = at(event);
    state.pinned = held === null ? null : held.number;
    state.job = held === null ? null : held.job;
    draw();
    tell();
  });
  canvas.addEventListener("keydown", keyed);
  form.workload.addEventListener("change", chooseWorkload);
  form.policy.addEventListener("change", choosePolicy);
  form.view.addEventListener("change", chooseView);
  for (const name of ["colour", "span", "processors"]) form[name].addEventListener("change", refresh);
  form.from.addEventListener("input", () => { state.begin = Number(form.from.value) * (workload().length - view().span); moved(); });
  form.earlier.addEventListener("click", () => page(-1));
  form.later.addEventListener("click", () => page(1));
  form.previous.addEventListener("click", () => step(-1));
  form.next.addEventListener("click", () => step(1));
  form.addEventListener("submit", (event) => event.preventDefault());
  byId("trace-table").addEventListener("toggle", () => { if (byId("trace-table").open) table(); });
  window.addEventListener("resize", draw);
  document.addEventListener("slotwise:theme", () => { legend(); draw(); });
  document.addEventListener("DOMContentLoaded", chooseWorkload);
})();
