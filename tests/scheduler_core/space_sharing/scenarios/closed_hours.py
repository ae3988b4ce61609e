"""Hand-worked schedules of closed hours."""

from tests.scheduler_core.scenario import Scenario, asked, scenario


@scenario
def a_queue_is_closed() -> Scenario:
    """Queue 1 is closed from 1 to 6. All jobs fit, so that only this makes job 2 wait.

    Job 2 is submitted as the queue closes and starts as it opens, when nothing else happens. Job 4 is submitted as it opens.

    fcfs
    list(order="fcfs")
    easy
    conservative
    priority

        1 ##########
        2  .....##
        3   ##
        4       ###
    """
    jobs = (asked(0, 10, 1, queue=1), asked(1, 2, 1, queue=1), asked(2, 2, 1, queue=2), asked(6, 3, 1, queue=1))
    return Scenario(processors=4, jobs=jobs, closed=((1, 0, 1, 6),))


@scenario
def a_reservation_is_given_up_as_the_queue_closes() -> Scenario:
    """Job 2 is the head, needs both processors and has a reservation at 6; job 3 would delay it.

    As the queue of job 2 closes at 4, job 3 starts: at an instant at which nothing else happens. Job 2 waits for its queue to
    open at 10, and then for job 3.

    easy
    easy(reservations=2)
    conservative

        1 ######
        2  ...........##
        3   ..########

    fcfs
    list(order="fcfs")

        1 ######
        2  ...........##
        3   ..########
    """
    jobs = (asked(0, 6, 1, queue=2), asked(1, 2, 2, queue=1), asked(2, 8, 1, queue=2))
    return Scenario(processors=2, jobs=jobs, closed=((1, 0, 4, 10),))


@scenario
def hours_are_closed_to_long_jobs_and_then_to_all() -> Scenario:
    """From 1 to 6 no job over 2 seconds starts, and from 5 to 8 none at all. All jobs fit, so that only this makes jobs wait.

    Job 2 asks for 3 seconds and waits through both periods, as does job 4, which runs for 1. Job 3 asks for 2 and starts at once.
    Job 5 asks for 2, too, and is submitted as all hours close.

    fcfs
    list(order="fcfs")
    easy
    conservative
    priority

        1 ##########
        2  .......###
        3   ##
        4    .....#
        5      ...##
    """
    jobs = (
        asked(0, 10, 1, queue=1),
        asked(1, 3, 1, queue=1),
        asked(2, 2, 1, queue=2),
        asked(3, 1, 1, estimate=3),
        asked(5, 2, 1),
    )
    return Scenario(processors=8, jobs=jobs, closed=((-1, 0, 5, 8), (-1, 2, 1, 6)))
