"""Reading `sacct -P`: lines of named columns, of which SLURM has many, in any order.

Jobs of an array and components of a heterogeneous job are jobs of their own, as SLURM schedules them. Steps are counted, but
no jobs.
"""

import re
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from pathlib import Path

from scheduler_core.common.errors import LogError
from traces.dumps.attempt import (
    CANCELLED,
    COMPLETED,
    ELSEWHERE,
    FAILED,
    LARGEST,
    UNFINISHED,
    Attempt,
    Instant,
    Unreadable,
)
from traces.dumps.reading import (
    ImportOptions,
    Reading,
    attempts_of,
    chosen_cluster,
    gpus_of,
    heading_of,
    of_cluster,
    times_of,
)
from traces.dumps.recognise import SLURM_COLUMNS
from traces.dumps.rules import Ledger
from traces.dumps.separated import Row, Rows
from traces.dumps.times import Clock, duration, limit, whole_seconds

STATES: dict[str, int] = {
    "COMPLETED": COMPLETED,
    **dict.fromkeys(("FAILED", "NODE_FAIL", "OUT_OF_MEMORY", "BOOT_FAIL", "TIMEOUT", "PREEMPTED"), FAILED),
    **dict.fromkeys(("LAUNCH_FAILED", "RECONFIG_FAIL"), FAILED),
    **dict.fromkeys(("CANCELLED", "DEADLINE"), CANCELLED),
    **dict.fromkeys(("PENDING", "RUNNING", "SUSPENDED", "REQUEUED", "REQUEUE_FED", "REQUEUE_HOLD"), UNFINISHED),
    **dict.fromkeys(("SPECIAL_EXIT", "CONFIGURING", "COMPLETING", "RESIZING", "SIGNALING", "STAGE_OUT"), UNFINISHED),
    **dict.fromkeys(("STOPPED", "RESV_DEL_HOLD"), UNFINISHED),
    "REVOKED": ELSEWHERE,
}
"""States of SLURM, and the status that each becomes. The log cannot tell a limit from an error: both have failed."""

NEEDED: dict[str, tuple[str, ...]] = {
    "JobIDRaw": ("JobIDRaw", "JobID"),
    "Submit": ("Submit", "Eligible"),
    "Start": ("Start",),
    "End": ("End", "ElapsedRaw", "Elapsed"),
    "State": ("State",),
    "AllocTRES": ("AllocTRES", "AllocCPUS", "NCPUS"),
}
"""Columns without which there is no log, each with those that serve as well."""

READ = (
    *("JobID", "JobIDRaw", "User", "Account", "Partition", "QOS", "Submit", "Eligible", "Start", "End", "Elapsed"),
    *("ElapsedRaw", "Timelimit", "TimelimitRaw", "NCPUS", "ReqCPUS", "AllocCPUS", "NNodes", "ReqNodes", "AllocNodes"),
    *("ReqMem", "ReqTRES", "AllocTRES", "State", "Cluster", "JobName"),
)
"""Columns that are read."""

CALL = (
    "sacct -a -P --noconvert -D -X -S 2024-01-01 -o JobIDRaw,JobID,Cluster,User,Account,Partition,QOS,Submit,Eligible,Start,End,"
    "ElapsedRaw,TimelimitRaw,NNodes,ReqMem,ReqTRES,AllocTRES,State > DUMP"
)
"""The call that gives every column that matters."""

TIMES = ("submit", "eligible", "start", "end")

Sizes = Callable[[Row], tuple[int | None, int | None]]
"""Returns what a job held and requested, in processors or GPUs; None where it is not known."""

STEP = re.compile(r"[^.\s\[]+\..+")
PENDING_ARRAY = re.compile(r"\d+_\[.*\]?")
NUMBER = re.compile(r"\d+(?:_\d+|_\[.*|\+\d+)?", re.ASCII)
COUNT = re.compile(r"(\d+(?:\.\d+)?)([KMG]?)", re.ASCII)
MEMORY = re.compile(r"(\d+(?:\.\d+)?)([KMGTP]?)([nc]?)", re.ASCII)
FACTORS = {"": 1, "K": 1024, "M": 1024**2, "G": 1024**3, "T": 1024**4, "P": 1024**5}
MEBI = 1024**2


