"""Fit."""

import numpy as np

CORRECTIONS = np.zeros((3, 10, 6))
