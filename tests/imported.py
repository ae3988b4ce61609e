"""What a fresh Python has imported, for tests of what a start costs."""

import subprocess
import sys

from tests.paths import PROJECT


def imported_by(code: str) -> set[str]:
    """Return the names of the modules that are there after some code."""
    program = f"import sys\n{code}\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], cwd=PROJECT, capture_output=True, text=True, check=True)
    return set(done.stdout.split())
