"""Companion tables of what the tasks of jobs do inside a time slice, and their checks.

The tasks of a job of size q are its processes, numbered 0 to q - 1, one on each of its processors.
:mod:`scheduler_core.concurrent_gang` defines what each application does with its columns. A *program* is written statement by
statement. This module executes it with communication that takes no time, and refuses a program that would wait forever.
"""

from collections import deque
from collections.abc import Mapping
from typing import Any, NamedTuple

import polars as pl

from scheduler_core.common.errors import ContractError
from scheduler_core.common.units import MICROSECONDS
from scheduler_core.contracts.tables import refuse_rows

Application = pl.Enum(("compute", "io", "messages", "supersteps", "irregular", "program", "barriers"))
"""What the tasks of a job do: compute alone; alternate computing and disk; exchange messages; work in supersteps (BSP); process
pieces of work, whose number changes from phase to phase; follow their statements in `programs`; compute and wait at barriers."""

Spread = pl.Enum(("exponential", "constant"))
"""The distribution of lengths around their mean."""

Statement = pl.Enum(("compute", "disk", "send", "receive", "barrier"))
"""What a task may do next."""

MOST_MEAN_US = 100 * MICROSECONDS
"""The largest mean length."""

APPLICATIONS_COLUMNS: dict[str, Any] = {
    "job": pl.Int64,
    "application": Application,
    "seed": pl.Int64,  # what its lengths and partners are drawn from, >= 0; no two jobs have the same
    # Mean of a computing burst of io, of the gap between messages, of the work of a superstep or between barriers, of a piece
    # of an irregular job: > 0; 0 for compute and program.
    "burst_us": pl.Int64,
    "disk_us": pl.Int64,  # mean of a disk request of io, > 0; 0 for others
    "spread": Spread,
    "imbalance": pl.Float64,  # of supersteps, from 0 to below 1: by what part tasks work more or less; 0 for others
    "most_tasks": pl.Int32,  # most pieces of work in a phase of an irregular job, >= 1; 0 for others
}
"""What the tasks of jobs do: a row for every job, in order of job."""

PROGRAMS_COLUMNS: dict[str, Any] = {
    "job": pl.Int64,  # a job whose application is program
    "task": pl.Int32,  # 0, 1, ..., size - 1; each has a statement
    "step": pl.Int32,  # 0, 1, ... within the task
    "statement": Statement,
    "time_us": pl.Int64,  # of compute and disk, > 0; 0 for others
    "message": pl.Int64,  # of send and receive: 1, 2, ... within the job, one of each, by different tasks; 0 for others
}
"""Statements of the tasks of programs: a row per statement, in order of job, task and step."""

STEP = ("job", "task", "step")
"""Columns that name a statement."""

MOST_NAMED = 5
"""The most tasks that an error names."""


def of(*words: str) -> pl.Expr:
    """Return whether a row's application is one of some words."""
    return pl.col("application").is_in(words)


def states(*words: str) -> pl.Expr:
    """Return whether a row's statement is one of some words."""
    return pl.col("statement").is_in(words)


BURSTS = of("io", "messages", "supersteps", "irregular", "barriers")

APPLICATIONS_BROKEN: dict[str, pl.Expr] = {
    "seed is negative": pl.col("seed") < 0,
    "seed is that of another job, too": pl.col("seed").is_duplicated(),
    "burst_us is negative": pl.col("burst_us") < 0,
    "burst_us is 0 though the application computes in bursts": BURSTS & (pl.col("burst_us") == 0),
    "burst_us is not 0 though the application has no bursts": ~BURSTS & (pl.col("burst_us") != 0),
    "disk_us is negative": pl.col("disk_us") < 0,
    "disk_us is 0 though the application is io": of("io") & (pl.col("disk_us") == 0),
    "disk_us is not 0 though the application is not io": ~of("io") & (pl.col("disk_us") != 0),
    f"a mean is longer than {MOST_MEAN_US // MICROSECONDS} s": (
        (pl.col("burst_us") > MOST_MEAN_US) | (pl.col("disk_us") > MOST_MEAN_US)
    ),
    "imbalance is outside 0 to below 1": ~pl.col("imbalance").is_between(0, 1, closed="left"),
    "imbalance is not 0 though the application is not supersteps": ~of("supersteps") & (pl.col("imbalance") != 0),
    "most_tasks is below 1 though the application is irregular": of("irregular") & (pl.col("most_tasks") < 1),
    "most_tasks is not 0 though the application is not irregular": ~of("irregular") & (pl.col("most_tasks") != 0),
}
"""Rules that rows of `applications` must not break; each expression is true in rows that do."""

