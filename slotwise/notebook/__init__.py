"""What Python sessions and notebooks see: runs with their summaries and tables, and stores of results."""
