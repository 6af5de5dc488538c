"""Printed values of the script: one hand, two populations of ten, their table of fitness, the parents.

Our copy drops some cells. A number that cannot be read there is UNREAD; a row of words may be short of some.
"""

UNREAD = float("nan")

# One hand (2.3): A's bet for each card; B's answers, a row a card, a letter a bet (C calls, F folds).
HAND_A = (2, 8, 4, 10)
HAND_B = "FFFCFF CCFCFF FFCCFF FCFFFF"
HAND_B_READ = "FFFCFF CCFCFF FFCCFF FCFFF"  # as far as it can be read in its place
HAND_POT = ((4, 4, 4, 4), (8, 4, 4, 4), (4, 4, 12, 4), (8, 4, 4, 4))
HAND_WINNER = ((1, 1, 1, 1), (-1, 1, 1, 1), (1, 1, 0, 1), (-1, 1, 1, 1))
HAND_GAIN = ((2, 2, 2, 2), (-4, 2, 2, 2), (2, 2, 0, 2), (-4, 2, 2, 2))

# The two populations of ten (3.2), as R's seed 123 drew them, B's cleaned; the document prints two of B's.
POPULATION_A = (
    (2, 0, 10, 10),
    (8, 8, 0, 4),
    (8, 2, 2, 2),
    (0, 4, 4, 4),
    (0, 0, 2, 4),
    (2, 10, 0, 4),
    (8, 0, 6, 2),
    (0, 8, 10, 4),
    (6, 0, 4, 2),
    (8, 4, 8, 8),
)
POPULATION_B = (
    "CFCCCF CCFFCC CCCCFC CCCCCC",
    "CFFCCC CCCFCF CCCFFF CCCCCC",
    "CFCCFF CCFFFF CCCFFF CCCCCC",
    "CFCCFF CCFCCC CCFCCF CCCCCC",
    "CCFCFF CCFFCC CFFFFC CCCCCC",
    "CFCCCC CFFFFC CFCFCC CCCCCC",
    "CCCCFF CCFCFC CFFCFC CCCCCC",
    "CFCFFC CFFFCC CCCCFC CCCCCC",
    "CFCCFF CFFCCC CCFFCC CCCCCC",
    "CCCFFF CFFCCC CCFCFC CCCCCC",
)
# What can be read of them (3.2 and 3.2.1): of A's last strategy one bet, of B's first two before and after cleaning.
POPULATION_A_READ = (*POPULATION_A[:-1], (UNREAD, UNREAD, 8, UNREAD))
UNCLEANED_B_READ = "FFCCF CCFFCC FCCFC FCFFF CFFCCC FCFCF CCFFF CFFFCC"
CLEANED_B_READ = "CFCCF CCFFCC CCCFC CCCCCC CFFCCC CCFCF CCFFF CCCCCC"
# Rows are B's strategies, columns A's (3.3.2).
FITNESS = (
    (1.000, 0.000, -0.750, 0.375, 0.500, -1.000, -0.500, 0.750, -0.250, 0.750),
    (0.500, 0.000, -0.750, 0.000, 0.500, 0.625, -0.375, 0.875, 0.375, UNREAD),
    (-0.750, 0.500, 0.125, 0.375, 0.500, 0.000, 0.500, -0.125, 0.375, -0.375),
    (0.500, -2.125, -1.375, 0.750, 0.250, -0.375, -0.750, -0.625, -0.750, 0.000),
    (1.250, -0.875, 0.125, 0.000, 0.250, -1.250, -0.250, -0.250, UNREAD, UNREAD),
    (3.000, -0.625, -0.500, 0.375, 0.500, 0.375, -0.625, 0.750, 0.125, 0.125),
    (1.250, 0.250, 0.875, 0.750, 0.500, -1.000, 0.750, 0.125, -0.750, 0.125),
    (2.625, -0.375, -0.750, 0.375, 0.375, 0.000, -0.875, 0.875, -0.250, -0.125),
    (1.375, -2.125, -1.500, 0.750, 0.125, -0.875, -0.750, -0.750, -0.250, 0.000),
    (1.250, -0.625, -0.375, 0.750, 0.250, -1.000, -0.375, 0.000, -0.625, 0.375),
)
FITNESS_A = (1.2, -0.6, -0.4875, 0.45, 0.375, -0.45, -0.325, 0.1625, -0.175, 0.1375)
FITNESS_B = (-0.0875, -0.2125, -0.1125, 0.45, 0.0625, -0.35, -0.2875, -0.1875, 0.4, 0.0375)
PARENTS = (0, 3, 4, 7, 9, 8, 6)

# Five children (3.4.2), a row a child: the origin of each bet, the bets after crossover, where they mutate, to what.
# Of the origins two words of the last row are out of their place, and so left out.
CHILD_ORIGINS = ("s4 s5 s4 s4", "s8 s1 s4 s10", "s10 s1 s4 s9", "s9 s1 s1", "s1 s1 s7")
CHILD_CROSSED = ((0, 0, 4, UNREAD), (0, 0, 4, 8), (8, 0, 4, 2), (6, 0, 10, UNREAD), (2, 0, 6, 10))
CHILD_MUTATED = ((1,), (1,), (3,), (), (2,))
CHILD_OUTCOMES = (2, 6, 0, 10)
CHILDREN = ((0, 2, 4, 4), (0, 6, 4, 8), (8, 0, 4, 0), (6, 0, 10, 4), (UNREAD, 0, 10, 10))
CHILD_IN_THE_TEXT = "s7 s7 s9"  # "The first two elements of Child 1 come from … s7, the third element from s9"

# Ten children (3.4.3) and ten of the second generation (4), a row a card.
TEN_CHILDREN = (
    (0, 0, 10, 0, 0, 6, 2, 0, 0, UNREAD),
    (0, 4, 0, 4, 0, 4, 0, 4, 0, 0),
    (10, 10, 4, 10, 4, 2, 10, 4, 10, UNREAD),
    (2, 2, 10, 10, 4, 2, 2, 8, 10, UNREAD),
)
SECOND_A = (
    (20, 0, 10, 6, 4, 0, 4, 12, 2, 10),
    (4, 8, 4, 8, 2, 6, 6, 2, 4, UNREAD),
    (14, 4, 8, 12, 6, 8, 12, 12, 4, UNREAD),
    (2, 8, 18, 18, 4, 18, 8, 14, 6, UNREAD),
    (6, 8, 12, 4, 6, 16, 4, 4, 16, UNREAD),
    (18, 8, 12, 2, 10, 20, 0, 12, 14, UNREAD),
    (6, 8, 18, 18, 2, 2, 16, 12, 8, 14),
    (12, 18, 16, 14, 2, 2, 8, 6, 16, UNREAD),
    (12, 2, 20, 6, 6, 14, 4, 6, 0, UNREAD),
    (20, 8, 10, 20, 20, 8, 20, 8, 20, 12),
)
# B's 25th and 26th of the second generation: the column of a bet of 20, by card, which R prints separately.
SECOND_B_LAST = ("FCCCFFCFCC", "CFCCFFCCCC")
# And by card those rows of the other ten columns that have ten words in our copy, a scan that drops and swaps words.
SECOND_B_ROWS = (
    {1: "CFFCFFCFFF", 2: "CFFCCFCFCF", 6: "CFCFFCFFFF"},
    {3: "CFFFFFFFCF", 4: "CCFFFCFCFC", 5: "CFFCFFCFFF"},
)
