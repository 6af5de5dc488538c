"""Untrusted players in processes of their own, behind walls of the operating system (see `walls`)."""
