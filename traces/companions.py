"""How a workload gets its companion tables, on the command line and in a study."""

from collections.abc import Iterable
from typing import NamedTuple

from scheduler_core.declarations.words import capitalised


class Way(NamedTuple):
    """How a workload gets a companion table: by an option of the command line, and by a key of a study."""

    option: str
    key: str


WAYS = {
    "behaviour": Way("with `--behaviour lomarc`", "write 'behaviour: lomarc'"),
    "slowdowns": Way("with `--slowdowns TABLE`", "name one with 'slowdowns'"),
    "applications": Way("with `--applications MIX`, such as IO/Msg", "write 'applications: {mix: IO, chapter: 8}'"),
    "standstills": Way(
        "with `--standstills HOURS`, from the waits that a log records",
        "write 'standstills_h: 12', for a log that records waits",
    ),
    "closed_hours": Way(
        "with `--closed-hours`, from the starts that a log records, or with `--close JOBS=HOURS`",
        "write 'closed_hours: true', for a log that records waits, or 'close: {2: workdays:8-18}'",
    ),
    "out_of_use": Way("with `--usable 124,113@31`", "write 'usable: 124,113@31'"),
    "shares": Way(
        "with the model scojo_cases (`slotwise generate scojo_cases`); no log has it",
        "take a model that has it, such as 'scojo_cases'",
    ),
    **dict.fromkeys(
        ("tasks", "edges", "transfers"), Way("with `--workflows SHARE`", "write 'workflows: {share: 0.1}' (0 for none)")
    ),
    "run_times": Way(
        "with `--workflows share=0.1 --workflows spread=0.2`", "write 'workflows: {share: 0.1, spread: 0.2}'"
    ),
}
"""The way to each companion table, by its name."""


def advice(missing: Iterable[str]) -> str:
    """Return which options of the command line add some companion tables, as a sentence; empty when there are none."""
    ways: dict[str, list[str]] = {}
    for name in missing:
        if name in WAYS:
            ways.setdefault(WAYS[name].option, []).append(f"'{name}'")
    told = (
        f"the tables {', '.join(names[:-1])} and {names[-1]} come {option}"
        if names[1:]
        else f"the table {names[0]} comes {option}"
        for option, names in ways.items()
    )
    return capitalised("; ".join(told))
