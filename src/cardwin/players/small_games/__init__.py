"""Policies of the small games: named models, files, and players made from them."""
