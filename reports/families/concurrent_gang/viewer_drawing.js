// The diagram of activities: data and picture. For every policy the data say what each processor did when, for which task, and who
// chose the task. Times are nanoseconds since the window began, drawn in seconds.
(function () {
  "use strict";
  const { css, open, within, sheet, start, stripes, plainAxis, upright } = window.slotwiseDiagrams;
  const diagram = open("concurrent-gang", ["size"], allocations,
    { more: (_, place) => ({ application: workload().applications[place] }), wanted: () => Number(form.span.value) });
  const { form, state, workload, policy, jobs, lit } = diagram;
  const APPLICATIONS = { io: "#0b7bc1", compute: "#009e73", messages: "#d98c00", supersteps: "#cc79a7", barriers: "#a6761d", irregular: "#8f6bb8", program: "#56b4e9" };
  const NS = 1e9;
  const HEAD = 18; // the numbers of the rows
  const LOCAL = 0.36; // what stays free above a task that the local scheduler chose, as a part of the lane
  const GAP = 5;
  const MANY = 1500; // messages that are drawn at most

  // Return what runs on the processors, a row of the trace each. Idle stretches and turns (neighbouring rows of a task) are kept beside.
  function allocations() {
    const whole = policy();
    if (!whole.known) {
      whole.processors = new Map(whole.bound.map(([place, ids]) => [place, ids]));
      whole.owned = whole.slices.map(([begin, row, places, tasks], i) => ({
        begin: begin / NS, end: i + 1 < whole.slices.length ? whole.slices[i + 1][0] / NS : workload().length, row,
        owners: places.map((place, processor) => (place < 0 ? null : { job: jobs()[place], task: tasks[processor] })),
      }));
      [whole.known, whole.idle, whole.turns] = [[], [], []];
      whole.lanes.forEach((lane, processor) => readLane(whole, lane, processor));
      whole.served = whole.disks.map(([processor, place, task, issued, begin, end]) =>
        ({ processor, job: jobs()[place], task, issued: issued / NS, begin: begin / NS, end: end / NS }));
      whole.sent = whole.messages.map(([place, message, sender, receiver, sent, arrived, received]) =>
        ({ place, job: jobs()[place], message, sender, receiver, sent: sent / NS, arrived: arrived / NS, received: received === null ? null : received / NS }));
      whole.waits = whole.barriers.map(([place, barrier, released, tasks, arrived]) =>
        ({ place, job: jobs()[place], barrier, released: released === null ? null : released / NS, tasks, arrived: arrived.map((time) => time / NS) }));
    }
    return whole.known;
  }

  function readLane(whole, lane, processor) {
    let time = 0;
    let turn = null;
    for (let i = 0; i < lane.length; i += 3) {
      const [length, kind, who] = lane.slice(i, i + 3);
      const [begin, end] = [time / NS, (time + length) / NS];
      const activity = workload().activities[kind];
      time += length;
      const slice = whole.owned.findLast((one) => one.begin <= begin + 1e-12) ?? whole.owned[0];
      if (who < 0) {
        whole.idle.push({ processor, begin, end, activity, slice, owner: slice?.owners[processor] ?? null });
        turn = null;
        continue;
      }
      const [place, task, local] = whole.who[who];
      const [started, finish, outcome] = whole.fates[place];
      const held = { number: whole.known.length, processor, slot: processor, runs: [[processor, processor + 1]], begin, end, activity,
        job: jobs()[place], task, local: local === 1, slice, start: started, finish, outcome };
      whole.known.push(held);
      if (turn && turn.job === held.job && turn.task === task && turn.local === held.local && turn.slice === slice) turn.end = end;
      else whole.turns.push(turn = { processor, begin, end, job: held.job, task, local: held.local, slice });
    }
  }

  const of = (name) => (allocations(), policy()[name]);
  const on = (place, task) => policy().processors.get(place)?.[task];
  const paint = (job) => (form.colour.value === "application" ? APPLICATIONS[job.application] ?? "#8a8a8a" : workload().colours[job.colour]);

  function layout() {
    const page = sheet(diagram, 40, 50);
    const { narrow } = page;
    const count = workload().processors;
    const step = Math.max(7, Math.min(narrow ? 34 : 44, Math.floor((narrow ? 460 : 600) / count)));
    const disk = step >= 14 ? Math.max(3, Math.round(step / 7)) : 0;
    const gap = step >= 14 ? GAP : 1;
    const lane = (processor) => HEAD + processor * step;
    return { ...page, step, disk, tall: step - disk - gap, lane, foot: HEAD + count * step, height: HEAD + count * step + 42 };
  }

  function draw() {
    const place = layout();
    const { pen, range, x } = start(diagram, place);
    const seen = within(range);
    const chosen = lit();
    const near = (job) => chosen === null || chosen.job === job;
    for (const slice of of("owned").filter(seen)) drawOwners(pen, place, slice, x, near);
    for (const one of of("idle").filter(seen)) drawIdle(pen, place, one, x);
    for (const held of allocations().filter(seen)) drawHeld(pen, place, held, x, near);
    for (const turn of of("turns").filter(seen)) drawTurn(pen, place, turn, x, near);
    if (place.disk) for (const one of of("served").filter((one) => one.issued < range.end && one.end > range.begin)) drawDisk(pen, place, one, x, near);
    for (const slice of of("owned").filter(seen)) drawEdge(pen, place, slice, x);
    drawLinks(pen, place, range, x, chosen);
    if (chosen !== null) {
      const box = boxOf(place, chosen, x);
      pen.strokeStyle = css("--bad");
      pen.lineWidth = 2.5;
      pen.strokeRect(box.x + 0.5, box.y + 0.5, Math.max(1, box.w - 1), box.h - 1);
    }
    pen.restore();
    axes(pen, place, range);
  }

  function drawOwners(pen, place, slice, x, near) {
    slice.owners.forEach((owner, processor) => {
      if (!owner) return;
      pen.globalAlpha = near(owner.job) ? 0.22 : 0.08;
      pen.fillStyle = paint(owner.job);
      pen.fillRect(x(slice.begin), place.lane(processor), x(slice.end) - x(slice.begin), place.tall);
    });
    pen.globalAlpha = 1;
  }

  function drawEdge(pen, place, slice, x) {
    const at = x(slice.begin);
    pen.fillStyle = css("--soft");
    pen.fillRect(at - 0.5, HEAD - 4, 1, place.foot - HEAD + 4);
    const text = slice.row === null ? "no row" : `row ${slice.row + 1}`;
    const [from, to] = [Math.max(at, place.left), Math.min(x(slice.end), place.left + place.inner)];
    state.marks.push({ x: at, y: 0, w: x(slice.end) - at, h: HEAD, slice });
    const word = [text, slice.row === null ? "–" : String(slice.row + 1)].find((one) => to - from > pen.measureText(one).width + 6);
    pen.textAlign = "center";
    if (word) pen.fillText(word, (from + to) / 2, HEAD - 6);
  }

  function drawIdle(pen, place, one, x) {
    const box = { x: x(one.begin), y: place.lane(one.processor), w: x(one.end) - x(one.begin), h: place.tall, idle: one };
    state.marks.push(box);
    if (one.activity !== "blocked" || !one.owner || box.w < 5) return;
    pen.strokeStyle = paint(one.owner.job);
    pen.lineWidth = 1.2;
    pen.setLineDash([1.5, 3]);
    pen.beginPath();
    pen.moveTo(box.x + 2, box.y + box.h / 2);
    pen.lineTo(box.x + box.w - 2, box.y + box.h / 2);
    pen.stroke();
    pen.setLineDash([]);
  }

  function boxOf(place, held, x) {
    const free = held.local ? Math.round(place.tall * LOCAL) : 0;
    return { held, x: x(held.begin), y: place.lane(held.processor) + free, w: x(held.end) - x(held.begin), h: place.tall - free };
  }

  function drawHeld(pen, place, held, x, near) {
    const box = boxOf(place, held, x);
    state.places.push(box);
    pen.globalAlpha = near(held.job) ? 1 : 0.28;
    if (held.activity === "switch") pen.fillStyle = css("--soft");
    else pen.fillStyle = held.activity === "spin" ? css("--paper") : paint(held.job);
    pen.fillRect(box.x, box.y, box.w, box.h);
    if (held.activity === "spin") hatch(pen, box, paint(held.job));
    else if (held.activity === "send" || held.activity === "receive") {
      pen.globalAlpha *= 0.5;
      pen.fillStyle = css("--ink");
      pen.fillRect(box.x, box.y, box.w, box.h);
    }
    pen.globalAlpha = 1;
  }

  // Spinning: stripes where there is room, else half the colour.
  function hatch(pen, box, colour) {
    if (box.w < 3) {
      const alpha = pen.globalAlpha;
      pen.globalAlpha *= 0.45;
      pen.fillStyle = colour;
      pen.fillRect(box.x, box.y, box.w, box.h);
      pen.globalAlpha = alpha;
      return;
    }
    const { place } = state.shown;
    const from = Math.floor((Math.max(box.x, place.left) - box.h) / 5) * 5;
    stripes(pen, box, colour, { step: 5, width: 1.6, from, to: Math.min(box.x + box.w, place.width) });
  }

  // A turn of a task: an edge around it, and its job and task where there is room.
  function drawTurn(pen, place, turn, x, near) {
    const box = boxOf(place, turn, x);
    if (box.w < 3) return;
    pen.globalAlpha = near(turn.job) ? 1 : 0.28;
    pen.strokeStyle = css("--paper");
    pen.lineWidth = 1;
    pen.strokeRect(box.x, box.y, box.w, box.h);
    const [from, to] = [Math.max(box.x, place.left), Math.min(box.x + box.w, place.left + place.inner)];
    const text = [`${turn.job.job}.${turn.task}`, String(turn.job.job)].find((word) => to - from > pen.measureText(word).width + 8);
    if (text && box.h >= 11) {
      const wide = pen.measureText(text).width + 6;
      pen.fillStyle = css("--paper");
      pen.globalAlpha *= 0.78;
      pen.fillRect((from + to) / 2 - wide / 2, box.y + box.h / 2 - 6, wide, 12);
      pen.globalAlpha = near(turn.job) ? 1 : 0.28;
      pen.fillStyle = css("--ink");
      pen.textAlign = "center";
      pen.textBaseline = "middle";
      pen.fillText(text, (from + to) / 2, box.y + box.h / 2 + 0.5);
      pen.textBaseline = "alphabetic";
    }
    pen.globalAlpha = 1;
  }

  function drawDisk(pen, place, one, x, near) {
    const top = place.lane(one.processor) + place.tall + 1;
    const box = { x: x(one.begin), y: top, w: Math.max(0.5, x(one.end) - x(one.begin)), h: place.disk, disk: one };
    state.marks.push(box);
    pen.globalAlpha = near(one.job) ? 1 : 0.28;
    pen.fillStyle = paint(one.job);
    pen.fillRect(box.x, box.y, box.w, box.h);
    pen.fillStyle = css("--paper");
    if (box.w > 3) pen.fillRect(box.x + box.w - 0.5, box.y, 0.5, box.h);
    pen.globalAlpha = 1;
  }

  function drawLinks(pen, place, range, x, chosen) {
    const wanted = form.links.value;
    const shown = (one) => wanted === "all" || (wanted === "job" && chosen !== null && chosen.job === one.job);
    const middle = (one, task) => place.lane(on(one.place, task) ?? 0) + place.tall / 2;
    pen.strokeStyle = css("--ink");
    pen.fillStyle = css("--ink");
    const messages = of("sent").filter((one) => shown(one) && one.sent < range.end && one.arrived > range.begin);
    pen.lineWidth = messages.length > 200 ? 0.6 : 1.1;
    for (const one of messages.slice(0, MANY)) {
      const [to, low] = [x(one.arrived), middle(one, one.receiver)];
      pen.beginPath();
      pen.moveTo(x(one.sent), middle(one, one.sender));
      pen.lineTo(to, low);
      pen.stroke();
      pen.fillRect(to - 1.5, low - 1.5, 3, 3);
    }
    for (const one of of("waits").filter(shown)) {
      const last = one.released ?? Math.max(...one.arrived);
      if (last < range.begin || Math.min(...one.arrived) > range.end) continue;
      for (const [i, task] of one.tasks.entries()) {
        pen.beginPath();
        pen.arc(x(one.arrived[i]), middle(one, task), 2.2, 0, 2 * Math.PI);
        pen.fill();
      }
      if (one.released === null) continue;
      const lanes = (policy().processors.get(one.place) ?? []).map((processor) => place.lane(processor));
      pen.fillRect(x(one.released) - 0.75, Math.min(...lanes), 1.5, Math.max(...lanes) - Math.min(...lanes) + place.tall);
    }
  }

  function axes(pen, place, range) {
    pen.fillStyle = css("--soft");
    pen.textAlign = "right";
    const every = Math.ceil(11 / place.step);
    for (let processor = 0; processor < workload().processors; processor += every) {
      pen.fillText(String(processor), place.left - 6, place.lane(processor) + place.tall / 2 + 4);
    }
    pen.fillRect(place.left, place.foot, place.inner, 1);
    const unit = range.span < 0.004 ? [0, 1e-6, "µs"] : [0, 1e-3, "ms"];
    plainAxis(pen, state.shown, place.foot, unit, [`time since the window began (${unit[2]})`], [56, 80]);
    upright(pen, "processors", (HEAD + place.foot) / 2);
  }

  window.slotwiseConcurrentGang = { ...diagram, APPLICATIONS, of, draw };
})();
