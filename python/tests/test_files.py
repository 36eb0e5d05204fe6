"""Files: read, load, save, verify; the same files as the program's."""
import os
import subprocess

import numpy as np
import pandas as pd
import pytest

import linpred
from linpred import Ball, Halfspace, LeastAbsolute, LinearRegression, LogisticRegression, Perceptron, QuantileRegressor

PROGRAM = os.environ.get("LINPRED_PROGRAM", "build/linpred")


def test_read(tree):
    path = f"{tree}/examples/data/iris.csv"
    data = linpred.read(path, positive="setosa")
    frame = pd.read_csv(path)
    assert data.shape == (150, 4) and len(data) == 150 and data.classes == ["not setosa", "setosa"]
    X, y = data.to_numpy()
    assert (X == frame.iloc[:, :4].to_numpy()).all()
    assert ((y == "setosa") == (frame["Species"] == "setosa")).all()
    table = data.to_pandas()
    assert table.columns.tolist() == frame.columns.tolist() and (table.index == frame.index).all()
    model = Halfspace().fit(data)
    assert model.score(data) == 1.0 and model.separable_
    assert model.predict(frame.iloc[:1, :4]).tolist() == ["setosa"]


def test_read_guesses_the_task_and_says_what_is_wrong(tree):
    cars = linpred.read(f"{tree}/examples/data/cars.csv", target="dist")
    assert cars.task == "regression"
    assert LinearRegression().fit(cars).score(cars) == pytest.approx(0.651079381)
    with pytest.raises(ValueError, match="task='classification'"):
        Halfspace().fit(cars)
    with pytest.raises(ValueError, match="more than two values"):
        linpred.read(f"{tree}/examples/data/iris.csv")
    with pytest.raises(FileNotFoundError):
        linpred.read("nowhere.csv")
    with pytest.raises(ValueError, match="task must be"):
        linpred.read(f"{tree}/examples/data/cars.csv", task="both")


def test_powers_of_files_and_frames(tree, tmp_path):
    path = f"{tree}/examples/data/cars.csv"
    frame = pd.read_csv(path)
    expected = LinearRegression(degree=2).fit(frame[["speed"]], frame["dist"])
    data = linpred.read(path, target="dist", task="regression", degree=2)
    model = LinearRegression(degree=2).fit(data)
    np.testing.assert_allclose(model.coef_, expected.coef_, rtol=1e-13)
    np.testing.assert_allclose(model.predict(data), expected.predict(frame[["speed"]]), rtol=1e-13)
    with pytest.raises(ValueError, match="read it with degree=3"):
        LinearRegression(degree=3).fit(data)
    mixed = frame[["speed"]].assign(half=np.where(np.arange(50) % 2, "a", "b"))
    for fitted in (expected, model, LinearRegression(degree=2).fit(mixed, frame["dist"])):
        fitted.save(tmp_path / "model.json")
        assert linpred.load(tmp_path / "model.json").degree == 2
    assert fitted._result.features() == ["speed", "speed^2", "half=b"]


def test_read_like_a_model(tree, tmp_path):
    columns = ["age", "race", "smoke"]
    data = linpred.read(f"{tree}/examples/data/birthwt.csv", target="low", positive="low", features=columns)
    model = LogisticRegression().fit(data)
    path = tmp_path / "new.csv"
    path.write_text("smoke,age,race\n1,19,other\n0,32,white\n")
    new = linpred.read(path, like=model)
    np.testing.assert_allclose(model.predict_proba(new)[:, 1], [0.619, 0.107], atol=5e-4)
    other = linpred.read(f"{tree}/examples/data/cars.csv", task="regression")
    with pytest.raises(ValueError, match="like=model"):
        model.predict(other)


@pytest.mark.parametrize(
    "model",
    [
        LinearRegression(),
        LinearRegression(0.1, degree=2),
        LeastAbsolute(),
        QuantileRegressor(0.25),
        LogisticRegression(),
        LogisticRegression(0.01, method="newton"),
        Halfspace(),
        Halfspace("exact"),
        Perceptron("pocket"),
        Ball(),
        Ball(outside=True),
    ],
    ids=repr,
)
def test_model_files_are_the_programs(model, noisy, tmp_path):
    X, y, target = noisy
    X = np.round(X[:40], 2)
    labels = np.round(target[:40], 2) if model._regression else np.where(y[:40] == 1, "yes", "no")
    model.fit(X, labels)
    path, rows = tmp_path / "model.json", tmp_path / "rows.csv"
    model.save(path)
    frame = pd.DataFrame(X, columns=["x1", "x2", "x3"])
    frame["label"] = labels
    frame.to_csv(rows, index=False)
    again = linpred.load(path)
    assert type(again) is type(model)
    assert (again._scores(X) == model._scores(X)).all()
    assert (again.predict(X) == model.predict(X)).all()
    assert again.verdict_ is None
    assert linpred.verify(path, X, labels).verdict == model.verdict_
    assert linpred.verify(path, rows).verdict == model.verdict_
    told = subprocess.run([PROGRAM, "verify", path, rows], capture_output=True, text=True)
    assert told.stdout.split("\n")[0].split(maxsplit=1)[1].lower().replace(" ", "_") == model.verdict_, told.stdout
    again.save(tmp_path / "again.json")
    assert path.read_bytes() == (tmp_path / "again.json").read_bytes()


def test_models_of_the_program_are_ours(tree, tmp_path):
    path = tmp_path / "model.json"
    data = f"{tree}/examples/data/iris.csv"
    command = [PROGRAM, "fit", "halfspace", data, "--positive", "setosa", "-o", path]
    subprocess.run(command, check=True, capture_output=True)
    model = linpred.load(path)
    assert isinstance(model, Halfspace) and model.classes_.tolist() == ["not setosa", "setosa"]
    frame = pd.read_csv(data)
    assert ((model.predict(frame.iloc[:, :4]) == "setosa") == (frame["Species"] == "setosa")).all()
    assert linpred.verify(path, data).verdict == "within_tolerance"


def test_a_wrong_model_is_refuted(noisy, tmp_path):
    X, y, target = noisy
    path = tmp_path / "model.json"
    model = LinearRegression().fit(X, target)
    linpred.save(model, path)
    text = path.read_text().replace(repr(model.coef_[0]), repr(model.coef_[0] + 1e-3))
    path.write_text(text)
    with pytest.raises(ValueError, match="checksum"):
        linpred.load(path)
    edited = linpred.load(path, accept_edited=True)
    assert edited.verify(X, target).verdict == "refuted"
    assert linpred.verify(model, X[::-1].copy(), target[::-1].copy()).verdict == "partly_proved"


def test_warnings_about_files(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text("a,b\n" + "".join(f"{9007199254740993 + 2 * i},{i}\n" for i in range(4)))
    with pytest.warns(linpred.DataWarning):
        linpred.read(path, task="regression")
