"""Hand-worked schedules of what SCOJO learns of jobs, and what it offers and promises to those of other sites."""

from __future__ import annotations

from tests.scheduler_core.coscheduling.scenarios.scojo_shares import KEPT, job
from tests.scheduler_core.coscheduling.ways import Worked
from tests.scheduler_core.scenario import Scenario, scenario, us


@scenario
def slowdowns_are_known_or_learned() -> Scenario:
    """Application 1 is slowed down by 1.6 beside application 2, which is too much; that one runs faster there.

    With ``learns`` this is not known until it has happened to jobs 1 and 2.

    scojo_shares(slowdown="table", reclaim="off")

        1 ##########
        2 ..........##########
        3                      ##########
        4                      ..........##########

    scojo_shares(slowdown="table", reclaim="off", learns=True)

        1 #############
        2 ########
        3                      ##########
        4                      ..........##########
    """
    jobs = [job(submit, 5, "medium", 0.5, application=number) for submit in (0, 21) for number in (1, 2)]
    return Scenario(
        processors=2,
        jobs=tuple(jobs),
        slowdowns={(1, 1): 1.0, (1, 2): 1.6, (2, 1): 0.8, (2, 2): 1.0},
        schedules={
            f"scojo_shares({KEPT})": Worked(((0, 10), (0, 10), (21, 31), (21, 31))),
            f"scojo_shares({KEPT}, slowdown='table')": Worked(((0, 10), (10, 20), (21, 31), (31, 41))),
            f"scojo_shares({KEPT}, slowdown='table', learns=True)": Worked(((0, 13), (0, 8), (21, 31), (31, 41))),
        },
    )


@scenario
def run_times_are_learned() -> Scenario:
    """Job 4 asks for 20 s; job 1, of its application, took 2 s of work, so that it is believed to fill the hole beside job 2.

    scojo_shares(reclaim="off")

        1 ####
        2      ####################
        3       ...................#####
        4        .......................####

    scojo_shares(reclaim="off", learns=True)

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
        schedules={
            f"scojo_shares({KEPT})": Worked(((0, 4), (5, 25), (25, 30), (30, 34))),
            f"scojo_shares({KEPT}, learns=True)": Worked(((0, 4), (5, 25), (25, 30), (7, 11))),
        },
    )


@scenario
def reserved_start() -> Scenario:
    """Job 2 reserves 10 s. Job 3 could not be done by then, and waits until it is done; job 4 can.

    scojo_shares(at_once=1, assignment="equal")

        1 ####
        2  .........#####
        3   .............######
        4   ..#####

    scojo_shares(at_once=1, assignment="equal", backfilling=False)

        1 ####
        2  .........#####
        3   .............######
        4   ...................#####
    """
    base = "at_once=1, assignment='equal'"
    slot = ((2, 1, 1, 10, 1, 1, "reserved"),)
    return Scenario(
        processors=2,
        jobs=(
            job(0, 4, "medium", 0.5),
            job(1, 5, "medium", 0.5, site="cross_site", asks="reserves", wanted=us(10)),
            job(2, 6, "medium", 0.5),
            job(2, 5, "medium", 0.5),
        ),
        schedules={
            f"scojo_shares({base})": Worked(((0, 4), (10, 15), (15, 21), (4, 9)), offers=slot),
            f"scojo_shares({base}, backfilling=False)": Worked(((0, 4), (10, 15), (15, 21), (21, 26)), offers=slot),
        },
    )


@scenario
def picked_start() -> Scenario:
    """Job 2 picks 10 s and is queued like others: it starts before.

    scojo_shares(at_once=1, assignment="equal")

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
        schedules={
            "scojo_shares(at_once=1, assignment='equal')": Worked(
                ((0, 4), (4, 9), (9, 15)), offers=((2, 1, 1, 10, 1, 1, "picked"),)
            ),
        },
    )


@scenario
def slots_that_are_offered() -> Scenario:
    """Job 3 may start when job 2 must be done, or job 1: 4 s and 1 ms at 50 %, or 10 s and 1 ms.

    scojo_shares(reclaim="off")

        1 ####################
        2 ########
        3  .......##########
    """
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
            f"scojo_shares({KEPT})": Worked(times, offers=(first, second)),
            f"scojo_shares({KEPT}, offers=1)": Worked(times, offers=(first,)),
        },
    )


@scenario
def forecasts_of_the_site() -> Scenario:
    """The machine is busy until 2 s and from 4 to 6 s. Samples at 1, 2, ... s: none available, none, all, all, none, none.

    Forecasts of the last five are 0, 0, a third, a half and two fifths. Of two samples, at 3 and 6 s, the second is
    missed by all.

    scojo_shares(at_once=1)

        1 ##
        2     ##
    """
    times, second = ((0, 2), (4, 6)), "at_once=1, sample_s="
    return Scenario(
        processors=2,
        jobs=(job(0, 2, "long", 0.5), job(4, 2, "long", 0.5)),
        schedules={
            f"scojo_shares({second}1.0)": Worked(times, counters={"forecast_error_ppm": 513_333}),
            f"scojo_shares({second}3.0)": Worked(times, counters={"forecast_error_ppm": 1_000_000}),
        },
    )
