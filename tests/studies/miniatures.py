"""The studies of the project in miniature: few jobs and short runs, enough to draw their figures."""

import dataclasses
from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import duckdb
import pytest

from scheduler_core.common.files import read_json
from tests.paths import study_file
from tests.reports.small_study import make_small, write_log
from workflow.studies import Study, read_study

LOG = "some.swf"
"""Stands for the path of the log that is written for the miniature."""


@dataclass(frozen=True)
class Miniature:
    """What of a study is run.

    Attributes
    ----------
    workloads
        The workloads to run, with the keys that change; all of them when left out.
    policies
        The policies to run; all of them when left out.
    scale
        The scale of the study.
    log
        Jobs and processors of the log :data:`LOG`.
    brief
        Parameters that every policy gets, to end its runs early.
    absent
        The figures that a miniature cannot draw, with a word of the reason that the report gives.
    untested
        The claims for which a miniature has no evidence; None where it leaves out many.
    """

    workloads: dict[str, dict[str, Any]] | None = None
    policies: Collection[str] | None = None
    scale: str = "full"
    log: tuple[int, int] = (400, 16)
    brief: dict[str, Any] = field(default_factory=dict)
    absent: dict[str, str] = field(default_factory=dict)
    untested: frozenset[str] | None = None

    def make(self, name: str, root: Path) -> Study:
        """Run the study of a name in a folder, build its store and draw its figures; return what was run."""
        log = str(write_log(root / LOG, *self.log))
        study = read_study(study_file(name), self.scale)
        workloads = {
            workload: {key: log if value == LOG else value for key, value in changes.items()}
            for workload, changes in (same(study.workloads) if self.workloads is None else self.workloads).items()
        }
        policies = {
            policy: dataclasses.replace(known, policy=dataclasses.replace(known.policy, **self.brief))
            for policy, known in study.policies.items()
        }
        return make_small(root, dataclasses.replace(study, policies=policies), workloads, self.policies)


@dataclass(frozen=True)
class Drawn:
    """A miniature that has run: its folder, its open store, and the study."""

    root: Path
    connection: duckdb.DuckDBPyConnection
    study: Study

    def entries(self) -> dict[str, dict[str, Any]]:
        """Return the entries of the figures by name."""
        return {entry["name"]: entry for entry in read_json(self.root / "figures" / "figures.json")}

    def values(self, figure: str) -> list[dict[str, Any]]:
        """Return the rows that a figure draws."""
        return read_json(self.root / "figures" / f"{figure}.json")["data"]["values"]

    def judged(self) -> set[str]:
        """Return the claims for which the store has evidence."""
        return {claim for (claim,) in self.connection.execute("SELECT DISTINCT claim FROM claim_evidence").fetchall()}


def in_miniature(*names: Any) -> pytest.MarkDecorator:
    """Return the mark of a test that uses the fixture ``miniature`` with some studies."""
    return pytest.mark.parametrize("miniature", names, indirect=True)


def same(workloads: Collection[str], **changes: Any) -> dict[str, dict[str, Any]]:
    """Change workloads in the same way."""
    return dict.fromkeys(workloads, changes)


EXAMPLES = (
    "example-slices",
    "example-group",
    "example-backfilling",
    "example-finish",
    "example-shifting",
    "example-hole",
)
MIXTURES = ("io", "io-msg", "io-msg-emb", "io-bsp", "io-bsp-emb", "emb-msg", "emb-bsp")
ERRORS = ("pss", "r-printed", "r-printed-slower-50", "r-printed-both-50", "r-printed-parted-50", "u1-printed",
          "u1-printed-slower-50")  # fmt: skip

