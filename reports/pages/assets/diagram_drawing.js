// What all diagrams share: the window, in which jobs hold processors for allocations of time, the words for it, and the parts of
// the picture that are alike.
window.slotwiseDiagrams = (function () {
  "use strict";
  const CLASSES = { short: "#56b4e9", medium: "#d98c00", long: "#8f6bb8" };
  const KINDS = Object.keys(CLASSES);
  const DAY = 86400;
  const PLAIN = [-3, -2, -1, 0, 1, 2, 3, 4, 5, 6, 7].flatMap((power) => [1, 2, 5].map((digit) => digit * 10 ** power));
  const FONT = '"DejaVu Sans", Verdana, sans-serif';
  const STEPS = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800,
    3600, 7200, 10800, 21600, 43200, 86400, 172800, 432000, 864000];
  const byId = (id) => document.getElementById(id);
  const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

  // The diagram whose elements are called `name`: its controls, the window that is shown (null until its data have come), and
  // what the reader looks at. `columns` names what is told of a job besides its times, and `more` adds to it; `allocations`
  // returns those of the chosen policy, `wanted` the time that the reader wants to see (null: a part of the window).
  function open(name, columns, allocations, { more = () => ({}), wanted = () => null } = {}) {
    const form = byId(`${name}-controls`);
    const state = { window: null, lit: null, pinned: null, job: null, begin: 0, places: [], marks: [], shown: null };
    const workload = () => state.window;
    const policy = () => workload().policies[Number(form.policy.value)];
    const keys = ["job", ...columns, "submit", "run", "estimate", "colour"];
    // Rows of numbers become objects once.
    function jobs() {
      const whole = workload();
      whole.known ??= whole.jobs.map((row) => Object.fromEntries(keys.map((key, i) => [key, row[i]])))
        .map((job, place) => ({ ...job, ...more(job, place) }));
      return whole.known;
    }
    // Return the allocation that is looked at: the one under the pointer, else the one kept.
    const lit = () => { const one = state.lit ?? state.pinned; return one === null ? null : allocations()[one]; };
    function view() {
      const length = workload().length;
      const span = Math.min(length, wanted() ?? length / Number(form.span.value));
      const begin = Math.min(Math.max(0, state.begin), length - span);
      return { begin, end: begin + span, span };
    }
    // Return a time into the window as the point in time that it is.
    const moment = (time) => instant(workload().begin + time);
    return { name, font: FONT, canvas: byId(`${name}-picture`), form, state, workload, policy, jobs, allocations, lit, view, moment };
  }

  const within = (range) => (one) => one.begin < range.end && one.end > range.begin;
  const pairs = (flat) => flat.filter((_, i) => i % 2 === 0).map((first, i) => [first, flat[2 * i + 1]]);

  // Return a length of time in words. It is rounded before it is split into units: 60 s are 1 min, and 60 min are 1 h.
  function lasting(time) {
    const brief = Number(time.toPrecision(3));
    if (brief < 60) return `${brief} s`;
    const [seconds, minutes] = [Math.round(time), Math.round(time / 60)];
    if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`.replace(" 0 s", "");
    return `${Math.floor(minutes / 60).toLocaleString("en")} h ${minutes % 60} min`.replace(" 0 min", "");
  }

  const two = (n) => String(n).padStart(2, "0");
  // Return a point in time, given in seconds since the first submission, as explanations write it: "day 17, 12:51". Seconds follow
  // where they are not zero, or where times a `step` below a minute apart are told.
  function instant(time, step = 60) {
    const digits = step >= 1 ? 0 : Math.min(3, Math.ceil(-Math.log10(step)));
    const whole = Math.floor(Math.max(0, time) * 10 ** digits + 1e-3) / 10 ** digits;
    const seconds = Number((whole % 60).toFixed(digits));
    const told = step < 60 || seconds ? `:${seconds < 10 ? "0" : ""}${seconds.toFixed(digits)}` : "";
    return `day ${Math.floor(whole / DAY)}, ${two(Math.floor((whole % DAY) / 3600))}:${two(Math.floor((whole % 3600) / 60))}${told}`;
  }

  const beginning = ({ begin, length }) => `The window begins on ${instant(begin)} and lasts ${lasting(length)}`;
  const runTime = ({ run, estimate }) => lasting(run) + (estimate === run ? "" : `, estimated ${lasting(estimate)}`);
  const counted = (size) => (size === 1 ? "1 processor" : `${size} processors`);
  const processors = (runs) =>
    runs.map(([first, last]) => (last - first > 1 ? `${first}–${last - 1}` : `${first}`)).join(", ");
  const waited = (held) => lasting(held.start - held.job.submit);
  const finished = (held, moment) => moment(held.finish) + (held.outcome === "killed" ? " (killed at its estimate)" : "");
  const fate = (held, moment) => `Waited ${waited(held)}, started on ${moment(held.start)}, finishes on ${finished(held, moment)}.`;

  // The size of a picture as wide as the page, with room for the words of the vertical axis.
  function sheet({ canvas }, slim, broad) {
    const width = canvas.parentElement.clientWidth;
    const narrow = width < 600;
    const left = narrow ? slim : broad;
    return { width, narrow, left, inner: width - left - 8 };
  }

  // Clear the canvas, give it the size of `place`, and cut drawing at the vertical axis until `pen.restore()`.
  function start({ canvas, state, view }, place) {
    const dense = window.devicePixelRatio || 1;
    canvas.style.height = `${place.height}px`;
    canvas.width = Math.round(place.width * dense);
    canvas.height = Math.round(place.height * dense);
    const pen = canvas.getContext("2d");
    pen.scale(dense, dense);
    pen.font = `11px ${FONT}`;
    const range = view();
    const x = (time) => place.left + ((time - range.begin) / range.span) * place.inner;
    Object.assign(state, { places: [], marks: [], shown: { range, place, x } });
    pen.save();
    pen.beginPath();
    pen.rect(place.left, 0, place.inner, place.height);
    pen.clip();
    return { pen, range, x };
  }

  const roomy = (box) => box.h > 9 && box.w > 9;

  function heavy(pen, box) {
    const inset = roomy(box) ? 0.75 : 0.25;
    pen.strokeStyle = css("--ink");
    pen.lineWidth = roomy(box) ? 1.5 : 0.5;
    pen.strokeRect(box.x + inset, box.y + inset, Math.max(0, box.w - 2 * inset), Math.max(0, box.h - 2 * inset));
  }

  function edge(pen, box) {
    pen.strokeStyle = css("--paper");
    pen.lineWidth = roomy(box) ? 1 : 0.4;
    pen.strokeRect(box.x, box.y, box.w, box.h);
  }

  // Draw an allocation from `left` to `right`: a block on each of `runs`, with the longest text that leaves `margin`: what is
  // `told` of it, else in `brief`, else the job's number. All fade but the job looked at and those that are `together` with it.
  function blocks(pen, { state, lit }, held, { runs, left, right, y, colour, margin, edged = edge, together = () => false }) {
    const chosen = lit();
    const near = chosen === null || chosen.job === held.job || together(chosen, held);
    for (const [first, last] of runs) {
      const box = { held, x: left, y: y(last), w: Math.max(1, right - left), h: y(first) - y(last) };
      state.places.push(box);
      pen.globalAlpha = near ? 1 : 0.28;
      pen.fillStyle = colour;
      pen.fillRect(box.x, box.y, box.w, box.h);
      if (box.w > 2.5) edged(pen, box);
      label(pen, state.shown.place, box, colour, margin);
      pen.globalAlpha = 1;
    }
  }

  function label(pen, place, box, colour, margin) {
    const [from, to] = [Math.max(box.x, place.left), Math.min(box.x + box.w, place.left + place.inner)];
    const text = [box.held.told, box.held.brief ?? String(box.held.job.job)].find((word) => word && to - from >= pen.measureText(word).width + margin);
    if (box.h < 12 || !text) return;
    pen.fillStyle = ink(colour);
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    pen.fillText(text, (from + to) / 2, box.y + box.h / 2 + 0.5);
    pen.textBaseline = "alphabetic";
  }

  function ink(colour) {
    const [r, g, b] = [1, 3, 5].map((i) => (parseInt(colour.slice(i, i + 2), 16) / 255) ** 2.2);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.22 ? "#10151d" : "#ffffff";
  }

  // Draw stripes over a box, `step` pixels apart; `from` and `to` limit them to what is seen of it.
  function stripes(pen, box, colour, { step = 6, width = 2, from = box.x - box.h, to = box.x + box.w } = {}) {
    pen.save();
    pen.beginPath();
    pen.rect(box.x, box.y, box.w, box.h);
    pen.clip();
    pen.strokeStyle = colour;
    pen.lineWidth = width;
    pen.beginPath();
    for (let at = from; at < to; at += step) {
      pen.moveTo(at, box.y + box.h);
      pen.lineTo(at + box.h, box.y);
    }
    pen.stroke();
    pen.restore();
  }

  // Return the colour at a `share` of the way through `stops`, which are lists of red, green and blue.
  function ramp(stops, share) {
    const x = Math.min(1, Math.max(0, share)) * (stops.length - 1);
    const i = Math.min(stops.length - 2, Math.floor(x));
    return "#" + stops[i].map((c, k) => Math.round(c + (stops[i + 1][k] - c) * (x - i)).toString(16).padStart(2, "0")).join("");
  }

  // Outline all allocations of the job looked at, the one looked at most of all.
  function outline(pen, { state, lit }, colour) {
    const chosen = lit();
    if (chosen === null) return;
    pen.strokeStyle = colour;
    for (const box of state.places) {
      if (box.held.job !== chosen.job) continue;
      pen.lineWidth = box.held === chosen ? 2.5 : 1.2;
      pen.strokeRect(box.x + 0.5, box.y + 0.5, Math.max(1, box.w - 1), Math.max(1, box.h - 1));
    }
  }

  function processorTicks(pen, left, marks, y) {
    pen.textAlign = "right";
    for (const mark of marks) {
      pen.fillText(String(Math.round(mark)), left - 6, y(mark) + (mark === marks.at(-1) ? 9 : mark ? 4 : 0));
      pen.fillRect(left - 4, y(mark) - 0.5, 4, 1);
    }
  }

  // Draw ticks a `step` apart, counted from `origin` seconds before the window; `text` returns their numbers.
  function timeTicks(pen, { range, place, x }, foot, { step, text, origin = 0 }) {
    pen.textAlign = "center";
    for (let k = Math.ceil((range.begin + origin) / step - 1e-9); k * step <= range.end + origin + 1e-9; k += 1) {
      const at = x(k * step - origin);
      pen.fillRect(at - 0.5, foot, 1, 5);
      const half = pen.measureText(text(k * step)).width / 2;
      pen.fillText(text(k * step), Math.min(Math.max(at, half), place.width - half), foot + 18);
    }
  }

  // The least of `steps`, in units of `divisor` seconds, that leaves `room` pixels between ticks.
  const stepOf = ({ range, place }, steps, divisor, room) =>
    (steps.find((one) => ((one * divisor) / range.span) * place.inner > room) ?? steps.at(-1)) * divisor;

  // A time axis of points in time; the first one and the first of each day name their day.
  function clockAxis(pen, { state, workload }, foot, below = 36) {
    const { shown } = state;
    const { place, range } = shown;
    const origin = workload().begin;
    const step = stepOf(shown, STEPS, 1, 100);
    const named = (time) => time - step < range.begin + origin - 1e-9 || Math.floor(time / DAY) > Math.floor((time - step) / DAY);
    timeTicks(pen, shown, foot, { step, origin, text: (time) => (named(time) ? instant(time, step) : instant(time, step).split(", ")[1]) });
    pen.textAlign = "right";
    pen.fillText("time since the first submission (day, h:min)", place.left + place.inner, foot + below);
  }

  // A time axis of plain numbers of a unit, which the title names.
  function plainAxis(pen, shown, foot, [, divisor], titles, room = [48, 64]) {
    const { place } = shown;
    const step = stepOf(shown, PLAIN, divisor, place.narrow ? room[0] : room[1]);
    timeTicks(pen, shown, foot, { step, text: (time) => Number((time / divisor).toFixed(3)).toLocaleString("en") });
    pen.textAlign = "right";
    pen.fillText(fitting(pen, titles, place.inner), place.left + place.inner, foot + 36);
  }

  const fitting = (pen, words, room) => words.find((word) => pen.measureText(word).width <= room) ?? "";

  function upright(pen, text, middle, strong = false) {
    pen.save();
    pen.translate(11, middle);
    pen.rotate(-Math.PI / 2);
    pen.textAlign = "center";
    if (strong) {
      pen.fillStyle = css("--ink");
      pen.font = `bold ${pen.font}`;
    }
    pen.fillText(text, 0, 0);
    pen.restore();
  }

  return { CLASSES, KINDS, css, open, within, pairs, lasting, instant, beginning, runTime, counted, processors, waited, finished, fate, sheet,
    start, roomy, heavy, edge, blocks, stripes, ramp, outline, processorTicks, clockAxis, plainAxis, fitting, upright };
})();
