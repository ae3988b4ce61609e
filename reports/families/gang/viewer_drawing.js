// The matrix diagram drawn: the matrix (a band per slot) or the slices (slice after slice), with the level above.
(function () {
  "use strict";
  const { CLASSES, css, within, sheet, start, blocks, outline, processorTicks, clockAxis, upright } = window.slotwiseDiagrams;
  const diagram = window.slotwiseGang;
  const { state, form, workload, policy, inSlices, allocations, phases, hasSlices, cycle, slices, drawnRuns } = diagram;
  const STRIP = 44; // height of the level strip
  const NUMBERS = 18; // height of the row of slot numbers above the slices
  const GAP = 8;
  const KINDS = { rigid: "#8a93a0", moldable: "#56b4e9", malleable: "#2f9e6e" };

  function paint(job) {
    if (form.colour.value === "class") return CLASSES[job.kind] || "#8a93a0";
    if (form.colour.value === "flexibility") return KINDS[job.flexibility];
    return workload().colours[job.colour];
  }

  function layout() {
    const page = sheet(diagram, 46, 52);
    const { narrow } = page;
    const rows = inSlices() ? 1 : policy().slots;
    const wanted = inSlices() ? (narrow ? 260 : 340) : Math.min(190, Math.max(narrow ? 46 : 56, (narrow ? 360 : 460) / rows));
    const top = 4 + STRIP + GAP + (inSlices() ? NUMBERS : 0);
    const gap = inSlices() ? 0 : 10;
    const height = top + rows * wanted + (rows - 1) * gap + 40;
    return { ...page, height, top, gap, rows, band: wanted };
  }

  function draw() {
    const place = layout();
    const { pen, range, x } = start(diagram, place);
    const total = workload().processors;
    const base = (row) => place.top + row * (place.band + place.gap) + place.band;
    const y = (row, processor) => base(row) - (processor / total) * place.band;
    level(pen, range, x);
    if (inSlices()) drawSlices(pen, place, range, x, y);
    else drawMatrix(pen, place, range, x, y);
    pen.restore();
    axes(pen, place, y, base);
  }

  function level(pen, range, x) {
    const most = Math.max(2, ...phases().map((phase) => phase.level));
    const y = (value) => 4 + STRIP - (value / most) * (STRIP - 4);
    pen.beginPath();
    let started = false;
    for (const phase of phases()) {
      if (phase.end < range.begin || phase.begin > range.end) continue;
      if (started) pen.lineTo(x(phase.begin), y(phase.level));
      else pen.moveTo(x(phase.begin), y(phase.level));
      pen.lineTo(x(phase.end), y(phase.level));
      started = true;
    }
    pen.strokeStyle = css("--accent");
    pen.lineWidth = 2;
    pen.stroke();
    pen.globalAlpha = 0.12;
    pen.lineTo(x(Math.min(range.end, phases().at(-1).end)), y(0));
    pen.lineTo(x(Math.max(range.begin, 0)), y(0));
    pen.fillStyle = css("--accent");
    pen.fill();
    pen.globalAlpha = 1;
    if (!inSlices() && hasSlices()) marker(pen, x, range);
  }

  // Mark on the level strip which time slices the other view shows.
  function marker(pen, x) {
    const begin = state.slicesBegin ?? policy().stretch[0];
    const [left, right] = [x(begin), Math.max(x(begin) + 3, x(begin + 6 * cycle(begin)))];
    pen.fillStyle = css("--bad");
    pen.fillRect(left, 4, right - left, 3);
    pen.fillRect(left, 4, 1, STRIP);
  }

  const block = (pen, held, left, right, y, row) => blocks(pen, diagram, held,
    { runs: drawnRuns(held), left, right, y: (processor) => y(row, processor), colour: paint(held.job), margin: 6 });

  function drawMatrix(pen, place, range, x, y) {
    pen.fillStyle = css("--line");
    for (const phase of phases()) {
      if (phase.end < range.begin || phase.begin > range.end) continue;
      for (const slot of phase.slots) {
        pen.fillRect(x(phase.begin), y(slot, workload().processors), x(phase.end) - x(phase.begin) + 0.5, place.band);
      }
    }
    const shown = allocations().filter(within(range));
    for (const held of shown) block(pen, held, x(held.begin), x(held.end), y, held.slot);
    for (const held of shown) {
      if (held.change && x(held.end) - x(held.begin) > 16) arrow(pen, x(held.begin), y(held.slot, drawnRuns(held)[0][0]), held.change);
    }
    outline(pen, diagram, css("--ink"));
  }

  // A resizing: a triangle that points up where a job grew, down where it shrank.
  function arrow(pen, left, bottom, change) {
    const [tall, foot] = [5, bottom - 2];
    pen.beginPath();
    pen.moveTo(left + 2, change > 0 ? foot : foot - tall);
    pen.lineTo(left + 9, change > 0 ? foot : foot - tall);
    pen.lineTo(left + 5.5, change > 0 ? foot - tall : foot);
    pen.closePath();
    pen.fillStyle = css("--ink");
    pen.strokeStyle = css("--paper");
    pen.lineWidth = 1.6;
    pen.stroke();
    pen.fill();
  }

  function drawSlices(pen, place, range, x, y) {
    const total = workload().processors;
    const taken = slices(range.begin, range.end);
    pen.textAlign = "center";
    for (const slice of taken) {
      const [left, right] = [x(slice.begin), x(slice.end)];
      pen.fillStyle = css("--line");
      pen.fillRect(left, y(0, total), right - left, place.band);
      if (slice.work > slice.begin) {
        pen.fillStyle = css("--soft");
        pen.fillRect(left, y(0, total), x(slice.work) - left, place.band);
      }
      pen.fillStyle = css(slice.place % 2 ? "--raised" : "--line");
      pen.fillRect(left, place.top - NUMBERS, right - left, NUMBERS - 3);
      pen.fillStyle = css("--ink");
      if (right - left > 12) pen.fillText(String(slice.slot), (left + right) / 2, place.top - 7);
      const runs = allocations().filter((one) => one.slot === slice.slot && one.begin < slice.end && one.end > slice.work);
      for (const held of runs) block(pen, held, x(Math.max(held.begin, slice.work)), x(Math.min(held.end, slice.end)), y, 0);
    }
    for (const slice of taken) {
      pen.fillStyle = css("--ink");
      pen.fillRect(x(slice.begin) - 0.5, y(0, total) - (slice.place === 0 ? NUMBERS : 3), slice.place === 0 ? 1.6 : 0.8,
        place.band + (slice.place === 0 ? NUMBERS : 3));
    }
    outline(pen, diagram, css("--ink"));
  }

  function axes(pen, place, y, base) {
    const total = workload().processors;
    pen.fillStyle = css("--soft");
    pen.textAlign = "right";
    const most = Math.max(2, ...phases().map((phase) => phase.level));
    pen.fillText(String(most), place.left - 6, 16);
    pen.fillText("0", place.left - 6, 4 + STRIP);
    pen.textAlign = "left";
    pen.fillText("level", 0, 4 + STRIP / 2 + 4);
    if (inSlices()) pen.fillText("slot", 0, place.top - 7);
    for (let row = 0; row < place.rows; row += 1) {
      const marks = place.band > 70 ? [0, total / 2, total] : [0, total];
      processorTicks(pen, place.left, marks, (mark) => y(row, mark));
      if (!inSlices()) upright(pen, place.band > 130 ? `slot ${row}: processors` : `slot ${row}`, base(row) - place.band / 2, true);
      pen.fillRect(place.left, base(row), place.inner, 1);
    }
    const foot = base(place.rows - 1);
    clockAxis(pen, diagram, foot, 34);
    if (inSlices()) upright(pen, "processors", foot - place.band / 2);
  }

  Object.assign(diagram, { draw, KINDS });
})();
