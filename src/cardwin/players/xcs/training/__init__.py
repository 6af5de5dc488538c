"""Training of classifier systems, as runs: problems with known answers, small games, hold'em."""
