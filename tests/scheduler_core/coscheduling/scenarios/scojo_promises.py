"""Hand-worked schedules of what SCOJO learns of jobs, and what it offers and promises to those of other sites."""

from tests.scheduler_core.coscheduling.scenarios.scojo_shares import KEPT, job
from tests.scheduler_core.coscheduling.ways import Worked
from tests.scheduler_core.scenario import Scenario, scenario, us


@scenario
def slowdowns_are_known_or_learned() -> Scenario:
    """Application 1 is slowed down by 1.6 beside application 2, which is too much; that one runs faster there.

    With ``learns`` this is not known until it has happened to jobs 1 and 2.

    scojo_shares

        1 ##########
        2 ##########
        3                      ##########
        4                      ##########

    scojo_shares(slowdown="table")

        1 ##########
        2 ..........##########
        3                      ##########
        4                      ..........##########

    scojo_shares(slowdown="table", learns=True)

        1 #############
        2 ########
        3                      ##########
        4                      ..........##########
    """
    return Scenario(
        processors=2,
        jobs=tuple(job(submit, 5, "medium", 0.5, application=number) for submit in (0, 21) for number in (1, 2)),
        slowdowns={(1, 1): 1.0, (1, 2): 1.6, (2, 1): 0.8, (2, 2): 1.0},
        common=KEPT,
    )


@scenario
def run_times_are_learned() -> Scenario:
    """Job 4 asks for 20 s; job 1, of its application, took 2 s of work, so that it is believed to fill the hole beside job 2.

    scojo_shares

        1 ####
        2      ####################
        3       ...................#####
        4        .......................####

    scojo_shares(learns=True)

        1 ####
        2      ####################
        3       ...................#####
        4        ####
    """
    return Scenario(
        processors=2,
        jobs=(
            job(0, 2, "medium", 0.5, application=1),
            job(5, 10, "medium", 0.5, application=2),
            job(6, 3, "medium", 0.6, application=2),
            job(7, 2, "medium", 0.5, application=1, estimate=20),
        ),
        common=KEPT,
    )


@scenario
def reserved_start() -> Scenario:
    """Job 2 reserves 10 s. Job 3 could not be done by then, and waits until it is done; job 4 can.

    scojo_shares

        1 ####
        2  .........#####
        3   .............######
        4   ..#####

    scojo_shares(backfilling=False)

        1 ####
        2  .........#####
        3   .............######
        4   ...................#####
    """
    slot = Worked(offers=((2, 1, 1, 10, 1, 1, "reserved"),))
    return Scenario(
        processors=2,
        jobs=(
            job(0, 4, "medium", 0.5),
            job(1, 5, "medium", 0.5, site="cross_site", asks="reserves", wanted=us(10)),
            job(2, 6, "medium", 0.5),
            job(2, 5, "medium", 0.5),
        ),
        common="at_once=1, assignment='equal'",
        schedules={"scojo_shares": slot, "scojo_shares(backfilling=False)": slot},
    )


@scenario
def picked_start() -> Scenario:
    """Job 2 picks 10 s and is queued like others: it starts before.

    scojo_shares

        1 ####
        2  ...#####
        3   .......######
    """
    return Scenario(
        processors=2,
        jobs=(
            job(0, 4, "medium", 0.5),
            job(1, 5, "medium", 0.5, site="cross_site", asks="picks", wanted=us(10)),
            job(2, 6, "medium", 0.5),
        ),
        common="at_once=1, assignment='equal'",
        schedules={"scojo_shares": Worked(offers=((2, 1, 1, 10, 1, 1, "picked"),))},
    )


@scenario
def slots_that_are_offered() -> Scenario:
    """Job 3 may start when job 2 must be done, or job 1: 4 s and 1 ms at 50 %, or 10 s and 1 ms."""
    times = ((0, 20), (0, 8), (8.002, 18.002))
    first, second = (3, 1, 1, 8.002, 0.5, 1, "reserved"), (3, 2, 1, 20.002, 0.5, 1, "no")
    return Scenario(
        processors=2,
        jobs=(
            job(0, 10, "long", 0.5),
            job(0, 4, "long", 0.5),
            job(1, 5, "long", 0.5, site="cross_site", asks="reserves", wanted=us(1)),
        ),
        schedules={
            "scojo_shares": Worked(times, offers=(first, second)),
            "scojo_shares(offers=1)": Worked(times, offers=(first,)),
        },
        common=KEPT,
    )


@scenario
def forecasts_of_the_site() -> Scenario:
    """The machine is busy until 2 s and from 4 to 6 s. Samples at 1, 2, ... s: none available, none, all, all, none, none.

    Forecasts of the last five are 0, 0, a third, a half and two fifths. Of two samples, at 3 and 6 s, the second is
    missed by all.

    scojo_shares(sample_s=1.0)
    scojo_shares(sample_s=3.0)

        1 ##
        2     ##
    """
    return Scenario(
        processors=2,
        jobs=(job(0, 2, "long", 0.5), job(4, 2, "long", 0.5)),
        common="at_once=1",
        schedules={
            "scojo_shares(sample_s=1.0)": Worked(counters={"forecast_error_ppm": 513_333}),
            "scojo_shares(sample_s=3.0)": Worked(counters={"forecast_error_ppm": 1_000_000}),
        },
    )
