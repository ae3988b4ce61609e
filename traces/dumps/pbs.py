"""Reading accounting logs of PBS and Torque: a record per line, ``date;type;job;key=value key=value ...``.

A record E, the end of a job, becomes a job. So does a record D or A of a job that never started: it was deleted or aborted in the
queue. The other records tell of jobs that have such a line, or of jobs that had not ended.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scheduler_core.declarations.words import counted
from traces.dumps.attempt import CANCELLED, COMPLETED, FAILED, Attempt, Instant, Unreadable, bounded
from traces.dumps.reading import ImportOptions, Reading, chosen_cluster, gpus_of
from traces.dumps.rules import Ledger
from traces.dumps.times import Clock, duration, whole_seconds

WRITTEN = "%m/%d/%Y %H:%M:%S"
"""How the time of a record is written, in local time; times in the fields are seconds since 1970."""

ENDED, QUEUED, STARTED, RERUN = "E", "Q", "S", "R"
DELETED = frozenset("DA")
"""Records of jobs that a user deleted or the server aborted."""

EVENTS = frozenset("QSARBTCHLPMUYkKcuDsa")
"""Types of records that make no job by themselves: queued, started, aborted, rerun, reservations, licences, ..."""

PAIR = re.compile(r"(?:^|\s)([A-Za-z_][\w.]*)=")
JOB = re.compile(r"\d+(?:\[\d*\])?(?:\.[\w.-]+)?", re.ASCII)
TASK = re.compile(r"\[\d+\]", re.ASCII)
NODE_PART = re.compile(r"(\d+)(?::|$)", re.ASCII)
MEMORY = re.compile(r"(\d+)([kmgt]?)[bw]?", re.ASCII | re.IGNORECASE)
KILOBYTES = {"": 1 / 1024, "k": 1, "m": 1024, "g": 1024**2, "t": 1024**3}
Fields = dict[str, str]
Record = tuple[int, str, str, str, Fields]


def read(path: Path, lines: Sequence[str], options: ImportOptions, clock: Clock, ledger: Ledger) -> Reading:
    """Return the attempts of an accounting log, and the server that wrote it; servers are chosen like clusters."""
    records = list(parsed(lines, ledger))
    server = chosen_cluster(
        path, ((line, {"cluster": server_of(job)}) for line, _, _, job, _ in records), options.cluster
    )
    for line, _, _, job, _ in records:
        if server_of(job) not in ("", server):
            ledger.put(line, "other_cluster")
    ours = [record for record in records if server_of(record[3]) in ("", server)]
    ended = [fields for _, _, kind, _, fields in ours if kind == ENDED]
    counts = Counts(options.processors // options.nodes if options.processors and options.nodes else 0, options.gpus)
    note = "" if options.gpus or counts.of_node else node_note(ended)
    return Reading(attempts(ours, clock, ledger, counts), server, notes=[note])


@dataclass(frozen=True)
class Counts:
    """What the size of a job counts: processors, of which a node has ``of_node`` (0: not known), or GPUs."""

    of_node: int = 0
    gpus: bool = False


def node_note(ended: Iterable[Fields]) -> str:
    """Return a note if records state nodes and no processors."""
    records = sum(map(states_nodes_only, ended))
    if not records:
        return ""
    return (
        f"{counted(records, 'record')} without a number of processors: each of their nodes counts as one processor. State "
        "--processors and --nodes of the machine, and each counts with all its processors"
    )


def states_nodes_only(fields: Fields) -> bool:
    """Return whether a record states a number of nodes, and nothing that says how many processors they are."""
    keys = ("total_execution_slots", *(f"Resource_List.{name}" for name in ("ncpus", "nodes", "select")))
    return "Resource_List.nodect" in fields and not any(key in fields for key in keys) and not lists_slots(fields)


def lists_slots(fields: Fields) -> bool:
    """Return whether a record lists the processors on each node that the job held (Cobalt lists nodes only)."""
    return "/" in fields.get("exec_host", "")


def gpus(fields: Fields) -> int:
    """Return the GPUs that a job asked for, in a resource of its own, or in its chunks or nodes; 0 if it asked for none."""
    by_chunks = (
        chunks(fields.get(f"Resource_List.{name}", ""), key, 0)
        for name, key in (("select", "ngpus"), ("nodes", "gpus"))
    )
    return max(number(fields.get("Resource_List.ngpus", "")) or 0, *by_chunks)


def server_of(job: str) -> str:
    """Return the server of a job's number such as ``123.server``."""
    return job.partition(".")[2]


