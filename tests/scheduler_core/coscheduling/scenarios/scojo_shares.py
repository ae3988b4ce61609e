"""Hand-worked schedules of SCOJO's shares (Huang 2004, chapter 5). A job in a drawing runs at any share."""

from tests.oracles.job import Behaviour, Shares
from tests.scheduler_core.coscheduling.ways import Worked
from tests.scheduler_core.scenario import Asked, Scenario, asked, scenario

PLAIN = "slowdown_of_two=1.0, slowdown_of_three=1.0"
"""Jobs that do not slow each other down, so that a job's time is its run time over its share."""

KEPT = f"{PLAIN}, reclaim='off'"
"""And no job gets more than it asks for."""


def job(submit: float, runtime: float, level: str, low: float, high: float | None = None, **more: object) -> Asked:
    """Describe a job that asks for a share; what is not of its shares is ``estimate`` and ``application``."""
    estimate, application = more.pop("estimate", None), more.pop("application", None)
    shares = Shares(level, low, low if high is None else high, **more)  # type: ignore[arg-type]
    told = {"behaviour": Behaviour("cpu", 1.0, 0.0, 0.0, application=application)} if application else {}
    return asked(submit, runtime, 2, estimate=estimate, shares=shares, **told)  # type: ignore[arg-type]


def row(begin: float, end: float, share: float, slowdown: float = 1, place: int = 0) -> tuple[object, ...]:
    """Describe a row of a job, which holds both processors."""
    return begin, end, "01", place, share, slowdown


@scenario
def figure_5_2_a_hole_is_left_filled_or_taken() -> Scenario:
    """Jobs 1 and 2 (A and B) run at 50 %; 3 and 4 (C and D) can run together, but 3 not beside 1; 5 is E.

    Potential fragmentation: B leaves a hole beside A (Figure 5-2-1).

    scojo_shares(reclaim="off", backfilling=False)

        1 ####################
        2 ####
        3  ...................#####
        4  ...................####################
        5  .......................................######

    E fills it (Figure 5-2-2).

    scojo_shares(reclaim="off")

        1 ####################
        2 ####
        3  ...................#####
        4  ...................####################
        5  ...######

    When no job can be backfilled any more, A takes all: a clear cut for C and D (Figure 5-2-3); D does likewise.

    scojo_shares

        1 ###############
        2 ####
        3  ..............#####
        4  ..............###########
        5  ...######
    """
    return Scenario(
        processors=2,
        jobs=(
            job(0, 10, "medium", 0.5),
            job(0, 2, "medium", 0.5),
            job(1, 3, "medium", 0.6),
            job(1, 8, "medium", 0.4),
            job(1, 3, "medium", 0.5),
        ),
        common=PLAIN,
    )


@scenario
def backfilled_job_takes_share_from_the_one_that_a_job_ahead_waits_for() -> Scenario:
    """Job 4 is done before job 1 would be, alone and with all of the machine (12 s); but beside it job 1 takes until 15 s.

    scojo_shares

        1 ###############
        2 ####
        3  ..............###
        4  ...######

    scojo_shares(backfill_rule="no_delay")

        1 ############
        2 ####
        3  ...........###
        4  ..............###
    """
    return Scenario(
        processors=2,
        jobs=(job(0, 10, "medium", 0.5), job(0, 2, "medium", 0.5), job(1, 3, "medium", 0.6), job(1, 3, "medium", 0.5)),
        common=PLAIN,
    )


@scenario
def backfilled_job_must_end_before_the_one_ahead_would_start() -> Scenario:
    """At 4 s job 1 has 16 s to go at 50 %: job 4 takes 18 s and waits, though the machine has room for it; job 5 does not.

    scojo_shares(reclaim="off")

        1 ####################
        2 ####
        3  ...................#####
        4  ........................##################
        5  ...######
    """
    return Scenario(
        processors=2,
        jobs=(
            job(0, 10, "medium", 0.5),
            job(0, 2, "medium", 0.5),
            job(1, 3, "medium", 0.6),
            job(1, 9, "medium", 0.5),
            job(1, 3, "medium", 0.5),
        ),
        common=PLAIN,
    )


@scenario
def figure_5_3_the_share_of_a_job_varies() -> Scenario:
    """Job 1 is job 0 of the figure, and so on: its share is 40 %, then 100 %, 50 % and 40 %.

    Jobs 4 and 5 (3 and 4 of the figure) ask for 70 % and wait for job 1. Job 6 (5) is backfilled as job 3 ends, job 7 as
    job 6 does; job 8 fills half of the machine as it comes; jobs 9 and 10 (9 and 8) start as it ends.

    scojo_shares(at_once=3)

        1  #####################################
        2  ####################
        3  ##########
        4  .....................................##
        5  .......................................##
        6  ..........#####
        7  ...............#####
        8                          ####
        9                            ..#####
        10                           ..#####

    scojo_shares(at_once=3, reclaim="alone")

        1  ######################################
        2  ####################
        3  ##########
        4  ......................................##
        5  ........................................##
        6  ..........#####
        7  ...............#####
        8                          #####
        9                            ...#####
        10                           ...#####
    """
    before = row(0, 10, 0.4), row(10, 15, 0.4), row(15, 20, 0.4), row(20, 24, 1)
    shares = (*before, row(24, 28, 0.5), row(28, 33, 0.4), row(33, 37, 1))
    alone = (*before, row(24, 29, 0.4), row(29, 34, 0.4), row(34, 38, 1))
    return Scenario(
        processors=2,
        jobs=(
            job(0, 20, "medium", 0.4),
            job(0, 8, "medium", 0.4),
            job(0, 2, "medium", 0.2),
            job(0, 2, "medium", 0.7),
            job(0, 2, "medium", 0.7),
            job(0, 1, "medium", 0.2),
            job(0, 1, "medium", 0.2),
            job(24, 2, "medium", 0.4),
            job(26, 1.5, "medium", 0.3),
            job(26, 1.5, "medium", 0.3),
        ),
        common=PLAIN,
        schedules={
            "scojo_shares(at_once=3)": Worked(held={1: shares}),
            'scojo_shares(at_once=3, reclaim="alone")': Worked(held={1: alone}),
        },
    )


