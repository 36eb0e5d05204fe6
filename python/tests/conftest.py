import os

import numpy as np
import pytest

TREE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


@pytest.fixture
def tree():
    """The source tree, for the files of examples/data."""
    return TREE


@pytest.fixture
def noisy():
    """Two classes that overlap, and a target."""
    random = np.random.default_rng(7)
    X = random.normal(size=(200, 3))
    target = X @ [1.0, -2.0, 0.5] + random.normal(size=200)
    return X, (target > 0.2).astype(int), target
