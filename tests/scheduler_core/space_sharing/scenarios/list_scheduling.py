"""Hand-worked schedules of FCFS and list scheduling."""

from tests.scheduler_core.scenario import Scenario, scenario


@scenario
def first_come_first_served() -> Scenario:
    """FCFS leaves holes that EASY fills; too large a job is rejected, an overrunning one is killed.

    Job 3 waits for job 2. Under FCFS job 4 waits behind it; under EASY it ends by the shadow time 6 and
    starts at 4. Job 5 is killed after 3 s, job 7 ends early.

    fcfs

        1 ####
        2 ######
        3  .....###
        4  .....##
        5   .......###
        6    x
        7    ......##
        8             #

    easy

        1 ####
        2 ######
        3  .....###
        4  ...##
        5   .......###
        6    x
        7    ......##
        8             #
    """
    return Scenario(
        processors=4,
        jobs=(
            (0, 4, 4, 2),
            (0, 6, 6, 2),
            (1, 3, 3, 3),
            (1, 2, 2, 1),
            (2, 5, 3, 2),
            (3, 1, 1, 5),
            (3, 2, 4, 2),
            (12, 1, 1, 4),
        ),
    )


@scenario
def list_orders() -> Scenario:
    """Job 1 fills the machine until 4; then the queue starts in each order, no job overtaking.

    Areas of jobs 2 to 6 are 6, 3, 2, 4, 8; their slowdowns at 4 are 2, 4, 2, 2, 5/4, at 5 (without 3)
    7/3, 5/2, 5/2, 6/4.

    list(order="fcfs")

        1 ####
        2  ...###
        3  ......#
        4   .....##
        5   ......##
        6    ......####

    list(order="shortest")

        1 ####
        2  .....###
        3  ...#
        4   ..##
        5   ...##
        6    ....####

    list(order="longest")

        1 ####
        2  ...###
        3  .........#
        4   .....##
        5   ......##
        6    .####

    list(order="smallest")

        1 ####
        2  ...###
        3  ..........#
        4   ..##
        5   ....##
        6    ....####

    list(order="largest")

        1 ####
        2  ....###
        3  ...#
        4   ......##
        5   ...##
        6    ....####

    list(order="largest_area")

        1 ####
        2  ...###
        3  ........#
        4   .......##
        5   .....##
        6    .####

    list(order="largest_slowdown")

        1 ####
        2  ......###
        3  ...#
        4   ...##
        5   ...##
        6    ....####
    """
    return Scenario(
        processors=4, jobs=((0, 4, 4, 4), (1, 3, 3, 2), (1, 1, 1, 3), (2, 2, 2, 1), (2, 2, 2, 2), (3, 4, 4, 2))
    )


@scenario
def list_blocked_head() -> Scenario:
    """The shortest job, 3, is wide: with ``wait`` it holds up narrower ones, with ``skip`` they pass it.

    Job 2 ends early at 3; with ``skip`` job 7 takes at 6 what job 1 leaves, before the wide jobs 6 and
    3.

    list(when_blocked="wait")

        1 ######
        2 ###
        3  ......##
        4  ......###
        5   ........####
        6    ...#
        7       ...###

    list(when_blocked="skip")

        1 ######
        2 ###
        3  .........##
        4  ###
        5   ..####
        6    ......#
        7       ###
    """
    return Scenario(
        processors=4,
        jobs=((0, 6, 6, 2), (0, 3, 5, 1), (1, 2, 2, 3), (1, 3, 3, 1), (2, 4, 4, 2), (3, 1, 1, 4), (6, 3, 3, 2)),
    )
