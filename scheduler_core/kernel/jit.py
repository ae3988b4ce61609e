"""How kernels are compiled."""

from __future__ import annotations

from numba import njit

kernel = njit(cache=True, nogil=True, error_model="numpy", _nrt=False)
"""Compile a function of the event loops: cached on disk, runs without the interpreter's lock, allocates nothing.

Because kernels allocate nothing, reference counting is off in them (``_nrt=False``): with it, every call that hands on
the arrays of the state pays for an atomic count per array, which made the loop of FCFS 15 times slower.
"""
