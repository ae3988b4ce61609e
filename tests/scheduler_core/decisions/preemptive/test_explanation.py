"""Why a job of a preemptive policy started when it did, and why it was suspended."""

from itertools import groupby

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import slotwise as sw
from scheduler_core.common.errors import ContractError
from scheduler_core.contracts.companions import STANDSTILLS_COLUMNS
from scheduler_core.decisions.explanation import explain, explained
from scheduler_core.decisions.history import History
from tests.paths import PROJECT
from tests.profiles import searching
from tests.scheduler_core.decisions.counting import assert_told, whole
from tests.scheduler_core.preemptive import moldable_policies, preemptive_policies
from tests.scheduler_core.preemptive.test_moldable import jobs_on
from tests.slotwise.planning.small_jobs import SECOND_US, jobs, workload

FILE = PROJECT / "tests" / "scheduler_core" / "preemptive" / "preemptive_policies.py"

PROCESSORS = 4

ROWS = st.lists(st.tuples(st.integers(0, 30), st.integers(1, 20), st.integers(1, PROCESSORS)), min_size=1, max_size=10)


@sw.preemptive
class Turns(preemptive_policies.RoundRobin):
    """Round robin in slices of three seconds."""

    slice_s = 3


POLICIES = {
    "shortest": preemptive_policies.shortest_remaining,
    "turns": Turns,
    "placed": preemptive_policies.placing_resumed_jobs,
    "alone": preemptive_policies.elsewhere,
}


def test_three_jobs_are_explained_by_hand():
    """Job 3 suspends job 2, which has suspended job 1; job 4 waits for both that came before it and were shorter.

    1 ##.....########
    2   #.###
    3    #
    4     ..........._###
    """
    log = workload(jobs((0, 10, 1), (2, 4, 1), (3, 1, 1), (4, 12, 1)), 1)
    made = sw.simulate(log, f"{FILE}:shortest_remaining")
    first, second, third, fourth = (explain(log, made, job) for job in (1, 2, 3, 4))
    assert list(first.sentences()) == [
        "Job 1 started at once, and was suspended once, for 5 s.",
        "It finished 15 s after its start, although it runs for 10 s alone. The metric wait counts this, too: 5 s in all.",
        "It asks for 1 processor for 10 s (estimate) and runs for 10 s; the policy is shortest_remaining "
        "(preemptive_policies.py).",
        "Submitted on day 0, 00:00: 1 of 1 processor is free, 0 jobs running, 0 jobs waiting.",
        "On day 0, 00:00:02 it was suspended: job 2 started. It stood suspended for 5 s, in which 2 jobs ran (2, 3), both "
        "submitted later. It was resumed on day 0, 00:00:07 when job 2 ended.",
    ]
    assert list(second.sentences())[3:] == [
        "Submitted on day 0, 00:00:02: 0 of 1 processor are free, 1 job running (1), 0 jobs waiting.",
        "Job 1 was suspended then.",
        "On day 0, 00:00:03 it was suspended: job 3 started. It stood suspended for 1 s, in which 1 job ran (3). It was resumed "
        "on day 0, 00:00:04 when job 3 ended.",
    ]
    assert "1 job running (2), 1 job suspended (1), 0 jobs waiting" in str(third)
    assert fourth.answer() == "Job 4 waited 11 s because earlier jobs held the processors."
    assert "It started on day 0, 00:00:15 when job 1 ended, with 1 processor free." in str(fourth)
    assert {one.change: one.start_us for one in fourth.alternatives} == {
        "no later job had been submitted": 15 * SECOND_US,
        "all estimates were exact": 15 * SECOND_US,
    }


def test_a_wait_behind_later_jobs_is_told_apart():
    """Job 1 holds the machine for 2 s more; then shorter jobs, submitted later, run before job 2."""
    log = workload(jobs((0, 4, 2), (2, 9, 2), (3, 2, 2), (5, 1, 1)), 2)
    found = explain(log, sw.simulate(log, f"{FILE}:shortest_remaining"), 2)
    assert found.answer() == (
        "Job 2 waited 5 s: 3 s because later jobs held the processors, and 2 s because earlier jobs held the processors."
    )
    assert found.overtook == [3, 4]
    assert "It would have started 3 s earlier if no later job had been submitted" in whole(found)


