"""Loki, the limit hold'em player of the University of Alberta, after Papp (1998), "Dealing with Imperfect Information
in Poker", which Reveley (2002) described and did not finish.

- `preflop`: income rates, position and tightness choose a strategy for the first round;
- `postflop`: hand strength and potential, and the betting rules in their order;
- `public_hand`: the hand as everybody sees it, followed by its events;
- `model`: what opponents do and how often, and what they may therefore hold;
- `player`: the player that joins them;
- `ranges`: the same model for anybody's recorded hands.
"""
