"""The LOMARC oracle: what a pair is worth; in double precision, each sum and product as the docstring writes it."""

from __future__ import annotations

from dataclasses import dataclass

from tests.oracles.coscheduling.machine import MILLION


@dataclass(frozen=True)
class Asked:
    """A job as a profit sees it: its processors, and its estimate or what is left of that."""

    size: int
    time: int

    @property
    def work(self) -> int:
        """Its work on all its processors."""
        return self.time * self.size


@dataclass(frozen=True)
class Forecast:
    """What is expected of future jobs: time between them, the share of short ones, mean works; None where there are none."""

    gap: float
    short: float
    work: float
    short_work: float | None
    other_work: float | None


def forecast_from(jobs: list[tuple[int, int, bool]]) -> Forecast | None:
    """Make a forecast from jobs (submission, work, whether it is short) in order of position."""
    if len(jobs) < 2 or jobs[-1][0] == jobs[0][0]:
        return None
    short = [work for _, work, is_short in jobs if is_short]
    other = [work for _, work, is_short in jobs if not is_short]
    return Forecast(
        gap=(jobs[-1][0] - jobs[0][0]) / (len(jobs) - 1),
        short=len(short) / len(jobs),
        work=sum(short + other) / len(jobs),
        short_work=sum(short) / len(short) if short else None,
        other_work=sum(other) / len(other) if other else None,
    )


def utilisation_2(a: Asked, b: Asked, ppm: int) -> float:
    """Return how much better the processors are used."""
    return (MILLION * (a.size + b.size) - a.size * ppm) / (a.size * ppm)


def utilisation_1(a: Asked, b: Asked, ppm: int) -> float:
    """Return the same, weighed with the part of the time in which both run."""
    return utilisation_2(a, b, ppm) * (min(a.time, b.time) / max(a.time, b.time))


@dataclass(frozen=True)
class Response:
    """The change of response times, on a machine, by one who looks ahead in one of the ways of ``future``."""

    processors: int
    future: str
    forecast: Forecast | None

    def profit(self, a: Asked, behind: list[Asked], b: int, ppm: int, without_first: bool) -> float:
        """Return the profit of a job with number ``b`` of those behind it, numbered from 1.

        What those beyond the partner gain is a difference of sums; where the partner is the first of all and stands outside
        the queue (``without_first``) it is a sum of its own.
        """
        p, s, n = float(self.processors), ppm / MILLION, len(behind)
        responses = [a.work / p]
        for job in behind:
            responses.append(responses[-1] + job.work / p)
        sums = [1.0 / responses[0]]
        for response in responses[1:]:
            sums.append(sums[-1] + 1.0 / response)
        beyond = sums[n] - sums[b]
        if without_first:
            beyond = 0.0
            for response in responses[2:]:
                beyond = beyond + 1.0 / response
        partner = behind[b - 1]
        together = min(a.time, partner.time) * (s - 1.0) + max(a.time, partner.time)
        delay = (together * a.size - a.work) / p
        improvement = partner.work / p - delay
        worse = delay * sums[b - 1]
        better = (responses[b] - partner.work * s / p) / responses[b] + improvement * beyond
        if self.forecast is not None and self.future != "none":
            worse, better = self.looking_ahead(worse, better, delay, improvement, responses[n])
        return (better - worse) / max(1, n - 1)

    def looking_ahead(
        self, worse: float, better: float, delay: float, improvement: float, backlog: float
    ) -> tuple[float, float]:
        """Add what future jobs lose and gain."""
        p, ahead = float(self.processors), self.forecast
        f = backlog / ahead.gap
        short_work, other_work = ahead.work, ahead.work
        if self.future == "classes":
            short_work, other_work = ahead.short_work, ahead.other_work
        if short_work is not None:
            worse = worse + f * ahead.short * delay / (short_work / p)
        if other_work is not None:
            response = backlog + other_work / p if self.future == "cumulative" else other_work / p
            better = better + f * (1.0 - ahead.short) * improvement / response
        return worse, better