def test_a_decision_of_the_policy_is_called_so():
    """The policy of the test leaves a free processor idle until a minute has passed."""

    @sw.preemptive
    def late(now, waiting, running, free):
        if now < 60:
            return sw.CallAgain(60)
        return preemptive_policies.fcfs_that_sees(now, waiting, running, free)

    log = workload(jobs((0, 10, 1), (20, 10, 1)), 2)
    found = sw.simulate(log, late).explain(2)
    assert found.answer() == "Job 2 waited 40 s by a decision of your policy."
    assert "Enough processors were free for all of its wait, but your policy did not choose it." in str(found)
    assert "The policy was not run on changed jobs: " in str(found)


def seconds(us):
    """Return whole seconds."""
    assert us % SECOND_US == 0
    return us // SECOND_US


def stretches(marks):
    """Return first second, end and mark of each stretch of equal marks, by second from 0."""
    second = 0
    for mark, same in groupby(marks):
        begin, second = second, second + len(list(same))
        yield begin, second, mark


@pytest.mark.parametrize("name", POLICIES)
@given(rows=ROWS.map(sorted))
@searching(15)
def test_what_is_told_is_what_a_count_second_by_second_finds(name, rows):
    log = workload(jobs(*rows), PROCESSORS)
    made = sw.simulate(log, POLICIES[name])
    history = History(log, made)
    held = made.allocations.select("job", "begin_us", "end_us", "processor_ids").rows()
    held = [(job, seconds(begin), seconds(end), ids) for job, begin, end, ids in held]
    size = dict(log.jobs.select("job", "size").iter_rows())
    submit = {job: seconds(at) for job, at in log.jobs.select("job", "submit_us").iter_rows()}
    first = {job: min(begin for other, begin, *_ in held if other == job) for job in size}
    last = {job: max(end for other, _, end, _ in held if other == job) for job in size}

    def running(second):
        return {job for job, begin, end, _ in held if begin <= second < end}

    for job in size:
        found = explained(history, job)
        assert_told(found)
        later = {other for other in size if (submit[other], other) > (submit[job], job)}
        marks = ["waits" if s < first[job] else "runs" if job in running(s) else "suspended" for s in range(last[job])]
        marks = marks[submit[job] :]
        shifted = [(begin + submit[job], end + submit[job], mark) for begin, end, mark in stretches(marks)]
        pieces = [(seconds(begin), seconds(end), word) for begin, end, word in found.pieces(last[job] * SECOND_US)]
        assert [piece for piece in pieces if piece[0] < piece[1]] == shifted
        causes = {"room": 0, "later": 0, "own": 0}
        for second in range(submit[job], first[job]):
            others = running(second)
            free = PROCESSORS - sum(size[other] for other in others)
            behind = sum(size[other] for other in others & later)
            causes["own" if free >= size[job] else "later" if free + behind >= size[job] else "room"] += SECOND_US
        assert {cause.rule: cause.us for cause in found.causes} == {rule: us for rule, us in causes.items() if us}
        gone = [(begin, end) for begin, end, mark in shifted if mark == "suspended"]
        assert len(found.suspensions) == len(gone)
        for one, (begin, end) in zip(found.suspensions, gone, strict=True):
            began = {other for other, at, *_ in held if at == begin}
            assert (set(one.started), set(one.resumed)) == (
                {other for other in began if first[other] == begin},
                {other for other in began if first[other] < begin},
            )
            ran = set().union(*(running(second) for second in range(begin, end)))
            assert (set(one.ran), set(one.later)) == (ran, ran & later)
            stopped = {other for other, _, at, _ in held if at == end and other != job}
            assert set(one.ended) == {other for other in stopped if last[other] == end}
            assert set(one.gave_way) == {other for other in stopped if last[other] > end}
            room = [s for s in range(begin, end) if sum(size[other] for other in running(s)) + size[job] <= PROCESSORS]
            assert one.fitting_us == len(room) * SECOND_US
            assert (one.took is None) == (name not in ("placed", "alone"))
            if one.took is not None:
                own = {at: ids for other, at, _, ids in held if other == job}
                before = next(ids for other, _, at, ids in held if (other, at) == (job, begin))
                assert (one.before, one.after) == (before, own[end])
                firsts = [
                    min((at, other) for other, at, _, ids in held if begin <= at < end and place in ids)[1]
                    for place in before
                    if any(begin <= at < end and place in ids for _, at, _, ids in held)
                ]
                assert set(one.took) == set(firsts)


