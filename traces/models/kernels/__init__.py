"""The models' jitted parts, imported only when jobs are drawn."""
