"""Dry runs in processes forked from one that has imported Snakemake: importing it is half of a dry run.

Nothing of the project is imported before the fork, so the modules are those of the copy, as after ``python -m snakemake`` there.
"""

import multiprocessing
import os
import sys
from pathlib import Path

FORKED = multiprocessing.get_context("forkserver")
FORKED.set_forkserver_preload(["snakemake.cli", "snakemake.report", "smart_open"])


def run_apart(folder: Path, environment: dict[str, str], arguments: tuple[str, ...], told: Path, seconds: float) -> int:
    """Run Snakemake in a folder; ``told``, with the suffixes ``.out`` and ``.err``, gets its words. Return its exit code."""
    process = FORKED.Process(target=snakemake, args=(str(folder), environment, arguments, str(told)))
    process.start()
    process.join(seconds)
    if process.exitcode is None:
        process.kill()
        process.join()
    return process.exitcode or 0


def snakemake(folder: str, environment: dict[str, str], arguments: tuple[str, ...], told: str) -> None:
    """Be the command: run Snakemake in this process."""
    for number, stream in ((1, "out"), (2, "err")):
        os.dup2(os.open(f"{told}.{stream}", os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
    imported = {"workflow", "traces", "scheduler_core", "reports"} & sys.modules.keys()
    assert not imported, f"the copy could not import {sorted(imported)}"
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.path.insert(0, folder)
    from snakemake.cli import main

    main(list(arguments))
