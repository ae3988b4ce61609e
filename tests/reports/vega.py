"""What Vega-Lite complains of when it compiles a figure, as in the console of a browser; and labels that a picture hides."""

import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from reports.draw.drawing import VEGA_LITE

COMPILE = """
import json, sys, vl_convert
version, *paths = sys.argv[1:]
for path in paths:
    print(path, file=sys.stderr, flush=True)
    vl_convert.vegalite_to_vega(json.load(open(path)), version, show_warnings=True)
"""


def complaints(folders: Iterable[Path]) -> dict[str, list[str]]:
    """Return the warnings of each figure in some folders by its path, of figures without warnings none."""
    paths = [str(path) for folder in folders for path in sorted(folder.glob("*.json")) if path.name != "figures.json"]
    # a process of its own, because warnings go to the standard error below Python's
    ran = subprocess.run([sys.executable, "-c", COMPILE, VEGA_LITE, *paths], capture_output=True, text=True, check=True)
    found: dict[str, list[str]] = {}
    own: list[str] = []
    for line in ran.stderr.splitlines():
        own = found.setdefault(line, []) if line in paths else own
        if line not in paths and line.strip():
            own.append(line)
    assert list(found) == paths
    return {path: told for path, told in found.items() if told}


def unreadable_axes(folder: Path) -> dict[str, list[str]]:
    """Return the labels of axes that a reader misses in the pictures of a folder.

    These are labels cut short, a hidden end at 100 %, and a hidden end of the time in charts of a whole run.
    """
    found = {}
    for path in sorted(folder.glob("*.svg")):
        axes = re.findall(r"role-axis-label[^>]*>(.*?)</g>", path.read_text(encoding="utf-8"))
        labels = [re.findall(r"<text([^>]*)>([^<]*)</text>", axis) for axis in axes]
        missed = [text for axis in labels for _, text in axis if text.endswith("…")]
        ends = [axis[-1] for axis in labels if axis and 'opacity="0"' in axis[-1][0]]
        missed += [text for _, text in ends if text == "100" or path.stem.endswith("_over_time")]
        if missed:
            found[path.name] = missed
    return found
