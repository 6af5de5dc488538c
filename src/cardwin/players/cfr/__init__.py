"""Blueprints: heads-up strategies from counterfactual regret minimisation on buckets of holdings."""
