"""The document's random tables drawn again: R's seed 123, from 2.3.1 to 4, and the same seed continued.

Fixed before the run: a table agrees if all its legible cells are equal.
"""

from collections.abc import Iterator

import numpy as np

from cardwin.papers import Context, Finding, verdicts
from cardwin.papers.morsomme import published, script
from cardwin.papers.morsomme.courses import Course, course_of_populations, draw_course
from cardwin.papers.morsomme.hands import table_finding, the_game, words_finding
from cardwin.papers.morsomme.r_random import RStream
from cardwin.papers.morsomme.script import Population
from cardwin.solvers import answers
from cardwin.solvers.tree import Floats, Ints

SEED = 123
FOLD_OR_CALL = np.array(["F", "C"])


def replay(context: Context) -> Iterator[Finding]:
    """Sections 2 and 3 from one seed, then section 4 from the same one, continued."""
    context.say(
        "R's seed 123 reproduces the document's tables bit for bit, but only with the sampling method that R had "
        "until version 3.5: the document is dated January 2019, three months before 3.6 changed it. One stream runs "
        "from 2.3.1 through 3.4.3; section 4 sets the seed again."
    )
    stream = RStream(SEED)
    yield from _one_hand(stream)
    yield from _ten(stream)
    yield from _second_generation()
    yield from _today()
    yield from _carried_on(context)


def _bets(places: Ints) -> Floats:
    """Bets of the game of four cards or of ten; both go up by 2 from 0."""
    return (2 * places).astype(np.float64)


def _words(calls: script.Bools) -> list[list[str]]:
    """B's tables (strategies, bets, cards) as the letters of a row a card."""
    return [["".join(FOLD_OR_CALL[row.astype(int)]) for row in table.T] for table in calls]


def _letters(texts: list[str]) -> Floats:
    return np.array([[letter == "C" for letter in text] for text in texts], dtype=np.float64)


def _one_hand(stream: RStream) -> Iterator[Finding]:
    drawn = script.first_population(the_game("onecard"), stream, 1)
    yield table_finding("section 2.3.1", "A's random strategy, drawn again", _bets(drawn.bets[0]), published.HAND_A)
    yield words_finding(
        "section 2.3.1", "B's random strategy, drawn again", _words(drawn.calls)[0], published.HAND_B_READ.split()
    )


def _ten(stream: RStream) -> Iterator[Finding]:
    """The two populations, their children, and the text's statement about the first child."""
    game = the_game("onecard")
    drawn = script.first_population(game, stream, 10)
    population = Population(drawn.bets, script.cleaned(game, drawn.calls))
    yield table_finding("section 3.2", "A's ten, drawn again", _bets(drawn.bets), published.POPULATION_A_READ)
    for place, name, calls, printed in (
        ("section 3.2", "B's first two, drawn again", drawn.calls, published.UNCLEANED_B_READ),
        ("section 3.2.1", "B's first two, drawn again and cleaned", population.calls, published.CLEANED_B_READ),
    ):
        yield words_finding(place, name, [row for table in _words(calls[:2]) for row in table], printed.split())
    table = script.fitness(game, population)
    yield table_finding(
        "section 3.3.2", "ten against ten, from what was drawn again", table, published.FITNESS,
        "the document prints two of B's ten; the table confirms the others",
    )  # fmt: skip
    scores = script.means(table, 0)
    five = script.offspring(drawn.bets, scores, 7, 5, 0.2, len(game.bets), stream)
    origins = [" ".join(f"s{n + 1}" for n in row) for row in five.origins]
    yield _origins(origins)
    first = " ".join(origins[0].split()[:3])
    yield Finding(
        "section 3.4.2.1", "the first three elements of Child 1, by the text", published=published.CHILD_IN_THE_TEXT,
        measured=first, exact=first, verdict=verdicts.stated(first == published.CHILD_IN_THE_TEXT),
        reason="the table above the sentence says s4 s5 s4, and so does the seed: the sentence is from another one",
    )  # fmt: skip
    yield table_finding("section 3.4.2.1", "the five crossed over", _bets(five.crossed), published.CHILD_CROSSED)
    where = [[card in marked for card in range(4)] for marked in published.CHILD_MUTATED]
    yield table_finding("section 3.4.2.2", "where the five mutate", five.mutated, where)
    outcomes = _bets(five.outcomes)
    yield table_finding("section 3.4.2.2", "the outcomes of mutations", outcomes, published.CHILD_OUTCOMES)
    yield table_finding("section 3.4.2.2", "the five children", _bets(five.children), published.CHILDREN)
    ten = script.offspring(drawn.bets, scores, 7, 10, 0.05, len(game.bets), stream).children
    yield table_finding("section 3.4.3", "the ten children", _bets(ten).T, published.TEN_CHILDREN)
    change = float(_bets(ten)[:, :2].mean() - _bets(drawn.bets)[:, :2].mean())
    yield Finding(
        "section 3.4.3", "change of the mean bet on cards 1 and 2 in the ten children shown", published="small bets",
        measured=change, exact=change, verdict=verdicts.judge(verdicts.below(0.0), change),
        reason=f"from {_bets(drawn.bets)[:, :2].mean():g} to {_bets(ten)[:, :2].mean():g}",
    )  # fmt: skip


