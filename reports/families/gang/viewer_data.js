// The matrix diagram's data and words. For every policy the data say which job held which processors, and in which phases which
// slots took turns. Times are seconds since the window began.
(function () {
  "use strict";
  const { open, pairs, lasting, counted, processors, waited, finished, fate } = window.slotwiseDiagrams;
  const diagram = open("gang", ["kind", "flexibility", "optimum", "least", "most"], allocations, { wanted });
  const { form, state, policy, jobs, view, moment } = diagram;
  const inSlices = () => form.view.value === "slices";

  function allocations() {
    const whole = policy();
    if (!whole.known) {
      whole.known = whole.held.map(([place, slot, begin, end, rate, stall, change, size, flat, close], number) => {
        const [runs, together] = [pairs(flat), pairs(close || flat)];
        const [start, finish, outcome] = whole.fates[place];
        return { number, job: jobs()[place], slot, begin, end, rate, stall, change, size, runs, together, start, finish, outcome };
      });
      whole.times = whole.phases.map(([begin, end, level, share, slice, origin, slots]) =>
        ({ begin, end, level, share, slice, origin, slots }));
    }
    return whole.known;
  }

  const phases = () => (allocations(), policy().times);
  const hasSlices = () => phases().some((phase) => phase.slice > 0 && phase.slots.length > 0);
  const phaseAt = (time) => phases().find((p) => time >= p.begin && time < p.end) || phases()[phases().length - 1];

  function cycle(time) {
    const phase = phaseAt(time);
    return Math.max(1e-6, phase.slice * Math.max(1, phase.slots.length));
  }

  // The view of slices is measured in cycles, that of the matrix in parts of the window.
  function wanted() { return inSlices() ? Number(form.span.value) * cycle(state.begin) : null; }

  // Slices between two times: slice k of a phase belongs to its slot k modulo the number of slots.
  function slices(from, to) {
    const found = [];
    for (const phase of phases()) {
      const [low, high] = [Math.max(from, phase.begin), Math.min(to, phase.end)];
      if (low >= high || !phase.slots.length || !phase.slice) continue;
      const count = phase.slots.length;
      const work = phase.slice * Math.max(0, 1 - phase.share * count);
      const first = Math.floor((low - phase.origin) / phase.slice + 1e-6);
      const last = Math.ceil((high - phase.origin) / phase.slice - 1e-6);
      for (let k = first; k < last; k += 1) {
        const begin = phase.origin + k * phase.slice;
        const within = (time) => Math.min(Math.max(time, low), high);
        found.push({ slot: phase.slots[((k % count) + count) % count], place: ((k % count) + count) % count,
          begin: within(begin), work: within(begin + work), end: within(begin + phase.slice) });
      }
    }
    return found;
  }

  // Where an allocation is drawn: on its own processors, or gathered so that a job is in one piece.
  const drawnRuns = (held) => (form.processors.value === "gathered" ? held.together : held.runs);

  const traits = (job) => [job.kind, job.flexibility].filter(Boolean).join(", ");
  const changed = (held) => (held.change ? `, ${Math.abs(held.change)} ${held.change > 0 ? "more" : "fewer"} than before` : "");
  const elsewhere = (held) => [...new Set(allocations().filter((one) => one.job === held.job && one.slot !== held.slot &&
    one.begin < held.end && one.end > held.begin).map((one) => one.slot))].sort((a, b) => a - b);
  const sizes = (job) => (job.flexibility === "rigid" ? "" : ` (least ${job.least}, optimum ${job.optimum}, most ${job.most})`);

  function share(held) {
    const phase = phaseAt(Math.max(held.begin, view().begin, 0));
    const count = phase.slots.length;
    return count > 1 ? `${count} slots take turns` : "its slot has all the time";
  }

  // Rates are relative to the speed on as many processors as the job asks for.
  const pace = ({ rate, job }) => (rate === 1 ? "full speed" : `${Number((100 * rate).toPrecision(3))} % of its speed on ${counted(job.optimum)}`);

  function facts(held) {
    const also = elsewhere(held);
    return [
      ["Processors", `${held.size}${changed(held)}`],
      ...(held.job.flexibility === "rigid" ? [] : [["Sizes", `least ${held.job.least}, optimum ${held.job.optimum}, most ${held.job.most}`]]),
      ["Where", `slot ${held.slot}${also.length ? ` (also ${also.join(", ")})` : ""}, processors ${processors(held.runs)}`],
      ["Works at", `${pace(held)} in its time slices; ${share(held)}`],
      ...(held.stall ? [["Reconfigured", `${Number(held.stall.toPrecision(3))} s of its time slices`]] : []),
      ["Waited", `${waited(held)}, since ${moment(held.job.submit)}`],
      ["Runs", `${moment(held.start)} to ${finished(held, moment)}`],
      ["Run time alone", `${lasting(Math.min(held.job.run, held.job.estimate))} on ${counted(held.job.optimum)}`],
    ];
  }

  function sentence(held) {
    return `Job ${held.job.job} (${traits(held.job)}): ${counted(held.size)}${sizes(held.job)}${changed(held)}, slot ` +
      `${held.slot}, processors ${processors(held.runs)}. It works at ${pace(held)} in its time slices; ${share(held)}. ` + fate(held, moment);
  }

  window.slotwiseGang = { ...diagram, inSlices, phases, phaseAt, hasSlices, cycle, slices, drawnRuns, traits, facts, sentence };
})();
