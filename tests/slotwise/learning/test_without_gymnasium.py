"""Without gymnasium, the package says what to install."""

import sys

import pytest


def test_a_missing_gymnasium_says_what_to_install(monkeypatch):
    for name in [name for name in sys.modules if name.startswith("slotwise.learning")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "gymnasium", None)
    with pytest.raises(ModuleNotFoundError, match=r"pip install 'slotwise\[learning\]'"):
        __import__("slotwise.learning")
