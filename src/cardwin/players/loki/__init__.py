"""Loki, the limit hold'em player of the University of Alberta, after Papp (1998), "Dealing with Imperfect Information
in Poker", which Reveley (2002) described and did not finish.

- `preflop`: income rates, position and tightness select a strategy for the first round;
- `postflop`: hand strength and potential, and the betting rules in their order;
- `public_hand`: the hand as all players see it, updated by events;
- `model`: the opponents' action frequencies, and the ranges that follow from them;
- `player`: the player that combines them;
- `ranges`: the same model for recorded hands.
"""
