"""Ratings from results: OpenSkill's Plackett-Luce model (Weng and Lin 2011), for games of any number of players."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rating:
    """A skill and its uncertainty; players are ranked by `ordinal`, three standard deviations below."""

    mu: float
    sigma: float

    @property
    def ordinal(self) -> float:
        """A lower bound of the skill."""
        return self.mu - 3 * self.sigma


@dataclass(frozen=True, slots=True)
class Meeting:
    """One game: its players and their scores; more is better."""

    players: tuple[int, ...]
    scores: tuple[float, ...]


def ratings(meetings: Iterable[Meeting], players: int) -> list[Rating]:
    """The ratings of all players after all games, in their order."""
    from openskill.models import PlackettLuce

    model = PlackettLuce()
    skills = [model.rating() for _ in range(players)]
    for meeting in meetings:
        teams = [[skills[player]] for player in meeting.players]
        for player, team in zip(meeting.players, model.rate(teams, scores=list(meeting.scores)), strict=True):
            skills[player] = team[0]
    return [Rating(float(skill.mu), float(skill.sigma)) for skill in skills]
