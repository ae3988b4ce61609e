// What only the diagram of shared processors does: its words for jobs and their partners.
(function () {
  "use strict";
  const diagram = window.slotwiseCoscheduling;
  const { state, form, canvas, workload, policy, allocations, view, moment, KINDS, NO_KIND, jobs, shared, speedColour } = diagram;
  const { css, within, lasting, beginning, runTime, counted, processors, waited, finished, fate, serve } = window.slotwiseDiagrams;
  const viewer = serve(diagram, {
    tip: ({ held }) => [named(held.job), facts(held)], sentence, legend, row, moments, lead: 1 / 4, note, moved, chooseWorkload,
  });
  const { part, swatch } = viewer;

  const named = (job) => `Job ${job.job}${job.kind ? ` (${job.kind})` : ""}`;
  const percent = (part) => `${Number((100 * part).toPrecision(3))} %`;
  const list = (words) => (words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`);
  const company = (held) => list(held.beside.map((job) => named(job).replace("J", "j")));

  function pace(held) {
    if (held.suspended) return "suspended";
    const share = held.share < 1 ? `${percent(held.share)} of its processors, ` : "";
    const slowed = held.slowdown === 1 ? "" : ` (slowdown ${Number(held.slowdown.toPrecision(3))})`;
    return `${share}${percent(held.speed)} of its speed alone${slowed}`;
  }

  function facts(held) {
    return [
      ["Processors", `${held.size}: ${processors(held.runs)}`],
      ["Beside", shared(held) ? company(held) : "no other job"],
      ["Works at", pace(held)],
      ["During", `${moment(held.begin)} to ${moment(held.end)}`],
      ["Waited", waited(held)],
      ["Runs", `${moment(held.start)} to ${finished(held, moment)}`],
      ["Run time alone", runTime(held.job)],
    ];
  }

  function sentence(held) {
    const where = shared(held) ? `beside ${company(held)}` : "beside no other job";
    return `${named(held.job)}: ${counted(held.size)} (${processors(held.runs)}), ${where} from ${moment(held.begin)} to ` +
      `${moment(held.end)}, ${held.suspended ? "" : "at "}${pace(held)}. ${fate(held, moment)}`;
  }

  function legend() {
    const heavy = policy().stacked ? [] : [swatch("transparent", "shares its processors", css("--ink"))];
    const strip = allocations().some((held) => held.suspended) ? [swatch(css("--soft"), "striped: suspended")] : [];
    const idle = swatch(css("--raised"), "idle", css("--line"));
    if (form.colour.value === "kind") return [...kinds(), ...heavy, ...strip, idle];
    if (form.colour.value === "job") return ["Colours only tell jobs apart; numbers are the jobs'.", ...heavy, ...strip, idle];
    const scale = document.createElement("span");
    scale.append("speed: a third of that alone, or less", viewer.strip((k) => speedColour(1 / 3 + k / 6)), "all of it");
    return [scale, ...heavy, ...strip, idle];
  }

  function kinds() {
    const seen = new Set(jobs().map((job) => job.kind));
    const known = Object.entries(KINDS).filter(([word]) => seen.has(word)).map(([word, colour]) => swatch(colour, word));
    return seen.has(null) ? [...known, swatch(NO_KIND, "kind not stated")] : known;
  }

  function row(job, all) {
    const [one] = all;
    const others = [...new Set(all.flatMap((held) => held.beside.map((other) => other.job)))];
    const slowest = Math.min(...all.filter((held) => !held.suspended).map((held) => held.speed));
    return [job.job, job.kind ?? "–", one.size, moment(job.submit), waited(one), moment(one.start), others.join(", ") || "–",
      Number.isFinite(slowest) ? percent(slowest) : "suspended", moment(one.finish)];
  }

  // Return the times at which a job joined another on its processors.
  function moments() {
    const came = allocations().filter((held) => shared(held) && held.begin === held.start && held.begin > 0).map((held) => held.begin);
    return [...new Set(came)].sort((a, b) => a - b);
  }

  function moved(range) {
    const shown = allocations().filter(within(range)).filter((held) => !held.suspended);
    const [running, sharing] = [shown, shown.filter(shared)].map((those) => new Set(those.map((held) => held.job)).size);
    part("where").textContent = `From ${moment(range.begin)} to ${moment(range.end)}: ${running.toLocaleString("en")} jobs, ` +
      `${sharing.toLocaleString("en")} of them share processors.`;
  }

  function note() {
    return policy().named ? "" :
      "This run shares no processors and only counts them: a job is drawn on the lowest-numbered ones free.";
  }

  function chooseWorkload() {
    const whole = workload();
    const known = whole.jobs.some(([, kind]) => kind !== null);
    form.colour.querySelector("[value=kind]").disabled = !known;
    if (!known && form.colour.value === "kind") form.colour.value = "job";
    viewer.offerSpans(viewer.PARTS, viewer.largestPart(canvas.parentElement.clientWidth < 600 ? 40 : 150));
    const [first] = moments();
    state.begin = first === undefined ? 0 : first - view().span / 4;
    const shown = whole.begin > 0 ? beginning(whole) : `This is the schedule from its begin on, ${lasting(whole.length)} long`;
    part("window").textContent = `${shown}; the machine has ${counted(whole.processors)}.`;
  }
})();
