// What only the diagram of a workflow does: the choice of the workflow, and its words for tasks, slots, transfers and jobs.
(function () {
  "use strict";
  const diagram = window.slotwiseGrid;
  const { state, form, workload, policy, tasks, taskOf, named, when, colourOf } = diagram;
  const { CLASSES, css, lasting, counted, processors, waited, finished, serve } = window.slotwiseDiagrams;
  const viewer = serve(diagram, {
    tip: (place) => (place.held && !place.held.job.own ? [jobName(place.held.job), jobFacts(place.held)] : markFacts(place)),
    sentence, legend, row, listed: (job) => job.own, moments: () => tasks().map((task) => task.start).sort((a, b) => a - b),
    lead: 1 / 4, note, moved, chooseWorkload,
  });
  const { part, swatch } = viewer;

  const jobName = (job) => (job.task === null ? `Local job ${job.job}: ${job.kind}` : `Task ${job.task} of workflow ${job.workflow}`);
  const times = (n) => (n === 1 ? "once" : n === 2 ? "twice" : `${n} times`);
  const slides = (task) => Math.max(0, task.slots.length - 1);
  const span = (from, to) => `${when(from)} to ${when(to)}`;

  function jobFacts(held) {
    return [
      ["Processors", `${held.size} of cluster ${named(held.slot)}`],
      ["Runs here", span(held.begin, held.end)],
      ["Waited", waited(held)],
      ["Finishes", finished(held, when)],
      ["Run time", lasting(held.job.run)],
    ];
  }

  function markFacts(mark) {
    if (mark.transfer) return transferFacts(mark.transfer);
    if (mark.slice) {
      const { cluster, kind, begin, work, end } = mark.slice;
      return [`Slice of ${kind} jobs, cluster ${named(cluster)}`, [["From", when(begin)], ["To", when(end)],
        ...(work > begin ? [["Switching", lasting(work - begin)]] : [])]];
    }
    const task = mark.task ?? taskOf(mark.held.job);
    return [`Task ${task.task} (job ${task.job.job}, ${task.job.kind})`, taskFacts(task)];
  }

  function transferFacts({ from, to, source, target, sent, arrived }) {
    const where = source === target ? `within cluster ${named(source)}` : `from cluster ${named(source)} to ${named(target)}`;
    return [`Data of task ${from.task} for task ${to.task}`, [["Way", where], ["Sent", when(sent)],
      ["Takes", arrived === sent ? "no time" : lasting(arrived - sent)], ["There", when(arrived)]]];
  }

  function taskFacts(task) {
    const { booked, slots } = task;
    const places = slots.slice(1).slice(-4).map((slot) => `${when(slot.start)} (${state.causes[slot.cause]})`);
    const others = task.asked.filter((one) => !one.chosen).map((one) => `${named(one.cluster)}: ${when(one.finish)}`);
    return [
      ["Runs on", `${task.job.size} processors of cluster ${named(task.cluster)}`],
      ...(booked ? [["Frame", span(booked.earliest, booked.latest)], ["Predicted", span(booked.start, booked.finish)]] : []),
      ...(slides(task) ? [["Slid", `${times(slides(task))}${slides(task) > 4 ? ", at last" : ""} to ${places.join(", ")}`]] : []),
      ["Data there", `${when(task.ready)}${booked ? `, expected ${when(booked.expected)}` : ""}`],
      ["Ran", span(task.start, task.finish) + (task.held.length > 1 ? `, in ${task.held.length} parts` : "")],
      ...(task.late ? [["After its frame", lasting(task.late)]] : []),
      ...(others.length ? [["Others offered", others.slice(0, 5).join("; ")]] : []),
    ];
  }

  function sentence(held) {
    const task = taskOf(held.job);
    const what = `${jobName(held.job).replace(": ", " (")}${held.job.task === null ? ")" : ""}: ${counted(held.size)} of cluster ` +
      `${named(held.slot)} (${processors(held.runs)}) from ${span(held.begin, held.end)}.`;
    if (!task) return `${what} Waited ${waited(held)}, finishes ${finished(held, when)}.`;
    const frame = task.booked ? ` Booked for ${span(task.booked.start, task.booked.finish)}, ${slides(task) ? `slid ${times(slides(task))}` : "did not slide"}` +
      `${task.late ? `, ended ${lasting(task.late)} after its frame` : ", ended within its frame"}.` : "";
    return `${what}${frame} Data there ${when(task.ready)}, started ${when(task.start)}, finishes ${finished(held, when)}.`;
  }

  function row(job) {
    const task = taskOf(job);
    const { booked } = task;
    return [task.task, job.job, named(task.cluster), job.size, booked ? lasting(booked.rank) : "–",
      booked ? span(booked.earliest, booked.latest) : "–", booked ? span(booked.start, booked.finish) : "–",
      booked ? slides(task) : "–", when(task.ready), span(task.start, task.finish), task.late ? lasting(task.late) : "–"];
  }

  function legend() {
    const by = form.colour.value;
    const classes = Object.entries(CLASSES).map(([word, colour]) => swatch(colour, word));
    const known = by === "class" ? classes : by === "job" ? ["Colours of blocks only tell jobs apart."] :
      [swatch(colourOf(1), "task of the workflow", css("--ink")), swatch(css("--soft"), "task of another workflow"), swatch(css("--line"), "local job")];
    const booked = tasks().some((task) => task.booked);
    return [...known, ...(booked ? [swatch("transparent", "frame", css("--ink"))] : []), "▲ data there"];
  }

  function moved(range) {
    const all = tasks();
    const [begin, end] = [Math.min(...all.map((task) => task.start)), Math.max(...all.map((task) => task.finish))];
    const late = all.filter((task) => task.late).length;
    const moves = all.reduce((sum, task) => sum + slides(task), 0);
    const booked = all.some((task) => task.booked) ? ` Its slots ${moves ? `moved ${times(moves)}` : "did not move"}; ${late || "none"} of ${all.length} tasks ended after ${late === 1 ? "its frame" : "their frames"}.` : "";
    part("where").textContent = `From ${when(range.begin)} to ${when(range.end)} after the workflow's submission. It takes ` +
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
    part("window").textContent = `Workflow ${whole.workflow} has ${tasks().length} tasks, and was submitted ` +
      `${lasting(whole.begin + whole.submitted)} after the first submission of all. Times are since it was submitted.`;
  }

  form.workflow.addEventListener("change", () => {
    if (!state.every) return;
    chooseWorkflow();
    viewer.choosePolicy();
  });
})();
