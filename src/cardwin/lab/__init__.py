"""Experiments, run folders, reports and papers: the room where the others meet for a run."""
