// What a reader does with a diagram: points, walks with the keys, chooses, moves in time. `own` has what differs between diagrams:
// `tip`, `sentence`, `legend`   what they say of a place, of an allocation, of colours
// `row`, `listed`               the row of a job in the table; which jobs it lists, by default all
// `moments`, `lead`             times to which the keys n and p go; how far from the left edge they then are, as a part of the view
// `zoom`                        what + and - do, if not another part of the window
// `sides`                       the controls that choose policies, if there are several
// `note`                        what a policy's schedules lack
// `moved`, `choosePolicy`, `chooseWorkload`   what happens when the reader has moved or chosen
window.slotwiseDiagrams.serve = function (diagram, own) {
  "use strict";
  const { name, canvas, form, state, workload, allocations, view, lit } = diagram;
  const { draw } = diagram;
  const sides = own.sides ?? ["policy"];
  const part = (id) => document.getElementById(`${name}-${id}`);
  const tip = part("tip");
  const PARTS = [[1, "all"], [2, "a half"], [4, "a quarter"], [8, "an eighth"], [16, "a sixteenth"],
    [32, "a thirty-second"]];

  // Say whether the jobs of the schedules shown are explained: those of all schedules, or of the ones that are shown first.
  function unasked() {
    const shown = sides.map((side) => workload().policies[Number(form[side].value)]);
    const told = shown.filter((policy) => policy.why).length;
    const where = told === shown.length ? "Each job shown is explained here."
      : told ? "The jobs of one schedule are explained here; for those of the other, run the command shown."
        : "The command that explains it is shown.";
    return `Choose a job to see why it started when it did. ${where}`;
  }

  function tell() {
    const held = lit();
    part("job").textContent = held === null ? "Point at a job, or walk through the jobs with the arrow keys."
      : own.sentence(held);
    if (held?.job?.job === undefined) return;
    part("why").replaceChildren(...why(held));
    part("why").classList.add("told");
  }

  // Return the sentences that were written into the window about a job under a policy: each is the place of its text and what fills
  // its slots, where nothing stands for the number of the job.
  function sentences(policy, job) {
    return (policy.why?.[job]?.split(";") ?? []).map((one) => {
      const [place, ...fills] = one.split("|");
      return workload().texts[Number(place)].replaceAll("#", () => fills.shift() || job);
    });
  }

  // Return why a job started when it did under the policy in whose schedule it is drawn: the answer and further sentences, where
  // they were written into the window, and the command that explains it.
  function why(held) {
    const { root } = form.workload.dataset;
    const { workload: name, policies } = workload();
    const policy = policies[Number(form[sides[sides.length > 1 ? held.slot : 0]].value)];
    const [answer, ...more] = sentences(policy, held.job.job);
    const command = `slotwise explain ${root}/runs/${name}/${policy.policy} --job ${held.job.job} --log ${root}/workloads/${name}.parquet`;
    const asking = element("p", answer ? "The whole explanation: " : "Why did it wait? ");
    asking.append(element("code", command));
    if (!answer) return [asking];
    const list = element("ul");
    list.append(...more.map((one) => element("li", one)));
    return [element("p", answer, "answer"), list, asking];
  }

  function element(tag, text = "", kind = "") {
    return Object.assign(document.createElement(tag), { textContent: text, className: kind });
  }

  function showTip(place, px, py) {
    tip.hidden = place === null;
    if (place === null) return;
    const [title, facts] = own.tip(place);
    tip.replaceChildren();
    tip.appendChild(document.createElement("b")).textContent = title;
    const list = tip.appendChild(document.createElement("dl"));
    for (const [term, value] of facts) {
      list.appendChild(document.createElement("dt")).textContent = term;
      list.appendChild(document.createElement("dd")).textContent = value;
    }
    const room = canvas.parentElement.clientWidth;
    tip.style.left = `${Math.max(0, px + 16 + tip.offsetWidth > room ? px - 16 - tip.offsetWidth : px + 16)}px`;
    const foot = canvas.getBoundingClientRect().top + py + 14 + tip.offsetHeight;
    tip.style.top = `${foot > lowest() ? py - 14 - tip.offsetHeight : py + 14}px`;
  }

  // The lowest visible point of the picture: the sentence about a job covers the foot of the window.
  const lowest = () => window.innerHeight - part("job").offsetHeight;
  // The highest visible point: the bar of the page covers the top.
  const highest = () => Math.max(0, document.querySelector(".bar")?.getBoundingClientRect().bottom ?? 0);

  // Scroll to the allocation looked at if the keys have left what the window shows.
  function reveal() {
    const box = state.places.find((place) => place.held === lit());
    if (!box) return;
    const top = canvas.getBoundingClientRect().top + box.y;
    const [above, below] = [top - 24 - highest(), top + box.h + 24 - lowest()];
    if (above < 0) window.scrollBy(0, above);
    else if (below > 0) window.scrollBy(0, Math.min(above, below));
  }

  // Return what is under the pointer: an allocation, else another mark.
  function at(event) {
    const box = canvas.getBoundingClientRect();
    const [px, py] = [event.clientX - box.left, event.clientY - box.top];
    const inside = (p) => px >= p.x && px <= p.x + p.w && py >= p.y && py <= p.y + p.h && px >= state.shown.place.left;
    const place = state.places.find(inside) || state.marks.find(inside) || null;
    return { place, held: place?.held ?? null, px, py };
  }

  function light(held) {
    const number = held === null ? null : held.number;
    if (number === state.lit) return;
    state.lit = number;
    draw();
    tell();
  }

  function keep(held) {
    state.pinned = held === null ? null : held.number;
    state.job = held === null ? null : held.job;
  }

  // Return the neighbour of the allocation looked at: before or after it in its slot, or at the same time beside it on the
  // machine or in the next slot.
  function neighbour(key) {
    const seen = [...new Set(state.places.map((place) => place.held))];
    const from = lit();
    if (!seen.length) return null;
    if (from === null || !seen.includes(from)) return seen[0];
    const next = (those, by) => those[those.indexOf(from) + by] || from;
    if (key === "ArrowRight" || key === "ArrowLeft") {
      const row = seen.filter((held) => held.slot === from.slot);
      return next(row.sort((a, b) => a.begin - b.begin || a.runs[0][0] - b.runs[0][0]), key === "ArrowRight" ? 1 : -1);
    }
    const { range } = state.shown;
    const middle = (Math.max(from.begin, range.begin) + Math.min(from.end, range.end)) / 2;
    const column = seen.filter((held) => held.begin <= middle && held.end > middle);
    return next(column.sort((a, b) => a.slot - b.slot || b.runs[0][0] - a.runs[0][0]), key === "ArrowDown" ? 1 : -1);
  }

  function keyed(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key.startsWith("Arrow")) {
      keep(neighbour(event.key));
      state.lit = null;
    } else if (event.key === "Escape") state.lit = state.pinned = null;
    else if (event.key === "+" || event.key === "-") return void (own.zoom ?? zoom)(event.key === "+" ? 1 : -1);
    else if (event.key === "n" || event.key === "p") return void step(event.key === "n" ? 1 : -1);
    else return;
    event.preventDefault();
    tip.hidden = true;
    draw();
    tell();
    reveal();
  }

  // Choose the next longer or shorter span, around the allocation looked at, else around the middle of the view.
  function zoom(by) {
    const index = form.span.selectedIndex + by;
    if (index < 0 || index >= form.span.options.length) return;
    const { begin, end } = lit() ?? view();
    form.span.selectedIndex = index;
    state.begin = (begin + end) / 2 - view().span / 2;
    refresh();
  }

  function step(by) {
    const range = view();
    const [lead, close] = [range.span * own.lead, range.span / 400];
    const [now, all] = [range.begin + lead, own.moments()];
    const next = by > 0 ? all.find((time) => time > now + close) : all.filter((time) => time < now - close).at(-1);
    if (next === undefined) return;
    state.begin = Math.max(0, next - lead);
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
    form.from.value = String(range.begin / Math.max(1e-9, workload().length - range.span));
    draw();
    own.moved(range);
  }

  function swatch(colour, text, edge = null) {
    const item = document.createElement("span");
    const box = item.appendChild(document.createElement("i"));
    box.style.background = colour;
    if (edge) box.style.outline = `2px solid ${edge}`;
    item.append(text);
    return item;
  }

  // A strip of colours for the legend; `colour` returns the one at a fifth, two fifths, ... of it.
  function strip(colour) {
    const bar = document.createElement("i");
    bar.className = "ramp";
    bar.style.background = `linear-gradient(90deg,${[0, 1, 2, 3, 4].map(colour).join(",")})`;
    return bar;
  }

  const legend = () => part("legend").replaceChildren(...own.legend());

  function table() {
    const rows = new Map();
    for (const held of allocations()) if (own.listed?.(held.job) ?? true) rows.set(held.job, [...(rows.get(held.job) || []), held]);
    part("jobs").replaceChildren(...[...rows.entries()].map(([job, all]) => {
      const line = document.createElement("tr");
      own.row(job, all).forEach((cell, i) => {
        line.appendChild(document.createElement(i ? "td" : "th")).textContent = String(cell);
      });
      return line;
    }));
  }

  function offerSpans(options, chosen) {
    form.span.replaceChildren(...options.map(([value, text]) => new Option(text, value)));
    form.span.value = String(chosen);
  }

  // Return the largest part of the window with fewer than `most` allocations, if they were spread evenly.
  const largestPart = (most) => (PARTS.find(([value]) => allocations().length / value < most) || PARTS.at(-1))[0];

  function refresh() {
    form.from.disabled = form.earlier.disabled = form.later.disabled = view().span >= workload().length;
    legend();
    if (part("table").open) table();
    moved();
    tell();
  }

  function choosePolicy() {
    keep(state.pinned === null ? null : allocations().find((one) => one.job === state.job) || null);
    state.lit = null;
    part("note").textContent = own.note?.() ?? "";
    part("why").textContent = unasked();
    part("why").classList.remove("told");
    (own.choosePolicy ?? refresh)();
  }

  async function chooseWorkload() {
    const { file } = form.workload.selectedOptions[0].dataset;
    canvas.setAttribute("aria-busy", "true");
    part("job").textContent = "Reading the window …";
    try {
      const found = await window.slotwiseFiles.fetch(file);
      if (form.workload.selectedOptions[0].dataset.file === file) show(found);
    } catch (error) {
      if (error.message !== file) throw error;
      canvas.removeAttribute("aria-busy");
      part("job").textContent = `The data of this window are missing: ${file} should stand beside this page.`;
    }
  }

  function show(found) {
    Object.assign(state, { window: found, lit: null, pinned: null, job: null, begin: 0 });
    const opens = found.opens ?? [0]; // of a grid, each workflow has its own
    sides.forEach((side, i) => {
      form[side].replaceChildren(...found.policies.map((one, place) => new Option(one.label, place)));
      form[side].value = String(opens[i]);
    });
    own.chooseWorkload();
    choosePolicy();
    canvas.removeAttribute("aria-busy");
  }

  // Controls do nothing until the first window has been read.
  const answer = (place, kind, act) => place.addEventListener(kind, (event) => { if (state.window) act(event); });
  answer(canvas, "pointermove", (event) => {
    const { place, held, px, py } = at(event);
    light(held);
    // What is kept stands in the sentence below.
    if (event.pointerType !== "touch") showTip(held !== null && held.number === state.pinned ? null : place, px, py);
  });
  answer(canvas, "pointerleave", () => { light(null); tip.hidden = true; });
  answer(canvas, "click", (event) => {
    const { held } = at(event);
    keep(held);
    if (held !== null) tip.hidden = true;
    draw();
    tell();
  });
  answer(canvas, "keydown", keyed);
  form.workload.addEventListener("change", chooseWorkload);
  for (const side of sides) answer(form[side], "change", choosePolicy);
  for (const choice of ["colour", "span"]) answer(form[choice], "change", refresh);
  answer(form.from, "input", () => {
    state.begin = Number(form.from.value) * (workload().length - view().span);
    moved();
  });
  answer(form.earlier, "click", () => page(-1));
  answer(form.later, "click", () => page(1));
  answer(form.previous, "click", () => step(-1));
  answer(form.next, "click", () => step(1));
  form.addEventListener("submit", (event) => event.preventDefault());
  answer(part("table"), "toggle", () => { if (part("table").open) table(); });
  answer(window, "resize", draw);
  answer(document, "slotwise:theme", () => { legend(); draw(); });
  // The first window is read when the diagram comes near the screen.
  const near = new IntersectionObserver((entries) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    near.disconnect();
    canvas.closest(".viewer").classList.add("drawn");
    chooseWorkload();
  }, { rootMargin: "400px" });
  near.observe(canvas.parentElement);
  return { PARTS, part, swatch, strip, zoom, offerSpans, largestPart, choosePolicy, refresh };
};
