"""A fitted model as people read it: the table that the program prints, and the same for notebooks."""
from __future__ import annotations

import math
from typing import Any

from ._html import model_html

_FACTS = (  # figure, what it is called, for which the rest follows
    ("objective", "objective"),
    ("errors", "errors"),
    ("lower_bound", "lower bound"),
    ("margin", "margin"),
    ("mean_absolute_error", "mean abs. error"),
    ("r_squared", "R²"),
    ("residual_sd", "residual sd"),
    ("degrees_of_freedom", "deg. of freedom"),
    ("f_statistic", "F"),
    ("f_p_value", "p of F"),
    ("deviance", "deviance"),
    ("null_deviance", "null deviance"),
    ("aic", "AIC"),
    ("gap", "gap"),
    ("rank", "rank"),
)


def number(value: float, digits: int = 9) -> str:
    """A number as the program prints it; nothing for NaN."""
    return "" if math.isnan(value) else f"{value:.{digits}g}"


def facts_of(model: Any) -> list[tuple[str, str]]:
    """What is known of the fit as a whole, as pairs of a name and a text."""
    info, figures = model._result.info(), model._result.figures()
    facts = [("data", f"{figures.get('rows', 0)} rows, {info['columns']} features")]
    if info["positive"] is not None:
        facts.append(("labels", f"score > 0 means {info['target']} = {info['positive']}; < 0 means {info['negative']}"))
    facts.append(("method", info["method"]))
    facts.append(("outcome", f"{info['outcome']}: {model.reason_}" if info["reason"] else info["outcome"]))
    facts += [(called, number(figures[name])) for name, called in _FACTS if name in figures]
    return facts


def head_and_rows(model: Any) -> tuple[list[str], list[list[str]]]:
    """The table of coefficients: with what is known of them, or their values alone."""
    direction = getattr(model, "direction_", None)
    if direction:
        return ["direction", "v"], [[name, str(value)] for name, value in direction.items()]
    table = model._result.table()
    level = model._result.info()["confidence"]
    if any(not math.isnan(row[2]) for row in table):
        head = ["coefficients", "value", "std. error", "t", "p", f"{100 * level:g} % from", "to"]
        digits = (9, 6, 4, 3, 6, 6)
        return head, [[row[0], *(number(x, d) for x, d in zip(row[1:], digits))] for row in table]
    if hasattr(model, "centre_"):
        rows = list(zip(model._result.features(), model.centre_.tolist()))
        rows.append(("radius", model.radius_))
        return ["centre", "value"], [[name, number(value)] for name, value in rows]
    return ["coefficients", "value"], [[row[0], number(row[1])] for row in table]


def summary_text(model: Any) -> str:
    """The summary as text."""
    lines = [f"{name:<16} {text}" for name, text in facts_of(model)]
    head, rows = head_and_rows(model)
    widths = [max(len(row[i]) for row in [head, *rows]) for i in range(len(head))]
    for k, row in enumerate([head, *rows]):
        first = row[0] if k == 0 else "  " + row[0]
        lines.append(
            first.ljust(widths[0] + 2) + "".join("  " + cell.rjust(widths[i + 1]) for i, cell in enumerate(row[1:]))
        )
    dependent = model._result.dependencies()
    if dependent:
        lines += ["dependencies", *(f"  {sentence}" for sentence, _, _ in dependent)]
    claims = repr(model.claims_).splitlines()
    lines += [f"{'verified':<16} {claims[0]}", *claims[1:]]
    return "\n".join(line.rstrip() for line in lines)


def summary_html(model: Any) -> str:
    """The summary for notebooks, with the claims folded away."""
    head, rows = head_and_rows(model)
    if len(rows) > 30:
        rows = [*rows[:30], ["…", *("" for _ in head[1:])]]
    return model_html(type(model).__name__, facts_of(model), head, rows, model.claims_)
