"""Hand-worked schedules of EASY backfilling: who overtakes."""

from tests.scheduler_core.scenario import Scenario, scenario


@scenario
def easy_candidate_runtime() -> Scenario:
    """Job 3 asks 8 s and runs 3: a scheduler that knows starts it at 2, by the shadow time 5.

    Job 5 asks 2 s and would run 9: it is killed after 2. Later the expected ends of running jobs are
    estimates for both: with estimates job 6 reserves 16 (job 3's expected end), which lets 7 start at 9;
    with real run times it reserves 11.

    easy

        1 #####
        2  ....###
        3   ......###
        4   ###
        5    .....##
        6     .........##
        7          ####

    easy(candidate_runtime="real")

        1 #####
        2  ....###
        3   ###
        4   ......###
        5    .....##
        6     .......##
        7          ....####
    """
    return Scenario(
        processors=4,
        jobs=((0, 5, 5, 3), (1, 3, 3, 4), (2, 3, 8, 1), (2, 3, 3, 1), (3, 9, 2, 1), (4, 2, 2, 4), (9, 4, 4, 1)),
    )


@scenario
def easy_candidate_runtime_moves_shadow() -> Scenario:
    """A job started because it really ends in time moves the expected shadow time back.

    Real run times: job 4 starts at 3, as it will end at 7, but it is expected to end at 13. In the pass
    at 4 the shadow time of job 2 is therefore 13, no longer 10, and job 3, which failed the test at 2,
    passes it.

    easy

        1 #########
        2  ........######
        3   .............#########
        4    ............####
        5     ##
        6      ###

    easy(candidate_runtime="real")

        1 #########
        2  ............######
        3   ..#########
        4    ####
        5     ...##
        6      ....###
    """
    return Scenario(
        processors=5, jobs=((0, 9, 10, 1), (1, 6, 6, 5), (2, 9, 9, 3), (3, 4, 10, 1), (4, 2, 2, 1), (5, 3, 4, 2))
    )


@scenario
def easy_candidates() -> Scenario:
    """Behind job 2, job 3 is too long and 5 too wide: they use up the looks of a short-sighted pass.

    easy

        1 ##########
        2  .........##
        3   ..........############
        4    ####
        5     ........#
        6      ..###

    easy(candidates=2)

        1 ##########
        2  .........##
        3   ..........############
        4    ####
        5     ........#
        6      .......###

    easy(candidates=1)

        1 ##########
        2  .........##
        3   ..........############
        4    .........####
        5     ........#
        6      ........###
    """
    return Scenario(
        processors=4, jobs=((0, 10, 10, 3), (1, 2, 2, 4), (2, 12, 12, 1), (3, 4, 4, 1), (4, 1, 1, 2), (5, 3, 3, 1))
    )


@scenario
def easy_backfill_order() -> Scenario:
    """Job 3 reserves 14; from 3 on four processors are left for jobs 4 to 9, all short enough, in each order.

    Areas of 4 to 9 are 8, 4, 2, 3, 4, 1. Slowdowns at 3 are 3/2, 2, 3, 2, 3/2, 2; at 4 those of 4, 7, 8,
    9 are 7/4, 3, 2, 3; at 5 those of 4, 7, 8 are 2, 4, 5/2.

    easy

        1 ##############
        2 ###
        3  .............##
        4  ..####
        5  ..##
        6  ....#
        7   ......#
        8   ....##
        9   .....#

    easy(backfill_order="shortest")

        1 ##############
        2 ###
        3  .............##
        4  ......####
        5  ....##
        6  ..#
        7   ..#
        8   ...##
        9   .#

    easy(backfill_order="longest")

        1 ##############
        2 ###
        3  .............##
        4  ..####
        5  ..##
        6  ......#
        7   ......#
        8   ...##
        9   .....#

    easy(backfill_order="smallest")

        1 ##############
        2 ###
        3  .............##
        4  ..####
        5  ...##
        6  .....#
        7   .......#
        8   .....##
        9   .#

    easy(backfill_order="largest")

        1 ##############
        2 ###
        3  .............##
        4  ...####
        5  ...##
        6  .....#
        7   .#
        8   .....##
        9   .#

    easy(backfill_order="largest_area")

        1 ##############
        2 ###
        3  .............##
        4  ..####
        5  ..##
        6  .......#
        7   .....#
        8   ...##
        9   .....#

    easy(backfill_order="largest_slowdown")

        1 ##############
        2 ###
        3  .............##
        4  .....####
        5  ..##
        6  ..#
        7   ...#
        8   ....##
        9   ..#
    """
    return Scenario(
        processors=6,
        jobs=(
            (0, 14, 14, 2),
            (0, 3, 3, 4),
            (1, 2, 2, 6),
            (1, 4, 4, 2),
            (1, 2, 2, 2),
            (1, 1, 1, 2),
            (2, 1, 1, 3),
            (2, 2, 2, 2),
            (2, 1, 1, 1),
        ),
    )


@scenario
def easy_head_between_passes() -> Scenario:
    """Job 2 ends long before its estimate, and the head, job 4, still does not fit: it is expected to start at 10 now, not at 20.

    So job 5, which comes alone at 2 and fits, would delay it, in whatever order candidates are tried.

    easy
    easy(backfill_order="shortest")
    easy(backfill_order="largest_slowdown")

        1 ##########
        2 #
        3 #############
        4 ..........#####
        5   .............###
    """
    return Scenario(processors=10, jobs=((0, 10, 10, 4), (0, 1, 20, 3), (0, 13, 30, 2), (0, 5, 5, 8), (2, 3, 15, 4)))
