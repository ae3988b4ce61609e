"""The space-sharing oracle: conservative backfilling on a plan of future processors."""

from collections.abc import Iterable

from scheduler_core.declarations.policy import Policy
from tests.oracles.job import Job
from tests.oracles.plan import Use, earliest
from tests.oracles.space_sharing.state import Pass, State


class ConservativePass(Pass):
    """Conservative backfilling; ``begins`` are the reservations of the waiting jobs."""

    def __init__(self, policy: Policy) -> None:
        super().__init__(policy)
        self.begins: dict[Job, int] = {}

    def length(self, job: Job) -> int:
        """Return the run time the plan counts on."""
        return job.stay if self.policy.plan_by == "runtime" else job.estimate

    def plan(self, state: State) -> list[Use]:
        """Write down what running jobs and reservations take."""
        begins = {**state.running, **self.begins}
        return [Use(begin, begin + self.length(job), job.size) for job, begin in begins.items()]

    def __call__(self, state: State) -> None:
        """Plan new jobs, move reservations forward when a job ended early, start the jobs whose time has come."""
        early = any(state.now < state.started[job] + self.length(job) for job in state.just_ended)
        while not self.complete(state, early):
            early = True

    def complete(self, state: State, early: bool) -> bool:
        """Make the pass once; return whether no job that was due had to give its reservation up to a ceiling."""
        for job in [job for job in self.begins if state.held(job)]:
            del self.begins[job]
            early = True
        for job in state.ordered(state.queue, self.policy.order):
            if not state.held(job) and (job not in self.begins or (self.policy.compression and early)):
                self.begins.pop(job, None)
                plan = self.plan(state)
                self.begins[job] = earliest(state.processors, plan, state.now, self.length(job), job.size)
        due = [job for job, begin in self.begins.items() if begin == state.now]
        refused = False
        for job in state.ordered(due, self.policy.order):
            del self.begins[job]
            if state.held(job):
                refused = True
            else:
                state.start(job)
        return not refused

    def forget(self) -> None:
        """Give the plan up."""
        self.begins.clear()

    def alarms(self, state: State) -> Iterable[int]:
        """Wake up at the begin of every reservation."""
        return self.begins.values()
