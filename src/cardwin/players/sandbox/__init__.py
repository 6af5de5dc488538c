"""Untrusted players in processes of their own."""
