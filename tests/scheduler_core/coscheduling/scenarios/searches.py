"""Hand-worked schedules of LOMARC: the order of the queue, the pass, whom a search takes, and backfilling."""

from tests.oracles.job import Behaviour
from tests.scheduler_core.coscheduling.scenarios.pairs import CPU, NETWORK, POOR_DISK
from tests.scheduler_core.coscheduling.ways import Worked
from tests.scheduler_core.scenario import Scenario, asked, scenario

HOUR = 3600


@scenario
def aging() -> Scenario:
    """One processor. A long job waits since 0, a medium one since 60, a short one since 100; at 150 the first is done.

    By 100 s: at 150 the long job has level 1, the medium one 1, the short one 2; at 160 the long one 1, the medium one,
    after 100 s, 2. By 75 s: at 150 all have 2, and the order is that of submission. By 76 s: the long one has 1, and 2 at
    200. Off: by class. The mean wait is 0 at 150, so the least aging time counts; at 250 it is 75. Short up to 5 s: at
    150 the short job is a medium one with level 1, and the long one came first. Medium up to 10 s: the medium job is
    long, and at 160 both have level 1.
    """
    jobs = (asked(0, 150, 1), asked(0, 100, 1), asked(60, 50, 1), asked(100, 10, 1))
    limits = "short_limit_s=10, medium_limit_s=50"
    by_class = Worked(((0, 150), (210, 310), (160, 210), (150, 160)))
    by_submission = Worked(((0, 150), (150, 250), (250, 300), (300, 310)))
    fixed = 'match="none", aging="fixed"'
    return Scenario(
        processors=1,
        jobs=jobs,
        schedules={
            f"lomarc({fixed}, aging_fixed_s=100, {limits})": by_class,
            f"lomarc({fixed}, aging_fixed_s=75, {limits})": by_submission,
            f"lomarc({fixed}, aging_fixed_s=76, {limits})": Worked(((0, 150), (200, 300), (150, 200), (300, 310))),
            f'lomarc(match="none", aging="off", aging_fixed_s=75, {limits})': by_class,
            f'lomarc(match="none", {limits})': by_class,
            f'lomarc(match="none", aging_min_s=75, {limits})': by_submission,
            f"lomarc({fixed}, aging_fixed_s=100, short_limit_s=5, medium_limit_s=50)": Worked(
                ((0, 150), (150, 250), (250, 300), (300, 310))
            ),
            f"lomarc({fixed}, aging_fixed_s=100, short_limit_s=10, medium_limit_s=10)": Worked(
                ((0, 150), (160, 260), (260, 310), (150, 160))
            ),
        },
    )


@scenario
def main_pass() -> Scenario:
    """Ten processors, jobs A (6), B (4) and C (8), each of 4000 s, come at once. A and B: slowdown 0.6 + 0.4 + 0.3 = 1.3 (c = 2).

    18 are asked, 0.8 x 10 are a weak load, so A searches. C is too large. B has rho = 4/6: the gain is (4/6 + 1 - 1.3) /
    1.3 = 0.282051; both run for 5200 s, as their run times are equal. Response: R_0 = 2400, R_1 = 4000, R_2 = 7200;
    together 5200, delay 720, improvement 880; worse 0.3, better 1920 / 4000 + 880 / 7200. Four processors are free then,
    and C waits. Without matching A and B run beside each other.
    """
    jobs = (
        asked(0, 4000, 6, behaviour=CPU),
        asked(0, 4000, 4, behaviour=POOR_DISK),
        asked(0, 4000, 8, behaviour=NETWORK),
    )
    survivors, pairs = ((2, 2, 1, 1, 1, 1),), ((0, 1, 2, "waiting"),)
    times = ((0, 5200), (0, 5200), (5200, 9200))
    return Scenario(
        processors=10,
        jobs=jobs,
        schedules={
            "lomarc_u2": Worked(
                times,
                pairs=pairs,
                survivors=survivors,
                profits=(0.282051,),
                held={2: ((0, 5200, "0123", 1, 1, 1.3),)},
                counters={"passes": 3, "searches_waiting": 1, "pulled_up": 1, "pushed_down": 0, "weak_load_passes": 1},
            ),
            "lomarc_n": Worked(times, pairs=pairs, survivors=survivors, profits=(0.282051,)),
            "lomarc_r": Worked(times, pairs=pairs, survivors=survivors, profits=(0.302222,)),
            "lomarc_pss": Worked(((0, 4000), (0, 4000), (4000, 8000)), pairs=()),
        },
    )


