"""Sealed keys: the hash is the known one, and the attack that undoes plain children finds nothing."""

import subprocess
import sys

import pytest

from cardwin.core.rng import bits_at, child, prf, siphash
from support import grandparents, parents

MASK = 2**64 - 1


def test_the_hash_is_pythons_own() -> None:
    """With a seed of zero Python hashes bytes by the same function under a secret of zeros."""
    words = [0, 1, 2**63 - 1, 0x0706_0504_0302_0100]
    code = f"import sys; print(sys.hash_info.algorithm, *(hash(w.to_bytes(8, 'little')) for w in {words}))"
    with_report = subprocess.run(
        [sys.executable, "-c", code], env={"PYTHONHASHSEED": "0"}, capture_output=True, check=True
    )
    algorithm, *hashes = with_report.stdout.decode().split()
    if algorithm != "siphash13":
        pytest.fail(f"this Python hashes by {algorithm}: compare with another implementation")
    assert [int(each) & MASK for each in hashes] == [int(siphash(0, 0, word)) & MASK for word in words]


def test_the_attack_undoes_a_plain_child_but_no_sealed_one() -> None:
    for secret in (1, 12345, 2**62 + 99):
        for seat in range(10):
            assert bits_at(parents(bits_at(secret, seat), seat)[0], seat) == bits_at(secret, seat)
            assert secret in grandparents(child(secret, 1 + seat), 1 + seat)
            shown = prf(secret, 1 + seat)
            assert secret not in grandparents(shown, 1 + seat)
            assert secret not in parents(shown, 1 + seat)


def test_sealed_children_differ_in_half_their_bits() -> None:
    keys = [prf(7, number) for number in range(2000)]
    assert len(set(keys)) == 2000
    assert all(0 <= key < 2**63 for key in keys)
    flips = [bin(prf(7, number) ^ prf(7 ^ (1 << (number % 60)), number)).count("1") for number in range(2000)]
    assert 31 < sum(flips) / len(flips) < 32
