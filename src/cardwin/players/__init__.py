"""A view in, an action out."""
