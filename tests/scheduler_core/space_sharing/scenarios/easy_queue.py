"""Hand-worked schedules of EASY backfilling: whom it protects."""

from tests.scheduler_core.scenario import Scenario, scenario


@scenario
def easy_reservations() -> Scenario:
    """Jobs 2, 3 and 4 wait in this order; 5 would delay the second of them, 6 the third.

    One reservation: 5 and 6 start on extra processors, and 3 waits until 10. Two: 5 may not, 6 may, and
    4 waits until 13. All: 4 is planned for 10, and no job overtakes it.

    easy

        1 ######
        2  .....####
        3  .........####
        4   ............###
        5    ########
        6     #########

    easy(reservations=2)

        1 ######
        2  .....####
        3  .....####
        4   ...........###
        5    .............########
        6     #########

    easy(reservations="all")

        1 ######
        2  .....####
        3  .....####
        4   ........###
        5    ..........########
        6     .........#########
    """
    return Scenario(
        processors=9, jobs=((0, 6, 6, 6), (1, 4, 4, 4), (1, 4, 4, 4), (2, 3, 3, 9), (3, 8, 8, 2), (4, 9, 9, 1))
    )


@scenario
def easy_order() -> Scenario:
    """The queue itself in the order of submission or shortest first: the reservation goes to another job.

    Shortest first: job 5 reserves 5 from its arrival, 4 takes the one extra processor at 3; at 4 the
    shorter job 6 takes over the head, starts at 5 and puts 5 off to 6.

    easy

        1 #####
        2  ....######
        3   .........###
        4    ........####
        5    ...........##
        6     #

    easy(order="shortest")

        1 #####
        2  ..........######
        3   ......###
        4    ####
        5    ...##
        6     .#
    """
    return Scenario(
        processors=4, jobs=((0, 5, 5, 3), (1, 6, 6, 4), (2, 3, 3, 2), (3, 4, 4, 1), (3, 2, 2, 3), (4, 1, 1, 1))
    )
