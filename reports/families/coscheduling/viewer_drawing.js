// The diagram of shared processors: data and picture. A job's bands are its parts of the height of shared processors. Times are
// seconds since the window began.
(function () {
  "use strict";
  const { CLASSES, css, open, within, pairs, sheet, start, heavy, edge, blocks, stripes, ramp, outline, processorTicks, clockAxis, upright } =
    window.slotwiseDiagrams;
  const diagram = open("coscheduling", ["kind", "size"], allocations);
  const { form, state, workload, policy, jobs, lit } = diagram;
  const KINDS = { cpu: "#d98c00", network: "#56b4e9", disk: "#8f6bb8", ...CLASSES, special: "#2f9e6e" };
  const NO_KIND = "#8a93a0";
  const SPEEDS = [[207, 75, 87], [230, 159, 0], [76, 127, 208]]; // at up to a third of the speed alone, at two thirds, at full speed
  const TOP = 8;

  function allocations() {
    const whole = policy();
    if (!whole.known) {
      whole.known = whole.held.map(([place, begin, end, size, share, slowdown, suspended, flat, bands, alone, beside], number) => {
        const [start, finish, outcome, preemptions] = whole.fates[place];
        const part = suspended ? 0 : share / slowdown;
        const job = jobs()[place];
        return { number, job, slot: 0, begin, end, start, finish, outcome, preemptions, size, share, slowdown, speed: part,
          suspended: Boolean(suspended), runs: pairs(flat), bands: pairs(bands), alone: pairs(alone),
          beside: beside.map((other) => jobs()[other]), told: beside.length ? `${job.job} · ${Math.round(100 * part)} %` : "" };
      });
    }
    return whole.known;
  }

  const shared = (held) => held.beside.length > 0;
  const together = (a, b) => a.beside.includes(b.job) && a.begin < b.end && b.begin < a.end;

  const speedColour = (speed) => ramp(SPEEDS, (speed - 1 / 3) / (2 / 3));

  function paint(held) {
    if (form.colour.value === "speed") return speedColour(held.speed);
    if (form.colour.value === "kind") return KINDS[held.job.kind] ?? NO_KIND;
    return workload().colours[held.job.colour];
  }

  function layout() {
    const page = sheet(diagram, 50, 58);
    const band = page.narrow ? 320 : 420;
    return { ...page, band, height: TOP + band + 42 };
  }

  function draw() {
    const place = layout();
    const { pen, range, x } = start(diagram, place);
    const y = (processor) => TOP + place.band * (1 - processor / workload().processors);
    pen.fillStyle = css("--raised");
    pen.fillRect(place.left, TOP, place.inner, place.band);
    for (const held of allocations().filter(within(range))) {
      const what = { left: x(held.begin), right: x(held.end), y, colour: paint(held), margin: 4, together };
      blocks(pen, diagram, held, { ...what, runs: held.alone });
      // What is shared has a heavy edge.
      blocks(pen, diagram, held, { ...what, runs: held.bands, edged: held.suspended ? striped : shared(held) ? heavy : edge });
    }
    outline(pen, diagram, css("--bad"));
    partners(pen);
    pen.restore();
    axes(pen, place, y);
  }

  const striped = (pen, box) => stripes(pen, box, css("--paper"));

  // Outline the partners of the job looked at.
  function partners(pen) {
    const chosen = lit();
    if (chosen === null) return;
    pen.strokeStyle = css("--bad");
    pen.lineWidth = 1.6;
    pen.setLineDash([4, 3]);
    for (const box of state.places) {
      if (together(chosen, box.held)) pen.strokeRect(box.x + 1, box.y + 1, Math.max(1, box.w - 2), Math.max(1, box.h - 2));
    }
    pen.setLineDash([]);
  }

  function axes(pen, place, y) {
    const total = workload().processors;
    pen.fillStyle = css("--soft");
    const quarters = [0, total / 4, total / 2, (3 * total) / 4, total];
    if (policy().stacked) shareTicks(pen, place, quarters, y);
    else processorTicks(pen, place.left, quarters.filter(Number.isInteger), y);
    const foot = TOP + place.band;
    pen.fillRect(place.left, foot, place.inner, 1);
    clockAxis(pen, diagram, foot);
    upright(pen, policy().stacked ? "share of every processor (%)" : "processors", TOP + place.band / 2);
  }

  // If all jobs are on all processors, heights are shares of the machine.
  function shareTicks(pen, place, marks, y) {
    pen.textAlign = "right";
    marks.forEach((mark, i) => {
      pen.fillText(String(25 * i), place.left - 6, y(mark) + (i === 4 ? 9 : i ? 4 : 0));
      pen.fillRect(place.left - 4, y(mark) - 0.5, 4, 1);
    });
  }

  window.slotwiseCoscheduling = { ...diagram, KINDS, NO_KIND, shared, speedColour, draw };
})();
