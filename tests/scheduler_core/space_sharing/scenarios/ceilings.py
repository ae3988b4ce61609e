"""Hand-worked schedules of ceilings for each user."""

from tests.scheduler_core.scenario import Scenario, asked, scenario


@scenario
def users_have_ceilings() -> Scenario:
    """Jobs 1 and 2 are of one user, job 3 is of another. All fit, so that only a ceiling makes job 2 wait.

    One running job: job 2 waits for the end of job 1, and job 3 passes it. Four processor seconds: job 2 asks for three of them,
    and job 1 has one left at 3, an instant at which nothing else happens.

    fcfs
    list(order="fcfs")
    easy
    conservative
    priority

        1 ####
        2  ###
        3   ##

    fcfs(user_jobs=1)
    list(order="fcfs", user_jobs=1)
    easy(user_jobs=1)
    conservative(user_jobs=1)
    priority(user_jobs=1)

        1 ####
        2  ...###
        3   ##

    fcfs(user_processor_h=0.0011111111111)
    list(order="fcfs", user_processor_h=0.0011111111111)
    easy(user_processor_h=0.0011111111111)
    conservative(user_processor_h=0.0011111111111)
    priority(user_processor_h=0.0011111111111)

        1 ####
        2  ..###
        3   ##
    """
    return Scenario(processors=4, jobs=(asked(0, 4, 1, user=1), asked(1, 3, 1, user=1), asked(2, 2, 2, user=2)))


@scenario
def a_held_job_holds_no_reservation() -> Scenario:
    """Job 2 is the head and needs both processors. Without a ceiling job 3 would delay it.

    Held until job 1 of the same user ends, it has no reservation when job 3 comes; then it waits for job 3.

    easy
    easy(reservations=2)
    conservative

        1 ######
        2  .....##
        3   ......########

    easy(user_jobs=1)
    easy(reservations=2, user_jobs=1)
    conservative(user_jobs=1)

        1 ######
        2  .........##
        3   ########
    """
    return Scenario(processors=2, jobs=(asked(0, 6, 1, user=1), asked(1, 2, 2, user=1), asked(2, 8, 1, user=2)))


@scenario
def a_reservation_is_given_up_at_the_ceiling() -> Scenario:
    """Jobs 2 and 3, of one user, both have a reservation at 4. Job 2 starts then, so job 3 gives its own up to job 4.

    The pass at 4 is made once more: job 4, which had been planned for 7, starts at once.

    conservative

        1 ####
        2  ...###
        3   ..###
        4    ....##

    conservative(user_jobs=1)

        1 ####
        2  ...###
        3   .....###
        4    .##
    """
    jobs = (asked(0, 4, 4, user=2), asked(1, 3, 2, user=1), asked(2, 3, 2, user=1), asked(3, 2, 2, user=2))
    return Scenario(processors=4, jobs=jobs)


@scenario
def a_wide_job_of_an_idle_user_exceeds_its_ceiling_alone() -> Scenario:
    """Job 1 asks for eight processor seconds, twice the ceiling. It starts, as its user runs no other job.

    Job 2 asks for all four that the ceiling allows, so it waits until job 1 has none left.

    easy(user_processor_h=0.0011111111111)

        1 ##
        2 ..##
    """
    return Scenario(processors=8, jobs=(asked(0, 2, 4, user=1), asked(0, 2, 2, user=1)))
