"""Applications drawn for jobs: shares and means as printed, and what another mix, load or job behind leaves as it is."""

import polars as pl
import pytest

from scheduler_core.common.errors import StudyError
from traces.build import build_workload
from traces.definition import read_definition
from traces.shape.applications import MIXES

MODEL = {"model": "lublin", "processors": 16, "jobs": 3000}

PRINTED = {
    6: {
        "io": (50_000, 50_000),
        "messages": (5000, 0),
        "supersteps": (5000, 0),
        "barriers": (5000, 0),
        "compute": (0, 0),
    },
    8: {"io": (100_000, 100_000), "messages": (10_000, 0), "supersteps": (50_000, 0), "compute": (0, 0)},
}
"""Mean burst and disk request of each application, by chapter."""


def drawn(applications, key="w", **more):
    """Return the table of a workload of the model."""
    return (
        build_workload({**MODEL, "applications": applications, **more}, key, 1).workloads[0].companions["applications"]
    )


@pytest.mark.parametrize("mix", MIXES)
def test_the_applications_of_a_mix_are_equally_probable(mix):
    counts = dict(drawn(mix)["application"].cast(pl.String).value_counts().rows())
    assert set(counts) == set(MIXES[mix])
    assert all(abs(count / 3000 - 1 / len(MIXES[mix])) < 0.03 for count in counts.values())


@pytest.mark.parametrize("chapter", PRINTED)
def test_means_are_those_of_the_chapter(chapter):
    for mix in ("IO/Msg/Emb", "BSP", "Sync"):
        table = drawn({"mix": mix, "chapter": chapter})
        for word, means in PRINTED[chapter].items():
            rows = table.filter(pl.col("application") == word).select("burst_us", "disk_us").unique().rows()
            assert rows in ([], [means])
        assert table["burst_us"].sum() > 0
    assert table["spread"].unique().to_list() == ["exponential"]


def test_means_may_be_given_and_belong_to_the_applications_they_are_of():
    told = {"mix": "IO/BSP", "io_disk_ms": 0.02, "superstep_ms": 1, "imbalance": 0.5, "spread": "constant"}
    table = drawn(told)
    assert dict(table.group_by("application").agg(pl.col("burst_us").first()).rows()) == {
        "io": 100_000,
        "supersteps": 1000,
    }
    assert table.filter(pl.col("application") == "io").select("disk_us", "imbalance").unique().rows() == [(20, 0.0)]
    assert table.filter(pl.col("application") == "supersteps")["imbalance"].unique().to_list() == [0.5]
    irregular = drawn({"mix": "Irregular", "piece_ms": 2, "most_pieces": 5})
    assert irregular.select("burst_us", "most_tasks").unique().rows() == [(2000, 5)]


def test_another_mix_differs_only_in_the_jobs_whose_application_differs():
    one, other = drawn("IO"), drawn("IO/Msg")
    assert one["seed"].equals(other["seed"])
    alike = other["application"] == "io"
    assert one.filter(alike).equals(other.filter(alike))
    assert drawn("IO/Msg", "other", jobs_of="w").equals(other)
    assert not drawn("IO/Msg", "other")["seed"].equals(other["seed"])


def test_another_load_and_more_jobs_behind_leave_what_is_drawn():
    table = drawn("IO/Msg/Emb")
    assert drawn("IO/Msg/Emb", load=0.9).equals(table)
    assert drawn("IO/Msg/Emb", jobs=4000).head(3000).drop("seed").equals(table.drop("seed"))
    assert drawn("IO/Msg/Emb", jobs=4000).head(3000)["seed"].equals(table["seed"])


def test_what_was_drawn_is_recorded():
    workload = build_workload({**MODEL, "applications": "Emb"}, "w", 1).workloads[0]
    step = workload.provenance["transformations"][-1]
    assert step["step"] == "applications"
    assert step["parameters"]["mix"] == "Emb"
    assert step["applications"] == {"compute": 3000}


@pytest.mark.parametrize(
    ("applications", "said"),
    [
        ("IO/Mesg", "applications: applications: mix must be one of IO, IO/Msg, .*; found 'IO/Mesg'"),
        ({"chapter": 6}, "applications: mix is missing; write one of IO, IO/Msg"),
        ({"mix": "IO", "chapter": 7}, "applications: applications: chapter must be 6 or 8; found 7"),
        ({"mix": "IO", "chapters": 6}, "has no parameter 'chapters'; did you mean 'chapter'"),
        ({"mix": "IO", "io_burst_ms": -1}, "io_burst_ms must be at least 0.001; found -1"),
        ({"mix": "BSP", "imbalance": 1}, "imbalance must be at most 0.999; found 1"),
        (3, "applications: expected a mapping of names to values; found 3"),
    ],
)
def test_what_there_is_not_is_refused(applications, said):
    with pytest.raises(StudyError, match=said):
        read_definition({**MODEL, "applications": applications})


def test_applications_are_for_jobs_of_one_cluster_that_are_no_tasks():
    clusters = {"model": "lublin", "jobs": 100, "clusters": [{"processors": 8}, {"processors": 8}]}
    with pytest.raises(StudyError, match="applications: it is for a machine of one cluster"):
        read_definition({**clusters, "applications": "IO"})
    with pytest.raises(StudyError, match="workflows: tasks of workflows have no applications"):
        read_definition({**MODEL, "applications": "IO", "workflows": {"share": 0.1}})
