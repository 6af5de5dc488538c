"""Hands of the small games, played one by one or sampled in batches."""
