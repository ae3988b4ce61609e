"""Workloads from job logs and synthetic models, and the steps that shape them.

>>> from traces import read_log
>>> workload = read_log("SDSC-SP2-1998-4.2-cln.swf.gz")
"""

from __future__ import annotations

from traces.ingest import Ingested, IngestOptions, ingest, read_log

__all__ = ["IngestOptions", "Ingested", "ingest", "read_log"]
