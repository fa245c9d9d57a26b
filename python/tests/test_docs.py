"""The code of docs/python.md runs, block after block, in one namespace."""

import pathlib
import re

PAGE = pathlib.Path(__file__).parents[2] / "docs" / "python.md"


def test_the_page_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = PAGE.read_text()
    blocks = list(re.finditer(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL))
    assert len(blocks) >= 7
    names = {}
    for block in blocks:
        line = text.count("\n", 0, block.start(1))
        exec(compile("\n" * line + block.group(1), str(PAGE), "exec"), names)
    assert (tmp_path / "ring.html").stat().st_size > 10_000


def test_the_first_program_adds_up():
    text = PAGE.read_text()
    first = re.search(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL).group(1)
    names = {}
    exec(first, names)
    run = names["run"]
    assert (run.results[0], run.counts.steps) == (523776, 10)
