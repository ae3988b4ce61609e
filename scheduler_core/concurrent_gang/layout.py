"""The initial world of a run: the policy's parameters, the jobs with their tasks' statements, the machine; and its limits."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from scheduler_core.common.errors import ContractError
from scheduler_core.common.units import MICROSECONDS, NS_PER_US
from scheduler_core.concurrent_gang import state
from scheduler_core.concurrent_gang.agenda import new_agenda
from scheduler_core.concurrent_gang.draws import UNIT_BITS
from scheduler_core.concurrent_gang.state import LATEST, World
from scheduler_core.kernel.event_queue import new_event_queue
from scheduler_core.kernel.records import Record, record, records

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scheduler_core.concurrent_gang.policies.concurrent_gang import ConcurrentGang
    from scheduler_core.stepping.engine_shell import Shell

ROOM = 64
LOCALS, CLASSIFIERS = ("none", "round_robin", "priority"), ("none", "counting", "bayes")
WAITINGS = ("spin", "spin_block", "controlled")
"""Words of parameters, in the order of their numbers in the state."""


def nanoseconds(microseconds: float) -> int:
    """Return a parameter rounded to whole nanoseconds."""
    return round(microseconds * NS_PER_US)


def whole_us(seconds: float) -> int:
    """Return nanoseconds of a parameter that is rounded to whole microseconds."""
    return round(seconds * MICROSECONDS) * NS_PER_US


def millionths(value: float) -> int:
    """Return a parameter rounded to millionths."""
    return round(value * state.WHOLE)


def make_rules(policy: ConcurrentGang, processors: int) -> Record:
    """Return the parameters as the plain numbers the event loop reads."""
    rules = record(state.RULES)
    rules.processors = processors
    rules.slice, rules.sums = whole_us(policy.slice_ms / 1000), whole_us(policy.sums_s)
    rules.switch, rules.latency = nanoseconds(policy.switch_us), nanoseconds(policy.latency_us)
    rules.overhead = nanoseconds(policy.overhead_us)
    rules.baseline = 2 * rules.latency + 4 * rules.overhead
    rules.waiting = WAITINGS.index(policy.waiting)
    rules.spin = rules.baseline if isinstance(policy.spin_us, str) else nanoseconds(policy.spin_us)
    rules.least_left = rules.spin + nanoseconds(policy.delta_switches * policy.switch_us)
    rules.resume_owner, rules.boost = policy.resume_owner, policy.boost
    rules.local, rules.classifier = LOCALS.index(policy.local), CLASSIFIERS.index(policy.classifier)
    rules.less_communication = policy.priority == "io_less_communication"
    rules.alpha = millionths(policy.alpha)
    rules.beta = -1 if isinstance(policy.beta, str) else millionths(policy.beta)
    rules.statements, rules.least_membership = policy.statements, millionths(policy.least_membership)
    rules.fast_forward, rules.gang = policy.fast_forward, policy.gang
    rules.fills, rules.balance = policy.fill == "intelligent", policy.balance
    rules.free_on_task_end = policy.free_on_task_end
    rules.until = state.NEVER if isinstance(policy.until_s, str) else whole_us(policy.until_s)
    if policy.trace_s > 0:
        rules.trace_begin = whole_us(policy.trace_from_s)
        rules.trace_end = rules.trace_begin + whole_us(policy.trace_s)
    return rules


def make_jobs(shell: Shell) -> np.ndarray:
    """Return the jobs that take part, with their applications."""
    table = shell.jobs.join(shell.workload.companions["applications"], on="job", how="left", maintain_order="left")
    jobs = records(table.height, state.JOB)
    size = table["size"].to_numpy()
    jobs["width"] = size
    jobs["first"] = np.cumsum(size) - size
    jobs["work"] = np.minimum(table["runtime_us"].to_numpy(), table["estimate_us"].to_numpy()) * NS_PER_US
    application = table["application"].to_physical().to_numpy().astype(np.int64)
    talks = np.isin(application, (state.MESSAGES, state.SUPERSTEPS, state.BARRIERS))
    jobs["application"] = np.where(talks & (size == 1), state.COMPUTE_ONLY, application)
    for name in ("seed", "most_tasks"):
        jobs[name] = table[name].to_numpy()
    jobs["burst"], jobs["disk"] = (table[name].to_numpy() * NS_PER_US for name in ("burst_us", "disk_us"))
    jobs["constant"] = (table["spread"] == "constant").to_numpy()
    jobs["imbalance"] = np.rint(table["imbalance"].to_numpy() * (1 << UNIT_BITS))
    return jobs


def make_world(policy: ConcurrentGang, shell: Shell) -> World:
    """Return the world of a run; a kernel lays out its tasks."""
    processors = shell.workload.machine.processors
    jobs, rules = make_jobs(shell), make_rules(policy, processors)
    count = int(jobs["width"].sum())
    tasks = records(count, state.TASK)
    steps, mail = make_programs(shell, jobs, tasks)
    clock = record(state.CLOCK_STATE)
    clock.turn, clock.left, clock.stalled = -1, len(jobs), -1
    clock.border = min(rules.sums, rules.trace_begin) if rules.trace_end > 0 else rules.sums
    machine = records(processors, state.PROCESSOR)
    for name in ("running", "last", "owner", "first_ran", "first_at_disk"):
        machine[name] = -1
    machine["activity"] = state.ACT_EMPTY
    kinds = (
        state.TRACED_ROW, state.TRACED_DISK, state.TRACED_MESSAGE, state.TRACED_BARRIER, state.TRACED_SLICE,
        state.TRACED_MEMBERSHIPS,
    )  # fmt: skip
    traced = 2 * ROOM * (processors + 1) if rules.trace_end > 0 else 0
    return World(
        rules=rules,
        clock=clock,
        counters=record(state.COUNTED),
        tasks=tasks,
        jobs=jobs,
        processors=machine,
        rows=np.zeros((0, processors), np.int64),
        ready=np.zeros((processors, ROOM), np.int64),
        sums=np.zeros((processors, state.SUMS), np.int64),
        job_sums=np.zeros((len(jobs), state.SUMS), np.int64),
        periods=np.zeros((ROOM, processors, state.SUMS), np.int64),
        gone=np.zeros(len(jobs), np.int64),
        ended=np.zeros(count, np.int64),
        agenda=new_agenda(processors),
        arrivals=new_event_queue(count + 1),
        mail=mail,
        steps=steps,
        ahead=records(processors, state.AHEAD),
        placed=np.zeros(len(jobs) if rules.fills else 0, np.int64),
        trace=state.Trace(*(records(traced, kind) for kind in kinds)),
    )


def make_programs(shell: Shell, jobs: np.ndarray, tasks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the statements of programs and their messages; set where those of each task and of each job begin."""
    positions = np.flatnonzero(jobs["application"] == state.PROGRAM)
    if len(positions) == 0:
        return records(0, state.STEP), records(ROOM, state.MAIL)
    numbers = pl.DataFrame({"job": shell.column("job")[positions], "position": positions})
    table = shell.workload.companions["programs"].join(numbers, on="job", how="inner", maintain_order="left")
    table = table.sort("position", "task", "step")
    steps = records(table.height, state.STEP)
    steps["statement"] = table["statement"].to_physical().to_numpy()
    steps["time"] = table["time_us"].to_numpy() * NS_PER_US
    steps["message"] = table["message"].to_numpy() - 1
    position = table["position"].to_numpy()
    of_task = jobs["first"][position] + table["task"].to_numpy()
    begins = np.flatnonzero(np.diff(of_task, prepend=-1))
    tasks["index"][of_task[begins]] = begins
    tasks["part"][of_task[begins]] = np.append(begins[1:], table.height)
    most = np.zeros(len(jobs), np.int64)
    np.maximum.at(most, position, table["message"].to_numpy())
    room = np.array([1 << int(count).bit_length() for count in most[positions]])
    jobs["room"][positions], jobs["mail"][positions] = room, np.cumsum(room) - room
    mail = records(int(room.sum()) + ROOM, state.MAIL)
    mail["sent"] = mail["row"] = -1
    for word, name in ((state.SEND, "sender"), (state.RECEIVE, "receiver")):
        at = np.flatnonzero(steps["statement"] == word)
        mail[name][jobs["mail"][position[at]] + steps["message"][at]] = of_task[at]
    return steps, mail


