"""The ledger: what the literature claims, what was measured, and the verdict."""
