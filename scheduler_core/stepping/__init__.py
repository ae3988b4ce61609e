"""What surrounds every engine, and schedulers that are advanced step by step."""
