"""A machine in slices of classes without a policy: whatever is legal may happen, drawn by chance.

It is written in plain loops, from the text of the contract and of the policies, and shares nothing with engine or checker.
Orders of groups are drawn, and what their searches did is made up.
"""

import random
from math import ceil, factorial

import polars as pl

from scheduler_core.declarations.policy import get_policy
from scheduler_core.slices.family import FAMILY, TABLES
from tests.scheduler_core.checker.by_hand import schedule_of

S = 1_000_000
WORDS = ("short", "medium", "long")
COUNTERS = ("passes", "backfilled", "resumed_elsewhere", "started_elsewhere", "planned_elsewhere", "dynamic")


class MachineInSlices:
    """A machine that belongs to one class of jobs at a time; ``run`` gives a schedule."""

    def __init__(self, workload, seed, name, parameters):
        self.workload, self.draw, self.name = workload, random.Random(seed), name
        self.set = get_policy(name, **parameters).values()
        self.processors = workload.machine.processors
        asked = workload.jobs.iter_rows(named=True)
        self.to_come = [self.known(row) for row in asked if row["size"] <= self.processors]
        self.clock, self.slices, self.promises, self.rows = [0, 0, 0], [], [], []
        self.waiting, self.started, self.lent = [[], [], []], [[], [], []], []
        self.running, self.done, self.layout = [], {}, []
        self.open, self.groups, self.members, self.improvements = {1: None, 2: None}, [], [], []
        self.counters = dict.fromkeys(COUNTERS, 0)
        self.kept = self.set["backfilling"] == "conservative" and self.set["guard"]

    def us(self, name):
        return round(self.set[name] * S)

    def known(self, row):
        estimate = row["estimate_us"]
        by_estimate = 0 if estimate < self.us("short_limit_s") else 1 if estimate < self.us("medium_limit_s") else 2
        kind = WORDS.index(row["class"]) if row["class"] else by_estimate
        return {**row, "kind": kind, "left": min(row["runtime_us"], estimate), "rest": estimate, "group": None}

    # Plans: who has processors of a class on its clock

    def plan(self, kind, aside=None):
        lent = self.lent if self.layout and self.now_in == kind else []
        held = [(self.clock[kind], job["ends"], job["size"]) for job in self.started[kind]]
        reserved = [
            (job["at"], job["at"] + job["estimate_us"], job["size"]) for job in self.waiting[kind] if job is not aside
        ]
        return held + reserved + [(self.clock[kind], end, job["size"]) for job, end in lent]

    def fits(self, plan, low, high, size):
        instants = [low, *(begin for begin, _, _ in plan if low < begin < high)]
        most = max(sum(s for begin, end, s in plan if begin <= at < end) for at in instants)
        return most + size <= self.processors

    def earliest(self, job):
        kind = job["kind"]
        plan, now = self.plan(kind, aside=job), self.clock[kind]
        instants = sorted({now, *(end for _, end, _ in plan if end > now)})
        return next(at for at in instants if self.fits(plan, at, at + job["estimate_us"], job["size"]))

    def reserve(self, job):
        job["at"] = self.earliest(job)
        self.waiting[job["kind"]].append(job)

    def bring_forward(self):
        for queue in self.waiting:
            before = None
            while before != (after := [job["at"] for job in queue]):
                before = after
                for job in queue:
                    job["at"] = min(job["at"], self.earliest(job))

    def reserve_anew(self, kind, time=None, group=0):
        queue, self.waiting[kind] = self.waiting[kind], []
        for job in queue:
            self.reserve(job)
            if time is not None:
                self.promise(job, time, group)

    # Promises

    def promise(self, job, time, group):
        if self.kept:
            left = job["at"] + job["estimate_us"] - self.clock[job["kind"]]
            self.promises.append((job["job"], 0, time, group, job["at"], self.worst(job["kind"], time, left)))

    def worst(self, kind, time, left):
        interval, switch, short = self.us("interval_s"), self.us("switch_s"), self.us("short_slice_s")
        begin = time // interval * interval
        if self.layout and self.layout[0][0] == begin:
            for low, high, of_class in self.layout:
                works = max(0, high - max(low + switch, time)) * (of_class == kind)
                if left <= works:
                    return max(low + switch, time) + left
                left -= works
            begin += interval
        rooms = []
        for prefix in ("share", "night_share"):
            if not isinstance(self.set[f"{prefix}_medium"], str):
                medium, long = (round(self.set[f"{prefix}_{word}"] * S) for word in ("medium", "long"))
                room = interval - 3 * switch - short
                rooms.append((room * medium // (medium + long), room - room * medium // (medium + long)))
        room = (short, min(r[0] for r in rooms), min(r[1] for r in rooms))[kind]
        while left > room:
            left, begin = left - room, begin + interval
        return begin + (switch, 2 * switch + short, interval - room)[kind] + left

    # Time

    def run(self):
        interval, time = self.us("interval_s"), 0
        while self.to_come or any(self.waiting) or any(self.started):
            self.layout = []
            if not any(self.waiting) and not any(self.started):
                time = max(time, self.to_come[0]["submit_us"] // interval * interval)
            self.submit(time)
            if any(self.waiting) or any(self.started) or self.to_come[0]["submit_us"] < time + interval:
                self.lay_out(time)
                for low, high, kind in self.layout:
                    self.slice(low, high, kind)
            time += interval
        return self.tables(time)

    def submit(self, time):
        while self.to_come and self.to_come[0]["submit_us"] <= time:
            job = self.to_come.pop(0)
            self.reserve(job)
            self.promise(job, job["submit_us"], 0)
            others = self.layout and self.at_work and self.set.get("dynamic") and job["kind"] != self.now_in
            group = self.open.get(self.now_in) if others else None
            if group and group["formed_us"] < time:
                self.counters["dynamic"] += self.borrow(job, time, 0.8)

    def lay_out(self, time):
        interval, switch, limit = self.us("interval_s"), self.us("switch_s"), self.us("short_slice_s")
        jobs = self.started[0] + self.waiting[0]
        ends = [job["ends"] for job in self.started[0]]
        ends += [job["at"] + job["estimate_us"] for job in self.waiting[0]]
        at, left = time, interval - 2 * switch
        if jobs:
            need = max(ends) - self.clock[0]
            if self.set["backfilling"] == "easy":
                need = min(need, sum(job["rest"] for job in jobs))
            works = min(limit, max(S, need))
            at, left = time + switch + works, left - switch - works
            self.layout.append((time, at, 0))
        hour, begins, ends = time // (3600 * S) % 24, self.set["night_begins_h"], self.set["night_ends_h"]
        night = begins <= hour < ends if begins <= ends else hour >= begins or hour < ends
        prefix = "night_share" if night and not isinstance(self.set["night_share_long"], str) else "share"
        medium, long = (round(self.set[f"{prefix}_{word}"] * S) for word in ("medium", "long"))
        end = at + switch + left * medium // (medium + long)
        self.layout += [(at, end, 1), (end, time + interval, 2)]
        self.slices += [(0, low, high, WORDS[kind], switch) for low, high, kind in self.layout]

    def slice(self, low, high, kind):
        self.now_in, self.end, self.at_work = kind, high, False
        time = low + self.us("switch_s")
        while self.to_come and self.to_come[0]["submit_us"] < time:
            self.submit(self.to_come[0]["submit_us"])
        if time == high or not (self.to_come or any(self.waiting) or any(self.started)):
            return
        origin, self.at_work = time - self.clock[kind], True
        for job in self.started[kind]:
            self.running.append((job, time))
        done = False
        while True:
            self.clock[kind] = time - origin
            self.bring_forward()
            self.submit(time)
            self.step(kind, time, done)
            events = [high, *(begin + job["left"] for job, begin in self.running)]
            events += [job["at"] + origin for job in self.waiting[kind]]
            events += [job["submit_us"] for job in self.to_come[:1]]
            time = min(event for event in events if event > time)
            done = [run for run in self.running if run[1] + run[0]["left"] == time]
            for run in self.running[:] if time == high else done:
                self.leave(*run, time)
            if time == high:
                self.clock[kind] = time - origin
                self.running, self.lent = [], []
                return

    def leave(self, job, begin, time):
        self.running.remove((job, begin))
        self.lent = [use for use in self.lent if use[0] is not job]
        self.rows.append(
            (job["job"], begin, time, job["size"], job["processor_ids"], 0, self.now_in, 1.0, time - begin)
        )
        job["left"], job["rest"] = job["left"] - (time - begin), job["rest"] - (time - begin)
        if job["kind"] != self.now_in:
            job["ends"] -= time - begin
        if not job["left"]:
            self.started[job["kind"]].remove(job)
            self.done[job["job"]] = (job["start"], time)

    # A pass

    def step(self, kind, time, done):
        self.counters["passes"] += 1
        if kind in self.open and self.name == "pect_o":
            self.end_group(kind, time, done)
            self.form_group(kind, time)
        for job in [job for job in self.waiting[kind] if job["at"] == self.clock[kind]]:
            self.start(job, time)
        if self.set["smart"]:
            others = [job for other in range(3) if other != kind for job in self.started[other]]
            others += [job for other in range(3) if other != kind for job in self.waiting[other]]
            for job in self.draw.sample(others, len(others)):
                self.borrow(job, time, 0.6)

    def free(self, kind=None):
        taken = {node for job, _ in self.running for node in job["processor_ids"]}
        taken |= {node for job in (self.started[kind] if kind is not None else []) for node in job["processor_ids"]}
        return set(range(self.processors)) - taken

    def start(self, job, time):
        kind = job["kind"]
        self.waiting[kind].remove(job)
        self.counters["backfilled"] += any(
            (other["submit_us"], other["job"]) < (job["submit_us"], job["job"]) for other in self.waiting[kind]
        )
        processor_ids = sorted(self.draw.sample(sorted(self.free(kind)), job["size"]))
        job.update(processor_ids=processor_ids, start=time, ends=self.clock[kind] + job["estimate_us"])
        self.started[kind].append(job)
        self.running.append((job, time))

    def borrow(self, job, time, chance):
        kind, clock = job["kind"], self.clock[self.now_in]
        stays = min(job["rest"], self.end - time)
        if self.draw.random() > chance or any(other is job for other, _ in self.running):
            return False
        if not self.fits(self.plan(self.now_in), clock, clock + stays, job["size"]):
            return False
        if "processor_ids" in job:
            if not set(job["processor_ids"]) <= self.free():
                return False
            self.running.append((job, time))
            self.counters["resumed_elsewhere"] += 1
        else:
            own = self.clock[kind]
            room = self.fits(self.plan(kind, aside=job), own, own + job["estimate_us"], job["size"])
            if len(self.free(kind)) < job["size"] or (self.set["guard"] and not room):
                return False
            self.start(job, time)
            self.counters["started_elsewhere"] += 1
            self.counters["planned_elsewhere"] += any(
                group is not None and job["job"] in group["order"] for group in self.open.values()
            )
            if not self.set["guard"]:
                self.reserve_anew(kind)
        self.lent.append((job, clock + stays))
        return True

    # Groups

    def planned(self, kind):
        return [job for job in self.waiting[kind] if job["group"] is self.open[kind]] if self.open[kind] else []

    def end_group(self, kind, time, done):
        group = self.open[kind]
        if group and (all(number in self.done for number in group["order"]) or (done and self.draw.random() < 0.2)):
            group["ended_us"], self.open[kind] = time, None
            self.waiting[kind].sort(key=lambda job: (job["submit_us"], job["job"]))
            self.reserve_anew(kind, time, group["group"])

    def form_group(self, kind, time):
        queue, word = self.waiting[kind], WORDS[kind]
        least, most, size, work, run = (
            self.set[f"group_{name}_{word}"] for name in ("min", "max", "size_factor", "work_factor", "run_s")
        )
        asked = sum(job["size"] for job in queue)
        needed = sum(job["size"] * job["estimate_us"] for job in queue)
        enough = asked > size * self.processors and needed > work * run * S * self.processors
        if self.planned(kind) or len(queue) < least or not enough:
            return
        if self.open[kind]:
            self.open[kind]["ended_us"] = time
        jobs = sorted(queue, key=lambda job: (job["submit_us"], job["job"]))[:most]
        rest = sorted(queue, key=lambda job: (job["submit_us"], job["job"]))[most:]
        group = {"group": len(self.groups) + 1, "kind": kind, "formed_us": time, "ended_us": None, "jobs": len(jobs)}
        wide = self.set[f"long_wide_size_{word}"] * self.processors
        long_wide = sum(job["size"] >= wide and job["estimate_us"] >= run * S for job in jobs)
        jobs = self.draw.sample(jobs, len(jobs))
        group["order"] = [job["job"] for job in jobs]
        group["long_wide"] = min(long_wide, self.set["long_wide_max"]) * (long_wide >= self.set["long_wide_min"])
        self.search(group, most)
        self.groups.append(group)
        self.open[kind] = group
        for job in jobs:
            job["group"] = group
        self.waiting[kind] = jobs + rest
        self.reserve_anew(kind, time, group["group"])

    def search(self, group, most):
        n = group["jobs"]
        parts = [ceil(n / 2), n // 2] if n == most and n > 1 else [n]
        heuristic = n * self.draw.uniform(1, 9)
        chosen, orders, so_far = heuristic, 0, 0
        for part, size in enumerate(parts if self.set["second_level"] else []):
            so_far += size
            chosen = heuristic if len(parts) == 1 else so_far * self.draw.uniform(2, 9)
            generated, at = min(self.set["orders"], factorial(size)), 1
            while True:
                self.improvements.append((0, group["group"], part, at, chosen))
                at, chosen = self.draw.randint(at, generated), self.draw.uniform(so_far, chosen)
                if self.draw.random() < 0.4:
                    break
            orders += generated
            chosen = self.improvements[-1][4]
        nodes = n + self.draw.randint(0, 99) if orders else 0
        cut = (nodes - n) // 2 if self.set["branch_and_bound"] and orders else 0
        group.update(orders=orders, tree_nodes=nodes, pruned=cut, pruned_leaves=cut // 2, placements=nodes + n)
        group.update(heuristic_slowdown=heuristic, slowdown=chosen)

    # Tables

    def tables(self, time):
        last = max((finish for _, finish in self.done.values()), default=0)
        names = [name for name in TABLES["groups"].columns if name not in ("cluster", "class")]
        groups = [
            {"cluster": 0, "class": WORDS[g["kind"]], **{name: g[name] for name in names}}
            | {"ended_us": g["ended_us"] or last}
            for g in self.groups
        ]
        members = [(0, g["group"], place, job) for g in self.groups for place, job in enumerate(g["order"], 1)]
        filled = {
            "slices": self.slices, "promises": self.promises, "groups": groups, "members": members,
            "improvements": self.improvements,
        }  # fmt: skip
        counted = {
            name: sum(g[name] for g in groups)
            for name in ("orders", "tree_nodes", "pruned", "pruned_leaves", "placements")
        }
        counted |= {f"groups_{word}": sum(g["class"] == word for g in groups) for word in WORDS[1:]}
        counters = {**self.counters, **counted, "grouped": len(members), "slices": len(self.slices)}
        policy, preemptions = (self.name, self.set), pl.len().cast(pl.Int32) - 1
        return schedule_of(self.workload, FAMILY, policy, self.rows, filled, counters, preemptions)
