"""What ``verbose=True`` shows while a fit runs: one line that is rewritten, as the program draws it."""
from __future__ import annotations

import math
import sys
from collections.abc import Callable
from typing import Any

Progress = Callable[[str, int, int, float, float], Any]


class Line:
    """Draws progress on standard error, in terminals and in notebooks."""

    def __init__(self) -> None:
        self.width = 0

    def __call__(self, stage: str, updates: int, passes: int, errors: float, seconds: float) -> None:
        text = f"{stage}: "
        if updates > 0 or passes > 0:
            text += f"{updates} updates, {passes} passes, "
        if not math.isnan(errors):
            text += f"best {errors:g} errors, "
        text += f"{seconds:.1f} s"
        sys.stderr.write("\r" + text.ljust(self.width))
        sys.stderr.flush()
        self.width = len(text)

    def end(self) -> None:
        """Removes the line."""
        if self.width:
            sys.stderr.write("\r" + " " * self.width + "\r")
            sys.stderr.flush()


def listener(verbose: Any) -> Progress | None:
    """The callback for a value of ``verbose``: nothing, the line, or a function of the user."""
    if callable(verbose):
        return verbose  # type: ignore[no-any-return]
    return Line() if verbose else None
