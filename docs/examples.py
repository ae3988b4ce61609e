r"""Run the examples of a page, and compare what they print with what the page shows.

    python -m docs.examples                     # run the examples of every page; say what differs
    python -m docs.examples --update PAGE ...   # write what the examples print into the pages

The blocks of a page are followed in their order, in a new folder that begins with the files of ``docs/examples/``:

* ``console``: commands after ``$``, each with its output. A line that ends in ``\`` continues on the next.
* ``pycon``: Python after ``>>>`` and ``...``; one session for the whole page.
* any other block whose first line is a comment with the name of a file: it is written to that file (``# mine.py``), or added to
  it (``# mine.py, at the end``).

``[...]`` in an output stands for any text, such as seconds that differ from run to run; it never hides a failure.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from scheduler_core.common.files import write_text

DOCS = Path(__file__).parent
PROJECT = DOCS.parent

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", flags=re.MULTILINE | re.DOTALL)
FILE = re.compile(r"(?:#|--|;|//) (?P<name>[\w./-]+\.\w+)(?P<added>, at the end)?\n")
FAILED = re.compile(r"^(\[exit code \d+\]|Traceback \(most recent call last\):)$", flags=re.MULTILINE)
ANY = "[...]"
PROMPTS = ("$ ", ">>> ")

PROGRAMS = (Path(sys.executable).parent,)
"""Folders whose programs a reader has before those on the path."""

SESSION = """
import ast, sys
given = sys.stdin.read()
names = {"__name__": "__main__"}
for number, part in enumerate(given.split("\\0")):
    print(end="" if number == 0 else "\\0", flush=True)
    for node in ast.parse(part).body:
        kind = ast.Interactive if isinstance(node, ast.Expr) else ast.Module
        tree = kind([node]) if kind is ast.Interactive else kind([node], [])
        exec(compile(tree, "<page>", "single" if kind is ast.Interactive else "exec"), names)
"""
"""What runs the Python of a page: parts between zero bytes, and their outputs between zero bytes again."""


@dataclass(frozen=True)
class Example:
    """What a page shows: the lines given (with their prompts), and the output below them."""

    given: str
    shown: str

    @property
    def is_python(self) -> bool:
        """Whether it is Python; otherwise it is a command."""
        return self.given.startswith(">>>")

    @property
    def code(self) -> str:
        """The command, or the Python, without prompts."""
        return "\n".join(line[4:] if self.is_python else line.removeprefix("$ ") for line in self.given.splitlines())


def pages() -> list[Path]:
    """List every page with examples: the README and the pages of the site."""
    return [PROJECT / "README.md", *sorted(DOCS.rglob("*.md"))]


def blocks_of(text: str) -> Iterator[tuple[str, str]]:
    """Yield the blocks of a page: the word after the fence, and the text."""
    for found in BLOCK.finditer(text):
        yield found[1], found[2]


def examples_of(block: str) -> list[Example]:
    """Return the examples of a ``console`` or ``pycon`` block."""
    found: list[Example] = []
    given: list[str] = []
    shown: list[str] = []
    for line in block.splitlines():
        continues = bool(given) and not shown and (given[-1].endswith("\\") or is_more_python(given, line))
        if line.startswith(PROMPTS) and not continues:
            if given:
                found.append(Example("\n".join(given), "\n".join(shown).rstrip()))
            given, shown = [line], []
        else:
            (given if continues else shown).append(line)
    return [*found, Example("\n".join(given), "\n".join(shown).rstrip())] if given else found


def is_more_python(given: list[str], line: str) -> bool:
    """Return whether a line continues a statement of Python."""
    return given[0].startswith(">>>") and (line.startswith("... ") or line == "...")


def run_page(page: Path) -> list[tuple[Example, str]]:
    """Return every example of a page with what it really prints."""
    with tempfile.TemporaryDirectory(prefix="examples-") as made:
        folder = Path(made)
        shutil.copytree(DOCS / "examples", folder, dirs_exist_ok=True)
        return list(follow(page.read_text(encoding="utf-8"), folder))


def follow(text: str, folder: Path) -> Iterator[tuple[Example, str]]:
    """Yield every example with its output, block by block; the Python of the page runs as one session, at its first block."""
    python = [one for word, block in blocks_of(text) if word == "pycon" for one in examples_of(block)]
    printed: Iterator[str] | None = None
    for word, block in blocks_of(text):
        if word == "console":
            yield from ((one, run_command(one.code, folder)) for one in examples_of(block))
        elif word == "pycon":
            printed = printed or iter(run_python(python, folder))
            yield from ((one, next(printed)) for one in examples_of(block))
        elif named := FILE.match(block):
            path = folder / named["name"]
            path.parent.mkdir(parents=True, exist_ok=True)
            old = path.read_text(encoding="utf-8") if named["added"] else ""
            path.write_text(old + (block[named.end() :] if old else block), encoding="utf-8")


def environment() -> dict[str, str]:
    """Return the environment of a reader who follows the page: the programs of this installation, 100 columns."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("SLOTWISE", "PYTEST", "COV"))}
    path = os.pathsep.join([*map(str, PROGRAMS), kept.get("PATH", "")])
    return {
        **kept,
        "PATH": path,
        "PYTHONPATH": str(PROJECT),
        "PYTHONUNBUFFERED": "1",
        "COLUMNS": "100",
        "NO_COLOR": "1",
    }


