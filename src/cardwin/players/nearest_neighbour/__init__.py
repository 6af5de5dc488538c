"""A player that imitates recorded decisions by nearest neighbours."""
