"""The document's random tables drawn again with R's seed 123, from 2.3.1 to 4, and the same run continued.

Fixed before the run: a table agrees if all its legible cells are equal.
"""

from collections.abc import Iterator

import numpy as np

from cardwin.core.arrays import Bools, Floats, Ints
from cardwin.papers import Context
from cardwin.papers.morsomme import script
from cardwin.papers.morsomme.hands import FITNESS, HAND, PUBLISHED, alike, cells_alike, one_card_game, words_alike
from cardwin.papers.morsomme.history import draw_history, history_of_populations
from cardwin.papers.morsomme.r_random import RStream
from cardwin.papers.morsomme.script import Population
from cardwin.papers.sample import Sample, sample
from cardwin.solvers import equilibria

SEED = 123
FOLD_OR_CALL = np.array(["F", "C"])


def replay(context: Context) -> Iterator[Sample]:
    """Draw sections 2 and 3 from one seed, then section 4 from the same seed, and continue it."""
    context.text(
        "R's seed 123 reproduces the document's tables bit for bit, but only with the sampling method that R had "
        "until version 3.5: the document is dated January 2019, three months before 3.6 changed it. One stream runs "
        "from 2.3.1 through 3.4.3; section 4 sets the seed again."
    )
    stream = RStream(SEED)
    yield from _one_hand(stream)
    yield from _ten(stream)
    yield from _second_generation()
    yield _share_drawn_alike_today()
    yield from _continued(context)


def _bets(indices: Ints) -> Floats:
    """Return the bets with these indices, of the game of four cards or of ten: both go up by 2 from 0."""
    return (2 * indices).astype(np.float64)


def _words(calls: Bools) -> list[list[str]]:
    """Return B's tables (strategies, bets, cards) as a row of letters per card."""
    return [["".join(FOLD_OR_CALL[row.astype(int)]) for row in table.T] for table in calls]


def _letters(texts: list[str]) -> Floats:
    return np.array([[letter == "C" for letter in text] for text in texts], dtype=np.float64)


def _one_hand(stream: RStream) -> Iterator[Sample]:
    drawn = script.first_population(one_card_game("onecard"), stream, 1)
    yield cells_alike("A's random strategy, drawn again", _bets(drawn.bets[0]), HAND["a"])
    yield words_alike("B's random strategy, drawn again", _words(drawn.calls)[0], HAND["b_read"].split())


def _ten(stream: RStream) -> Iterator[Sample]:
    """Draw the two populations of ten and their children; check the text's statement about the first child."""
    game = one_card_game("onecard")
    drawn = script.first_population(game, stream, 10)
    population = Population(drawn.bets, script.cleaned(game, drawn.calls))
    yield cells_alike("A's ten, drawn again", _bets(drawn.bets), PUBLISHED["population_a_read"])
    for name, calls, printed in (
        ("B's first two, drawn again", drawn.calls, PUBLISHED["uncleaned_b_read"]),
        ("B's first two, drawn again and cleaned", population.calls, PUBLISHED["cleaned_b_read"]),
    ):
        yield words_alike(name, [row for table in _words(calls[:2]) for row in table], printed.split())
    table = script.fitness(game, population)
    yield cells_alike("ten against ten, from what was drawn again", table, FITNESS)
    scores = script.means(table, 0)
    five = script.offspring(drawn.bets, scores, 7, 5, 0.2, len(game.bets), stream)
    origins = [[f"s{n + 1}" for n in row] for row in five.origins]
    pairs = [
        pair
        for ours, printed in zip(origins, PUBLISHED["child_origins"], strict=True)
        for pair in zip(ours, printed.split(), strict=False)  # the last ones may be illegible
    ]
    equal = sum(ours == printed for ours, printed in pairs)
    yield alike("the origins of five children, drawn again", equal, len(pairs), len(pairs))
    first = " ".join(origins[0][:3])
    yield sample("the first three elements of Child 1, by the text", first, exact=first)
    yield cells_alike("the five crossed over", _bets(five.crossed), PUBLISHED["child_crossed"])
    where = [[card in marked for card in range(4)] for marked in PUBLISHED["child_mutated"]]
    yield cells_alike("where the five mutate", five.mutated, where)
    yield cells_alike("the outcomes of mutations", _bets(five.outcomes), PUBLISHED["child_outcomes"])
    yield cells_alike("the five children", _bets(five.children), PUBLISHED["children"])
    ten = script.offspring(drawn.bets, scores, 7, 10, 0.05, len(game.bets), stream).children
    yield cells_alike("the ten children", _bets(ten).T, PUBLISHED["ten_children"])
    old, new = (float(_bets(bets)[:, :2].mean()) for bets in (drawn.bets, ten))
    name = "change of the mean bet on cards 1 and 2 in the ten children shown"
    yield sample(name, new - old, exact=new - old, old=old, new=new)


def _second_generation() -> Iterator[Sample]:
    game = one_card_game("onecard-10")
    second = list(script.generations(game, SEED, 2))[1]
    yield cells_alike("the second generation, ten of A's", _bets(second.bets[:10]).T, PUBLISHED["second_a"])
    words = _words(second.calls[24:26])
    last = _letters(["".join(row[-1] for row in table) for table in words])
    name = "the second generation, two of B's against a bet of 20"
    yield cells_alike(name, last, _letters(PUBLISHED["second_b_last"]))
    rows = [
        (words[table][int(card) - 1][:10], text)
        for table, legible in enumerate(PUBLISHED["second_b_rows"])
        for card, text in legible.items()
    ]
    equal = sum(ours == printed for ours, printed in rows)
    yield sample("the second generation, two of B's against the other bets", f"{equal} of {len(rows)} rows")


def _share_drawn_alike_today() -> Sample:
    """Compare what the script draws with R 3.6 or later."""
    game = one_card_game("onecard-10")
    newer, older = (next(script.generations(game, SEED, 1, rejection=choice)) for choice in (True, False))
    name, chance = "share of A's first generation that R since 3.6 draws alike", 1 / len(game.bets)
    return sample(name, float((newer.bets == older.bets).mean()), chance=chance)


def _continued(context: Context) -> Iterator[Sample]:
    """Continue the script's own run, which it stopped after two generations."""
    game, last = one_card_game("onecard-10"), context.pick(40, 500, 500, 500)
    history = history_of_populations(game, list(script.generations(game, SEED, last)))
    draw_history(context, history, "seed-123", f"The script's own seed, carried on for {last} generations")
    gain, bluffs = (float(numbers[last // 2 :].mean()) for numbers in (history.gain, history.bluffs[:, 0]))
    yield sample("seed 123 carried on: A's average gain", gain, exact=float(equilibria.game_value(game)), last=last)
    yield sample("seed 123 carried on: how often A bets card 1", bluffs, last=last)
    header = ["generation", *(f"card {card + 1}" for card in range(game.cards))]
    shown = [generation for generation in (1, 2, 5, 10, 20, 50, 100, 200, 500) if generation <= last]
    rows = [[generation, *map(float, history.bluffs[generation - 1])] for generation in shown]
    context.table("The script's own seed: how often A bets each card, by generation", header, rows)
