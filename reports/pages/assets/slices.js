// What the reader does with the diagram of slices: points, walks with the keys, chooses, moves in time.
(function () {
  "use strict";
  const { CLASSES, state, form, canvas, workload, policy, stretches, slices, groups, lit, view, when, lasting, draw, css } =
    window.slotwiseSlices;
  const byId = (id) => document.getElementById(id);
  const tip = byId("slice-tip");

  const processors = (runs) => runs.map(([first, last]) => (last - first > 1 ? `${first}–${last - 1}` : `${first}`)).join(", ");
  const became = (held) => ({ killed: " (killed at its estimate)" }[held.outcome] || "");
  const where = (held) => (held.lent ? `lent part of a ${held.slice} slice` : `in a slice of its class`);
  const plan = (held) => (held.group === null ? "" : `place ${held.place} of group ${held.group}`);

  function jobFacts(held) {
    return [
      ["Processors", `${held.size}: ${processors(held.runs)}`],
      ["Runs here", `${when(held.begin)} to ${when(held.end)}, ${where(held)}`],
      ...(held.group === null ? [] : [["Plan", plan(held)]]),
      ["Waited", `${lasting(held.start - held.job.submit)}, since ${when(held.job.submit)}`],
      ["Started", when(held.start)],
      ["Finishes", `${when(held.finish)}${became(held)}`],
      ["Run time", `${lasting(held.job.run)}${held.job.estimate === held.job.run ? "" : `, estimated ${lasting(held.job.estimate)}`}`],
    ];
  }

  function markFacts(mark) {
    if (mark.queue) {
      const { begin, end, waiting } = mark.queue;
      const numbers = waiting.slice(0, 12).map((job) => job.job).join(", ") + (waiting.length > 12 ? ` and ${waiting.length - 12} more` : "");
      return [`${waiting.length} waiting`, [["Jobs", numbers || "none"], ["From", when(begin)], ["To", when(end)]]];
    }
    if (mark.group) {
      const { group, kind, count, begin, end } = mark.group;
      return [`Group ${group}: ${count} ${kind} jobs`, [["Formed", when(begin)], ["Ended", when(end)]]];
    }
    const { kind, begin, work, end } = mark.slice;
    return [`Slice of ${kind} jobs`, [["From", when(begin)], ["To", when(end)],
      ...(work > begin ? [["Switching", lasting(work - begin)]] : [])]];
  }

  function sentence(held) {
    return `Job ${held.job.job} (${held.job.kind}): ${held.size} processors (${processors(held.runs)}), ${where(held)} from ` +
      `${when(held.begin)} to ${when(held.end)}${held.group === null ? "" : `; ${plan(held)}`}. Waited ` +
      `${lasting(held.start - held.job.submit)}, started ${when(held.start)}, finishes ${when(held.finish)}${became(held)}.`;
  }

  function tell() {
    const held = lit();
    byId("slice-job").textContent = held === null ? "Point at a job, or walk through the jobs with the arrow keys." : sentence(held);
  }

  function showTip(title, list, px, py) {
    tip.hidden = title === null;
    if (title === null) return;
    tip.replaceChildren();
    tip.appendChild(document.createElement("b")).textContent = title;
    const entries = tip.appendChild(document.createElement("dl"));
    for (const [term, value] of list) {
      entries.appendChild(document.createElement("dt")).textContent = term;
      entries.appendChild(document.createElement("dd")).textContent = value;
    }
    const room = canvas.parentElement.clientWidth;
    tip.style.left = `${Math.max(0, px + 16 + tip.offsetWidth > room ? px - 16 - tip.offsetWidth : px + 16)}px`;
    tip.style.top = `${py + 14}px`;
  }

  function at(event) {
    const box = canvas.getBoundingClientRect();
    const [px, py] = [event.clientX - box.left, event.clientY - box.top];
    const inside = (p) => px >= p.x && px <= p.x + p.w && py >= p.y && py <= p.y + p.h && px >= state.shown.place.left;
    const hit = state.places.find(inside);
    return { held: hit ? hit.held : null, mark: hit ? null : state.marks.find(inside) || null, px, py };
  }

  function light(held) {
    const number = held === null ? null : held.number;
    if (number === state.lit) return;
    state.lit = number;
    draw();
    tell();
  }

  // The neighbour of the stretch in focus: by begin, or beside it on the machine at the same time.
  function neighbour(key) {
    const seen = [...new Set(state.places.map((place) => place.held))];
    const from = lit();
    if (!seen.length) return null;
    if (from === null || !seen.includes(from)) return seen[0];
    const ordered = [...seen].sort((a, b) => a.begin - b.begin || a.runs[0][0] - b.runs[0][0]);
    if (key === "ArrowRight" || key === "ArrowLeft") return ordered[ordered.indexOf(from) + (key === "ArrowRight" ? 1 : -1)] || from;
    const { range } = state.shown;
    const middle = (Math.max(from.begin, range.begin) + Math.min(from.end, range.end)) / 2;
    const column = seen.filter((held) => held.begin <= middle && held.end > middle).sort((a, b) => b.runs[0][0] - a.runs[0][0]);
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
    const index = form.span.selectedIndex + by;
    if (index < 0 || index >= form.span.options.length) return;
    const range = view();
    const focus = lit();
    const middle = focus === null ? (range.begin + range.end) / 2 : (focus.begin + focus.end) / 2;
    form.span.selectedIndex = index;
    state.begin = middle - view().span / 2;
    refresh();
  }

  // To the next begin of a slice: it comes to stand at the left edge.
  function step(by) {
    const range = view();
    const close = range.span / 400;
    const all = slices().map((slice) => slice.begin);
    const next = by > 0 ? all.find((time) => time > range.begin + close) : all.filter((time) => time < range.begin - close).at(-1);
    if (next === undefined) return;
    state.begin = next;
    moved();
  }

  function moved() {
    const range = view();
    state.begin = range.begin;
    form.from.value = String(range.begin / Math.max(1e-9, workload().length - range.span));
    draw();
    const shown = slices().filter((slice) => slice.end > range.begin && slice.begin < range.end).length;
    byId("slice-where").textContent = `${when(range.begin)} to ${when(range.end)}, ${shown} slices.`;
  }

  function legend() {
    const swatch = (colour, text, edge) => {
      const item = document.createElement("span");
      const box = item.appendChild(document.createElement("i"));
      box.style.background = colour;
      if (edge) box.style.outline = `2px solid ${css("--ink")}`;
      item.append(text);
      return item;
    };
    const items = Object.entries(CLASSES).map(([word, colour]) => swatch(colour, form.colour.value === "class" ? word : `slice: ${word}`));
    if (form.colour.value === "job") items.push("Colours of blocks only tell jobs apart.");
    if (slices().some((slice) => slice.work > slice.begin)) items.push(swatch(css("--soft"), "switching"));
    if (groups().length) items.push(swatch("transparent", "job of a group", true), "▼ group forms or ends");
    byId("slice-legend").replaceChildren(...items);
  }

  function table() {
    const rows = new Map();
    for (const held of stretches()) rows.set(held.job, [...(rows.get(held.job) || []), held]);
    byId("slice-jobs").replaceChildren(...[...rows.entries()].map(([job, all]) => {
      const line = document.createElement("tr");
      const [one] = all;
      const group = one.group === null ? "–" : `${one.group}, place ${one.place}`;
      const cells = [job.job, job.kind, one.size, group, when(job.submit), lasting(one.start - job.submit), when(one.start), all.length,
        all.filter((held) => held.lent).length, when(one.finish)];
      cells.forEach((cell, i) => { line.appendChild(document.createElement(i ? "td" : "th")).textContent = String(cell); });
      return line;
    }));
  }

  function spans() {
    const options = [[1, "all"], [2, "a half"], [4, "a quarter"], [8, "an eighth"], [16, "a sixteenth"], [32, "a thirty-second"]];
    form.span.replaceChildren(...options.map(([value, text]) => new Option(text, value)));
    const room = canvas.parentElement.clientWidth < 600 ? 25 : 120;
    form.span.value = String((options.find(([value]) => stretches().length / value < room) || options.at(-1))[0]);
  }

  function refresh() {
    const range = view();
    form.from.disabled = form.earlier.disabled = form.later.disabled = range.span >= workload().length;
    legend();
    if (byId("slice-table").open) table();
    moved();
    tell();
  }

  function choosePolicy() {
    state.lit = null;
    const held = state.pinned !== null && state.job ? stretches().find((one) => one.job === state.job) : null;
    state.pinned = held ? held.number : null;
    byId("slice-note").textContent = policy().named ? "" :
      "This run only counts processors: a job is drawn on the lowest-numbered ones free.";
    refresh();
  }

  function chooseWorkload() {
    const whole = workload();
    form.policy.replaceChildren(...whole.policies.map((one, i) => new Option(one.label, i)));
    const grouped = whole.policies.findIndex((one) => one.groups.length);
    form.policy.value = String(Math.max(0, grouped));
    state.pinned = state.job = null;
    spans();
    const [first] = groups();
    state.begin = first ? first.begin - view().span / 4 : 0;
    byId("slice-window").textContent = whole.begin > 0 ? `The window begins ${lasting(whole.begin)} after the first submission and ` +
      `lasts ${lasting(whole.length)}.` : `This is the begin of the schedule, ${lasting(whole.length)} long.`;
    choosePolicy();
  }

  canvas.addEventListener("pointermove", (event) => {
    const { held, mark, px, py } = at(event);
    light(held);
    if (event.pointerType === "touch") return;
    const [title, list] = held !== null ? [`Job ${held.job.job}: ${held.job.kind}`, jobFacts(held)] : mark ? markFacts(mark) : [null, []];
    showTip(title, list, px, py);
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
  for (const name of ["colour", "span"]) form[name].addEventListener("change", refresh);
  form.from.addEventListener("input", () => { state.begin = Number(form.from.value) * (workload().length - view().span); moved(); });
  form.earlier.addEventListener("click", () => { state.begin = view().begin - view().span * 0.8; moved(); });
  form.later.addEventListener("click", () => { state.begin = view().begin + view().span * 0.8; moved(); });
  form.previous.addEventListener("click", () => step(-1));
  form.next.addEventListener("click", () => step(1));
  form.addEventListener("submit", (event) => event.preventDefault());
  byId("slice-table").addEventListener("toggle", () => { if (byId("slice-table").open) table(); });
  window.addEventListener("resize", draw);
  document.addEventListener("slotwise:theme", () => { legend(); draw(); });
  document.addEventListener("DOMContentLoaded", chooseWorkload);
})();
