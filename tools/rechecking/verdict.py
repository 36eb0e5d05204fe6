"""One verdict for each claim, and that of the whole: docs/model-file.md, "Claims" and "Objective".
"""
import re
from fractions import Fraction

from rechecking import dependencies, fewest_errors, halfspaces, logistic, regression, shape
from rechecking.arithmetic import NotRechecked, Refuted, VERDICTS, about, agrees, damaged, need
from rechecking.fewest_errors import claimed_cost
from rechecking.logistic import logistic_objective
from rechecking.model import TEXT, has
from rechecking.regression import regression_objective


def objective(model, data, claim):
    figures = {name: value for name, value in claim["figures"].items() if name != "objective"}
    if model.task in ("logistic", "regression"):
        value, rounding = (logistic_objective if model.task == "logistic" else regression_objective)(model, data, figures)
    else:
        need(not figures, f"{', '.join(figures)} is no figure of a {model.task}")
        cost, rounding = claimed_cost(model, data), Fraction(0)
        value = cost / data.rows.total
    agrees(claim["figures"], "objective", value, rounding)
    return "within_tolerance", f"the rows give {about(value)}"


def judge_of(kind):
    """The function with the name of the claim."""
    for room in (halfspaces, fewest_errors, logistic, dependencies, regression):
        if hasattr(room, kind):
            return getattr(room, kind)
    return objective


def recheck(model, data):
    """A list of (kind, main, verdict, finding), and the verdict of the whole: that of the weakest main claim, and
    refuted if any claim is. On rows that are not those of the fit no claim is judged."""
    shape.check(model)
    found = []
    stated = has(model.claims["data"], "fingerprint", TEXT)
    damaged(not re.fullmatch("[0-9a-f]{16}", stated), "the fingerprint is not 16 hexadecimal digits")
    data.same = data.fingerprint == stated
    for kind, claim in model.claims.items():
        try:
            if not data.same:
                verdict, finding = "partly_proved", "not judged, since these are other rows"
            else:
                verdict, finding = judge_of(kind)(model, data, claim)
        except Refuted as error:
            verdict, finding = "refuted", str(error)
        except NotRechecked as error:
            verdict, finding = "not_rechecked", str(error)
        found.append((kind, claim["main"], verdict, finding))
    whole_verdict = max((v for _, main, v, _ in found if main or v == "refuted"), key=VERDICTS.index)
    return found, whole_verdict
