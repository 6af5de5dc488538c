"""Exact solutions: trees, plans, best responses, equilibria."""
