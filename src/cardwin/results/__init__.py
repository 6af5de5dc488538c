"""Results of matches, tournaments, cash games and leaderboards: their numbers and their JSON."""
