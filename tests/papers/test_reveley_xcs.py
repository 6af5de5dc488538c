"""Reveley's classifier system in small: marks follow from a rule, trials repeat, stand-ins guess better by and by."""

from pathlib import Path

import numpy as np
import pytest

from cardwin.arena.hand_history import played_history
from cardwin.arena.live_table import LiveTable
from cardwin.arena.match import play_match
from cardwin.core.errors import InputError
from cardwin.core.rng import key_of
from cardwin.games.formats.phh import phh_text
from cardwin.games.holdem.events import Event
from cardwin.papers import Context
from cardwin.papers.reveley import arithmetic, classifier
from cardwin.papers.reveley.claims import claim, question
from cardwin.papers.reveley.small_network import evolved_network
from cardwin.papers.reveley.stand_in import accuracy, most_common, recorded
from cardwin.papers.reveley.trials import LIMIT, Trained, Trial, run_all
from cardwin.papers.verdicts import Verdict
from cardwin.players.nearest_neighbour.player import DISTANCES
from cardwin.players.registry import player
from cardwin.players.xcs.training.holdem import won_by_deal
from cardwin.stats.intervals import mean_interval
from guessing import predicted


def test_a_claim_is_marked_by_the_interval_over_its_pairs() -> None:
    name = "all four changes, minus plain"
    one = claim("2.3", name, "said", [1.0])
    assert (one.verdict, one.needed) == (Verdict.CANNOT_TELL, 2)
    assert claim("2.3", name, "said", [1.0, 1.1, 0.9]).verdict == Verdict.AGREES
    assert claim("2.3", name, "said", [-0.01, 0.01, 0.0]).verdict == Verdict.NO_DIFFERENCE
    assert claim("2.3", name, "said", [-1.0, -1.1, -0.9]).verdict == Verdict.WRONG_SIGN
    assert question("2.3", "any", "asked", [1.0, 1.1, 0.9]).verdict is None


def test_printed_counts_are_right_but_one_and_printed_formulas_are_not(tmp_path: Path) -> None:
    found = list(arithmetic.experiments(Context(tmp_path, "seconds", 1)))
    wrong = {one.name: one.verdict for one in found if one.verdict != Verdict.AGREES}
    assert wrong == {
        "holdings of an opponent, 52 choose 2": Verdict.MISCALCULATED,
        "hand strength as printed lies between 0 and 1": Verdict.DIFFERS,
        "re-weighting factor at the threshold, by the printed line": Verdict.MISCALCULATED,
        "accuracy as printed falls with the error": Verdict.DIFFERS,
        "actions before payoff, at least": Verdict.DIFFERS,
    }


def test_a_trial_is_the_same_on_any_number_of_workers() -> None:
    trials = [Trial("xcs:N=200,see=hs+round", ("random",), 400, seed, (("call",),), 10) for seed in (1, 2)]
    one, two = run_all(trials, 1), run_all(trials, 2)
    for a, b in zip(one, two, strict=True):
        assert (a.won[0] == b.won[0]).all()
        assert (a.curve == b.curve).all()
        assert 0 < a.general == b.general < 1
    assert (one[0].won[0] != one[1].won[0]).any()


def test_the_ablation_names_every_version_and_opponent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With trials made up, in which plain wins 1 and every change .5 more: what is said follows from them."""

    def made_up(trials: list[Trial], workers: int) -> list[Trained]:  # noqa: ARG001
        value = {spec: 1.0 + 0.5 * (name != "plain") for name, spec in classifier.VERSIONS.items()}
        return [
            Trained(tuple(np.full(4, value.get(one.spec, 0.0) + one.seed % 7 / 1000) for _ in one.judges),
                    np.zeros(4), 9, 0.9 if one.spec == classifier.LITERATURE else 0.3 + one.seed % 7 / 1000)
            for one in trials
        ]  # fmt: skip

    monkeypatch.setattr(classifier, "run_all", made_up)
    context = Context(tmp_path, "minutes", 1, 1, "changes")
    found = {one.name: one for one in classifier.changes(context)}
    assert found["register: alone, minus plain"].measured == pytest.approx(0.5)
    assert found["register: alone, minus plain"].verdict is None
    assert found["two predictions: alone, minus plain"].verdict == Verdict.AGREES
    assert found["two predictions: all four minus all but these"].verdict == Verdict.NO_DIFFERENCE
    assert found["XCS learns poker: what it wins of Caller"].measured == pytest.approx(1.5, abs=0.01)
    table = context.parts[0]
    assert [row[0] for row in table.rows] == [*classifier.VERSIONS, "literature's settings"]  # type: ignore[union-attr]
    assert (tmp_path / "pictures" / "xcs-curves.png").is_file()


@pytest.mark.slow  # three quarters of a minute, most of it compiling
def test_a_small_network_is_evolved_to_beat_caller() -> None:
    make = evolved_network(LIMIT, "call", 30_000, 1)
    assert mean_interval(won_by_deal(LIMIT, make, ["call"], 300, key_of(1))).low > 0.2


def test_a_stand_in_guesses_better_with_more_hands_and_than_the_most_common_action() -> None:
    known, unseen = recorded("standard", 300, 1), recorded("standard", 100, 2)
    for distance in DISTANCES:
        few, many = (accuracy(known.first(hands), unseen, distance).mean() for hands in (10, 300))
        assert many > few
        assert many > most_common(known, unseen)
        assert accuracy(known, known, distance).mean() > 0.99  # itself is nearest


def test_recorded_players_are_guessed_from_files() -> None:
    texts: list[str] = []

    def keep(number: int, table: LiveTable, record: list[Event]) -> None:
        texts.append(phh_text(played_history(table, record, [("Ann", "Bob")[who] for who in table.who]), number + 1))

    play_match(LIMIT, [player("standard"), player("call-or-raise")], 60, key_of(3), on_hand=keep)
    rows = predicted(["\n".join(texts)], "Ann")
    assert [row["hands known"] for row in rows] == [48]
    assert set(DISTANCES) < set(rows[0])
    with pytest.raises(InputError, match="'Cid'"):
        predicted(["\n".join(texts)], "Cid")
    with pytest.raises(InputError, match=r"five|5"):
        predicted(["\n".join(texts[:3])], "Ann")
