"""Cardwin: poker strategies evolved, learned and solved, and then judged honestly."""

__version__ = "0.1.0"
