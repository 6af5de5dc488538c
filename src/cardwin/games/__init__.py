"""Rules only: states, legal actions, chance and payoffs."""
