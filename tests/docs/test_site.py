"""The site of documentation: links, what it loads, and what its reference must name."""

import re
from html.parser import HTMLParser
from urllib.parse import unquote, urldefrag

import slotwise
from docs.pictures import drawn_schedules
from scheduler_core.declarations.policy import policies
from slotwise.cli.main import COMMANDS
from slotwise.decisions.gantt import gantt
from tests.paths import PROJECT

README_PICTURE = PROJECT / "docs" / "easy.svg"


class Page(HTMLParser):
    """The links of a page, what it loads, and its anchors."""

    def __init__(self, text):
        super().__init__()
        self.links, self.loaded, self.anchors = [], [], set()
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.anchors.add(given.get("id"))
        if tag == "a" and given.get("href"):
            self.links.append(given["href"])
        elif tag in ("script", "img", "link", "iframe"):
            self.loaded += [given[key] for key in ("src", "href") if given.get(key)]


def pages_of(site):
    return {path: Page(path.read_text(encoding="utf-8")) for path in sorted(site.rglob("*.html"))}


def is_elsewhere(address):
    return re.match(r"[a-z]+:", address) is not None


def test_no_link_of_the_site_is_broken(site):
    pages = pages_of(site)
    assert len(pages) > 40
    for path, page in pages.items():
        for address in [*page.links, *page.loaded]:
            if is_elsewhere(address):
                continue
            file, anchor = urldefrag(unquote(address.split("?")[0]))
            target = (path.parent / file).resolve() if file else path
            assert target.is_file(), f"{path.relative_to(site)} leads to {address}"
            if anchor and target in pages:
                assert anchor in pages[target].anchors, f"{path.relative_to(site)} leads to {address}"


def test_nothing_is_loaded_from_elsewhere(site):
    for path, page in pages_of(site).items():
        assert not [address for address in page.loaded if is_elsewhere(address)], path
    for style in site.rglob("*.css"):
        assert not re.search(r"url\(\s*['\"]?(https?:)?//|@import", style.read_text(encoding="utf-8")), style


def test_the_picture_of_the_readme_is_what_the_program_draws(tmp_path):
    gantt(drawn_schedules()["easy"]["easy"]).save(tmp_path / "easy.svg")
    drawn, shown = (
        sorted(re.findall(r'aria-label="([^"]*)"', path.read_text()))
        for path in (tmp_path / "easy.svg", README_PICTURE)
    )
    assert shown == drawn, "draw it again; README.md has the command"


def test_the_site_can_be_searched(site):
    index = (site / "searchindex.js").read_text(encoding="utf-8")
    assert "backfil" in index


def test_every_command_policy_and_name_has_its_place(site):
    command_line = (site / "reference" / "command-line.html").read_text(encoding="utf-8")
    assert all(f"slotwise {command} --help" in command_line for command in COMMANDS)
    python = Page((site / "reference" / "python.html").read_text(encoding="utf-8"))
    assert {f"slotwise.{name}" for name in slotwise.__all__} <= python.anchors
    for name, kind in policies().items():
        page = (site / "reference" / "policies" / f"{name}.html").read_text(encoding="utf-8")
        assert all(f'<span class="pre">{entry["name"]}</span>' in page for entry in kind.describe_parameters()), name
    for name in (word for schedules in drawn_schedules().values() for word in schedules):
        assert (site / "_images" / f"{name}.svg").is_file()