PROGRAMS_BROKEN: dict[str, pl.Expr] = {
    "time_us is negative": pl.col("time_us") < 0,
    "time_us is 0 though the statement takes a time": states("compute", "disk") & (pl.col("time_us") == 0),
    "time_us is not 0 though the statement is given no time": ~states("compute", "disk") & (pl.col("time_us") != 0),
    "message is below 1 though the statement sends or receives one": (
        states("send", "receive") & (pl.col("message") < 1)
    ),
    "message is not 0 though the statement neither sends nor receives": (
        ~states("send", "receive") & (pl.col("message") != 0)
    ),
    "step is not the next of its task, and steps are numbered 0, 1, ... without a gap,": (
        pl.col("step") != pl.int_range(pl.len()).over("job", "task")
    ),
}
"""Rules that rows of `programs` must not break; each expression is true in rows that do."""


def check_applications(jobs: pl.DataFrame, companions: Mapping[str, pl.DataFrame]) -> None:
    """Raise :class:`ContractError` when the tables of applications and programs contradict each other or the jobs."""
    if "applications" not in companions:
        if "programs" in companions:
            raise ContractError(
                "workload: table 'programs' needs table 'applications', which says of every job what its tasks do"
            )
        return
    applications = companions["applications"]
    programs = companions.get("programs", pl.DataFrame(schema=PROGRAMS_COLUMNS))
    named = applications.filter(of("program")).select("job")
    lost = named.join(programs, on="job", how="anti", maintain_order="left")
    if lost.height:
        raise ContractError(
            f"workload: table 'programs' has no statement of job {lost['job'][0]}, whose application is program, and of "
            f"{lost.height} of {named.height} such jobs; expected one at least for every task"
        )
    if programs.height:
        check_programs(jobs, named, programs)


def check_programs(jobs: pl.DataFrame, named: pl.DataFrame, programs: pl.DataFrame) -> None:
    """Raise :class:`ContractError` when a program is incomplete, or can never end.

    ``named`` has the jobs whose application is program.
    """
    what = "workload: table 'programs'"
    sized = programs.join(jobs.select("job", "size"), on="job", how="left", maintain_order="left")
    broken = {
        "the job's application is not program": ~pl.col("job").is_in(named["job"].implode()),
        "task is none of its job's, which are 0 to size - 1,": ~pl.col("task").is_between(0, pl.col("size") - 1),
    }
    refuse_rows(sized, broken, STEP, what)
    tasks = sized.group_by("job", "size", maintain_order=True).agg(pl.col("task").unique())
    for job, size, found in tasks.filter(pl.col("task").list.len() < pl.col("size")).rows():
        missing = next(task for task in range(size) if task not in set(found))
        raise ContractError(
            f"{what}: task {missing} of job {job} has no statement; expected one at least for each of {size}"
        )
    idle = programs.group_by("job", maintain_order=True).agg(pl.col("time_us").max()).filter(pl.col("time_us") == 0)
    if idle.height:
        raise ContractError(
            f"{what}: no task of job {idle['job'][0]} computes or uses its disk; expected one that does"
        )
    check_messages(programs)
    check_barriers(programs)
    for (job,), program in programs.group_by("job", maintain_order=True):
        check_ends(job, program)


def check_messages(programs: pl.DataFrame) -> None:
    """Raise :class:`ContractError` when a message lacks exactly one send and one receive by different tasks."""
    what = "workload: table 'programs'"
    sends, receives = (
        pl.col("task", "step").filter(pl.col("statement") == word).name.suffix(f"_{word}")
        for word in ("send", "receive")
    )
    messages = (
        programs.filter(states("send", "receive"))
        .group_by("job", "message")
        .agg(sends, receives)
        .sort("job", "message")
        .with_columns(expected=pl.int_range(pl.len()).over("job") + 1)
    )
    for job, message, sending, sent, receiving, received, expected in messages.rows():
        name = f"{what}: job {job}, message {message}"
        if len(sent) != 1:
            raise ContractError(
                f"{name}, which task {receiving[0]} receives at step {received[0]}, is sent by no task; expected one send"
                if not sent
                else f"{name} is sent {len(sent)} times ({steps(sending, sent)}); expected one send"
            )
        if len(received) != 1:
            raise ContractError(
                f"{name}, which task {sending[0]} sends at step {sent[0]}, is received by no task; expected one receive"
                if not received
                else f"{name} is received {len(received)} times ({steps(receiving, received)}); expected one receive"
            )
        if sending[0] == receiving[0]:
            raise ContractError(
                f"{name} is sent and received by the same task {sending[0]} (steps {sent[0]} and {received[0]}); expected "
                "two different tasks"
            )
        if message != expected:
            raise ContractError(
                f"{name} (task {sending[0]}, step {sent[0]}) follows message {expected - 1}; expected message {expected}: "
                "messages of a job are numbered 1, 2, ... without a gap"
            )


