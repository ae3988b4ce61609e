"""What pairs do to response times: worked examples, and sums over the queue against going through it for every candidate."""

import random
from typing import Any

import pytest

from scheduler_core.coscheduling import response_impact as impact_module
from scheduler_core.coscheduling import state
from scheduler_core.kernel.records import Record, record, records
from tests.from_python import all_from_python
from tests.profiles import seeds
from tests.scheduler_core.coscheduling.pair_cases import rules, waits
from tests.scheduler_core.scenario import us

KERNELS = all_from_python(impact_module)
PROCESSORS = 128


def known(between_s: float, share_short: float, work: float, short: float = 0.0, other: float = 0.0) -> Record:
    """Return a forecast: seconds between submissions, the share of short jobs, and mean work in processor-seconds."""
    forecast = record(state.FORECAST)
    forecast.known, forecast.between, forecast.share_short = True, between_s * 1e6, share_short
    forecast.work, forecast.short_work, forecast.other_work = work * 1e6, short * 1e6, other * 1e6
    return forecast


def by_sums(
    holder: Any,
    behind: list[Any],
    number: int,
    slowdown: float,
    forecast: Record,
    call: str = "lomarc",
    waiting: int = 0,
) -> float:
    """Return the profit as the engine computes it; ``waiting`` is the work of all waiting jobs."""
    sums = records(len(behind) + 1, state.SUMS)
    KERNELS.begin_sums(holder.time * holder.size, PROCESSORS, sums)
    for place, job in enumerate(behind, 1):
        KERNELS.add_to_sums(place, job.time * job.size, PROCESSORS, sums)
    partner = behind[number - 1]
    pair = impact_module.Pair(holder.size, holder.time, partner.size, partner.time, slowdown)
    return KERNELS.impact(pair, number, len(behind), waiting, sums, forecast, rules(call, PROCESSORS))


def plain(holder: Any, behind: list[Any], number: int, slowdown: float, letter: bool = False) -> float:
    """Return the profit as figure 5 of the source computes it: job by job, without a forecast; or with its letter."""
    partner = behind[number - 1]
    paired = min(holder.time, partner.time) * (slowdown - 1) + max(holder.time, partner.time)
    response = holder.time * holder.size / PROCESSORS
    delay = (paired * max(holder.size, partner.size) - holder.time * holder.size) / PROCESSORS
    improvement = partner.time * partner.size / PROCESSORS - delay
    if letter:
        improvement = response
    increase = delay / response
    for job in behind[: number - 1]:
        response += job.time * job.size / PROCESSORS
        increase += delay / response
    response += partner.time * partner.size / PROCESSORS
    decrease = (response - partner.time * slowdown * partner.size / PROCESSORS) / response
    for job in behind[number:]:
        response += job.time * job.size / PROCESSORS
        decrease += improvement / response
    pushed_down, pulled_up = number - 1, len(behind) - number
    return (decrease - increase) / max(1, abs(pushed_down - pulled_up) if letter else pushed_down + pulled_up)


LETTER = "lomarc(improvement='as_printed', divisor='difference')"


HOLDER, *BEHIND = waits([(3600, 64), (1800, 32), (3600, 64), (7200, 16)])
FORECAST = known(827, 0.425, 83_926)


@pytest.mark.parametrize(
    ("slowdown", "forecast", "expected"),
    [
        (1.5, record(state.FORECAST), -0.192424),
        (1.25, record(state.FORECAST), 0.133586),
        (1.5, FORECAST, 0.423769),
        (1.25, FORECAST, 2.803756),
    ],
)
def test_worked_example(slowdown: float, forecast: Record, expected: float) -> None:
    assert by_sums(HOLDER, BEHIND, 2, slowdown, forecast) == pytest.approx(expected, abs=1e-6)


