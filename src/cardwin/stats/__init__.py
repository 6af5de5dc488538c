"""From samples to numbers: intervals, tests, ratings, playing style."""
