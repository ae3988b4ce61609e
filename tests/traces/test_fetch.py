"""Locating logs: on this machine, by download, or not at all."""

import dataclasses
import gzip
import hashlib
import socket
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from scheduler_core.common.errors import LogError
from traces import fetch, ingest
from traces.catalog import get_log
from traces.fetch import check, locate, locate_file

TEXT = b"; MaxProcs: 8\n1 10 5 100 4 90 -1 4 200 -1 1 7 2 3 1 1 -1 -1\n"
PACKED = gzip.compress(TEXT, mtime=0)


def entry_at(url, text=TEXT):
    digest = hashlib.sha256(text).hexdigest()
    return dataclasses.replace(get_log("SDSC-SP2"), url=url, sha256=digest, bytes=len(text))


def served_file(root, content):
    path = root / "archive.swf.gz"
    path.write_bytes(content)
    return entry_at(path.as_uri())


class Archive(BaseHTTPRequestHandler):
    """An archive with a log, a log that is cut, and nothing else."""

    def do_GET(self):
        if self.path not in ("/log", "/cut"):
            self.send_error(404, "Not Found")
            return
        self.send_response(200)
        self.send_header("Content-Length", str(len(PACKED)))
        self.end_headers()
        self.wfile.write(PACKED if self.path == "/log" else PACKED[:20])

    def log_message(self, *words):
        pass


@pytest.fixture(scope="module")
def archive():
    server = HTTPServer(("127.0.0.1", 0), Archive)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def left_behind(root):
    folder = root / "project" / "traces" / "logs"
    return list(folder.iterdir()) if folder.exists() else []


def test_a_log_at_hand_is_not_downloaded(root):
    path = root / "shared" / "traces" / "SDSC-SP2-1998-4.2-cln.swf.gz"
    path.parent.mkdir(parents=True)
    path.write_bytes(PACKED)
    note = locate(entry_at("https://nowhere.invalid/log"))
    assert note == {
        "log": "SDSC-SP2-1998-4.2-cln",
        "found": True,
        "path": str(path),
        "downloaded": False,
        "looked_in": [
            str(root / "project" / "traces" / "logs"),
            str(root / "shared" / "traces"),
            str(root / "shared" / "golden"),
        ],
        "download": "https://nowhere.invalid/log",
        "error": None,
    }


@pytest.mark.parametrize("content", [PACKED, TEXT])
def test_a_log_is_downloaded_with_the_right_text(root, content):
    note = locate(served_file(root, content))
    target = root / "project" / "traces" / "logs" / "SDSC-SP2-1998-4.2-cln.swf.gz"
    assert (note["found"], note["downloaded"], note["path"], note["error"]) == (True, True, str(target), None)
    assert left_behind(root) == [target]
    assert len(ingest(target).workload) == 1
    assert locate("SDSC-SP2")["path"] == str(target)


def test_a_log_is_downloaded_over_http(root, archive):
    note = locate(entry_at(f"{archive}/log"))
    assert note["downloaded"] is True
    assert left_behind(root)[0].read_bytes() == PACKED


OTHER = gzip.compress(TEXT + b"\n", mtime=0)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (OTHER, "the download is not the log SDSC-SP2-1998-4.2-cln"),
        (b"<html>Please sign in</html>", "the download is not the log"),
        (PACKED[:-10], "gzip stream is damaged or ends too early"),
        (b"", "the file is empty"),
    ],
)
def test_what_is_not_the_log_is_not_kept(root, content, words):
    entry = served_file(root, content)
    note = locate(entry)
    assert (note["found"], note["path"]) == (False, None)
    assert words in note["error"]
    assert ".part" not in note["error"], "a person cannot do anything with a temporary name"
    assert left_behind(root) == []


def test_of_a_file_at_hand_the_message_names_the_file(root):
    path = root / "my.swf.gz"
    path.write_bytes(OTHER)
    with pytest.raises(LogError, match=r"this file is not the log SDSC-SP2-1998-4\.2-cln") as error:
        check(entry_at("https://nowhere.invalid/log"), path)
    assert str(error.value).startswith(f"{path}: ")
    assert "download" not in str(error.value)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def test_without_a_network_the_note_says_how_to_get_the_log(root):
    entry = entry_at(f"http://127.0.0.1:{free_port()}/log")
    note = locate(entry)
    assert note["found"] is False
    for word in (entry.url, entry.page, "SLOTWISE_TRACES", str(root / "project" / "traces" / "logs"), "refused"):
        assert word in note["error"]
    with pytest.raises(LogError, match="SLOTWISE_TRACES"):
        locate(entry, require=True)
    assert left_behind(root) == []


@pytest.mark.parametrize(("page", "words"), [("/cut", "broke off after 20 of"), ("/other", "Not Found")])
def test_an_archive_that_fails_is_reported(root, archive, page, words):
    note = locate(entry_at(archive + page))
    assert note["found"] is False
    assert words in note["error"]
    assert left_behind(root) == []


def test_an_archive_that_does_not_answer_is_given_up(root, monkeypatch):
    monkeypatch.setattr(fetch, "TIMEOUT_S", 0.2)
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        note = locate(entry_at(f"http://127.0.0.1:{silent.getsockname()[1]}/log"))
    assert "timed out" in note["error"]


def test_a_folder_that_cannot_be_written_is_reported(root):
    (root / "project").write_text("a file where the project should be", encoding="utf-8")
    note = locate(served_file(root, PACKED))
    assert note["found"] is False
    assert "the download into" in note["error"]


def test_a_log_may_be_a_path(root):
    path = root / "mine.swf"
    assert "correct the path" in locate_file(path, require=False)["error"]
    with pytest.raises(LogError, match="correct the path"):
        locate_file(path, require=True)
    path.write_bytes(TEXT)
    note = locate_file(path, require=True)
    assert (note["log"], note["found"], note["path"], note["download"]) == ("mine", True, str(path), None)


def test_an_unknown_name_is_an_error(root):
    with pytest.raises(LogError, match="did you mean 'SDSC-SP2'"):
        locate("SDSC-SPP2")
