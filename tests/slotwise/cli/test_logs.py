"""`slotwise logs fetch`: sizes, digests and terms first, then downloads that are verified."""

import dataclasses
import gzip
import hashlib

import pytest

from slotwise.cli.main import main
from traces import catalog as module
from traces.catalog import get_log

TEXT = b"; MaxProcs: 8\n1 10 5 100 4 90 -1 4 200 -1 1 7 2 3 1 1 -1 -1\n"


@pytest.fixture
def archive(tmp_path, monkeypatch):
    """A catalogue of a log that an archive serves, one that it serves in another version, and the drawn log."""
    served = tmp_path / "served.swf.gz"
    served.write_bytes(gzip.compress(TEXT))
    known = dataclasses.replace(
        get_log("SDSC-SP2"), url=served.as_uri(), sha256=hashlib.sha256(TEXT).hexdigest(), bytes=len(TEXT)
    )
    edited = dataclasses.replace(get_log("SDSC-DS"), url=served.as_uri())
    entries = {entry.name: entry for entry in (known, edited, get_log("drawn"))}
    monkeypatch.setattr(module, "ROOT", tmp_path / "project")
    monkeypatch.delenv(module.FOLDERS_VARIABLE, raising=False)
    monkeypatch.setattr(module, "catalog", lambda: entries)
    return tmp_path / "project" / "traces" / "logs"


def test_named_logs_are_fetched_and_verified(archive, capsys):
    assert main(["logs", "fetch", "SDSC-SP2", "drawn"]) == 0
    said = capsys.readouterr().out
    assert (archive / "SDSC-SP2-1998-4.2-cln.swf.gz").is_file()
    before, after = said.split("Missing logs go to")
    assert hashlib.sha256(TEXT).hexdigest() in before
    assert "Regents of the University of California" in before
    assert "SDSC-SP2: downloaded and verified" in after
    assert "Drawn log: verified" in after
    assert main(["logs", "fetch", "SDSC-SP2"]) == 0
    assert "SDSC-SP2: verified" in capsys.readouterr().out


def test_without_names_all_are_fetched_and_what_fails_is_said(archive, capsys):
    assert main(["logs", "fetch"]) == 2
    said = capsys.readouterr()
    assert "SDSC-SP2: downloaded and verified" in said.out
    assert "is not the log SDSC-DS" in said.err
    assert "1 of 3 logs were not fetched" in said.err
    assert [path.name for path in archive.iterdir()] == ["SDSC-SP2-1998-4.2-cln.swf.gz"]


def test_words_that_do_not_go_together_are_refused(capsys):
    assert main(["logs", "SDSC-SP2", "SDSC-DS"]) == 2
    assert "takes several" in capsys.readouterr().err
    assert main(["logs", "fetch", "SDSC-SPP2"]) == 2
    assert "did you mean 'SDSC-SP2'" in capsys.readouterr().err
    assert main(["logs", "fetch", "--json"]) == 2
    assert "prints no JSON" in capsys.readouterr().err
