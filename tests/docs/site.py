"""The site of documentation, built once for the tests that read it."""

import subprocess

import pytest

from tests.forked import programs
from tests.paths import PROJECT


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """Build the site, as `make docs` does, and return the folder of its pages; a broken link or another warning fails it."""
    folder = tmp_path_factory.mktemp("docs")
    done = subprocess.run(
        [programs() / "python", "-m", "docs.build", folder], cwd=PROJECT, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout + done.stderr) == (0, "")
    return folder / "html"
