"""What hypothesis draws: small workloads full of ties, and policies with any parameters they allow."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from scheduler_core.errors import ParameterError
from scheduler_core.policy import Policy, policies
from tests.oracles.space_sharing.oracle import Job


def family() -> dict[str, type[Policy]]:
    """Give the policies of space sharing by name."""
    return {name: kind for name, kind in policies().items() if ".space_sharing." in kind.__module__}


@st.composite
def workloads(draw: st.DrawFn, most: int = 25, exact: bool = False) -> tuple[list[Job], int]:
    """Draw jobs in the order of submission, then number, and a machine some of them may be too large for.

    Gaps, run times and estimates are a few ticks of a microsecond or a second, so that ties abound.
    With ``exact`` every estimate is the run time.
    """
    processors = draw(st.integers(1, 16))
    tick = draw(st.sampled_from((1_000_000, 1)))
    longest, gap = draw(st.sampled_from(((3, 1), (10, 2), (30, 4))))
    lengths = st.integers(1, longest)
    one = st.tuples(st.integers(0, gap), lengths, lengths, st.integers(1, processors + draw(st.integers(0, 1))))
    count = draw(st.integers(1, most))  # drawn first, because lists drawn freely are short
    drawn = draw(st.lists(one, min_size=count, max_size=count))
    numbers = draw(st.permutations(range(1, len(drawn) + 1)))
    jobs, now = [], 0
    for number, (pause, runtime, estimate, size) in zip(numbers, drawn, strict=True):
        now += pause * tick
        jobs.append(Job(number, now, runtime * tick, (runtime if exact else estimate) * tick, size))
    return sorted(jobs, key=lambda job: (job.submit, job.job)), processors


def values_of(entry: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Draw a value of a parameter from what its policy says of it: any word, a small number, yes or no."""
    kinds = entry["type"].split(" or ")
    ways: list[st.SearchStrategy[Any]] = []
    if entry["choices"]:
        ways.append(st.sampled_from(entry["choices"]))
    if "bool" in kinds:
        ways.append(st.booleans())
    if "int" in kinds:
        ways += [st.just(entry["default"]), st.integers(entry["minimum"], entry["minimum"] + 3)]
    if "float" in kinds:
        steps = st.sampled_from((0.0, 1e-6, 2e-6, 5e-6, 1.0, 2.0, 2.5, 5.0, 12.0))
        ways += [steps.map(lambda step: entry["minimum"] + step), st.just(entry["default"])]
    return st.one_of(ways)


@st.composite
def settings_of(draw: st.DrawFn, kind: type[Policy]) -> Policy:
    """Draw a policy of one kind; parameters that do not go together are drawn again as their defaults."""
    values = {entry["name"]: draw(values_of(entry)) for entry in kind.describe_parameters()}
    while True:
        try:
            return kind.build(values)
        except ParameterError:
            values.pop(draw(st.sampled_from(sorted(values))))
