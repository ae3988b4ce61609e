"""The option ``--out`` of every command that writes files, and ``--force``: no command replaces other results unasked."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from pathlib import Path

from scheduler_core.common.errors import OutputError
from slotwise.cli.words import a_path


def add_out(parser: argparse.ArgumentParser, metavar: str, meaning: str, default: Path | None = None) -> None:
    """Add the options ``--out``, which must be given if it has no ``default``, and ``--force``."""
    said = f"{meaning} (default: {default})" if default else meaning
    parser.add_argument("--out", type=a_path, required=default is None, default=default, metavar=metavar, help=said)
    add_force(parser)


def add_force(parser: argparse.ArgumentParser) -> None:
    """Add the option ``--force``."""
    parser.add_argument("--force", action="store_true", help="replace files that exist already")


def refuse_existing(paths: Iterable[Path], force: bool, how: str = "add --force") -> None:
    """Raise :class:`OutputError` for the first path at which there is a file or a folder that is not empty, unless ``force``.

    ``how`` to force it is told. Call it once the inputs are read: a command that would write over its own input says so first.
    """
    for path in paths if not force else ():
        if path.is_dir() and any(path.iterdir()):
            raise OutputError(f"{path}: this folder is not empty; {how} to replace the files in it, or name another")
        if path.is_file() and path.stat().st_size:
            raise OutputError(f"{path}: this file exists already; {how} to replace it, or name another")


def workload_files(path: Path) -> list[Path]:
    """Return the files that writing a workload to a path makes or removes: its own, and those of companion tables."""
    from scheduler_core.contracts.companions import COMPANIONS
    from scheduler_core.contracts.workload import companion_path

    return [path, *(companion_path(path, name) for name in COMPANIONS)]
