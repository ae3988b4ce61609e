// What only the matrix diagram does: its two views, and its words for jobs and for the time shown.
(function () {
  "use strict";
  const diagram = window.slotwiseGang;
  const { state, form, canvas, workload, policy, inSlices, jobs, allocations, phases, phaseAt, hasSlices, cycle, view, lit, moment, traits,
    facts, sentence, KINDS } = diagram;
  const { CLASSES, css, within, beginning, waited, serve } = window.slotwiseDiagrams;
  const viewer = serve(diagram, {
    tip: ({ held }) => [`Job ${held.job.job}: ${traits(held.job)}`, facts(held)],
    sentence, legend, row, moments, lead: 1 / 4, zoom: (by) => viewer.zoom(inSlices() ? -by : by), note, moved, choosePolicy, chooseWorkload,
  });
  const { PARTS, part, swatch } = viewer;

  const LETTERS = {
    FCFS: "the queue in order of submission", PRI: "the queue in order of priority", B: "backfilling that delays no job ahead",
    EB: "backfilling of whatever fits", WA: "sizes follow the load", FA: "placed jobs grow into free processors",
  };

  // Spell out the letters of a policy whose name has no others.
  function letters(label) {
    const parts = label.split("-");
    return parts.every((one) => one in LETTERS) ? `${label}: ${parts.map((one) => `${LETTERS[one]} (${one})`).join(", ")}.` : "";
  }

  // The changes of the matrix.
  function moments() {
    const found = new Set();
    for (const held of allocations()) for (const time of [held.begin, held.end]) found.add(time);
    for (const phase of phases()) found.add(phase.begin);
    return [...found].filter((time) => time > 0 && time < workload().length).sort((a, b) => a - b);
  }

  function moved(range) {
    if (inSlices()) state.slicesBegin = range.begin;
    const seen = [...new Set(phases().filter(within(range)).map((p) => p.level))].sort((a, b) => a - b);
    const levels = seen.length > 2 ? `${seen[0]} to ${seen.at(-1)}` : seen.join(" or ");
    const slice = phaseAt(range.begin + range.span / 4);
    const nominal = policy().scaled ? "time slices grow as slots become fewer" : "time slices keep their length";
    part("where").textContent = `From ${moment(range.begin)} to ${moment(range.end)}, level ${levels}` +
      (inSlices() && slice.slice ? `; a time slice of ${Number(slice.slice.toPrecision(4))} s at level ${slice.level}, ${nominal}` : "") + ".";
  }

  function legend() {
    const of = { job: [], class: Object.entries(CLASSES), flexibility: Object.entries(KINDS) }[form.colour.value];
    const items = of.map(([word, colour]) => swatch(colour, word));
    if (!items.length) items.push("Colours only tell jobs apart; numbers are the jobs'.");
    items.push(swatch(css("--line"), "idle processors of a slot"), swatch(css("--accent"), "level"));
    if (inSlices() && phases().some((p) => p.share * p.slots.length < 0.9999)) items.push(swatch(css("--soft"), "context switch"));
    if (!inSlices() && allocations().some((held) => held.change)) items.push("▲ grew  ▼ shrank");
    if (!inSlices() && hasSlices()) items.push(swatch(css("--bad"), "where the time slices are shown"));
    if (form.processors.value === "gathered") items.push("jobs in one piece where possible: heights count processors, places do not name them");
    return items;
  }

  function row(job, all) {
    const range = job.flexibility === "rigid" ? String(job.optimum) : `${job.least} / ${job.optimum} / ${job.most}`;
    const sizes = all.map((held) => held.size).filter((size, i, those) => size !== those[i - 1]);
    const slots = [...new Set(all.map((held) => held.slot))].sort((a, b) => a - b);
    return [job.job, job.kind || "–", job.flexibility, range, sizes.join(" → "), slots.join(", "), moment(job.submit), waited(all[0]),
      moment(all[0].start), moment(all[0].finish)];
  }

  // Cycles that leave a slice wide enough for its slot's number.
  const cyclesIn = (narrow) => (narrow ? (phaseAt(state.begin).slots.length > 2 ? 2 : 4) : 6);

  function spans() {
    const kept = form.span.dataset.view === form.view.value ? form.span.value : null;
    const narrow = canvas.parentElement.clientWidth < 600;
    if (inSlices()) viewer.offerSpans([1, 2, 4, 6, 10, 20].map((n) => [n, n === 1 ? "1 cycle" : `${n} cycles`]), kept ?? cyclesIn(narrow));
    else viewer.offerSpans(PARTS, kept ?? viewer.largestPart(narrow ? 60 : 150));
    form.span.dataset.view = form.view.value;
  }

  function chooseView() {
    const held = lit();
    const begin = held !== null ? held.begin : state.slicesBegin ?? policy().stretch[0];
    if (inSlices()) state.begin = held !== null ? Math.max(0, begin - cycle(begin)) : begin;
    spans();
    if (!inSlices()) state.begin = Math.max(0, begin - view().span / 4);
    viewer.refresh();
  }

  function note() {
    return [
      letters(policy().label),
      hasSlices() ? "" : "This policy acts on events at once and has no time slices: nothing can be drawn by time slices.",
      workload().missing.length ? `Not drawn, as too many slots take turns: ${workload().missing.join(", ")}.` : "",
      policy().named ? "" : "This run only counts processors: a job is drawn on the lowest-numbered ones free in its slot.",
    ].join(" ").trim();
  }

  function choosePolicy() {
    const slices = form.view.querySelector("[value=slices]");
    slices.disabled = !hasSlices();
    if (slices.disabled && inSlices()) form.view.value = "matrix";
    chooseView();
  }

  function chooseWorkload() {
    const whole = workload();
    const pieces = whole.policies.flatMap((one) => one.held.map((row) => row[8].length / 2));
    form.processors.value = pieces.reduce((sum, n) => sum + n, 0) > 2 * pieces.length ? "gathered" : "numbered";
    const kinds = form.colour.querySelector("[value=class]");
    kinds.disabled = !jobs().some((job) => job.kind);
    if (kinds.disabled && form.colour.value === "class") form.colour.value = "job";
    part("window").textContent = `${beginning(whole)}; the machine has ${whole.processors.toLocaleString("en")} processors.`;
    state.slicesBegin = null;
  }

  form.view.addEventListener("change", chooseView);
  form.processors.addEventListener("change", viewer.refresh);
})();
