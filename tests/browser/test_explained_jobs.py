"""A job that is chosen in a diagram tells why it started when it did, in the words of the command that explains it."""

import pytest

from reports.build import build_store
from scheduler_core.common.files import write_json
from scheduler_core.contracts import write_replications
from tests.browser.diagrams import Viewer
from tests.cells import run_cell
from tests.reports.families import stores
from tests.reports.families.concurrent_gang import fixture as concurrent_gang
from tests.scheduler_core.all_subjects import seeded
from tests.slotwise.cli.command import run
from workflow.policies import StudyPolicy

DRAWN = {
    "space-sharing": ("space_sharing-easy", 1),
    "gang": ("gang-backfilling", 10),
    "slices": ("slices-plain", 1),
    "coscheduling": ("coscheduling-profit", 3),
    "grid": ("grid-slices", 1),
}
"""For each diagram a drawn example: its subject and its seed."""

DIAGRAMS = (*DRAWN, "concurrent-gang")


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """The page of schedules of runs as the pipeline makes them, a workload for each diagram."""
    root = tmp_path_factory.mktemp("explained")
    kinds = {}
    for name, (subject, seed) in DRAWN.items():
        case, _ = seeded(subject, seed)
        path = root / "workloads" / f"{name}.parquet"
        path.parent.mkdir(parents=True, exist_ok=True)
        write_replications(path, [case.workload])
        write_json(path.with_suffix(".accounting.json"), {})
        run_cell(path, case.policy.name, case.policy.values(), root / "runs" / name / f"of-{name}")
        kinds[f"of-{name}"] = StudyPolicy(case.policy.name, name.capitalize(), False, case.policy).described()
    study = {
        "study": "drawn",
        "title": "Drawn",
        "question": "Why?",
        "versus": None,
        "claims": [],
        "policies": kinds,
        "workloads": {name: {"label": name, "model": {"name": name}} for name in DRAWN},
        "cells": [(name, f"of-{name}") for name in DRAWN],
        "shown": [(name, f"of-{name}") for name in DRAWN],
    }
    build_store(root, [study], root / "slotwise.duckdb")
    return stores.write_page(root / "slotwise.duckdb")


@pytest.fixture(scope="module")
def inside(tmp_path_factory):
    """The page of schedules of Concurrent Gang, whose runs have traces."""
    return stores.write_page(concurrent_gang.write_store(tmp_path_factory.mktemp("inside")))


@pytest.mark.parametrize("name", DIAGRAMS)
@pytest.mark.parametrize("width", [1280, 390])
def test_a_chosen_job_gives_the_answer_of_the_command(request, open_page, capsys, name, width):
    shown = request.getfixturevalue("page" if name in DRAWN else "inside")
    with open_page(shown, width, 1000) as opened:
        viewer = Viewer(opened, name)
        viewer.part("picture").evaluate("canvas => canvas.scrollIntoView({block: 'center'})")
        viewer.wait("viewer.state.places.length > 0")
        viewer.choose("workload", str(viewer.control("workload").locator("option").count() - 1))
        viewer.wait("viewer.state.places.length > 0")
        why = viewer.part("why")
        told = {}
        for key in [*("ArrowRight",) * 150, *("ArrowDown",) * 150]:
            if len(told) == 3:
                break
            viewer.press(key)
            command = why.locator("code").inner_text()
            if lines := why.locator(".answer, li").all_inner_texts():  # of the jobs that waited longest
                told[command] = lines
        assert why.get_attribute("aria-live") == "polite"
        job, below = viewer.part("job").bounding_box(), why.bounding_box()
        assert job["y"] + job["height"] <= below["y"] + 0.5 or job["y"] >= below["y"] + below["height"] - 0.5
        assert below["x"] + below["width"] <= width
    assert told
    for command, (answer, *more) in told.items():
        capsys.readouterr()
        assert run(*command.split()[1:]) == 0
        printed = capsys.readouterr().out.splitlines()
        assert printed[0] == answer
        assert len(more) <= 6
        assert [one for one in more if one not in printed and "reservation" not in one] == []
    assert any("waited" in answer for answer, *_ in told.values())