def read(path: Path, lines: Sequence[str], options: ImportOptions, clock: Clock, ledger: Ledger) -> Reading:
    """Return the attempts of `sacct -P`."""
    heading = heading_of(path, lines, options)
    known = {name.casefold() for name in heading.names}
    missing = [name for name, ways in NEEDED.items() if not any(way.casefold() in known for way in ways)]
    if missing:
        found = ", ".join(heading.names)
        raise LogError(f"{path}: no column {', '.join(missing)} among {found}; call sacct with them: {CALL}")
    ignored, notes = heading.unused(READ)
    if not known & {"timelimit", "timelimitraw"}:
        notes.append("no column Timelimit or TimelimitRaw: requested times are unknown, and simulations take run times")
    table = Rows(lines, heading.line, heading.delimiter, ledger)
    clock.learn_dates(path, times_of(table, TIMES))
    cluster = chosen_cluster(path, table, options.cluster)
    rows, sizes = of_cluster(table, cluster, ledger), gpus_in if options.gpus else processors
    return Reading(attempts_of(rows, partial(read_row, clock, sizes), ledger), cluster, ignored, notes)


def what_is_wrong(first: str) -> str:
    """Return why the first line of a dump does not name its columns, as the end of a clause; empty if that is not known."""
    if first.lstrip().startswith("{"):
        return " (JSON: call sacct with -P instead of --json)"
    if len({name.casefold() for name in first.split()} & SLURM_COLUMNS) >= 3:
        return " (columns of sacct in print: call it with -P)"
    states = {part.split()[0].removesuffix("+") for part in first.split("|") if part.strip()}
    return " (a job, not the names of columns: call sacct without -n or --noheader)" if states & set(STATES) else ""


def read_row(clock: Clock, sizes: Sizes, line: int, row: Row) -> Attempt:
    """Return the attempt of a row; raise :class:`Unreadable` for a step, and when a column that is needed cannot be read.

    ``sizes`` tells what a job held and requested.
    """
    job = (row.get("jobid") or row.get("jobidraw", "")).strip()
    raw = (row.get("jobidraw") or job).strip()
    if STEP.fullmatch(job) or STEP.fullmatch(raw):
        raise Unreadable("step", "")
    if not NUMBER.fullmatch(job) or not raw:
        raise Unreadable("no_job_number", job[:40])
    status = status_of(row["state"])
    repairs, local, times = [], False, {}
    for name in TIMES:
        times[name], is_local, skipped = clock.read(row.get(name, ""))
        local |= is_local
        if skipped and name != "eligible":
            repairs.append("skipped_time")
    submit = times["submit"]
    if submit is None and times["eligible"] is not None:
        submit = times["eligible"]
        repairs.append("submit_from_eligible")
    if PENDING_ARRAY.fullmatch(job):
        repairs.append("array_in_one_line")
    elapsed = whole_seconds(row.get("elapsedraw", ""))
    if elapsed is None:
        elapsed = duration(row.get("elapsed", ""))
    allocated, requested = sizes(row)
    start = times["start"] if held_processors(row, times, elapsed, allocated, status) else None
    return Attempt(
        line=line,
        key=(raw, row.get("user", "")),
        job=job,
        submit=submit,
        start=start,
        end=times["end"],
        elapsed=elapsed,
        allocated=allocated if start else None,
        requested=requested,
        limit=limit_of(row),
        memory_kb=memory_kb(row, allocated or requested),
        status=status,
        user=row.get("user", "").strip(),
        group=row.get("account", "").strip(),
        queue=row.get("qos", "").strip(),
        partition=row.get("partition", "").strip(),
        executable=row.get("jobname", "").strip(),
        local=local,
        gpus="gres/gpu" in row.get("reqtres", "") + row.get("alloctres", ""),
        repairs=tuple(repairs),
    )


def status_of(text: str) -> int:
    """Return the status of a state, which may be cut (``CANCELLED+``) or say who cancelled (``CANCELLED by 1000``)."""
    words = text.split()
    word = words[0].upper() if words else ""
    if word in STATES:
        return STATES[word]
    fitting = {STATES[state] for state in STATES if len(word) > 3 and state.startswith(word.removesuffix("+"))}
    if not word.endswith("+") or len(fitting) != 1:
        raise Unreadable("unknown_state", "".join(words[:1])[:40])
    return fitting.pop()


