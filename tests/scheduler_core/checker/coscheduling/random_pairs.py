"""Legal schedules of pairs, drawn by chance: at every pass any waiting job may start, alone or with any partner that passes."""

from scheduler_core.declarations.policy import get_policy
from tests.scheduler_core.checker.coscheduling.shared_processors import FULL, S, SharedProcessors, ppm

TESTS = ("medium_long", "size_fits", "memory_fits", "types_match", "slowdown_fits")


class RandomPairs(SharedProcessors):
    """Jobs that share processors two at a time, by the tests of LOMARC."""

    def __init__(self, workload, policy, seed):
        super().__init__(workload, policy, seed)
        self.pairs, self.suspended = [], {}
        counted = ("searches_waiting", "searches_running", "weak_load_passes")
        for name in (*counted, "backfilled", "pushed_down", "pulled_up", "suspended"):
            self.count(name, 0)

    # Models

    def share(self, job):
        return FULL

    def slowdown(self, job):
        return max((self.actual(job, other) for other in self.beside(job)), default=FULL)

    def fits(self, one, other):
        return (one["memory_kb"] or 0) + (other["memory_kb"] or 0) <= self.workload.machine.clusters[0].memory_kb

    def compatible(self, one, other):
        return (one["cpu_phase"] + other["cpu_phase"]) % 1 < self.set["compatible_share"]

    def fractions(self, job):
        both = {"cpu": ("cpu_network", "cpu_disk"), "network": ("cpu_network", "network_disk")}
        both["disk"] = ("cpu_disk", "network_disk")
        return [job[name] + job[one] + job[two] for name, (one, two) in both.items()]

    def believed(self, one, other):
        cpu, network, disk = (min(pair) for pair in zip(self.fractions(one), self.fractions(other), strict=True))
        factor = 2.0
        if self.set["cpu"] == "hyperthreading" and self.compatible(one, other):
            factor = self.set["shared_compatible"]
        model = self.set["slowdown"]
        if model == "table":
            pair = (one["application"], other["application"])
            slowdown = max(self.cells[pair], self.cells[pair[::-1]])
        elif model == "unshared_counted":
            slowdown = min(2.0, 1 + (factor - 1) * cpu + network + disk)
        else:
            slowdown = min(2.0, factor * cpu + 2 * network + 2 * disk)
            slowdown = max(1.0, slowdown) if model == "printed" else slowdown
        if not self.fits(one, other):
            conflict = {"additive": slowdown + 2.5, "replace": max(slowdown, 2.5), "excess": slowdown + 1.5}
            slowdown = conflict[self.set["memory_conflict"]]
        return ppm(slowdown)

    def actual(self, one, other):
        believed = self.believed(one, other)
        if self.set["model_error"] == 0:
            return believed
        part = (one["error_phase"] + other["error_phase"]) % 1
        off = 2 * part - 1 if self.set["error_side"] == "both" else part
        return ppm(max(1.0, believed / FULL * (1 + self.set["model_error"] * off)))

    # Tests

    def passes(self, holder, partner, asked):
        """Return which of the tests a pair passes, in order."""
        kinds = {holder["kind"], partner["kind"]}
        types = kinds == {"cpu", "disk"} if self.set["cpu"] == "standard" else len(kinds) == 2 or kinds == {"cpu"}
        slow = self.believed(holder, partner) > ppm(self.set["max_slowdown"])
        clash = kinds == {"cpu"} and self.set["slowdown"] != "table" and not self.compatible(holder, partner)
        limit = self.set["network_limit"]
        network = limit != "off" and self.fractions(holder)[1] + self.fractions(partner)[1] > limit
        return (
            asked["estimate_us"] > self.set["short_limit_s"] * S,
            partner["size"] <= holder["size"],
            self.fits(holder, partner),
            types,
            not (slow or clash or network),
        )

    def gain(self, holder, partner):
        slow = self.believed(holder, partner)
        gain = (FULL * (holder["size"] + partner["size"]) - holder["size"] * slow) / (holder["size"] * slow)
        left = [job["estimate_us"] - self.work_done(job) for job in (holder, partner)]
        return gain, gain * (min(left) / max(left))

    def work_done(self, job):
        if "left" not in job:
            return 0
        done = min(job["runtime_us"], job["estimate_us"]) - job["left"]
        return done + (self.done_by(job, self.time) if job["begin"] < self.time else 0)

    def search(self, job, others, among):
        """Return a row of matches for a partner of a job, any that passes with a profit; None where there is none."""
        if self.set["match"] == "none":
            return None
        filters = self.policy.facts().matches.filters
        if filters and job["estimate_us"] <= self.set["short_limit_s"] * S:
            return None
        self.count(f"searches_{among}")
        left, counts = list(others), []
        for number in range(5):
            if filters or number == 1:
                left = [other for other in left if self.passes(*self.sides(job, other, among), other)[number]]
            counts.append(len(left))
        weighed = {"none": None, "utilisation_2": 0, "utilisation_1": 1}.get(
            self.policy.facts().matches.gain, "response"
        )
        for rank, other in self.draw.sample(list(enumerate(left, 1)), len(left)):
            gains = self.gain(*self.sides(job, other, among))
            profit = 0.0 if weighed is None else self.draw.random() + 1e-3 if weighed == "response" else gains[weighed]
            enough = profit > 0 and profit >= self.policy.facts().matches.least_gain
            if (weighed is None or enough) and (gains[0] > 0 or not self.policy.facts().matches.gainful):
                slowdown = self.believed(job, other)
                told = (job["job"], other["job"], among, False, len(others), *counts, rank, profit, slowdown)
                return other, (self.time, *told)
        return None

    def sides(self, job, other, among):
        return (job, other) if among == "waiting" else (other, job)

    # The pass

    def free(self):
        given = {number for job in self.jobs for number in job.get("ids") or ()}
        return sorted(set(range(self.processors)) - given)

    def step(self, time):
        self.time = time
        self.suspend(time)
        queue = self.draw.sample(self.waiting, len(self.waiting))
        for job in queue:
            if job not in self.waiting or (self.draw.random() < 0.1 and (self.running or self.to_come)):
                continue
            free = self.free()
            if job["size"] <= len(free):
                behind = [other for other in queue if other in self.waiting and other is not job]
                found = self.search(job, behind, "waiting") if self.draw.random() < 0.9 else None
                self.enter(job, free[: job["size"]], time)
                if found:
                    self.enter(found[0], job["ids"][: found[0]["size"]], time)
                    self.pairs.append(found[1])
                    place = behind.index(found[0])
                    self.count("pushed_down", place)
                    self.count("pulled_up", len(behind) - 1 - place)
            elif self.policy.facts().matches is not None and self.policy.facts().matches.running:
                alone = [
                    other for other in self.running if not self.beside(other) and other["job"] not in self.suspended
                ]
                found = self.search(job, alone, "running")
                if found:
                    self.enter(job, found[0]["ids"][: job["size"]], time)
                    self.pairs.append(found[1])

    def suspend(self, time):
        if self.set["preempt_above"] == "off":
            return
        for number, holder in enumerate(self.running):
            for partner in self.running[number + 1 :]:
                if partner in self.beside(holder) and self.actual(holder, partner) / FULL > self.set["preempt_above"]:
                    self.row(partner, time, self.done_by(partner, time))
                    self.running.remove(partner)
                    self.suspended[holder["job"]] = partner
                    self.count("suspended")

    def after(self, job, time):
        if job["job"] in self.suspended:
            partner = self.suspended.pop(job["job"])
            partner.update(begin=time, beside=None)
            self.running.append(partner)

    def schedule(self):
        return super().schedule(matches=self.pairs)


def random_pairs(workload, seed=0, **parameters):
    name = parameters.pop("name", "lomarc")
    return RandomPairs(workload, get_policy(name, **parameters), seed).run()