MINIATURES = {
    "concurrent_gang": Miniature(
        same([f"{mixture}-{processors}" for mixture in MIXTURES for processors in (8, 16)], jobs=12, replications=2,
             fit=LOG, mean_gap_s=1)
        | same(["emb-16", *(f"chapter-6-{kind}" for kind in ("io", "compute", "bsp", "msg"))], jobs=12, replications=2,
               fit=LOG, mean_gap_s=1)
        | same(["io-at-load-050", "io-at-load-200"], jobs=12, replications=2, fit=LOG),
        brief={"until_s": 50, "sums_s": 1, "trace_s": 0},
        absent={"blocking_cascade": "not run", "activities_in_a_run": "traced"},
        untested=frozenset({"io-longer-bursts-gain-less", "dhc-very-good-job", "c6-example-loses-slices"}),
    ),
    "concurrent_gang_logs": Miniature(
        same([f"log-lublin-load-{load}" for load in (100, 200)], jobs=30, replications=2, load=4)
        | same([f"log-sp2-{part}-load-200" for part in (1, 2)], log=LOG, weeks={}, first=30, load=40),
        ("log-gang", "log-prio", "log-rt"),
        log=(60, 16),
        brief={"until_s": 5000, "sums_s": 500, "trace_s": 0},
    ),
    "gang_packing": Miniature(
        same(["jann", "jann-moved", "jann-at-load-050", "jann-at-load-090", "jann-at-load-180", "memory",
              "memory-load-4"], jobs=120, replications=2, fit=LOG)
        | same(["sdsc-sp2"], log=LOG, first=200),
        log=(2000, 128),
    ),
    "gang_theory": Miniature(
        same(["batch-uniform", "batch-extreme", "batch-small"], replications=5)
        | same(["equal-halves-4", "equal-halves-8", "long-thin-8", "tall-and-thin-8", "unit-16"]),
        scale="quick",
    ),
    "grid_policies": Miniature(
        same(["clusters-equal", "clusters-estimates", "clusters-unequal"], jobs=240, replications=2),
        ("pect-follow", "pect-heft", "easy-follow", "easy-heft", "conservative-rigid"),
    ),
    "grid_reservations": Miniature(
        same(["p-0", "p-13", "p-26", "four-seeds"], jobs=300, replications=2) | same(["p-26-own"], jobs=150, replications=2),
        ("no-workflows", "no-slices", "no-lending", "grid_relaxed", "grid_propagation", "grid_independent", "grid_heft",
         "grid_rigid", "grid_zero_slack", "mean-predictions", "balanced", "balanced-propagation", "slots-lost",
         "slides-to-make-room", "slides-to-the-next-slice", "relaxed-no-lending", "propagation-no-lending", "with-000",
         "with-350", "without-000", "without-350"),
        absent={"main_effects_by_reading": "reading"},
        untested=frozenset(
            {"c21-longer-reservations", "c21-degraded-is-overcommitted", "m4-late-tasks-are-finished"}
        ),
    ),
    "group_optimisation": Miniature(
        {"seed-71": {"jobs": 400}, "seed-31": {"jobs": 300}, "one-71": {"jobs": 250}}
        | same(EXAMPLES),
        scale="quick",
        absent={"shares_and_estimates": "No run", "space_sharing": "No policy of space sharing"},
    ),
    "lomarc": Miniature(
        same(["lomarc-w1", "lomarc-w2", "lomarc-w3", "lomarc-w1-m2", "lomarc-w1-over", "lomarc-w3-over"], jobs=250,
             replications=2),
        absent={"gains_by_formula": "reading"},
        untested=frozenset(),
    ),
    "modern_machines": Miniature(
        same(["machine-disk", "machine-nvme", "machine-nvme-short"], jobs=30, replications=2, fit=LOG),
        [f"{era}-{system}" for era in ("then", "switch", "rdma") for system in ("gang", "rt")],
        brief={"until_s": 40, "sums_s": 4, "trace_s": 0},
    ),
    "node_sharing_logs": Miniature(
        same(["shared-sp2-load-090", "shared-sp2-load-130", "shared-sp2-2-load-090"], log=LOG, first=250),
        log=(300, 128),
    ),
    "published_schedules": Miniature(
        {"published-sdsc-sp2": {"log": LOG}}, absent={"published_against_ours": "None of the published schedules"}
    ),
    "scojo_coscheduling": Miniature(
        same(["case-1", "case-1-unreserved", "case-2", "case-3"], replications=3) | {"table-5-1": {}}, untested=frozenset()
    ),
    "scojo_gang": Miniature(
        same(["huang-1", "huang-2", "huang-1-fitted", "huang-2-fitted", "huang-1-draws-6", "huang-2-draws-6"],
             jobs=120, replications=2)
        | same(["sdsc-sp2-flexible"], log=LOG),
        log=(150, 32),
    ),
    "slack_and_load": Miniature(
        same(["slack-13", "slack-26"], jobs=240, replications=2),
        ("slack-000", "slack-350", "follow-000", "follow-350", "spare-350", "follow-early-350", "follow-kept-000",
         "follow-early-kept-350"),
    ),
    "slowdown_error": Miniature(same(["error-light", "error-heavy"], jobs=200, replications=3), ERRORS),
    "workflow_shapes": Miniature(
        same(["shape-five", "shape-mosaic"], jobs=240, replications=2),
        ("grid_relaxed", "grid_propagation", "grid_heft"),
    ),
}  # fmt: skip
"""Miniatures of studies; any other study with figures of its own is run whole, at its scale ``quick``."""


def miniature_of(study: str) -> Miniature:
    """Return the miniature of a study."""
    return MINIATURES.get(study, Miniature(scale="quick"))