def parsed(lines: Sequence[str], ledger: Ledger) -> Iterator[Record]:
    """Yield (line from 1, time, type, job, fields) of each record of a job; put the other lines down in the ledger."""
    for number, line in ledger.unread(lines):
        parts = line.split(";", 3)
        if len(parts) < 4:
            ledger.put(number, "wrong_fields", f"{len(parts)} parts between semicolons, expected 4")
        elif len(parts[1]) == 1 and JOB.fullmatch(parts[2]):
            yield number, parts[0], parts[1], parts[2], fields_of(parts[3])
        elif parts[1] in EVENTS and not JOB.fullmatch(parts[2]):
            ledger.put(number, "event")  # of a reservation or of licences
        else:
            ledger.put(number, "no_job_number", parts[2][:40])


def fields_of(text: str) -> Fields:
    """Return the fields of a record; a value ends where the next key begins."""
    places = list(PAIR.finditer(text))
    ends = [place.start() for place in places[1:]] + [len(text)] * bool(places)
    return {place[1]: text[place.end() : end].strip() for place, end in zip(places, ends, strict=True)}


def attempts(records: Sequence[Record], clock: Clock, ledger: Ledger, counts: Counts) -> Iterator[Attempt]:
    """Yield an attempt for every record E, and for the first record D or A of every job that never started; put the others down.

    The queue of a job that never started, and the time of its submission, come from its record Q. A record E of a whole array is
    an event of its tasks, which have records of their own.
    """
    of_kind: dict[str, set[str]] = {}
    for _, _, kind, job, _ in records:
        of_kind.setdefault("D" if kind in DELETED else kind, set()).add(job)
    ended, began, deleted = (of_kind.get(kind, set()) for kind in (ENDED, STARTED, "D"))
    in_queue = deleted - ended - began
    queued = {job: (time, fields) for _, time, kind, job, fields in records if kind == QUEUED}
    known = ended | in_queue
    arrays = {TASK.sub("[]", job) for job in ended if TASK.search(job)}
    taken: set[str] = set()
    for line, time, kind, job, fields in records:
        try:
            if kind == ENDED and job in arrays:
                ledger.put(line, "event")
            elif kind == ENDED:
                yield ended_job(line, job, fields, job in deleted, counts)
            elif kind in DELETED and job in in_queue and job not in taken:
                taken.add(job)
                yield deleted_job(line, time, job, fields, queued.get(job), clock, counts)
            else:
                ledger.put(line, *other_record(kind, job in known))
        except Unreadable as error:
            ledger.put(line, error.rule, error.found)


def other_record(kind: str, known: bool) -> tuple[str, str]:
    """Return the rule of a record that makes no job, with what was found; ``known`` says that another record makes its job."""
    if kind == RERUN:
        return "earlier_attempt", ""
    if kind not in EVENTS:
        return "unknown_state", f"record {kind}"
    return ("event" if known else "not_finished"), ""


def ended_job(line: int, job: str, fields: Fields, deleted: bool, counts: Counts) -> Attempt:
    """Return the attempt of a record E; ``deleted`` says that a user or the server ended the job."""
    requested = asked(fields, counts)
    allocated = requested if counts.gpus else held(fields)
    start = instant(fields, "start")
    submit = instant(fields, "ctime") or instant(fields, "qtime")
    eligible = instant(fields, "etime")
    return Attempt(
        line=line,
        key=(job, str(submit)),
        job=job,
        submit=submit or eligible,
        start=start,
        end=instant(fields, "end"),
        elapsed=duration(fields.get("resources_used.walltime", "")),
        allocated=allocated,
        requested=requested,
        memory_kb=memory_kb(fields, allocated or requested),
        **stated(fields),
        status=status_of(fields.get("Exit_status", ""), deleted),
        gpus=gpus(fields) > 0,
        repairs=() if submit or not eligible else ("submit_from_eligible",),
    )


def deleted_job(
    line: int, time: str, job: str, fields: Fields, queued: tuple[str, Fields] | None, clock: Clock, counts: Counts
) -> Attempt:
    """Return the attempt of a record D of a job that never started: cancelled in the queue."""
    known = {**(queued[1] if queued else {}), **fields}
    submit = instant(known, "ctime") or instant(known, "qtime")
    if submit is None and queued:
        submit = clock.read(queued[0], WRITTEN)[0]
    requested = asked(known, counts)
    return Attempt(
        line=line,
        key=(job, str(submit)),
        job=job,
        submit=submit,
        start=None,
        end=clock.read(time, WRITTEN)[0],
        elapsed=None,
        allocated=None,
        requested=requested,
        memory_kb=memory_kb(known, requested),
        **stated(known),
        status=CANCELLED,
        gpus=gpus(known) > 0,
    )


