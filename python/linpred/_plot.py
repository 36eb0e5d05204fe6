"""Pictures of models over rows, drawn by the program ``linpred``."""
from __future__ import annotations

import csv
import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from typing import Any

from sklearn.utils.validation import check_is_fitted

from . import _rows
from ._data import Data, _text
from ._errors import in_python


class Picture:
    """A picture as SVG; a notebook shows it.

    Attributes
    ----------
    svg : str
        The picture.
    """

    def __init__(self, svg: str):
        self.svg = svg

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return f"<linpred.Picture: SVG of {len(self.svg)} characters>"

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the SVG to a file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.svg)


def find_program() -> str:
    """The program: $LINPRED_PROGRAM, the one of the build that holds this package, or the one on the PATH."""
    beside = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), "linpred")
    given = os.environ.get("LINPRED_PROGRAM")
    found = given or (beside if os.path.isfile(beside) and os.access(beside, os.X_OK) else shutil.which("linpred"))
    if not found:
        raise FileNotFoundError(
            "pictures are drawn by the program linpred, which is not found: put it on the PATH, or name it in "
            "LINPRED_PROGRAM"
        )
    return found


def _write_rows(path: str, model: Any, X: Any, y: Any, sample_weight: Any) -> None:
    info = model._result.info()
    names: Sequence[str] | None = getattr(model, "feature_names_in_", None)
    if not _rows.is_frame(X) and names is None:
        names = [f"x{j + 1}" for j in range(len(X[0]))]
    rows = X.itertuples(index=False) if _rows.is_frame(X) else X
    head = [*(names if names is not None else X.columns), info["target"]]
    ends = [list(y)]
    if info["weights"] is not None and sample_weight is not None:
        head.append(info["weights"])
        ends.append(list(sample_weight))
    with open(path, "w", encoding="utf-8", newline="") as file:
        out = csv.writer(file)
        out.writerow(head)
        for row, end in zip(rows, zip(*ends)):
            out.writerow([*(_cell(value) for value in row), *(_cell(value) for value in end)])


def _cell(value: Any) -> Any:
    return "" if value is None or value != value else repr(float(value)) if isinstance(value, float) else value


def plot(
    model: Any, X: Any, y: Any = None, sample_weight: Any = None, *, kind: str | None = None, **options: Any
) -> Picture:
    """Draw a fitted model over rows.

    Parameters
    ----------
    model : estimator
        A fitted model.
    X, y, sample_weight
        The rows with their labels or targets, as of ``fit``.
    kind : str, optional
        What to show, such as ``'fit'``, ``'residuals'``, ``'qq'``, ``'leverage'``, ``'coefficients'``, ``'roc'``,
        ``'calibration'``; ``linpred plot --help`` lists them.
    **options
        Other options of ``linpred plot``, such as ``axes=['a', 'b']``, ``project=True``, ``theme='dark'``.

    Returns
    -------
    Picture

    Examples
    --------
    >>> import linpred
    >>> data = linpred.read("examples/data/cars.csv", target="dist", task="regression")
    >>> linpred.plot(linpred.LinearRegression().fit(data), data)
    <linpred.Picture: SVG of ... characters>
    """
    check_is_fitted(model)
    with tempfile.TemporaryDirectory() as folder:
        saved, rows = os.path.join(folder, "model.json"), os.path.join(folder, "rows.csv")
        model.save(saved)
        if isinstance(X, Data):
            rows = X.path
        else:
            _write_rows(rows, model, X, y, sample_weight)
        command = [find_program(), "plot", saved, rows]
        asked: dict[str, Any] = {"kind": kind, **options}
        for name, value in asked.items():
            if value is True:
                command.append(f"--{name.replace('_', '-')}")
            elif value is not None and value is not False:
                command += [f"--{name.replace('_', '-')}", _text(value)]
        done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
    if done.returncode != 0 or not done.stdout:
        raise ValueError(in_python(done.stderr.strip().removeprefix("linpred: ")))
    return Picture(done.stdout)
