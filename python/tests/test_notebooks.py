"""The notebooks of examples/notebooks: they run, and what they show opens in a browser without complaint."""

import json
import pathlib
import re
import shutil
import subprocess
from html import unescape

import pytest

import lockstep

pytest.importorskip("greenlet")
FOLDER = pathlib.Path(__file__).parents[2] / "examples" / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
CHROMIUM = shutil.which("chromium")


def executed(path):
    """Run all cells of a notebook. Result: its cells, with what they show."""
    nbclient = pytest.importorskip("nbclient")
    nbformat = pytest.importorskip("nbformat")
    pytest.importorskip("ipykernel")
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    return notebook.cells


def shown(cells):
    """List what cells show: a dict of types for each."""
    outputs = [output for cell in cells if cell.cell_type == "code" for output in cell.outputs]
    return [output.get("data", {"text/plain": output.get("text", "")}) for output in outputs]


def complaints_of(page):
    """Open a page in Chromium. Result: what its console says, and the text that it has then."""
    words = [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", "--dump-dom"]
    words += ["--virtual-time-budget=5000", f"--user-data-dir={page.parent / 'profile'}", page.as_uri()]
    done = subprocess.run(words, capture_output=True, text=True, check=True, timeout=120)
    return [line for line in done.stderr.splitlines() if "CONSOLE" in line], done.stdout


def test_there_are_three_without_outputs():
    assert len(NOTEBOOKS) == 3
    for path in NOTEBOOKS:
        cells = json.loads(path.read_text())["cells"]
        assert all(not cell["outputs"] and cell["execution_count"] is None for cell in cells if "outputs" in cell)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_and_its_pages_open(path, tmp_path, monkeypatch):
    monkeypatch.setenv("MPLBACKEND", "agg")
    cells = executed(path)
    everything = shown(cells)
    assert any("<table>" in one.get("text/html", "") for one in everything)
    pages = "\n".join(one["text/html"] for one in everything if "text/html" in one)
    frames = re.findall(r'<iframe [^>]*sandbox="allow-scripts"[^>]*srcdoc="([^"]*)"', pages)
    assert len(frames) == (0 if path.stem == "all_reduce" else 1)
    if CHROMIUM is None:
        pytest.skip("there is no chromium")
    whole = tmp_path / "notebook.html"
    whole.write_text(f"<!doctype html><meta charset=utf-8><title>{path.stem}</title>{pages}")
    assert complaints_of(whole)[0] == []
    for number, frame in enumerate(frames):
        page = tmp_path / f"frame-{number}.html"
        page.write_text(unescape(frame))
        said, dom = complaints_of(page)
        assert said == [] and "Words of the largest message" in dom


def test_complaints_are_seen(tmp_path):
    if CHROMIUM is None:
        pytest.skip("there is no chromium")
    page = tmp_path / "page.html"
    page.write_text("<!doctype html><script>undefined_function()</script>")
    assert any("undefined_function" in line for line in complaints_of(page)[0])


def test_a_page_for_a_cell():
    run = lockstep.machine("ring:4", recorded=True).run(lambda me: me.exchange((me.rank + 1) % 4, me.rank, me.rank - 1 & 3))
    page = run.view(title='A "ring"', height=300)
    cell = page._repr_html_()
    assert cell.startswith('<iframe title="A &quot;ring&quot;" sandbox="allow-scripts" ') and "height: 300px" in cell
    [held] = re.findall(r'srcdoc="([^"]*)"></iframe>$', cell)
    assert unescape(held) == page.html and page.html.startswith("<!DOCTYPE html>")
    assert not re.search(r'(src|href)="https?:', page.html)
    assert "<td>steps</td><td>1</td>" in run._repr_html_() and "<td>volume</td><td>4</td>" in run.counts._repr_html_()
