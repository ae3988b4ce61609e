"""The subjects of all families, and their examples drawn by seeds."""

import importlib
from functools import cache
from pathlib import Path
from typing import Any

from tests.scheduler_core.examples import Case, SeededChooser
from tests.scheduler_core.subjects import Subject

FAMILIES = [path.parent.name for path in sorted(Path(__file__).parent.glob("*/subjects.py"))]
SUBJECTS: dict[str, Subject] = {
    f"{family}-{name}": subject
    for family in FAMILIES
    for name, subject in importlib.import_module(f"tests.scheduler_core.{family}.subjects").SUBJECTS.items()
}


@cache
def seeded(name: str, seed: int) -> tuple[Case, Any]:
    """Return an example drawn by a seed, and the oracle's schedule of it."""
    case = SUBJECTS[name].draw(SeededChooser(seed), False)
    return case, SUBJECTS[name].ways.oracle(case)
