"""Results in, findings out: the store, its metrics, the claims ledger, figures and the report."""
