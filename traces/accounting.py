"""What becomes of every line of a log: the options, the rules, and their counts. Nothing is dropped without a rule."""

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, ClassVar

from scheduler_core.common.errors import LogError
from scheduler_core.declarations.parameters import Parameters, parameter
from scheduler_core.declarations.words import counted

REJECTIONS: dict[str, str] = {
    "too_few_fields": "fewer than 18 fields",
    "too_many_fields": "more than 18 fields",
    "not_a_number": "a field that is no number",
    "not_finite": "a field that is NaN or infinite",
    "overflow": "a number beyond what its column can hold, or a time beyond 10 billion seconds",
    "fractional_number": "a fraction where only a whole number makes sense (job, processors, user, status, ...)",
    "partial_execution": "status 2, 3 or 4: a part of a job that has a line of its own for the whole",
    "missing_submit": "no submission time (field 2 is -1)",
    "negative_submit": "submitted before the log's own zero (field 2 is negative, but not -1)",
    "cancelled_before_start": "cancelled (status 5) and never given processors (field 5 is not positive)",
    "no_processors": "neither allocated (field 5) nor requested (field 8) processors are known",
    "unknown_runtime": "no run time (field 4 is negative)",
    "zero_runtime": "a run time of zero (field 4)",
    "larger_than_machine": "more processors than the machine has",
}
"""Rules that reject a line, with their meaning. A line that breaks several counts under the first."""

REPAIRS: dict[str, str] = {
    "rounded_time": "more decimals than microseconds can hold: rounded, half to even",
    "missing_job_number": "no job number (field 1 is negative): given a fresh one",
    "duplicate_job": "a job number that an earlier line has: given a fresh one",
    "submit_from_previous": "no submission time (field 2): that of the job before it taken",
    "out_of_order": "submitted before a job further up: sorted to its place",
    "processors_from_request": "no allocated processors (field 5): the requested ones (field 8) taken",
    "one_second_runtime": "a run time that is not positive (field 4): one second taken",
    "estimate_from_runtime": "no estimate (field 9): the run time taken",
    "estimate_raised": "an estimate below the run time: raised to the run time",
}
"""Rules that repair a line, with their meaning. A line with several repairs counts under the first."""

HEADER_REPAIRS: dict[str, str] = {
    "words_after_number": "words after a number: the number taken",
    "thousands_separators": "a number with commas: taken without them",
    "rounded_number": "a fraction where a whole number is expected: rounded, half to even",
}
"""Rules that repair a line of a log's header, with their meaning."""

HEADER_REJECTIONS: dict[str, str] = {
    "repeated_key": "a key that a line further up has already: the first line counts",
    "not_a_number": "words where a number is expected",
    "not_finite": "a number that is NaN or infinite",
    "out_of_range": "a number that its key cannot have, such as a machine of no processors",
    "unknown_zone": "a time zone that is not known by this name",
}
"""Rules that leave out a line of a log's header, with their meaning."""

SIZE_KEYS = ("MaxProcs:", "MaxNodes:")
"""How header lines with the size of the machine begin."""

EXAMPLES = 3
"""Lines quoted for each rule."""


MOST_RULES = 3
"""The most rules that one line of text names."""


@dataclass(frozen=True)
class IngestOptions(Parameters):
    """What to do with lines that are not jobs as written. By default the reader rejects rather than invents."""

    name: ClassVar[str] = "ingest"

    overrun: str = parameter(
        "raise_estimate",
        "estimate below the run time: raise it to the run time, or keep it, so that the job is killed at its estimate",
        choices=("raise_estimate", "kill"),
    )
    nonpositive_runtime: str = parameter(
        "reject",
        "run time not positive: reject the line; take one second where it is zero (a job of less than a second) and "
        "reject where it is unknown; or take one second in both cases",
        choices=("reject", "zero_as_one_second", "one_second"),
    )
    cancelled_before_start: str = parameter(
        "reject",
        "cancelled job (status 5) that never had processors (field 5): reject the line, or keep it as if it had run",
        choices=("reject", "keep"),
    )
    missing_submit: str = parameter(
        "reject",
        "submission time unknown (-1): reject the line, or take that of the job before it",
        choices=("reject", "previous"),
    )


@dataclass(frozen=True)
class HeaderAccounting:
    """What became of the comment lines before a log's first job: ``lines = kept + repaired + rejected``.

    ``repaired`` and ``rejected`` count lines by the rules of :data:`HEADER_REPAIRS` and :data:`HEADER_REJECTIONS`;
    ``examples`` has the first lines of each rule, as in :class:`Accounting`. ``size`` is the line that gives the machine its
    size (``MaxProcs: 128``), empty when no line does.
    """

    lines: int = 0
    kept: int = 0
    repaired: dict[str, int] = field(default_factory=dict)
    rejected: dict[str, int] = field(default_factory=dict)
    examples: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    size: str = ""

    def __post_init__(self) -> None:
        repaired, rejected = sum(self.repaired.values()), sum(self.rejected.values())
        if self.kept < 0 or self.lines != self.kept + repaired + rejected:
            raise LogError(
                f"the accounting of the header does not add up: {self.lines} lines read, but {self.kept} kept "
                f"+ {repaired} repaired + {rejected} rejected"
            )

    @property
    def counts(self) -> dict[str, Any]:
        """The numbers of lines, and under ``unused`` the first lines that are not used, in words, if there are any."""
        numbers = {name: getattr(self, name) for name in ("lines", "kept", "repaired", "rejected")}
        return {**numbers, "unused": self.unused} if self.rejected else numbers

    @property
    def unused(self) -> list[str]:
        """The first lines that are not used, each with the reason; for the machine's size also the line that gives it."""
        words = []
        for rule in self.rejected:
            for example in self.examples.get(rule, []):
                said = f"line {example['line']}, {example['found']}: {HEADER_REJECTIONS[rule]}"
                of_size = self.size and example["found"].startswith(SIZE_KEYS)
                words.append(f"{said} (the header's size is {self.size})" if of_size else said)
        return words


