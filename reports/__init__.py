"""Results in, findings out: the store, its measurements, the ledger of claims, figures and the report."""
