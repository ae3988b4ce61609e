// What only the diagram of slices does: its words for jobs, slices, groups and the queue.
(function () {
  "use strict";
  const diagram = window.slotwiseSlices;
  const { state, form, canvas, workload, policy, slices, groups, view, moment, SHADES } = diagram;
  const { CLASSES, css, within, lasting, beginning, runTime, counted, processors, waited, finished, fate, serve } = window.slotwiseDiagrams;
  const viewer = serve(diagram, {
    tip: (place) => (place.held ? [`Job ${place.held.job.job}: ${place.held.job.kind}`, jobFacts(place.held)] : markFacts(place)),
    sentence, legend, row, moments: () => slices().map((slice) => slice.begin), lead: 0, note, moved, chooseWorkload,
  });
  const { part, swatch } = viewer;

  const where = (held) => (held.lent ? `lent part of a ${held.slice} slice` : `in a slice of its class`);
  const plan = (held) => (held.group === null ? "" : `place ${held.place} of group ${held.group}`);

  function jobFacts(held) {
    return [
      ["Processors", `${held.size}: ${processors(held.runs)}`],
      ["Runs here", `${moment(held.begin)} to ${moment(held.end)}, ${where(held)}`],
      ...(held.group === null ? [] : [["Plan", plan(held)]]),
      ["Waited", `${waited(held)}, since ${moment(held.job.submit)}`],
      ["Started", moment(held.start)],
      ["Finishes", finished(held, moment)],
      ["Run time", runTime(held.job)],
    ];
  }

  function markFacts(mark) {
    if (mark.queue) {
      const { begin, end, waiting } = mark.queue;
      const numbers = waiting.slice(0, 12).map((job) => job.job).join(", ") + (waiting.length > 12 ? ` and ${waiting.length - 12} more` : "");
      return [`${waiting.length} waiting`, [["Jobs", numbers || "none"], ["From", moment(begin)], ["To", moment(end)]]];
    }
    if (mark.group) {
      const { group, kind, count, begin, end } = mark.group;
      return [`Group ${group}: ${count} ${kind} jobs`, [["Formed", moment(begin)], ["Ended", moment(end)]]];
    }
    const { kind, begin, work, end } = mark.slice;
    return [`Slice of ${kind} jobs`, [["From", moment(begin)], ["To", moment(end)],
      ...(work > begin ? [["Switching", lasting(work - begin)]] : [])]];
  }

  function sentence(held) {
    return `Job ${held.job.job} (${held.job.kind}): ${counted(held.size)} (${processors(held.runs)}), ${where(held)} from ` +
      `${moment(held.begin)} to ${moment(held.end)}${held.group === null ? "" : `; ${plan(held)}`}. ` + fate(held, moment);
  }

  function moved(range) {
    const shown = slices().filter(within(range)).length;
    part("where").textContent = `From ${moment(range.begin)} to ${moment(range.end)}, ${shown} slices.`;
  }

  function legend() {
    const by = form.colour.value;
    const items = Object.entries(CLASSES).map(([word, colour]) => swatch(by === "class" ? shades(word) : colour, by === "class" ? word : `slice: ${word}`));
    items.push(by === "class" ? "Shades of a colour tell jobs apart." : "Colours of blocks only tell jobs apart.");
    if (slices().some((slice) => slice.work > slice.begin)) items.push(swatch(`repeating-linear-gradient(135deg, ${css("--soft")} 0 1px, ${css("--line")} 1px 5px)`, "switching"));
    if (groups().length) items.push(swatch("transparent", "job of a group", css("--ink")), "▼ group forms or ends");
    return items;
  }

  const shades = (kind) => `linear-gradient(90deg, ${SHADES[kind].map((one, i) => `${one} ${33 * i}% ${33 * (i + 1)}%`).join(", ")})`;

  function row(job, all) {
    const [one] = all;
    const group = one.group === null ? "–" : `${one.group}, place ${one.place}`;
    return [job.job, job.kind, one.size, group, moment(job.submit), waited(one), moment(one.start), all.length,
      all.filter((held) => held.lent).length, moment(one.finish)];
  }

  function note() {
    return policy().named ? "" : "This run only counts processors: a job is drawn on the lowest-numbered ones free.";
  }

  function chooseWorkload() {
    const whole = workload();
    viewer.offerSpans(viewer.PARTS, viewer.largestPart(canvas.parentElement.clientWidth < 600 ? 25 : 120));
    const [first] = groups();
    state.begin = first ? first.begin - view().span / 4 : 0;
    part("window").textContent = whole.begin > 0 ? `${beginning(whole)}.` : `This is the begin of the schedule, ${lasting(whole.length)} long.`;
  }
})();
