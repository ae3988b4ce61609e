"""Legal schedules of gang scheduling without a policy: at every pass any legal thing may happen, drawn by chance.

It is written in plain loops, from the text of the contract and of the gang policy, and shares nothing with engine or checker.
"""

import random
from fractions import Fraction
from math import ceil, floor

import polars as pl

from scheduler_core.contracts import WORKLOAD_COLUMNS, WORKLOAD_OPTIONAL, Machine, Workload
from scheduler_core.declarations.policy import get_policy
from scheduler_core.gang.family import FAMILY
from tests.scheduler_core.checker.by_hand import schedule_of

LEVEL = 3
"""Slots that take turns where a test asks for nothing else."""

SHARING = {n: WORKLOAD_OPTIONAL[n] for n in ("flexibility", "size_min", "size_max", "memory_kb")}
ASKED = {**WORKLOAD_COLUMNS, **SHARING}


def random_workload(seed, jobs=40, machine=None, longest_s=200, gap_s=30):
    draw = random.Random(seed)
    machine = machine or Machine(16)
    rows, submit = [], 0
    for number in range(1, jobs + 1):
        submit += draw.choice((0, 1, draw.randrange(gap_s * 1_000_000), 20 * gap_s * 1_000_000 * (draw.random() < 0.1)))
        size = draw.randint(1, machine.processors + (draw.random() < 0.1))
        runtime = draw.randint(1, longest_s * 1_000_000)
        estimate = max(1, int(runtime * draw.choice((0.7, 1, 1.5))))
        low, high = draw.randint(1, size), draw.randint(size, max(size, machine.processors))
        flexibility = draw.choice(("rigid", "moldable", "malleable"))
        memory = draw.choice((None, draw.randint(0, 60)))
        rows.append((number, submit, runtime, estimate, size, flexibility, low, high, memory))
    return Workload(pl.DataFrame(rows, schema=ASKED, orient="row"), machine)


def rate_at(held, low, size, high):
    """The docstring's rate, as a fraction."""
    if held == size:
        return Fraction(1)
    if held < size:
        steps = 80 * low * (size - low) + (65 * size - 80 * low) * (held - low)
        return Fraction(steps, 65 * size * (size - low))
    return Fraction(65 * size * (high - size) + (50 * high - 65 * size) * (held - size), 65 * size * (high - size))


def policy_of(parameters):
    return "scojo" if "sizing" in parameters else "gang"


def parameters_of(**parameters):
    """Return all parameters of the policy; a job of `scojo` keeps its size unless a test asks for more."""
    small = {"level": LEVEL, **({"eliminate_fragmentation": False} if "sizing" in parameters else {})}
    return get_policy(policy_of(parameters), **{**small, **parameters}).values()


