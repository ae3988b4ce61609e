"""Build the site: ``python -m docs.build TARGET`` gathers its pages in ``TARGET/source`` and writes ``TARGET/html``.

The pages of ``docs/`` are copied. The reference is written from what the program says of itself (:mod:`docs.generated`), and the
schedules of the ten jobs are drawn by the program (:mod:`docs.pictures`). The gallery shows what the last `make` drew, and its
report is part of the site (:mod:`docs.gallery`). So nothing generated is committed.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from docs import gallery, generated, pictures
from scheduler_core.common.files import write_text

DOCS = Path(__file__).parent
RESULTS = DOCS.parent / "results"
COPIED = ("*.md", "*.css", "*.js", "conf.py")


def gather(source: Path) -> None:
    """Write every page and picture of the site into a new folder."""
    for pattern in COPIED:
        for path in DOCS.rglob(pattern):
            to = source / path.relative_to(DOCS)
            to.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(path, to)
    for name, text in generated.pages().items():
        write_text(source / name, text)
    pictures.draw_all(source / "pictures")
    gallery.write_gallery(source, RESULTS)


def build(target: Path) -> int:
    """Gather the pages and build them; return 0 if Sphinx has nothing to complain of, a broken link included."""
    from sphinx.cmd.build import main

    source = target / "source"
    for old in (source, target / "html"):
        shutil.rmtree(old, ignore_errors=True)
    source.mkdir(parents=True)
    gather(source)
    options = ["-q", "-W", "--keep-going", "-b", "html", "-d", str(target / "doctrees")]
    failed = int(main([*options, str(source), str(target / "html")]))
    gallery.copy_report(RESULTS, target / "html")
    return failed


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python -m docs.build FOLDER")
    sys.exit(build(Path(sys.argv[1]).resolve()))
