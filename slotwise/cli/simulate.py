"""`slotwise simulate LOG --policy NAME --out DIR`."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from slotwise.cli.accounting import add_verbose, counts_of, left_out_words, show_accounting
from slotwise.cli.changes import add_changes, add_machine, add_selection
from slotwise.cli.compiling import tell_of_compiling
from slotwise.cli.outputs import add_out, refuse_existing
from slotwise.cli.words import (
    a_number,
    a_path,
    add_settings,
    format_number,
    print_table,
    progress_shower,
    read_aloud,
    read_settings,
    tell,
    unit_split,
)
from slotwise.cli.workloads import add_companions, load_workload, machine_words, note_wide_jobs, tell_notes

if TYPE_CHECKING:
    from scheduler_core.declarations.policy import Policy


def add(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument(
        "log",
        type=a_path,
        metavar="LOG",
        help="job log (.swf, .swf.gz, or a name of `slotwise logs`) or workload (.parquet)",
    )
    parser.add_argument(
        "--policy",
        required=True,
        metavar="POLICY",
        help="policy or preset (`slotwise policies` lists them), or FILE.py:NAME, a policy of your own",
    )
    add_settings(parser, "policy")
    add_machine(parser, "processors of the machine", "--processors")
    add_selection(parser)
    add_changes(parser)
    parser.add_argument(
        "--replication", type=a_number, metavar="N", help="replication to simulate, if the workload has several"
    )
    add_companions(parser)
    add_out(parser, "DIR", "folder for the files of the run")
    add_verbose(parser)


def unread_words(policy: Policy, arguments: argparse.Namespace) -> str:
    """Return a note if the policy could use a table of slowdowns but ignores the one given; else an empty text."""
    parameters = {entry["name"]: entry["choices"] for entry in type(policy).describe_parameters()}
    if arguments.slowdowns is None or "table" not in parameters.get("slowdown", ()):
        return ""
    if policy.companions is None or "slowdowns" in policy.companions:
        return ""
    return (
        f"NOTE: {policy.title} ignores the slowdowns of {arguments.slowdowns} and takes "
        f"slowdown={policy.values()['slowdown']}; add `--set slowdown=table`"
    )


def unread_applications(policy: Policy, arguments: argparse.Namespace) -> str:
    """Return a note if the policy ignores what tasks do inside a time slice, although it was given; else an empty text."""
    from scheduler_core.declarations.families import family
    from scheduler_core.declarations.policy import family_of

    given = {"--applications": arguments.applications, "--programs": arguments.programs}
    options = [option for option, value in given.items() if value is not None]
    if not options or "applications" in family(family_of(type(policy))).companions:
        return ""
    return f"NOTE: {policy.title} ignores what tasks do inside a time slice ({' and '.join(options)})"


def run(arguments: argparse.Namespace) -> int:
    """Simulate a policy, check the schedule, write the run and print a summary."""
    from scheduler_core.declarations.policy import get_policy, own_policy_of, policy_named

    own = own_policy_of(arguments.policy)
    kind = type(own) if own else policy_named(arguments.policy.partition("(")[0].strip())[0]
    policy = get_policy(arguments.policy, **read_settings(arguments.settings, kind))
    workload = load_workload(arguments.log, arguments, arguments.replication)
    for unread in (unread_words, unread_applications):
        if words := unread(policy, arguments):
            print(words, file=sys.stderr)
    note_wide_jobs(workload)
    tell_notes([policy], workload)

    from scheduler_core.checker import check
    from scheduler_core.declarations.families import WAIT_WORDS
    from scheduler_core.runs.folder import check_folder, write_run
    from scheduler_core.runs.simulation import simulate
    from scheduler_core.runs.summary import summarise_schedule

    check_folder(arguments.out)
    refuse_existing([arguments.out], arguments.force)
    tell_of_compiling()
    schedule = simulate(workload, policy, progress=progress_shower(len(workload)))
    certificate = check(workload, schedule)
    write_run(arguments.out, [workload], [schedule], [certificate], name=arguments.log.name)
    show_accounting(workload, arguments.verbose)
    print(f"{arguments.log.name} on {machine_words(workload)} under {policy.title}\n")
    summary = summarise_schedule(schedule)
    rows = [(*unit_split(name), format_number(value), read_aloud(name, value)) for name, value in summary.items()]
    print_table(("metric", "unit", "value", "about"), rows)
    print(f"\nwait: {WAIT_WORDS[schedule.family.wait]}")
    if words := left_out_words(counts_of(workload)):
        print(words)
    tell(certificate.describe())
    print(f"written to {arguments.out}")
    return 0
