"""Intelligent fill alone: who becomes owner of a processor that the row names no task for."""

import numpy as np

from scheduler_core.concurrent_gang.fill import fill_slice
from scheduler_core.concurrent_gang.state import JOB, PROCESSOR, READY, TASK
from scheduler_core.kernel.jit import kernel_entry
from scheduler_core.kernel.records import records

fill = kernel_entry(lambda *arguments: fill_slice(*arguments))


def filled(row: str, *jobs: tuple[list[int], str], order: list[int] | None = None) -> str:
    """Return the owners of a slice, a letter per processor: the job's number, `.` where there is none.

    The row is drawn likewise; jobs are numbered from 1, each with the processors of its tasks and what they are: `i` ready and
    I/O-bound, `c` ready and communicating, `-` neither.
    """
    sizes = [len(held) for held, _ in jobs]
    first_task = np.concatenate(([0], np.cumsum(sizes)))
    listed, tasks, processors = records(len(jobs), JOB), records(sum(sizes), TASK), records(len(row), PROCESSOR)
    listed["first"], listed["width"] = first_task[:-1], sizes
    kinds = "".join(kinds for _, kinds in jobs)
    tasks["processor"] = [processor for held, _ in jobs for processor in held]
    tasks["state"] = READY
    tasks["io_bound"], tasks["communicating"] = ([kind == word for kind in kinds] for word in "ic")
    processors["owner"] = [
        -1 if job == "." else first_task[int(job) - 1] + jobs[int(job) - 1][0].index(k) for k, job in enumerate(row)
    ]
    fill(np.array(range(len(jobs)) if order is None else order), listed, tasks, processors)
    owner = processors["owner"]
    assert all(tasks["processor"][task] == k for k, task in enumerate(owner) if task >= 0)
    return "".join("." if task < 0 else str(np.searchsorted(first_task, task, side="right")) for task in owner)


def test_the_job_with_most_tasks_ready_for_their_disk_comes_first_whole_or_not():
    assert filled("....", ([0, 1], "ii"), ([1, 2, 3], "iii")) == "1222"
    assert filled("....", ([0, 1], "ii"), ([1, 2, 3], "-ii")) == "1122"
    assert filled("....", ([0, 1], "i-"), ([1, 2, 3], "--i")) == "1..2"


def test_ties_go_to_the_job_placed_first():
    jobs = (([0, 1], "ii"), ([1, 2], "ii"))
    assert filled("...", *jobs) == "112"
    assert filled("...", *jobs, order=[1, 0]) == "122"
    jobs = (([0, 1], "cc"), ([1, 2], "cc"))
    assert filled("...", *jobs) == "11."
    assert filled("...", *jobs, order=[1, 0]) == ".22"


def test_only_tasks_on_processors_without_owner_count():
    assert filled("3...", ([0, 1, 2], "iii"), ([1, 2], "ii"), ([0], "-")) == "311."
    assert filled("33..", ([0, 1, 2], "iii"), ([2, 3], "ii"), ([0, 1], "--")) == "3322"


def test_a_job_that_communicates_runs_whole_or_not_at_all_and_after_those_with_disks():
    assert filled("....", ([0, 1, 2, 3], "cccc"), ([3], "i"), ([0, 1], "cc")) == "33.2"
    assert filled("....", ([0, 1, 2, 3], "ccc-"), ([2, 3], "cc")) == "..22"
    assert filled("....", ([0, 1], "cc"), ([1, 2, 3], "ccc")) == ".222"  # the larger
    assert filled("....", ([0, 1], "ci"), ([1, 2], "cc")) == ".1.."  # what is mixed owns what it needs for its disk


def test_what_is_neither_stays_with_the_local_scheduler():
    assert filled("1..", ([0], "-"), ([1, 2], "--")) == "1.."


def test_nothing_is_done_where_every_processor_has_its_owner():
    assert filled("111", ([0, 1, 2], "---"), ([0, 1, 2], "iii"), ([1, 2], "cc")) == "111"
