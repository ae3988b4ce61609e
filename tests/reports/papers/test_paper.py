"""A study as a folder of LaTeX, and one figure of it."""

import json
import re
import shutil
import subprocess

import pytest

from reports.papers.figure import NO_REAL_LOG, captions, entries_of, explanation, find_figure, works_of
from reports.papers.paper import describing, drawn_jobs, example, numbers, policy_words, results_text, without_logs
from scheduler_core.common.errors import StudyError
from tests.reports.papers.specimens import dots, in_panels
from tests.slotwise.cli.command import refused, run

STUDY = "easy_dialects"
PARTS = {"claims.tex", "numbers.tex", "methods.tex", "artifact.tex", "references.bib", "provenance.json"}
FILES = {"main.tex", "supplement.tex", *PARTS}


@pytest.fixture(scope="module")
def results(store, figures, tmp_path_factory):
    """Return a folder of results with two studies."""
    folder = tmp_path_factory.mktemp("results")
    shutil.copytree(figures, folder / "figures")
    shutil.copy(store, folder / "slotwise.duckdb")
    return folder


@pytest.fixture(scope="module")
def paper(results, tmp_path_factory):
    """Write the baseline study as a paper."""
    out = tmp_path_factory.mktemp("paper") / "paper"
    assert run("paper", "baseline", "--results", results, "--out", out) == 0
    return out


def test_a_figure_has_pdf_svg_caption_and_references(results, tmp_path, capsys):
    out = tmp_path / "figure"
    assert run("figure", f"{STUDY}/mean_wait", "--width", "85mm", "--results", results, "--out", out) == 0
    assert {path.name for path in out.iterdir()} == {
        *("mean_wait.pdf", "mean_wait.svg", "caption.tex", "references.bib")
    }
    assert 'width="85mm"' in (out / "mean_wait.svg").read_text()
    (entry,) = [one for one in entries_of(results, STUDY) if one["name"] == "mean_wait"]
    assert (out / "caption.tex").read_text().startswith(f"\\caption{{{entry['title']}.")
    assert "slotwise" in (out / "references.bib").read_text()
    assert "svg, 85 by" in capsys.readouterr().out


