"""What every explanation says of a wait: the facts that all families have, and their sentences."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from typing import Any

from scheduler_core.declarations.words import counted
from slotwise.decisions.words import instant, lasting, listed, named


@dataclass(frozen=True)
class Alternative:
    """What the job would have done if something had been different: the policy was run again on the changed jobs.

    ``start_us`` is None when the job would not have started.
    """

    change: str
    start_us: int | None


@dataclass(frozen=True, kw_only=True)
class Explanation(ABC):
    """Why a job started when it did. Times are in microseconds since the workload's zero; lists hold job numbers.

    ``running`` had started and not finished when the job was submitted. ``ahead`` waited then and were submitted before it.
    ``overtook`` were submitted later, or at the same instant and further down the workload, and started before the job.
    ``fitting_us`` is how long the job waited although enough processors were free, ``fitted_first_us`` when that was first so
    (None: never before its start). ``ended`` finished at the instant of the start. ``foreseen_us`` is when the job would have
    started by what was known at its submission; None where that was not computed. ``lacking`` are the companion tables without
    which the policy could not run again.
    """

    job: int
    policy: str
    processors: int
    size: int
    runtime_us: int
    estimate_us: int
    submit_us: int
    start_us: int
    running: list[int]
    ahead: list[int]
    ahead_size: int
    overtook: list[int]
    ended: list[int]
    alternatives: list[Alternative]
    fitting_us: int = 0
    fitted_first_us: int | None = None
    foreseen_us: int | None = None
    lacking: list[str] = field(default_factory=list)

    @property
    def wait_us(self) -> int:
        """How long it waited for its start."""
        return self.start_us - self.submit_us

    @property
    def shaded(self) -> list[tuple[int, int]]:
        """Begin and end of the times that a picture of the wait shades: the job could not start then."""
        return []

    def to_dict(self) -> dict[str, Any]:
        """Return the explanation as plain data."""
        return {**asdict(self), "wait_us": self.wait_us}

    def sentences(self) -> Iterator[str]:
        """Yield why the job started when it did, a sentence each."""
        yield asked(self)
        yield self.submission()
        if not self.wait_us:
            yield from self.start_at_once()
            return
        yield f"It waits {lasting(self.wait_us)}."
        yield from self.wait()
        yield from self.start()
        yield from self.changed()
        if self.lacking:
            tables = f"table{'s' if len(self.lacking) > 1 else ''} {listed(self.lacking)}"
            yield f"The policy was not run on changed jobs: that needs the {tables} of the workload (--log WORKLOAD)."

    def changed(self) -> Iterator[str]:
        """Yield when the job would have started otherwise; changes that make no difference share a sentence."""
        same = [f"if {one.change}" for one in self.alternatives if one.start_us == self.start_us]
        for one in self.alternatives:
            if one.start_us != self.start_us:
                yield f"If {one.change}, {when(self, one.start_us)}."
        if same:
            several = (
                f"{', '.join(same[:-1])}{',' if len(same) > 2 else ''} or {same[-1]}" if len(same) > 1 else same[0]
            )
            yield f"It would have started at the same time {several}."

    @abstractmethod
    def submission(self) -> str:
        """Return what ran and waited when the job was submitted."""

    @abstractmethod
    def wait(self) -> Iterator[str]:
        """Yield what happened while the job waited."""

    @abstractmethod
    def start(self) -> Iterator[str]:
        """Yield how the job started."""

    def start_at_once(self) -> Iterator[str]:
        """Yield how a job started that did not wait."""
        yield "It starts at once."

    def __str__(self) -> str:
        return "\n".join(self.sentences())

    __repr__ = __str__


def asked(found: Explanation) -> str:
    """Return what a job asks for."""
    return (
        f"Job {found.job} asks for {counted(found.size, 'processor')} for {lasting(found.estimate_us)} (estimate) and runs for "
        f"{lasting(min(found.runtime_us, found.estimate_us))}; the policy is {found.policy}."
    )


def ahead_words(found: Explanation, kind: str = "") -> str:
    """Return which jobs were ahead in the queue; ``kind`` says of which class they are."""
    asking = f", which ask for {found.ahead_size:,} processors" if found.ahead else ""
    return f"{counted(len(found.ahead), f'{kind}job')} ahead in the queue{named(found.ahead)}{asking}"


def overtaken(found: Explanation) -> str:
    """Return how many jobs overtook."""
    if not found.overtook:
        return "No later job overtook it."
    return f"Meanwhile {counted(len(found.overtook), 'later job')} overtook it{named(found.overtook)}."


def fitted(found: Explanation, where: str = "") -> str:
    """Return for how long the job would have fitted; ``where`` names the place."""
    if found.fitted_first_us is None:
        return f"At no time of its wait were enough processors free{where.rstrip(',')}."
    return (
        f"Enough processors were free{where} for {lasting(found.fitting_us)} of its wait, first on "
        f"{instant(found.fitted_first_us)}, but the policy did not start it."
    )


def foreseen_words(found: Explanation) -> Iterator[str]:
    """Yield when the job would have started by what was known at its submission; nothing where that was not computed."""
    if found.foreseen_us is not None:
        at = instant(found.foreseen_us)
        yield f"By what was known at its submission (estimates, no later job) it would have started on {at}."


def ended_words(found: Explanation) -> str:
    """Return which jobs ended at the instant of the start; empty for none."""
    return f" when {counted(len(found.ended), 'job')} ended{named(found.ended)}" if found.ended else ""


def when(found: Explanation, start_us: int | None) -> str:
    """Return at which other time the job would have started."""
    if start_us is None:
        return "it would not have started"
    way = "earlier" if start_us < found.start_us else "later"
    return f"it would have started {lasting(abs(start_us - found.start_us))} {way}, on {instant(start_us)}"
