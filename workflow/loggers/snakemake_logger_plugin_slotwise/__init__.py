"""What people see of a run: a line for each step that starts, with the steps done and the time since the start.

Snakemake finds plugins by the beginning of their names, so this folder has to be on the path of Python: ``make`` and
``slotwise study run`` put it there. ``snakemake`` itself, called by hand, shows its own lines.
"""

import logging
import sys
import time

from snakemake_interface_logger_plugins.base import LogHandlerBase
from snakemake_interface_logger_plugins.common import LogEvent

WIDTH = 110
"""Characters of a step's description; some list dozens of policies."""


class LogHandler(LogHandlerBase):
    """Writes steps to standard error; warnings and errors as Snakemake words them."""

    writes_to_stream = True
    writes_to_file = False
    has_filter = False
    has_formatter = False
    needs_rulegraph = False

    def __post_init__(self) -> None:
        self.begun = time.monotonic()
        self.done, self.steps = 0, 0

    def emit(self, record: logging.LogRecord) -> None:
        """Write a line for a step that starts, or for what went wrong."""
        event = getattr(record, "event", None)
        if event == LogEvent.RUN_INFO:
            self.steps = record.stats["total"]  # type: ignore[attr-defined]
        elif event == LogEvent.PROGRESS:
            self.done, self.steps = record.done, record.total  # type: ignore[attr-defined]
            if self.done == self.steps:
                self.write(self.step("All steps are done"))
        elif event == LogEvent.JOB_INFO:
            if record.rule_msg:  # type: ignore[attr-defined]
                self.write(self.step(record.rule_msg))  # type: ignore[attr-defined]
        elif event in (LogEvent.JOB_ERROR, LogEvent.GROUP_ERROR) or record.levelno >= logging.WARNING:
            self.write(self.format(record))

    def step(self, words: str) -> str:
        """Return the line of a step."""
        minutes, seconds = divmod(int(time.monotonic() - self.begun), 60)
        short = words if len(words) <= WIDTH else f"{words[: WIDTH - 1]}…"
        return f"[{self.done:>3} of {self.steps} steps done after {minutes}:{seconds:02} min] {short}"

    def write(self, text: str) -> None:
        """Write a text to standard error."""
        print(text, file=sys.stderr, flush=True)