def test_a_folder_with_files_is_kept_unless_forced(results, tmp_path, capsys):
    words = ("figure", f"{STUDY}/mean_wait", "--width", "85mm", "--results", results, "--out", tmp_path)
    (tmp_path / "mine.txt").write_text("mine")
    assert "not empty; add --force" in refused(capsys, *words)
    assert run(*words, "--force") == 0
    assert (tmp_path / "mine.txt").read_text() == "mine"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("figure", "easy_dialects/mean_wai", "--width", "85mm"), "did you mean 'mean_wait'?"),
        (("figure", "easy_dialect/mean_wait", "--width", "85mm"), "did you mean 'easy_dialects'?"),
        (("figure", "lomarc/gains", "--width", "85mm"), "`slotwise study run lomarc --out"),
        (("paper", "basline"), "did you mean 'baseline'?"),
        (("paper", "lomarc"), "`slotwise study run lomarc --out"),
    ],
)
def test_errors_name_what_is_near_or_the_command_that_helps(results, tmp_path, capsys, words, said):
    assert said in refused(capsys, *words, "--results", results, "--out", tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_figure_without_data_says_why(results, tmp_path):
    folder = tmp_path / "figures" / "mine"
    folder.mkdir(parents=True)
    (folder / "figures.json").write_text('[{"name": "waits", "title": "", "caption": "", "absent": "No run."}]')
    shutil.copy(results / "slotwise.duckdb", tmp_path)
    with pytest.raises(StudyError, match="No run"):
        find_figure(tmp_path, "mine", "waits")


def test_a_caption_speaks_of_units_and_not_of_the_screen(tmp_path, monkeypatch):
    folder = tmp_path / "figures" / "mine"
    folder.mkdir(parents=True)
    (folder / "waits.json").write_text(json.dumps({"data": {"values": [{"units": 6}, {"units": 8}]}}))
    row = {"method": "Student t over replications", "label": "Drawn log, load 0.90"}
    monkeypatch.setattr("reports.papers.figure.fetch", lambda *_, **__: [row])
    caption = "Means of 50 %. Hover for their number."
    entry = {"name": "waits", "title": "Waits", "caption": caption, "printed": "Means of 50 %."}
    told = explanation(None, tmp_path, "mine", entry)
    assert captions(told, "mine", entry, 1)[0].splitlines()[0] == (
        r"\caption{Waits. Means of 50 \%. n = 6 to 8 independent units per mark; intervals: Student t over replications.}"
    )
    (folder / "waits.json").write_text(json.dumps({"data": {"values": [{"log": "Drawn log"}]}}))
    assert explanation(None, tmp_path, "mine", entry) == rf" Means of 50 \%. {NO_REAL_LOG}"


def test_captions_of_parts_are_numbered_and_the_later_refer_to_the_first():
    first, second = captions(" Means.", "mine", {"name": "all_waits", "title": "Waits of R&D"}, 2)
    assert first == "\\caption{Waits of R\\&D (1 of 2). Means.}\n\\label{fig:mine-all-waits}\n"
    assert second.startswith("\\caption{Waits of R\\&D (2 of 2). Continued from Figure~\\ref{fig:mine-all-waits}.}")
    assert second.endswith("\\label{fig:mine-all-waits-2}\n")


def test_a_paper_includes_every_file_and_every_figure(paper, results):
    assert FILES | {"figures"} == {path.name for path in paper.iterdir()}
    text = "".join((paper / name).read_text() for name in ("main.tex", "supplement.tex"))
    included = re.findall(r"\\(?:input|includegraphics)\{([^}]*)\}", text)
    assert all((paper / name).is_file() for name in included)
    drawn = {entry["name"] for entry in entries_of(results, "baseline") if not entry.get("absent")}
    assert {f"figures/{name}.pdf" for name in drawn} <= set(included)


def test_provenance_has_the_digest_of_every_schedule(paper):
    found = json.loads((paper / "provenance.json").read_text())
    assert found["runs"]
    assert all(row["schedule_digest"] for row in found["runs"])
    assert re.fullmatch("[0-9a-f]{64}", found["store_sha256"])
    assert found["versions"]["slotwise"]


def claim(name, rows, **values):
    evidence = [{"number": number, "value": str(number), "interval": spread} for number, spread in rows]
    nothing = {"unit_words": "", "interval_kind": None, "bound": None, "finding": "nothing"}
    return {"claim": name, "evidence": evidence, "verdict": "reproduced", **nothing, **values}


def test_measured_claims_become_macros():
    found = numbers(
        [
            claim("gain-long-jobs", [(12.3, "10 to 14")], unit_words="%"),
            claim("several", [(1, "–"), (2, "–")]),
            claim("lost", [], verdict="not testable"),
        ]
    ).splitlines()
    assert r"\slotwisedefine{gain-long-jobs}{12.3 \%}" in found
    assert r"\slotwisedefine{gain-long-jobs-interval}{10 to 14}" in found
    assert r"\slotwisedefine{several}{1.00 to 2.00}" in found
    assert not any("several-interval" in line or "lost" in line for line in found)


def test_the_example_of_the_results_has_its_verdict_and_what_the_source_prints():
    """A claim that is not reproduced does not stand in the text as a finding."""
    rows = {"headline": "At most twice", "printed": "2", "interval_name": "95 % prediction interval"}
    refuted = claim("bound", [(2.86, "2 to 3")], **rows) | {"verdict": "not reproduced"}
    assert example(refuted) == (
        r"The verdict on \textquotedblleft{}At most twice\textquotedblright{} is \slotwise{bound-verdict}: the source prints 2, "
        r"we found \slotwise{bound} (95 \% prediction interval \slotwise{bound-interval})."
    )
    exact = claim("bound", [(2.86, "–")], headline="At most twice", printed=None, interval_name="")
    assert example(exact).endswith(r"the source prints no number, we found \slotwise{bound}.")
    assert results_text([]) == "The study judges no claims. The supplement has all figures and the artifact appendix."


def test_own_policies_are_named_by_their_files_and_cite_the_speed_up_that_they_chose():
    def row(label, function, **parameters):
        given = {"file": "studies/mine/equi.py", "function": function, "sha256": "0", **parameters}
        name = "own_preemptive" if parameters else "own"
        return {"name": name, "label": label, "parameters": json.dumps(given), "source": "the user's own file"}

    own = [
        row("Even", "even", speed_up="huang"),
        row("Even (Amdahl)", "even", speed_up="amdahl"),
        row("First", "first"),
    ]
    assert policy_words(own) == [
        "even of equi.py (Even)",
        "even of equi.py under the speed-up of Amdahl (Even (Amdahl))",
        "first of equi.py (First)",
    ]
    assert [works_of(one)[:11] for one in own] == ["", "Amdahl, Val", ""]
    easy = {"name": "easy", "label": "EASY", "parameters": "{}", "source": "Lifka"}
    assert works_of(easy) == "Lifka"
    assert describing(own) == "The study's folder has its own policies and provenance.json lists the parameters."
    assert describing([easy]).startswith(
        "The command “slotwise policies NAME” describes a built-in policy and provenance"
    )
    assert "built-in policy, the study's folder has its own policies and provenance" in describing([easy, *own])


def test_methods_say_what_ran_and_what_did_not():
    settings = [
        ("lomarc", "L-N"),
        ("lomarc", "L-FM"),
        ("fcfs", "FCFS"),
        ("easy", "EASY"),
        ("easy", "EASY-SJBF"),
        ("m", "M"),
    ]
    words = policy_words([{"name": name, "label": label, "parameters": "{}"} for name, label in settings])
    assert words == ["lomarc (L-N; L-FM)", "FCFS", "EASY", "EASY-SJBF", "M"]
    assert drawn_jobs(8, 64_000) == "8 replications of 8,000 jobs"
    assert drawn_jobs(1, 16) == "1 replication of 16 jobs"
    assert drawn_jobs(3, 10) == "3 replications, 10 jobs in all"
    assert without_logs(["CTC-SP2", "SDSC-SP2"], True) == f"CTC-SP2 and SDSC-SP2 were missing. {NO_REAL_LOG}"
    assert without_logs([], False) == ""


@pytest.fixture
def tall_paper(store, tmp_path):
    """Write a study as a paper whose only figure is taller than a page."""
    folder = tmp_path / "results" / "figures" / "baseline"
    folder.mkdir(parents=True)
    shutil.copy(store, tmp_path / "results" / "slotwise.duckdb")
    entry = {"name": "all_waits", "title": "Waits", "caption": "Means."}
    (folder / "figures.json").write_text(json.dumps([entry]))
    (folder / "all_waits.json").write_text(json.dumps(dots(in_panels(1, 90)[0])))
    assert run("paper", "baseline", "--results", tmp_path / "results", "--out", tmp_path / "tall") == 0
    return tmp_path / "tall"


def test_a_paper_includes_every_part_of_a_figure(tall_paper):
    text = (tall_paper / "supplement.tex").read_text()
    parts = ["figures/all_waits-1", "figures/all_waits-2"]
    assert re.findall(r"\\includegraphics\{([^}]*)\.pdf\}", text) == parts
    assert re.findall(r"\\input\{(figures/[^}]*)\.tex\}", text) == parts
    assert "(2 of 2)" in (tall_paper / "figures" / "all_waits-2.tex").read_text()
    assert "Waits (2 of 2)" in (tall_paper / "figures" / "all_waits-2.svg").read_text()
    assert {path.name for path in (tall_paper / "figures").iterdir()} == {
        f"all_waits-{place}.{kind}" for place in (1, 2) for kind in ("pdf", "svg", "tex")
    }


@pytest.mark.parametrize(("name", "pages"), [("paper", "2 pages"), ("tall_paper", "1 page,")])
def test_sample_paper_and_supplement_build(request, name, pages, tmp_path):
    if shutil.which("latexmk") is None or shutil.which("pdflatex") is None:
        pytest.skip("LaTeX is not installed (Debian: apt-get install latexmk texlive-latex-recommended lmodern)")
    shutil.copytree(request.getfixturevalue(name), tmp_path / "paper")
    done = subprocess.run(
        ["latexmk", "-pdf", "-interaction=nonstopmode", "main.tex", "supplement.tex"],
        cwd=tmp_path / "paper",
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-2000:]
    for log in ("main.log", "supplement.log"):
        text = (tmp_path / "paper" / log).read_text(errors="replace")
        assert "undefined" not in text
        assert "Float too large" not in text
    assert f"Output written on main.pdf ({pages}" in (tmp_path / "paper" / "main.log").read_text(errors="replace")
