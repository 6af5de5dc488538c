"""Statistics of samples: intervals, tests, rankings, playing style.

SciPy is imported where it is called: that takes half a second, and most commands need none of it.
"""
