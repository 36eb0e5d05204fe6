"""The parts of a file that must agree, since they are of one fit: docs/model-file.md, "What belongs together".
"""
from rechecking.arithmetic import IS_NUMBER, damaged
from rechecking.model import TEXT, has

MAIN = {"data", "inseparable", "no_minimiser", "logistic_optimum", "least_squares", "least_absolute"}  # always
EITHER = {"separates", "errors", "largest_margin", "fewest_errors", "margin_at_most", "overlapping"}
TASKS = {  # the kinds of claims that not every task makes
    "halfspace ball": "separates margin fewest_errors",
    "halfspace ball logistic": "errors inseparable",
    "halfspace": "margin_at_most largest_margin other_margin update_bound",
    "halfspace logistic": "no_minimiser overlapping",
    "logistic": "logistic_optimum finite_part deviance",
    "regression": "least_squares least_absolute fit_quality",
    "logistic regression": "dependencies standard_errors",
}


def agree(holds, what):
    damaged(not holds, what)


def check(model):
    figures = {name: value for claim in model.claims.values() for name, value in claim["figures"].items()}
    check_figures(model, figures)
    check_claims(model, figures)
    check_main(model)
    check_outcome(model, figures)
    check_options(model, figures)


def check_claims(model, figures):
    """Which claims such a fit makes, and which it does not."""
    claims, run = set(model.claims), model.json["run"]
    for tasks, kinds in TASKS.items():
        agree(model.task in tasks.split() or not claims & set(kinds.split()), f"a {model.task} claims one of '{kinds}'")
    classes, none = model.task in ("halfspace", "ball"), model.task == "logistic" and "no_minimiser" in claims
    regression = model.task == "regression"
    squared = regression and model.json["regression"].get("loss") == "squared"
    needed = {
        "data": True,
        "errors": classes or model.task == "logistic" and not none,
        "objective": not none,
        "margin": classes and figures.get("errors") == 0,
        "separates": classes and figures.get("errors") == 0 and "largest_margin" in claims,
        "logistic_optimum": model.task == "logistic" and not none,
        "least_squares": squared,
        "least_absolute": regression and not squared,
        "fit_quality": regression,
        "dependencies": regression and model.outcome == "optimal" and has(run, "method", TEXT) != "cg",
        "standard_errors": squared and run.get("no_standard_errors") is None,
        "means": model.recipe["missing"] == "mean",
    }
    for kind, holds in needed.items():
        agree(not holds or kind in claims, f"the claim '{kind}' is missing")
        if kind in ("margin", "least_squares", "least_absolute", "means"):
            agree(holds or kind not in claims, f"such a fit does not claim '{kind}'")
    agree(not none or claims <= {"no_minimiser", "inseparable", "overlapping", "finite_part", "data", "means"}, "there is no minimum to speak of")
    agree("finite_part" not in claims or none and "overlapping" in claims, "there are no rows left to speak of")
    agree(not none or not any(model.vector), "there is no minimum, but there are coefficients")
    if "standard_errors" in claims:
        agree(squared or model.task == "logistic" and not run.get("no_standard_errors"), "there can be no standard errors")


def check_figures(model, figures):
    """Figures that have a meaning for the fit. Those that a claim must state stand in `model.CLAIMS`."""
    claims, task = model.claims, model.task
    squared = task == "regression" and model.json["regression"].get("loss") == "squared"
    fewest = claims.get("fewest_errors", {}).get("main", False)
    rules = {  # of the fits named first the figure is one; then whether they must state it
        "radius": (task == "halfspace", "update_bound" in claims),
        "perceptron_loss": (task == "halfspace", False),
        "cost_negative": (fewest, fewest),
        "cost_positive": (fewest, fewest),
        "l2": (task == "logistic" or squared, task == "logistic" or squared),
        "class_weight_negative": (task == "logistic", "objective" in claims and task == "logistic"),
        "class_weight_positive": (task == "logistic", "objective" in claims and task == "logistic"),
        "r_squared": (squared, False),
        "f_statistic": (squared and figures.get("l2") == 0, False),
        "f_p_value": (squared and figures.get("l2") == 0, False),
        "degrees_of_freedom": (squared and figures.get("l2") == 0, False),
        "residual_sd": (squared, squared and "standard_errors" in claims),
        "rank": (True, task == "regression" and "dependencies" in claims),
        "unique": (True, task == "regression" and "dependencies" in claims),
        "settled_rows": ("no_minimiser" in claims or bool(claims.get("separates", {}).get("direction")), "no_minimiser" in claims),
        "gap": (True, "gap_tolerance" in figures),
    }
    for name, (may, must) in rules.items():
        agree(may or name not in figures, f"such a fit has no figure '{name}'")
        agree(not must or name in figures, f"the figure '{name}' is missing")
    for name, value in figures.items():
        agree(value >= 0, f"'{name}' is below 0")
    agree(figures.get("unique", 0) in (0, 1), "'unique' is neither 0 nor 1")


