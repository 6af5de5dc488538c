"""Commands that say how good a strategy is: betting games, spots, hold'em players."""
