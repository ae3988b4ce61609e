"""Writing files: what may be written over, and that nothing half-written is left."""

import os
import socket
import subprocess
from pathlib import Path

import pytest

from scheduler_core.common.errors import OutputError
from scheduler_core.common.files import (
    keeping_inputs,
    reading,
    remove,
    remove_leftovers,
    replacing,
    replacing_folder,
    target_folder,
    write_text,
)


def make_socket(path):
    with socket.socket(socket.AF_UNIX) as one:
        one.bind(str(path))


@pytest.mark.parametrize(
    ("make", "words"),
    [(os.mkdir, "a folder"), (os.mkfifo, "a pipe"), (make_socket, "a socket")],
    ids=["folder", "pipe", "socket"],
)
@pytest.mark.parametrize("linked", [False, True])
def test_only_regular_files_are_written_over(tmp_path, monkeypatch, make, words, linked):
    monkeypatch.chdir(tmp_path)  # a socket's name must be short
    make("there")
    if linked:
        Path("link").symlink_to("there")
    name = "link" if linked else "there"
    before = Path(name).stat()
    for write in (lambda: write_text(name, "text"), lambda: remove(name)):
        with pytest.raises(OutputError, match=f"{name}: this is {words}"):
            write()
    assert Path(name).stat() == before
    assert {path.name for path in tmp_path.iterdir()} == {name, "there"}


def test_a_device_is_not_replaced():
    with pytest.raises(OutputError, match="/dev/full: this is a device"):
        write_text("/dev/full", "text")
    assert not Path("/dev/full").is_file()


def test_a_file_that_is_read_is_kept_under_every_name(tmp_path):
    log = tmp_path / "log.swf"
    log.write_text("mine")
    (tmp_path / "symbolic").symlink_to(log)
    (tmp_path / "hard").hardlink_to(log)
    with keeping_inputs():
        reading(tmp_path / "symbolic")
        for name in ("log.swf", "symbolic", "hard", "../" + tmp_path.name + "/log.swf"):
            with pytest.raises(OutputError, match="the file that is read"):
                write_text(tmp_path / name, "other")
            with pytest.raises(OutputError, match="the file that is read"):
                remove(tmp_path / name)
    assert log.read_text() == "mine"
    write_text(log, "other")  # a command that does not read it may
    assert log.read_text() == "other"


def test_a_link_stays_and_its_file_is_replaced(tmp_path):
    (tmp_path / "far").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "far" / "file")
    write_text(tmp_path / "link", "first")
    write_text(tmp_path / "link", "second")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "far" / "file").read_text() == "second"


def test_links_in_a_circle_lead_nowhere(tmp_path):
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    with pytest.raises(OutputError, match="leads nowhere"):
        write_text(tmp_path / "a", "text")


def test_a_protected_file_is_kept(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("mine")
    monkeypatch.setattr(os, "access", lambda path, mode: False)  # the superuser may write everywhere
    with pytest.raises(OutputError, match="write-protected"):
        write_text(tmp_path / "file", "other")


def test_a_file_in_the_way_of_a_folder(tmp_path):
    (tmp_path / "file").write_text("mine")
    with pytest.raises(OutputError, match="there is a file in the way"):
        write_text(tmp_path / "file" / "deeper" / "one", "text")
    with pytest.raises(OutputError, match="this is a file; expected a folder"):
        target_folder(tmp_path / "file")
    with pytest.raises(OutputError, match="this is a file; expected a folder"), replacing_folder(tmp_path / "file"):
        pass
    assert (tmp_path / "file").read_text() == "mine"


def test_nothing_half_written_is_left(tmp_path):
    (tmp_path / "file").write_text("before")

    def break_off():
        with replacing(tmp_path / "file") as temporary:
            temporary.write_text("half")
            raise RuntimeError("broken")

    def break_off_folder():
        with replacing_folder(tmp_path / "folder") as part:
            (part / "page").write_text("half")
            raise RuntimeError("broken")

    for broken in (break_off, break_off_folder):
        with pytest.raises(RuntimeError, match="broken"):
            broken()
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
    assert (tmp_path / "file").read_text() == "before"


def test_a_folder_is_replaced_as_a_whole(tmp_path):
    (tmp_path / "report").mkdir()
    (tmp_path / "report" / "old").write_text("old")
    with replacing_folder(tmp_path / "report") as part:
        (part / "new").write_text("new")
    assert [path.name for path in (tmp_path / "report").iterdir()] == ["new"]


def test_what_killed_processes_left_is_removed_and_what_others_write_is_not(tmp_path):
    for name in (".a.4194305.part", f".b.{os.getpid()}.part", ".c.4194305.part.wal"):
        (tmp_path / name).write_text("half")
    (tmp_path / ".report.4194305.part").mkdir()
    (tmp_path / ".report.4194305.part" / ".page.4194305.part").write_text("half")
    remove_leftovers(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [f".b.{os.getpid()}.part"]


def test_what_a_killed_process_left_is_removed_before_its_parent_has_waited_for_it(tmp_path):
    killed = subprocess.Popen(["sleep", "60"])
    left = tmp_path / f".report.{killed.pid}.part"
    left.mkdir()
    remove_leftovers(tmp_path)
    assert left.exists()
    killed.kill()
    os.waitid(os.P_PID, killed.pid, os.WEXITED | os.WNOWAIT)
    remove_leftovers(tmp_path)
    assert not left.exists()
    killed.wait()
