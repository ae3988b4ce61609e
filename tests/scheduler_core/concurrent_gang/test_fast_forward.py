"""Slices that are run ahead change nothing: the same digests and counters as event by event."""

import dataclasses

import pytest

from scheduler_core import simulate
from scheduler_core.contracts import Schedule
from scheduler_core.declarations.policy import get_policy
from tests.oracles.job import Does, Job
from tests.profiles import seeds
from tests.scheduler_core.concurrent_gang.draws import draw_case
from tests.scheduler_core.examples import Case, SeededChooser

MS = 1000
SECOND = 1000 * MS


def both(case: Case, **parameters) -> tuple[Schedule, int]:
    """Hold a run with fast forward against one without; return the schedule, and how many slices of jobs were run ahead."""
    values = case.policy.values() | parameters
    slow, fast = (
        simulate(case.workload, get_policy("concurrent_gang", **values | {"fast_forward": fast}))
        for fast in (False, True)
    )
    counters = [{k: v for k, v in run.run["counters"].items() if k != "fast_slices"} for run in (slow, fast)]
    assert counters[0] == counters[1]
    for name, table in slow.tables.items():
        assert table.equals(fast.tables[name]), name
    assert slow.digest == fast.digest
    assert slow.run["counters"]["fast_slices"] == 0
    return fast, fast.run["counters"]["fast_slices"]


def long_slices(case: Case, seed: int) -> dict[str, object]:
    """Return parameters that leave a drawn example room to be run ahead, with and without a window of the trace."""
    values = case.policy.values()
    slice_ms = values["slice_ms"] * (1 + 3 * (seed % 3 == 0))
    window = {"trace_s": 0.0} if seed % 4 else {"trace_from_s": 3 * slice_ms / 1000, "trace_s": 1.4 * slice_ms / 1000}
    sums = {"sums_s": 4 * slice_ms / 1000} if seed % 2 else {}
    network = {name: max(values[name], least) for name, least in (("latency_us", 10.0), ("overhead_us", 8.75))}
    return {"slice_ms": slice_ms, **window, **sums, **network}


@pytest.mark.parametrize("name", ["messages", "supersteps", "barriers", "mixed", "controllers"])
def test_nothing_changes_on_drawn_examples(name):
    ahead = 0
    for seed in range(40):
        case = draw_case(SeededChooser(seed), seed % 5 == 0, name)
        ahead += both(case, **long_slices(case, seed))[1]
    assert ahead > 0


@pytest.mark.parametrize("name", ["io", "irregular", "programs"])
def test_nothing_changes_on_drawn_examples_in_which_processors_are_run_one_by_one(name):
    for seed in seeds(40):
        case = draw_case(SeededChooser(seed), seed % 5 == 0, name)
        values = long_slices(case, seed)
        both(case, **{key: values[key] for key in ("slice_ms", "trace_from_s", "trace_s", "sums_s") if key in values})


def jobs_of(
    word: str, processors: int, *, beside: str = "", spread: str = "exponential", imbalance: float = 0.0
) -> Case:
    """Return jobs of one processor, half and the whole machine that do what a word says, with others beside them."""
    jobs = []
    for number in range(1, 9):
        burst = 0 if word == "compute" else 5 * MS
        does = Does(word, seed=number, burst=burst, disk=0, spread=spread, imbalance=imbalance, most_tasks=0)
        if beside and number % 2:
            burst = 20 * MS if beside == "io" else 0
            does = Does(beside, seed=number, burst=burst, disk=burst, spread=spread, imbalance=0.0, most_tasks=0)
        size = (processors, processors // 2, 1)[number % 3]
        run = 4 * SECOND + 7 * number
        jobs.append(Job(number, number * SECOND // 3, run, run, size, does=does))
    return Case(jobs, processors, get_policy("concurrent_gang", trace_from_s=2.0, trace_s=0.5, sums_s=1.0))


PRESETS = ("cg_gang", "cg_prio", "cg_rr", "gang_rt", "gang_rt_nospin", "dhc_alt", "dhc_rt")


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("word", ["messages", "supersteps", "barriers"])
@pytest.mark.parametrize("beside", ["", "io", "compute"])
def test_nothing_changes_for_any_system(preset, word, beside):
    case = jobs_of(word, 4, beside=beside)
    kept = {name: case.policy.values()[name] for name in ("trace_from_s", "trace_s", "sums_s")}
    both(dataclasses.replace(case, policy=get_policy(preset, **kept)))


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("parameters", [{}, {"switch_us": 0.0}, {"resume_owner": True, "free_on_task_end": True}])
def test_nothing_changes_where_processors_are_run_one_by_one(preset, parameters):
    case = jobs_of("compute", 4, beside="io")
    kept = {name: case.policy.values()[name] for name in ("trace_from_s", "trace_s", "sums_s")}
    both(dataclasses.replace(case, policy=get_policy(preset, **kept)), **parameters)


@pytest.mark.parametrize(
    ("word", "options"),
    [
        ("supersteps", {"imbalance": 0.5}),
        ("supersteps", {"spread": "constant"}),
        ("barriers", {}),
        ("barriers", {"spread": "constant"}),
    ],
)
@pytest.mark.parametrize(
    "parameters", [{}, {"waiting": "spin"}, {"spin_us": 10.0}, {"spin_us": 3000.0}, {"switch_us": 0.0}]
)
def test_nothing_changes_where_tasks_get_out_of_step(word, options, parameters):
    both(jobs_of(word, 4, **options), **parameters)


@pytest.mark.parametrize("word", ["messages", "supersteps", "barriers"])
def test_gangs_that_only_spin_are_run_ahead_slice_for_slice(word):
    case = jobs_of(word, 4)
    gangs = get_policy("cg_gang", sums_s=1.0)
    schedule, ahead = both(dataclasses.replace(case, policy=gangs))
    events, slices = schedule.run["counters"]["events"], schedule.run["counters"]["slices"]
    assert 0 < ahead < slices
    assert events > 20 * slices


@pytest.mark.parametrize(
    ("parameters", "forwarded"),
    [
        ({}, True),
        ({"latency_us": 0.0}, False),
        ({"overhead_us": 0.0}, False),
        ({"sums_s": 0.13}, False),  # in most slices a period ends
        ({"trace_s": 1000.0}, False),
    ],
)
def test_where_the_order_at_an_instant_or_a_window_asks_for_events_there_are_events(parameters, forwarded):
    case = jobs_of("messages", 4)
    values = {"waiting": "spin", "trace_from_s": 0.0, "trace_s": 0.0} | parameters
    assert (both(case, **values)[1] > 60) == forwarded
