"""Dealing: matches, duplicate tables, cash games, tournaments, interactive tables."""
