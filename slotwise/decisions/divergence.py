"""Where two schedules of the same jobs part, and how that reaches the start of one job."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import polars as pl

from scheduler_core.decisions.words import SHOWN, instant, lasting, named
from scheduler_core.declarations.words import counted

if TYPE_CHECKING:
    from scheduler_core.contracts import Schedule

NEVER = 2**63 - 1
"""The start of a job that does not start."""


@dataclass(frozen=True)
class Decision:
    """An instant at which two schedules start different jobs: those that only A and only B start then."""

    at_us: int
    only_a: list[int]
    only_b: list[int]


@dataclass(frozen=True)
class Link:
    """A job that starts earlier in one schedule, and what differs in the other one (``later``: ``A`` or ``B``) at that instant.

    ``cause`` is a job that started at another time before. ``state`` says what it does in the schedule ``later``: it ``holds``
    processors there alone, ``size`` of them; it still ``waits`` there; or it ``differs`` otherwise. Without a cause the same jobs
    wait and run in both.
    """

    job: int
    at_us: int
    later: str
    cause: int | None = None
    state: str = ""
    size: int = 0


@dataclass(frozen=True)
class Divergence:
    """Why a job starts at another time in B than in A. Times are in microseconds, None for a job that does not start.

    ``first`` is the first decision that differs, None for equal schedules. ``chain`` leads from the job back to ``root``, a
    decision that differs although the same jobs wait and run; it is empty if the job starts at the same time in both, and if one
    of the schedules is not of space sharing.
    """

    job: int
    start_a_us: int | None
    start_b_us: int | None
    first: Decision | None
    chain: list[Link]
    root: Decision | None

    @property
    def waiting(self) -> tuple[int, str] | None:
        """The job whose wait no step explains, and the run in which it waits; None for equal runs.

        It is the job itself if a chain has no cause, and the first that only one run starts if there is no chain.
        """
        if self.first is None or any(link.cause is not None for link in self.chain):
            return None
        if self.chain:
            return self.job, self.chain[0].later
        return (self.first.only_a[0], "B") if self.first.only_a else (self.first.only_b[0], "A")

    def to_dict(self) -> dict[str, Any]:
        """Return the divergence as plain data."""
        return asdict(self)

    def __str__(self) -> str:
        return "\n".join(sentences(self))


def diverge(a: Schedule, b: Schedule, number: int) -> Divergence:
    """Return the first decision in which two schedules differ, and the chain of jobs from it to the start of one job.

    The schedules are of the same jobs. Each step looks at the instant at which a job starts in one schedule alone. Its cause is
    the largest job that holds processors only where it waits, else the first that waits only there, else any that differs. If a
    schedule is not of space sharing there is no chain: a job that starts at the same time in both may run on in one of them.
    """
    columns = ("job", "start_us", "finish_us")
    both = (
        a.jobs.select(*columns, "submit_us", "size")
        .join(b.jobs.select(*columns), on="job", suffix="_b", maintain_order="left")
        .rename({"start_us": "start_a", "finish_us": "finish_a", "start_us_b": "start_b", "finish_us_b": "finish_b"})
        .with_columns(pl.col("start_a", "finish_a", "start_b", "finish_b").fill_null(NEVER))
        .with_columns(decided=pl.min_horizontal("start_a", "start_b"))
    )
    differing = both.filter(pl.col("start_a") != pl.col("start_b"))
    own = both.row(by_predicate=pl.col("job") == number, named=True)
    start_a, start_b = (None if own[name] == NEVER else own[name] for name in ("start_a", "start_b"))
    first = None if differing.is_empty() else decision_at(differing, differing["decided"].min())  # type: ignore[arg-type]
    in_space = a.family.name == b.family.name == "space_sharing"
    if own["start_a"] == own["start_b"] or not in_space:
        return Divergence(number, start_a, start_b, first, [], None)
    chain = []
    while True:
        chain.append(link_of(differing, own))
        if chain[-1].cause is None:
            return Divergence(number, start_a, start_b, first, chain, decision_at(differing, own["decided"]))
        own = differing.row(by_predicate=pl.col("job") == chain[-1].cause, named=True)


def decision_at(differing: pl.DataFrame, at: int) -> Decision:
    """Return which jobs only one schedule starts at an instant."""
    return Decision(at, *(differing.filter(pl.col(f"start_{side}") == at)["job"].to_list() for side in ("a", "b")))


def link_of(differing: pl.DataFrame, own: dict[str, Any]) -> Link:
    """Return what holds a job back, where it starts later, at the instant at which it starts in the other schedule."""
    late, early = ("a", "b") if own["start_a"] > own["start_b"] else ("b", "a")
    at = own["decided"]
    runs = {side: (pl.col(f"start_{side}") < at) & (pl.col(f"finish_{side}") > at) for side in (late, early)}
    waits = {side: (pl.col("submit_us") <= at) & (pl.col(f"start_{side}") >= at) for side in (late, early)}
    earlier = differing.filter(pl.col("decided") < at)
    holding = earlier.filter(runs[late] & ~runs[early]).sort("size", descending=True, maintain_order=True)
    ahead = earlier.filter(waits[late] & ~waits[early])
    others = earlier.filter(runs[early] | (waits[early] & ~waits[late]))
    for state, found in (("holds", holding), ("waits", ahead), ("differs", others)):
        if found.height:
            return Link(own["job"], at, late.upper(), found["job"][0], state, found["size"][0])
    return Link(own["job"], at, late.upper())


def sentences(found: Divergence) -> Iterator[str]:
    """Yield where two schedules part, and how that reaches the job, a sentence each."""
    if found.first is None:
        yield "Both runs start every job at the same time."
        return
    yield f"The runs first differ on {instant(found.first.at_us)}: {decision_words(found.first)}."
    starts = [f"on {instant(us)}" if us is not None else "never" for us in (found.start_a_us, found.start_b_us)]
    if found.start_a_us == found.start_b_us:
        yield f"Job {found.job} starts {starts[0]} in both."
        return
    known = found.start_a_us is not None and found.start_b_us is not None
    shift = (found.start_b_us or 0) - (found.start_a_us or 0)
    later = f", {lasting(abs(shift))} {'later' if shift > 0 else 'earlier'}" if known else ""
    yield f"Job {found.job} starts {starts[0]} in A and {starts[1]} in B{later}."
    if found.root and found.root != found.first:
        yield f"On {instant(found.root.at_us)} the same jobs wait and run in both; {decision_words(found.root)}."
    links = [link for link in reversed(found.chain) if link.cause is not None]
    for link in links if len(links) <= 2 * SHOWN else [*links[:SHOWN], None, *links[-SHOWN:]]:
        yield f"({counted(len(links) - 2 * SHOWN, 'further step')})" if link is None else link_words(link)


def decision_words(decision: Decision) -> str:
    """Return which jobs a decision starts in one run alone."""
    said = [
        f"{side} starts job {jobs[0]}" if len(jobs) == 1 else f"{side} starts {len(jobs):,} jobs{named(jobs)}"
        for side, jobs in (("A", decision.only_a), ("B", decision.only_b))
        if jobs
    ]
    return " and ".join(said) if len(said) > 1 else f"{said[0]} and {'B' if decision.only_a else 'A'} does not"


def link_words(link: Link) -> str:
    """Return what holds a job back in one run."""
    other = "B" if link.later == "A" else "A"
    why = {
        "holds": f"job {link.cause} holds {counted(link.size, 'processor')} there",
        "waits": f"so does job {link.cause}, which has started in {other}",
        "differs": f"job {link.cause} starts at another time there",
    }
    return f"On {instant(link.at_us)} job {link.job} starts in {other}. In {link.later} it waits: {why[link.state]}."
