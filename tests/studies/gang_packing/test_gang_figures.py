"""The studies of gang scheduling in miniature: every figure of theirs is drawn, with its caption filled in."""

import pytest

from reports.figures.study import own_figures
from scheduler_core.common.files import read_json
from tests.paths import STUDIES, study_file
from tests.reports.small_study import make_small, write_log
from workflow.studies import read_study

FEW = {"jobs": 120, "replications": 2}


def scojo_gang(root):
    log = str(write_log(root / "some.swf", 150, 32))
    models = ("huang-1", "huang-2", "huang-1-fitted", "huang-2-fitted", "huang-1-draws-3", "huang-2-draws-3")
    return {**dict.fromkeys(models, FEW), "sdsc-sp2-flexible": {"log": log}}


def gang_packing(root):
    log = str(write_log(root / "some.swf", 2000, 128))
    models = (
        "jann",
        "jann-moved",
        "jann-at-load-050",
        "jann-at-load-090",
        "jann-at-load-180",
        "memory",
        "memory-load-4",
    )
    return {**{name: {**FEW, "fit": log} for name in models}, "sdsc-sp2": {"log": log, "first": 200}}


@pytest.fixture(scope="module", params=[scojo_gang, gang_packing], ids=lambda made: made.__name__)
def drawn(request, tmp_path_factory):
    """Run a study on a few jobs and draw its figures; return its name and their folder."""
    name = request.param.__name__
    root = tmp_path_factory.mktemp(name)
    make_small(root, read_study(study_file(name)), request.param(root))
    return name, root / "figures"


def test_every_figure_is_drawn_with_its_caption_filled_in(drawn):
    name, folder = drawn
    entries = {entry["name"]: entry for entry in read_json(folder / "figures.json")}
    assert {figure.__name__ for figure in own_figures(STUDIES / name)} <= set(entries)
    for entry in entries.values():
        assert not entry.get("absent"), entry
        assert "{" not in entry["caption"]
        assert (folder / f"{entry['name']}.svg").stat().st_size > 2000
