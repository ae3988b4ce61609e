"""Small workloads full of ties for gang scheduling, with parameters on their time scale, by families of parameters."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from scheduler_core.declarations.policy import get_policy, policies
from tests.oracles.job import Job
from tests.scheduler_core.examples import YES_NO, Case, Chooser, Parameters, drawn_numbers, seconds

SLICES = (0, 1, 2, 3, 7)
BACKFILLS = ("none", "head", "all", "greedy")
FLEXIBILITIES = (("rigid",), ("rigid", "moldable", "malleable"), ("malleable",), ("moldable", "malleable"))


def draw_jobs(choose: Chooser, tick: int, machine: tuple[int, int], counts: Sequence[int], crowd: bool) -> list[Job]:
    """Draw jobs; gaps, run times and estimates are a few ticks, so that ties abound; a crowd comes almost at once."""
    processors, memory = machine
    count = choose.one_of(counts)
    longest, gap = choose.one_of(((6, 1), (10, 1), (10, 0)) if crowd else ((3, 1), (10, 2), (30, 4), (30, 1)))
    kinds = choose.one_of(FLEXIBILITIES)
    ranged, classed = choose.one_of(YES_NO), choose.one_of(YES_NO)
    measured = choose.one_of((False, True, True, True))
    widest = choose.one_of((processors, max(1, processors // 2), processors + 1))
    exact = choose.one_of(YES_NO)
    jobs, now = [], choose.integer(0, 3) * tick
    for number in drawn_numbers(choose, count):
        now += choose.integer(0, gap) * tick
        size = choose.integer(1, widest)
        runtime = choose.integer(1, longest) * tick
        estimate = runtime if exact else choose.integer(1, longest + 5) * tick
        job = Job(number, now, runtime, estimate, size, choose.one_of(kinds))
        if ranged:
            job = replace(job, size_min=choose.integer(1, size), size_max=choose.integer(size, 2 * size + 1))
            job = replace(job, **choose.one_of(({}, {}, {}, {"size_min": None}, {"size_max": None})))
        if classed:
            job = replace(job, job_class=choose.one_of(("short", "medium", "long", None)))
        if memory and measured:
            job = replace(
                job, memory=choose.one_of((None, 0, 0, 1, memory // 3, memory // 2, memory // 2, memory, memory + 1))
            )
        jobs.append(job)
    return sorted(jobs, key=lambda job: job.position)


def draw_slices(choose: Chooser, tick: int) -> Parameters:
    """Draw levels, slices and switches."""
    values: Parameters = {
        "level": choose.one_of((1, 2, 1, 2, 3, 5, "unlimited")),
        "slice_s": seconds(choose.one_of(SLICES), tick),
        "switch_slows": choose.one_of(YES_NO),
        "switch_cost": choose.one_of((0.1, 0.0, 0.25, 1.0)),
    }
    if values["level"] != "unlimited":
        values["slice"] = choose.one_of(("scaled", "fixed"))
    else:
        values["slice"] = "fixed"
    return values


def draw_queue(choose: Chooser, tick: int) -> Parameters:
    """Draw the order of the queue."""
    short = choose.integer(0, 10)
    return {
        "queue": choose.one_of(("fcfs", "priority")),
        "short_limit_s": seconds(short, tick),
        "medium_limit_s": seconds(short + choose.integer(0, 10), tick),
        "aging_s": choose.one_of(("off", seconds(choose.integer(1, 10), tick))),
    }


def draw_adaptation(choose: Chooser, tick: int) -> Parameters:
    """Draw adaptation that happens on the time scale of the jobs."""
    return {
        "sizing": choose.one_of(("load", "load", "load_at_start", "optimum")),
        "eliminate_fragmentation": choose.one_of(YES_NO),
        "demand": choose.one_of(("current", "optimum")),
        "very_short": choose.one_of(("nothing", "mean")),
        "reconfiguration_s": seconds(choose.one_of((0, 1, 2, 5, 15)), tick),
        "reconfiguration_cost_s": choose.one_of((0.0, seconds(1, tick), seconds(4, tick) / 3)),
        "level": choose.one_of((1, 2, 2, 3)),
        "slice": choose.one_of(("scaled", "fixed")),
        "load_level": choose.one_of(("level", "level", "level", 1, 3)),
    }


def draw_backfill(choose: Chooser) -> Parameters:
    """Draw who may overtake the head."""
    return {"backfill": choose.one_of(BACKFILLS), "backfill_depth": choose.one_of(("all", 1, 2, 3))}


def packing_family(choose: Chooser, tick: int) -> Parameters:
    """Rigid use: packings, levels, queues and backfilling."""
    values = draw_slices(choose, tick) | draw_queue(choose, tick) | draw_backfill(choose)
    values["packing"] = choose.one_of(("first_fit", "best_fit", "one_job"))
    if values["packing"] == "one_job" and values["backfill"] != "none":
        values["backfill"] = "greedy"
    return values


def repacking_family(choose: Chooser, tick: int) -> Parameters:
    """Re-packing, with filling and without."""
    values = draw_slices(choose, tick) | {"level": "unlimited", "slice": "fixed"}
    values["repack"] = choose.one_of(("arrivals", "changes"))
    values["packing"] = choose.one_of(("first_fit", "best_fit", "first_fit_decreasing", "one_job"))
    values["fill"] = choose.one_of(YES_NO)
    return values


def filling_family(choose: Chooser, tick: int) -> Parameters:
    """Filling without re-packing, beside every way of packing and backfilling."""
    return packing_family(choose, tick) | {"fill": True}


def memory_family(choose: Chooser, tick: int) -> Parameters:
    """The packings that look at memory."""
    values = draw_slices(choose, tick) | draw_queue(choose, tick)
    values["packing"] = choose.one_of(("memory_fit", "memory_fit", "memory_best_fit"))
    values["level"] = choose.one_of((values["level"], 3, 5))
    if values["level"] != "unlimited":
        values["slice"] = choose.one_of(("scaled", "fixed"))
    values["new_slot"] = choose.one_of(("last_resort", "always", "always"))
    values["backfill"] = choose.one_of(("none", "greedy"))
    return values


def adaptation_family(choose: Chooser, tick: int) -> Parameters:
    """Adaptation, growth into free processors and backfilling."""
    values = draw_slices(choose, tick) | draw_queue(choose, tick) | draw_backfill(choose)
    return values | {"packing": choose.one_of(("first_fit", "best_fit"))} | draw_adaptation(choose, tick)


def backfilling_family(choose: Chooser, tick: int) -> Parameters:
    """Backfilling that protects the head or all jobs, acted on at once or nearly so, half the time with jobs that are resized."""
    values = draw_slices(choose, tick) | draw_queue(choose, tick)
    if choose.one_of(YES_NO):
        cost = choose.one_of((0, 1, 3, 7))
        values |= draw_adaptation(choose, tick) | {
            "reconfiguration_s": 0,
            "reconfiguration_cost_s": seconds(cost, tick),
        }
    values |= {
        "level": choose.one_of((1, 1, 2, 3)),
        "slice": "fixed",
        "slice_s": seconds(choose.one_of((0, 0, 1)), tick),
    }
    return values | {"backfill": choose.one_of(("head", "head", "all"))}


def preset_family(choose: Chooser, tick: int) -> Parameters:
    """The strategies known by a name, on the time scale of the jobs."""
    presets = policies()["gang"].presets | policies()["scojo"].presets
    _, values = presets[choose.one_of(sorted(presets))]
    times = draw_queue(choose, tick) | draw_adaptation(choose, tick)
    scales: tuple[str, ...] = ("short_limit_s", "medium_limit_s")
    if "sizing" in values:
        scales = (*scales, "reconfiguration_s", "reconfiguration_cost_s")
    scaled = {name: times[name] for name in scales} | {"slice_s": seconds(choose.one_of(SLICES), tick)}
    return scaled | values


FAMILIES: dict[str, Callable[[Chooser, int], Parameters]] = {
    "packing": packing_family,
    "repacking": repacking_family,
    "filling": filling_family,
    "memory": memory_family,
    "adaptation": adaptation_family,
    "backfilling": backfilling_family,
    "presets": preset_family,
}
"""Families of parameters that go together, by name."""


def draw_case(choose: Chooser, large: bool, family: str) -> Case:
    """Draw an example of a family: 1 to 12 jobs on 1 to 16 processors, or ``large``: 30 or 60 on some more than that."""
    processors = choose.one_of((63, 64, 65, 130) if large else (1, 2, 3, 4, 4, 6, 8, 8, 16))
    memory = choose.one_of((0, 2, 4, 7, 12)) if family in ("memory", "packing") else 0
    tick = choose.one_of((1, 7, 1_000, 1_000_000, 3_599_999_983))
    counts = (30, 60) if large else (1, 2, 3, 4, 6, 8, 10, 12, 12)
    jobs = draw_jobs(choose, tick, (processors, memory), counts, crowd=family == "backfilling")
    values = FAMILIES[family](choose, tick)
    return Case(jobs, processors, get_policy("scojo" if "sizing" in values else "gang", **values), memory)
