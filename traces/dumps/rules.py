"""What becomes of every line of a dump: the rules and their counts. Nothing is dropped without a rule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from scheduler_core.common.errors import LogError
from scheduler_core.declarations.words import counted
from traces.accounting import EXAMPLES, LineFates, fate_words

if TYPE_CHECKING:
    from traces.swf_file import LogText

OTHERS: dict[str, str] = {
    "header": "names the columns, or is the first line of a file of LSF",
    "blank": "empty",
    "step": "a step of a job (.batch, .extern, .0, ...), which runs on the job's own processors",
    "earlier_attempt": "an attempt of a job that was requeued: the last one counts",
    "event": "an event of a job whose end has a line of its own",
    "other_cluster": "of a cluster that was not chosen",
    "other_partition": "of a partition that was not chosen",
    "no_gpus": "a job without GPUs, which --gpus leaves out",
}
"""Lines that are no jobs, or of no interest, with their meaning."""

LONGEST_LINE = 4_000_000
"""The most characters of a line: more than a record that names each of 100,000 processors."""

REJECTIONS: dict[str, str] = {
    "line_too_long": f"longer than {LONGEST_LINE:,} characters, which no record is",
    "wrong_fields": "not as many fields as the header has columns, or not the fields of a record",
    "no_job_number": "no number of a job",
    "unknown_state": "a state that is not known",
    "other_machine": "revoked: the job ran on another cluster of a federation",
    "not_finished": "pending, running, suspended or requeued when the dump was made",
    "bad_time": "a time or a duration that cannot be read: expected 2024-01-31T08:00:00 (sacct writes it if SLURM_TIME_FORMAT is "
    "not set), 31.01.2024 08:00:00, 1/31/2024 8:00 AM or seconds since 1970; of a duration, seconds, D-HH:MM:SS or 1d 3h",
    "bad_number": "a number of processors or memory that cannot be read or is too large",
    "no_submit": "no submission time",
    "no_start": "no start time, and no state that says that the job never started",
    "no_end": "started, but with neither an end nor a duration",
    "end_before_start": "ends before it starts, and no duration says otherwise",
    "no_processors": "started, but no number of processors is known",
}
"""Rules that reject a line, with their meaning. A line that breaks several counts under the first that is found."""

REPAIRS: dict[str, str] = {
    "clock_went_back": "the clock went back an hour: of two times with one name, the one that agrees with the duration taken",
    "clock_went_forward": "the clock went forward an hour during the job: its end taken from the duration",
    "skipped_time": "a local time that the clock skipped: read with the clock of before",
    "end_from_elapsed": "no end, or one before the start: taken from the duration",
    "submit_from_eligible": "no submission time: the time at which it was eligible taken",
    "submit_after_start": "submitted after it started: a wait of zero taken",
    "array_in_one_line": "tasks of an array that never started share a line: one job taken",
    "requested_processors": "no number of allocated processors: the requested one taken",
}
"""Rules that repair a line, with their meaning. A line with several repairs counts under the first."""


@dataclass(frozen=True)
class DumpAccounting(LineFates):
    """What became of every line of a dump: ``lines = kept + repaired + rejected + others``.

    ``file`` has no folders; ``sha256`` and ``bytes`` are of the unpacked text. ``repaired``, ``rejected`` and ``others`` count
    lines by the first rule of :data:`REPAIRS`, :data:`REJECTIONS` or :data:`OTHERS` that applied; ``repairs_applied`` counts a
    line with several repairs under each. ``examples`` gives the first lines of each rule, ``{"line": number, "found": text}``,
    without names of people. ``ignored_columns`` are columns that the import does not use.
    """

    file: str
    sha256: str
    bytes: int
    format: str
    lines: int
    kept: int
    repaired: dict[str, int] = field(default_factory=dict)
    rejected: dict[str, int] = field(default_factory=dict)
    others: dict[str, int] = field(default_factory=dict)
    repairs_applied: dict[str, int] = field(default_factory=dict)
    examples: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    ignored_columns: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        parts = [sum(counts.values()) for counts in (self.repaired, self.rejected, self.others)]
        if self.kept < 0 or self.lines != self.kept + sum(parts):
            raise LogError(
                f"{self.file}: the accounting does not add up: {self.lines} lines read, but {self.kept} kept "
                f"+ {parts[0]} repaired + {parts[1]} rejected + {parts[2]} others"
            )

    def anonymous(self) -> DumpAccounting:
        """Return the accounting without the name of the file, names of columns and quotations; lines keep their numbers."""
        examples = {rule: [{**one, "found": ""} for one in found] for rule, found in self.examples.items()}
        return replace(self, file="dump", examples=examples, ignored_columns=[])

    def rows(self) -> Iterator[tuple[str, str, int]]:
        """Yield (fate, rule, lines): kept, then repaired, rejected and other lines by rule; the lines add up."""
        yield "kept", "", self.kept
        for fate, counts in (("repaired", self.repaired), ("rejected", self.rejected), ("no job", self.others)):
            yield from ((fate, rule, lines) for rule, lines in counts.items())

    def summary(self) -> str:
        """Return the accounting as one line of text."""
        fates = (("repaired", self.repaired), ("rejected", self.rejected), ("no jobs", self.others))
        parts = [f"{self.kept:,} kept", *(fate_words(fate, counts) for fate, counts in fates)]
        return f"{counted(self.lines, 'line')}: {', '.join(parts)}"


class Ledger:
    """Counts the fate of every line while a dump is read; each line is put down once."""

    def __init__(self) -> None:
        self.fate: dict[int, str] = {}
        self.found: dict[str, list[tuple[int, str]]] = {}
        self.repairs: dict[int, tuple[str, ...]] = {}

    def unread(self, lines: Sequence[str]) -> Iterator[tuple[int, str]]:
        """Yield the number (from 1) and the text of each line without a fate, but put down empty ones."""
        for number, line in enumerate(lines, start=1):
            if number in self.fate:
                continue
            if line.strip():
                yield number, line
            else:
                self.put(number, "blank")

    def put(self, line: int, rule: str, found: str = "") -> None:
        """Put down that a line (counted from 1) became no job, by a rule; ``found`` is what a person should see of it."""
        self.enter(line, rule)
        self.found.setdefault(rule, []).append((line, found))

    def keep(self, line: int, repairs: tuple[str, ...]) -> None:
        """Put down that a line became a job, with its repairs."""
        self.enter(line, "kept")
        if repairs:
            self.repairs[line] = tuple(rule for rule in REPAIRS if rule in repairs)

    def enter(self, line: int, fate: str) -> None:
        """Put down the fate of a line; raise :class:`LogError` if it has one."""
        if line in self.fate:
            raise LogError(f"line {line} was counted twice, as {self.fate[line]} and as {fate}; please report this")
        self.fate[line] = fate

    def accounting(self, text: LogText, kind: str, lines: int, ignored: list[str]) -> DumpAccounting:
        """Return the accounting of a text of so many lines, in the format ``kind``; columns that are ``ignored`` are named."""
        counted = {rule: len(found) for rule, found in self.found.items()}
        first = Counter(rules[0] for rules in self.repairs.values())
        applied = Counter(rule for rules in self.repairs.values() for rule in rules)
        examples: dict[str, list[dict[str, Any]]] = {}
        for line, rules in self.repairs.items():
            for rule in rules:
                examples.setdefault(rule, []).append({"line": line, "found": ""})
        for rule, found in self.found.items():
            if rule in REJECTIONS:
                examples[rule] = [{"line": line, "found": words} for line, words in found]
        return DumpAccounting(
            file=text.path.name,
            sha256=text.sha256,
            bytes=len(text.data),
            format=kind,
            lines=lines,
            kept=len(self.fate) - sum(counted.values()) - len(self.repairs),
            repaired=in_order(first, REPAIRS),
            rejected=in_order(counted, REJECTIONS),
            others=in_order(counted, OTHERS),
            repairs_applied=in_order(applied, REPAIRS),
            examples={
                rule: sorted(examples[rule], key=lambda one: int(one["line"]))[:EXAMPLES] for rule in sorted(examples)
            },
            ignored_columns=ignored,
        )


def in_order(counts: dict[str, int], rules: dict[str, str]) -> dict[str, int]:
    """Return the counts of some rules in the order of the rules."""
    return {rule: counts[rule] for rule in rules if rule in counts}
