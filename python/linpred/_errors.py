"""What goes wrong, as exceptions that users of scikit-learn expect."""
from __future__ import annotations

import os
import re

__all__ = ["InputError", "InternalError", "Refuted", "NoMinimiser"]


class InputError(ValueError):
    """The data, a model or a parameter cannot be used as it is.

    Attributes
    ----------
    line : int
        The 1-based line of the file, or row of the array; 0 if it is not known.
    column : int
        The 1-based column; 0 if it is not known.
    """

    line = 0
    column = 0


class InternalError(RuntimeError):
    """A fault of linpred itself; please report it."""


class Refuted(InternalError):
    """A fit whose own check refutes what it claims. No model is made of it."""


class NoMinimiser(ValueError):
    """The logistic loss has no minimum on these rows, and ``no_minimiser='raise'`` was asked for.

    Attributes
    ----------
    direction : dict
        An integer for each column, by name, the intercept last: along it the loss falls for ever.
    """

    direction: dict[str, int] = {}


# Parameters that have another name, or other values, in Python than on the command line.
_PARAMETERS = {
    "class-weights": "class_weight",
    "max-passes": "max_iter",
    "weights": "sample_weight",
    "no-intercept": "fit_intercept",
    "threads": "n_jobs",
    "seed": "random_state",
    "t": "target",
}


def in_python(message: str) -> str:
    """The library's sentence, with its flags as parameters: ``--missing drop`` becomes ``missing='drop'``."""

    def parameter(found: re.Match[str]) -> str:
        name = _PARAMETERS.get(found[1], found[1].replace("-", "_"))
        if name in ("missing", "unknown_level", "method") and found[2]:
            return f"{name}='{found[2]}'"
        return name + (f" {found[2]}" if found[2] else "")

    return re.sub(r"(?<![\w-])--?([a-z][a-z0-9-]*)(?: (drop|mean|fail|zero|exact|newton))?", parameter, message)


def make(status: str, message: str, line: int, column: int) -> Exception:
    """The exception for a status of the library; called by the extension."""
    sentence = in_python(message)
    if status == "ERROR_MEMORY":
        return MemoryError(sentence)
    if status == "ERROR_INTERNAL":
        return InternalError(sentence)
    if status == "ERROR_FILE":
        path = message.split(": ", 1)[0]
        return OSError(sentence) if os.path.exists(path) else FileNotFoundError(sentence)
    if sentence.endswith("is not a finite number"):
        sentence += ": it is NaN or infinity (inf); missing='drop' or 'mean' accepts NaN"
    error = InputError(sentence)
    error.line, error.column = line, column
    return error
