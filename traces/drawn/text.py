"""The text of the drawn log in Standard Workload Format, with a few odd lines: ``python -m traces.drawn.text`` writes the file.

Odd lines exercise the accounting of lines. Lines that the reader rejects are added between the jobs, so that the recorded
schedule does not depend on them. Lines that it repairs are jobs with a field changed.
"""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path

from scheduler_core.common.files import replacing
from traces.drawn.jobs import DAY, DAYS, GROUPS, OUTAGE, PARTITIONS, Job, draw_jobs
from traces.drawn.schedule import give_waits

FILE = Path(__file__).with_name("drawn.swf.gz")

START = 978_307_200
"""Time zero of the log: Monday, 1 January 2001, 00:00 UTC."""

HEADER = f"""\
; Version: 2.2
; Computer: DRAWN by slotwise
; Installation: no machine recorded this log
; Information: traces/README.md of slotwise
; Acknowledge: nobody; never cite this log as a real one
; MaxJobs: {{jobs}}
; MaxRecords: {{jobs}}
; UnixStartTime: {START}
; TimeZoneString: UTC
; StartTime: Mon Jan 01 00:00:00 UTC 2001
; MaxNodes: 128
; MaxProcs: 128 (120, 8)
; AllowOveruse: False
; Queues: 0 interactive, 1 short (estimate up to 1 h), 2 medium (up to 6 h), 3 long
; Partitions: 1 batch (120 processors), 2 interactive (8 processors)
; Note: waits are those of EASY backfilling in each partition (traces/drawn/schedule.py)
; Note: outage from second {OUTAGE[0]} to second {OUTAGE[1]}; running jobs died, the queue was kept
; Note: some lines are odd on purpose (traces/drawn/text.py)
; MaxJobs: many
"""

Fields = list[str]


def changed(**values: str) -> Callable[[Fields], Fields]:
    """Return an edit that replaces fields, named ``field_<number>``."""
    by_number = {int(name.removeprefix("field_")) - 1: value for name, value in values.items()}
    return lambda fields: [by_number.get(place, old) for place, old in enumerate(fields)]


ADDED: dict[int, tuple[str, Callable[[Fields], Fields]]] = {
    500: ("too_few_fields", lambda fields: fields[:11]),
    1000: ("too_many_fields", lambda fields: [*fields, "-1"]),
    1500: ("not_a_number", changed(field_4="unknown")),
    2000: ("not_finite", changed(field_4="inf")),
    2500: ("overflow", changed(field_4="99999999999")),
    3000: ("fractional_number", changed(field_5="2.5")),
    3500: ("partial_execution", changed(field_11="2")),
    4000: ("missing_submit", changed(field_2="-1")),
    4500: ("negative_submit", changed(field_2="-60")),
    5000: ("no_processors", changed(field_5="-1", field_8="-1")),
    5500: ("unknown_runtime", changed(field_4="-1", field_11="0")),
    6000: ("zero_runtime", changed(field_4="0", field_11="1")),
    6500: ("larger_than_machine", changed(field_5="256", field_8="256")),
}
"""After so many jobs: the rule that rejects an added line, and how it is made from the job before it."""

REPAIRED: dict[int, tuple[str, Callable[[Fields], Fields]]] = {
    750: ("rounded_time", lambda fields: [*fields[:3], f"{fields[3]}.0000004", *fields[4:]]),
    1250: ("missing_job_number", changed(field_1="-1")),
    1750: ("duplicate_job", changed(field_1="1")),
}
"""Number of a job, the rule that repairs its line, and how the line is made."""

SWAPPED = (2250, 2251)
"""Two neighbouring lines, counted from 0, that are out of order."""

NO_ESTIMATE_EVERY, NO_ALLOCATION_EVERY = 97, 211
"""Every so many lines, the estimate or the allocated processors are not recorded."""


def recorded_jobs() -> list[Job]:
    """Return the jobs of all partitions with their recorded waits, in the order of submission."""
    jobs: list[Job] = []
    for partition in PARTITIONS:
        own = draw_jobs(partition)
        give_waits(own, partition.processors, OUTAGE)
        jobs += own
    return sorted(jobs, key=lambda job: (job.submit, job.partition.number))


def fields_of(number: int, job: Job) -> Fields:
    """Return the 18 fields of a job."""
    ran = job.wait is not None
    estimate = -1 if number % NO_ESTIMATE_EVERY == 0 else job.estimate
    allocated = -1 if not ran or number % NO_ALLOCATION_EVERY == 0 else job.size
    wait, runtime = (job.wait, job.runtime) if ran else (job.patience, -1)
    who = (job.user, job.user % GROUPS + 1, job.program, job.queue, job.partition.number)
    fields = (number, job.submit, wait, runtime, allocated, -1, -1, job.size, estimate, -1, job.status, *who, -1, -1)
    return [str(-1 if value is None else value) for value in fields]


def text_of(jobs: list[Job]) -> str:
    """Return the text of the log."""
    lines = []
    for number, job in enumerate(jobs, 1):
        fields = fields_of(number, job)
        _, edit = REPAIRED.get(number, ("", list))
        lines.append(" ".join(edit(fields)))
        if number in ADDED:
            lines.append(" ".join(ADDED[number][1](fields)))
    first, second = SWAPPED
    lines[first], lines[second] = lines[second], lines[first]
    middle = f"; {DAYS * DAY} seconds in all\n\n"
    return HEADER.format(jobs=len(lines)) + middle + "\n".join(lines) + "\n"


def write(path: Path = FILE) -> None:
    """Write the log, packed."""
    data = text_of(recorded_jobs()).encode()
    with (
        replacing(path) as temporary,
        temporary.open("wb") as file,
        gzip.GzipFile("", "wb", 9, file, mtime=0) as packed,
    ):
        packed.write(data)


if __name__ == "__main__":
    write()
