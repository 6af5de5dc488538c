"""Exact best responses in heads-up limit hold'em to players who do not look at their cards."""
