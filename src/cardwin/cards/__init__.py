"""Cards, hand ranks and win odds."""
