"""The shell around every engine, and schedulers that advance step by step."""