class LineFates:
    """What the accounting of a log and that of a dump have in common; both are dataclasses."""

    kept: int
    repaired: dict[str, int]

    @property
    def jobs(self) -> int:
        """Lines that became jobs."""
        return self.kept + sum(self.repaired.values())

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, ready for JSON."""
        return {**asdict(self), "jobs": self.jobs}  # type: ignore[call-overload]


@dataclass(frozen=True)
class Accounting(LineFates):
    """What became of every line of a log: ``lines = comments + kept + repaired + rejected``.

    ``file`` has no folders; ``sha256`` and ``bytes`` are of the unpacked text. ``blank`` of the ``comments`` are blank lines.
    ``repaired`` and ``rejected`` count lines by the first rule of :data:`REPAIRS` or :data:`REJECTIONS` that applied;
    ``repairs_applied`` counts a line with several repairs under each. ``examples`` has the first lines of each rule, ``{"line":
    number, "found": text}``. ``header`` has the header comments as written, a list of values for a repeated key, and
    ``header_lines`` what became of these lines, which count as comments.
    """

    file: str
    sha256: str
    bytes: int
    lines: int
    comments: int
    blank: int
    kept: int
    repaired: dict[str, int] = field(default_factory=dict)
    rejected: dict[str, int] = field(default_factory=dict)
    repairs_applied: dict[str, int] = field(default_factory=dict)
    examples: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    header: dict[str, str | list[str]] = field(default_factory=dict)
    header_lines: HeaderAccounting = field(default_factory=HeaderAccounting)

    def __post_init__(self) -> None:
        repaired, rejected = sum(self.repaired.values()), sum(self.rejected.values())
        if (
            self.lines != self.comments + self.kept + repaired + rejected
            or self.blank + self.header_lines.lines > self.comments
        ):
            raise LogError(
                f"{self.file}: the accounting does not add up: {self.lines} lines read, but {self.comments} comments "
                f"({self.blank} blank) + {self.kept} kept + {repaired} repaired + {rejected} rejected"
            )

    @property
    def counts(self) -> dict[str, Any]:
        """The numbers of lines, which the provenance of the log's workload carries; a selection adds ``left_out``, jobs."""
        names = ("lines", "comments", "blank", "kept", "repaired", "rejected")
        return {**{name: getattr(self, name) for name in names}, "header": self.header_lines.counts}

    def summary(self) -> str:
        """Return the accounting as one line of text."""
        return summary(self.counts)


def summary(counts: Mapping[str, Any], whole: bool = False) -> str:
    """Return what became of a log's lines as one line of text; ``counts`` as in :attr:`Accounting.counts`.

    Without ``whole``, only the number of more than :data:`MOST_RULES` rules is told, and of unused lines of the header only those
    on the machine's size.
    """
    comments, header = counts["comments"], counts["header"]
    most_rules = math.inf if whole else MOST_RULES
    parts = [counted(comments, "comment"), f"{counts['kept']:,} kept"]
    parts += [fate_words(fate, counts[fate], most_rules) for fate in ("repaired", "rejected")]
    fates = [fate for fate in ("repaired", "rejected") if header[fate]]
    odd = [
        fate_words(fate, header[fate], most_rules) if whole else f"{sum(header[fate].values()):,} {fate}"
        for fate in fates
    ]
    parts += [f"header: {' and '.join(odd)}"] if odd else []
    unused = header.get("unused", [])
    parts += unused if whole else [words for words in unused if words.partition(", ")[2].startswith(SIZE_KEYS)]
    parts += [selection_words(counts)] if counts.get("left_out") else []
    return f"{counted(counts['lines'], 'line')}: {', '.join(parts)}"


def selection_words(counts: Mapping[str, Any]) -> str:
    """Return how many jobs of a log no run has, because they were not chosen."""
    return f"{counted(counts['left_out'], 'job')} left out by the selection"


def fate_words(fate: str, by_rule: Mapping[str, int], most_rules: float = MOST_RULES) -> str:
    """Return how many lines were repaired or rejected, and by which rules, as text."""
    few = len(by_rule) <= most_rules
    rules = ", ".join(f"{lines:,} {rule}" for rule, lines in by_rule.items()) if few else f"by {len(by_rule)} rules"
    return f"{sum(by_rule.values()):,} {fate}" + (f" ({rules})" if rules else "")
