"""Studies of Morsomme (2019): the mutation load."""

from pathlib import Path

from cardwin.papers import Context
from cardwin.papers.morsomme import hands
from cardwin.papers.sample import Spread
from morsomme_mutation_load import bluff_rates, mutation_load


def test_where_every_bluff_is_called_only_mutation_bets() -> None:
    game = hands.one_card_game("onecard")
    load = bluff_rates(game, 1, 60, 0.05, always_called=True)[0]
    evolved = bluff_rates(game, 1, 60, 0.05, always_called=False)[0]
    assert 0.01 < load < 0.1
    assert evolved > 2 * load
    assert bluff_rates(game, 1, 60, 0.2, always_called=True)[0] > 2 * load


def test_the_question_is_answered(tmp_path: Path) -> None:
    found = {one.name: one for one in mutation_load(Context(tmp_path, "seconds", 11, 1, "mutation-load"))}
    answer = found["onecard-10: bets on the lowest card beyond the mutation load"].measured
    assert isinstance(answer, Spread)
    assert answer.ci95 is not None
    assert answer.ci95[0] > 0.5
    assert (tmp_path / "pictures" / "bluffs-and-mutation-load.png").exists()
