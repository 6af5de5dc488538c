"""The list of runs: an index of their rows, their tags, and the queue of those that wait for a place."""
