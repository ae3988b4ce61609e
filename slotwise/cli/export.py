"""`slotwise export RUN_OR_LOG --out FILE`."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from scheduler_core.common.errors import ContractError, ParameterError
from scheduler_core.declarations.words import counted
from slotwise.cli.outputs import add_out, refuse_existing
from slotwise.cli.words import a_number, a_path
from slotwise.cli.workloads import read_source

if TYPE_CHECKING:
    from traces.export.exported import Exported

SWF, EVALYS = "swf", "evalys"


def add(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument(
        "source",
        type=a_path,
        metavar="RUN_OR_LOG",
        help="folder of a finished run, job log (.swf, .swf.gz, or a name of `slotwise logs`) or workload (.parquet)",
    )
    parser.add_argument(
        "--as",
        dest="form",
        choices=(SWF, EVALYS),
        help="swf: Standard Workload Format, for a run with simulated waits; evalys: the CSV of evalys, for runs only (default: "
        "evalys for a file .csv, else swf)",
    )
    add_out(parser, "FILE", "file to write, packed if its name ends in .gz")
    parser.add_argument(
        "--replication", type=a_number, metavar="N", help="replication to write, if there are several (from 0)"
    )
    parser.add_argument(
        "--without-schedule",
        action="store_true",
        help="for a run and swf: write the jobs as they were submitted, without the schedule",
    )


def run(arguments: argparse.Namespace) -> int:
    """Write a workload or a schedule in another program's format, and print what the format could not hold as it was."""
    from scheduler_core.common.files import target_file, write_packed

    target_file(arguments.out)
    arguments.form = arguments.form or (EVALYS if ".csv" in arguments.out.suffixes else SWF)
    exported = exported_run(arguments) if arguments.source.is_dir() else exported_log(arguments)
    target_file(arguments.out)  # the files of the source are known only now
    refuse_existing([arguments.out], arguments.force)
    write_packed(arguments.out, exported.text)
    print(f"{counted(exported.jobs, 'job')} written to {arguments.out}")
    if exported.losses:
        print("\nnot held as it was:")
        print("\n".join(f"  {loss.words}" for loss in exported.losses))
    return 0


def exported_log(arguments: argparse.Namespace) -> Exported:
    """Return a log or a workload as text; raise :class:`ParameterError` for options that only a run has."""
    from traces.export.swf import workload_as_swf

    if arguments.form != SWF:
        raise ParameterError(
            f"{arguments.source}: --as {arguments.form} writes a schedule; expected the folder of a finished run: "
            f"slotwise simulate {arguments.source} --policy easy --out RUN"
        )
    if arguments.without_schedule:
        raise ParameterError(f"{arguments.source}: --without-schedule is for runs; a log has no schedule: leave it out")
    return workload_as_swf(read_source(arguments.source, None, arguments.replication))


def exported_run(arguments: argparse.Namespace) -> Exported:
    """Return one replication of a run as text."""
    from scheduler_core.contracts import replication_in
    from scheduler_core.runs.folder import read_run
    from traces.export.evalys import schedule_as_evalys
    from traces.export.swf import schedule_as_swf, workload_as_swf

    if arguments.form != SWF and arguments.without_schedule:
        raise ParameterError(
            f"--without-schedule is for --as swf; --as {arguments.form} writes a schedule: leave it out"
        )
    finished = read_run(arguments.source)
    number = replication_in(finished.folder, len(finished.schedules), arguments.replication)
    if arguments.without_schedule:
        return workload_as_swf(finished.workloads[number])
    schedule, name = finished.schedules[number], str(finished.note["workload"])
    if arguments.form == SWF:
        return schedule_as_swf(schedule, name, number)
    try:
        return schedule_as_evalys(schedule, name)
    except ContractError as error:
        raise ContractError(f"{arguments.source}: {error}") from error
