"""`slotwise import DUMP --out LOG.swf`."""

from __future__ import annotations

import argparse
import textwrap
from dataclasses import fields
from typing import TYPE_CHECKING

from scheduler_core.common.errors import ParameterError
from scheduler_core.declarations.words import counted
from slotwise.cli.accounting import add_verbose, show_fates
from slotwise.cli.outputs import add_out, refuse_existing
from slotwise.cli.words import a_count, a_path, tell

if TYPE_CHECKING:
    from collections.abc import Iterator

    from traces.dumps.rules import DumpAccounting

DELIMITERS = {"|": "|", ",": ",", ";": ";", "tab": "\t", "\\t": "\t", "\t": "\t"}


def a_delimiter(text: str) -> str:
    """Return what separates columns."""
    if text not in DELIMITERS:
        raise argparse.ArgumentTypeError(f"expected one of | , ; tab; found {text!r}")
    return DELIMITERS[text]


def add(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument(
        "dump",
        type=a_path,
        metavar="DUMP",
        help="output of `sacct -P`, or accounting of PBS, Torque or LSF (lsb.acct), or a table with --columns; plain or gzip",
    )
    add_out(parser, "LOG.swf", "file for the log, packed if it ends in .gz; its accounting goes beside it")
    parser.add_argument(
        "--timezone", default="", metavar="ZONE", help="zone of local times, such as Europe/Berlin (default: UTC)"
    )
    parser.add_argument(
        "--dates",
        choices=("day-first", "month-first"),
        default="",
        help="what dates with slashes, such as 1/31/2024, begin with (default: what their numbers above 12 say)",
    )
    parser.add_argument("--cluster", default="", metavar="NAME", help="the cluster to import, if the dump has several")
    parser.add_argument(
        "--partition",
        action="append",
        default=[],
        dest="partitions",
        metavar="NAME",
        help="keep the jobs of this partition; may be repeated",
    )
    parser.add_argument(
        "--processors",
        type=a_count,
        default=0,
        metavar="N",
        help="processors of the machine (default: the most that jobs held at once, a lower bound)",
    )
    parser.add_argument(
        "--nodes", type=a_count, default=0, metavar="N", help="nodes of the machine (default: not stated)"
    )
    parser.add_argument(
        "--gpus",
        action="store_true",
        help="make a log of the jobs with GPUs, in which their GPUs are the processors (sacct and PBS); --processors N states "
        "the machine's GPUs",
    )
    parser.add_argument(
        "--delimiter", type=a_delimiter, metavar="C", help="| , ; or tab (default: that of the header line)"
    )
    parser.add_argument(
        "--columns",
        default="",
        metavar="MEANING=COLUMN,...",
        help="what the columns of another table hold, such as submit=queued,start=began,end=done,processors=cores,limit=wall",
    )
    parser.add_argument(
        "--names",
        type=a_path,
        metavar="FILE.csv",
        help="also write which number stands for which user, group, queue, partition, executable and job; without it, the log "
        "names nobody",
    )
    parser.add_argument(
        "--anonymous",
        action="store_true",
        help="name neither cluster, queues nor partitions in the log, and quote nothing of the dump in its accounting; the jobs "
        "are the same",
    )
    add_verbose(parser)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = "\n".join([*meanings_in_words(), "", textwrap.fill(str(parser.epilog))])


def meanings_in_words() -> Iterator[str]:
    """Yield what a column may hold, wrapped to lines."""
    from traces.dumps.columns import MEANINGS

    yield "meanings for --columns:"
    for name, meaning in MEANINGS.items():
        yield textwrap.fill(meaning, initial_indent=f"  {name:<12}", subsequent_indent=" " * 14)


def run(arguments: argparse.Namespace) -> int:
    """Write the log of a dump and its accounting, and print what became of its lines."""
    from scheduler_core.common.files import target_file, write_json, write_packed, write_text
    from traces.dumps.importing import import_dump
    from traces.dumps.reading import ImportOptions

    if arguments.anonymous and arguments.names is not None:
        raise ParameterError("--anonymous: --names writes the names that it leaves out; leave one of the two out")
    beside = arguments.out.with_name(f"{arguments.out.name}.accounting.json")
    outputs = [path for path in (arguments.out, beside, arguments.names) if path is not None]
    for path in outputs:
        target_file(path)
    options = {option.name: getattr(arguments, option.name) for option in fields(ImportOptions)}
    imported = import_dump(arguments.dump, ImportOptions(**options))
    for path in outputs:  # the dump is known only now
        target_file(path)
    refuse_existing(outputs, arguments.force)
    write_packed(arguments.out, imported.log.text)
    write_json(beside, imported.accounting.to_dict())
    if arguments.names is not None:
        write_text(arguments.names, names_text(imported.log.names))
    tell(f"{imported.accounting.file}: {imported.accounting.summary()}")
    if arguments.verbose:
        print()
        show(imported.accounting)
    for note in imported.notes:
        tell(note)
    derived = "" if arguments.processors else " (the most that were held at once; --processors N states the machine's)"
    unit = "GPU" if arguments.gpus else "processor"
    tell(
        f"\n{counted(imported.accounting.jobs, 'job')} on {counted(imported.log.processors, unit)}{derived} "
        f"written to {arguments.out}"
    )
    if not arguments.timezone:
        done = "local times were read as" if imported.met_local else "the times name their zone; the log's clock is"
        print(f"{done} UTC; --timezone names another zone")
    return 0


def names_text(names: list[tuple[str, int, str]]) -> str:
    """Return the names behind the numbers of a log as CSV."""
    from scheduler_core.common.comma_separated import comma_separated

    return comma_separated([{"kind": kind, "number": number, "name": name} for kind, number, name in names])


def show(accounting: DumpAccounting) -> None:
    """Print what became of the lines of a dump."""
    from traces.dumps.rules import OTHERS, REJECTIONS, REPAIRS

    rows = [*accounting.rows(), ("all", "", accounting.lines)]
    show_fates("lines", rows, REPAIRS | REJECTIONS | OTHERS, accounting.examples)
