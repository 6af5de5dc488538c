"""Our games, players and policies inside other people's programs: PettingZoo, Gymnasium, OpenSpiel.

Each of those libraries is imported in one file here, which has its name; all are optional.
"""
