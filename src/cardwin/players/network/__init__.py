"""Players that are networks (Nicolai and Hilderman): 35 inputs, 20 hidden nodes, three probabilities."""
