"""Compact tables for notebooks, which follow the page's light or dark colours."""
from __future__ import annotations

from collections.abc import Set
from html import escape
from typing import Any

# Green, blue, amber and red that can be read on white and on black.
_COLOURS = {
    "proved": "#2e9e5b",
    "within_tolerance": "#2e9e5b",
    "recomputed": "#3b82c4",
    "partly_proved": "#b7791f",
    "refuted": "#d64545",
}
_TABLE = 'style="border-collapse:collapse;font-size:90%;color:inherit;background:transparent"'
_CELL = 'style="text-align:left;padding:2px 8px;border-bottom:1px solid rgba(128,128,128,.35)"'
_NUMBER = 'style="text-align:right;padding:2px 8px;border-bottom:1px solid rgba(128,128,128,.35)"'


def verdict_html(verdict: str | None) -> str:
    """A verdict in its colour; the word says it too."""
    word = (verdict or "not checked").replace("_", " ")
    colour = _COLOURS.get(verdict or "", "inherit")
    return f'<b style="color:{colour};white-space:nowrap">{escape(word)}</b>'


def table_html(head: list[str], rows: list[list[str]], numbers: Set[int] = frozenset()) -> str:
    """A table whose cells are HTML already."""
    titles = "".join(f"<th scope='col' {_NUMBER if i in numbers else _CELL}>{name}</th>" for i, name in enumerate(head))
    cells = ["".join(f"<td {_NUMBER if i in numbers else _CELL}>{c}</td>" for i, c in enumerate(row)) for row in rows]
    body = "".join(f"<tr>{row}</tr>" for row in cells)
    return f"<table {_TABLE}><thead><tr>{titles}</tr></thead><tbody>{body}</tbody></table>"


def claims_html(claims: Any) -> str:
    """One row a claim, main ones first."""
    rows = [
        [verdict_html(c.verdict), escape(c.sentence), escape(c.finding or "")]
        for c in sorted(claims, key=lambda c: not c.main)
    ]
    return f"<div><p>{verdict_html(claims.verdict)}</p>{table_html(['verdict', 'claim', 'finding'], rows)}</div>"


def separation_html(separation: Any) -> str:
    """The answer, and the rows that prove it."""
    word = {True: "separable", False: "not separable", None: "not decided"}[separation.separable]
    rows = [[str(row), str(weight)] for row, weight in zip(separation.rows[:12].tolist(), separation.weights[:12])]
    if len(separation.weights) > 12:
        rows.append(["…", f"{len(separation.weights)} rows in all"])
    proof = table_html(["row", "weight"], rows, {0, 1}) if rows else ""
    return f"<div><p><b>{word}</b>, {verdict_html(separation.claims.verdict)}</p>{proof}</div>"


def model_html(title: str, facts: list[tuple[str, str]], head: list[str], rows: list[list[str]], claims: Any) -> str:
    """A fitted model: what it is, its coefficients, its claims."""
    told = table_html(["", ""], [[escape(name), escape(text)] for name, text in facts])
    cells = [[escape(cell) for cell in row] for row in rows]
    coefficients = table_html([escape(name) for name in head], cells, set(range(1, len(head)))) if rows else ""
    return (
        f"<div><p><b>{escape(title)}</b></p>{told}{coefficients}"
        f"<details><summary>claims: {verdict_html(claims.verdict)}</summary>{claims_html(claims)}</details></div>"
    )
