// The diagram of a workflow: data and picture. Each task has a row with its frame, slots and run; the processors of the clusters are
// below. Times are seconds since the window began.
(function () {
  "use strict";
  const { CLASSES, KINDS, css, open, within, pairs, sheet, start, blocks, outline, edge, heavy, clockAxis, fitting, upright } =
    window.slotwiseDiagrams;
  const diagram = open("grid", ["kind", "size", "workflow", "task"], allocations,
    { more: (job) => ({ own: job.workflow === workload().workflow }) });
  const { form, state, workload, policy, jobs, lit } = diagram;
  const TOP = 6;
  const MANY = 12; // with more transfers, waits for data are drawn only for the task looked at
  const GAP = 12; // between the rows of tasks and the clusters, and between clusters
  const TURN = 0.16; // opacity of the stripe of a class behind the jobs of its turn

  const clusters = () => workload().clusters.map(([number, name, first, count]) => ({ number, name, first, count }));
  const named = (number) => clusters().find((one) => one.number === number)?.name ?? String(number + 1);

  // Return the processors of an allocation, numbered from 0 on its cluster.
  function numbered({ slot, runs }) {
    const { first } = clusters().find((one) => one.number === slot);
    return runs.map((run) => run.map((edge) => edge - first));
  }

  function allocations() {
    const whole = policy();
    if (!whole.known) {
      const stretches = whole.held.flatMap(([place, cluster, size, flat, times]) =>
        pairs(times).map(([begin, end]) => ({ place, cluster, size, runs: pairs(flat), begin, end })));
      whole.known = stretches.sort((a, b) => a.begin - b.begin).map(({ place, cluster, ...held }, number) => {
        const [start, finish, outcome] = whole.fates[place];
        const job = jobs()[place];
        return { ...held, number, job, slot: cluster, start, finish, outcome,
          told: job.own ? `task ${job.task}` : "", brief: String(job.own ? job.task : job.job) };
      });
      whole.plan = whole.tasks.map(([task, place, cluster, ready, booked], row) => {
        const [start, finish] = whole.fates[place];
        const [rank, earliest, plannedStart, plannedFinish, latest, expected, freed] = booked ?? [];
        return { row, task, job: jobs()[place], cluster, ready, start, finish,
          booked: booked && { rank, earliest, start: plannedStart, finish: plannedFinish, latest, expected, freed },
          late: booked && finish > latest ? finish - latest : 0,
          held: whole.known.filter((held) => held.job === jobs()[place]),
          slots: whole.slots.filter(([of]) => of === task).map(([, at, from, to, cause]) => ({ at, start: from, finish: to, cause })),
          asked: whole.asked.filter(([of]) => of === task).map(([, cluster, from, to, latest, chosen]) => ({ cluster, start: from, finish: to, latest, chosen })) };
      });
      whole.moved = whole.transfers.map(([from, to, source, target, sent, arrived]) =>
        ({ from: whole.plan.find((one) => one.task === from), to: whole.plan.find((one) => one.task === to), source, target, sent, arrived }));
    }
    return whole.known;
  }

  const tasks = () => (allocations(), policy().plan);
  const transfers = () => (allocations(), policy().moved.filter(({ from, to }) => from && to));
  const taskOf = (job) => (job?.own ? tasks().find((one) => one.job === job) : undefined);

  const colourOf = (task) => state.colours[(task - 1) % state.colours.length];

  function paint(job) {
    const by = form.colour.value;
    if (by === "class") return CLASSES[job.kind];
    if (by === "job") return state.colours[job.colour];
    return job.own ? colourOf(job.task) : css(job.task === null ? "--line" : "--soft");
  }

  function layout() {
    const page = sheet(diagram, 44, 58);
    const { narrow } = page;
    const count = workload().policies[0].tasks.length;
    const row = Math.max(6, Math.min(narrow ? 22 : 26, Math.floor(320 / count)));
    const total = clusters().reduce((sum, one) => sum + one.count, 0);
    const tall = Math.max(clusters().length * 70, narrow ? 280 : 340);
    let top = TOP + row * count + GAP + 4;
    const bands = clusters().map((one) => {
      const height = Math.max(36, Math.round((tall * one.count) / total));
      const band = { ...one, top, height, y: (processor) => band.top + height * (1 - (processor - one.first) / one.count) };
      top += height + GAP;
      return band;
    });
    return { ...page, row, bands, foot: top - GAP, height: top - GAP + 42 };
  }

  const middle = (place, task) => TOP + place.row * (task.row + 0.5);

  function draw() {
    const place = layout();
    const { pen, range, x } = start(diagram, place);
    const chosen = lit();
    const looked = taskOf(chosen?.job) ?? null;
    for (const band of place.bands) drawCluster(pen, place, band, range, x);
    outline(pen, diagram, css("--bad"));
    const first = firstBoxes();
    for (const task of tasks()) drawFrame(pen, place, task, x, looked);
    for (const one of transfers()) drawTransfer(pen, place, one, x, looked, first);
    for (const task of tasks()) drawRun(pen, place, task, x, looked);
    drawSubmission(pen, place, x);
    pen.restore();
    axes(pen, place, range);
  }

  // Return the first and the last box of each task on the processors.
  function firstBoxes() {
    const found = new Map();
    for (const box of state.places) {
      if (!box.held.job.own) continue;
      const known = found.get(box.held.job) ?? { first: box, last: box };
      if (box.held.begin < known.first.held.begin) known.first = box;
      if (box.held.end > known.last.held.end) known.last = box;
      found.set(box.held.job, known);
    }
    return found;
  }

  function drawCluster(pen, place, band, range, x) {
    pen.fillStyle = css("--raised");
    pen.fillRect(place.left, band.top, place.inner, band.height);
    for (const [cluster, kind, begin, work, end] of policy().slices) {
      if (cluster !== band.number || end <= range.begin || begin >= range.end) continue;
      const [left, right] = [x(begin), x(end)];
      if (right - left < 3) continue;
      pen.globalAlpha = TURN;
      pen.fillStyle = CLASSES[KINDS[kind]];
      pen.fillRect(left, band.top, right - left, band.height);
      pen.globalAlpha = 1;
      state.marks.push({ x: left, y: band.top, w: right - left, h: band.height, slice: { cluster, kind: KINDS[kind], begin, work, end } });
    }
    const shown = allocations().filter((held) => held.slot === band.number).filter(within(range));
    const together = (_, one) => one.job.own;
    for (const own of [false, true]) {
      for (const held of shown.filter((one) => one.job.own === own)) {
        const what = { runs: held.runs, left: x(held.begin), right: x(held.end), y: band.y, colour: paint(held.job), together };
        blocks(pen, diagram, held, { ...what, margin: own ? 4 : 14, edged: own ? heavy : edge });
      }
    }
  }

  // Return the box of a task's row, which answers wherever it is pointed at.
  function rowOf(place, task) {
    const inset = place.row > 14 ? 3 : 1;
    return { x: place.left, y: TOP + place.row * task.row + inset, w: place.inner, h: place.row - 2 * inset, task };
  }

  const faded = (looked, task) => (looked === null || looked === task ? 1 : 0.35);

  function drawFrame(pen, place, task, x, looked) {
    const mark = rowOf(place, task);
    state.marks.unshift(mark);
    if (!task.booked) return;
    pen.globalAlpha = faded(looked, task);
    const [left, right, freed] = [task.booked.earliest, task.booked.latest, task.booked.freed].map(x);
    pen.fillStyle = css("--raised");
    pen.fillRect(left, mark.y, right - left, mark.h);
    pen.strokeStyle = css("--ink");
    pen.lineWidth = 1;
    pen.strokeRect(left + 0.5, mark.y + 0.5, Math.max(1, right - left - 1), mark.h - 1);
    if (freed < left - 1) {
      pen.setLineDash([3, 2]);
      line(pen, [left, mark.y + 0.5], [freed + 0.5, mark.y + 0.5], [freed + 0.5, mark.y + mark.h - 0.5], [left, mark.y + mark.h - 0.5]);
      pen.setLineDash([]);
    }
    drawSlots(pen, task, mark, x);
    pen.globalAlpha = 1;
  }

  function drawRun(pen, place, task, x, looked) {
    const mark = rowOf(place, task);
    pen.globalAlpha = faded(looked, task);
    for (const held of task.held) {
      const box = { held, x: x(held.begin), y: mark.y, w: Math.max(1.5, x(held.end) - x(held.begin)), h: mark.h };
      pen.fillStyle = colourOf(task.task);
      pen.fillRect(box.x, box.y + 1, box.w, box.h - 2);
      state.places.push(box);
    }
    drawReady(pen, task, mark, x);
    pen.globalAlpha = 1;
  }

  // Where its slot has been, the first place on top.
  function drawSlots(pen, task, mark, x) {
    const step = Math.min(4, (mark.h - 2) / Math.max(1, task.slots.length));
    pen.fillStyle = colourOf(task.task);
    task.slots.forEach((slot, i) => {
      pen.globalAlpha *= 0.55;
      pen.fillRect(x(slot.start), mark.y + 1 + i * step, Math.max(1, x(slot.finish) - x(slot.start)), Math.max(0.8, step - 1));
      pen.globalAlpha /= 0.55;
    });
  }

  function drawReady(pen, task, mark, x) {
    const [at, foot] = [x(task.ready), mark.y + mark.h];
    const half = Math.min(4, mark.h / 3);
    pen.strokeStyle = css("--soft");
    pen.lineWidth = 1;
    pen.setLineDash([1, 3]);
    line(pen, [at, mark.y + mark.h / 2], [x(task.start), mark.y + mark.h / 2]);
    pen.setLineDash([]);
    pen.fillStyle = css("--ink");
    pen.beginPath();
    pen.moveTo(at - half, foot);
    pen.lineTo(at + half, foot);
    pen.lineTo(at, foot - 1.6 * half);
    pen.closePath();
    pen.fill();
  }

  function line(pen, ...points) {
    pen.beginPath();
    points.forEach(([px, py], i) => (i ? pen.lineTo(px, py) : pen.moveTo(px, py)));
    pen.stroke();
  }

  // From row to row, and from block to block on the clusters.
  function drawTransfer(pen, place, one, x, looked, boxes) {
    const near = looked === null || looked === one.from || looked === one.to;
    const [sent, arrived] = [x(one.sent), x(one.arrived)];
    pen.globalAlpha = !near ? 0.12 : looked === null && transfers().length > MANY ? 0.5 : 0.9;
    pen.strokeStyle = css("--soft");
    pen.lineWidth = near && looked !== null ? 1.8 : 1.1;
    const [from, to] = [middle(place, one.from), middle(place, one.to)];
    line(pen, [sent, from], [arrived, to]);
    state.marks.unshift({ x: Math.min(sent, arrived) - 4, y: (from + to) / 2 - 5, w: Math.abs(arrived - sent) + 8, h: 10, transfer: one });
    const [source, target] = [boxes.get(one.from.job)?.last, boxes.get(one.to.job)?.first];
    if (source && target) {
      const [high, low] = [source.y + source.h / 2, target.y + target.h / 2];
      pen.strokeStyle = css("--ink");
      line(pen, [sent, high], [arrived, low]);
      if (looked !== null || transfers().length <= MANY) {
        pen.setLineDash([2, 3]);
        line(pen, [arrived, low], [target.x, low]);
        pen.setLineDash([]);
      }
    }
    pen.globalAlpha = 1;
  }

  function drawSubmission(pen, place, x) {
    const at = x(workload().submitted);
    pen.strokeStyle = css("--bad");
    pen.lineWidth = 1;
    pen.setLineDash([4, 3]);
    line(pen, [at, TOP - 4], [at, place.foot]);
    pen.setLineDash([]);
  }

  function axes(pen, place, range) {
    pen.fillStyle = css("--soft");
    pen.textAlign = "right";
    const every = Math.ceil(12 / place.row);
    for (const task of tasks()) if (task.row % every === 0) pen.fillText(String(task.task), place.left - 6, middle(place, task) + 4);
    const count = tasks().length;
    upright(pen, "tasks", TOP + (place.row * count) / 2);
    for (const band of place.bands) {
      pen.fillStyle = css("--soft");
      pen.textAlign = "right";
      const short = band.height < 50;
      pen.fillText(String(band.count), place.left - 6, band.top + 9);
      if (!short) pen.fillText("0", place.left - 6, band.top + band.height);
      for (const y of [band.top, band.top + band.height]) pen.fillRect(place.left - 4, y - 0.5, 4, 1);
      upright(pen, fitting(pen, [`cluster ${band.name}`, band.name], band.height), band.top + band.height / 2);
      pen.fillRect(place.left, band.top + band.height, place.inner, 1);
    }
    clockAxis(pen, diagram, place.foot);
  }

  window.slotwiseGrid = { ...diagram, tasks, transfers, taskOf, named, colourOf, numbered, TURN, draw };
})();
