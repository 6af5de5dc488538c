"""XCS, a classifier system whose rules are fit if they predict well, whatever they predict.

After Wilson (1995, 1998) and the algorithmic description of Butz and Wilson (2000), with a register of internal
actions (Lanzi and Wilson 2000) and the changes that Reveley (2002) proposed for poker and did not finish: bit-spread
fields and two predictions.

`system` holds the arrays, `population` inserts and deletes, `discovery` covers and breeds, `credit` updates, `episode`
joins them into decisions, `worlds` and `problems` are the problems whose answers are known.
"""