@scenario
def two_jobs_of_ten_seconds() -> Scenario:
    """Both ask for 20 to 40 %; two at once are slowed down by 1.2. At 1.6 they run in turn, unless the limit of 1.5 is raised."""
    in_turn = Worked(((0, 25), (25, 50)))
    return Scenario(
        processors=2,
        jobs=(job(0, 10, "medium", 0.2, 0.4), job(0, 10, "medium", 0.2, 0.4)),
        common="reclaim='off', slowdown_of_three=2.0",
        schedules={
            "scojo_shares": Worked(((0, 30), (0, 30)), held={1: (row(0, 30, 0.4, 1.2),)}),
            "scojo_shares(at_once=1)": in_turn,
            "scojo_shares(assignment='equal')": Worked(((0, 24), (0, 24)), held={2: (row(0, 24, 0.5, 1.2, 1),)}),
            "scojo_shares(accounting='effective')": Worked(((0, 25), (0, 25)), held={2: (row(0, 25, 0.48, 1.2, 1),)}),
            "scojo_shares(slowdown_of_two=1.6)": in_turn,
            "scojo_shares(slowdown_of_two=1.6, slowdown_limit=2.0)": Worked(((0, 40), (0, 40))),
        },
    )


@scenario
def third_job_is_promoted() -> Scenario:
    """Three jobs of 4 s, slowed down by 1.3: 40 % take 13 s; the third has 20 % and does 2 s by then, and the rest at 40 %.

    scojo_shares

        1 #############
        2 #############
        3 ##################

    scojo_shares(slowdown_of_three=1.0)

        1 ##########
        2 ##########
        3 ###############
    """
    return Scenario(
        processors=2,
        jobs=(job(0, 4, "medium", 0.2, 0.4),) * 3,
        common="at_once=3, reclaim='off', slowdown_of_two=1.0",
        schedules={"scojo_shares": Worked(held={3: (row(0, 13, 0.2, 1.3, 2), row(13, 18, 0.4, 1, 2))})},
    )


@scenario
def who_may_join() -> Scenario:
    """Job 2 comes while job 1 runs at 50 %; job 3 comes when there is no room, and is no arrival when there is.

    scojo_shares(backfilling=False)

        1 ####################
        2  ####
        3   ..................####

    scojo_shares(backfilling=False, joins="never")

        1 ####################
        2  ...................####
        3   ..................####

    scojo_shares
    scojo_shares(backfilling=False, joins="head")

        1 ####################
        2  ####
        3   ...####
    """
    return Scenario(
        processors=2,
        jobs=(job(0, 10, "long", 0.5), job(1, 2, "special", 0.5), job(2, 2, "special", 0.5)),
        common=KEPT,
        schedules={
            "scojo_shares": Worked(counters={"joined": 1, "backfilled": 1}),
            'scojo_shares(backfilling=False, joins="head")': Worked(counters={"joined": 2}),
        },
    )


@scenario
def which_priority_lets_a_job_run_beside_others() -> Scenario:
    """Job 1 is medium, 2 special, 3 short, 4 long: job 4 waits for job 1 or not, and job 3 for job 2 or not.

    scojo_shares

        1 ####################
        2  ##########
        3   ##########
        4    .................##########

    scojo_shares(priority_rule="equal_or_higher_than_all")

        1 ####################
        2  ##########
        3   .........##########
        4    ..................##########

    scojo_shares(priority_rule="any")

        1 ####################
        2  ##########
        3   ##########
        4    ........##########
    """
    return Scenario(
        processors=2,
        jobs=(job(0, 6, "medium", 0.3), job(1, 3, "special", 0.3), job(2, 3, "short", 0.3), job(3, 3, "long", 0.3)),
        common=f"{KEPT}, at_once=3",
    )


@scenario
def waiting_raises_priorities() -> Scenario:
    """Job 2 is long and comes at 2 s, job 3 is special and comes at 9 s; at 10 s one of them starts.

    Job 2 has been raised, by 5 every 3 s of its own, twice, to 10; at 3, 6 and 9 s, three times, to 15, and it is ahead of
    job 3; every 2 s four times, to 15; by 8 every 3 s twice, to 15.

    scojo_shares
    scojo_shares(aging_s=3.0)
    scojo_shares(aging="per_job", aging_s=3.0)

        1 ##########
        2   .............#####
        3          .#####

    scojo_shares(order="fcfs")
    scojo_shares(aging="all_at_once", aging_s=3.0)
    scojo_shares(aging="per_job", aging_s=2.0)
    scojo_shares(aging="per_job", aging_s=3.0, aging_step=8)

        1 ##########
        2   ........#####
        3          ......#####
    """
    return Scenario(
        processors=2,
        jobs=(job(0, 10, "special", 0.5), job(2, 5, "long", 0.5), job(9, 5, "special", 0.5)),
        common="at_once=1",
    )
