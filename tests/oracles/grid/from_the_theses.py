"""A grid under SCOJO-PECT with booked workflows, as the theses say it: written without the specification and the engine.

The reader who wrote the program behind this one had Cao 2009, Kanavallil 2007 and a summary of how an earlier reader of Cao
had chosen, and nothing of this project. Another, who knew both, aligned it and left what the comparison with the engine uses:
clusters of equal speed under ``pect``; ``frame_rule`` ``literal`` (formula 5) or ``spare_time`` (the sentence below it);
reservations recalculated, or slots kept.

The reader and the specification agree, without alignment, on this: FCFS in order of submission or booking, planned anew at each
event; conservative plans in class time; shares of what the short slice and the switches leave; intervals at multiples of their
length; predictions by the worst case, with a short slice in each later interval; processors kept for life, lowest first; other
classes' jobs in two rounds, preempted ones first, none of which delays a planned job; ST for each candidate, one booking after
the loop over clusters, on the first one of equals; no start before EST nor before the data are there; propagation to the arrival
of the data, once all predecessors have finished.

The theses leave the following open, and the reader had chosen otherwise. The choice of the specification was put in its place:

1. The switch comes before each slice, not after it ("three times in 60 minutes").
2. The short slice is as long as short jobs need by the plan, at least a second, and does not end earlier ("dynamic, but less
   than 600 seconds"). A task calls for one if its bound lies in the interval, and not only once it may start.
3. An interval at whose begin no job is there is laid out when one comes, so after the bookings of that instant.
4. A job is killed at its estimate (in the theses run times are known).
5. In an instant clusters act on what they know; then tasks are freed and workflows booked; then the clusters concerned act again.
6. Until all its predecessors have finished a task waits for the time that was booked; past that it has no place in the plan.
   (The reader took the finish of each predecessor as it came, and planned on for those that were late.)
7. The plan is made anew once in an instant, before an interval is laid out, and then holds until the next one, for bookings and
   for jobs that start in another class's slice ("at each point of time"). The end of a slice is such an instant, and so is the
   time at which a waiting job is planned.
8. A job that runs in another class's slice counts in its own plan for what was left of it when it began there; a waiting job
   may begin there if it fits its own plan with all others in place. (The reader credited it with the time until the slice
   ends, and made the plan again.)
9. Tasks may run in short slices ("grid tasks ... only occupy long and mediums slices", section 5.1).
10. Preempted jobs are tried in order of their start, not of their submission.
11. Times are rounded to the nearest microsecond, not down; ranks are means over the clusters that fit a task, not over all.
12. Kept slots are another rule: the reader kept [scheduled start, latest finish) of the clock free, and let a task leave its
    slot only to start at once. Here a slot is as long as the estimate, in class time; it moves on with the clock until the
    latest finish, and up to wherever there is room. As to this rule, the program follows the specification.
"""

from collections.abc import Sequence
from fractions import Fraction

from scheduler_core.declarations.policy import Policy
from tests.oracles.grid.theses_cluster import Cluster
from tests.oracles.grid.theses_plan import Constants, Frame, Job, nearest
from tests.oracles.grid.workload import Grid, Workflow


def ranks(tasks: Sequence[Job], clusters: Sequence[Cluster]) -> dict[Job, Fraction]:
    """Return the ranks, formulas (1) to (3), of tasks of which each stands behind those it waits for."""
    fitting = {task: [cluster.number for cluster in clusters if task.size <= cluster.processors] for task in tasks}
    found: dict[Job, Fraction] = {}
    for task in reversed(tasks):
        behind = [Fraction(0)]
        for other, transfers in task.after:
            times = [transfers[a, b] for a in fitting[task] for b in fitting[other]]
            behind.append(Fraction(sum(times), len(times)) + found[other])
        found[task] = task.estimate + max(behind)
    return found


