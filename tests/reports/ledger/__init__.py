"""The claims ledger: verdicts, measures, and the claims of the studies on small worlds."""
