"""Frames: names, text, categories, dates, missing values, as the program treats them."""
import io

import numpy as np
import pandas as pd
import pytest

import linpred
from linpred import Halfspace, LinearRegression, LogisticRegression

CSV = """age,colour,smokes,weight
31,red,no,70.5
45,blue,yes,82
28,green,no,61
52,red,yes,90
39,blue,no,75.5
61,green,yes,88
33,red,no,68
47,red,yes,79
"""


@pytest.fixture
def people():
    return pd.read_csv(io.StringIO(CSV))


def test_text_is_encoded_as_the_program_does(people, tmp_path):
    path = tmp_path / "people.csv"
    path.write_text(CSV)
    model = LinearRegression().fit(people.drop(columns="weight"), people["weight"])
    data = linpred.read(path, target="weight", task="regression")
    from_file = LinearRegression().fit(data)
    assert model._result.features() == data.features == ["age", "colour=green", "colour=red", "smokes=yes"]
    assert (model.coef_ == from_file.coef_).all()
    assert model.feature_names_in_.tolist() == ["age", "colour", "smokes"] and model.n_features_in_ == 3
    model.save(tmp_path / "model.json")
    assert linpred.verify(tmp_path / "model.json", path).verdict == "within_tolerance"


def test_categories_booleans_and_nullable_columns(people):
    X = people.drop(columns="weight")
    expected = LinearRegression().fit(X, people["weight"]).predict(X)
    kinds = X.assign(
        colour=pd.Categorical(X["colour"], ["red", "unused", "green", "blue"]),
        age=X["age"].astype("Int64"),
        smokes=X["smokes"].astype("string"),
    )
    np.testing.assert_allclose(LinearRegression().fit(kinds, people["weight"]).predict(kinds), expected, rtol=1e-12)
    flags = X.assign(smokes=X["smokes"] == "yes")
    np.testing.assert_allclose(LinearRegression().fit(flags, people["weight"]).predict(flags), expected, rtol=1e-12)


def test_dates_are_days():
    days = pd.Series(pd.to_datetime(["1970-01-02", "1970-01-03", "1970-01-05", "1970-01-09"]))
    frame = pd.DataFrame({"when": days, "text": ["a", "b", "a", "b"]})
    model = LinearRegression().fit(frame, [3.0, 5.5, 9.0, 17.5])
    np.testing.assert_allclose(model.coef_, [2.0, 0.5], atol=1e-12)


def test_unknown_levels_and_columns_are_refused(people):
    X = people.drop(columns="weight")
    model = LinearRegression().fit(X, people["weight"])
    with pytest.raises(ValueError, match="violet"):
        model.predict(X.assign(colour="violet"))
    with pytest.raises(ValueError, match="feature names should match"):
        model.predict(X.rename(columns={"age": "years"}))
    with pytest.raises(ValueError):
        model.predict(np.zeros((2, 3)).tolist())


def test_labels_keep_their_names(people, tmp_path):
    X, y = people[["age", "weight"]], people["smokes"]
    model = Halfspace().fit(X, y)
    assert model.classes_.tolist() == ["no", "yes"]
    assert "smokes = yes" in model.summary()
    model.save(tmp_path / "model.json")
    again = linpred.load(tmp_path / "model.json")
    assert again.predict(X).tolist() == model.predict(X).tolist()
    assert again.feature_names_in_.tolist() == ["age", "weight"]
    assert again.verify(X, y).verdict == model.verdict_


def test_missing_values(people):
    X = people[["age"]].astype(float)
    X.loc[2, "age"] = np.nan
    y = people["weight"]
    with pytest.raises(ValueError, match="missing='drop' or 'mean'"):
        LinearRegression().fit(X, y)
    kept = X["age"].notna()
    dropped = LinearRegression(missing="drop").fit(X, y)
    np.testing.assert_allclose(dropped.coef_, LinearRegression().fit(X[kept], y[kept]).coef_)
    assert np.isnan(dropped.predict(X)).tolist() == (~kept).tolist()
    mean = LinearRegression(missing="mean").fit(X, y)
    np.testing.assert_allclose(mean.coef_, LinearRegression().fit(X.fillna(X["age"].mean()), y).coef_)
    assert np.isfinite(mean.predict(X)).all()
    assert mean.verify(X, y).verdict == mean.verdict_
    label = LogisticRegression(1e-3, missing="drop").fit(X, people["smokes"])
    with pytest.raises(ValueError, match="row 2 has a missing value"):
        label.predict(X)
    text = people[["colour"]].copy()
    text.loc[0, "colour"] = None
    with pytest.raises(ValueError, match=r"X: row 1: column 1 \(colour\) has a missing value.*missing='drop'"):
        LinearRegression().fit(text, y)
    assert LinearRegression(missing="drop").fit(text, y).figures_["rows"] == 7


def test_strange_columns_are_named(people):
    X = people.assign(odd=[(1, 2)] * 8)
    with pytest.raises(ValueError, match="column 'odd' holds"):
        LinearRegression().fit(X, people["weight"])


def test_weights_in_tables(people):
    X, y = people[["age", "colour"]], people["weight"]
    weights = np.array([1, 2, 0, 1, 3, 1, 1, 2])
    again = np.repeat(np.arange(8), weights)
    one = LinearRegression().fit(X, y, sample_weight=weights)
    many = LinearRegression().fit(X.iloc[again], y.iloc[again])
    np.testing.assert_allclose(one.coef_, many.coef_, rtol=1e-10)
    assert one.verify(X, y, weights).verdict == one.verdict_
