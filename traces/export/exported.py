"""The text of an exported file, and an account of everything that the format could not hold as it was."""

from __future__ import annotations

from dataclasses import dataclass

from scheduler_core.declarations.words import counted

LOSSES: dict[str, str] = {
    "rounded_time": "a time has a fraction of a second: rounded to the nearest second",
    "one_second": "a run time or an estimate is below half a second: one second",
    "estimate_below_runtime": "runs longer than its estimate: slotwise keeps such an estimate with --set overrun=kill of ingest",
    "negative_number": "its number is negative, which means unknown: readers number it anew",
    "zero_runtime": "starts and ends in the same second: a run time of zero",
    "never_started": "wider than the machine, so it never started: cancelled, without wait, run time and allocated processors",
    "unfinished": "the run ended before the job did: its run time and status are unknown",
    "no_times": "never started, or had not ended when the run did: left out",
    "numbered": "the policy counts processors, so the lowest-numbered free ones are written, as diagrams show them",
    "stretched": "the time from its start to its end is not its run time on dedicated processors: the former is written",
    "moved": "it was suspended or changed its processors: it has those of its first allocation, from its start to its end",
}
"""What may become of a job that a format cannot hold as it is, by rule."""


@dataclass(frozen=True)
class Loss:
    """Something that the format cannot hold as it was: a rule, how often it applied, and a clause for a person."""

    rule: str
    count: int
    words: str


@dataclass(frozen=True)
class Exported:
    """The text of a file, its jobs, and what it does not hold as it was."""

    text: str
    jobs: int
    losses: tuple[Loss, ...] = ()


def job_losses(counts: dict[str, int]) -> list[Loss]:
    """Return the losses among counts of jobs by rule; rules that applied to no job are left out."""
    return [Loss(rule, count, f"{counted(count, 'job')}: {LOSSES[rule]}") for rule, count in counts.items() if count]
