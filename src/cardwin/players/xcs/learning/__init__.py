"""XCS, a classifier system in which a rule's fitness is the accuracy of its prediction.

After Wilson (1995, 1998) and the algorithmic description of Butz and Wilson (2000), with a register of internal
actions (Lanzi and Wilson 2000) and the changes that Reveley (2002) proposed for poker and did not finish: bit-spread
fields and two predictions.

`system` holds the arrays, inserts and deletes rules, `discovery` covers and breeds, `credit` updates, `episode`
combines them into decisions, `problems` are test problems with known answers, `small_games` are games.
"""
