"""Where the project is, for tests that read its files."""

from pathlib import Path

PROJECT = Path(__file__).parents[1]
STUDIES = PROJECT / "studies"


def study_file(name):
    return STUDIES / name / "study.yaml"