def _origins(origins: list[str]) -> Finding:
    """The printed origins of five children, as far as each is in its place."""
    pairs = [pair for ours, printed in zip(origins, published.CHILD_ORIGINS, strict=True)
             for pair in zip(ours.split(), printed.split(), strict=False)]  # fmt: skip
    equal = sum(ours == printed for ours, printed in pairs)
    return Finding(
        "section 3.4.2.1", "the origins of five children, drawn again", published=f"{len(pairs)} cells",
        measured=f"{equal} equal", exact=f"{len(pairs)} cells", verdict=verdicts.stated(equal == len(pairs)),
        reason=f"cell by cell; {len(pairs)} of 20 cells are in their place in our copy",
    )  # fmt: skip


def _second_generation() -> Iterator[Finding]:
    game = the_game("onecard-10")
    second = list(script.generations(game, SEED, 2))[1]
    ours = _bets(second.bets[:10]).T
    yield table_finding("section 4", "the second generation, ten of A's", ours, published.SECOND_A)
    words = _words(second.calls[24:26])
    last = _letters(["".join(row[-1] for row in table) for table in words])
    yield table_finding(
        "section 4", "the second generation, two of B's against a bet of 20", last,
        _letters(list(published.SECOND_B_LAST)), "2 of the 20 cells are forced by the cleaning; the rest is drawn",
    )  # fmt: skip
    rows = [(words[table][card - 1][:10], text) for table, known in enumerate(published.SECOND_B_ROWS)
            for card, text in known.items()]  # fmt: skip
    equal = sum(one == two for one, two in rows)
    yield Finding(
        "section 4", "the second generation, two of B's against the other bets", verdict=None,
        measured=f"{equal} of {len(rows)} rows",
        reason="our copy is a scan that drops and swaps words in these rows, which hold from 2 to 13 words for 10; "
        "of those with 10 so many are equal, each by chance once in 512; nothing can be said of the others",
    )  # fmt: skip


def _today() -> Iterator[Finding]:
    """What the script draws with R 3.6 or later."""
    game = the_game("onecard-10")
    newer, older = (next(script.generations(game, SEED, 1, rejection=choice)) for choice in (True, False))
    same = float((newer.bets == older.bets).mean())
    yield Finding(
        "ours", "share of A's first generation that R since 3.6 draws alike", measured=same, verdict=None,
        reason=f"by chance {1 / len(game.bets):.2f}: who runs the script today sees other tables",
    )  # fmt: skip


def _carried_on(context: Context) -> Iterator[Finding]:
    """The script's own run, which it stopped after two generations, continued."""
    game, last = the_game("onecard-10"), context.pick(40, 500, 500, 500)
    course = course_of_populations(game, list(script.generations(game, SEED, last)))
    draw_course(context, course, "seed-123", f"The script's own seed, carried on for {last} generations")
    half = slice(last // 2, None)
    place = "section 4"
    why = f"mean of the second half of {last} generations; one seed, so no interval"
    value = float(answers.game_value(game))
    yield Finding(
        place, "seed 123 carried on: A's average gain", measured=float(course.gain[half].mean()),
        exact=value, verdict=None, reason=why,
    )  # fmt: skip
    yield Finding(
        place, "seed 123 carried on: how often A bets card 1", measured=float(course.bluffs[half, 0].mean()), exact=1.0,
        verdict=None, reason=f"{why}; exact: in the equilibrium",
    )  # fmt: skip
    context.table(
        "The script's own seed: how often A bets each card, by generation", ["generation", *_cards(course)],
        [[at, *map(float, course.bluffs[at - 1])] for at in (1, 2, 5, 10, 20, 50, 100, 200, 500) if at <= last],
    )  # fmt: skip


def _cards(course: Course) -> list[str]:
    return [f"card {card + 1}" for card in range(course.game.cards)]
