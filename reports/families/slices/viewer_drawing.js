// The diagram of slices: data and picture. For every policy the data say which job ran when on which processors, which class
// owned the slice, and which groups there were. Times are seconds since the window began.
(function () {
  "use strict";
  const { CLASSES, KINDS, css, open, within, pairs, sheet, start, roomy, edge, blocks, stripes, outline, processorTicks, clockAxis, upright } =
    window.slotwiseDiagrams;
  const diagram = open("slices", ["kind", "size"], allocations, { more: ({ kind }, place) => {
    const before = workload().jobs.slice(0, place).filter((row) => row[1] === kind).length;
    return { shade: SHADES[kind][before % 3] };
  } });
  const { form, state, workload, policy, jobs } = diagram;
  const LETTERS = { short: "S", medium: "M", long: "L" };
  const SHADES = {
    short: ["#56b4e9", "#8ccbf0", "#2f93cc"], medium: ["#d98c00", "#f0b64d", "#b37300"], long: ["#8f6bb8", "#b397d3", "#6f4c99"],
  };
  const STRIP = 44; // height of the queue
  const BAR = 18; // height of the bar of a group, and of the letters
  const GAP = 8;

  function allocations() {
    const whole = policy();
    if (!whole.known) {
      whole.fate = jobs().map((job, number) => {
        const [start, finish, outcome, group, place] = whole.fates[number] || [null, null, "", null, null];
        return { job, start, finish, outcome, group, place };
      });
      whole.known = whole.held.map(([number, kind, begin, end, size, lent, flat], index) =>
        ({ number: index, ...whole.fate[number], slot: 0, slice: KINDS[kind], begin, end, size, lent: Boolean(lent), runs: pairs(flat) }));
      whole.drawn = whole.slices.map(([kind, begin, work, end]) => ({ kind: KINDS[kind], begin, work, end }));
      const lanes = [];
      whole.bars = whole.groups.map(([group, kind, begin, end, count]) => {
        let lane = lanes.findIndex((over) => over <= begin);
        if (lane < 0) lane = lanes.length;
        lanes[lane] = end;
        return { group, kind, begin, end, count, lane };
      });
      whole.lanes = lanes.length;
      const edges = new Set([0, workload().length]);
      const waits = whole.fate.filter((fate) => fate.start !== null && fate.start > fate.job.submit);
      for (const fate of waits) for (const time of [fate.job.submit, fate.start]) if (time > 0 && time < workload().length) edges.add(time);
      const times = [...edges].sort((a, b) => a - b);
      whole.queue = times.slice(0, -1).map((begin, i) => {
        const waiting = waits.filter((fate) => fate.job.submit <= begin && fate.start > begin).map((fate) => fate.job);
        return { begin, end: times[i + 1], waiting, counts: KINDS.map((kind) => waiting.filter((job) => job.kind === kind).length) };
      });
    }
    return whole.known;
  }

  const slices = () => (allocations(), policy().drawn);
  const groups = () => (allocations(), policy().bars);
  const queue = () => (allocations(), policy().queue);

  const paint = (job) => (form.colour.value === "class" ? job.shade : workload().colours[job.colour]);

  function layout() {
    const page = sheet(diagram, 50, 58);
    allocations();
    const bars = 4 + STRIP + GAP;
    const letters = bars + policy().lanes * (BAR + 2) + (policy().lanes ? GAP : 0);
    const top = letters + BAR + 4;
    const band = page.narrow ? 280 : 360;
    return { ...page, bars, letters, top, band, height: top + band + 42 };
  }

  function draw() {
    const place = layout();
    const { pen, range, x } = start(diagram, place);
    const y = (processor) => place.top + place.band * (1 - processor / workload().processors);
    drawQueue(pen, place, range, x);
    drawGroups(pen, place, x);
    drawSlices(pen, place, range, x);
    for (const held of allocations().filter(within(range))) {
      blocks(pen, diagram, held,
        { runs: held.runs, left: x(held.begin), right: x(held.end), y, colour: paint(held.job), margin: 4, edged });
    }
    drawEdges(pen, place, range, x);
    outline(pen, diagram, css("--bad"));
    pen.restore();
    axes(pen, place, y);
  }

  const most = () => Math.max(1, ...queue().map((one) => one.waiting.length));

  function drawQueue(pen, place, range, x) {
    for (const one of queue().filter(within(range))) {
      const [left, wide] = [x(one.begin), x(one.end) - x(one.begin)];
      let low = 4 + STRIP;
      one.counts.forEach((count, i) => {
        const tall = (count / most()) * (STRIP - 2);
        pen.fillStyle = CLASSES[KINDS[i]];
        pen.fillRect(left, low - tall, wide + 0.3, tall);
        low -= tall;
      });
      state.marks.push({ x: left, y: 4, w: wide, h: STRIP, queue: one });
    }
    pen.fillStyle = css("--soft");
    pen.fillRect(place.left, 4 + STRIP, place.inner, 1);
  }

  function drawGroups(pen, place, x) {
    for (const group of groups()) {
      const top = place.bars + group.lane * (BAR + 2);
      const [left, wide] = [x(group.begin), x(group.end) - x(group.begin)];
      pen.globalAlpha = 0.4;
      pen.fillStyle = CLASSES[group.kind];
      pen.fillRect(left, top, wide, BAR);
      pen.globalAlpha = 1;
      pen.strokeStyle = css("--ink");
      pen.lineWidth = 1;
      pen.strokeRect(left + 0.5, top + 0.5, Math.max(0, wide - 1), BAR - 1);
      const [from, to] = [Math.max(left, place.left), Math.min(left + wide, place.left + place.inner)];
      const words = [`group ${group.group}: ${group.count} ${group.kind} jobs`, `${group.group}: ${group.count} jobs`, String(group.group)];
      const text = words.find((word) => pen.measureText(word).width + 8 < to - from);
      pen.fillStyle = css("--ink");
      pen.textAlign = "center";
      if (text) pen.fillText(text, (from + to) / 2, top + 13);
      state.marks.push({ x: left, y: top, w: wide, h: BAR, group });
    }
  }

  function drawSlices(pen, place, range, x) {
    for (const slice of slices().filter(within(range))) {
      const [left, right] = [x(slice.begin), x(slice.end)];
      pen.globalAlpha = 0.6;
      pen.fillStyle = CLASSES[slice.kind];
      pen.fillRect(left, place.letters, right - left - 1, BAR);
      pen.globalAlpha = 0.14;
      pen.fillRect(left, place.top, right - left, place.band);
      pen.globalAlpha = 1;
      if (slice.work > slice.begin) hatch(pen, left, place.top, Math.max(1, x(slice.work) - left), place.band);
      pen.fillStyle = css("--ink");
      pen.textAlign = "center";
      const middle = (Math.max(left, place.left) + Math.min(right, place.left + place.inner)) / 2;
      if (right - left > 9) pen.fillText(LETTERS[slice.kind], middle, place.letters + 13);
      state.marks.push({ x: left, y: place.letters, w: right - left, h: BAR, slice });
    }
  }

  // Hatch the time in which the machine switches between classes.
  function hatch(pen, left, top, wide, tall) {
    pen.fillStyle = css("--line");
    pen.fillRect(left, top, wide, tall);
    stripes(pen, { x: left, y: top, w: wide, h: tall }, css("--soft"), { width: 1 });
  }

  // Jobs of a group have a heavy edge.
  function edged(pen, box) {
    if (box.held.group === null) edge(pen, box);
    else if (box.h > 3) {
      const inset = roomy(box) ? 1 : 0;
      pen.strokeStyle = css("--ink");
      pen.lineWidth = roomy(box) ? 2 : 0.8;
      pen.strokeRect(box.x + inset, box.y + inset, box.w - 2 * inset, box.h - 2 * inset);
    }
  }

  function drawEdges(pen, place, range, x) {
    pen.strokeStyle = css("--ink");
    pen.lineWidth = 1;
    pen.setLineDash([2, 3]);
    for (const { end } of slices()) {
      if (end <= range.begin || end >= range.end) continue;
      pen.beginPath();
      pen.moveTo(x(end), place.top);
      pen.lineTo(x(end), place.top + place.band);
      pen.stroke();
    }
    pen.setLineDash([]);
    for (const group of groups()) for (const time of [group.begin, group.end]) {
      if (time < range.begin || time > range.end) continue;
      pen.fillStyle = css("--ink");
      pen.fillRect(x(time) - 1, place.top, 2, place.band);
      pen.beginPath();
      pen.moveTo(x(time) - 6, place.top - 4);
      pen.lineTo(x(time) + 6, place.top - 4);
      pen.lineTo(x(time), place.top + 8);
      pen.closePath();
      pen.fill();
    }
  }

  function axes(pen, place, y) {
    const total = workload().processors;
    pen.fillStyle = css("--soft");
    pen.textAlign = "right";
    pen.fillText(String(most()), place.left - 6, 13);
    pen.fillText("0", place.left - 6, 4 + STRIP);
    const quarters = [0, total / 4, total / 2, (3 * total) / 4, total].filter(Number.isInteger);
    processorTicks(pen, place.left, quarters, y);
    pen.textAlign = "left";
    pen.fillText("waiting", 0, 4 + STRIP / 2 + 4);
    if (policy().lanes) pen.fillText(policy().lanes > 1 ? "groups" : "group", 0, place.bars + 13);
    pen.fillText("slice", 0, place.letters + 13);
    const foot = place.top + place.band;
    pen.fillRect(place.left, foot, place.inner, 1);
    clockAxis(pen, diagram, foot);
    upright(pen, "processors", place.top + place.band / 2);
  }

  window.slotwiseSlices = { ...diagram, slices, groups, draw, SHADES };
})();
