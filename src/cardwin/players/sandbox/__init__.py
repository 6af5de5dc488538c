"""Untrusted players in separate processes."""
