"""Lines of a user's CSV with their numbers, for error messages."""

import csv
import io
from collections.abc import Iterator, Sequence
from pathlib import Path

from scheduler_core.common.errors import ParameterError
from scheduler_core.common.inputs import read_bytes


def lines_of(path: Path | str, columns: Sequence[str], missing: str = "") -> Iterator[tuple[int, list[str]]]:
    """Yield the lines of a CSV below its heading: the line number, and the values of ``columns`` in this order.

    Raise :class:`ParameterError` when the file is missing (the message ends with ``missing``), or is not such a CSV.
    """
    if not Path(path).is_file():
        raise ParameterError(f"there is no file '{path}', seen from {Path.cwd()}{missing}")
    try:
        lines = csv.reader(io.StringIO(read_bytes(path).decode("utf-8-sig"), newline=""))
        heading = [word.strip() for word in next(lines, [])]
        if sorted(heading) != sorted(columns):
            raise ParameterError(
                f"{path}: expected the columns {', '.join(columns)}; found {', '.join(heading) or 'none'}: the first line "
                "names them, with commas between"
            )
        places = [heading.index(name) for name in columns]
        for number, words in enumerate(lines, 2):
            if not any(word.strip() for word in words):
                continue
            if len(words) != len(columns):
                raise ParameterError(f"{path}, line {number}: expected {len(columns)} values; found {len(words)}")
            yield number, [words[place].strip() for place in places]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise ParameterError(f"{path}: cannot be read as a CSV in UTF-8 ({error}); save it as one") from error
