"""Public-tree solver: regret minimisation with vectors of all holdings on heads-up betting games."""
