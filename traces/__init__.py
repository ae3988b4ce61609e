"""Workloads from job logs and synthetic models, and the steps that shape them."""

from traces.accounting import IngestOptions
from traces.ingest import Ingested, ingest, read_log

__all__ = ["IngestOptions", "Ingested", "ingest", "read_log"]
