"""Cards without a seed: a secret for every block of hands, committed to before it is dealt."""

import numpy as np
import pytest

from cardwin.arena import match as arena
from cardwin.arena.card_secrets import CardSecrets, commitment_of, key_of_secret
from cardwin.arena.match import Match, MatchOptions, match
from cardwin.core.errors import InputError
from cardwin.games.holdem import holdem_game
from cardwin.players.registry import makers_of

NL = holdem_game("holdem-nl", {})
SPECS = ("random", "call", "raise")


def test_a_secret_is_committed_to_before_the_first_deal_and_revealed_after_the_last() -> None:
    seen: list[str] = []
    secrets = CardSecrets(seen.append)
    key = secrets.begin()
    assert len(seen) == 1
    assert secrets.revealed == []
    secrets.end()
    (one,) = secrets.revealed
    secret = bytes.fromhex(one.secret)
    assert (one.commitment, len(secret)) == (seen[0], 32)
    assert (commitment_of(secret), key_of_secret(secret)) == (seen[0], key)
    assert secrets.begin() != key


@pytest.mark.parametrize("duplicate", [False, True])
def test_the_revealed_secrets_deal_the_same_match_again(duplicate: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arena, "BLOCK_HANDS", 64)
    first = CardSecrets()
    played = Match(
        NL, makers_of(SPECS), first, options=MatchOptions(duplicate=duplicate, reduce_variance=not duplicate)
    )
    played.play(200)
    assert len(first.revealed) > 3
    again = Match(
        NL,
        makers_of(SPECS),
        CardSecrets(known=[one.secret for one in first.revealed]),
        options=MatchOptions(duplicate=duplicate, reduce_variance=not duplicate),
    )
    again.play(200)
    assert np.array_equal(played.chips, again.chips)
    assert np.array_equal(played.values, again.values)
    too_few = Match(
        NL, makers_of(SPECS), CardSecrets(known=[first.revealed[0].secret]), options=MatchOptions(duplicate=duplicate)
    )
    with pytest.raises(InputError, match="fewer secrets"):
        too_few.play(200)


def test_no_two_matches_and_no_two_blocks_have_the_same_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arena, "BLOCK_HANDS", 100)
    records = [match(NL, SPECS, 300) for _ in range(3)]
    assert [record.seed for record in records] == [None] * 3
    secrets = [one.secret for record in records for one in record.secrets]
    assert len(set(secrets)) == len(secrets) == 9
    assert len({record.digest for record in records}) == 3


def test_workers_do_not_change_what_secrets_deal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arena, "BLOCK_HANDS", 5_000)
    once = match(NL, SPECS, 12_000)
    known = CardSecrets(known=[one.secret for one in once.secrets])
    again = Match(NL, makers_of(SPECS), known, workers=2)
    again.play(12_000)
    assert np.array_equal(once.chips, again.chips)
