"""The `slotwise` command, called by tests."""

from slotwise.cli.main import main


def run(*words):
    """Return the exit code of a command."""
    return main([str(word) for word in words])


def refused(capsys, *words):
    """Return what a command says that is not done."""
    assert run(*words) == 2
    return capsys.readouterr().err
