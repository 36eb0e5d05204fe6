"""What the documents and the tutorial show is what happens."""
import doctest
import os
import re
import shutil
import subprocess
import sys

import pytest


@pytest.mark.parametrize("path", ["docs/python.md", "python/README.md", "README.md"])
def test_document(path, tree, tmp_path, monkeypatch):
    """The examples of a page are run in order, in a fresh folder where examples/ is found."""
    os.symlink(os.path.join(tree, "examples"), tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    with open(os.path.join(tree, path), encoding="utf-8") as file:
        blocks = re.findall(r"^```python\n(.*?)^```", file.read(), re.M | re.S)
    assert blocks
    examples = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, path, path, 0)
    failures = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS, verbose=False)
    runner.run(examples, out=failures.append)
    assert runner.failures == 0, "".join(failures)


def test_tutorial(tree, tmp_path):
    pytest.importorskip("nbconvert")
    pytest.importorskip("ipykernel")
    folder = tmp_path / "tour"
    folder.mkdir()
    shutil.copy(os.path.join(tree, "python", "tutorial.ipynb"), folder)
    os.symlink(os.path.join(tree, "examples"), folder / "examples")
    command = [sys.executable, "-m", "nbconvert", "--to", "html", "--execute", "tutorial.ipynb"]
    environment = {**os.environ, "JUPYTER_CONFIG_DIR": str(tmp_path), "JUPYTER_DATA_DIR": str(tmp_path)}
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr[-3000:]
    page = (folder / "tutorial.html").read_text(encoding="utf-8")
    assert page.count("<svg") >= 3 and "within tolerance" in page
