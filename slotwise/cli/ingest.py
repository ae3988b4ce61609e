"""`slotwise ingest LOG --out W.parquet`."""

import argparse
import textwrap
from collections.abc import Iterator

from slotwise.cli.accounting import add_verbose, show_accounting, show_table
from slotwise.cli.changes import add_changes, add_machine, add_selection, read_estimates
from slotwise.cli.outputs import add_out, refuse_existing, workload_files
from slotwise.cli.words import a_path, add_settings, read_settings
from slotwise.cli.workloads import (
    add_companions,
    as_asked,
    cluster_keys,
    log_processors,
    machine_words,
    note_wide_jobs,
    read_companions,
    where_written,
    workflow_words,
)


def add(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument("log", type=a_path, metavar="LOG", help="job log (.swf, .swf.gz, or a name of `slotwise logs`)")
    add_machine(parser, "processors of the machine", "--processors")
    add_selection(parser)
    add_changes(parser)
    add_settings(parser, "reader, such as overrun=kill")
    add_companions(parser)
    add_out(parser, "W.parquet", "file for the workload; its accounting goes beside it")
    add_verbose(parser)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = "\n".join([*options_in_words(), "", textwrap.fill(str(parser.epilog))])


def options_in_words() -> Iterator[str]:
    """Yield the options of the reader, wrapped to lines: values, the default first, and their meaning."""
    from traces.accounting import IngestOptions

    yield "options for --set, the default first:"
    for entry in IngestOptions.describe_parameters():
        yield f"  {entry['name']}={'|'.join(entry['choices'])}"
        yield textwrap.fill(entry["meaning"], initial_indent=" " * 6, subsequent_indent=" " * 6)


def run(arguments: argparse.Namespace) -> int:
    """Write the workload of a log and its accounting, and print what became of its lines."""
    from scheduler_core.common.files import target_file, write_json
    from traces.accounting import IngestOptions
    from traces.ingest import ingest_log

    target_file(arguments.out)
    out, beside = arguments.out, arguments.out.with_suffix(".accounting.json")
    options = IngestOptions.build(read_settings(arguments.settings, IngestOptions))
    read_companions(arguments)  # before the work
    read_estimates(arguments)
    cluster_keys(arguments, drawn=False)
    ingested = ingest_log(arguments.log, options, processors=log_processors(arguments.log, arguments.procs, options))
    workload = as_asked(ingested.workload, arguments)
    for path in (out, beside):
        target_file(path)
    refuse_existing([*workload_files(out), beside], arguments.force)
    counts = workload.provenance["accounting"]
    accounting = {**ingested.accounting.to_dict(), "left_out": counts.get("left_out", 0)}
    workload.write(out)
    write_json(beside, accounting)
    show_accounting(workload, verbose=False)
    if arguments.verbose:
        print()
        show_table(counts, accounting["examples"], accounting["header_lines"]["examples"])
    note_wide_jobs(workload)
    words = [f"{len(workload):,} jobs on {machine_words(workload)}", workflow_words(workload)]
    print(f"\n{', '.join(filter(None, words))} {where_written(workload, out)}")
    return 0
