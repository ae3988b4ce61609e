"""Worlds of Concurrent Gang."""

from __future__ import annotations

from tests.reports.ledger.worlds.concurrent_gang_chapter_6 import CHAPTER_6

WORLDS = {**CHAPTER_6}