@scenario
def response_of_figure_5() -> Scenario:
    """Ten processors, jobs A (6), X (8), B (4) and C (8), each of 4000 s, come at once.

    X is too large to pair with A; B pairs. As in ``main_pass``: slowdown 1.3, delay 720, improvement 880. R_0 = 2400, R_1 =
    5600, R_2 = 7200, R_3 = 10400. B is number 2 of 3: worse = 720 (1 / 2400 + 1 / 5600) = 0.428571, better = (7200 - 2080) /
    7200 + 880 / 10400 = 0.795726. Their difference, 0.367155, is divided by the two other jobs. As many jobs are pushed down
    as pulled up, so dividing by the difference of the two leaves it whole. As printed the improvement is 2400: better =
    0.941880, profit 0.513309 / 2.
    """
    jobs = (
        asked(0, 4000, 6, behaviour=CPU),
        asked(0, 4000, 8, behaviour=NETWORK),
        asked(0, 4000, 4, behaviour=POOR_DISK),
        asked(0, 4000, 8, behaviour=NETWORK),
    )
    times = ((0, 5200), (5200, 9200), (0, 5200), (9200, 13200))
    return Scenario(
        processors=10,
        jobs=jobs,
        schedules={
            "lomarc_r": Worked(times, profits=(0.183578,)),
            'lomarc_r(divisor="difference")': Worked(times, profits=(0.367155,)),
            'lomarc_r(improvement="as_printed")': Worked(times, profits=(0.256654,)),
        },
    )


@scenario
def weak_load() -> Scenario:
    """Ten processors. One job of eight is a weak load, 8 <= 0.8 x 10, and makes no search; one of nine makes one, in vain."""
    return Scenario(
        processors=10,
        jobs=(asked(0, 100, 8, behaviour=CPU), asked(200, 100, 9, behaviour=CPU)),
        schedules={
            "lomarc_u2": Worked(((0, 100), (200, 300)), counters={"weak_load_passes": 1, "searches_waiting": 1}),
            "lomarc_u2(weak_load=0.9)": Worked(((0, 100), (200, 300)), counters={"weak_load_passes": 2}),
            "lomarc_u2(weak_load=0)": Worked(((0, 100), (200, 300)), counters={"searches_waiting": 2}),
        },
    )


@scenario
def running_match() -> Scenario:
    """A (6 of 10) runs alone, 1000 s are left of it at 500; then B (5, 1000 s) comes, for which only four are free.

    The gain is (5/6 + 1 - 1.3) / 1.3 = 0.410256, so B joins; both end after 1300 s.
    """
    return Scenario(
        processors=10,
        jobs=(asked(0, 1500, 6, behaviour=CPU), asked(500, 1000, 5, behaviour=POOR_DISK)),
        schedules={
            "lomarc_u1": Worked(
                ((0, 1800), (500, 1800)),
                held={1: ((0, 500, "012345"), (500, 1800, "012345", 0, 1, 1.3)), 2: ((500, 1800, "01234", 1, 1, 1.3),)},
                pairs=((500, 2, 1, "running"),),
                survivors=((1, 1, 1, 1, 1, 1),),
                profits=(0.410256,),
                counters={"searches_running": 1},
            ),
            "lomarc_u1(match_running=False)": Worked(((0, 1500), (1500, 2500)), pairs=()),
            "lomarc_am": Worked(((0, 1500), (1500, 2500)), pairs=()),
        },
    )


