"""The gallery of the documentation: the figures that `make` drew, each with its command."""

from docs.gallery import copy_report, title_of, write_gallery
from scheduler_core.common.files import write_json, write_text

SHOWN = {"name": "mean_wait", "title": "Mean wait by policy", "caption": "A *star*, `code` and a_name_ are plain text."}
EMPTY = {"name": "by_user", "title": "By user", "caption": "No user is known."}


def test_a_figure_has_its_command_its_picture_and_its_caption(tmp_path):
    results, source = tmp_path / "results", tmp_path / "source"
    write_json(results / "figures" / "waits" / "figures.json", [SHOWN, EMPTY])
    write_text(results / "figures" / "waits" / "mean_wait.svg", "<svg/>")
    write_gallery(source, results)
    page = (source / "gallery" / "waits.rst").read_text()
    assert "slotwise figure waits/mean_wait --width 178mm --out mean_wait" in page
    assert ".. figure:: waits/mean_wait.svg" in page
    assert r"A \*star\*, \`code\` and a\_name\_ are plain text." in page
    assert "By user" not in page, "a figure without data has no picture"
    assert (source / "gallery" / "waits" / "mean_wait.svg").read_text() == "<svg/>"
    assert "   waits\n" in (source / "gallery" / "index.rst").read_text()


def test_a_gallery_of_nothing_says_what_draws_it(tmp_path):
    write_gallery(tmp_path / "source", tmp_path / "results")
    page = (tmp_path / "source" / "gallery" / "index.rst").read_text()
    assert "Run ``make``, then ``make docs`` again." in page
    assert "toctree" not in page


def test_the_sample_report_is_part_of_the_site_and_its_viewers_are_listed(tmp_path):
    results, source = tmp_path / "results", tmp_path / "source"
    write_json(results / "figures" / "waits" / "figures.json", [SHOWN])
    write_text(results / "figures" / "waits" / "mean_wait.svg", "<svg/>")
    write_json(results / "schedules" / "gang" / "windows.json", [{"label": "A log", "file": "schedules/gang/log.js"}])
    write_json(results / "schedules" / "grid" / "windows.json", [])
    write_text(results / "report" / "schedules.html", "the schedules")
    write_gallery(source, results)
    copy_report(results, tmp_path / "pages")
    page = (source / "gallery" / "index.rst").read_text()
    assert "- `Gang scheduling: the matrix <../sample-report/schedules.html#gang-diagrams>`__\n" in page
    assert "Workflows on a grid" not in page, "no window shows one"
    assert (tmp_path / "pages" / "sample-report" / "schedules.html").read_text() == "the schedules"


def test_a_page_has_the_title_of_its_study():
    assert title_of("baseline") == "Space-sharing baselines"
    assert title_of("mine") == "mine"
