"""What the script printed: one hand, two populations of ten, their table of fitness, the parents."""

# One hand (2.3): A's bet for each card; B's answers, a row a card, a letter a bet (C calls, F folds).
HAND_A = (2, 8, 4, 10)
HAND_B = "FFFCFF CCFCFF FFCCFF FCFFFF"
HAND_POT = ((4, 4, 4, 4), (8, 4, 4, 4), (4, 4, 12, 4), (8, 4, 4, 4))
HAND_WINNER = ((1, 1, 1, 1), (-1, 1, 1, 1), (1, 1, 0, 1), (-1, 1, 1, 1))
HAND_GAIN = ((2, 2, 2, 2), (-4, 2, 2, 2), (2, 2, 0, 2), (-4, 2, 2, 2))

# The two populations of ten (3.2), as R's seed 123 drew them, B's cleaned.
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
# Rows are B's strategies, columns A's (3.3.2).
FITNESS = (
    (1.000, 0.000, -0.750, 0.375, 0.500, -1.000, -0.500, 0.750, -0.250, 0.750),
    (0.500, 0.000, -0.750, 0.000, 0.500, 0.625, -0.375, 0.875, 0.375, 0.375),
    (-0.750, 0.500, 0.125, 0.375, 0.500, 0.000, 0.500, -0.125, 0.375, -0.375),
    (0.500, -2.125, -1.375, 0.750, 0.250, -0.375, -0.750, -0.625, -0.750, 0.000),
    (1.250, -0.875, 0.125, 0.000, 0.250, -1.250, -0.250, -0.250, 0.250, 0.125),
    (3.000, -0.625, -0.500, 0.375, 0.500, 0.375, -0.625, 0.750, 0.125, 0.125),
    (1.250, 0.250, 0.875, 0.750, 0.500, -1.000, 0.750, 0.125, -0.750, 0.125),
    (2.625, -0.375, -0.750, 0.375, 0.375, 0.000, -0.875, 0.875, -0.250, -0.125),
    (1.375, -2.125, -1.500, 0.750, 0.125, -0.875, -0.750, -0.750, -0.250, 0.000),
    (1.250, -0.625, -0.375, 0.750, 0.250, -1.000, -0.375, 0.000, -0.625, 0.375),
)
FITNESS_A = (1.2, -0.6, -0.4875, 0.45, 0.375, -0.45, -0.325, 0.1625, -0.175, 0.1375)
FITNESS_B = (-0.0875, -0.2125, -0.1125, 0.45, 0.0625, -0.35, -0.2875, -0.1875, 0.4, 0.0375)
PARENTS = (0, 3, 4, 7, 9, 8, 6)
