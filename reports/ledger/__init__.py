"""The claims ledger: what the literature says, and what was measured here."""
