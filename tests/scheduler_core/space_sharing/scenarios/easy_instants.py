"""Hand-worked schedules of EASY backfilling: when passes are made."""

from tests.scheduler_core.scenario import Scenario, scenario


@scenario
def easy_instant() -> Scenario:
    """At 4 jobs 1 and 2 end and job 7 comes: who starts depends on when passes are made between these events.

    Batch: job 4 starts, 5 reserves 7 with nothing extra. Completions first: when only 1 has left, 4 does
    not fit, its shadow time is 4 with 2 extra processors, and 6 starts on them. Submissions first: 7
    starts on the one idle processor as extra; then 4 does.

    With the processors of jobs expected to end now counted as free, 4 starts in the first pass at 4
    whatever comes first: the schedule is that of the batch.

    easy
    easy(instant="completions_first", ending_now="free")
    easy(instant="submissions_first", ending_now="free")

        1 ####
        2 ####
        3 ##########
        4  ...###
        5   .....#####
        6    .........########
        7     ......#########

    easy(instant="completions_first")

        1 ####
        2 ####
        3 ##########
        4  ...###
        5   ..........#####
        6    .########
        7     ...#########

    easy(instant="submissions_first")

        1 ####
        2 ####
        3 ##########
        4  ...###
        5   ........#####
        6    ............########
        7     #########
    """
    return Scenario(
        processors=6,
        jobs=((0, 4, 4, 1), (0, 4, 4, 3), (0, 10, 10, 1), (1, 3, 3, 3), (2, 5, 5, 5), (3, 8, 8, 2), (4, 9, 9, 1)),
    )


@scenario
def easy_ending_now() -> Scenario:
    """Job 1 is expected to end at 4 and does; submissions come first: job 5 finds job 3 waiting or started.

    Occupied: when 5 comes, 3 still waits with shadow time 4 and one extra processor, which 5 takes.
    Free: 3 has started when 4 came, 4 reserves 7 with nothing extra, and 5 starts when job 2 ends early
    at 5, on the processor that leaves one extra. Job 2's end was not expected, so its processor is not
    free before.

    easy(instant="submissions_first")

        1 ####
        2 #####
        3  ...###
        4     ...##
        5     ######
        6      ....###

    easy(instant="submissions_first", ending_now="free")

        1 ####
        2 #####
        3  ...###
        4     ...##
        5     .######
        6      ....###
    """
    return Scenario(
        processors=5, jobs=((0, 4, 4, 2), (0, 5, 8, 1), (1, 3, 3, 3), (4, 2, 2, 4), (4, 6, 6, 1), (5, 3, 3, 1))
    )


@scenario
def easy_tied_completions() -> Scenario:
    """Jobs 2 and 3 end at 6; 2 was submitted before 3, and 3 started before 2.

    By position, 2 leaves first: on the three processors it gives back 4 starts, 5 reserves 6 with nothing extra, and starts
    when 3 has left. As they started, 3 leaves first: 4 does not fit on one processor, reserves 6 with two extra ones, and 6
    starts on one of them. In a batch both leave before the pass, in whatever order.

    easy(instant="completions_first")
    easy
    easy(tied_completions="start")

        1 ##
        2  .####
        3  #####
        4    ...###
        5     ..####
        6      ....######

    easy(instant="completions_first", tied_completions="start")

        1 ##
        2  .####
        3  #####
        4    ...###
        5     .....####
        6      .######
    """
    return Scenario(
        processors=4, jobs=((0, 2, 2, 3), (1, 4, 4, 3), (1, 5, 5, 1), (3, 3, 3, 2), (4, 4, 4, 2), (5, 6, 6, 1))
    )
