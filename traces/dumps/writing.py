"""The text of a log in Standard Workload Format, made of jobs: header, lines, and the numbers that stand for names."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo
from itertools import accumulate, pairwise

from traces.dumps.attempt import UNKNOWN, Job
from traces.swf_header import GPU_JOBS

KINDS = ("user", "group", "queue", "partition", "executable")
"""What the log numbers, in the order of first appearance, from 1."""

SHOWN = {"queue": "Queue", "partition": "Partition"}
"""What the header names, with the key of its lines; it never names people, groups or programs."""

BRIEF_S = 3600
"""How long peaks of use may last together to be left out of the derived size of a machine, in seconds."""

BRIEFLY = 0.001
"""The most of a log's time that they may last."""

DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


@dataclass(frozen=True)
class Source:
    """Where jobs come from: program, computer, time zone, and the size of the machine (0 where it is not known).

    ``gpus`` says that sizes count GPUs, ``gpu_jobs`` how many jobs have GPUs that are not counted. ``named`` says whether the
    header names queues and partitions.
    """

    program: str
    computer: str
    zone: tzinfo
    zone_name: str
    zone_given: bool
    processors: int
    nodes: int
    gpus: bool = False
    gpu_jobs: int = 0
    named: bool = True


Numbers = dict[str, dict[str, int]]
"""The number of each name, by kind."""


@dataclass(frozen=True)
class Written:
    """The text of a log, the names behind its numbers (kind, number, name), and the processors of its machine."""

    text: str
    names: list[tuple[str, int, str]]
    processors: int


def write(jobs: Sequence[Job], source: Source) -> Written:
    """Return the text of the log of some jobs, sorted by submission; there must be one."""
    numbers: Numbers = {kind: {} for kind in KINDS}
    zero = jobs[0].submit
    lines = [line(number, job, zero, numbers) for number, job in enumerate(jobs, start=1)]
    processors = source.processors or most_held(jobs)
    head = header(jobs, source, numbers, processors)
    names = [(kind, number, name) for kind in KINDS for name, number in numbers[kind].items()]
    names += [("job", number, job.attempt.job) for number, job in enumerate(jobs, start=1)]
    return Written("\n".join([*head, *lines]) + "\n", names, processors)


def line(number: int, job: Job, zero: int, numbers: Numbers) -> str:
    """Return the 18 fields of a job; submission is in seconds since ``zero``. A new name gets the next number of its kind."""
    attempt = job.attempt
    optional = (attempt.requested, attempt.limit, attempt.memory_kb)
    requested, limit, memory = (value if value is not None and value > 0 else UNKNOWN for value in optional)
    named = {
        kind: of.setdefault(name, len(of) + 1) if (name := getattr(attempt, kind)) else UNKNOWN
        for kind, of in numbers.items()
    }
    fields = (
        *(number, job.submit - zero, job.wait, job.runtime, job.allocated, UNKNOWN, UNKNOWN),
        *(requested, limit, memory, attempt.status),
        *(named["user"], named["group"], named["executable"], named["queue"], named["partition"], UNKNOWN, UNKNOWN),
    )
    return " ".join(map(str, fields))


def header(jobs: Sequence[Job], source: Source, numbers: Numbers, processors: int) -> list[str]:
    """Return the header comments."""
    zero, last = jobs[0].submit, max(job.submit + max(job.wait, 0) + max(job.runtime, 0) for job in jobs)
    pairs: list[tuple[str, object]] = [
        ("Version", "2.2"),
        *([("Computer", one_line(source.computer))] if source.computer else []),
        ("Conversion", f"slotwise import, from accounting of {source.program}"),
        ("MaxJobs", len(jobs)),
        ("MaxRecords", len(jobs)),
        ("UnixStartTime", zero),
        ("TimeZoneString", source.zone_name),
        ("StartTime", in_words(zero, source.zone)),
        ("EndTime", in_words(last, source.zone)),
        *([("MaxNodes", source.nodes)] if source.nodes else []),
        ("MaxProcs", processors),
    ]
    if not source.processors:
        pairs.append(
            ("Note", "MaxProcs is the most processors that jobs held at once: a lower bound, derived from the log")
        )
    if source.gpus:
        pairs.append(("Note", "the processors of this log are GPUs; jobs without GPUs are left out"))
    pairs += [(GPU_JOBS, source.gpu_jobs)] if source.gpu_jobs else []
    for kind, key in SHOWN.items():
        pairs += [(f"Max{key}s", len(numbers[kind]))] if numbers[kind] else []
        pairs += [(key, f"{number} {one_line(name)}") for name, number in numbers[kind].items() if source.named]
    if not source.zone_given:
        pairs.append(("Note", "no time zone was given, so local times of the dump were read as UTC"))
    notes = (
        "users, groups and executables are numbers in the order of first appearance",
        "a job cancelled before it started has a wait until then, and no run time or allocated processors",
    )
    return [f"; {key}: {value}" for key, value in (*pairs, *(("Note", note) for note in notes))]


def in_words(instant: int, zone: tzinfo) -> str:
    """Return a time in the form of the archive's headers, in English whatever the locale."""
    local = datetime.fromtimestamp(instant, zone)
    day, month = DAYS[local.weekday()], MONTHS[local.month - 1]
    return f"{day} {month} {local:%d %H:%M:%S} {local.tzname()} {local.year}"


def one_line(name: str) -> str:
    """Return a name as printable characters on one line."""
    return "".join(c if c.isprintable() else "?" for c in name)[:160]


def most_held(jobs: Iterable[Job]) -> int:
    """Return the most processors that jobs held at the same time, at least those of the largest job and at least 1.

    Peaks are left out that together last at most :data:`BRIEF_S` seconds and a share of :data:`BRIEFLY` of the log: where a
    clock goes back, jobs seem to overlap for an hour. A job that starts in the second in which another ends may have its
    processors.
    """
    changes: list[tuple[int, int]] = []
    largest = 1
    for job in jobs:
        if job.runtime >= 0 and job.allocated > 0:
            start = job.submit + job.wait
            changes += [(start, job.allocated), (start + job.runtime, -job.allocated)]
            largest = max(largest, job.allocated)
    changes.sort()
    seconds: dict[int, int] = {}  # how long each number of processors was held
    held = 0
    for (time, change), (after, _) in pairwise(changes):
        held += change
        seconds[held] = seconds.get(held, 0) + after - time
    brief = min(BRIEF_S, BRIEFLY * sum(seconds.values()))
    numbers = sorted(seconds, reverse=True)
    above = accumulate(seconds[number] for number in numbers)
    return max(largest, next((number for number, total in zip(numbers, above, strict=True) if total > brief), 0))
