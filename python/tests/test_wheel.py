"""The wheel: built without network, installed into an environment of its own, and used there."""
import os
import subprocess
import sys
import venv

import pytest

import linpred

USE = """
import linpred, numpy as np
assert linpred.__file__.startswith({home!r}), linpred.__file__
X = np.array([[1.0, 2.0], [2.0, 1.0], [4.0, 3.5], [5.0, 4.0], [6.0, 1.0]])
y = X @ [2.0, -1.0] + 0.5
model = linpred.LinearRegression().fit(X, y)
assert np.allclose(model.coef_, [2.0, -1.0], rtol=1e-14) and model.verdict_ != "refuted"
assert linpred.Halfspace("exact").fit(X, y > 4).claims_["fewest_errors"].verdict == "proved"
print("used")
"""


@pytest.mark.skipif("LINPRED_SANITIZED" in os.environ, reason="a sanitizer must come first in the process")
def test_wheel_in_an_environment_of_its_own(tree, tmp_path):
    build = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(linpred.__file__))))
    if not os.path.exists(os.path.join(build, "liblinpred.so.0")):
        pytest.skip("the package does not stand in a build of the library")
    # The build for the other tests stays as it is: this one is made in a folder with the same library.
    os.symlink(os.path.join(build, "liblinpred.so"), tmp_path / "liblinpred.so")
    os.symlink(os.path.join(build, "liblinpred.so.0"), tmp_path / "liblinpred.so.0")
    clean = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    made = subprocess.run(
        [f"{tree}/python/build.sh", str(tmp_path), "--wheel"], capture_output=True, text=True,
        env={**clean, "PYTHON": sys.executable},
    )
    if "No module named build" in made.stderr or "No module named pip" in made.stderr:
        pytest.skip("pip or build is not installed")
    assert made.returncode == 0, made.stderr
    (wheel,) = (tmp_path / "python" / "dist").glob("*.whl")
    assert "cp311-abi3" in wheel.name
    home = tmp_path / "home"
    venv.create(home, system_site_packages=True, with_pip=False)
    python = home / "bin" / "python"
    subprocess.run(
        [python, "-m", "pip", "install", "-q", "--no-index", "--no-deps", "--disable-pip-version-check", wheel],
        check=True, env=clean,
    )
    told = subprocess.run(
        [python, "-c", USE.format(home=str(home))], capture_output=True, text=True, env=clean, cwd=tmp_path
    )
    assert told.stdout == "used\n", told.stderr