def run_command(command: str, folder: Path) -> str:
    """Return what a command prints, errors included, and the exit code of one that fails."""
    done = finished(["bash", "-uc", command], folder)
    failed = f"\n[exit code {done.returncode}]" if done.returncode else ""
    return (tidy(done.stdout) + failed).strip("\n")


def run_python(examples: list[Example], folder: Path) -> list[str]:
    """Return what each example of a session prints; a session that fails ends with its error."""
    done = finished([sys.executable, "-c", SESSION], folder, "\0".join(example.code for example in examples))
    printed = [tidy(part) for part in done.stdout.split("\0")]
    return printed + ["(not run: the session ended with an error)"] * (len(examples) - len(printed))


def finished(command: list[str], folder: Path, given: str | None = None) -> subprocess.CompletedProcess[str]:
    """Run a command in a folder, with a text to read; return what became of it, with its errors among its output."""
    return subprocess.run(
        command,
        cwd=folder,
        env=environment(),
        input=given,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        timeout=300,
    )


def tidy(output: str) -> str:
    """Return an output without spaces at the ends of its lines, which editors remove from pages."""
    return "\n".join(line.rstrip() for line in output.rstrip().splitlines())


def agrees(shown: str, printed: str) -> bool:
    """Return whether a shown output is the printed one; ``[...]`` stands for any text, but for no failure."""
    if FAILED.findall(shown) != FAILED.findall(printed):
        return False
    pattern = ".*?".join(re.escape(part) for part in shown.split(ANY))
    return re.fullmatch(pattern, printed, flags=re.DOTALL) is not None


def updated(text: str, ran: list[tuple[Example, str]]) -> str:
    """Return a page with the outputs that its examples print; outputs that agree stay as they are."""
    rest = iter(ran)

    def block(found: re.Match[str]) -> str:
        if found[1] not in ("console", "pycon"):
            return found[0]
        parts = []
        for example in examples_of(found[2]):
            printed = next(rest)[1]
            shown = example.shown if agrees(example.shown, printed) else printed
            parts.append(f"{example.given}\n{shown}".rstrip())
        return f"```{found[1]}\n" + ("\n\n" if found[1] == "console" else "\n").join(parts) + "\n```"

    return BLOCK.sub(block, text)


def main() -> int:
    """Run the examples of pages; return 1 when one prints something else than its page shows."""
    parser = argparse.ArgumentParser(prog="python -m docs.examples", description="Run the examples of pages.")
    parser.add_argument("pages", nargs="*", type=Path, metavar="PAGE", help="pages (default: all)")
    parser.add_argument("--update", action="store_true", help="write what the examples print into the pages")
    arguments = parser.parse_args()
    code = 0
    for page in arguments.pages or pages():
        ran = run_page(page)
        for example, printed in ran:
            if not agrees(example.shown, printed):
                code = 0 if arguments.update else 1
                print(f"{page}: {example.given}\n--- shown\n{example.shown}\n--- printed\n{printed}\n", file=sys.stderr)
        if arguments.update:
            write_text(page, updated(page.read_text(encoding="utf-8"), ran))
    return code


if __name__ == "__main__":
    sys.exit(main())