LATEST_US = LATEST // 1000
"""A time that a run can reach."""

MOST_WORK_US = 2**62 // 1000
"""What the tasks of a job may take together."""


def check_times(jobs: pl.DataFrame, companions: Mapping[str, pl.DataFrame]) -> None:
    """Raise :class:`ContractError` for a job that is submitted too late, or whose tasks take too long, to be counted.

    ``jobs`` are those that take part. Sums are those of double precision, which are near enough: limits are far below the end
    of int64.
    """
    size, run = pl.col("size").cast(pl.Float64), pl.min_horizontal("runtime_us", "estimate_us").cast(pl.Float64)
    refuse(jobs.select("job", time=pl.col("submit_us").cast(pl.Float64)), LATEST_US, "is submitted at")
    refuse(jobs.select("job", time=run), LATEST_US, "takes")
    refuse(jobs.select("job", time=run * size), MOST_WORK_US, "takes, all its tasks together,")
    if "programs" in companions:
        programs = companions["programs"].group_by("job").agg(time=pl.col("time_us").cast(pl.Float64).sum())
        refuse(programs.join(jobs, on="job", how="semi"), LATEST_US, "takes, by its program,")


def refuse(times: pl.DataFrame, limit_us: int, what: str) -> None:
    """Raise :class:`ContractError` when a time of a job is longer than the limit, with the longest of them."""
    longest = times.sort("time", "job", descending=[True, False]).head(1)
    for job, time in longest.filter(pl.col("time") > limit_us).rows():
        raise ContractError(
            f"concurrent_gang: job {job} {what} {time / MICROSECONDS:,.0f} s, and a run, which counts nanoseconds, can count to "
            f"{limit_us // MICROSECONDS:,} s; correct the job, or leave it out"
        )
