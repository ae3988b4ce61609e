"""Reading accounting of LSF (``lsb.acct``): a record per line, fields separated by blanks, texts in double quotes.

A record JOB_FINISH becomes a job; a job that was requeued has several, and the last one counts. Other records tell of
reservations and of jobs that were resized. Source: IBM, LSF 10.1 reference, ``lsb.acct``. Published records of LSF 9.1 and 10.1
have the run limit before ``options3``, and six values for each host. The reference says otherwise; the reader follows records.
One of LSF 9.1, whose script asks for 12 hours (``-W 12:00``), has 43200 there. One of LSF 10.1 without a limit has −1, which
no set of options can be.
"""

import re
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from scheduler_core.common.errors import ParameterError
from traces.dumps.attempt import CANCELLED, COMPLETED, FAILED, Attempt, Instant, Unreadable, bounded
from traces.dumps.reading import ImportOptions, Reading, attempts_of
from traces.dumps.rules import Ledger
from traces.dumps.times import LONGEST, Clock

FINISHED = "JOB_FINISH"
EVENTS = frozenset(("JOB_RESIZE", "EVENT_ADRSV_FINISH"))
"""Types of records that make no job: a job changed its processors, an advance reservation ended."""

TEXT, BARE = r'"((?:[^"]|"")*+)"(?=\s|$)', r'([^\s"]\S*+)'
FIELD = re.compile(rf"{TEXT}|{BARE}")
FIELDS = re.compile(rf"(?:\s*+(?:{TEXT}|{BARE}))*+\s*+")
NUMBER = re.compile(r"-?\d+(\.\d*)?", re.ASCII)
WHOLE = re.compile(r"-?\d{1,18}", re.ASCII)
HOST = re.compile(r"(?:(\d+)\*)?(.+)", re.ASCII)

BEFORE_HOSTS = (
    *("type", "version", "event_time", "job", "user_number", "options", "requested", "submit", "begin", "deadline"),
    *("start", "user", "queue", "resources", "dependency", "pre_execution", "from_host", "folder", "input", "output"),
    *("errors", "script"),
)
"""Fields before the hosts that were asked for, which are as many as the next field says."""

USAGE = tuple(f"usage_{number}" for number in range(1, 20))
"""Used processor time, memory, ..., which a log needs only to see whether fields are in their places."""

AFTER_HOSTS = (
    *("status", "host_factor", "name", "command", *USAGE, "mail", "project"),
    *("exit_status", "most_processors", "shell", "time_event", "index"),
)
"""Fields after the hosts that the job held; every version has them."""

LATER = (
    *("memory", "swap", "spooled_input", "spooled_command", "reservation", "service", "exceptions", "placement"),
    *("exit_reason", "warning", "warning_time", "account", "licence", "application", "post_execution"),
    *("expected", "job_group", "requeue_values", "options_2", "resize", "resized", "long_reservation", "description"),
)
"""Further fields of newer versions."""

DONE, EXITED = 64, 32
"""Bits of the status."""

KILLED_BY_PEOPLE = frozenset(("8", "9", "14", "15", "23"))
"""Reasons for an exit (``lsbatch.h``): killed by the owner or an administrator, with or without force, or killed in bulk."""

VALUES_OF_A_HOST, VALUES_OF_AN_EXTENSION = 6, 2
AROUND_RUN_LIMIT = [True, True, True, False, False, True]
"""Which fields are whole numbers: run limit, ``options3``, mean memory, resources, cluster and job of the submission."""

Fields = dict[str, str]


def read(path: Path, lines: Sequence[str], options: ImportOptions, clock: Clock, ledger: Ledger) -> Reading:
    """Return the attempts of an accounting file; raise :class:`ParameterError` if a cluster is chosen, as records name none."""
    if options.cluster:
        raise ParameterError(f"{path}: records of LSF name no cluster; leave out --cluster {options.cluster}")
    return Reading(attempts_of(ledger.unread(lines), partial(read_line, clock), ledger))


def read_line(clock: Clock, number: int, line: str) -> Attempt:
    """Return the attempt of a record of a finished job; raise :class:`Unreadable` for any other line."""
    if line.startswith("#"):
        raise Unreadable("header", "")
    texts = split(line)
    if texts[0] in EVENTS:
        raise Unreadable("event", "")
    if texts[0] != FINISHED:
        raise Unreadable("unknown_state", f"record {texts[0][:40]}")
    return finished_job(number, fields_of(texts), clock)


def split(line: str) -> list[str]:
    """Return the fields of a line; a text may hold blanks, and quotes that are written twice."""
    readable = FIELDS.match(line)
    end = readable.end() if readable else 0
    found = [text.replace('""', '"') or bare for text, bare in FIELD.findall(line, 0, end)]
    if end < len(line):
        raise Unreadable("wrong_fields", f"field {len(found) + 1} is no number and no text in quotes")
    return found


