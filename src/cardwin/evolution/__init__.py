"""Genomes in, genomes out."""
