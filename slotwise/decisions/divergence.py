"""Where two schedules of the same jobs part, and how that reaches the start of one job."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any

import polars as pl

from scheduler_core.decisions.words import SHOWN, instant, lasting, listed, named
from scheduler_core.declarations.words import counted

if TYPE_CHECKING:
    from scheduler_core.contracts import Schedule

NEVER = 2**63 - 1
"""The start of a job that does not start."""


@dataclass(frozen=True)
class Decision:
    """An instant at which two schedules start different jobs: those that only A and only B start then.

    ``suspended`` and ``resumed`` are those that only A and only B suspend and resume then.
    """

    at_us: int
    only_a: list[int]
    only_b: list[int]
    suspended: tuple[list[int], list[int]] = field(default_factory=lambda: ([], []))
    resumed: tuple[list[int], list[int]] = field(default_factory=lambda: ([], []))


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
    of the schedules is not of space sharing. ``finishes_us`` are given where jobs may be suspended.
    """

    job: int
    start_a_us: int | None
    start_b_us: int | None
    first: Decision | None
    chain: list[Link]
    root: Decision | None
    finishes_us: tuple[int | None, int | None] | None = None

    @property
    def waiting(self) -> tuple[int, str] | None:
        """The job whose wait no step explains, and the run in which it waits; None for equal runs.

        It is the job itself if a chain has no cause, and the first that only one run starts if there is no chain. A job that only
        one run suspends waits there; one that only one run resumes waits in the other.
        """
        if self.first is None or any(link.cause is not None for link in self.chain):
            return None
        if self.chain:
            return self.job, self.chain[0].later
        (stopped_a, stopped_b), (resumed_a, resumed_b) = self.first.suspended, self.first.resumed
        order = (
            (self.first.only_a, "B"),
            (self.first.only_b, "A"),
            (stopped_a, "A"),
            (stopped_b, "B"),
            (resumed_a, "B"),
        )
        return next(((jobs[0], side) for jobs, side in (*order, (resumed_b, "A")) if jobs), None)

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
    if "preemptive" in (a.family.name, b.family.name):
        finish_a, finish_b = (None if own[name] == NEVER else own[name] for name in ("finish_a", "finish_b"))
        return Divergence(number, start_a, start_b, with_suspensions(first, a, b), [], None, (finish_a, finish_b))
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
    only_a, only_b = (differing.filter(pl.col(f"start_{side}") == at)["job"].to_list() for side in ("a", "b"))
    return Decision(at, only_a, only_b)


def with_suspensions(first: Decision | None, a: Schedule, b: Schedule) -> Decision | None:
    """Return the first decision that differs, of starts, suspensions and resumptions; ``first`` is that of starts."""
    of_a, of_b = suspensions_of(a), suspensions_of(b)
    only = {
        "a": of_a.join(of_b, on=of_a.columns, how="anti", maintain_order="left"),
        "b": of_b.join(of_a, on=of_a.columns, how="anti", maintain_order="left"),
    }
    at = pl.concat(only.values())["at_us"].min()
    if at is None or (first is not None and first.at_us < at):  # type: ignore[operator]
        return first
    starts = first if first is not None and first.at_us == at else Decision(at, [], [])  # type: ignore[arg-type]
    out, back = (
        {side: rows.filter(at_us=at, resumed=resumed)["job"].to_list() for side, rows in only.items()}
        for resumed in (False, True)
    )
    return replace(starts, suspended=(out["a"], out["b"]), resumed=(back["a"], back["b"]))


def suspensions_of(schedule: Schedule) -> pl.DataFrame:
    """Return ``at_us, job, resumed`` of each suspension and resumption, in the order of time; none in space sharing."""
    kept = schedule.allocations if schedule.family.name == "preemptive" else schedule.allocations.clear()
    begin, end = pl.col("begin_us"), pl.col("end_us")
    back = kept.filter(begin > begin.min().over("job")).select(at_us=begin, job="job", resumed=pl.lit(value=True))
    out = kept.filter(end < end.max().over("job")).select(at_us=end, job="job", resumed=pl.lit(value=False))
    return pl.concat([back, out]).sort("at_us", "job")


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
        suspended = "" if found.finishes_us is None else ", and suspend and resume it at the same times"
        yield f"Both runs start every job at the same time{suspended}."
        return
    yield f"The runs first differ on {instant(found.first.at_us)}: {decision_words(found.first)}."
    yield f"Job {found.job} starts {both_words(found.start_a_us, found.start_b_us)}."
    if found.finishes_us is not None:
        yield f"It finishes {both_words(*found.finishes_us)}."
    if found.root and found.root != found.first:
        yield f"On {instant(found.root.at_us)} the same jobs wait and run in both; {decision_words(found.root)}."
    links = [link for link in reversed(found.chain) if link.cause is not None]
    for link in links if len(links) <= 2 * SHOWN else [*links[:SHOWN], None, *links[-SHOWN:]]:
        yield f"({counted(len(links) - 2 * SHOWN, 'further step')})" if link is None else link_words(link)


def both_words(a_us: int | None, b_us: int | None) -> str:
    """Return when something happens in A and in B, and how much later in B."""
    times = [f"on {instant(us)}" if us is not None else "never" for us in (a_us, b_us)]
    if a_us == b_us:
        return f"{times[0]} in both"
    shift = (b_us or 0) - (a_us or 0)
    known = a_us is not None and b_us is not None
    later = f", {lasting(abs(shift))} {'later' if shift > 0 else 'earlier'}" if known else ""
    return f"{times[0]} in A and {times[1]} in B{later}"


def decision_words(decision: Decision) -> str:
    """Return which jobs a decision starts, suspends and resumes in one run alone."""
    starts = (decision.only_a, decision.only_b)
    said, comma = {}, ""
    for side, *done in zip("AB", starts, decision.suspended, decision.resumed, strict=True):
        told = [
            f"{verb} job {jobs[0]}" if len(jobs) == 1 else f"{verb} {len(jobs):,} jobs{named(jobs)}"
            for verb, jobs in zip(("starts", "suspends", "resumes"), done, strict=True)
            if jobs
        ]
        if told:
            said[side] = f"{side} {listed(told)}"
            comma = comma or "," * (len(told) > 1)
    other = "B" if "A" in said else "A"
    return f"{comma} and ".join([*said.values(), *([] if len(said) > 1 else [f"{other} does not"])])


def link_words(link: Link) -> str:
    """Return what holds a job back in one run."""
    other = "B" if link.later == "A" else "A"
    why = {
        "holds": f"job {link.cause} holds {counted(link.size, 'processor')} there",
        "waits": f"so does job {link.cause}, which has started in {other}",
        "differs": f"job {link.cause} starts at another time there",
    }
    return f"On {instant(link.at_us)} job {link.job} starts in {other}. In {link.later} it waits: {why[link.state]}."
