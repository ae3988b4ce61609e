"""Legal schedules of jobs with shares, drawn by chance: any waiting job may start that may run beside the others.

A reserved start is one by which all that runs or is reserved must have ended, and nothing starts that might still run then: so
the job is sure to find the machine empty.
"""

from scheduler_core.declarations.policy import get_policy
from tests.scheduler_core.checker.coscheduling.shared_processors import FULL, S, SharedProcessors, ppm


class RandomShares(SharedProcessors):
    """Jobs that run on the whole machine at once, each with its share."""

    def __init__(self, workload, policy, seed):
        super().__init__(workload, policy, seed)
        self.offers, self.reserved = [], []

    # Slowdowns and shares

    def slowdown(self, job):
        return self.slowed(job, self.beside(job))

    def slowed(self, job, others):
        if not others:
            return FULL
        if self.set["slowdown"] == "constants":
            return ppm(self.set["slowdown_of_two" if len(others) == 1 else "slowdown_of_three"])
        return max(ppm(self.cells[job["application"], other["application"]]) for other in others)

    def effective(self, share, slowdown):
        return min(FULL, -(-share * slowdown // FULL)) if self.set["accounting"] == "effective" else share

    def asked(self, job):
        if self.set["assignment"] == "equal":
            return FULL // self.set["at_once"], FULL // self.set["at_once"]
        low = job.get("promised", ppm(job["share_low"]))
        return low, max(low, ppm(job["share_high"]))

    def needed(self, job, others):
        return self.effective(self.asked(job)[0], self.slowed(job, others))

    def others(self, job, jobs):
        return [other for other in jobs if other is not job]

    def may_run(self, jobs):
        if len(jobs) == 1:
            return True
        slow = max(self.slowed(job, self.others(job, jobs)) for job in jobs) > ppm(self.set["slowdown_limit"])
        needed = sum(self.needed(job, self.others(job, jobs)) for job in jobs)
        return len(jobs) <= self.set["at_once"] and not slow and needed <= FULL

    def share(self, job):
        shares = []
        for number, one in enumerate(self.running):
            slowdown = self.slowed(one, self.others(one, self.running))
            after = sum(self.needed(other, self.others(other, self.running)) for other in self.running[number + 1 :])
            most = max(self.needed(one, self.others(one, self.running)), self.effective(self.asked(one)[1], slowdown))
            shares.append(min(most, FULL - sum(shares) - after))
        if self.set["reclaim"] == "all":
            shares = [share * FULL // sum(shares) for share in shares]
        elif self.set["reclaim"] == "alone" and len(shares) == 1:
            shares = [FULL]
        return shares[self.running.index(job)]

    # The pass

    def latest_end(self, job, time):
        """Return a time by which a job that starts now has surely ended."""
        return time + -(-(job["estimate_us"] + 1000) * 2 * FULL // self.asked(job)[0])

    def arrived(self, job, time):
        if job["asks"] == "nothing":
            return
        last = max((other["latest"] for other in [*self.running, *self.reserved]), default=0)
        low, high = self.asked(job)
        at = max(time, job["wanted_us"], last)
        for number in range(1, self.draw.randint(1, self.set["offers"]) + 1):
            taken = {"picks": "picked", "reserves": "reserved"}[job["asks"]] if number == 1 else "no"
            promised = self.draw.randint(low, high)
            self.offers.append((job["job"], number, time, at, self.effective(promised, FULL), FULL, taken))
            if taken == "reserved":
                job.update(promised=promised, reserved=at)
                job["latest"] = self.latest_end(job, at)
                self.reserved.append(job)
            at += self.draw.randint(1, 100 * S)

    def instants(self):
        return [*super().instants(), *(job["reserved"] for job in self.reserved)]

    def step(self, time):
        for job in [job for job in self.reserved if job["reserved"] == time]:
            self.reserved.remove(job)
            self.begin(job, time)
            self.count("reserved")
        first = min((job["reserved"] for job in self.reserved), default=2**62)
        for job in self.draw.sample(self.waiting, len(self.waiting)):
            skipped = self.draw.random() < 0.3 and (self.running or self.to_come or self.reserved)
            if job in self.reserved or self.latest_end(job, time) > first or skipped:
                continue
            if self.may_run([*self.running, job]):
                self.begin(job, time)

    def begin(self, job, time):
        job.setdefault("latest", self.latest_end(job, time))
        self.enter(job, list(range(job["size"])), time)

    def schedule(self):
        return super().schedule(offers=self.offers)


def random_shares(workload, seed=0, **parameters):
    return RandomShares(workload, get_policy("scojo_shares", **parameters), seed).run()
