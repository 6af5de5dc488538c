"""Exact answers: trees, plans, best responses, equilibria."""
