// The diagram of slices: its data and words, and the picture. Workloads with one window each; of every policy who ran when on
// which processors, whose slice it was, the groups and the fates of the jobs; times in seconds since the window began.
(function () {
  "use strict";
  const { colours: COLOURS, windows: WINDOWS } = JSON.parse(document.getElementById("slice-data").textContent);
  const form = document.getElementById("slice-controls");
  const canvas = document.getElementById("slices");
  const KINDS = ["short", "medium", "long"];
  const LETTERS = { short: "S", medium: "M", long: "L" };
  const CLASSES = { short: "#56b4e9", medium: "#d98c00", long: "#8f6bb8" };
  const SHADES = {
    short: ["#56b4e9", "#8ccbf0", "#2f93cc"], medium: ["#d98c00", "#f0b64d", "#b37300"], long: ["#8f6bb8", "#b397d3", "#6f4c99"],
  };
  const UNITS = [[600, 1, "s"], [10800, 60, "min"], [Infinity, 3600, "h"]];
  const STRIP = 44; // height of the queue
  const BAR = 18; // height of the bar of a group, and of the letters
  const GAP = 8;
  const state = { lit: null, pinned: null, job: null, begin: 0, places: [], marks: [], shown: null };

  const workload = () => WINDOWS[Number(form.workload.value)];
  const policy = () => workload().policies[Number(form.policy.value)];
  const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

  function jobs() {
    const whole = workload();
    if (!whole.known) {
      const seen = {};
      whole.known = whole.jobs.map(([job, kind, size, submit, run, estimate, colour]) => {
        seen[kind] = (seen[kind] ?? -1) + 1;
        return { job, kind, size, submit, run, estimate, colour, shade: SHADES[kind][seen[kind] % 3] };
      });
    }
    return whole.known;
  }

  function stretches() {
    const whole = policy();
    if (!whole.known) {
      whole.fate = jobs().map((job, number) => {
        const [start, finish, outcome, group, place] = whole.fates[number] || [null, null, "", null, null];
        return { job, start, finish, outcome, group, place };
      });
      whole.known = whole.held.map(([number, kind, begin, end, size, lent, flat], index) => {
        const runs = flat.filter((_, i) => i % 2 === 0).map((first, i) => [first, flat[2 * i + 1]]);
        return { number: index, ...whole.fate[number], slice: KINDS[kind], begin, end, size, lent: Boolean(lent), runs };
      });
      whole.turns = whole.slices.map(([kind, begin, work, end]) => ({ kind: KINDS[kind], begin, work, end }));
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

  const slices = () => (stretches(), policy().turns);
  const groups = () => (stretches(), policy().bars);
  const queue = () => (stretches(), policy().queue);
  const lit = () => { const one = state.lit ?? state.pinned; return one === null ? null : stretches()[one]; };

  function view() {
    const length = workload().length;
    const span = Math.min(length, length / Number(form.span.value));
    const begin = Math.min(Math.max(0, state.begin), length - span);
    return { begin, end: begin + span, span };
  }

  // Times are those since the first submission; the unit is that of the whole window.
  const unit = () => UNITS.find(([most]) => workload().length <= most);
  function when(time) {
    const [, divisor, name] = unit();
    return `${Number(((time + workload().begin) / divisor).toFixed(name === "s" ? 1 : 2)).toLocaleString("en")} ${name}`;
  }
  function lasting(time) {
    if (time < 60) return `${Number(time.toPrecision(3))} s`;
    if (time < 3600) return `${Math.floor(time / 60)} min ${Math.round(time % 60)} s`.replace(" 0 s", "");
    return `${Math.floor(time / 3600).toLocaleString("en")} h ${Math.round((time % 3600) / 60)} min`.replace(" 0 min", "");
  }

  const paint = (job) => (form.colour.value === "class" ? job.shade : COLOURS[job.colour]);

  function ink(colour) {
    const [r, g, b] = [1, 3, 5].map((i) => (parseInt(colour.slice(i, i + 2), 16) / 255) ** 2.2);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.22 ? "#10151d" : "#ffffff";
  }

  function layout() {
    const width = canvas.parentElement.clientWidth;
    const narrow = width < 600;
    stretches();
    const left = narrow ? 50 : 58;
    const bars = 4 + STRIP + GAP;
    const letters = bars + policy().lanes * (BAR + 2) + (policy().lanes ? GAP : 0);
    const top = letters + BAR + 4;
    const band = narrow ? 280 : 360;
    return { width, narrow, left, bars, letters, top, band, height: top + band + 42, inner: width - left - 8 };
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
    const x = (time) => place.left + ((time - range.begin) / range.span) * place.inner;
    const y = (processor) => place.top + place.band * (1 - processor / workload().processors);
    Object.assign(state, { places: [], marks: [], shown: { range, place, x } });
    pen.save();
    pen.beginPath();
    pen.rect(place.left, 0, place.inner, place.height);
    pen.clip();
    drawQueue(pen, place, range, x);
    drawGroups(pen, place, x);
    drawSlices(pen, place, range, x);
    const shown = stretches().filter((held) => held.begin < range.end && held.end > range.begin);
    for (const held of shown) block(pen, held, x, y, place);
    drawEdges(pen, place, range, x);
    outline(pen);
    pen.restore();
    axes(pen, place, range, x, y);
  }

  const most = () => Math.max(1, ...queue().map((one) => one.waiting.length));

  function drawQueue(pen, place, range, x) {
    for (const one of queue()) {
      if (one.end <= range.begin || one.begin >= range.end) continue;
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
    pen.fillStyle = css("--line");
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
    for (const slice of slices()) {
      if (slice.end <= range.begin || slice.begin >= range.end) continue;
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

  // Time in which the machine is switched: grey, hatched where there is room.
  function hatch(pen, left, top, wide, tall) {
    pen.save();
    pen.beginPath();
    pen.rect(left, top, wide, tall);
    pen.clip();
    pen.fillStyle = css("--line");
    pen.fillRect(left, top, wide, tall);
    pen.strokeStyle = css("--soft");
    pen.lineWidth = 1;
    pen.beginPath();
    for (let at = top - wide; at < top + tall; at += 6) {
      pen.moveTo(left, at + wide);
      pen.lineTo(left + wide, at);
    }
    pen.stroke();
    pen.restore();
  }

  function block(pen, held, x, y, place) {
    const chosen = lit();
    const [left, right] = [x(held.begin), x(held.end)];
    for (const [first, last] of held.runs) {
      const box = { held, x: left, y: y(last), w: Math.max(1, right - left), h: y(first) - y(last) };
      state.places.push(box);
      pen.globalAlpha = chosen === null || chosen.job === held.job ? 1 : 0.28;
      pen.fillStyle = paint(held.job);
      pen.fillRect(box.x, box.y, box.w, box.h);
      const planned = held.group !== null;
      if (box.w > 2.5 && (box.h > 3 || !planned)) {
        const roomy = box.h > 9 && box.w > 9;
        pen.strokeStyle = css(planned ? "--ink" : "--paper");
        pen.lineWidth = planned ? (roomy ? 2 : 0.8) : roomy ? 1 : 0.4;
        const inset = planned && roomy ? 1 : 0;
        pen.strokeRect(box.x + inset, box.y + inset, box.w - 2 * inset, box.h - 2 * inset);
      }
      label(pen, held, box, place);
      pen.globalAlpha = 1;
    }
  }

  function label(pen, held, box, place) {
    const [from, to] = [Math.max(box.x, place.left), Math.min(box.x + box.w, place.left + place.inner)];
    const text = String(held.job.job);
    if (box.h < 12 || to - from < pen.measureText(text).width + 4) return;
    pen.fillStyle = ink(paint(held.job));
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    pen.fillText(text, (from + to) / 2, box.y + box.h / 2 + 0.5);
    pen.textBaseline = "alphabetic";
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

  function outline(pen) {
    const chosen = lit();
    if (chosen === null) return;
    pen.strokeStyle = css("--bad");
    for (const box of state.places) {
      if (box.held.job !== chosen.job) continue;
      pen.lineWidth = box.held === chosen ? 2.5 : 1.2;
      pen.strokeRect(box.x + 0.5, box.y + 0.5, Math.max(1, box.w - 1), Math.max(1, box.h - 1));
    }
  }

  function axes(pen, place, range, x, y) {
    const total = workload().processors;
    pen.fillStyle = css("--soft");
    pen.textAlign = "right";
    pen.fillText(String(most()), place.left - 6, 13);
    pen.fillText("0", place.left - 6, 4 + STRIP);
    for (const mark of [0, total / 4, total / 2, (3 * total) / 4, total]) {
      if (!Number.isInteger(mark)) continue;
      pen.fillText(String(mark), place.left - 6, y(mark) + (mark === total ? 9 : mark ? 4 : 0));
      pen.fillRect(place.left - 4, y(mark) - 0.5, 4, 1);
    }
    pen.textAlign = "left";
    pen.fillText("waiting", 0, 4 + STRIP / 2 + 4);
    if (policy().lanes) pen.fillText(policy().lanes > 1 ? "groups" : "group", 0, place.bars + 13);
    pen.fillText("slice", 0, place.letters + 13);
    const [, divisor, name] = unit();
    const foot = place.top + place.band;
    pen.fillRect(place.left, foot, place.inner, 1);
    const steps = [1, 2, 5].flatMap((digit) => [-3, -2, -1, 0, 1, 2, 3, 4].map((power) => digit * 10 ** power)).sort((a, b) => a - b);
    const step = (steps.find((one) => ((one * divisor) / range.span) * place.inner > (place.narrow ? 48 : 64)) || 1) * divisor;
    const origin = workload().begin;
    pen.textAlign = "center";
    for (let k = Math.ceil((range.begin + origin) / step - 1e-9); k * step <= range.end + origin + 1e-9; k += 1) {
      const at = x(k * step - origin);
      const text = Number(((k * step) / divisor).toFixed(3)).toLocaleString("en");
      pen.fillRect(at - 0.5, foot, 1, 5);
      const half = pen.measureText(text).width / 2;
      if (at + half <= place.width && at - half >= 0) pen.fillText(text, at, foot + 18);
    }
    pen.textAlign = "right";
    pen.fillText(`time since the first submission (${name})`, place.left + place.inner, foot + 36);
    pen.save();
    pen.translate(11, place.top + place.band / 2);
    pen.rotate(-Math.PI / 2);
    pen.textAlign = "center";
    pen.fillText("processors", 0, 0);
    pen.restore();
  }

  window.slotwiseSlices = { CLASSES, KINDS, state, form, canvas, workload, policy, jobs, stretches, slices, groups, queue, lit, view,
    when, lasting, draw, css };
})();
