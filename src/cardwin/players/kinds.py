"""The numbers of the kinds of compiled players; `compiled` describes how a kind is added."""

PYTHON = -1  # called in Python; kernels stop at its turn

# Players that only look at which actions are legal. The first ones never raise, the last ones draw a number.
FOLDER, CALLER, TIMID_CALLER, RAISER, ALL_IN, RANDOM, CALL_OR_RAISE = range(7)
LAST_PASSIVE, FIRST_DRAWING, LAST_STATIC = TIMID_CALLER, RANDOM, CALL_OR_RAISE

# Robots, which decide from their view and a row of named parameters.
STANDARD, V1, MATRIX, BLIND = range(LAST_STATIC + 1, LAST_STATIC + 5)
LAST_ROBOT = BLIND

# A row of weights.
NETWORK = LAST_ROBOT + 1

# A table of probabilities by betting line and bucket.
BLUEPRINT = NETWORK + 1

# A row of settings and counts of opponents' actions.
LOKI = BLUEPRINT + 1
