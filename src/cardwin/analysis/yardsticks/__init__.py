"""Yardsticks that need players and solvers: seats of spots locked to players, and the table of all players."""
