"""The LOMARC oracle: what a pair is worth; in double precision, each sum and product as the docstring writes it."""

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


class Response:
    """The change of response times, for a job, those behind it and whom it may be paired with, on so many processors.

    ``improvement`` and ``divisor`` are the policy's words, ``looks_ahead`` is the way of ``future``; ``waiting`` is the work of
    all waiting jobs where the forecast counts them. What those behind a partner gain is a difference of sums; where the partner
    is the first of all and stands outside the queue (``joins``) it is a sum of its own.
    """

    def __init__(
        self,
        behind: list[Asked],
        processors: int,
        looks_ahead: str,
        forecast: Forecast | None,
        *,
        joins: bool,
        improvement: str = "saved",
        divisor: str = "sum",
        waiting: int | None = None,
    ) -> None:
        self.improvement, self.divisor, self.waiting = improvement, divisor, waiting
        self.behind, self.processors, self.looks_ahead, self.joins = behind, float(processors), looks_ahead, joins
        self.forecast = None if looks_ahead == "none" else forecast
        self.times: dict[int, tuple[list[float], list[float]]] = {}

    def times_and_sums(self, work: int) -> tuple[list[float], list[float]]:
        """Return R and H, numbered from 0, for a first job of so much work."""
        if work not in self.times:
            responses = [work / self.processors]
            for job in self.behind:
                responses.append(responses[-1] + job.work / self.processors)
            sums = [1.0 / responses[0]]
            for response in responses[1:]:
                sums.append(sums[-1] + 1.0 / response)
            self.times[work] = responses, sums
        return self.times[work]

    def profit(self, a: Asked, b: int, ppm: int) -> float:
        """Return the profit of a job with number ``b`` of those behind it, numbered from 1."""
        p, s, n = self.processors, ppm / MILLION, len(self.behind)
        responses, sums = self.times_and_sums(a.work)
        beyond = sums[n] - sums[b]
        if self.joins:
            beyond = 0.0
            for response in responses[2:]:
                beyond = beyond + 1.0 / response
        partner = self.behind[b - 1]
        together = min(a.time, partner.time) * (s - 1.0) + max(a.time, partner.time)
        delay = (together * a.size - a.work) / p
        improvement = a.work / p if self.improvement == "as_printed" else partner.work / p - delay
        worse = delay * sums[b - 1]
        better = (responses[b] - partner.work * s / p) / responses[b] + improvement * beyond
        if self.forecast is not None:
            backlog = responses[n] if self.waiting is None else self.waiting / p
            worse, better = self.looking_ahead(worse, better, delay, improvement, backlog)
        pushed_down, pulled_up = b - 1, n - b
        others = abs(pushed_down - pulled_up) if self.divisor == "difference" else pushed_down + pulled_up
        return (better - worse) / max(1, others)

    def looking_ahead(
        self, worse: float, better: float, delay: float, improvement: float, backlog: float
    ) -> tuple[float, float]:
        """Add what future jobs lose and gain."""
        p, ahead = self.processors, self.forecast
        f = backlog / ahead.gap
        short_work, other_work = ahead.work, ahead.work
        if self.looks_ahead == "classes":
            short_work, other_work = ahead.short_work, ahead.other_work
        if short_work is not None:
            worse = worse + f * ahead.short * delay / (short_work / p)
        if other_work is not None:
            response = backlog + other_work / p if self.looks_ahead == "cumulative" else other_work / p
            better = better + f * (1.0 - ahead.short) * improvement / response
        return worse, better