class GridOfTheses:
    """Clusters, and the grid scheduler above them."""

    def __init__(self, policy: Policy, grid: Grid) -> None:
        self.constants = Constants.of(policy)
        self.frame_rule, self.propagation = policy.frame_rule, policy.propagation
        keeps = policy.reservations == "kept"
        self.clusters = [
            Cluster(number, site.processors, self.constants, keeps, policy.smart)
            for number, site in enumerate(grid.sites)
        ]
        self.now = -1
        self.jobs: dict[int, Job] = {}
        self.arrivals: list[Job] = []
        for cluster, local in zip(self.clusters, grid.local, strict=True):
            for asked in local:
                job = self.jobs[asked.job] = Job(asked, (asked.submit, 0, asked.job), self.constants)
                job.cluster = cluster
                self.arrivals.append(job)
        coming = sorted(grid.workflows, key=lambda flow: (flow.tasks[0].submit, flow.number))
        self.bookings = [(flow.tasks[0].submit, self.tasks_of(flow)) for flow in coming]

    def tasks_of(self, flow: Workflow) -> list[Job]:
        """Return the tasks of a workflow, joined by its edges."""
        tasks = [Job(asked, (), self.constants, task=True) for asked in flow.tasks]
        pairs = [(a.number, b.number) for a in self.clusters for b in self.clusters]
        for edge in flow.edges:
            transfers = {pair: flow.transfer(edge, pair) for pair in pairs}
            source, target = (tasks[number - 1] for number in edge)
            source.after.append((target, transfers))
            target.before.append((source, transfers))
        self.jobs |= {asked.job: task for asked, task in zip(flow.tasks, tasks, strict=True)}
        return tasks

    def run(self) -> dict[int, Job]:
        """Run until all jobs have finished; return them by number."""
        while any(job.end is None for job in self.jobs.values()):
            times = [*(job.order[0] for job in self.arrivals), *(time for time, _ in self.bookings)]
            times += [time for cluster in self.clusters for time in cluster.wakes()]
            self.instant(min(time for time in times if time > self.now))
        return self.jobs

    def instant(self, now: int) -> None:
        """Let clusters do what is due; free and book tasks; let the clusters concerned act again."""
        due = {cluster for cluster in self.clusters if now in cluster.wakes()}
        coming = [job for job in self.arrivals if job.order[0] == now]
        self.arrivals = [job for job in self.arrivals if job.order[0] > now]
        finished: list[Job] = []
        for cluster in self.clusters:
            cluster.advance(now)
            mine = [job for job in coming if job.cluster is cluster]
            if mine or cluster in due:
                finished += cluster.act(sorted(mine, key=lambda job: job.order))
        self.now = now
        given = [task for job in finished for task, _ in job.after if self.free(task)]
        while self.bookings and self.bookings[0][0] == now:
            _, tasks = self.bookings.pop(0)
            self.book(tasks)
            given += tasks
        for cluster in self.clusters:
            if any(task.cluster is cluster for task in given):
                cluster.act()

    def book(self, tasks: Sequence[Job]) -> None:
        """Book the tasks of a workflow (Algorithm 1)."""
        rank = ranks(tasks, self.clusters)
        for task in sorted(tasks, key=lambda task: -rank[task]):
            offers = [(self.offer(task, one), one) for one in self.clusters if task.size <= one.processors]
            task.frame, task.cluster = min(offers, key=lambda offer: offer[0].LFT)
            booked = sum(one.cluster is not None for one in self.jobs.values() if one.task)
            task.EST, task.order = task.frame.EST, (self.now, 1, booked)
            task.ready = None if task.before else self.now
            task.cluster.join(task)

    def offer(self, task: Job, cluster: Cluster) -> Frame:
        """Return what would be booked on a cluster: formulas (4) to (6)."""
        now, slack, ahead = self.now, nearest(task.estimate * self.constants.slpa), self.constants.ahead[task.kind]
        arrivals = [one.frame.LFT + transfers[one.cluster.number, cluster.number] for one, transfers in task.before]
        data = max([now, *arrivals])
        if self.frame_rule == "literal":
            EST, ST = max(now, data - slack - nearest(ahead * (data - now))), data
        else:
            EST, ST = data, now + nearest((data - now + slack) / (1 - ahead))
        SST, PRT = cluster.predict(task, ST)
        return Frame(EST, ST, SST, PRT, PRT + nearest(task.estimate * self.constants.slpb), data)

    def free(self, task: Job) -> bool:
        """Free a task whose predecessors have all finished; return whether they have (Algorithm 2)."""
        if task.ready is not None or any(one.end is None for one, _ in task.before):
            return False
        task.ready = max(one.end + times[one.cluster.number, task.cluster.number] for one, times in task.before)
        if self.propagation:
            task.EST = task.ready
        if task.place is None:
            task.place = task.cluster.fit(task, task.bound)
        return True


def simulate(policy: Policy, grid: Grid) -> dict[int, Job]:
    """Run a grid; return what became of its jobs, by number."""
    return GridOfTheses(policy, grid).run()
