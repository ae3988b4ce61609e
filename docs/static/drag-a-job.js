// The page on which jobs are dragged: a chart of the jobs as submitted, a form for the chosen job, and three schedules.
// `tenJobs` comes from ten-jobs.js, which is written from docs/examples/ten.swf when the site is built.
"use strict";

(() => {
  const root = document.getElementById("jobs-to-drag");
  const MINUTE = 60;
  const SHOWN = 90; // minutes that the charts show at least
  const GUTTER = 62;
  const ROW = 28;
  const NAMES = { fcfs: "FCFS", easy: "EASY", conservative: "Conservative" };
  const FIELDS = [
    ["submit", "Submitted (min)", 0, 60],
    ["run", "Run time (min)", 1, 60],
    ["estimate", "Requested time (min)", 1, 90],
    ["size", "Processors", 1, tenJobs.processors],
  ];

  let jobs = copies();
  let chosen = jobs[9];
  let drag = null;

  function copies() {
    return tenJobs.jobs.map((job) => ({ ...job }));
  }

  function element(name, attributes = {}, parent = null, text = "") {
    const svg = ["svg", "g", "rect", "line", "text", "path"].includes(name);
    const made = svg ? document.createElementNS("http://www.w3.org/2000/svg", name) : document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    if (text) made.textContent = text;
    if (parent) parent.append(made);
    return made;
  }

  const place = (made, attributes) => Object.entries(attributes).forEach(([key, value]) => made.setAttribute(key, value));
  const colour = (job) => tenJobs.colours[job.number % tenJobs.colours.length];
  const width = () => Math.max(280, root.clientWidth);
  const scale = (last) => (width() - GUTTER - 8) / last; // pixels a minute
  const minutes = (seconds) => seconds / MINUTE;

  // Change one quantity of a job, in minutes or processors, within its limits. Nobody requests less than the run time.
  function set(job, field, value) {
    const [, , least, most] = FIELDS.find(([name]) => name === field);
    const unit = field === "size" ? 1 : MINUTE;
    if (!Number.isFinite(value)) return;
    job[field] = Math.min(most, Math.max(least, Math.round(value))) * unit;
    if (field === "run") job.estimate = Math.max(job.estimate, job.run);
    if (field === "estimate") job.run = Math.min(job.run, job.estimate);
    update();
  }

  function describe(job) {
    return (
      `Job ${job.number}: submitted at ${minutes(job.submit)} min, runs for ${minutes(job.run)} min, ` +
      `requests ${minutes(job.estimate)} min and ${job.size} of ${tenJobs.processors} processors`
    );
  }

  // The jobs as submitted. Elements are made once and moved later, so that a drag and the focus of the keyboard survive.
  const chart = element("svg", { class: "submitted", role: "group", "aria-label": "The jobs as submitted" });
  const ticks = element("g", {}, chart);
  const rows = tenJobs.jobs.map((_, index) => {
    const row = element("g", { tabindex: 0, role: "button", class: "job" }, chart);
    const parts = {
      row,
      back: element("rect", { x: 0, y: index * ROW, height: ROW, class: "row" }, row),
      name: element("text", { x: 2, y: index * ROW + 18 }, row),
      requested: element("rect", { y: index * ROW + 4, height: ROW - 8, class: "requested" }, row),
      bar: element("rect", { y: index * ROW + 4, height: ROW - 8, class: "bar" }, row),
      handle: element("rect", { y: index * ROW, width: 24, height: ROW, class: "handle" }, row),
      grip: element("path", { class: "grip" }, row),
    };
    row.addEventListener("focus", () => choose(jobs[index]));
    row.addEventListener("keydown", (event) => press(event, jobs[index]));
    return parts;
  });

  function press(event, job) {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const processors = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (step) {
      const field = event.shiftKey ? "run" : "submit";
      set(job, field, minutes(job[field]) + step);
    } else if (processors) set(job, "size", job.size + processors);
    else return;
    event.preventDefault();
  }

  function choose(job) {
    if (chosen === job) return;
    chosen = job;
    update();
  }

  chart.addEventListener("pointerdown", (event) => {
    const index = rows.findIndex(({ row }) => row.contains(event.target));
    if (index < 0) return;
    const job = jobs[index];
    const field = event.target === rows[index].handle ? "run" : "submit";
    if (event.target !== rows[index].back) {
      drag = { job, field, from: event.clientX, value: minutes(job[field]) };
      chart.setPointerCapture(event.pointerId);
    }
    choose(job);
  });
  chart.addEventListener("pointermove", (event) => {
    if (drag) set(drag.job, drag.field, drag.value + (event.clientX - drag.from) / scale(SHOWN));
  });
  for (const end of ["pointerup", "pointercancel"]) chart.addEventListener(end, () => (drag = null));

  // The form of the chosen job.
  const form = element("form", { class: "chosen" });
  const legend = element("strong", {}, form);
  const inputs = FIELDS.map(([field, label, least, most]) => {
    const line = element("label", {}, form, label);
    const input = element("input", { type: "number", min: least, max: most, step: 1, inputmode: "numeric", name: field }, line);
    input.addEventListener("change", () => set(chosen, field, input.value === "" ? NaN : Number(input.value)));
    return [field, input];
  });
  const reset = element("button", { type: "button" }, form, "Start again");
  reset.addEventListener("click", () => {
    const index = jobs.indexOf(chosen);
    jobs = copies();
    chosen = jobs[index];
    update();
  });
  form.addEventListener("submit", (event) => event.preventDefault());

  // The three schedules.
  const schedules = Object.entries(NAMES).map(([policy, name]) => {
    const section = element("section", { class: "schedule", "data-policy": policy });
    const heading = element("p", {}, section);
    element("strong", {}, heading, name);
    const numbers = element("span", {}, heading);
    const picture = element("svg", { role: "img" }, section);
    picture.addEventListener("pointerdown", (event) => {
      const job = jobs.find((one) => String(one.number) === event.target.dataset.job);
      if (job) choose(job);
    });
    return { policy, name, section, numbers, picture };
  });
  const said = element("p", { class: "said", "aria-live": "polite" });

  function axis(group, last, height) {
    group.replaceChildren();
    const step = last > 150 ? 30 : 10;
    for (let minute = 0; minute <= last; minute += step) {
      const x = GUTTER + minute * scale(last);
      element("line", { x1: x, x2: x, y1: 0, y2: height, class: "tick" }, group);
      element("text", { x, y: height + 14, class: "number", "text-anchor": "middle" }, group, String(minute));
    }
    element("text", { x: 2, y: height + 14, class: "number" }, group, "min");
  }

  function update() {
    const height = rows.length * ROW;
    place(chart, { width: width(), height: height + 18 });
    axis(ticks, SHOWN, height);
    const wide = scale(SHOWN);
    rows.forEach((parts, index) => {
      const job = jobs[index];
      const x = GUTTER + minutes(job.submit) * wide;
      const end = x + minutes(job.run) * wide;
      place(parts.row, { "aria-label": describe(job), "aria-pressed": job === chosen });
      parts.row.classList.toggle("is-chosen", job === chosen);
      place(parts.back, { width: width() });
      parts.name.textContent = `${job.number}: ${job.size} proc.`;
      place(parts.requested, { x: end, width: minutes(job.estimate - job.run) * wide, stroke: colour(job) });
      place(parts.bar, { x, width: end - x, fill: colour(job) });
      place(parts.handle, { x: end - 6 });
      place(parts.grip, { d: `M${end - 4} ${index * ROW + 9}v10M${end - 1} ${index * ROW + 9}v10` });
    });
    legend.textContent = `Job ${chosen.number}`;
    for (const [field, input] of inputs) input.value = field === "size" ? chosen.size : minutes(chosen[field]);
    schedules.forEach(show);
    const waits = schedules.map(({ name, wait }) => `${name} ${wait} min`);
    said.textContent = `Mean wait: ${waits.join(", ")}.`;
  }

  function show(schedule) {
    const starts = schedulers[schedule.policy](jobs, tenJobs.processors);
    const held = schedulers.processorsOf(starts, tenJobs.processors);
    const ends = [...starts].map(([job, start]) => minutes(start + schedulers.stay(job)));
    const last = Math.max(SHOWN, Math.ceil(Math.max(...ends) / 10) * 10);
    const unit = 18;
    const height = tenJobs.processors * unit;
    schedule.wait = minutes(schedulers.meanWait(starts)).toFixed(1);
    const slowdown = schedulers.meanBoundedSlowdown(starts).toFixed(2);
    schedule.numbers.textContent = ` mean wait ${schedule.wait} min, mean bounded slowdown ${slowdown}`;
    const { picture } = schedule;
    picture.replaceChildren();
    place(picture, { width: width(), height: height + 18, "aria-label": `Gantt chart under ${schedule.name}` });
    axis(element("g", {}, picture), last, height);
    for (const [job, start] of starts) {
      const x = GUTTER + minutes(start) * scale(last);
      const wide = minutes(schedulers.stay(job)) * scale(last);
      for (const [first, size] of stretches(held.get(job))) {
        const y = height - (first + size) * unit;
        const kind = job === chosen ? "bar is-chosen" : "bar";
        element("rect", { x, y, width: wide, height: size * unit, fill: colour(job), class: kind, "data-job": job.number }, picture);
        const label = { x: x + wide / 2, y: y + (size * unit) / 2 + 4, "text-anchor": "middle", class: "label" };
        if (wide > 9) element("text", label, picture, String(job.number));
      }
    }
    element("text", { x: 2, y: 10, class: "number" }, picture, `${tenJobs.processors} proc.`);
  }

  // Return runs of adjacent processors as [first, how many].
  function stretches(numbers) {
    const found = [];
    for (const number of numbers) {
      const last = found.at(-1);
      if (last && last[0] + last[1] === number) last[1] += 1;
      else found.push([number, 1]);
    }
    return found;
  }

  root.replaceChildren(chart, form, ...schedules.map(({ section }) => section), said);
  update();
  addEventListener("resize", update);
})();