class RandomGang:
    """A machine whose slots take turns; ``run`` gives a schedule."""

    def __init__(self, workload, seed, parameters):
        self.workload, self.draw = workload, random.Random(seed)
        self.policy = policy_of(parameters)
        self.parameters = parameters_of(**parameters)
        self.running, self.queue, self.rows, self.jobs, self.levels = {}, [], [], {}, []
        self.row_begin, self.clock_begin, self.level = 0, 0, 0
        self.anchor, self.resized, self.resizings = 0, None, []

    # Time

    def share(self):
        slows = self.parameters["switch_slows"] and self.level > 1
        return 0.0 if not self.level else 1 / (self.level * (1 + self.parameters["switch_cost"] * slows))

    def clock(self, time):
        return self.clock_begin + floor((time - self.row_begin) * self.share())

    def time_of(self, clock):
        time = self.row_begin + floor((clock - self.clock_begin) / self.share()) - 2
        while self.clock(time) < clock:
            time += 1
        return time

    def slice(self):
        whole, limit = self.parameters["slice_s"], self.parameters["level"]
        if self.parameters["slice"] == "fixed":
            return int(whole * 1_000_000)
        return int(whole * 1_000_000 * limit) // max(1, self.level)

    def boundary(self, time):
        step = self.slice()
        return time if not step else self.anchor - (self.anchor - time) // step * step

    # What a job does

    def end(self, job):
        return job["clock"] + job["stall"] + ceil(job["left"] / (job["rate"] * len(job["slots"])))

    def close(self, job, time):
        """Write the rows of the segment that ends now; a job that is done takes what it still had to do."""
        turn = self.clock(time) - job["clock"]
        stalled = min(job["stall"], turn)
        copies = len(job["slots"])
        done = job["left"] if self.end(job) <= self.clock(time) else floor(job["rate"] * copies * (turn - stalled))
        for place, slot in enumerate(sorted(job["slots"])):
            work = done // copies + (place < done % copies)
            processor_ids = sorted(job["processor_ids"])
            row = (
                job["job"],
                job["begin"],
                time,
                len(processor_ids),
                processor_ids,
                0,
                slot,
                float(job["rate"]),
                work,
                turn,
                stalled,
            )
            if time > job["begin"]:
                self.rows.append(row)
        job.update(begin=time, clock=self.clock(time), left=job["left"] - done, stall=job["stall"] - stalled)

    def free(self, slot):
        taken = {node for job in self.running.values() if slot in job["slots"] for node in job["processor_ids"]}
        return set(range(self.workload.machine.processors)) - taken

    def with_memory(self, processor_ids, need):
        room = self.workload.machine.memory_kb
        if not room or self.parameters["packing"] not in ("memory_fit", "memory_best_fit"):
            return processor_ids
        used = {
            node: sum(j["memory_kb"] or 0 for j in self.running.values() if node in j["processor_ids"])
            for node in processor_ids
        }
        return {node for node in processor_ids if used[node] + (need or 0) <= room}

    # A pass

    def run(self):
        submissions = list(self.workload.jobs.iter_rows(named=True))
        time = 0
        while submissions or self.queue or self.running:
            events = [submissions[0]["submit_us"]] if submissions else []
            finishes = [self.time_of(self.end(job)) for job in self.running.values()]
            events += finishes + ([time + 1] if self.running and self.draw.random() < 0.5 else [])
            events = [event for event in events if event > time or not self.levels]
            time = self.boundary(min(events))
            for number, job in list(self.running.items()):
                if (finish := self.time_of(self.end(job))) <= time:
                    self.close(job, finish)
                    self.jobs[number] = (job["start"], finish, job["first_size"])
                    del self.running[number]
            while submissions and submissions[0]["submit_us"] <= time:
                self.queue.append(submissions.pop(0))
            self.resize(time)
            self.place(time)
            self.fill(time)
            self.set_level(time)
        return self.tables()

    def resize(self, time):
        if self.parameters.get("sizing") != "load":
            return
        spacing = self.parameters["reconfiguration_s"] * 1_000_000
        if self.resized is not None and time - self.resized < spacing:
            return
        for job in self.running.values():
            free = self.free(next(iter(job["slots"])))
            size = self.draw.randint(job["size_min"], min(job["most"], len(job["processor_ids"]) + len(free)))
            if job["flexibility"] == "malleable" and size != len(job["processor_ids"]) and self.draw.random() < 0.5:
                self.close(job, time)
                held = len(job["processor_ids"])
                job["stall"] += round(self.parameters["reconfiguration_cost_s"] * abs(size - held) * 1e6)
                added = self.draw.sample(sorted(free), max(0, size - len(job["processor_ids"])))
                job["processor_ids"] = set(
                    self.draw.sample(sorted(job["processor_ids"]), min(size, len(job["processor_ids"])))
                ) | set(added)
                job["rate"] = rate_at(size, job["size_min"], job["size"], job["most"])
                self.resized = time
                self.resizings.append(abs(size - held))

    def place(self, time):
        processors, room = self.workload.machine.processors, self.workload.machine.memory_kb
        for asked in list(self.queue):
            by_memory = self.parameters["packing"] in ("memory_fit", "memory_best_fit") and room
            if asked["size"] > processors or (by_memory and (asked["memory_kb"] or 0) > room):
                self.queue.remove(asked)
                continue
            most, size = min(asked["size_max"], processors), asked["size"]
            if self.parameters.get("sizing") in ("load", "load_at_start") and asked["flexibility"] != "rigid":
                size = self.draw.randint(asked["size_min"], most)
            slots = sorted({slot for job in self.running.values() for slot in job["slots"]})
            new = [min(set(range(len(slots) + 1)) - set(slots))] if len(slots) < self.parameters["level"] else []
            places = {slot: self.with_memory(self.free(slot), asked["memory_kb"]) for slot in slots + new}
            fitting = [slot for slot, free in places.items() if len(free) >= size]
            if fitting and (not self.running or self.draw.random() < 0.7):
                slot = self.draw.choice(fitting)
                processor_ids = set(self.draw.sample(sorted(places[slot]), size))
                rate = (
                    rate_at(size, asked["size_min"], asked["size"], most)
                    if asked["flexibility"] != "rigid"
                    else Fraction(1)
                )
                work = min(asked["runtime_us"], asked["estimate_us"])
                self.running[asked["job"]] = {
                    **asked, "most": most, "processor_ids": processor_ids, "slots": {slot}, "own": slot,
                    "rate": rate, "left": work,
                    "stall": 0, "begin": time, "clock": self.clock(time), "start": time, "first_size": size,
                }  # fmt: skip
                self.queue.remove(asked)

    def fill(self, time):
        """Drop all copies and make others; a job's segment ends only if its slots change."""
        if not self.parameters.get("fill"):
            return
        before = {number: job["slots"] for number, job in self.running.items()}
        for job in self.running.values():
            job["slots"] = {job["own"]}
        for slot in sorted({job["own"] for job in self.running.values()}):
            for job in self.running.values():
                if slot not in job["slots"] and job["processor_ids"] <= self.free(slot) and self.draw.random() < 0.5:
                    job["slots"] = job["slots"] | {slot}
        for number, job in self.running.items():
            if job["slots"] != before[number]:
                after, job["slots"] = job["slots"], before[number]
                self.close(job, time)
                job["slots"] = after

    def set_level(self, time):
        level = len({slot for job in self.running.values() for slot in job["slots"]})
        if level == self.level:
            return
        step = self.slice()
        clock = self.clock(time)
        if self.levels:
            self.levels[-1][2] = time
        self.clock_begin, self.row_begin, self.level = clock, time, level
        self.levels.append([0, time, None, level, self.share()])
        self.anchor = time if self.slice() != step else self.anchor

    # Tables

    def tables(self):
        last = max((finish for _, finish, _ in self.jobs.values()), default=0)
        self.levels = [row for row in self.levels if row[1] < last]
        if self.levels:
            self.levels[-1][2] = last
        machine, offered = self.workload.machine, 0
        for _, begin, end, level, share in self.levels:
            offered += machine.processors * (level * floor((end - begin) * share) if level else end - begin)
        busy = sum(row[3] * row[9] for row in self.rows)
        counters = {
            "busy_us": busy,
            "idle_us": offered - busy,
            "low_us": 0,
            "normal_us": 0,
            "high_us": last - (self.levels[0][1] if self.levels else 0),
            "resizings": len(self.resizings),
            "resized_processors": sum(self.resizings),
        }
        policy = self.policy, self.parameters
        return schedule_of(self.workload, FAMILY, policy, self.rows, {"levels": self.levels}, counters)


def random_gang(workload, seed=0, **parameters):
    return RandomGang(workload, seed, parameters).run()
