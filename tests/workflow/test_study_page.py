"""What a study says of its page: taken as written, and refused by key where it speaks of what there is not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from reports.figures.names import general_names, own_names
from reports.figures.study import own_figures
from scheduler_core.common.errors import StudyError
from tests.paths import STUDIES
from workflow.study_page import read_page

SAY = {"reproduced": "It falls by {value} % ({low} to {high}), in {k} of {n}.", "otherwise": "It does not."}
HERO = {"figure": "measures_by_policy", "claim": "falls", "say": SAY}
MEASURED = {"figure": general_names()[0], "measure": "gain", "expect": {"all": {"above": 0}}, "say": SAY}
WHOLE: dict[str, Any] = {
    "answer": [{"claim": "falls", "say": SAY}, {"measure": "gain", "expect": {"all": {"above": 0}}, "say": SAY}],
    "numbers": [{"label": "gain", "measure": "gain", "with": {"scope": "all"}, "unit": "%"}],
    "hero": {**HERO, "figure": general_names()[0]},
    "curve": "falls",
    "sections": [{"title": "Gains", "figures": [general_names()[0]]}],
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder of studies with one measure."""
    (tmp_path / "tiny" / "measures").mkdir(parents=True)
    (tmp_path / "tiny" / "measures" / "gain.sql").write_text("SELECT 1")
    return tmp_path


def page_of(folder: Path, **keys: Any) -> dict[str, Any]:
    """Read the page of a study that has one claim."""
    return read_page(folder / "tiny.yaml", {"study": "tiny", **keys}, ["falls"])


def test_a_whole_page_is_taken_as_written(folder: Path) -> None:
    assert page_of(folder, **WHOLE, title="Tiny") == WHOLE


def test_the_figure_on_top_may_speak_of_a_measure(folder: Path) -> None:
    assert page_of(folder, hero=MEASURED) == {"hero": MEASURED}


def test_a_study_need_not_say_anything_of_its_page(folder: Path) -> None:
    assert page_of(folder) == {}


@pytest.mark.parametrize(
    ("key", "value", "told"),
    [
        ("answer", "It falls.", "answer: expected a list; found 'It falls.'"),
        ("answer", [{"claim": "fall", "say": SAY}],
         "answer.0.claim: there is no claim 'fall' in this study; did you mean 'falls'?"),
        ("answer", WHOLE["answer"] * 3, "answer: expected at most 4; found 6"),
        ("answer", [{"claim": "falls", "say": {"reproduced": "Yes."}}],
         "answer.0.say: says nothing when the verdict is 'reproduced in part'; give it a text, or add 'otherwise'"),
        ("answer", [{"claim": "falls", "say": {**SAY, "proven": "Yes."}}], "answer.0.say.proven: there is no such key"),
        ("answer", [{"claim": "falls", "say": {"otherwise": "{median}"}}],
         "answer.0.say.otherwise: there is no placeholder '{median}'"),
        ("answer", [{"measure": "gains", "expect": {}, "say": SAY}],
         "answer.0.measure: there is no measure 'gains'; did you mean 'gain'?"),
        ("answer", [{"measure": "gain", "say": SAY}], "answer.0.expect: expected a mapping"),
        ("numbers", [{"measure": "gain"}], "numbers.0.label: expected text; found None"),
        ("hero", HERO, "hero.figure: there is no figure 'measures_by_policy' of this study"),
        ("hero", {**WHOLE["hero"], "say": {"otherwise": "long " * 30}},
         "hero.say.otherwise: a heading has at most 120 letters; found 150"),
        ("hero", {**MEASURED, "measure": "gains"}, "hero.measure: there is no measure 'gains'; did you mean 'gain'?"),
        ("curve", "rises", "curve: there is no claim 'rises' in this study"),
        ("sections", WHOLE["sections"] * 2, "sections.1.figures: duplicate:"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named_by_file_and_key(folder: Path, key: str, value: Any, told: str) -> None:
    with pytest.raises(StudyError) as error:
        page_of(folder, **{key: value})
    assert str(error.value).startswith(f"{folder / 'tiny.yaml'}: {told}")


@pytest.mark.parametrize("study", ["group_optimisation", "gang_theory", "easy_dialects", "baseline"])
def test_names_of_figures_are_those_that_are_drawn(study: str) -> None:
    assert sorted(own_names(STUDIES / study)) == sorted(figure.__name__ for figure in own_figures(STUDIES / study))
