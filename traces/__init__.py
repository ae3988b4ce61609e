"""Workloads from job logs and synthetic models, and the steps that shape them."""

from __future__ import annotations

from traces.ingest import Ingested, IngestOptions, ingest, read_log

__all__ = ["IngestOptions", "Ingested", "ingest", "read_log"]
