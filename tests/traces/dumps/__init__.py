"""Tests of importing dumps of accounting."""
