// What only the diagram of a workflow does: the choice of the workflow, and its words for tasks, slots, transfers and jobs.
(function () {
  "use strict";
  const diagram = window.slotwiseGrid;
  const { state, form, workload, policy, allocations, tasks, transfers, taskOf, named, moment, colourOf, numbered, TURN } = diagram;
  const { CLASSES, KINDS, css, lasting, counted, processors, waited, finished, serve } = window.slotwiseDiagrams;
  const viewer = serve(diagram, {
    tip: (place) => (place.held && !place.held.job.own ? [jobName(place.held.job), jobFacts(place.held)] : markFacts(place)),
    sentence, legend, row, listed: (job) => job.own, moments: () => tasks().map((task) => task.start).sort((a, b) => a - b),
    lead: 1 / 4, note, moved, chooseWorkload,
  });
  const { part, swatch } = viewer;

  const jobName = (job) => (job.task === null ? `Local job ${job.job}: ${job.kind}` : `Task ${job.task} of workflow ${job.workflow}`);
  const times = (n) => (n === 1 ? "once" : n === 2 ? "twice" : `${n} times`);
  const slides = (task) => Math.max(0, task.slots.length - 1);
  const span = (from, to) => `${moment(from)} to ${moment(to)}`;

  function jobFacts(held) {
    return [
      ["Processors", `${held.size} of cluster ${named(held.slot)}`],
      ["Runs here", span(held.begin, held.end)],
      ["Waited", waited(held)],
      ["Finishes", finished(held, moment)],
      ["Run time", lasting(held.job.run)],
    ];
  }

  function markFacts(mark) {
    if (mark.transfer) return transferFacts(mark.transfer);
    if (mark.slice) {
      const { cluster, kind, begin, work, end } = mark.slice;
      return [`Slice of ${kind} jobs, cluster ${named(cluster)}`, [["From", moment(begin)], ["To", moment(end)],
        ...(work > begin ? [["Switching", lasting(work - begin)]] : [])]];
    }
    const task = mark.task ?? taskOf(mark.held.job);
    return [`Task ${task.task} (job ${task.job.job}, ${task.job.kind})`, taskFacts(task)];
  }

  function transferFacts({ from, to, source, target, sent, arrived }) {
    const where = source === target ? `within cluster ${named(source)}` : `from cluster ${named(source)} to ${named(target)}`;
    return [`Data of task ${from.task} for task ${to.task}`, [["Way", where], ["Sent", moment(sent)],
      ["Takes", arrived === sent ? "no time" : lasting(arrived - sent)], ["There", moment(arrived)]]];
  }

  function taskFacts(task) {
    const { booked, slots } = task;
    const places = slots.slice(1).slice(-4).map((slot) => `${moment(slot.start)} (${state.causes[slot.cause]})`);
    const others = task.asked.filter((one) => !one.chosen).map((one) => `${named(one.cluster)}: ${moment(one.finish)}`);
    return [
      ["Runs on", `${task.job.size} processors of cluster ${named(task.cluster)}`],
      ...(booked ? [["Frame", span(booked.earliest, booked.latest)], ["Predicted", span(booked.start, booked.finish)]] : []),
      ...(slides(task) ? [["Slid", `${times(slides(task))}${slides(task) > 4 ? ", at last" : ""} to ${places.join(", ")}`]] : []),
      ["Data there", `${moment(task.ready)}${booked ? `, expected ${moment(booked.expected)}` : ""}`],
      ["Ran", span(task.start, task.finish) + (task.held.length > 1 ? `, in ${task.held.length} parts` : "")],
      ...(task.late ? [["After its frame", lasting(task.late)]] : []),
      ...(others.length ? [["Others offered", others.slice(0, 5).join("; ")]] : []),
    ];
  }

  function sentence(held) {
    const task = taskOf(held.job);
    const what = `${jobName(held.job).replace(": ", " (")}${held.job.task === null ? ")" : ""}: ${counted(held.size)} of cluster ` +
      `${named(held.slot)} (${processors(numbered(held))}) from ${span(held.begin, held.end)}.`;
    if (!task) return `${what} Waited ${waited(held)}, finishes on ${finished(held, moment)}.`;
    const frame = task.booked ? ` Booked for ${span(task.booked.start, task.booked.finish)}, ${slides(task) ? `slid ${times(slides(task))}` : "did not slide"}` +
      `${task.late ? `, ended ${lasting(task.late)} after its frame` : ", ended within its frame"}.` : "";
    return `${what}${frame} Data there on ${moment(task.ready)}, started on ${moment(task.start)}, finishes on ${finished(held, moment)}.`;
  }

  function row(job) {
    const task = taskOf(job);
    const { booked } = task;
    return [task.task, job.job, named(task.cluster), job.size, booked ? lasting(booked.rank) : "–",
      booked ? span(booked.earliest, booked.latest) : "–", booked ? span(booked.start, booked.finish) : "–",
      booked ? slides(task) : "–", moment(task.ready), span(task.start, task.finish), task.late ? lasting(task.late) : "–"];
  }

  // Whatever is drawn is named: blocks, stripes behind them, marks and lines.
  function legend() {
    const own = `linear-gradient(90deg, ${stops(tasks().map((task) => colourOf(task.task)))})`;
    return [...blocksNamed(form.colour.value, own), ...turns(), ...booking(own), "▲ data there", ...lines()];
  }

  const stops = (colours) => colours.map((one, i) => `${one} ${(100 * i) / colours.length}% ${(100 * (i + 1)) / colours.length}%`).join(", ");

  function blocksNamed(by, own) {
    const rows = swatch(own, "tasks of the workflow: framed, in their rows a colour each", css("--ink"));
    if (by === "class") return [...Object.entries(CLASSES).map(([word, colour]) => swatch(colour, `${word} job`)), rows];
    if (by === "job") return ["Colours of blocks only tell jobs apart.", rows];
    const [other, local] = [(job) => job.task !== null && !job.own, (job) => job.task === null].map((kind) => allocations().some((held) => kind(held.job)));
    return [swatch(own, "tasks of the workflow: a colour each", css("--ink")), ...(other ? [swatch(css("--soft"), "task of another workflow")] : []),
      ...(local ? [swatch(css("--line"), "local job")] : [])];
  }

  // The stripes of clusters in slices: `TURN` of the colour of a class.
  function turns() {
    const kinds = new Set(policy().slices.map(([, kind]) => KINDS[kind]));
    return KINDS.filter((kind) => kinds.has(kind)).map((kind) => swatch(`color-mix(in srgb, ${CLASSES[kind]} ${100 * TURN}%, ${css("--raised")})`, `turn of ${kind} jobs`));
  }

  function booking(own) {
    const booked = tasks().map((task) => task.booked).filter(Boolean);
    if (!booked.length) return [];
    const bars = `${own} top / 100% 2px no-repeat, ${own} 0 50% / 70% 2px no-repeat`;
    const freed = booked.some((one) => one.freed < one.earliest) ? [swatch(stroke(css("--ink"), 3, 2), "freed: may start before its frame")] : [];
    return [swatch(css("--raised"), "frame", css("--ink")), swatch(bars, "places of its slot"), ...freed];
  }

  function lines() {
    const upright = `repeating-linear-gradient(${css("--bad")} 0 4px, transparent 4px 7px) center / 2px 100% no-repeat`;
    return [...(transfers().length ? [swatch(stroke(css("--soft"), 1), "transfer of data")] : []),
      ...(tasks().some((task) => task.start > task.ready) ? [swatch(stroke(css("--soft"), 2, 2), "data there, the task waits")] : []),
      swatch(upright, "submission of the workflow")];
  }

  // The background of a swatch that shows a level line: dashes of `on` pixels, `off` apart.
  const stroke = (colour, on, off = 0) => `repeating-linear-gradient(90deg, ${colour} 0 ${on}px, transparent ${on}px ${on + off}px) center / 100% 2px no-repeat`;

  // Say when a window begins and ends, seen from the submission of the workflow.
  function about({ begin, end }) {
    const [from, to] = [begin, end].map((time) => time - workload().submitted);
    const told = (time) => `${lasting(Math.abs(time))} ${time < 0 ? "before" : "after"}`;
    return from < 0 && to > 0 ? `${told(from)} the workflow's submission to ${told(to)} it` :
      `${lasting(Math.abs(from))} to ${told(to)} the workflow's submission`;
  }

  function moved(range) {
    const all = tasks();
    const [begin, end] = [Math.min(...all.map((task) => task.start)), Math.max(...all.map((task) => task.finish))];
    const late = all.filter((task) => task.late).length;
    const moves = all.reduce((sum, task) => sum + slides(task), 0);
    const booked = all.some((task) => task.booked) ? ` Its slots ${moves ? `moved ${times(moves)}` : "did not move"}; ${late || "none"} of ${all.length} tasks ended after ${late === 1 ? "its frame" : "their frames"}.` : "";
    part("where").textContent = `The window runs from ${about(range)}. The workflow takes ` +
      `${lasting(end - begin)} from its first start, ${lasting(end - workload().submitted)} from its submission.${booked}`;
  }

  function note() {
    return policy().named ? "" :
      "The clusters of this run only count processors: a job is drawn on the lowest-numbered ones free.";
  }

  // A file has several workflows of a workload; the one that is looked at is the window.
  function chooseWorkload() {
    state.every = workload();
    Object.assign(state, { colours: state.every.colours, causes: state.every.causes });
    form.workflow.replaceChildren(...state.every.workflows.map((one, i) => new Option(String(one.workflow), i)));
    chooseWorkflow();
  }

  function chooseWorkflow() {
    const whole = state.every.workflows[Number(form.workflow.value)];
    Object.assign(state, { window: whole, lit: null, pinned: null, job: null, begin: 0 });
    viewer.offerSpans(viewer.PARTS, 1);
    part("window").textContent = `Workflow ${whole.workflow} has ${tasks().length} tasks, and was submitted on ` +
      `${moment(whole.submitted)}.`;
  }

  form.workflow.addEventListener("change", () => {
    if (!state.every) return;
    chooseWorkflow();
    viewer.choosePolicy();
  });
})();
