"""Lookup tables: how each is built, where it is stored, how it is checked."""
