"""Records to numbers: intervals, tests, ratings, playing style."""