def fields_of(texts: Sequence[str]) -> Fields:
    """Return the fields of a record JOB_FINISH by their names.

    ``held`` counts the processors on the hosts, of which ``4*node1`` has four. Fields that an older version lacks are missing.
    """
    place = len(BEFORE_HOSTS)
    fields = dict(zip(BEFORE_HOSTS, texts, strict=False))
    _, place = hosts(texts, place)
    held, place = hosts(texts, place)
    fields["held"] = str(sum(map(processors_on, held)))
    if len(texts) < place + len(AFTER_HOSTS):
        raise Unreadable("wrong_fields", f"{len(texts)} fields, expected at least {place + len(AFTER_HOSTS)}")
    names = (*AFTER_HOSTS, *LATER)
    fields |= zip(names, texts[place:], strict=False)
    misplaced = next((name for name in ("host_factor", *USAGE) if not NUMBER.fullmatch(fields[name])), None)
    if misplaced:
        raise Unreadable("wrong_fields", f"expected a number after the hosts, found {fields[misplaced][:40]!r}")
    if (run_limit := run_limit_of(texts, place + len(names))) is not None:
        fields["run_limit"] = run_limit
    return fields


def hosts(texts: Sequence[str], place: int) -> tuple[Sequence[str], int]:
    """Return the hosts of a list that begins with their number, and the place behind it."""
    if place >= len(texts):
        raise Unreadable("wrong_fields", f"{len(texts)} fields, and the hosts are missing")
    count = whole(texts[place], "wrong_fields")
    end = place + 1 + count
    if count < 0 or end > len(texts):
        raise Unreadable("wrong_fields", f"{texts[place][:40]} hosts, and {len(texts) - place - 1} fields after that")
    return texts[place + 1 : end], end


def processors_on(host: str) -> int:
    """Return the processors on a host: ``16*node1`` are sixteen, ``node1`` is one."""
    match = HOST.fullmatch(host)
    if not match:
        raise Unreadable("wrong_fields", "a host without a name")
    if len(match[1] or "") > 10:
        raise Unreadable("bad_number", host[:40])
    return int(match[1] or 1)


def run_limit_of(texts: Sequence[str], place: int) -> str | None:
    """Return the run limit in seconds, behind extensions and hosts; None if the version has none or its layout is another."""
    for values in (VALUES_OF_AN_EXTENSION, VALUES_OF_A_HOST):
        if place >= len(texts) or not texts[place].isdecimal() or len(texts[place]) > 9:
            return None
        place += 1 + values * int(texts[place])
    after = texts[place : place + len(AROUND_RUN_LIMIT)]
    return after[0] if [bool(WHOLE.fullmatch(text)) for text in after] == AROUND_RUN_LIMIT else None


def finished_job(line: int, fields: Fields, clock: Clock) -> Attempt:
    """Return the attempt of a record of a finished job."""
    if not (fields["job"].isdecimal() and len(fields["job"]) < 20):
        raise Unreadable("no_job_number", fields["job"][:40])
    submit, start, end = (instant(fields[name], clock) for name in ("submit", "start", "event_time"))
    index = whole(fields["index"])
    limit = whole(fields.get("run_limit", "-1"), "bad_time")
    if limit > LONGEST:
        raise Unreadable("bad_time", fields["run_limit"])
    return Attempt(
        line=line,
        key=(fields["job"], str(index), str(submit)),
        job=f"{fields['job']}[{index}]" if index else fields["job"],
        submit=submit,
        start=start,
        end=end,
        elapsed=None,
        allocated=bounded(whole(fields["held"])),
        requested=bounded(whole(fields["requested"])),
        limit=limit if limit > 0 else None,
        memory_kb=None,
        status=status_of(fields, start is not None),
        user=fields["user"],
        group=fields["project"],
        queue=fields["queue"],
        executable=fields["name"] or fields["command"],
    )


def instant(text: str, clock: Clock) -> Instant | None:
    """Return a time in seconds since 1970; None for zero, which means none."""
    if not text.isdecimal():
        raise Unreadable("bad_time", text[:40])
    return clock.read(text)[0]


def status_of(fields: Fields, started: bool) -> int:
    """Return the status: completed, cancelled (killed by a person, or ended before it started), or failed."""
    bits = whole(fields["status"], "unknown_state")
    if bits < 0 or bool(bits & DONE) == bool(bits & EXITED):
        raise Unreadable("unknown_state", f"status {fields['status']}")
    if bits & DONE:
        return COMPLETED
    return CANCELLED if not started or fields.get("exit_reason") in KILLED_BY_PEOPLE else FAILED


def whole(text: str, rule: str = "bad_number") -> int:
    """Return a whole number; raise :class:`Unreadable` with ``rule`` for another text."""
    if not WHOLE.fullmatch(text):
        raise Unreadable(rule, text[:40])
    return int(text)
