"""The code of docs/python.md and docs/teaching.md runs, block after block, in one namespace for each page."""

import pathlib
import re
import subprocess
import sys

import pytest

DOCS = pathlib.Path(__file__).parents[2] / "docs"
PAGE = DOCS / "python.md"
ROOT = DOCS.parent


@pytest.mark.parametrize(("name", "least"), [("python.md", 16), ("teaching.md", 10)])
def test_the_page_runs(name, least, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = (DOCS / name).read_text()
    blocks = list(re.finditer(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL))
    assert len(blocks) >= least
    names = {}
    for block in blocks:
        line = text.count("\n", 0, block.start(1))
        exec(compile("\n" * line + block.group(1), str(DOCS / name), "exec"), names)
    assert name != "python.md" or (tmp_path / "ring.html").stat().st_size > 10_000


def test_the_first_program_adds_up():
    text = PAGE.read_text()
    first = re.search(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL).group(1)
    names = {}
    exec(first, names)
    run = names["run"]
    assert (run.results[0], run.counts.steps) == (523776, 10)


def test_the_example_prints_what_its_twin_in_cpp_does():
    made = subprocess.run(
        [sys.executable, "-B", ROOT / "examples" / "hypercube_sum.py"], capture_output=True, text=True, check=True
    )
    assert f"```text\n{made.stdout}```\n" in (ROOT / "README.md").read_text()
