"""Runs: experiments, folders, checkpoints, and the trainers that they drive."""
