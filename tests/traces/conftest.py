"""What tests of the catalogue and of downloads share."""

import pytest

from traces import catalog


@pytest.fixture
def root(tmp_path, monkeypatch):
    """Return the folder of a project without logs."""
    monkeypatch.setattr(catalog, "ROOT", tmp_path / "project")
    monkeypatch.delenv(catalog.FOLDERS_VARIABLE, raising=False)
    return tmp_path
