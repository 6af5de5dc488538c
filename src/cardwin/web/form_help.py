"""What a form says about its fields: a line of help for each key, the keys shown first, and names to choose from."""

from collections.abc import Sequence
from typing import Any

# The fields that most people change, by kind; a kind that is not listed shows the first five of its schema.
FIRST: dict[str, tuple[str, ...]] = {
    "small-game": ("game", "generations", "population.size", "searcher", "seed"),
    "tournament-evolution": ("player", "generations", "population.size", "tournaments", "seed"),
    "style-atlas": ("generations", "children", "first.size", "matches.deals", "seed"),
    "match": ("players", "game", "hands", "until_certain", "seed"),
    "tournament": ("players", "game", "tables", "structure.seats", "seed"),
    "leaderboard": ("players", "game", "hands", "until_certain", "seed"),
    "training": ("learner", "against", "game", "games", "seed"),
    "reproduction": ("paper", "experiment", "scale", "seed"),
    "xcs-game": ("game", "against", "hands", "seat", "seed"),
    "xcs-holdem": ("game", "against", "hands", "see", "seed"),
    "xcs-problem": ("problem", "trials", "every", "predictions", "seed"),
}
MOST_FIRST = 5

HELP: dict[str, str] = {
    "against": "Opponents that it learns against.",
    "all_in_adjusted": "Replace the result of an all-in by its expectation.",
    "allow_weak_sandbox": "Run untrusted programs even where the system cannot lock them in.",
    "bluff_below": "Win odds below which a bet counts as a bluff.",
    "children": "Networks bred in each generation.",
    "coding": "How the game's numbers become bits.",
    "condense": "Last hands, in which breeding neither mutates nor crosses, so that few rules remain.",
    "deals": "Deals of each measurement during the run.",
    "duplicate": "Play every deal again with the seats exchanged.",
    "every": "Hands or trials between two measurements.",
    "experiment": "One experiment of the paper; empty for all.",
    "field.deals": "Deals of each heads-up match.",
    "field.full": "Chance that a table has the first of these numbers of seats.",
    "field.hall_heads_up": "Opponents from the hall of fame whom each member meets heads-up.",
    "field.hall_share": "Share of opponents that come from the hall of fame.",
    "field.networks": "Networks that are in the hall of fame from the beginning.",
    "field.place_weight": "Weight of the places in tournaments in the fitness.",
    "field.ring_hands": "Hands at each table with several seats.",
    "field.ring_weight": "Weight of the tables with several seats in the fitness.",
    "field.rings": "Tables with several seats in each generation.",
    "field.robots": "Robots whom every member meets heads-up.",
    "field.seats": "Numbers of seats at a table.",
    "final": "New tournaments in which the champion is chosen; 0: the fittest of the last generation.",
    "final_deals": "Deals of the last measurement.",
    "first.against": "Whom the first seat meets: population or hall (the other seat's), or policies.",
    "first.by_hand": "Share of the first networks that are drawn like one made by hand.",
    "first.mutation_rate": "The first seat's own mutation rate; empty for the common one.",
    "first.size": "Networks of the first generation.",
    "fitness": "What a tournament is worth to a player.",
    "fitness.fair": "Sampled play: each game deals every deal once.",
    "fitness.games": "Games against each opponent, if play is not exact.",
    "fitness.play": "Exact expectation, or games that are sampled, drawn by outcome, or pooled.",
    "fitness.tremble": "Chance that any legal action is taken instead, so that every choice is tested.",
    "game": "The game that is played.",
    "games": "Games of the training.",
    "generations": "How many times the population is bred anew.",
    "grid.aggression": "Borders of the atlas's cells in bets and raises per call.",
    "grid.pfr": "Borders of the atlas's cells in preflop raises, in percent.",
    "grid.vpip": "Borders of the atlas's cells in hands played by choice, in percent.",
    "hall.capacity": "How many the hall of fame keeps; 0 for all.",
    "hall.enters": "Who enters the hall of fame: the best member, or the average of all.",
    "hall.every": "Generations between two entries into the hall of fame.",
    "hall.growth": "With 1, the n-th to enter weighs n times as much as the first.",
    "hall.replaces": "Whom a newcomer replaces where the hall is full.",
    "hands": "Hands that are played.",
    "in_process": "Run players in this process, without a sandbox.",
    "judges": "Opponents of the measurements.",
    "keep": "Share of a population that survives and breeds.",
    "learner": "The player that learns.",
    "margin": "Standard errors by which a challenger must be better than the network of its cell.",
    "matches.deals": "Deals of a match, each played in every seat.",
    "matches.final": "Matches of every cell at the end.",
    "matches.fresh": "Matches of a challenger and its cell's network on the same deals.",
    "matches.screen": "Matches that a child plays to be placed in a cell.",
    "matrix.head_start": "Begin near an expert's matrix; otherwise at random.",
    "matrix.rollouts": "Simulated hands for each estimate of hand strength.",
    "matrix.spread": "With a head start: how far the first matrices are from the expert's.",
    "network.activation": "Activation function of the hidden nodes.",
    "network.aggression": "Whether the opponents' aggression is an input.",
    "network.genes": "Whether genes are the weights, or those of inputs that are centred and scaled.",
    "network.hidden": "Hidden nodes.",
    "network.odds": "Which win odds are inputs.",
    "opponents": "Players whom every network meets.",
    "paper": "The paper that is reproduced.",
    "payouts": "Shares of the prize by place, such as 50/30/20.",
    "player": "What is evolved: neural networks or decision matrices.",
    "players": "The players that meet.",
    "population.clean": "Fix genes where one action can never be worse than another.",
    "population.genes": "Probabilities, or one choice for each information set.",
    "population.seeded": "Policies that are members of the first generation.",
    "population.size": "Members of each population.",
    "population.start": "How the first generation is drawn.",
    "populations": "Names of the populations that evolve beside each other.",
    "predictions": "How many predictions each rule has.",
    "problem": "The known problem that is learnt.",
    "record_every": "Generations between two that are recorded.",
    "record_members": "Record all members, not only champions: a much larger file.",
    "reduce_variance": "Remove variance of the cards from the results, without bias.",
    "register_bits": "Memory bits that rules read and write.",
    "rounds": "Hands of each game.",
    "scale": "How long it may take: seconds, minutes, an hour, or as long as in the paper.",
    "search.crossover": "How two or more parents are combined.",
    "search.crossover_rate": "Share of pairs that are combined.",
    "search.duplicates": "Whether a generation may contain the same genome twice.",
    "search.elites": "The best members that are copied unchanged.",
    "search.horizon": "Evolution strategy: generations over which the step and sigma shrink.",
    "search.mutation": "How genes are changed.",
    "search.mutation_of": "Whether the rate applies to each gene, or to one gene of a genome.",
    "search.mutation_rate": "Chance that a gene is changed.",
    "search.mutation_when": "Whether children of a crossover mutate too.",
    "search.parent_count": "Weighted sum: mean number of parents.",
    "search.parents": "The best share that may become parents.",
    "search.rate": "Evolution strategy: length of its first step.",
    "search.rate_end": "Evolution strategy: length of its last step.",
    "search.selection": "How parents are chosen.",
    "search.shift": "Roulette: added to every fitness.",
    "search.sigma": "Standard deviation of Gaussian mutation, and of CMA-ES at the start.",
    "search.sigma_end": "Evolution strategy: the last generation's sigma; 0: sigma does not shrink.",
    "search.swap_probability": "Uniform crossover: chance that a gene is exchanged.",
    "search.tournament": "Tournament selection: members drawn for each parent.",
    "searcher": "The algorithm that breeds the next generation.",
    "seat": "The seat that it learns to play.",
    "seating": "Whether seats are drawn or rotate.",
    "second.against": "Whom the second seat meets: population or hall (the other seat's), or policies.",
    "second.mutation_rate": "The second seat's own mutation rate; empty for the common one.",
    "see": "What the rules can see.",
    "seed": "The same seed gives the same run again; empty draws a new one.",
    "stacks": "Stacks in the next hand: reset, kept, or bought again.",
    "structure.dead_button": "Whether the button may stand at an empty seat.",
    "structure.every": "Hands between two increases of the blinds.",
    "structure.growth": "Factor by which the blinds grow.",
    "structure.most_hands": "Hands after which a tournament ends in any case.",
    "structure.seats": "Seats of each table.",
    "structure.until_left": "Players left at which a tournament ends.",
    "tables": "Tournaments, or duplicate tables that are played in every seating.",
    "time_limit": "Seconds that a player may take for a decision.",
    "tournaments": "Tournaments in each generation.",
    "trials": "Trials that are learnt from.",
    "until_certain": "Stop as soon as the order is certain.",
    "variation.line": "Standard deviation of a child's step along the line to a second parent.",
    "variation.sigma": "Largest noise of a child's weights.",
    "widths": "Bits of each number that the rules see.",
}

