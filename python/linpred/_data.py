"""Data that the library has read from a file."""
from __future__ import annotations

import os
import warnings
from typing import TYPE_CHECKING, Any

from . import _core
from ._errors import InputError, in_python

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd


class DataWarning(UserWarning):
    """What is probably not meant, though the data can be read."""


class Data:
    """Rows of a file, as :func:`linpred.read` gives them. Estimators take them without a copy.

    Attributes
    ----------
    shape : tuple of int
        Rows and features.
    features : list of str
        The names of the features; a text column gives one for each level but the first.
    target : str
        The name of the column of labels or targets.
    classes : list of str or None
        The labels -1 and +1; None for a regression.
    notes : list of str
        How features and labels are made.
    """

    def __init__(self, core: _core.Data, path: str, degree: int = 1):
        self._core = core
        self.degree = degree
        self.path = path
        counts = core.shape()
        self.shape: tuple[int, int] = (counts["rows"], counts["columns"])
        self.rows_in_file: int = counts["rows_in_file"]
        self.target, negative, positive = core.names()
        self.classes = None if positive is None else [str(negative), positive]

    @property
    def features(self) -> list[str]:
        return self._core.features()

    @property
    def notes(self) -> list[str]:
        return [in_python(note[1]) for note in self._core.notes()]

    @property
    def task(self) -> str:
        """``'classification'`` or ``'regression'``: what the rows were read for."""
        return "regression" if self.classes is None else "classification"

    def __len__(self) -> int:
        return self.shape[0]

    def __repr__(self) -> str:
        return f"<linpred.Data {self.path!r}: {self.shape[0]} rows, {self.shape[1]} features, for {self.task}>"

    def _arrays(self) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any], np.ndarray[Any, Any]]:
        import numpy as np

        values = np.empty(self.shape)
        labels = np.empty(self.shape[0])
        rows = np.empty(self.shape[0], dtype=np.int64)
        self._core.fill(values, labels, rows)
        return values, labels, rows

    def labels(self) -> np.ndarray[Any, Any]:
        """The labels or targets, one for each row."""
        import numpy as np

        labels = self._arrays()[1]
        if self.classes is None:
            return labels
        return np.asarray(np.asarray(typed_labels(self.classes))[(labels > 0).astype(int)])

    def to_numpy(self) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
        """Features and labels (or targets) as new arrays."""
        return self._arrays()[0], self.labels()

    def to_pandas(self) -> pd.DataFrame:
        """A frame with the features and, last, the labels or targets; its index is the row of the file, from 0."""
        import pandas as pd

        values, _, rows = self._arrays()
        frame = pd.DataFrame(values, columns=self.features, index=rows - 1)
        frame[self.target] = self.labels()
        return frame


def typed_labels(texts: list[str]) -> list[Any]:
    """Labels as numbers if both are written as numbers, else as texts."""
    for kind in (int, float):
        try:
            return [kind(text) for text in texts]
        except ValueError:
            continue
    return list(texts)


def read(
    path: str | os.PathLike[str],
    *,
    target: str | None = None,
    task: str | None = None,
    positive: str | None = None,
    features: list[str] | None = None,
    drop: list[str] | None = None,
    weights: str | None = None,
    missing: str = "fail",
    degree: int = 1,
    like: Any = None,
    n_jobs: int | None = None,
    **reading: Any,
) -> Data:
    """Read a data file with linpred's own reader.

    Parameters
    ----------
    path : str or path
        CSV, TSV, Parquet, SQLite, LIBSVM or npy, perhaps compressed (.gz, .zst).
    target : str, optional
        The column of labels or targets; by default the last.
    task : {'classification', 'regression'}, optional
        What the target is. By default it is tried as two labels, then as numbers, which reads a file of targets twice.
    positive : str, optional
        The label that counts as +1; by default the larger in sorted order. Of more than two labels it is taken against
        the rest.
    features, drop : list of str, optional
        Use only these columns; leave these out.
    weights : str, optional
        The column of row weights.
    missing : {'fail', 'drop', 'mean'}
        What to do about missing values: stop, leave the row out, or take the column's mean.
    degree : int, default=1
        For a regression on powers of the columns up to this one.
    like : estimator, optional
        A fitted model: the file is read by its recipe, as new rows of the same kind. The target may be absent.
    n_jobs : int, optional
        Threads; None or -1: one for each processor.
    **reading
        Other options of ``linpred fit --help`` about reading, such as ``separator=';'``, ``na='-99'``, ``date='when'``,
        ``table='visits'``.

    Returns
    -------
    Data

    Examples
    --------
    >>> import linpred
    >>> data = linpred.read("examples/data/cars.csv", target="dist", task="regression")
    >>> data
    <linpred.Data 'examples/data/cars.csv': 50 rows, 1 features, for regression>
    >>> linpred.LinearRegression().fit(data).coef_.round(3)
    array([3.932])
    """
    name = os.fspath(path)
    options = {key.replace("_", "-"): _text(value) for key, value in reading.items() if value is not None}
    for key, value in (("target", target), ("positive", positive), ("weights", weights)):
        if value is not None:
            options[key] = str(value)
    from ._rows import listed

    for key, names in (("features", features), ("drop", drop)):
        if names is not None:
            options[key] = listed(list(names))
    if missing != "fail" or like is not None and "missing" in options:
        options["missing"] = missing
    options["threads"] = threads(n_jobs)
    if degree != 1:
        options["degree"] = str(degree)
    if like is not None:
        made = _load_like(name, options, like)
    elif task is None:
        try:
            made = _core.data_load(name, {**options, "task": "halfspace"}, None, True)
        except InputError as error:
            if "more than two values" not in str(error):
                raise
            try:
                made = _core.data_load(name, {**options, "task": "regression"}, None, True)
            except InputError:
                raise error from None
    elif task in ("classification", "regression"):
        kind = "halfspace" if task == "classification" else "regression"
        made = _core.data_load(name, {**options, "task": kind}, None, True)
    else:
        raise ValueError(f"task must be 'classification' or 'regression', not {task!r}")
    for _, sentence, *_ in made.warnings():
        warnings.warn(in_python(sentence), DataWarning, stacklevel=2)
    return Data(made, name, degree)


def _load_like(name: str, options: dict[str, str], like: Any) -> _core.Data:
    """With labels if the file has them."""
    result = like._result
    try:
        return _core.data_load(name, options, result, True)
    except InputError as error:
        if "of the model" not in str(error):
            raise
        return _core.data_load(name, options, result, False)


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (list, tuple)):
        from ._rows import listed

        return listed([str(item) for item in value])
    return repr(value) if isinstance(value, float) else str(value)


def threads(n_jobs: int | None) -> str:
    """The option for a value of n_jobs; 0 is one thread for each processor."""
    return "0" if n_jobs is None or n_jobs < 0 else str(n_jobs)
