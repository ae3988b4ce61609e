"""Fields of records keep clear of what numpy's records have themselves: kernels run as plain Python, too."""

import importlib
import pkgutil

import numpy as np
import pytest

import scheduler_core

MODULES = [module.name for module in pkgutil.walk_packages(scheduler_core.__path__, "scheduler_core.")]


@pytest.mark.parametrize("module", MODULES)
def test_no_field_hides_behind_a_method_of_numpy(module):
    kinds = [value for value in vars(importlib.import_module(module)).values() if isinstance(value, np.dtype)]
    assert not {name for kind in kinds for name in kind.names or ()} & set(dir(np.record))