@given(rows=ROWS.map(sorted))
@searching(15)
def test_what_is_told_of_the_submission_is_what_the_policy_saw(rows):
    log, saw = workload(jobs(*rows), PROCESSORS), {}

    @sw.preemptive
    def looking(now, waiting, running, free):
        begun = {job.number for job in waiting if job.suspended}
        saw[now * SECOND_US] = [job.number for job in waiting], begun, [job.number for job in running], free
        return preemptive_policies.shortest_remaining(now, waiting, running, free)

    history = History(log, sw.simulate(log, looking))
    for job in log.jobs["job"].to_list():
        found = explained(history, job)
        waiting, begun, running, free = saw[found.submit_us]
        assert (set(found.running), set(found.suspended), found.free_at_submission) == (set(running), begun, free)
        assert found.ahead == [other for other in waiting[: waiting.index(job)] if other not in begun]


def test_processors_are_told_where_the_policy_names_them():
    """Job 1 runs on the lowest processor until job 2 comes, and is resumed on the highest."""
    log = workload(jobs((0, 10, 1), (2, 4, 1)), 2)
    said = str(sw.simulate(log, preemptive_policies.elsewhere).explain(1, alternatives=False))
    assert "On day 0, 00:00:02 it was suspended: job 2 started on its processors." in said
    assert "It was resumed on day 0, 00:00:06 when job 2 ended, on processor 1 instead of 0." in said


def test_standstills_are_told():
    still = pl.DataFrame([(5 * SECOND_US, 50 * SECOND_US)], schema=STANDSTILLS_COLUMNS, orient="row")
    log = workload(jobs((0, 10, 2), (8, 10, 2)), 2)
    log = log.transformed(log.jobs, {"step": "test"}, companions={"standstills": still})
    said = str(sw.simulate(log, f"{FILE}:shortest_remaining").explain(2))
    assert "Job 2 waited 42 s: 40 s because the machine stood still, and 2 s because earlier jobs held" in said
    assert "takes 42 s of it: no job starts then." in said


def test_a_policy_that_would_not_repeat_its_schedule_is_not_run_on_changed_jobs(tmp_path):
    """The policy of the file runs the jobs of user 2 first; a run keeps no users."""
    file = tmp_path / "users.py"
    file.write_text(
        "import slotwise as sw\n\n@sw.preemptive\ndef by_user(now, waiting, running, free):\n"
        "    chosen = []\n    for job in sorted(waiting, key=lambda job: job.user != 2):\n"
        "        if job.size <= free:\n            chosen.append(job)\n            free -= job.size\n    return chosen\n"
    )
    table = jobs((0, 10, 1), (1, 10, 1), (2, 10, 1)).with_columns(user=pl.Series([1, 1, 2], dtype=pl.Int32))
    log = workload(table, 1)
    made = sw.simulate(log, f"{file}:by_user")
    assert {one.change for one in explain(log, made, 2).alternatives} >= {"no later job had been submitted"}
    without = explain(workload(table.drop("user"), 1), made, 2)
    assert without.alternatives == []
    assert "on the same jobs it gives another schedule than this one" in str(without)
    assert "name the log (--log LOG)" in str(without)


def test_an_unknown_job_is_refused():
    log = workload(jobs((0, 10, 1), (2, 4, 3)), 2)
    made = sw.simulate(log, f"{FILE}:shortest_remaining")
    with pytest.raises(ContractError, match="the run has no job 7; its 2 jobs are numbered 1 to 2"):
        made.explain(7)
    with pytest.raises(ContractError, match="job 2 never started: it is rejected"):
        made.explain(2)


def test_the_sizes_that_a_job_was_given_are_told():
    """Job 2 finds half the machine, and gets all of it when it is resumed."""
    rows = [(1, 0, 25, 25, 4, "rigid"), (2, 0, 90, 90, 4, "malleable"), (3, 0, 5, 5, 8, "rigid")]
    log = jobs_on(8, *rows)
    made = sw.simulate(log, moldable_policies.WideningSoon)
    assert "It ran on 4, then 8 processors instead of the 4 that it asked for." in str(explain(log, made, 2))
    assert "instead of" not in str(explain(log, made, 1))
    wide = jobs_on(8, (1, 0, 100, 100, 4, "moldable"), (2, 0, 9, 9, 8, "rigid"))
    told = str(explain(wide, sw.simulate(wide, moldable_policies.widest), 1))
    assert "It ran on 8 processors instead of the 4 that it asked for." in told
    assert "although it runs for" not in told
