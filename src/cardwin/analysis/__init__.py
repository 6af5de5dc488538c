"""Analysis of records: results with intervals, EV loss of decisions, range grids, playing style."""
