"""Secrets of the cards. Without a seed every block of hands has one, committed to before its first deal.

1. `begin` draws a secret of 32 bytes from the operating system and publishes its commitment, a hash. Only then is the
   key of the block's cards and decisions derived, by another hash.
2. `end` reveals the secret: anybody with the commitment can deal the block again and compare.

A block that was committed to and never revealed was not finished. It does not count, and the hands that replace it
have a new secret.
"""

import hashlib
import secrets
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from cardwin.core.errors import InputError

BYTES = 32


@dataclass(frozen=True, slots=True)
class Revealed:
    """The secret of a block that has been played, in hexadecimal digits, and the commitment made before."""

    commitment: str
    secret: str


def commitment_of(secret: bytes) -> str:
    """Return the hash that is published before a block is dealt."""
    return hashlib.sha256(b"cardwin commitment\0" + secret).hexdigest()


def key_of_secret(secret: bytes) -> int:
    """Return the key of a block's cards and decisions."""
    return int.from_bytes(hashlib.blake2b(secret, digest_size=8, person=b"cardwin cards").digest()) >> 1


def commitment_to_all(commitments: Iterable[str]) -> str:
    """Return one hash of the commitments of all blocks, in their order."""
    return hashlib.sha256("\n".join(commitments).encode()).hexdigest()


class CardSecrets:
    """Draws the secrets of blocks. `commit` receives every commitment, `known` are secrets to use again instead."""

    def __init__(self, commit: Callable[[str], object] = str, known: Iterable[str] | None = None) -> None:
        self._commit = commit
        self._known = None if known is None else iter(known)
        self._secret = b""
        self.revealed: list[Revealed] = []

    def begin(self) -> int:
        """Commit to the secret of a new block, and return the block's key."""
        self._secret = secrets.token_bytes(BYTES) if self._known is None else self._next_known()
        self._commit(commitment_of(self._secret))
        return key_of_secret(self._secret)

    def _next_known(self) -> bytes:
        for secret in self._known or ():
            try:
                return bytes.fromhex(secret)
            except ValueError:
                raise InputError(f"expected a secret of 64 hexadecimal digits, got {secret[:16]}…") from None
        raise InputError("there are fewer secrets than blocks of hands")

    def end(self) -> None:
        """Reveal the secret of the block that has been played."""
        self.revealed.append(Revealed(commitment_of(self._secret), self._secret.hex()))
        self._secret = b""

    def take_revealed(self) -> list[Revealed]:
        """Return the secrets revealed since the last call."""
        taken, self.revealed = self.revealed, []
        return taken
