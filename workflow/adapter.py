"""Logs and errors of the scripts of rules."""

import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path

from scheduler_core.common.errors import SlotwiseError
from scheduler_core.common.garbage import collect_rarely


@contextmanager
def logged(path: Path | str) -> Iterator[None]:
    """Write what a script prints, and why it fails, to its log. Snakemake shows the log of a failed job.

    A :class:`SlotwiseError` is logged as its text. Any other exception is a defect and is logged with its traceback.
    """
    collect_rarely()
    with Path(path).open("w", encoding="utf-8") as log, redirect_stdout(log):
        try:
            yield
        except SlotwiseError as error:
            log.write(f"{error}\n")
            sys.exit(1)
        except Exception:
            traceback.print_exc(file=log)
            sys.exit(1)
