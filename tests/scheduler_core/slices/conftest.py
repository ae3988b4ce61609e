"""Let the tests of this folder import the oracles."""

from __future__ import annotations

import sys
from pathlib import Path

TESTS = str(Path(__file__).parents[2])
if TESTS not in sys.path:
    sys.path.append(TESTS)
