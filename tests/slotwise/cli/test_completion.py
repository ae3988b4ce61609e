"""`slotwise completion`: what a shell offers, asked of bash itself."""

import shutil
import subprocess

import pytest

from slotwise.cli.main import COMMANDS
from tests.slotwise.cli.command import run


@pytest.fixture(scope="module")
def script(tmp_path_factory):
    """Return the file of the script for bash."""
    path = tmp_path_factory.mktemp("completion") / "slotwise.bash"
    with pytest.MonkeyPatch.context() as patch:
        printed = []
        patch.setattr("builtins.print", lambda text: printed.append(text))
        assert run("completion", "bash") == 0
    path.write_text("\n".join(printed))
    return path


def offered(script, *words):
    """Return what bash offers for the last word."""
    asked = " ".join(f"'{word}'" for word in words)
    commands = f"source {script}; COMP_WORDS=({asked}); COMP_CWORD={len(words) - 1}; _slotwise; echo ${{COMPREPLY[@]}}"
    done = subprocess.run(["bash", "-uc", commands], capture_output=True, text=True, check=True)
    assert done.stderr == ""
    return done.stdout.split()


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (("slotwise", "si"), ["simulate"]),
        (("slotwise", "simulate", "--pol"), ["--policy"]),
        (("slotwise", "simulate", "drawn", "--policy", "conserv"), ["conservative"]),
        (("slotwise", "simulate", "SDSC-Pa"), ["SDSC-Par"]),
        (("slotwise", "simulate", "dr"), ["drawn"]),
        (("slotwise", "whatif", "drawn", "--try", "easy_sj"), ["easy_sjbf"]),
        (("slotwise", "export", "run", "--as", "e"), ["evalys"]),
        (("slotwise", "generate", "lub"), ["lublin"]),
        (("slotwise", "study", "run", "baseli"), ["baseline"]),
        (("slotwise", "study", "run", "baseline", "--scale", "q"), ["quick"]),
        (("slotwise", "policies", "lazy"), ["lazy_gang"]),
        (("slotwise", "completion", "f"), ["fish"]),
        (("slotwise", "simulate", "drawn", "--out", ""), []),
        (("slotwise", "simulate", "drawn", "--force", "--verb"), ["--verbose"]),
        (("slotwise", "nonsense", "zz"), []),
    ],
)
def test_bash_offers(script, words, found):
    assert offered(script, *words) == found


def test_bash_offers_every_command(script):
    assert set(offered(script, "slotwise", "")) == {*COMMANDS, "--help", "--version"}


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_takes_its_script(shell, capsys, tmp_path):
    assert run("completion", shell) == 0
    text = capsys.readouterr().out
    assert all(command in text for command in COMMANDS)
    assert "conservative" in text
    if found := shutil.which(shell):
        (tmp_path / "script").write_text(text)
        assert subprocess.run([found, "-n", tmp_path / "script"], check=False).returncode == 0


def test_another_shell_is_refused(capsys):
    with pytest.raises(SystemExit):
        run("completion", "cmd")
    assert "invalid choice: 'cmd'" in capsys.readouterr().err
