"""Header comments of exported logs in the Standard Workload Format."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from scheduler_core.contracts import Machine, Schedule, Workload
from scheduler_core.declarations.words import counted
from traces.export.exported import Loss
from traces.swf_header import ZONE, machine_name

VERSION = "2.2"
"""The version of the Standard Workload Format that is written."""

CARRIED = ("Computer", "Installation", "Acknowledge", "Copyright", "Conversion", "Information", "Preemption", "Note")
"""Texts of a log's header that stay true of its jobs, in the order in which they are written."""

OF_THE_CLOCK = ("StartTime", "EndTime")
"""Texts of a log's header that stay true only while its jobs are all there and as they were."""

Pairs = list[tuple[str, object]]


def workload_header(workload: Workload, losses: Iterable[Loss]) -> str:
    """Return the header of a workload: what its log said of itself, the machine, the clock, and what the text does not hold."""
    provenance = workload.provenance
    values: Mapping[str, Any] = provenance.get("header", {})
    steps = [str(step.get("step", "another")) for step in provenance.get("transformations", [])]
    carried = [key for key in CARRIED if key in values]
    if machine_name(dict(values)) != workload.machine.name:
        carried = [key for key in carried if key not in ("Computer", "Installation")]
    pairs: Pairs = [("Version", VERSION), *computer(workload.machine, "Computer" in carried)]
    pairs += [(key, text) for key in carried if key != "Note" for text in texts(values[key])]
    pairs += size(len(workload), workload.machine)
    if (clock := provenance.get("clock")) is not None:
        pairs.append(("UnixStartTime", clock["start_s"]))
        pairs += [(key, values[key]) for key in ("TimeZone", ZONE) if key in values]
    if not steps:
        pairs += [(key, text) for key in OF_THE_CLOCK if key in values for text in texts(values[key])]
    pairs += [("Note", text) for text in texts(values.get("Note", []))]
    source = provenance.get("source", "")
    pairs.append(("Note", f"written by slotwise export{f', from {source}' if source else ''}"))
    if steps:
        pairs.append(("Note", f"slotwise changed the jobs: {', '.join(steps)}"))
    pairs.append(("Note", "fields 5 and 8 are both the size of a job, field 10 is its memory per processor"))
    return comments([*pairs, *(("Note", loss.words) for loss in losses)])


def schedule_header(schedule: Schedule, name: str, replication: int, losses: Iterable[Loss]) -> str:
    """Return the header of a schedule of the workload ``name``: the machine, the policy and that no machine recorded it."""
    policy = schedule.run["policy"]
    parameters = ", ".join(f"{key}={as_text(value)}" for key, value in sorted(policy["parameters"].items()))
    pairs: Pairs = [
        ("Version", VERSION),
        *computer(schedule.machine, known=False),
        ("Conversion", "slotwise export"),
        *size(schedule.jobs.height, schedule.machine),
        ("Note", "written by slotwise export: waits, run times and processors are simulated, no machine recorded them"),
        ("Note", f"policy: {policy['name']}"),
        ("Note", f"parameters: {parameters or 'none'}"),
        ("Note", f"workload: {name}, replication {replication}"),
        ("Note", "a wait lasts until the first start, a run time from there to the end"),
        ("Note", "status: 1 finished, 0 killed at its estimate, 5 never started; users are not part of a run"),
    ]
    return comments([*pairs, *(("Note", loss.words) for loss in losses)])


def computer(machine: Machine, known: bool) -> Pairs:
    """Return the key of the machine's name, unless it has none or the log's own keys are carried over."""
    return [("Computer", machine.name)] if machine.name and not known else []


def size(jobs: int, machine: Machine) -> Pairs:
    """Return the numbers of jobs, nodes and processors; nodes only where they say how many processors each has."""
    alike = {cluster.processors_per_node for cluster in machine.clusters}
    each = alike.pop() if len(alike) == 1 else 1
    nodes: Pairs = [("MaxNodes", machine.processors // each)] if each > 1 and machine.processors % each == 0 else []
    return [("MaxJobs", jobs), ("MaxRecords", jobs), *nodes, ("MaxProcs", machine.processors)]


def machine_losses(machine: Machine) -> list[Loss]:
    """Return what the header cannot say of a machine."""
    losses = []
    clusters = machine.clusters
    if len(clusters) > 1:
        words = f"{counted(len(clusters), 'cluster')} are written as one machine of {machine.processors:,} processors"
        losses.append(Loss("clusters", len(clusters), words))
    attributes = {
        "speed": sum(cluster.speed != 1 for cluster in clusters),
        "memory_kb": sum(cluster.memory_kb > 0 for cluster in clusters),
        "processors_per_node": sum(
            cluster.processors_per_node > 1 and not dict(size(0, machine)).get("MaxNodes") for cluster in clusters
        ),
    }
    return losses + [
        Loss(name, count, f"{name} of {counted(count, 'cluster')}: no header key holds it")
        for name, count in attributes.items()
        if count
    ]


def texts(value: str | list[str]) -> list[str]:
    """Return the texts of a key, which is a list if the log repeats the key."""
    return value if isinstance(value, list) else [value]


def as_text(value: Any) -> str:
    """Return a value of a parameter: words as they are, anything else as JSON."""
    return value if isinstance(value, str) else json.dumps(value, sort_keys=True)


def comments(pairs: Iterable[tuple[str, object]]) -> str:
    """Return keys and values as comment lines; further lines of a value are indented, as in the archive's logs."""
    lines = []
    for key, value in pairs:
        first, *others = str(value).splitlines() or [""]
        lines += [f"; {key}: {printable(first)}", *(f";   {printable(line)}" for line in others)]
    return "".join(f"{line.rstrip()}\n" for line in lines)


def printable(text: str) -> str:
    """Return a text without characters that break a line or a terminal."""
    return "".join(c if c.isprintable() else "?" for c in text.expandtabs())
