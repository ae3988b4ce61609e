"""Hand-worked schedules of processors out of use."""

from tests.scheduler_core.scenario import Scenario, scenario


@scenario
def half_of_the_machine_is_out_of_use() -> Scenario:
    """Two of four processors are out of use from 2 to 8. Jobs 1 and 2 hold all four and go on.

    Job 3 starts on the two that can be used. Job 5 starts as the others come back, when nothing else happens. Job 6 comes
    after that and may be wider.

    fcfs
    list(order="fcfs")
    easy
    easy(reservations=2)
    conservative
    priority

        1 ####
        2 ####
        3  ...##
        4  .....###
        5  .......##
        6          .#
    """
    jobs = ((0, 4, 4, 2), (0, 4, 4, 2), (1, 2, 2, 2), (1, 3, 3, 1), (1, 2, 2, 2), (9, 1, 1, 3))
    return Scenario(processors=4, jobs=jobs, out_of_use=((2, 8, 2),))