def test_forecast_by_classes_and_forecast_of_jobs_behind_all_that_wait() -> None:
    none = by_sums(HOLDER, BEHIND, 2, 1.25, record(state.FORECAST)) * 2
    forecast = known(827, 0.425, 83_926, 200, 147_000)
    coming = (3600 * 64 * 2 + 1800 * 32 + 7200 * 16) / PROCESSORS / 827
    short = coming * 0.425 * 450 / (200 / PROCESSORS)
    others = coming * 0.575 * 1350 / (147_000 / PROCESSORS)
    classes = by_sums(HOLDER, BEHIND, 2, 1.25, forecast, "lomarc(future='classes')")
    assert classes * 2 == pytest.approx(none - short + others)
    backlog = coming * 827 + 83_926 / PROCESSORS
    cumulative = by_sums(HOLDER, BEHIND, 2, 1.25, forecast, "lomarc(future='cumulative')")
    short = coming * 0.425 * 450 / (83_926 / PROCESSORS)
    assert cumulative * 2 == pytest.approx(none - short + coming * 0.575 * 1350 / backlog)


def test_a_backlog_of_all_waiting_jobs_counts_those_ahead_too() -> None:
    none = by_sums(HOLDER, BEHIND, 2, 1.25, record(state.FORECAST))
    own = sum(job.time * job.size for job in (HOLDER, *BEHIND))
    call = "lomarc(backlog='all')"
    behind = by_sums(HOLDER, BEHIND, 2, 1.25, FORECAST)
    assert by_sums(HOLDER, BEHIND, 2, 1.25, FORECAST, call, own) == pytest.approx(behind)
    assert by_sums(HOLDER, BEHIND, 2, 1.25, FORECAST, call, 3 * own) == pytest.approx(none + 3 * (behind - none))
    assert by_sums(HOLDER, BEHIND, 2, 1.25, FORECAST, call, 0) == pytest.approx(none)


def test_classes_of_which_there_are_no_jobs_add_nothing() -> None:
    found = by_sums(HOLDER, BEHIND, 2, 1.25, known(827, 0.0, 83_926), "lomarc(future='classes')")
    assert found == by_sums(HOLDER, BEHIND, 2, 1.25, record(state.FORECAST))


def drawn(seed: int) -> tuple[Any, list[Any], float]:
    """Draw a holder, the queue behind it, and a slowdown."""
    chance = random.Random(seed)
    count = chance.randint(1, 60)
    jobs = waits(
        [(chance.choice((2, 70, 900, 90_000)) * chance.random() + 1, chance.randint(1, 128)) for _ in range(count + 1)]
    )
    return jobs[0], jobs[1:], chance.uniform(1, 1.6)


@pytest.mark.parametrize("seed", seeds(40))
def test_sums_over_the_queue_give_what_going_through_it_gives(seed: int) -> None:
    holder, behind, slowdown = drawn(seed)
    for number, partner in enumerate(behind, 1):
        if partner.size <= holder.size:
            found = by_sums(holder, behind, number, slowdown, record(state.FORECAST))
            assert found == pytest.approx(plain(holder, behind, number, slowdown), rel=1e-9, abs=1e-9)
            found = by_sums(holder, behind, number, slowdown, record(state.FORECAST), LETTER)
            assert found == pytest.approx(plain(holder, behind, number, slowdown, letter=True), rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("seed", seeds(40))
def test_for_a_running_holder_the_job_in_turn_is_the_first_behind_it(seed: int) -> None:
    holder, behind, slowdown = drawn(seed)
    behind[0].size = min(behind[0].size, holder.size)
    sums = records(len(behind) + 1, state.SUMS)
    for place, job in enumerate(behind, 1):
        sums[place].work = job.time * job.size / PROCESSORS
    for forecast in (record(state.FORECAST), FORECAST):
        pair = impact_module.Pair(holder.size, holder.time, behind[0].size, behind[0].time, slowdown)
        found = KERNELS.impact_running(pair, len(behind), 0, sums, forecast, rules())
        expected = by_sums(holder, behind, 1, slowdown, forecast)
        assert found == pytest.approx(expected, rel=1e-9, abs=1e-9)


def test_means_of_the_jobs_so_far_make_the_forecast() -> None:
    forecast = record(state.FORECAST)
    KERNELS.forecast_from(5, 2, us(100), 60, 600, forecast)
    assert (forecast.known, forecast.between, forecast.share_short) == (True, us(25), 0.4)
    assert (forecast.work, forecast.short_work, forecast.other_work) == (132, 30, 200)
    for jobs, span in ((1, us(100)), (5, 0)):
        KERNELS.forecast_from(jobs, 0, span, 60, 600, forecast)
        assert not forecast.known
