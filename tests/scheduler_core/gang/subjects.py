"""What is held against the oracles of gang scheduling: families of parameters that go together, and background systems."""

import functools
from collections.abc import Callable
from typing import Any

from tests.oracles.gang.oracle import GangSchedule
from tests.oracles.gang.parts import PartsSchedule
from tests.scheduler_core.examples import Case
from tests.scheduler_core.gang.background_draws import BACKGROUND, draw_background
from tests.scheduler_core.gang.draws import FAMILIES, draw_case
from tests.scheduler_core.gang.features import EXERCISED, FEATURES, Shown
from tests.scheduler_core.gang.ways import WAYS
from tests.scheduler_core.subjects import Subject, with_defaults

DECIDES = {
    "packing": {"packing", "level", "slice_s", "slice", "switch_cost", "switch_slows", "queue"}
    | {"short_limit_s", "medium_limit_s", "aging_s", "backfill", "backfill_depth"},
    "repacking": {"packing", "repack", "fill", "slice_s", "switch_cost", "switch_slows"},
    "filling": {"packing", "fill", "level", "backfill"},
    "memory": {"packing", "new_slot", "level", "backfill"},
    "adaptation": {"packing", "sizing", "eliminate_fragmentation", "demand", "very_short", "load_level"}
    | {"reconfiguration_s", "reconfiguration_cost_s", "level", "slice", "backfill", "backfill_depth"},
}
"""Parameters that must decide some schedule of a family's examples."""


RESIZED = {"grown", "shrunk", "stalled", "stalled for a whole segment", "starts on more", "starts on fewer"}
STEADY = {"rejected for size", "killed", "machine idle in between", "waits for a boundary"}
EXERCISED_BACKGROUND: dict[str, set[str]] = {
    "dhc": STEADY | {"level of three or more", "level falls and rises", "copies", "unequal copies"},
    "equipartition": STEADY | RESIZED | {"processors not contiguous"},
    "folding": STEADY | RESIZED | {"processors not contiguous"},
    "compress": STEADY | RESIZED - {"grown", "starts on more"} | {"processors not contiguous"},
    "static": STEADY,
    "partitions": STEADY | {"several clusters", "level of three or more", "moved", "copies", "overtaken by priority"},
    "efficiency": STEADY | {"starts on more", "starts on fewer", "backfilled by head", "backfilled by all"},
}
"""What the examples of each subject must have exercised; a job that waits for processors seems to wait for a boundary."""


def shown(feature: str, case: Case, found: GangSchedule | PartsSchedule) -> bool:
    """Tell whether a schedule shows a feature."""
    if isinstance(found, GangSchedule):
        return feature != "several clusters" and FEATURES[feature](case, found)
    if feature == "several clusters":
        return len({cluster for cluster, _ in found.segments}) > 1
    jobs = {job: None if ran is None else ran[1] for job, ran in found.jobs.items()}
    segments, levels = sorted(segment for _, segment in found.segments), [level for _, level in found.levels]
    return FEATURES[feature](case, GangSchedule(jobs, segments, levels, found.counters))


OTHER: dict[str, dict[str, Callable[[Any], Any]]] = {
    "dhc": {
        "slice_s": lambda slice_s: 0.0,
        "selective_disabling": lambda selective: not selective,
        "alternative": lambda alternative: not alternative,
    },
    "equipartition": {"rule": lambda rule: "folding", "reconfiguration_cost_s": lambda cost: 0.0},
    "folding": {"rule": lambda rule: "compress", "reconfiguration_cost_s": lambda cost: 0.0},
    "compress": {"rule": lambda rule: "equipartition", "reconfiguration_cost_s": lambda cost: 0.0},
    "static": {"cut": lambda cut: "equal", "partitions": lambda partitions: 1},
    "partitions": {"partitions": lambda partitions: 1 + partitions // 2},
    "efficiency": {"sizing": lambda sizing: "optimum", "efficiency": lambda least: 0.65},
}
"""Parameters that must decide some schedule, and what other value is tried."""


def family(name: str) -> Subject:
    """Return what is drawn for a family of parameters of plain gang scheduling or adaptive SCOJO."""
    shows = {feature: FEATURES[feature] for feature in EXERCISED[name]}
    decides = with_defaults(
        DECIDES.get(name, ()), {"short_limit_s": {"short_limit_s": 0.0}, "sizing": {"sizing": "optimum"}}
    )
    return Subject(WAYS, functools.partial(draw_case, family=name), shows, decides, seeds=600)


def background(name: str) -> Subject:
    """Return what is drawn for a background system."""
    shows: dict[str, Shown] = {feature: functools.partial(shown, feature) for feature in EXERCISED_BACKGROUND[name]}
    draw = functools.partial(draw_background, name=name)
    return Subject(WAYS, draw, shows, OTHER[name], seeds=150, large_seeds=6)


SUBJECTS = {name: family(name) for name in FAMILIES} | {name: background(name) for name in BACKGROUND}
"""Families of parameters and background systems, by name."""
