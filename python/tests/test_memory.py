"""What is copied, what is held, what is left behind."""
import gc
import resource
import sys
import tracemalloc

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

import linpred
from linpred import LinearRegression, LogisticRegression, Perceptron

ROWS, COLUMNS = 200_000, 20
BYTES = ROWS * COLUMNS * 8


@pytest.fixture(scope="module")
def large():
    random = np.random.default_rng(0)
    X = random.normal(size=(ROWS, COLUMNS))
    return X, X[:, 0] - X[:, 1] + random.normal(size=ROWS)


def allocated(call):
    """The most bytes that Python and NumPy held at once during a call, beyond those before it."""
    gc.collect()
    tracemalloc.start()
    try:
        call()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_c_order_rows_are_not_copied(large):
    X, y = large
    few = BYTES / 3  # targets and scores, no rows
    frame = pd.DataFrame(X, columns=[f"c{j}" for j in range(COLUMNS)])
    model = LinearRegression()
    assert allocated(lambda: model.fit(X, y)) < few
    assert allocated(lambda: model.predict(X)) < few
    assert allocated(lambda: model.fit(X[:, : COLUMNS // 2], y)) < few  # rows of a slice are a stride apart
    assert allocated(lambda: model.fit(frame, y)) < few
    assert allocated(lambda: Perceptron(max_iter=2).fit(X, y > 0)) < few
    assert allocated(lambda: model.fit(np.asfortranarray(X), y)) >= BYTES  # once, by NumPy


def test_sparse_values_and_indices_are_not_copied(large):
    X, y = large
    rows = sparse.random(ROWS, 200, density=0.05, format="csr", random_state=0)
    assert allocated(lambda: LinearRegression().fit(rows, y)) < rows.data.nbytes / 2


def test_library_makes_no_copy_either(large):
    X, y = large
    LinearRegression().fit(X[:1000], y[:1000])
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    LinearRegression().fit(X, y)
    assert (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024 < BYTES


def test_arrays_are_released(large):
    X, y = large[0][:50].copy(), large[1][:50].copy()
    before = sys.getrefcount(X), sys.getrefcount(y)
    model = LinearRegression().fit(X, y)
    model.predict(X)
    model.verify(X, y)
    with pytest.raises(ValueError):
        LinearRegression().fit(np.where(X > 2, np.nan, X), y)
    assert (sys.getrefcount(X), sys.getrefcount(y)) == before
    X.resize((25, COLUMNS), refcheck=True)  # NumPy refuses where a buffer is still borrowed


def test_ten_thousand_fits_leave_nothing(noisy):
    X, y, target = noisy
    X, y, target = X[:20].copy(), y[:20], target[:20]
    core = linpred._core
    called = (["a", "b", "c"], "y", "no", "yes")

    def once():
        data = core.data_from_arrays(X, target, None, (called[0], "y", None, None))
        result = core.fit(data, {"task": "regression"}, None)
        core.verify(result, data, 1)
        result.claims(), result.info(), result.figures(), result.table(), data.notes(), data.shape()
        labelled = core.data_from_arrays(X, y * 2.0 - 1.0, None, called)
        core.separation(labelled, {}, None).claims()
        with pytest.raises(ValueError):
            core.fit(data, {"task": "nothing"}, None)
        with pytest.raises(ValueError):
            core.data_from_arrays(X, target[:3].copy(), None, called)
        table = [("c", target, None), ("t", (y * 1.0), ["a", "b"]), ("z", target, None)]
        core.data_from_table("X", 20, table, {"task": "regression"}, None, True)

    def held():
        gc.collect()
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, len(gc.get_objects()), sys.getallocatedblocks()

    for _ in range(500):
        once()
    bytes_before, objects_before, blocks_before = held()
    for _ in range(10_000):
        once()
    bytes_after, objects_after, blocks_after = held()
    assert objects_after - objects_before < 100 and blocks_after - blocks_before < 1000
    assert (bytes_after - bytes_before) * 1024 < 4e6


def test_float32_is_converted_once(large):
    X, y = large
    narrow = X.astype(np.float32)
    assert BYTES <= allocated(lambda: LinearRegression().fit(narrow, y)) < 2 * BYTES
    assert LogisticRegression(0.01, proof=False).fit(narrow, y > 0).coef_.dtype == np.float64
