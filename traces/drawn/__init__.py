"""A log that slotwise drew itself, for machines without real logs: ``drawn`` in the catalogue. No machine recorded it.

:mod:`traces.drawn.jobs` draws the jobs from published models, :mod:`traces.drawn.schedule` gives them the waits of EASY
backfilling, and :mod:`traces.drawn.text` writes ``drawn.swf.gz``. ``python -m traces.drawn.text`` makes the same text again.
"""
