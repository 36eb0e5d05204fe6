"""From what users have to rows that the library reads: arrays, sparse matrices, frames, data objects.

C-order arrays of doubles, frames made from them, and the values and indices of CSR matrices are borrowed. Anything else
is converted once. Frames with text, categories, dates or missing values become a table, which the library encodes as
it encodes a file.
"""
from __future__ import annotations

from typing import Any

import numpy as np

from . import _core
from ._errors import InputError

# What people call it: names of the columns, of the target, of the labels -1 and +1.
Called = tuple[list[str] | None, str | None, str | None, str | None]


def is_frame(X: Any) -> bool:
    """Whether X is a data frame of pandas."""
    return hasattr(X, "columns") and hasattr(X, "dtypes") and hasattr(X, "iloc")


def is_plain(X: Any) -> bool:
    """Whether the columns of a frame are all numbers that NumPy knows, so that it is an array with names."""
    return all(isinstance(kind, np.dtype) and kind.kind in "biuf" for kind in X.dtypes)


def names_of(X: Any) -> list[str] | None:
    """The names of the columns of a frame; None for an array, or if the names are not all texts that differ."""
    if not is_frame(X):
        return None
    names = list(X.columns)
    usual = all(isinstance(name, str) and name.strip() == name and name and "\0" not in name for name in names)
    return names if usual and len(set(names)) == len(names) else None


def side_by_side(X: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The same rows with the values of each row side by side; a copy only if they are not yet."""
    rows, columns = X.shape
    if X.dtype == np.float64 and columns > 0 and (columns == 1 or X.strides[1] == 8):
        if rows == 1 or (X.strides[0] >= 8 * columns and X.strides[0] % 8 == 0):
            return X
    return np.ascontiguousarray(X, dtype=np.float64)


def vector(values: Any) -> np.ndarray[Any, Any]:
    """An array of doubles, one after the other."""
    return np.ascontiguousarray(values, dtype=np.float64)


def from_matrix(X: Any, y: Any, weights: Any, called: Called) -> _core.Data:
    """Rows of an array or a sparse matrix that scikit-learn has checked."""
    if hasattr(X, "indptr"):
        if not X.has_canonical_format:
            X = X.copy()
            X.sum_duplicates()
        indices = np.ascontiguousarray(X.indices, dtype=np.int32)
        start = np.ascontiguousarray(X.indptr, dtype=np.int64)
        return _core.data_from_sparse(vector(X.data), indices, start, X.shape[1], y, weights, called)
    return _core.data_from_arrays(side_by_side(X), y, weights, called)


# ---- tables ----------------------------------------------------------------------------------------------------------

Column = tuple[str, "np.ndarray[Any, Any]", "list[str] | None"]


def _text_column(name: str, values: Any) -> Column:
    """A column of texts or categories, as indices of its levels."""
    import pandas as pd

    if not isinstance(values.dtype, pd.CategoricalDtype):
        wrong = next((v for v in values if not isinstance(v, (str, bool, np.bool_)) and not pd.isna(v)), None)
        if wrong is not None:
            raise InputError(
                f"X: column '{name}' holds {wrong!r}, which is neither text nor a number; convert the column first"
            )
        values = values.astype("category")
    codes = values.cat.codes.to_numpy().astype(np.float64)
    codes[codes < 0] = np.nan
    levels = [level if isinstance(level, str) else str(level) for level in values.cat.categories]
    return name, codes, levels


def column_of(name: str, values: Any) -> tuple[Column, bool]:
    """A column of a frame, and whether it holds dates, which are days since 1970-01-01."""
    import pandas as pd

    kind = values.dtype
    if isinstance(kind, np.dtype) and kind.kind in "biuf":
        return (name, np.asarray(values, dtype=np.float64), None), False
    if pd.api.types.is_datetime64_any_dtype(kind):
        if getattr(kind, "tz", None) is not None:
            values = values.dt.tz_convert("UTC").dt.tz_localize(None)
        days = (values - pd.Timestamp(1970, 1, 1)) / pd.Timedelta(days=1)
        return (name, days.to_numpy(dtype=np.float64), None), True
    if pd.api.types.is_numeric_dtype(kind) and not isinstance(kind, pd.CategoricalDtype):
        return (name, values.to_numpy(dtype=np.float64, na_value=np.nan), None), False
    if kind == object and all(isinstance(v, (int, float)) or pd.isna(v) for v in values):
        return (name, values.astype(np.float64).to_numpy(), None), False
    return _text_column(name, values), False


def columns_of(X: Any) -> tuple[list[Column], list[str]]:
    """The columns of a frame or an array as a table, and the names of those that hold dates."""
    if not is_frame(X):
        X = np.asarray(X, dtype=np.float64)
        return [(f"x{j + 1}", X[:, j], None) for j in range(X.shape[1])], []
    names = [name if isinstance(name, str) else str(name) for name in X.columns]
    made = [column_of(name, X.iloc[:, j]) for j, name in enumerate(names)]
    return [column for column, _ in made], [column[0] for column, dates in made if dates]


def free_name(columns: list[Column], wanted: str) -> str:
    """A name that no column has yet."""
    taken = {name for name, _, _ in columns}
    while wanted in taken:
        wanted += "_"
    return wanted


def listed(names: list[str]) -> str:
    """Names as a list for an option; a comma inside a name is written twice."""
    return ",".join(name.replace(",", ",,") for name in names)
