"""What the reader of job logs does with lines that are not jobs as written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from scheduler_core.declarations.parameters import Parameters, parameter


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
