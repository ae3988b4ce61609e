"""Jobs on shared processors, worked in plain loops: what a share and a slowdown leave of their speed, and the rows they make.

Written from the page of the family and sharing nothing with engines or checker. What is started, and beside what, is said by who
extends it.
"""

import random

import polars as pl

from scheduler_core.contracts import WORKLOAD_COLUMNS, Machine, Workload
from scheduler_core.contracts.companions import COMPANIONS
from scheduler_core.coscheduling.family import FAMILY
from tests.scheduler_core.checker.by_hand import schedule_of

S = 1_000_000
FULL = 1_000_000
PROCESSORS, MEMORY_KB = 12, 1_000_000
ASKED = {**WORKLOAD_COLUMNS, "memory_kb": pl.Int64}
APPLICATIONS = 3


def ppm(value):
    return max(1, int(FULL * value + 0.5))


def random_workload(seed, jobs=60, gap_s=40, longest_s=400, machine=None):
    """Draw jobs, what they do with their time, which shares they ask for, and slowdowns of their applications."""
    draw = random.Random(seed)
    machine = machine or Machine(PROCESSORS, memory_kb=MEMORY_KB)
    rows, behaviour, shares, submit = [], [], [], 0
    for number in range(1, jobs + 1):
        submit += draw.choice((0, 1, draw.randrange(gap_s * S), draw.randrange(gap_s * S)))
        size = min(draw.randint(1, machine.processors), draw.randint(1, machine.processors + 3))
        runtime = draw.randint(1, draw.choice((20, longest_s)) * S)
        estimate = max(1, int(runtime * draw.choice((0.8, 1, 1, 1.7))))
        rows.append((number, submit, runtime, estimate, size, draw.choice((None, draw.randrange(MEMORY_KB * 2 // 3)))))
        kind = draw.choice(("cpu", "network", "disk"))
        parts = [draw.uniform(0.5, 3) if name == kind else draw.random() for name in ("cpu", "network", "disk")]
        parts += [draw.choice((0, 0, 0, draw.random() / 4)) for _ in range(3)]
        phases = (draw.random(), draw.random(), draw.randrange(APPLICATIONS))
        behaviour.append((number, kind, *(part / sum(parts) for part in parts), *phases))
        low = draw.choice((0.2, 0.25, 0.4))
        asks = draw.choice(("nothing", "nothing", "nothing", "picks", "reserves"))
        wanted = submit + (asks != "nothing") * draw.randrange(60 * S)
        high, level = min(0.9, low * draw.choice((1, 2))), draw.choice(("long", "medium", "short", "special"))
        shares.append((number, level, low, high, "local" if asks == "nothing" else "cross_site", asks, wanted))
    cells = [(a, b, draw.choice((0.8, 1.1, 1.3, 1.45))) for a in range(APPLICATIONS) for b in range(APPLICATIONS)]
    tables = {"behaviour": behaviour, "shares": shares, "slowdowns": cells}
    companions = {name: pl.DataFrame(tables[name], schema=COMPANIONS[name].columns, orient="row") for name in tables}
    return Workload(pl.DataFrame(rows, schema=ASKED, orient="row"), machine, companions=companions)


class SharedProcessors:
    """The machine, its clock, and the jobs that run there, in the order in which they started."""

    def __init__(self, workload, policy, seed):
        self.workload, self.policy, self.draw = workload, policy, random.Random(seed)
        self.set = policy.values()
        self.processors = workload.machine.processors
        self.jobs = workload.jobs.filter(pl.col("size") <= self.processors).to_dicts()
        for table in workload.companions.values():
            if "job" in table.columns:
                told = {row["job"]: row for row in table.iter_rows(named=True)}
                for job in self.jobs:
                    job.update(told[job["job"]])
        if "slowdowns" in workload.companions:
            self.cells = {(a, b): slowdown for a, b, slowdown in workload.companions["slowdowns"].iter_rows()}
        self.to_come, self.waiting, self.running, self.rows = list(self.jobs), [], [], []
        self.counters = {}

    def count(self, name, by=1):
        self.counters[name] = self.counters.get(name, 0) + by

    # Work

    def row(self, job, time, work):
        if time > job["begin"]:
            rate = job["share"] / job["slowdown"]
            where = (job["size"], job["ids"], 0, job["place"])
            self.rows.append((job["job"], job["begin"], time, *where, rate, work, job["share"], job["slowdown"]))
        job["left"] -= work
        job["begin"] = time

    def done_by(self, job, time):
        return (time - job["begin"]) * job["share"] // job["slowdown"]

    def end(self, job):
        return job["begin"] - (-job["left"] * job["slowdown"] // job["share"])

    def enter(self, job, ids, time):
        job.update(ids=ids, begin=time, start=time, left=min(job["runtime_us"], job["estimate_us"]), beside=None)
        taken = [
            other["place"]
            for other in self.jobs
            if other.get("ids") and set(other["ids"]) & set(ids) and other is not job
        ]
        job["place"] = min(set(range(4)) - set(taken))
        self.waiting.remove(job)
        self.running.append(job)

    def settle(self, time):
        """Break off the rows of jobs beside which others run now, and say how fast each goes on."""
        for job in self.running:
            beside = sorted(other["job"] for other in self.beside(job))
            if beside != job["beside"]:
                if job["beside"] is not None:
                    self.row(job, time, self.done_by(job, time))
                job["beside"] = beside
                job["anew"] = True
        for job in self.running:
            if job.pop("anew", False):
                job["share"], job["slowdown"] = self.share(job), self.slowdown(job)

    def beside(self, job):
        return [other for other in self.running if other is not job and set(other["ids"]) & set(job["ids"])]

    # Time

    def instants(self):
        return [job["submit_us"] for job in self.to_come[:1]] + [self.end(job) for job in self.running]

    def run(self):
        while instants := self.instants():
            time = min(instants)
            for job in [job for job in self.running if self.end(job) == time]:
                self.row(job, time, job["left"])
                job.update(finish=time, ids=None)
                self.running.remove(job)
                self.after(job, time)
            while self.to_come and self.to_come[0]["submit_us"] == time:
                self.waiting.append(self.to_come.pop(0))
                self.arrived(self.waiting[-1], time)
            self.count("passes")
            self.step(time)
            self.settle(time)
        return self.schedule()

    def after(self, job, time):
        """Do what follows from the end of a job."""

    def arrived(self, job, time):
        """Do what follows from the submission of a job."""

    def schedule(self, **tables):
        policy = self.policy.name, self.policy.values()
        return schedule_of(self.workload, FAMILY, policy, self.rows, tables, self.counters)
