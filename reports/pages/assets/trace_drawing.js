// The trace diagram drawn: the matrix (a band a slot) or the turns (slice after slice), with the level above.
(function () {
  "use strict";
  const { COLOURS, state, form, workload, policy, inTurns, intervals, phases, hasTurns, cycle, view, turns, lit, drawnRuns, clock } =
    window.slotwiseTrace;
  const canvas = document.getElementById("trace");
  const STRIP = 44; // height of the level strip
  const NUMBERS = 18; // height of the row of slot numbers above the turns
  const GAP = 8;
  const CLASSES = { short: "#56b4e9", medium: "#d98c00", long: "#8f6bb8" };
  const KINDS = { rigid: "#8a93a0", moldable: "#56b4e9", malleable: "#2f9e6e" };
  const STEPS = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800,
    3600, 7200, 10800, 21600, 43200, 86400, 172800, 432000, 864000];

  const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

  function paint(job) {
    if (form.colour.value === "class") return CLASSES[job.kind] || "#8a93a0";
    if (form.colour.value === "flexibility") return KINDS[job.flexibility];
    return COLOURS[job.colour];
  }

  function ink(colour) {
    const [r, g, b] = [1, 3, 5].map((i) => (parseInt(colour.slice(i, i + 2), 16) / 255) ** 2.2);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.22 ? "#10151d" : "#ffffff";
  }

  function layout() {
    const width = canvas.parentElement.clientWidth;
    const narrow = width < 600;
    const left = narrow ? 46 : 52;
    const rows = inTurns() ? 1 : policy().slots;
    const wanted = inTurns() ? (narrow ? 260 : 340) : Math.min(190, Math.max(narrow ? 46 : 56, (narrow ? 360 : 460) / rows));
    const top = 4 + STRIP + GAP + (inTurns() ? NUMBERS : 0);
    const gap = inTurns() ? 0 : 10;
    const height = top + rows * wanted + (rows - 1) * gap + 40;
    return { width, height, left, right: 8, top, gap, rows, band: wanted, narrow, inner: width - left - 8 };
  }

  function draw() {
    const place = layout();
    const dense = window.devicePixelRatio || 1;
    canvas.style.height = `${place.height}px`;
    canvas.width = Math.round(place.width * dense);
    canvas.height = Math.round(place.height * dense);
    const pen = canvas.getContext("2d");
    pen.scale(dense, dense);
    pen.font = '11px "DejaVu Sans", Verdana, sans-serif';
    const range = view();
    const total = workload().processors;
    const x = (time) => place.left + ((time - range.begin) / range.span) * place.inner;
    const base = (row) => place.top + row * (place.band + place.gap) + place.band;
    const y = (row, processor) => base(row) - (processor / total) * place.band;
    state.places = [];
    state.shown = { range, place, x };
    pen.save();
    pen.beginPath();
    pen.rect(place.left, 0, place.inner, place.height);
    pen.clip();
    level(pen, range, x);
    if (inTurns()) drawTurns(pen, place, range, x, y);
    else drawMatrix(pen, place, range, x, y);
    pen.restore();
    axes(pen, place, range, x, y, base);
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
    if (!inTurns() && hasTurns()) marker(pen, x, range);
  }

  // Where the turns are looked at, when there: a bracket on the level strip.
  function marker(pen, x) {
    const begin = state.turnsBegin ?? policy().stretch[0];
    const [left, right] = [x(begin), Math.max(x(begin) + 3, x(begin + 6 * cycle(begin)))];
    pen.fillStyle = css("--bad");
    pen.fillRect(left, 4, right - left, 3);
    pen.fillRect(left, 4, 1, STRIP);
  }

  function block(pen, held, left, right, y, row, seen) {
    const chosen = lit();
    for (const [first, last] of drawnRuns(held)) {
      const [top, bottom] = [y(row, last), y(row, first)];
      const box = { held, x: left, y: top, w: Math.max(1, right - left), h: bottom - top };
      state.places.push(box);
      pen.globalAlpha = chosen === null || chosen.job === held.job ? 1 : 0.28;
      pen.fillStyle = paint(held.job);
      pen.fillRect(box.x, box.y, box.w, box.h);
      if (box.w > 2.5) {
        pen.strokeStyle = css("--paper");
        pen.lineWidth = box.h > 9 && box.w > 9 ? 1 : 0.4;
        pen.strokeRect(box.x, box.y, box.w, box.h);
      }
      label(pen, held, box, seen);
      pen.globalAlpha = 1;
    }
  }

  function label(pen, held, box, seen) {
    const [from, to] = [Math.max(box.x, seen[0]), Math.min(box.x + box.w, seen[1])];
    const text = String(held.job.job);
    if (box.h < 12 || to - from < pen.measureText(text).width + 6) return;
    pen.fillStyle = ink(paint(held.job));
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    pen.fillText(text, (from + to) / 2, box.y + box.h / 2 + 0.5);
    pen.textBaseline = "alphabetic";
  }

  function outline(pen) {
    const chosen = lit();
    if (chosen === null) return;
    pen.strokeStyle = css("--ink");
    for (const box of state.places) {
      if (box.held.job !== chosen.job) continue;
      pen.lineWidth = box.held === chosen ? 2.5 : 1.2;
      pen.strokeRect(box.x + 0.5, box.y + 0.5, Math.max(1, box.w - 1), Math.max(1, box.h - 1));
    }
  }

  function drawMatrix(pen, place, range, x, y) {
    pen.fillStyle = css("--line");
    for (const phase of phases()) {
      if (phase.end < range.begin || phase.begin > range.end) continue;
      for (const slot of phase.slots) {
        pen.fillRect(x(phase.begin), y(slot, workload().processors), x(phase.end) - x(phase.begin) + 0.5, place.band);
      }
    }
    const seen = [place.left, place.left + place.inner];
    const shown = intervals().filter((held) => held.begin < range.end && held.end > range.begin);
    for (const held of shown) block(pen, held, x(held.begin), x(held.end), y, held.slot, seen);
    for (const held of shown) {
      if (held.change && x(held.end) - x(held.begin) > 16) arrow(pen, x(held.begin), y(held.slot, drawnRuns(held)[0][0]), held.change);
    }
    outline(pen);
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

  function drawTurns(pen, place, range, x, y) {
    const total = workload().processors;
    const seen = [place.left, place.left + place.inner];
    const taken = turns(range.begin, range.end);
    pen.textAlign = "center";
    for (const turn of taken) {
      const [left, right] = [x(turn.begin), x(turn.end)];
      pen.fillStyle = css("--line");
      pen.fillRect(left, y(0, total), right - left, place.band);
      if (turn.work > turn.begin) {
        pen.fillStyle = css("--soft");
        pen.fillRect(left, y(0, total), x(turn.work) - left, place.band);
      }
      pen.fillStyle = css(turn.place % 2 ? "--raised" : "--line");
      pen.fillRect(left, place.top - NUMBERS, right - left, NUMBERS - 3);
      pen.fillStyle = css("--ink");
      if (right - left > 12) pen.fillText(String(turn.slot), (left + right) / 2, place.top - 7);
      const runs = intervals().filter((one) => one.slot === turn.slot && one.begin < turn.end && one.end > turn.work);
      for (const held of runs) {
        block(pen, held, x(Math.max(held.begin, turn.work)), x(Math.min(held.end, turn.end)), y, 0, seen);
      }
    }
    for (const turn of taken) {
      pen.fillStyle = css("--ink");
      pen.fillRect(x(turn.begin) - 0.5, y(0, total) - (turn.place === 0 ? NUMBERS : 3), turn.place === 0 ? 1.6 : 0.8,
        place.band + (turn.place === 0 ? NUMBERS : 3));
    }
    outline(pen);
  }

  function axes(pen, place, range, x, y, base) {
    const total = workload().processors;
    pen.fillStyle = css("--soft");
    pen.textAlign = "right";
    const most = Math.max(2, ...phases().map((phase) => phase.level));
    pen.fillText(String(most), place.left - 6, 16);
    pen.fillText("0", place.left - 6, 4 + STRIP);
    pen.textAlign = "left";
    pen.fillText("level", 0, 4 + STRIP / 2 + 4);
    if (inTurns()) pen.fillText("slot", 0, place.top - 7);
    for (let row = 0; row < place.rows; row += 1) {
      pen.textAlign = "right";
      for (const mark of place.band > 70 ? [0, total / 2, total] : [0, total]) {
        const at = y(row, mark);
        pen.fillText(String(Math.round(mark)), place.left - 6, at + (mark === total ? 9 : mark ? 4 : 0));
        pen.fillRect(place.left - 4, at - 0.5, 4, 1);
      }
      if (!inTurns()) upright(pen, place.band > 130 ? `slot ${row}: processors` : `slot ${row}`, base(row) - place.band / 2, true);
      pen.fillRect(place.left, base(row), place.inner, 1);
    }
    const step = STEPS.find((one) => (one / range.span) * place.inner > (place.narrow ? 74 : 92)) || STEPS.at(-1);
    const foot = base(place.rows - 1);
    pen.textAlign = "center";
    for (let k = Math.ceil(range.begin / step - 1e-9); k * step <= range.end + 1e-9; k += 1) {
      const at = x(k * step);
      pen.fillRect(at - 0.5, foot, 1, 5);
      const half = pen.measureText(clock(k * step, step)).width / 2;
      if (at + half <= place.width && at - half >= 0) pen.fillText(clock(k * step, step), at, foot + 18);
    }
    pen.textAlign = "right";
    pen.fillText("time into the window (h:min:s)", place.left + place.inner, foot + 34);
    if (inTurns()) upright(pen, "processors", foot - place.band / 2, false);
  }

  function upright(pen, text, middle, strong) {
    pen.save();
    pen.translate(11, middle);
    pen.rotate(-Math.PI / 2);
    pen.textAlign = "center";
    if (strong) {
      pen.fillStyle = css("--ink");
      pen.font = 'bold 11px "DejaVu Sans", Verdana, sans-serif';
    }
    pen.fillText(text, 0, 0);
    pen.restore();
  }

  Object.assign(window.slotwiseTrace, { canvas, draw, css, CLASSES, KINDS });
})();