UNNAMED = {  # by the first word of a key, for tables whose keys differ between kinds
    "parameters": "A parameter of the classifier system; docs/xcs.md explains each.",
    "widths": HELP["widths"],
}


def help_of(key: str) -> str:
    """The line of help of a key, or an empty text."""
    return HELP.get(key) or UNNAMED.get(key.partition(".")[0], "")


def first_of(kind: str, keys: Sequence[str]) -> list[str]:
    """The keys that a form shows first, at most five."""
    named = [key for key in FIRST.get(kind, ()) if key in keys]
    return named or list(keys)[:MOST_FIRST]


def names_of(kind: str, key: str) -> list[str]:
    """The names that a key accepts by the registries; empty where there is no list."""
    from cardwin import evolution
    from cardwin.players.network.forward import ACTIVATIONS
    from cardwin.players.network.inputs import ODDS

    lists: dict[str, Any] = {
        "searcher": evolution.SEARCHERS,
        "population.start": evolution.STARTS,
        "search.selection": evolution.SELECTIONS,
        "search.crossover": evolution.CROSSOVERS,
        "search.mutation": evolution.MUTATIONS,
        "hall.replaces": evolution.REPLACEMENTS,
        "network.activation": ACTIVATIONS,
        "network.odds": ODDS,
    }
    return list(lists.get(key, ())) or suggestions(kind, key)


def suggestions(kind: str, key: str) -> list[str]:
    """Names that a key accepts beside others, such as games, which may have parameters."""
    from cardwin.games import GAMES, SMALL_GAMES
    from cardwin.players.registry import PLAYERS, champions

    small = kind in ("small-game", "xcs-game")
    if key == "game":
        return [name for name in GAMES if (name in SMALL_GAMES) == small]
    if key in ("opponents", "players", "judges", "field.robots", "against", "learner") and not small:
        robots = [name for name, entry in PLAYERS.items() if not entry.needs_file]
        return robots if key in ("field.robots", "learner") else [*robots, *champions()]
    return ["hall", "population"] if key in ("first.against", "second.against") else []
