"""Hand-worked schedules of the grid: frames, what slack and propagation do, ties, other ways in which tasks come."""

from tests.oracles.grid.workload import Site
from tests.scheduler_core.grid.ways import GridScenario, Worked
from tests.scheduler_core.scenario import asked, scenario


@scenario
def first_task_is_done_before_its_estimate() -> GridScenario:
    """Two clusters of four processors; task 2 (5 s) waits for task 1 (6 s by its estimate, 4 s in truth).

    Data take 2 s between clusters, so both tasks go to cluster 0; all is short, so that nothing is expected of lending. Task 1
    is over at 4 instead of 6. With slack the frame of task 2 has begun by then: its ST is 6, its EST 6 - 5. Without slack its
    EST is 6, and it waits until then unless propagation pulls it. With spare_time EST is 12, and the start given to the
    prediction 5 s behind it; the first task may start at 0 and is predicted to start at 6, its own slack behind it.
    """
    tight = Worked(((0, 0, 4), (0, 4, 9)), {2: (1, 6, 6, 11, 11)}, {2: ((0, 6, 11, "booked"), (4, 4, 9, "freed"))})
    waits = Worked(((0, 0, 4), (0, 6, 11)), {2: (6, 6, 6, 11, 11)}, {2: ((0, 6, 11, "booked"),)})
    return GridScenario(
        processors=8,
        jobs=(asked(0, 4, 4, estimate=6), asked(0, 5, 4)),
        schedules={
            'grid(local="conservative")': tight,
            'grid(local="easy")': tight,
            'grid(local="conservative", slpa=0)': waits,
            'grid(local="easy", slpa=0)': waits,
            'grid(local="conservative", frame_rule="rigid")': waits,
            'grid(local="conservative", slpa=0, propagation=True)': Worked(((0, 0, 4), (0, 4, 9))),
            'grid(local="conservative", slpb=1)': Worked(((0, 0, 4), (0, 7, 12)), {2: (7, 12, 12, 17, 22)}),
            'grid(local="conservative", frame_rule="spare_time")': Worked(
                ((0, 0, 4), (0, 12, 17)), {1: (0, 6, 6, 12, 12), 2: (12, 17, 17, 22, 22)}
            ),
            'grid(local="conservative", frame_rule="spare_time", propagation=True)': Worked(((0, 0, 4), (0, 4, 9))),
            'grid(local="conservative", tasks="when_ready")': Worked(((0, 0, 4), (0, 4, 9))),
            'grid(local="conservative", tasks="just_in_time")': Worked(((0, 0, 4), (0, 4, 9))),
            'grid(local="conservative", tasks="independent")': Worked(((0, 0, 4), (1, 0, 5))),
        },
        sites=(Site(4), Site(4)),
        workflows=(((1, 2), {(1, 2): 2}),),
    )


@scenario
def equally_good_clusters() -> GridScenario:
    """Cluster 1 is twice as fast and works for a local job until 10; both offer to have the second task done by 13.

    The first task (1 to 7 on cluster 0, 10 to 13 on cluster 1) goes to cluster 0; the second could run there from 7 to 13,
    or on cluster 1 from 10 to 13. Cluster 0 is asked first, but has a task on it that is not done.
    """
    return GridScenario(
        processors=8,
        jobs=(asked(0, 20, 4), asked(1, 6, 4), asked(2, 6, 4)),
        schedules={
            'grid(local="conservative")': Worked(((1, 0, 10), (0, 1, 7), (0, 7, 13))),
            'grid(local="conservative", ties="least_loaded")': Worked(((1, 0, 10), (0, 1, 7), (1, 10, 13))),
        },
        sites=(Site(4), Site(4, speed=2)),
        homes={1: 1},
        workflows=(((2,), {}), ((3,), {})),
    )


@scenario
def means_of_transfers() -> GridScenario:
    """A chain of two tasks on cluster 0, where a local job runs until 4; cluster 1 is half as fast.

    The first task runs from 4 to 10. Data take 8 s between the clusters and none within one, which is 4 s in the mean: if that
    is all that is known, the second is expected to have them at 14 on either cluster.
    """
    return GridScenario(
        processors=8,
        jobs=(asked(0, 4, 4), asked(0, 6, 4), asked(0, 5, 4)),
        schedules={
            'grid(local="conservative")': Worked(
                ((0, 0, 4), (0, 4, 10), (0, 10, 15)), {3: (5, 10, 10, 15, 15)}, counters={"predictions": 4}
            ),
            'grid(local="conservative", transfers_known="mean", slpa=0)': Worked(
                ((0, 0, 4), (0, 4, 10), (0, 14, 19)), {3: (14, 14, 14, 19, 19)}
            ),
        },
        sites=(Site(4), Site(4, speed=0.5)),
        homes={1: 0},
        workflows=(((2, 3), {(1, 2): 8}),),
    )
