"""A job that is chosen in a diagram tells why it started when it did, in the words of the command that explains it."""

import json
import shutil

import pytest

from tests.browser.diagrams import Viewer
from tests.reports.families import stores
from tests.reports.families.concurrent_gang import fixture as concurrent_gang
from tests.scheduler_core.all_subjects import seeded
from tests.slotwise.cli.command import run

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
    cases = {name: seeded(subject, seed)[0] for name, (subject, seed) in DRAWN.items()}
    workloads = {name: case.workload for name, case in cases.items()}
    policies = {(name, f"of-{name}"): case.policy for name, case in cases.items()}
    return stores.write_page(stores.simulate_store(tmp_path_factory.mktemp("explained"), workloads, policies))


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
        assert why.inner_text() == "Choose a job to see why it started when it did. Each job shown is explained here."
        told = {}
        for key in [*("ArrowRight", "ArrowDown") * 40, *("ArrowRight",) * 40]:
            viewer.press(key)
            told[why.locator("code").inner_text()] = why.locator(".answer, li").all_inner_texts()
        assert why.get_attribute("aria-live") == "polite"
        job, below = viewer.part("job").bounding_box(), why.bounding_box()
        assert job["y"] + job["height"] <= below["y"] + 0.5 or job["y"] >= below["y"] + below["height"] - 0.5
        assert below["x"] + below["width"] <= width
    assert all(told.values())
    longest = sorted(told, key=lambda command: len(told[command]))[-2:]
    for command in {next(iter(told)), *longest}:
        answer, *more = told[command]
        capsys.readouterr()
        assert run(*command.split()[1:]) == 0
        printed = capsys.readouterr().out.splitlines()
        assert printed[0] == answer
        assert len(more) <= 6
        assert [one for one in more if one not in printed and "reservation" not in one] == []
    assert any("waited" in answer for answer, *_ in told.values())


def test_a_schedule_that_is_not_shown_first_shows_the_commands_alone(page, open_page, tmp_path):
    """The policy of the window of space sharing has no explanations, as policies have that a viewer does not show first."""
    folder = tmp_path / "report"
    shutil.copytree(page.parent, folder)
    file = folder / "schedules" / "space_sharing" / "space-sharing.js"
    head, data = file.read_text().split(", ", 1)
    window = json.loads(data.rsplit(")", 1)[0])
    (policy,) = window["policies"]
    del policy["why"]
    file.write_text(f"{head}, {json.dumps(window)});\n")
    with open_page(folder / page.name, 1280, 1000) as opened:
        viewer = Viewer(opened, "space-sharing")
        viewer.part("picture").evaluate("canvas => canvas.scrollIntoView({block: 'center'})")
        viewer.wait("viewer.state.places.length > 0")
        assert viewer.says("why").endswith("The command that explains it is shown.")
        (job,) = viewer.walk("ArrowRight", 1)
        assert viewer.part("why").locator(".answer").count() == 0
        assert f"--job {job} " in viewer.part("why").locator("code").inner_text()
