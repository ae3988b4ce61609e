"""What every script shares: its log, and errors that are meant for people."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path

from scheduler_core.common.errors import SlotwiseError


@contextmanager
def logged(path: Path | str) -> Iterator[None]:
    """Keep what a script prints, and why it failed, in its log; Snakemake shows the log of a job that failed.

    A :class:`SlotwiseError` leaves its text alone; anything else is a defect and leaves its traceback.
    """
    with Path(path).open("w", encoding="utf-8") as log, redirect_stdout(log):
        try:
            yield
        except SlotwiseError as error:
            log.write(f"{error}\n")
            sys.exit(1)
        except Exception:
            traceback.print_exc(file=log)
            sys.exit(1)
