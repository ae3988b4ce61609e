"""Why a job did not start, for every part of its wait: the rules that stood in its way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

ROOM = "room"
"""The rule that a job needs room: processors that are free."""

UNTOLD = "untold"
"""What the tables do not tell."""


@dataclass(frozen=True)
class Cause:
    """A rule that kept a job from starting, and for how long; ``jobs`` are those that it names, the longest in the way first."""

    rule: str
    us: int
    jobs: list[int]


@dataclass(frozen=True)
class Step:
    """A stretch of a wait, the rule that kept the job from starting in it, and the job that the rule names; None for none."""

    begin_us: int
    end_us: int
    rule: str
    job: int | None = None


def causes_of(steps: Iterable[Step]) -> list[Cause]:
    """Return the causes of a wait from its steps, the longest first."""
    lengths: Counter[str] = Counter()
    named: dict[str, Counter[int]] = {}
    for step in steps:
        length = step.end_us - step.begin_us
        lengths[step.rule] += length
        if step.rule not in named:
            named[step.rule] = Counter()
        if step.job is not None:
            named[step.rule][step.job] += length
    return [Cause(rule, us, [job for job, _ in named[rule].most_common()]) for rule, us in lengths.most_common() if us]


def pieces(edges: Iterable[int], low: int, high: int) -> list[tuple[int, int]]:
    """Return the stretches between edges from ``low`` until ``high``, in order of time."""
    times = np.array(edges if isinstance(edges, np.ndarray) else list(edges), dtype=np.int64)
    return list(pairwise(sorted({low, high, *times[(times > low) & (times < high)].tolist()})))


def within(at: int, stretches: Sequence[tuple[int, int]]) -> bool:
    """Return whether an instant lies in one of some stretches."""
    return any(begin <= at < end for begin, end in stretches)


def runs_of(marks: np.ndarray) -> list[tuple[int, int]]:
    """Return first place and end of each run of equal marks."""
    edges = np.flatnonzero(marks[1:] != marks[:-1]) + 1
    return list(pairwise([0, *edges.tolist(), len(marks)])) if len(marks) else []