def stated(fields: Fields) -> dict[str, Any]:
    """Return what a record states of a job whether it started or not."""
    words = {"user": "user", "group": "group", "queue": "queue", "executable": "jobname"}
    texts = {name: fields.get(key, "") for name, key in words.items()}
    return {"limit": walltime(fields), **texts}


def instant(fields: Fields, key: str) -> Instant | None:
    """Return a time in seconds since 1970; None if it is missing or zero."""
    seconds = whole_seconds(fields.get(key, ""))
    return (seconds,) if seconds else None


def status_of(text: str, deleted: bool) -> int:
    """Return the status of an exit status: 0 completed; any other failed, or cancelled if the job was deleted."""
    if not re.fullmatch(r"-?\d{1,9}", text, re.ASCII):
        raise Unreadable("unknown_state", f"Exit_status={text[:40]}")
    if int(text) == 0:
        return COMPLETED
    return CANCELLED if deleted else FAILED


def walltime(fields: Fields) -> int | None:
    """Return the requested run time in seconds, written as a duration or as seconds."""
    text = fields.get("Resource_List.walltime", "")
    return whole_seconds(text) if text.isdecimal() else duration(text)


def held(fields: Fields) -> int | None:
    """Return the processors that a job held, by the nodes it ran on; None if they are not known.

    ``node1/0-7+node2/0-7`` (Torque) lists processors; in ``node1/0*8+node2/0*8`` (PBS) the number after ``*`` counts them.
    """
    text = fields.get("exec_host", "")
    if not lists_slots(fields):
        return number(fields.get("total_execution_slots", ""))
    total = 0
    for part in text.split("+"):
        _, _, slots = part.partition("/")
        counted = slots.rpartition("*")[2] if "*" in slots else ""
        total += (number(counted) or 0) if counted else sum(map(width, slots.split(",")))
    return bounded(total)


def width(slots: str) -> int:
    """Return the number of processors of a range such as ``0-7``, or of a single one."""
    first, dash, last = slots.partition("-")
    if not dash or not (first.isdecimal() and last.isdecimal()):
        return 1
    return max(bounded(int(last)) - bounded(int(first)) + 1, 1)


def asked(fields: Fields, counts: Counts) -> int | None:
    """Return the processors (or GPUs) that a job requested; None if they are not known.

    ``Resource_List.ncpus`` states them, or ``nodes=2:ppn=8+1:ppn=4`` or ``select=2:ncpus=8`` does; the largest is taken. Else
    ``nodect`` counts nodes, each with all its processors, or as one where it is not known how many it has. Raise
    :class:`Unreadable` for a job without GPUs where these are counted.
    """
    if counts.gpus:
        return gpus_of(gpus(fields))
    ncpus = number(fields.get("Resource_List.ncpus", ""))
    texts = ((fields.get("Resource_List.nodes", ""), "ppn"), (fields.get("Resource_List.select", ""), "ncpus"))
    by_chunks = max(chunks(text, key) for text, key in texts)
    nodes = number(fields.get("Resource_List.nodect", ""))
    return max(ncpus or 0, by_chunks) or (bounded(nodes * max(counts.of_node, 1)) if nodes else nodes)


def chunks(text: str, key: str, least: int = 1) -> int:
    """Return the sum of a request such as ``2:ppn=8+1:ppn=4``; named nodes count once, and those without the key ``least``."""
    total = 0
    for chunk in text.split("+") if text else ():
        first, *parts = chunk.split(":")
        times = number(first) if NODE_PART.match(first) else 1
        each = next((part.partition("=")[2] for part in parts if part.startswith(f"{key}=")), str(least))
        total += (times or 1) * max(number(each) or 0, least)
    return bounded(total)


def number(text: str) -> int | None:
    """Return a whole number; None where there is nothing."""
    if not text:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) < 12):
        raise Unreadable("bad_number", text[:40])
    return bounded(int(text))


def memory_kb(fields: Fields, size: int | None) -> int | None:
    """Return the requested memory per processor in kB; ``mem`` is of the job, ``pmem`` of a process."""
    for key, parts in (("Resource_List.pmem", 1), ("Resource_List.mem", size)):
        match = MEMORY.fullmatch(fields.get(key, ""))
        if match and parts and len(match[1]) < 16:
            kilobytes = int(int(match[1]) * KILOBYTES[match[2].lower()] / parts)
            return kilobytes if 0 < kilobytes < 10**12 else None
    return None