def held_processors(
    row: Row, times: dict[str, Instant | None], elapsed: int | None, allocated: int | None, status: int
) -> bool:
    """Return whether a job ever held processors.

    SLURM gives a job that was cancelled in the queue a start, that of its end, a duration of zero and no allocated processors.
    NCPUS has the requested ones then.
    """
    if elapsed or (elapsed is None and times["start"] != times["end"]):
        return True
    if "alloctres" in row or "alloccpus" in row:
        return bool(allocated) or status == COMPLETED
    return status != CANCELLED


def processors(row: Row) -> tuple[int | None, int | None]:
    """Return the allocated and the requested processors.

    The text of trackable resources (TRES) wins over other columns. NCPUS is what was allocated, or requested if nothing was.
    """
    allocated = first_known(tres(row.get("alloctres", ""), "cpu"), count(row.get("alloccpus", "")))
    if allocated is None and not ("alloctres" in row or "alloccpus" in row):
        allocated = count(row.get("ncpus", ""))
    requested = first_known(
        tres(row.get("reqtres", ""), "cpu"), count(row.get("reqcpus", "")), count(row.get("ncpus", ""))
    )
    return allocated, requested


def gpus_in(row: Row) -> tuple[int | None, int]:
    """Return the allocated and the requested GPUs, of one kind each where only kinds are counted (``gres/gpu:a100=4``).

    Raise :class:`Unreadable` for a job without GPUs.
    """
    allocated, requested = (gpus_named(row.get(name, "")) for name in ("alloctres", "reqtres"))
    return allocated or None, gpus_of(max(allocated, requested))


@lru_cache(maxsize=10_000)
def gpus_named(text: str) -> int:
    """Return the GPUs in a text of trackable resources; 0 if there are none."""
    whole = tres(text, "gres/gpu")
    kinds = (part.partition("=")[0].strip() for part in text.split(","))
    return whole or sum(tres(text, kind) or 0 for kind in kinds if kind.startswith("gres/gpu:"))


def first_known(*numbers: int | None) -> int | None:
    """Return the first number that is known; None if none is."""
    return next((number for number in numbers if number is not None), None)


@lru_cache(maxsize=10_000)
def tres(text: str, name: str) -> int | None:
    """Return the count of a resource in a text such as ``billing=4,cpu=64,mem=8G,node=2``; None if it is not in there."""
    for part in text.split(","):
        key, _, value = part.partition("=")
        if key.strip() == name:
            return count(value)
    return None


@lru_cache(maxsize=10_000)
def count(text: str) -> int | None:
    """Return a number of processors or nodes, which sacct may write as ``2K`` (2048); None where there is nothing."""
    text = text.strip()
    if not text or text.casefold() == "unknown":
        return None
    match = COUNT.fullmatch(text)
    number = float(match[1]) * FACTORS[match[2]] if match and len(text) < 20 else 0.5
    if number != int(number) or number > LARGEST:
        raise Unreadable("bad_number", text[:40])
    return int(number)


def limit_of(row: Row) -> int | None:
    """Return the requested run time in seconds; None without a limit."""
    known = limit(row.get("timelimit", ""))
    return known if known is not None else limit(row.get("timelimitraw", ""), unit=60)


def memory_kb(row: Row, size: int | None) -> int | None:
    """Return the requested memory per processor in kB; None if it is not known.

    ``ReqMem`` is per node (``4Gn``), per processor (``4Gc``) or, from SLURM 21.08 on, of the whole job.
    """
    match = MEMORY.fullmatch(row.get("reqmem", "").strip())
    if not match or len(match[0]) > 20 or not size:
        return None
    size_in_bytes = float(match[1]) * (FACTORS[match[2]] if match[2] else MEBI)
    nodes = first_known(*(count(row.get(name, "")) for name in ("allocnodes", "nnodes", "reqnodes"))) or 1
    parts = {"c": 1.0, "n": size / nodes, "": float(size)}[match[3]]
    kilobytes = int(size_in_bytes / parts / 1024)
    return kilobytes if 0 < kilobytes < 10**12 else None
