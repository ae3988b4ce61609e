"""Hand-worked schedules of EASY backfilling: the head's reservation."""

from tests.scheduler_core.scenario import Scenario, scenario


@scenario
def easy_extra_nodes() -> Scenario:
    """Job 2 reserves 6 with one extra processor: the long job 3 may take it, or may not.

    Job 4 is expected to end exactly at the shadow time (2 + 4 = 6) and starts in both.

    easy

        1 ######
        2  .....####
        3   ##########
        4   ###
        5    .......########
        6     ......##

    easy(extra_processors=False)

        1 ######
        2  .....####
        3   ....##########
        4   ###
        5    .......########
        6     ......##
    """
    return Scenario(
        processors=4, jobs=((0, 6, 6, 2), (1, 4, 4, 3), (2, 10, 10, 1), (2, 3, 4, 1), (3, 8, 8, 1), (4, 2, 2, 2))
    )


@scenario
def easy_reservation_once_shadow() -> Scenario:
    """Job 1 ends at 4 instead of 10: is the shadow time of job 3 still 10?

    In each pass: it is 6 from then on, 4 and 6 would end too late. Once: it stays 10, 4 starts at 4 and
    6 at 6 (6 + 4 = 10), and job 3 starts at 10 instead of 6.

    easy

        1 ####
        2 ######
        3  .....##
        4   ......#####
        5    ###
        6      ...####

    easy(reservation="once")

        1 ####
        2 ######
        3  .........##
        4   ..#####
        5    ###
        6      .####
    """
    return Scenario(
        processors=4, jobs=((0, 4, 10, 2), (0, 6, 6, 1), (1, 2, 2, 4), (2, 5, 5, 2), (3, 3, 3, 1), (5, 4, 4, 1))
    )


@scenario
def easy_reservation_once_extra() -> Scenario:
    """Job 3 takes the extra processor and ends early at 4: is there an extra one for job 4?

    In each pass: yes, 4 starts at 5. Once: no, and the processor is left to job 6, which ends by the
    shadow time 10.

    easy

        1 ##########
        2  .........#####
        3   ##
        4      ############
        5       ####
        6        ........###

    easy(reservation="once")

        1 ##########
        2  .........#####
        3   ##
        4      .....############
        5       ####
        6        ###
    """
    return Scenario(
        processors=4, jobs=((0, 10, 10, 2), (1, 5, 5, 3), (2, 2, 20, 1), (5, 12, 12, 1), (6, 4, 4, 1), (7, 3, 3, 1))
    )


@scenario
def easy_tied_releases() -> Scenario:
    """Jobs 1 and 2 are both expected to end at 6, and one is enough for job 3: is the other extra?

    As extra: the long job 4 starts at 2 on one of two. Not: nothing is extra, and the idle processor
    waits for job 6.

    easy

        1 ######
        2 ######
        3  .....####
        4   ##########
        5    ...####
        6     ......##

    easy(tied_releases="not_extra")

        1 ######
        2 ######
        3  .....####
        4   ....##########
        5    ...####
        6     ##
    """
    return Scenario(
        processors=5, jobs=((0, 6, 6, 2), (0, 6, 6, 2), (1, 4, 4, 3), (2, 10, 10, 1), (3, 4, 4, 1), (4, 2, 2, 1))
    )
