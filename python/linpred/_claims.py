"""What a fit claims, and what a check found of it."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, overload

from ._html import claims_html, separation_html

STRENGTH = ("proved", "within_tolerance", "recomputed", "partly_proved", "refuted")


@dataclass(frozen=True)
class Claim:
    """A sentence about the rows of a fit, with what proves it.

    Attributes
    ----------
    kind : str
        Its name in the model file, such as ``'logistic_optimum'``.
    sentence : str
        What is claimed, with its numbers.
    main : bool
        Whether the verdict of the whole rests on it.
    verdict : str or None
        ``'proved'``, ``'within_tolerance'``, ``'recomputed'``, ``'partly_proved'`` or ``'refuted'``; None if nothing
        was checked.
    finding : str or None
        What the check found.
    witness : dict
        What proves the claim, by name: arrays ``rows`` (0-based), ``multipliers``, ``numbers``, a list ``integers``, …
        Empty if the rows and the model themselves do.
    """

    kind: str
    sentence: str
    main: bool
    verdict: str | None = None
    finding: str | None = None
    witness: dict[str, Any] = field(default_factory=dict, repr=False)

    def __str__(self) -> str:
        verdict = (self.verdict or "not checked").replace("_", " ").upper()
        return f"{verdict:<16} {self.sentence}" + (f" — {self.finding}" if self.finding else "")


class Claims(Sequence[Claim]):
    """The claims of a fit, by index or by kind.

    Attributes
    ----------
    verdict : str or None
        The verdict of the whole: that of the weakest main claim. A refuted claim refutes the whole.
    """

    def __init__(self, claims: list[Claim], check: dict[str, Any] | None = None):
        self._claims = claims
        self.check = check
        self.verdict: str | None = check["verdict"] if check else None

    @overload
    def __getitem__(self, index: int) -> Claim: ...

    @overload
    def __getitem__(self, index: slice) -> list[Claim]: ...

    @overload
    def __getitem__(self, index: str) -> Claim: ...

    def __getitem__(self, index: int | slice | str) -> Claim | list[Claim]:
        if isinstance(index, str):
            for claim in self._claims:
                if claim.kind == index:
                    return claim
            raise KeyError(f"there is no claim {index!r}; there are {', '.join(c.kind for c in self._claims)}")
        return self._claims[index]

    def __len__(self) -> int:
        return len(self._claims)

    def __iter__(self) -> Iterator[Claim]:
        return iter(self._claims)

    def __contains__(self, claim: object) -> bool:
        return any(claim == known or claim == known.kind for known in self._claims)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Claims):
            return NotImplemented
        mine, theirs = ([(c.kind, c.sentence, c.verdict) for c in claims] for claims in (self, other))
        return mine == theirs

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        whole = (self.verdict or "not checked").replace("_", " ").upper()
        main = [f"  {claim}" for claim in self if claim.main]
        details = [f"  {claim}" for claim in self if not claim.main]
        return "\n".join([whole, *main, *(["details", *details] if details else [])])

    def _repr_html_(self) -> str:
        return claims_html(self)


def _arrays(witness: dict[str, Any]) -> dict[str, Any]:
    """The witness with bytes as arrays. Rows become 0-based, as arrays count."""
    import numpy as np

    def real(data: bytes) -> Any:
        return np.frombuffer(data, dtype=np.float64).copy()

    def whole(data: bytes) -> Any:
        return np.frombuffer(data, dtype=np.int64).copy()

    out: dict[str, Any] = {}
    for name, value in witness.items():
        if name in ("multipliers", "numbers"):
            out[name] = real(value)
        elif name == "rows":
            out[name] = whole(value) - 1
        elif name == "vectors":
            out[name] = [real(vector) for vector in value]
        elif name == "subsets":
            out[name] = [(whole(rows) - 1, weights) for rows, weights in value]
        elif name == "nodes":
            out[name] = [(row - 1 if row else None, whole(of), real(by)) for row, of, by in value]
        else:
            out[name] = value
    return out


def claims_of(result: Any, check: dict[str, Any] | None) -> Claims:
    """The claims of a result, with what a check found."""
    made = []
    answers = check["claims"] if check else None
    for i, given in enumerate(result.claims()):
        kind, sentence, main = given.pop("kind"), given.pop("sentence"), given.pop("main")
        verdict, finding = (answers[i][2], answers[i][3]) if answers else (None, None)
        made.append(Claim(kind, sentence, main, verdict, finding, _arrays(given)))
    return Claims(made, check)


@dataclass(frozen=True, eq=False)
class Separation:
    """Whether a hyperplane separates rows, with what proves it. True if it does.

    Attributes
    ----------
    separable : bool or None
        None: it was not decided, because a limit was reached.
    kind : str
        ``'separated'``, ``'quasi_separated'``, ``'overlapping'``, ``'inseparable'`` or ``'undecided'``.
    rows : numpy.ndarray of int
        Not separable: rows (0-based) that no hyperplane can separate.
    weights : list of int
        A positive integer for each: the sums of weight y (x, 1) are 0 exactly.
    coef, intercept : numpy.ndarray, float
        Separable: a hyperplane with y(<w,x>+b) > 0 on every row.
    direction : list of int
        Separated or quasi-separated: integers, the intercept last, with y<v,(x,1)> >= 0 on every row.
    claims : Claims
        What was proved, with verdicts.
    """

    separable: bool | None
    kind: str
    rows: Any
    weights: list[int]
    coef: Any
    intercept: float
    direction: list[int]
    claims: Claims

    def __bool__(self) -> bool:
        if self.separable is None:
            raise ValueError("whether the rows are separable was not decided; see the attribute kind")
        return self.separable

    def __repr__(self) -> str:
        if self.separable is None:
            return "Separation(separable=None)"
        if self.separable:
            return f"Separation(separable=True, coef={self.coef!r}, intercept={self.intercept!r})"
        return f"Separation(separable=False, rows={self.rows.tolist()}, weights={self.weights})"

    def _repr_html_(self) -> str:
        return separation_html(self)
