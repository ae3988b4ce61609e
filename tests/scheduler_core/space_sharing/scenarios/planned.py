"""Hand-worked schedules of conservative backfilling and of priority classes."""

from tests.scheduler_core.scenario import Scenario, scenario


@scenario
def conservative_compression() -> Scenario:
    """Job 1 ends at 4 instead of 10: only the later job 6 profits, or every reservation moves.

    On arrival jobs 3, 4, 5 get 10, 6 and 12. At 4, in the order of submission, 3 moves to 9 (job 4 still
    holds 6 to 9), then 4 to 4, then 5 to 11. Job 4 has left the hole from 7 to 9 behind, yet no job ends
    early again: 3 starts at 9, an instant at which nothing else happens. Smallest first, at 4 job 5
    moves to 4, job 4 stays at 6, job 3 moves to 9. A plan that knows real run times gives 3, 4, 5 and 6
    the times 6, 8, 8 and 8 at once.

    conservative(compression=False)

        1 ####
        2 ######
        3  .........##
        4   ....###
        5    .........####
        6      ##

    conservative

        1 ####
        2 ######
        3  ........##
        4   ..###
        5    ........####
        6      .##

    conservative(order="smallest")

        1 ####
        2 ######
        3  ........##
        4   ....###
        5    .####
        6      ##

    conservative(plan_by="runtime")

        1 ####
        2 ######
        3  .....##
        4   ......###
        5    .....####
        6      ...##
    """
    return Scenario(
        processors=4, jobs=((0, 4, 10, 2), (0, 6, 6, 2), (1, 2, 2, 4), (2, 3, 3, 2), (3, 4, 4, 1), (5, 2, 2, 1))
    )


@scenario
def conservative_instant() -> Scenario:
    """At 4 jobs 1 and 2 end early and job 5 comes; until then 3 and 4 have the times 10 and 12.

    Batch: 3 moves to 4, 4 to 6, and 5 gets 6. Completions first: with the processors of 1 alone, 4 moves to 4 and starts; when
    2 has left, 3 moves to 7, and 5 gets 4. Submissions first: 5 gets 12; when 1 has left, 4 starts and 5 moves to 7; when 2
    has left, 3 moves to 9, behind 5, and then 5 moves to 4.

    conservative

        1 ####
        2 ####
        3  ...##
        4   ....###
        5     ..##

    conservative(instant="completions_first")

        1 ####
        2 ####
        3  ......##
        4   ..###
        5     ##

    conservative(instant="submissions_first")

        1 ####
        2 ####
        3  ........##
        4   ..###
        5     ##
    """
    return Scenario(processors=4, jobs=((0, 4, 10, 2), (0, 4, 10, 2), (1, 2, 2, 4), (2, 3, 3, 2), (4, 2, 2, 1)))


@scenario
def conservative_tied_completions() -> Scenario:
    """Jobs 2 and 3 end at 6, earlier than expected; 2 was submitted before 3, and 3 started before 2.

    Until then 4 and 5 have the times 10 and 13. By position, 2 leaves first: 5 moves to 6 and starts; when 3 has left, 4 stays
    where it is. As they started, 3 leaves first, and nothing fits on its processor; when 2 has left, 4 moves to 6 and 5 to 9.

    conservative(instant="completions_first")

        1 ##
        2  .####
        3  #####
        4   ........###
        5    ...####

    conservative(instant="completions_first", tied_completions="start")

        1 ##
        2  .####
        3  #####
        4   ....###
        5    ......####
    """
    return Scenario(processors=4, jobs=((0, 2, 2, 3), (1, 4, 8, 3), (1, 5, 9, 1), (2, 3, 3, 4), (3, 4, 4, 2)))


@scenario
def priority_aging() -> Scenario:
    """Job 2 is long, 3 and 5 medium, 4 and 6 short: who is first when job 1 leaves at 6 is up to aging.

    Without aging (and with the default aging times, an hour at least) the order at 6 is 4, 6, 3, 5, 2.
    If job 5 is long too, 2 comes before it. With a fixed aging time of 2 s all have risen to level 2 by
    then, and the order is that of submission. With the running mean, at least 3 s, it is 3, 4, 6, 2, 5
    at 6: job 3 starts, 4 reserves, 6 ends by the shadow time 10, 5 takes the extra processor; at 8 the
    mean wait is 7/4 s, so 3 s count, job 2 has risen to level 2 and takes the reservation from 4.

    priority(short_limit_s=2.0, medium_limit_s=5.0, aging="off")
    priority(short_limit_s=2.0, medium_limit_s=5.0)
    priority(short_limit_s=2.0, medium_limit_s=5.0, aging_fixed_s=2.0)
    priority(short_limit_s=2.0, medium_limit_s=5.0, aging="fixed")

        1 ######
        2  ...........########
        3   ......####
        4    ...##
        5     ....#####
        6      .##

    priority(short_limit_s=2.0, medium_limit_s=4.0, aging="off")

        1 ######
        2  .......########
        3   ......####
        4    ...##
        5     ........#####
        6      .##

    priority(short_limit_s=2.0, medium_limit_s=5.0, aging="fixed", aging_fixed_s=2.0)

        1 ######
        2  .....########
        3   ....####
        4    ...........##
        5     ......#####
        6      .....##

    priority(short_limit_s=2.0, medium_limit_s=5.0, aging_min_s=3.0)

        1 ######
        2  .........########
        3   ....####
        4    ...............##
        5     ..#####
        6      .##

    priority(short_limit_s=5.0, medium_limit_s=5.0, aging="off")

        1 ######
        2  ...........########
        3   ....####
        4    .......##
        5     ..#####
        6      .##
    """
    return Scenario(
        processors=4, jobs=((0, 6, 6, 4), (1, 8, 8, 2), (2, 4, 4, 2), (3, 2, 2, 3), (4, 5, 5, 1), (5, 2, 2, 1))
    )


@scenario
def priority_running_mean() -> Scenario:
    """The mean wait counts every job that has started before the pass, overtakers too.

    All but jobs 6 and 7 (medium) are long. Job 7 overtakes at 12 and has not waited. At 23 the waits of
    jobs 1, 2, 7, 3, 4 are 0, 7, 0, 9, 14: 6 s in the mean. Job 5 has waited twice that, has risen to the
    level of short jobs and goes before job 6. Without job 7 the mean would be 7.5 s, and 6 would go
    first.

    priority(short_limit_s=0.0, medium_limit_s=1.0, aging_min_s=6.0)

        1 #########
        2   .......#####
        3      .........######
        4       ..............###
        5            ............######
        6             .................#
        7             #

    priority(short_limit_s=0.0, medium_limit_s=1.0, aging_min_s=6.0, aging="off")

        1 #########
        2   .......#####
        3      ..........######
        4       ...............###
        5            ..........######
        6             ..#
        7             #
    """
    return Scenario(
        processors=4,
        jobs=((0, 9, 10, 4), (2, 5, 10, 3), (5, 9, 6, 4), (6, 10, 3, 2), (11, 8, 6, 2), (12, 4, 1, 4), (12, 6, 1, 1)),
    )
