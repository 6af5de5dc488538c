"""Poker analysis: EV loss of decisions, ranges, playing style, local best response, range grids."""
