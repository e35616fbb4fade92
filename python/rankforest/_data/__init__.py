"""Data sets: features in every form, queries, and what can be made of them."""
