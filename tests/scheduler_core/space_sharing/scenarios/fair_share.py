"""Hand-worked schedules of fair share."""

from tests.scheduler_core.scenario import Scenario, asked, scenario


@scenario
def a_user_without_usage_goes_first() -> Scenario:
    """At 4, when job 1 ends, all usage is of user 1: its job 2 counts as submitted later by the whole weight.

    With a weight of a second job 2 counts as submitted at 2, as job 3 is, and its position comes first. With a weight of two
    seconds it counts as submitted at 3. Conservative backfilling has planned job 2 before job 3 was submitted.

    easy
    easy(order="fair_share", usage_weight_h=0.000277777777)
    easy(backfill_order="fair_share")
    list(order="fair_share", usage_weight_h=0.000277777777)
    conservative(order="fair_share")

        1 ####
        2  ...###
        3   .....###

    easy(order="fair_share", usage_weight_h=0.000555555555)
    easy(order="fair_share")
    list(order="fair_share", usage_weight_h=0.000555555555)

        1 ####
        2  ......###
        3   ..###
    """
    return Scenario(processors=2, jobs=(asked(0, 4, 2, user=1), asked(1, 3, 2, user=1), asked(2, 3, 2, user=2)))


@scenario
def usage_fades_from_window_to_window() -> Scenario:
    """At 7, user 1 has used four seconds of the processor and user 2, later, three: the next job is that of user 2.

    Windows of four seconds halve the usage of user 1, which lies in the window before: to two seconds. Then its job is next, as
    it is without a weight. Job 2 ends before its estimate, so that conservative backfilling plans anew.

    easy(order="fair_share")
    easy(order="fair_share", reservations=2)
    list(order="fair_share")
    list(order="fair_share", when_blocked="skip")
    conservative(order="fair_share")

        1 ####
        2  ...###
        3      ....##
        4       .##

    easy(order="fair_share", half_life_h=0.0011111111111)
    easy(order="fair_share", half_life_h=0.0011111111111, reservations=2)
    list(order="fair_share", half_life_h=0.0011111111111)
    conservative(order="fair_share", half_life_h=0.0011111111111)
    easy(order="fair_share", usage_weight_h=0)
    list(order="fair_share", usage_weight_h=0)
    conservative(order="fair_share", usage_weight_h=0)

        1 ####
        2  ...###
        3      ..##
        4       ...##
    """
    jobs = (asked(0, 4, 1, user=1), asked(1, 3, 1, estimate=6, user=2), asked(5, 2, 1, user=1), asked(6, 2, 1, user=2))
    return Scenario(processors=1, jobs=jobs)


@scenario
def a_running_job_counts_with_what_it_has_used_so_far() -> Scenario:
    """At 4, user 1 has used eight processor seconds. Job 2 of user 2 has used three, though it asks for twenty: job 4 goes first.

    easy(order="fair_share")
    list(order="fair_share")

        1 ####
        2  ####################
        3   .....###
        4    .###
    """
    jobs = (asked(0, 4, 2, user=1), asked(1, 20, 1, user=2), asked(2, 3, 2, user=1), asked(3, 3, 2, user=2))
    return Scenario(processors=3, jobs=jobs)
