"""The rules that kept a job from starting, beside what the oracle's passes decide."""

from collections import Counter

import pytest
from hypothesis import given

from scheduler_core.decisions.explanation import explain
from scheduler_core.decisions.space_sharing import explanation
from scheduler_core.declarations.policy import get_policy
from scheduler_core.runs.simulation import simulate
from tests.oracles.space_sharing import easy, oracle, plan
from tests.profiles import searching
from tests.scheduler_core.decisions.counting import steps_of as steps_of
from tests.scheduler_core.decisions.space_sharing.test_passes import ROWS, drawn, oracle_passes


def waiting(state, order="fcfs"):
    """Return the numbers of the jobs that wait after a pass, in the order of the queue, and the free processors."""
    return [job.job for job in state.ordered(state.queue, order)], state.free()


class Listed(oracle.ListPass):
    """A pass of list scheduling that remembers the queue it leaves."""

    seen: dict

    def __call__(self, state):
        super().__call__(state)
        self.seen[state.now] = waiting(state, self.policy.order)


class First(oracle.FcfsPass):
    """The same of first come, first served."""

    seen: dict

    def __call__(self, state):
        super().__call__(state)
        self.seen[state.now] = waiting(state)


class Reserved(easy.SingleReservationPass):
    """A pass of EASY that remembers the queue it leaves, with the head's shadow time and the extra processors left."""

    seen: dict

    def __call__(self, state):
        super().__call__(state)
        kept = (self.kept.shadow, self.kept.extra) if self.kept else None
        self.seen[state.now] = (*waiting(state, self.policy.order), kept)


class Planned(plan.ConservativePass):
    """A pass of conservative backfilling that remembers all reservations."""

    seen: dict

    def __call__(self, state):
        super().__call__(state)
        self.seen[state.now] = {job.job: begin for job, begin in self.begins.items()}


def told_steps(steps_of, log, policy):
    """Yield the steps of all waits under a policy, each with its job."""
    schedule = simulate(log, policy)
    for row in schedule.jobs.to_dicts():
        kept = steps_of(explanation)
        explain(log, schedule, row["job"], alternatives=False)
        for step in kept[0]:
            yield row, step


KINDS = {"fcfs": First, "list": Listed, "easy": Reserved}


@pytest.mark.parametrize(
    "text",
    [
        *("fcfs", "sjf", "lxf", 'list(order="smallest", when_blocked="skip")'),
        *("easy", "easy_sjbf", 'easy(order="shortest")', "easy(extra_processors=False)"),
        *('easy(tied_releases="not_extra")', 'easy(candidate_runtime="real")', "easy(candidates=1)"),
        *('easy(instant="completions_first")', 'easy(reservation="once")'),
    ],
)
def test_the_rule_is_that_of_the_oracles_pass(text, steps_of):
    """No room: fewer processors are free. Behind a head: the oracle's queue begins with it, and EASY's test of the job fails."""
    told = Counter()

    @given(rows=ROWS)
    @searching(20)
    def hold(rows):
        policy, log = get_policy(text), drawn(rows)
        seen = oracle_passes(KINDS[policy.name], policy, log)
        starts = dict(simulate(log, policy).jobs.select("job", "start_us").iter_rows())
        for row, step in told_steps(steps_of, log, policy):
            told[step.rule] += 1
            last = max(now for now in seen if now <= step.begin_us)
            queue, free, *reserved = seen[last]
            assert row["job"] in queue
            assert (step.rule == "room") == (free < row["size"])
            if step.rule == "room":
                continue
            assert step.job == queue[0] != row["job"]
            assert step.rule == "head" if policy.name != "easy" else step.rule in ("reservation", "candidates")
            if step.rule == "reservation":
                ((shadow, extra),) = reserved
                stay = min(row["runtime_us"], row["estimate_us"])
                length = stay if policy.candidate_runtime == "real" else row["estimate_us"]
                assert last + length > shadow
                assert row["size"] > extra or not policy.extra_processors
            if step.rule == "candidates":
                backfilled = [job for job, start in starts.items() if start == last and job > queue[0]]
                assert queue.index(row["job"]) + len(backfilled) > policy.candidates

    hold()
    assert told["room"]
    assert told["head"] + told["reservation"] or text not in ("fcfs", "easy")


@pytest.mark.parametrize("text", ["conservative", "conservative(compression=False)", 'conservative(order="shortest")'])
@searching(6)
@given(rows=ROWS)
def test_a_job_with_room_waits_for_its_own_reservation(text, rows):
    policy, log = get_policy(text), drawn(rows)
    schedule = simulate(log, policy)
    seen = oracle_passes(Planned, policy, log)
    for row in schedule.jobs.to_dicts():
        found = explain(log, schedule, row["job"], alternatives=False)
        assert {cause.rule for cause in found.causes} <= {"room", "plan"}
        waits = [begins[row["job"]] for now, begins in seen.items() if row["submit_us"] <= now < row["start_us"]]
        assert all(begin >= row["start_us"] for begin in waits) or policy.compression
