"""How often Python looks for garbage: objects that refer to one another in circles and that nothing else refers to."""

import gc

THRESHOLDS = (20_000, 20, 20)
"""As for :func:`gc.set_threshold`; the default of Python 3.11 is 700, 10 and 10."""


def collect_rarely() -> None:
    """Look for garbage less often in this process.

    Imports, compiling kernels and drawing charts make many objects that stay. Looking through them again and again took six per
    cent of the time of compiling, and a tenth of that of the tests.
    """
    gc.set_threshold(*THRESHOLDS)
