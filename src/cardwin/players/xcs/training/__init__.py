"""Classifier systems in training, as runs: problems with known answers, small games with exact ones."""