@scenario
def who_is_taken() -> Scenario:
    """Job 1 has all eight processors for 1000 s; beside it everyone is slowed down by 1.25, so the gain is (rho - 0.25) / 1.25.

    ======= ==== ===== ==== ============= ========
    job     size time  gain overlap       response
    ======= ==== ===== ==== ============= ========
    2       2    1000  0    0             0.166667
    3       8    250   0.6  0.15          0.28395
    4       6    600   0.4  0.24          0.154662
    5       8    500   0.6  0.3           0.124154
    ======= ==== ===== ==== ============= ========

    Response, with R = 1000, 1250, 1500, 1950, 2450: job 3 delays by 62.5 and improves by 187.5: 62.5 (1/1000 + 1/1250)
    against (1500 - 312.5) / 1500 + 187.5 (1/1950 + 1/2450), of three others. Jobs 3 and 5 gain as much; 3 comes first.
    Job 2 is the first, but gains nothing. Of the first three job 4 overlaps most.
    """
    everyone = Behaviour("cpu", 1.0, 0.0, 0.0)
    sizes_and_times = ((8, 1000), (2, 1000), (8, 250), (6, 600), (8, 500))
    table = 'slowdown="table"'

    def taken(job: int, rank: int, profit: float = 0.0, looked_at: int = 4) -> Worked:
        return Worked(pairs=((0, 1, job, "waiting"),), ranks=(rank,), profits=(profit,), survivors=((looked_at,) * 6,))

    return Scenario(
        processors=8,
        jobs=tuple(asked(0, time, size, behaviour=everyone) for size, time in sizes_and_times),
        schedules={
            f"lomarc({table})": taken(3, 2, 0.28395),
            f'lomarc({table}, profit="utilisation_1")': taken(5, 4, 0.3),
            f'lomarc({table}, profit="utilisation_2")': taken(3, 2, 0.6),
            f'lomarc({table}, match="best_of_three", profit="utilisation_1")': taken(4, 3, 0.24, looked_at=3),
            f'lomarc({table}, match="above", profit="utilisation_1")': taken(4, 3, 0.24, looked_at=3),
            f'lomarc({table}, match="above", profit="utilisation_1", profit_above=0.25)': taken(5, 4, 0.3),
            f'lomarc({table}, match="above", profit="utilisation_1", profit_above=0)': taken(3, 2, 0.15, looked_at=2),
            f'lomarc({table}, match="first")': taken(2, 1, looked_at=1),
            f'lomarc({table}, match="first", first_needs_gain=True)': taken(3, 2, looked_at=2),
            f'lomarc({table}, match="adjacent")': taken(2, 1, looked_at=1),
            f'lomarc({table}, match="always")': taken(2, 1, looked_at=1),
        },
        slowdowns={(0, 0): 1.25},
    )


@scenario
def forecasts() -> Scenario:
    """The same, behind a short job that has the machine until 50; the others are submitted at 0, 1, 2, 3 and 10, in this order.

    Six jobs in 10 s: a = 2, and f = 2450 / 2; one in six is short, with 50 of work, as R counts it, and the mean of all
    is 2500 / 6. Job 5 saves 375 and delays by 125: 0.372463 in all without a forecast; with it, f (5/6 x 375 - 1/6 x 125)
    / (2500 / 6) = 857.5 more. By class: f (5/6 x 375 / 490 - 1/6 x 125 / 50) = 270.833333. Behind all others: f (5/6 x
    375 / (2450 + 2500 / 6) - 1/6 x 125 / (2500 / 6)) = 72.289244. All are parted by 3. Job 3 has less of everything. With
    less than a hundred jobs submitted none is made.
    """
    everyone = Behaviour("cpu", 1.0, 0.0, 0.0)
    asked_for = ((0, 50, 8), (0, 1000, 8), (1, 1000, 2), (2, 250, 8), (3, 600, 6), (10, 500, 8))
    call = 'lomarc(slowdown="table", future='

    def taken(job: int, rank: int, profit: float) -> Worked:
        return Worked(pairs=((50, 2, job, "waiting"),), ranks=(rank,), profits=(profit,))

    return Scenario(
        processors=8,
        jobs=tuple(asked(*job, behaviour=everyone) for job in asked_for),
        schedules={
            f'{call}"none")': taken(4, 2, 0.28395),
            f'{call}"average")': taken(6, 4, 285.957487),
            f'{call}"average", future_from="so_far")': taken(4, 2, 0.28395),
            f'{call}"classes")': taken(6, 4, 90.401932),
            f'{call}"cumulative")': taken(6, 4, 24.220569),
        },
        slowdowns={(0, 0): 1.25},
    )


@scenario
def backlog_of_the_forecast() -> Scenario:
    """Seven of ten processors are taken until 1000 s. Job 2 comes at 10 s, needs all ten and has its reservation.

    At 20 s jobs 3 and 4 come (three processors, 300 s each) and pair in backfilling, slowed down by 1.25: delay 22.5,
    improvement 67.5, R_1 = 180. Without a forecast the profit is (180 - 112.5) / 180 - 22.5 / 90 = 0.125. Four jobs in 20 s:
    a = 20 / 3; their mean work is 4700, and none is short. The work of jobs 3 and 4 is a backlog of 180, so that f = 27; with
    job 2, which waits ahead of them, it is 1180, and f = 177. Each adds f 67.5 / 470.
    """
    full, small = {"behaviour": CPU, "memory": 100}, {"behaviour": Behaviour("cpu", 1.0, 0.0, 0.0), "memory": 10}
    jobs = (asked(0, 1000, 7, **full), asked(10, 1000, 10, **full), *[asked(20, 300, 3, **small)] * 2)
    times = ((0, 1000), (1000, 2000), (20, 395), (20, 395))

    def paired(profit: float) -> Worked:
        return Worked(times, pairs=((20, 3, 4, "waiting"),), profits=(profit,))

    return Scenario(
        processors=10,
        jobs=jobs,
        schedules={
            'lomarc(slowdown="table", future="none")': paired(0.125),
            'lomarc(slowdown="table")': paired(4.00266),
            'lomarc(slowdown="table", backlog="all")': paired(25.545213),
        },
        memory=100,
        slowdowns={(0, 0): 1.25},
    )


