"""Heads-up betting games by their parameters: the game, its parameter file, its public betting tree."""