def steps(tasks: list[int], numbers: list[int]) -> str:
    """Return the first statements of tasks in words: ``task 0, step 3; task 1, step 2``."""
    named = [f"task {task}, step {step}" for task, step in zip(tasks, numbers, strict=True)]
    return "; ".join(named[:MOST_NAMED]) + ("; ..." if len(named) > MOST_NAMED else "")


def check_barriers(programs: pl.DataFrame) -> None:
    """Raise :class:`ContractError` when a task of a job has fewer barriers than another, which would wait forever."""
    at_barrier = pl.col("step").filter(pl.col("statement") == "barrier")
    barriers = programs.group_by("job", "task", maintain_order=True).agg(at_barrier)
    counted = barriers.with_columns(count=pl.col("step").list.len())
    odd = counted.filter(pl.col("count").max().over("job") != pl.col("count").min().over("job"))
    for (job,), tasks in odd.group_by("job", maintain_order=True):
        longest = tasks.row(tasks["count"].arg_max(), named=True)
        shortest = tasks.row(tasks["count"].arg_min(), named=True)
        raise ContractError(
            f"workload: table 'programs': job {job} never ends: task {longest['task']} waits at step "
            f"{longest['step'][shortest['count']]} at barrier {shortest['count'] + 1}, which task {shortest['task']} never "
            f"reaches, as it has {shortest['count']} of them; expected equally many barriers in all tasks of a job"
        )


class Step(NamedTuple):
    """A statement of a task."""

    statement: str
    time_us: int
    message: int


def steps_of(program: pl.DataFrame) -> dict[int, list[Step]]:
    """Return the statements of each task of a job."""
    found: dict[int, list[Step]] = {task: [] for task in program["task"].unique(maintain_order=True)}
    for task, *step in program.select("task", *Step._fields).rows():
        found[task].append(Step(*step))
    return found


def check_ends(job: int, program: pl.DataFrame) -> None:
    """Raise :class:`ContractError` when tasks of a program wait for each other forever.

    How far tasks get depends on no machine and no scheduler (:func:`execute`): a task that does not end there never ends.
    """
    tasks = steps_of(program)
    reached, _ = execute(tasks)
    at = {task: steps[reached[task]] for task, steps in tasks.items() if reached[task] < len(steps)}
    if not at:
        return
    senders = {
        step.message: (task, number)
        for task, steps in tasks.items()
        for number, step in enumerate(steps)
        if step.statement == "send"
    }
    late = next(task for task, step in at.items() if step.statement == "receive")  # one receives, or all had gone on
    chain: list[int] = []
    task = next(iter(at))
    while task not in chain:
        chain.append(task)
        task = senders[at[task].message][0] if at[task].statement == "receive" else late
    circle = chain[chain.index(task) :]
    named = []
    for task in circle[:MOST_NAMED]:
        message = at[task].message
        sender, sent = senders.get(message, (late, 0))
        named.append(
            f"task {task} waits at step {reached[task]} for message {message}, which task {sender} sends at step {sent}"
            if at[task].statement == "receive"
            else f"task {task} waits at step {reached[task]} at a barrier, for task {late}"
        )
    raise ContractError(
        f"workload: table 'programs': job {job} never ends: {', '.join(named)}{', ...' if len(circle) > MOST_NAMED else ''}: "
        f"each waits for the next, the last for the first ({len(at)} of {len(tasks)} tasks do not come to their end); "
        "let one of them send before it receives, or come to the barrier before it"
    )


def execute(tasks: Mapping[int, list[Step]]) -> tuple[dict[int, int], dict[int, int]]:
    """Return how many statements each task executes, and when it ends, with free communication.

    Each task has its own processor and disk. A send never waits, a receive waits for its send, a barrier for all tasks.
    """
    reached, now = dict.fromkeys(tasks, 0), dict.fromkeys(tasks, 0)
    sent: dict[int, int] = {}
    receivers: dict[int, int] = {}
    arrived: list[int] = []
    ready = deque(tasks)
    while ready:
        task = ready.popleft()
        while reached[task] < len(tasks[task]):
            statement, time_us, message = tasks[task][reached[task]]
            if statement == "barrier":
                arrived.append(task)
                if len(arrived) == len(tasks):
                    last = max(now.values())
                    for other in arrived:
                        reached[other] += 1
                        now[other] = last
                    ready.extend(arrived)
                    arrived = []
                break
            if statement == "receive":
                if message not in sent:
                    receivers[message] = task
                    break
                now[task] = max(now[task], sent[message])
            now[task] += time_us
            reached[task] += 1
            if statement == "send":
                sent[message] = now[task]
                if message in receivers:
                    ready.append(receivers.pop(message))
    return reached, now


def alone_us(program: pl.DataFrame) -> int:
    """Return how long the program of a job takes alone with free communication."""
    return max(execute(steps_of(program))[1].values())
