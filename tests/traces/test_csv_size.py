"""A CSV is read up to the limit for any file, and refused above it."""

from collections.abc import Callable
from pathlib import Path

import pytest

from reports.measure.printed import read_printed_values
from scheduler_core.common.errors import InputError
from scheduler_core.common.inputs import OPTION
from scheduler_core.runs.foreign import read_times
from traces.shape.csv_lines import lines_of


def lines_of_two_columns(path: Path) -> object:
    """Read all lines of a user's CSV."""
    return list(lines_of(path, ("job", "end")))


def printed_values(path: Path) -> object:
    """Read the printed values of a study."""
    return read_printed_values(path, ())


@pytest.mark.parametrize("read", [read_times, lines_of_two_columns, printed_values])
def test_a_long_csv_is_refused(read: Callable[[Path], object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The message names the file and the limit; the file is not read to its end first."""
    path = tmp_path / "long.csv"
    path.write_bytes(b"job,end\n" + b"1,2\n" * 5_000_000)
    monkeypatch.setenv(OPTION, "1")
    with pytest.raises(InputError, match=r"long\.csv: more than 1"):
        read(path)
