// The machine shared in space under two policies, one above the other on one time axis: data, words and picture. For every policy
// the data say which job held which processors from start to finish. Times are seconds since the window began.
(function () {
  "use strict";
  const { css, open, within, pairs, lasting, beginning, counted, fate, sheet, start, blocks, ramp, outline, processorTicks, clockAxis, upright,
    serve } = window.slotwiseDiagrams;
  const SIDES = ["above", "below"];
  const diagram = open("space-sharing", ["size"], allocations);
  const { form, state, workload, jobs, view, moment } = diagram;
  const VIRIDIS = [[68, 1, 84], [65, 68, 135], [42, 120, 142], [34, 168, 132], [122, 209, 81], [253, 231, 37]];
  const DARK = 0.3; // part of the colours, at the dark end, that dark paper leaves out: idle processors are as dark
  const TITLE = 20; // height of a policy's name
  const GAP = 12;
  const hours = (value) => lasting(value * 3600);
  const waited = (held) => held.start - held.job.submit + held.suspended;
  const plain = (value) => Number(value.toPrecision(3)).toLocaleString("en");
  const MEASURES = {
    wait: { label: "wait", of: (held) => waited(held) / 3600, text: hours },
    over: { label: "estimate / run time", of: (held) => held.job.estimate / held.job.run, text: plain },
    size: { label: "processors", of: (held) => held.size, text: plain },
  };

  const policy = (side) => workload().policies[Number(form[side].value)];

  // Allocations of the policy above are in slot 0, those of the policy below in slot 1.
  function allocations() {
    const whole = workload();
    const chosen = SIDES.map((side) => form[side].value).join(" ");
    if (whole.chosen === chosen) return whole.both;
    whole.chosen = chosen;
    // A suspended job has a block for each time in which it runs, with times of its own.
    whole.both = SIDES.flatMap((side, slot) => policy(side).held.map(([place, size, flat, from, to]) => {
      const [start, finish, outcome] = policy(side).fates[place];
      const suspended = policy(side).suspended[place] ?? 0;
      return { job: jobs()[place], slot, begin: from ?? start, end: to ?? finish, start, finish, suspended, outcome, size, runs: pairs(flat) };
    })).map((held, number) => ({ number, ...held }));
    whole.byJob = SIDES.map((_, slot) => new Map(whole.both.filter((held) => held.slot === slot).map((held) => [held.job, held])));
    return whole.both;
  }

  const under = (job) => (allocations(), workload().byJob.map((those) => those.get(job)));
  // Both policies, or only one if it is shown above and below.
  const sides = () => (form.above.value === form.below.value ? [0] : [0, 1]);

  function shade(share) {
    const from = document.documentElement.dataset.theme === "dark" ? DARK : 0;
    return ramp(VIRIDIS, from + (1 - from) * Math.min(1, Math.max(0, share)));
  }

  // Colours follow ranks among the jobs of both schedules. Around a long queue most waits are alike, and would have one colour
  // on a scale of hours.
  const ranked = (measure) => (allocations(), workload().byJob.flatMap((those) => [...those.values()]).map(measure.of).sort((a, b) => a - b));

  function rank(values, value) {
    let [from, to] = [0, values.length - 1];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (values[middle] < value) from = middle + 1;
      else to = middle;
    }
    return from / Math.max(1, values.length - 1);
  }

  function painter() {
    const measure = MEASURES[form.colour.value];
    if (!measure) return (held) => workload().colours[held.job.colour];
    const values = ranked(measure);
    return (held) => shade(rank(values, measure.of(held)));
  }

  function layout() {
    const page = sheet(diagram, 50, 58);
    const band = page.narrow ? 190 : 230;
    return { ...page, band, height: 2 * (TITLE + band) + GAP + 42 };
  }

  function draw() {
    const place = layout();
    const { pen, range, x } = start(diagram, place);
    const base = (slot) => (slot + 1) * (TITLE + place.band) + slot * GAP;
    const y = (slot, processor) => base(slot) - (processor / workload().processors) * place.band;
    const paint = painter();
    for (const slot of [0, 1]) {
      pen.fillStyle = css("--raised");
      pen.fillRect(place.left, base(slot) - place.band, place.inner, place.band);
    }
    for (const held of allocations().filter(within(range))) {
      blocks(pen, diagram, held, { runs: held.runs, left: x(held.begin), right: x(held.end), y: (processor) => y(held.slot, processor),
        colour: paint(held), margin: 6 });
    }
    outline(pen, diagram, css("--bad"));
    pen.restore();
    axes(pen, place, base, y);
  }

  function axes(pen, place, base, y) {
    const total = workload().processors;
    SIDES.forEach((side, slot) => {
      pen.textAlign = "left";
      pen.fillStyle = css("--ink");
      pen.font = `bold 12px ${diagram.font}`;
      pen.fillText(policy(side).label, place.left, base(slot) - place.band - 6);
      pen.font = `11px ${diagram.font}`;
      pen.fillStyle = css("--soft");
      processorTicks(pen, place.left, [0, total / 2, total].filter(Number.isInteger), (mark) => y(slot, mark));
      upright(pen, "processors", base(slot) - place.band / 2);
      pen.fillRect(place.left, base(slot), place.inner, 1);
    });
    clockAxis(pen, diagram, base(1));
  }

  function facts(held) {
    const asked = held.size === held.job.size ? [] : [["Asked for", String(held.job.size)]];
    const suspended = held.suspended ? [["Of which suspended", lasting(held.suspended)]] : [];
    return [["Processors", String(held.size)], ...asked, ["Ran", lasting(held.job.run)], ["Estimate", lasting(held.job.estimate)],
      ["Waited", lasting(waited(held))], ...suspended, ["Runs", `${moment(held.begin)} to ${moment(held.end)}`]];
  }

  const pauses = (held) => (held.suspended ? ` It is suspended for ${lasting(held.suspended)} in between.` : "");

  function sentence({ job }) {
    const found = under(job);
    const told = sides().map((slot) => `${policy(SIDES[slot]).label}: ` +
      (found[slot] ? fate(found[slot], moment).replace(/^W/, "w") + pauses(found[slot]) : "does not run in this window."));
    return `Job ${job.job}: ${counted(job.size)}, ran ${lasting(job.run)}, estimate ${lasting(job.estimate)}. ${told.join(" ")}`;
  }

  function legend() {
    const measure = MEASURES[form.colour.value];
    const idle = viewer.swatch(css("--raised"), "idle", css("--line"));
    if (!measure) return ["Colours only tell jobs apart; numbers are the jobs'.", idle];
    const values = ranked(measure);
    const strip = (from) => viewer.strip((k) => shade(from + k / 8));
    const scale = document.createElement("span");
    scale.append(`${measure.label}, by rank: ${measure.text(values[0])}`, strip(0), `median ${measure.text(values[values.length >> 1])}`, strip(0.5),
      measure.text(values.at(-1)));
    return [scale, idle];
  }

  function row(job) {
    const waits = under(job).map((held) => (held ? lasting(waited(held)) : "–"));
    return [job.job, job.size, lasting(job.run), lasting(job.estimate), moment(job.submit), ...waits];
  }

  function moments() {
    const starts = allocations().map((held) => held.begin).filter((time) => time > 0);
    return [...new Set(starts)].sort((a, b) => a - b);
  }

  function moved(range) {
    const running = SIDES.map((_, slot) =>
      new Set(allocations().filter((held) => held.slot === slot).filter(within(range)).map((held) => held.job)));
    const told = sides().map((slot) => `${running[slot].size.toLocaleString("en")} jobs under ${policy(SIDES[slot]).label}`);
    viewer.part("where").textContent = `From ${moment(range.begin)} to ${moment(range.end)}: ${told.join(", ")}.`;
  }

  // At first, the policy whose queue chose the window is below, and the first other policy above.
  function chooseWorkload() {
    const whole = workload();
    viewer.offerSpans(viewer.PARTS, 1);
    viewer.part("window").textContent = `${beginning(whole)}, around ${whole.around}; the machine has ` +
      `${whole.processors.toLocaleString("en")} processors.`;
  }

  Object.assign(diagram, { draw });
  const viewer = serve(diagram, {
    sides: SIDES, tip: ({ held }) => [`Job ${held.job.job} under ${policy(SIDES[held.slot]).label}`, facts(held)],
    sentence, legend, row, moments, lead: 1 / 4, moved, chooseWorkload,
  });
  window.slotwiseSpaceSharing = { ...diagram, under, view };
})();
