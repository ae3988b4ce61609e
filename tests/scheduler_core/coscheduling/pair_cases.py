"""Jobs that use processor, network and disk, as the tests of LOMARC's parts are told of them."""

from types import SimpleNamespace
from typing import Any

import polars as pl

from scheduler_core.contracts import WORKLOAD_COLUMNS, Machine, Workload
from scheduler_core.contracts.companions import BEHAVIOUR_COLUMNS
from scheduler_core.coscheduling import engine, state
from scheduler_core.coscheduling.policies.lomarc import Lomarc
from scheduler_core.declarations.policy import get_policy
from scheduler_core.kernel.records import Record, record
from tests.scheduler_core.scenario import us

KINDS = ("cpu", "network", "disk")
MEMORY = 10_000
"""Memory of a processor, in kB."""

TOGETHER, APART = (0.1, 0.2), (0.1, 0.3)
"""Phases of two jobs whose computing goes well together, and of two whose does not."""


def rules(call: str = "lomarc", processors: int = 128) -> Record:
    """Return what a policy sets."""
    policy = get_policy(call)
    assert isinstance(policy, Lomarc)
    return engine.make_rules(policy, processors, MEMORY)


def behaves(cpu: float, network: float, disk: float, kind: str = "cpu", phase: float = 0.5, **more: Any) -> Record:
    """Return a job by what it does with its time."""
    job = record(state.ASKED)
    fields = {
        "cpu": cpu,
        "network": network,
        "disk": disk,
        "kind": KINDS.index(kind),
        "cpu_phase": phase,
        "processors": 1,
        "job_class": state.LONG,
        **more,
    }
    for name, value in fields.items():
        setattr(job, name, value)
    return job


def workload(processors: int, *jobs: tuple[float, float, float, int], **behaviour: list[Any]) -> Workload:
    """Return jobs as submission, run time, estimate (s) and processors; in turn they only compute and only read.

    ``behaviour`` gives columns of their behaviour, or ``memory_kb``.
    """
    count = len(jobs)
    rows = [(number, us(a), us(b), us(c), size) for number, (a, b, c, size) in enumerate(jobs, 1)]
    table = pl.DataFrame(rows, schema=WORKLOAD_COLUMNS, orient="row")
    memory = pl.Series("memory_kb", behaviour.pop("memory_kb", [0] * count), dtype=pl.Int64)
    turns = {name: [float(k % 2 == turn) for k in range(count)] for name, turn in (("cpu", 0), ("disk", 1))}
    columns = dict.fromkeys(BEHAVIOUR_COLUMNS, [0.0] * count) | {
        "job": list(range(1, count + 1)),
        "kind": ["cpu" if k % 2 == 0 else "disk" for k in range(count)],
        "application": [0] * count,
        **turns,
        **behaviour,
    }
    companions = {"behaviour": pl.DataFrame(columns, schema=BEHAVIOUR_COLUMNS)}
    return Workload(table.with_columns(memory), Machine(processors, memory_kb=MEMORY), companions=companions)


def waits(work: list[tuple[float, int]]) -> list[SimpleNamespace]:
    """Return waiting jobs by what is left of their estimates (s) and their sizes."""
    return [SimpleNamespace(time=us(time), size=size) for time, size in work]
