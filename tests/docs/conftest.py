"""Fixtures of the tests of the documentation."""

from tests.docs.site import site

__all__ = ["site"]