@scenario
def backlog_beside_a_running_job() -> Scenario:
    """As in ``running_match`` B joins A, of which 1000 s are left: delay 180, improvement 320, R_0 = 600, R_1 = 1100.

    Two jobs in 500 s: a = 500; their mean work is 7000. The profit without a forecast is 450 / 1100 - 180 / 600 = 0.109091.
    What is left of A and B is a backlog of 1100; B alone waits, a backlog of 500. Each adds 320 / 700 for every 500.
    """
    times, pairs = ((0, 1800), (500, 1800)), ((500, 2, 1, "running"),)
    return Scenario(
        processors=10,
        jobs=(asked(0, 1500, 6, behaviour=CPU), asked(500, 1000, 5, behaviour=POOR_DISK)),
        schedules={
            "lomarc_r": Worked(times, pairs=pairs, profits=(1.114805,)),
            'lomarc_r(backlog="all")': Worked(times, pairs=pairs, profits=(0.566234,)),
        },
    )


@scenario
def reservation() -> Scenario:
    """Seven of ten processors are taken until 1000, when job 2, which needs all, has its reservation; beside
    these two no memory is left.

    Job 3 (three processors, 600 s) may run before that. Beside it anyone is slowed down by 1.5. With job 4 (1000 s) the
    pair would end at 900 + 400, too late; with job 5 (600 s) at 900. So the first who passes is replaced by the next; or
    dropped, and job 3 runs alone, which job 5 cannot before 1000. (A search among the running lets job 5 join it then.)
    """
    full, small = {"behaviour": CPU, "memory": 100}, {"behaviour": Behaviour("cpu", 1.0, 0.0, 0.0), "memory": 10}
    jobs = (
        *(asked(0, 1000, 7, **full), asked(0, 1000, 10, **full)),
        *(asked(0, 600, 3, **small), asked(0, 1000, 3, **small), asked(0, 600, 3, **small)),
    )
    call = 'lomarc(match="first", slowdown="table"'
    alone = ((0, 1000), (1000, 2000), (0, 600), (2000, 3000), (2000, 2600))
    paired = ((0, 1000), (1000, 2000), (0, 900), (2000, 3000), (0, 900))
    return Scenario(
        processors=10,
        jobs=jobs,
        schedules={
            f"{call}, match_running=False)": Worked(
                paired, pairs=((0, 3, 5, "waiting"),), ranks=(2,), survivors=((2,) * 6,), counters={"backfilled": 2}
            ),
            f'{call}, match_running=False, forbidden_partner="dropped")': Worked(alone, pairs=()),
            f"{call}, match_running=False, match_backfilling=False)": Worked(alone, pairs=()),
            f'{call}, forbidden_partner="dropped")': Worked(paired, pairs=((0, 5, 3, "running"),)),
        },
        memory=100,
        slowdowns={(0, 0): 1.5},
    )


@scenario
def pair_that_outlives_the_shadow() -> Scenario:
    """Six of ten processors are taken until 1000, when job 2 (8) has its reservation: two are extra.

    Job 3 (2, 600 s) and its partner, job 4 (2, 1000 s), end at 900 and 1300, slowed down by 1.5: this is allowed, as they
    use the two that are extra. So job 5 (2, 2000 s) may not, and job 2 starts at 1000. As printed job 3 alone counts,
    which ends in time; job 5 starts on two more, and job 2 must wait until 1300.
    """
    full, small = {"behaviour": CPU, "memory": 100}, {"behaviour": Behaviour("cpu", 1.0, 0.0, 0.0), "memory": 10}
    jobs = (
        *(asked(0, 1000, 6, **full), asked(0, 1000, 8, **full)),
        *(asked(0, 600, 2, **small), asked(0, 1000, 2, **small), asked(0, 2000, 2, **full)),
    )
    call = 'lomarc(match="first", slowdown="table"'
    return Scenario(
        processors=10,
        jobs=jobs,
        schedules={
            f"{call})": Worked(((0, 1000), (1000, 2000), (0, 900), (0, 1300), (1300, 3300))),
            f'{call}, beyond_shadow="as_printed")': Worked(((0, 1000), (1300, 2300), (0, 900), (0, 1300), (0, 2000))),
        },
        memory=100,
        slowdowns={(0, 0): 1.5},
    )
