"""Kinds of runs: evolution, training, tournaments, leaderboards, sweeps."""
