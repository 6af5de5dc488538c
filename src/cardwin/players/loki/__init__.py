"""Loki, the limit hold'em player of the University of Alberta.

It follows Papp (1998), "Dealing with Imperfect Information in Poker". Reveley (2002) described it without finishing it.

- `preflop`: income rates, position and tightness select a strategy for the first round;
- `postflop`: hand strength and potential, and the betting rules in their order;
- `model`: the opponents' action frequencies, and the ranges that follow from them;
- `state`, `play`: the player as kernels, for compiled tables;
- `public_hand`, `opponent_model`, `player`: the same kernels called from Python, with events and explanations;
- `ranges`: the model for recorded hands.
"""
