"""What metrics, comparisons and runs are made of."""
