"""What records show: results with intervals, decision costs, range grids, playing style."""
