"""Small workloads full of ties for the policies beside plain gang scheduling, on machines of any size, by policy."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from scheduler_core import simulate
from scheduler_core.contracts import Schedule
from scheduler_core.policy import get_policy
from tests.oracles.gang import dhc as dhc_oracle
from tests.oracles.gang import oracle as gang_oracle
from tests.oracles.gang import partitioning as partitioning_oracle
from tests.oracles.gang import parts as parts_oracle
from tests.oracles.gang.oracle import GangSchedule, Level, Segment
from tests.oracles.gang.parts import PartsSchedule
from tests.scheduler_core.examples import Chooser, HypothesisChooser
from tests.scheduler_core.gang.cases import (
    SLICES,
    YES_NO,
    Case,
    Parameters,
    draw_jobs,
    filling_family,
    memory_family,
    packing_family,
    repacking_family,
    seconds,
)
from tests.scheduler_core.gang.runners import in_oracles_form, workload_of

MACHINES = (1, 2, 3, 4, 5, 6, 7, 9, 11, 13, 16)
DEEP_MACHINES = (*MACHINES, 21, 27, 32)
LARGE_MACHINES = (37, 63, 64, 65, 100)


def in_parts_form(schedule: Schedule) -> PartsSchedule:
    """Put an engine's schedule into the form with clusters."""
    clusters = dict(schedule.jobs.select("job", "cluster").rows())
    plain = in_oracles_form(schedule)
    jobs = {job: None if times is None else (clusters[job], times) for job, times in plain.jobs.items()}
    assert schedule.levels is not None
    levels = schedule.levels.select("cluster", "begin_us", "end_us", "level", "share").rows()
    rows = schedule.allocations.select(
        *("cluster", "job", "slot", "begin_us", "end_us", "processor_ids", "rate", "work_us", "turn_us", "overhead_us")
    ).rows()
    segments = sorted((row[0], Segment(*row[1:5], tuple(sorted(row[5])), *row[6:])) for row in rows)
    return PartsSchedule(jobs, segments, [(row[0], Level(*row[1:])) for row in levels], plain.counters)


def dhc(choose: Chooser, tick: int, processors: int) -> Parameters:
    """Distributed Hierarchical Control."""
    return {
        "slice_s": seconds(choose.one_of(SLICES), tick),
        "selective_disabling": choose.one_of(YES_NO),
        "alternative": choose.one_of(YES_NO),
    }


def sharing(rule: str) -> Callable[[Chooser, int, int], Parameters]:
    """Give how a rule of partitioning that resizes jobs is drawn."""

    def draw(choose: Chooser, tick: int, processors: int) -> Parameters:
        cost = choose.one_of((0.0, seconds(1, tick), seconds(1, tick) / 3, seconds(7, tick)))
        return {"rule": rule, "reconfiguration_cost_s": cost}

    return draw


def static(choose: Chooser, tick: int, processors: int) -> Parameters:
    """Static partitions, none of them empty."""
    cut = choose.one_of(("equal", "halves"))
    # The larger half is taken, so what is left loses a binary digit each time.
    most = processors if cut == "equal" else processors.bit_length()
    return {"rule": "static", "cut": cut, "partitions": choose.integer(1, min(most, 5))}


def partitions(choose: Chooser, tick: int, processors: int) -> Parameters:
    """Gang scheduling in fixed partitions, in every way that goes with them."""
    family = choose.one_of((packing_family, repacking_family, filling_family, memory_family))
    return family(choose, tick) | {"partitions": choose.one_of((2, 2, 3, 4)) if processors >= 4 else processors}


def efficiency(choose: Chooser, tick: int, processors: int) -> Parameters:
    """Gang scheduling with sizes by efficiency."""
    family = choose.one_of((packing_family, packing_family, filling_family, memory_family))
    values = {"sizing": "efficiency", "efficiency": choose.one_of((0.5, 0.55, 0.6, 0.65, 0.6667, 0.7, 0.75, 0.8, 0.9))}
    return family(choose, tick) | values


@dataclass(frozen=True)
class Subject:
    """A policy under test: its name, how its parameters are drawn, and what the oracle and the engine make of a case."""

    policy: str
    draw: Callable[[Chooser, int, int], Parameters]
    by_oracle: Callable[[Case], Any]
    in_form: Callable[[Schedule], Any] = in_oracles_form

    def by_engine(self, case: Case) -> Any:
        """Let the engine schedule an example."""
        return self.in_form(simulate(workload_of(case.jobs, case.processors, case.memory), case.policy))


def by_gang(case: Case) -> GangSchedule:
    """Let the oracle of gang scheduling schedule an example."""
    return gang_oracle.schedule(case.policy, case.jobs, case.processors, case.memory)


def by_parts(case: Case) -> PartsSchedule:
    """Let the oracle of gang scheduling in partitions schedule an example."""
    found = parts_oracle.schedule(case.policy, case.jobs, case.processors, case.memory)
    return PartsSchedule(found.jobs, sorted(found.segments), found.levels, found.counters)


def by_dhc(case: Case) -> GangSchedule:
    """Let the oracle of Distributed Hierarchical Control schedule an example."""
    return dhc_oracle.schedule(case.policy, case.jobs, case.processors)


def by_partitioning(case: Case) -> GangSchedule:
    """Let the oracle of partitioning schedule an example."""
    return partitioning_oracle.schedule(case.policy, case.jobs, case.processors)


SUBJECTS: dict[str, Subject] = {
    "dhc": Subject("dhc", dhc, by_dhc),
    "equipartition": Subject("partitioning", sharing("equipartition"), by_partitioning),
    "folding": Subject("partitioning", sharing("folding"), by_partitioning),
    "compress": Subject("partitioning", sharing("compress"), by_partitioning),
    "static": Subject("partitioning", static, by_partitioning),
    "partitions": Subject("gang", partitions, by_parts, in_parts_form),
    "efficiency": Subject("gang", efficiency, by_gang),
}
"""What is held against its oracle, by name."""


def draw_case(choose: Chooser, name: str, large: bool = False) -> Case:
    """Draw an example of up to 12 jobs (some subjects 30) on up to 16 processors (DHC 32), or ``large``: on many more."""
    processors = choose.one_of(LARGE_MACHINES if large else DEEP_MACHINES if name == "dhc" else MACHINES)
    memory = choose.one_of((0, 2, 4, 7, 12)) if name in ("partitions", "efficiency") else 0
    tick = choose.one_of((1, 7, 1_000, 1_000_000, 3_599_999_983))
    counts = (30, 60) if large else (1, 2, 3, 4, 6, 8, 10, 12, 12)
    width = processors
    if name in ("dhc", "partitions"):
        # Trees have depth and each part has a queue only with many jobs, and with few as wide as the machine.
        width, counts = choose.one_of((processors, -(-processors // 2))), (*counts[-4:], 20, 30)
    jobs = draw_jobs(choose, tick, (width, memory), counts, crowd=choose.one_of(YES_NO))
    subject = SUBJECTS[name]
    return Case(jobs, processors, memory, get_policy(subject.policy, **subject.draw(choose, tick, processors)))


@st.composite
def cases(draw: st.DrawFn, name: str) -> Case:
    """Give the strategy that draws examples for a subject."""
    return draw_case(HypothesisChooser(draw), name)
