"""One undisturbed run of the tiny study, for all tests of the workflow."""

from pathlib import Path

import pytest

from tests.workflow.tiny_project import copy_project, run


@pytest.fixture(scope="session")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project whose tiny study ran undisturbed to its end. Tests that change it work on a copy."""
    folder = copy_project(tmp_path_factory.mktemp("undisturbed") / "project")
    run(folder, "--cores", "2")
    return folder