def check_main(model):
    """What the fit set out to show: the verdict of the whole is that of these claims."""
    main = {kind for kind, claim in model.claims.items() if claim["main"]}
    for kind in model.claims:
        if kind not in EITHER:
            agree((kind in main) == (kind in MAIN), f"'{kind}' is main or not by its kind")
    agree("separates" not in model.claims or ("separates" in main) != ("errors" in main), "one of 'separates' and 'errors' is main")
    agree(model.outcome != "optimal" or "largest_margin" not in model.claims or "largest_margin" in main, "the best is a main claim")
    if "fewest_errors" in model.claims:
        agree(("fewest_errors" in main) != ("separates" in main), "'fewest_errors' is main unless the rows are separated")
    if "margin_at_most" in model.claims:
        agree(("margin_at_most" in main) != bool(main & {"separates", "errors", "inseparable"}), "'margin_at_most' is main if nothing else is")
    agree(("overlapping" in main) == ("overlapping" in model.claims and (model.task == "halfspace" or "no_minimiser" in model.claims)), "'overlapping' is main by the task")


def check_outcome(model, figures):
    claims, main = set(model.claims), {kind for kind, claim in model.claims.items() if claim["main"]}
    said = {
        "separated": "separates" in main,
        "inseparable": bool(claims & {"inseparable", "overlapping"}) and "no_minimiser" not in claims,
        "no_minimiser": "no_minimiser" in claims,
        "optimal": bool(main & {"largest_margin", "fewest_errors", "logistic_optimum", "least_squares", "least_absolute"}),
        **{early: "no_minimiser" not in claims for early in ("limit_reached", "stopped", "undecided")},
    }
    agree(said.get(model.outcome), f"no claim says what the outcome '{model.outcome}' says")
    if "logistic_optimum" in claims:
        agree(("gap_tolerance" in figures) == (model.outcome == "optimal"), "the outcome and 'gap_tolerance' do not agree")
    if "fewest_errors" in main and model.outcome == "optimal":
        agree(figures["lower_bound"] >= figures["cost"] * (1 - 1e-6), "the outcome is optimal, and 'lower_bound' is not the cost")


def pair(text):
    parts = (text or "1:1").split(":")
    return [float(part) for part in parts] if len(parts) == 2 and all(IS_NUMBER.match(part) for part in parts) else None


NUMBERS = "l2 tolerance confidence quantile degree rate seed max-updates max-passes max-seconds max-iterations"
WORDS = {
    "method": "auto perceptron pocket lp margin exact newton newton-cg", "loss": "squared absolute", "order": "cyclic first random worst",
    "mistake": "margin sign", "dependent": "least-norm drop", "norm": "with-intercept without-intercept",
    **{switch: "yes no true false" for switch in ("no-intercept", "outside", "standardize", "bound")},
}


def check_options(model, figures):
    """An option that is not recorded had its default."""
    options = model.options
    for name in options:
        has(options, name, TEXT)
        if name in NUMBERS.split():
            agree(IS_NUMBER.match(options[name]) and float(options[name]) >= 0, f"the option '{name}' is no such number")
        agree(name not in WORDS or options[name] in WORDS[name].split(), f"the option '{name}' is no such word")

    def says(name, default, expected):
        if expected is not None:
            agree(float(options.get(name, default)) == expected, f"the option '{name}' is not what the rest of the file says")

    def switched(name):
        return options.get(name) in ("yes", "true")

    agree(switched("no-intercept") == (not model.intercept), "the option 'no-intercept' is not what the rest of the file says")
    claim = model.claims.get("dependencies", {})
    if claim.get("dependencies"):
        agree((options.get("dependent") == "drop") == bool(claim.get("drop")), "the option 'dependent' is not what the rest of the file says")
    says("confidence", 0.95, model.json["confidence"] if model.task in ("logistic", "regression") else None)
    if model.task == "regression":
        part = model.json["regression"]
        squared = part.get("loss") == "squared"
        agree(options.get("loss", "squared") == part.get("loss"), "the option 'loss' is not what the rest of the file says")
        says("quantile", 0.5, part["quantile"])
        says("l2", 0, figures.get("l2", 0) if squared else 0)
        degrees = {column["name"]: column.get("degree", 1) for column in model.columns if column["type"] == "number"}
        powers = [name for name, degree in degrees.items() if degree > 1]
        says("degree", 1, max(degrees.values()) if powers else None)
        on = options["on"].split(",") if "on" in options else list(degrees)
        agree(float(options.get("degree", 1)) == 1 or all(name.strip() in powers or name.strip().isdigit() for name in on),
              "the options 'degree' and 'on' are not what the rest of the file says")
    elif model.task == "logistic":
        says("l2", 0, figures.get("l2"))
        says("tolerance", 1e-8, figures.get("gap_tolerance"))
        weights = [figures.get("class_weight_negative"), figures.get("class_weight_positive")]
        if weights[0] is not None and options.get("class-weights") != "balanced":
            agree(pair(options.get("class-weights")) == weights, "the option 'class-weights' is not what the rest of the file says")
    else:
        agree(switched("outside") == (model.task == "ball" and model.inside < 0), "the option 'outside' is not what the rest of the file says")
        costs = [figures.get("cost_negative"), figures.get("cost_positive")]
        agree(pair(options.get("cost")) == costs if costs[0] is not None else pair(options.get("cost")), "the option 'cost' is not what the rest of the file says")
        if "largest_margin" in model.claims:
            usual = model.claims["largest_margin"].get("form") == "usual"
            agree((options.get("norm") == "without-intercept") == usual, "the option 'norm' is not what the rest of the file says")
