"""Experiments, run folders, reports and papers."""
