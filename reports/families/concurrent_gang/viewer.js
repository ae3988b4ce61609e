// What only the diagram of activities does: its words for tasks, idle processors, disks and slices.
(function () {
  "use strict";
  const diagram = window.slotwiseConcurrentGang;
  const { state, form, canvas, workload, policy, allocations, jobs, of, APPLICATIONS } = diagram;
  const { css, lasting, beginning, serve } = window.slotwiseDiagrams;
  const DOES = { compute: "computes", send: "sends", receive: "receives", spin: "spins", switch: "is switched to" };
  const NAMES = { io: "I/O", compute: "computation", messages: "messages", supersteps: "supersteps", barriers: "barriers", irregular: "irregular", program: "program" };
  const KINDS = [["compute", "computing"], ["message", "sending and receiving"], ["spin", "spinning"], ["switch", "switching"],
    ["blocked", "idle with a blocked owner"], ["empty", "idle without an owner"]];
  const viewer = serve(diagram, {
    tip: (place) => (place.held ? [named(place.held), facts(place.held)] : markFacts(place)),
    sentence, legend, row, moments: () => of("owned").map((slice) => Math.max(0, slice.begin)), lead: 0, moved, chooseWorkload,
  });
  const { part, swatch } = viewer;

  const ms = (time) => `${Number((time * 1e3).toFixed(4)).toLocaleString("en", { maximumFractionDigits: 4 })} ms`;
  const took = (time) => (time < 1e-3 ? `${Number((time * 1e6).toFixed(3))} µs` : ms(time));
  const span = (from, to) => `${ms(from)} to ${ms(to)} (${took(to - from)})`;
  const percent = (share) => `${Number((100 * share).toPrecision(share < 0.1 ? 2 : 3))} %`;
  const row_ = (slice) => (slice.row === null ? "no row" : `row ${slice.row + 1}`);
  const named = (held) => `Job ${held.job.job}, task ${held.task}: ${DOES[held.activity]}`;
  const kind = (job) => (job.application ? `${NAMES[job.application]}, ` : "") + (job.size === 1 ? "1 task" : `${job.size} tasks`);
  const chosen = (held) => (held.local ? "the local scheduler" : `the gang scheduler, as owner of ${row_(held.slice)}`);
  const told = (time) => (time < 0 ? `${lasting(-time)} before the window` : time > workload().length ? `${lasting(time - workload().length)} after the window` : `at ${ms(time)}`);
  const ends = (held) => (held.finish === null ? "not before the run ends" : told(held.finish) + (held.outcome === "killed" ? " (killed at its estimate)" : ""));

  // Return what the scheduler knew of a task when the slice began, learned at the last tick before; null if nothing.
  function known(held) {
    const learned = policy().learned.filter(([at, place, task]) => jobs()[place] === held.job && task === held.task && at / 1e9 <= held.begin);
    return learned.length ? learned.at(-1).slice(3).map((ppm) => ppm / 1e6) : null;
  }

  function facts(held) {
    const learned = known(held);
    const share = (f) => Number(f.toFixed(3));
    return [
      ["Processor", String(held.processor)],
      ["During", span(held.begin, held.end)],
      ["Chosen by", chosen(held)],
      ["Job", kind(held.job)],
      ...(learned ? [["I/O, comm., comp.", learned.slice(0, 3).map(share).join(", ")], ["Priority", String(share(learned[3]))]] : []),
      ["Started", told(held.start)],
      ["Ends", ends(held)],
    ];
  }

  function markFacts(mark) {
    if (mark.disk) {
      const { job, task, issued, begin, end } = mark.disk;
      return [`Disk of processor ${mark.disk.processor}: job ${job.job}, task ${task}`,
        [["Asked", ms(issued)], ...(begin > issued ? [["Waits", took(begin - issued)]] : []), ["Served", span(begin, end)]]];
    }
    if (mark.slice) {
      const owners = new Set(mark.slice.owners.filter(Boolean).map((owner) => owner.job.job));
      return [`Slice of ${row_(mark.slice)}`, [["From", ms(mark.slice.begin)], ["Owners", [...owners].map((job) => `job ${job}`).join(", ") || "none"]]];
    }
    const { idle } = mark;
    const who = idle.owner ? `job ${idle.owner.job.job}, task ${idle.owner.task}` : "none";
    return [idle.activity === "blocked" ? "Idle: the owner is blocked" : "Idle: no owner",
      [["Processor", String(idle.processor)], ["During", span(idle.begin, idle.end)], [idle.activity === "blocked" ? "Owner" : "Owner left", who],
        ...(idle.activity === "blocked" && idle.owner ? [["Waits for", reason(idle)]] : [])].filter(([term, value]) => term !== "Owner left" || value !== "none")];
  }

  // Return why the owner of an idle processor does not run.
  function reason({ owner, begin, end }) {
    const own = ({ job, task }) => job === owner.job && task === owner.task;
    if (owner.job.application === "io" || of("served").some((one) => own(one) && one.issued <= begin && one.end > begin)) return "its disk";
    const wait = of("waits").find((one) => one.job === owner.job && one.tasks.some((task, i) => task === owner.task && one.arrived[i] <= begin) && (one.released === null || one.released > begin));
    if (wait) return `barrier ${wait.barrier + 1}`;
    const message = of("sent").find((one) => one.job === owner.job && one.receiver === owner.task && one.arrived > begin && one.sent <= Math.max(end, begin));
    return message ? `message ${message.message}` : "a message, or the next slice";
  }

  function sentence(held) {
    return `Job ${held.job.job} (${kind(held.job)}), task ${held.task} ${DOES[held.activity]} on processor ${held.processor} from ` +
      `${ms(held.begin)} for ${took(held.end - held.begin)}, chosen by ${chosen(held)}. The job started ${told(held.start)}; it ends ${ends(held)}.`;
  }

  function legend() {
    const [sample] = workload().colours;
    const stripes = `repeating-linear-gradient(135deg, ${sample} 0 2px, ${css("--paper")} 2px 5px)`;
    const seen = new Set(jobs().map((job) => job.application));
    const apps = Object.entries(APPLICATIONS).filter(([word]) => seen.has(word)).map(([word, colour]) => swatch(colour, NAMES[word]));
    return [...(form.colour.value === "application" ? apps : ["Colours tell jobs apart:"]), swatch(sample, "computes"),
      swatch(`color-mix(in srgb, ${sample}, ${css("--ink")})`, "sends or receives"), swatch(stripes, "spins", css("--line")), swatch(css("--soft"), "switch"),
      swatch(`linear-gradient(${css("--paper")} 36%, ${sample} 36%)`, "chosen locally", css("--line")), swatch(`color-mix(in srgb, ${sample} 25%, ${css("--paper")})`, "owner idle")];
  }

  function row(job, all) {
    const sum = (...words) => all.filter((held) => words.includes(held.activity)).reduce((time, held) => time + held.end - held.begin, 0);
    const work = all.filter((held) => held.activity !== "switch");
    const whole = work.reduce((time, held) => time + held.end - held.begin, 0);
    const local = work.filter((held) => held.local).reduce((time, held) => time + held.end - held.begin, 0);
    const about = (time) => took(Number(time.toPrecision(4)));
    return [job.job, job.application ? NAMES[job.application] : "–", job.size, about(sum("compute")), about(sum("send", "receive")), about(sum("spin")),
      about(sum("switch")), whole ? percent(local / whole) : "–", told(job.submit), ends(all[0])];
  }

  // Say how processors spend the time shown.
  function moved(range) {
    const spent = Object.fromEntries(KINDS.map(([name]) => [name, 0]));
    const inside = (one) => Math.max(0, Math.min(one.end, range.end) - Math.max(one.begin, range.begin));
    let [work, local] = [0, 0];
    for (const held of allocations()) {
      const time = inside(held);
      spent[held.activity === "send" || held.activity === "receive" ? "message" : held.activity] += time;
      if (held.activity === "switch") continue;
      work += time;
      if (held.local) local += time;
    }
    for (const one of of("idle")) spent[one.activity] += inside(one);
    const all = Object.values(spent).reduce((sum, time) => sum + time, 0);
    const words = KINDS.filter(([name]) => spent[name] > 0).map(([name, word]) => `${percent(spent[name] / all)} ${word}`);
    part("where").textContent = `${ms(range.begin)} to ${ms(range.end)}: ${words.join(", ")}` +
      `${work > 0 ? `; ${percent(local / work)} of what ran was chosen locally` : ""}.`;
  }

  form.links.addEventListener("change", () => { if (state.window) viewer.refresh(); });

  function chooseWorkload() {
    const whole = workload();
    const known = whole.applications.some((one) => one !== null);
    form.colour.querySelector("[value=application]").disabled = !known;
    if (!known) form.colour.value = "job";
    const [first, second] = of("owned");
    const slice = second ? second.begin - first.begin : whole.length;
    const shorter = [0.1, 0.02, 0.005, 0.001, 0.0002].filter((time) => time < slice * 0.9);
    const few = [4, 2, 1].filter((n) => n * slice < whole.length * 0.99);
    const spans = [[whole.length, "all"], ...few.map((n) => [n * slice, n === 1 ? "1 slice" : `${n} slices`]), ...shorter.map((time) => [time, took(time)])];
    const narrow = canvas.parentElement.clientWidth < 600;
    viewer.offerSpans(spans, (few.length ? spans.find(([time]) => time <= (narrow ? 1.01 : 4.01) * slice) : spans[0])[0]);
    state.begin = 0;
    const aside = whole.aside.length ? ` Not shown, as other slices were traced: ${whole.aside.join(", ")}.` : "";
    part("window").textContent = `${beginning(whole)}; times count from its begin. ` +
      `The machine has ${whole.processors} processors.${aside}`;
  }
})();
