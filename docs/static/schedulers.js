// FCFS, EASY and conservative backfilling, as the policies `fcfs`, `easy` and `conservative` of slotwise with their defaults.
//
// A job is {number, submit, run, estimate, size}: whole seconds, and processors. Each scheduler takes the jobs and the number of
// processors, and returns a Map from each job to its start. A job that is wider than the machine is left out. A job that reaches
// its estimate is killed.
"use strict";

const schedulers = (() => {
  const stay = (job) => Math.min(job.run, job.estimate);

  // Take the instants in order; at each, completions first, then submissions, then one pass of the scheduler.
  function simulate(jobs, processors, scheduler) {
    const coming = jobs.filter((job) => job.size <= processors);
    coming.sort((a, b) => a.submit - b.submit); // a stable sort: ties by position
    const state = { now: 0, processors, queue: [], running: new Map(), starts: new Map(), ended: [] };
    const start = (job) => {
      state.queue.splice(state.queue.indexOf(job), 1);
      state.running.set(job, state.now);
      state.starts.set(job, state.now);
    };
    for (;;) {
      const instants = [...state.running].map(([job, begin]) => begin + stay(job));
      if (coming.length) instants.push(coming[0].submit);
      instants.push(...scheduler.wakes());
      if (!instants.length) return state.starts;
      state.now = Math.min(...instants);
      state.ended = [...state.running].filter(([job, begin]) => begin + stay(job) === state.now);
      for (const [job] of state.ended) state.running.delete(job);
      while (coming.length && coming[0].submit === state.now) state.queue.push(coming.shift());
      scheduler.pass(state, start);
    }
  }

  const free = (state) => [...state.running.keys()].reduce((left, job) => left - job.size, state.processors);

  function startHeads(state, start) {
    while (state.queue.length && state.queue[0].size <= free(state)) start(state.queue[0]);
  }

  const fcfs = () => ({ wakes: () => [], pass: startHeads });

  const easy = () => ({
    wakes: () => [],
    pass(state, start) {
      startHeads(state, start);
      if (!state.queue.length) return;
      const [head, ...candidates] = state.queue;
      let [shadow, extra] = reservation(state, head);
      for (const job of candidates) {
        const endsInTime = state.now + job.estimate <= shadow;
        if (job.size > free(state) || !(endsInTime || job.size <= extra)) continue;
        if (!endsInTime) extra -= job.size;
        start(job);
      }
    },
  });

  // Return when the head will have enough processors, by estimates, and how many more will be free then.
  function reservation(state, head) {
    const ends = [...state.running].map(([job, begin]) => [begin + job.estimate, job.size]);
    ends.sort((a, b) => a[0] - b[0]);
    let shadow = state.now;
    let left = free(state);
    for (const [end, size] of ends) {
      if (left >= head.size && end > shadow) break;
      shadow = end;
      left += size;
    }
    return [shadow, left - head.size];
  }

  function conservative() {
    const begins = new Map(); // of the jobs that wait: their reservations
    return {
      wakes: () => [...begins.values()],
      pass(state, start) {
        const early = state.ended.some(([job, begin]) => begin + job.estimate > state.now);
        for (const job of state.queue) {
          if (begins.has(job) && !early) continue;
          begins.delete(job);
          const plan = [...state.running, ...begins].map(([other, begin]) => [begin, begin + other.estimate, other.size]);
          begins.set(job, earliest(state, plan, job));
        }
        for (const job of [...state.queue]) {
          if (begins.get(job) !== state.now) continue;
          begins.delete(job);
          start(job);
        }
      },
    };
  }

  // Return the earliest time from now on at which a job fits into a plan of [begin, end, processors] for its whole estimate.
  function earliest(state, plan, job) {
    const times = [state.now, ...plan.map(([, end]) => end).filter((end) => end > state.now)];
    return times.sort((a, b) => a - b).find((time) => fits(state, plan, job, time));
  }

  function fits(state, plan, job, time) {
    const steps = [time, ...plan.map(([begin]) => begin).filter((begin) => begin > time && begin < time + job.estimate)];
    return steps.every((step) => {
      const taken = plan.reduce((sum, [begin, end, size]) => sum + (begin <= step && step < end ? size : 0), 0);
      return taken + job.size <= state.processors;
    });
  }

  const run = (scheduler) => (jobs, processors) => simulate(jobs, processors, scheduler());

  // Return the processors of each job, from 0: the lowest-numbered ones that are free when it starts.
  function processorsOf(starts, processors) {
    const until = new Array(processors).fill(-Infinity);
    const held = new Map();
    for (const [job, start] of [...starts].sort((a, b) => a[1] - b[1])) {
      const chosen = [...until.keys()].filter((one) => until[one] <= start).slice(0, job.size);
      for (const one of chosen) until[one] = start + stay(job);
      held.set(job, chosen);
    }
    return held;
  }

  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

  const meanWait = (starts) => mean([...starts].map(([job, start]) => start - job.submit));

  // Response time over run time, where run times below 10 s count as 10 s; at least 1.
  const meanBoundedSlowdown = (starts) =>
    mean([...starts].map(([job, start]) => Math.max(1, (start - job.submit + stay(job)) / Math.max(stay(job), 10))));

  return {
    fcfs: run(fcfs),
    easy: run(easy),
    conservative: run(conservative),
    processorsOf,
    meanWait,
    meanBoundedSlowdown,
    stay,
  };
})();
