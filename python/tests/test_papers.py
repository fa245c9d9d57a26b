"""Papers and figures: what Python says of them is what the command line prints."""

import csv
import json
import os
import subprocess
import sys

import pytest

import lockstep

COMMAND_LINE = os.environ.get("LOCKSTEP_CLI")


def printed(*words):
    done = subprocess.run([COMMAND_LINE, *words], capture_output=True, text=True, check=True)
    return done.stdout


def test_a_list_of_papers():
    names = [entry["name"] for entry in lockstep.papers()]
    assert names == ["suh-shin", "mayr-plaxton", "bader-helman-jaja", "shankar-ranka", "jaja-ryu"]
    assert lockstep.papers()[0]["source"].startswith("Suh and Shin")


@pytest.mark.parametrize(("name", "processors"), [("suh-shin", 16), ("jaja-ryu", 4)])
def test_tables_are_those_of_the_command_line(name, processors):
    tables = lockstep.paper(name, processors=processors)
    assert tables.name == name and tables.all_right
    assert sum(len(table) for table in tables) > 10
    if not COMMAND_LINE:
        return
    entry = json.loads(printed("paper", name, "--json", "--processors", str(processors)))
    assert [table.title for table in tables] == [table["title"] for table in entry["tables"]]
    for table, other in zip(tables, entry["tables"]):
        cells = [(row, cell) for row in other["rows"] for cell in row["cells"]]
        assert len(cells) == len(table.rows)
        for mine, (row, cell) in zip(table.rows, cells):
            assert {key: mine[key] for key in cell} == cell
            assert (mine["network"], mine["algorithm"]) == (row["network"], row["algorithm"])


def test_rows_of_a_table():
    first = lockstep.paper("suh-shin", processors=16)[0]
    assert first.title.startswith("Table 1, R x C torus;")
    assert [row["figure"] for row in first] == ["startups", "words", "hops", "rearranged", "barriers"]
    words = first.rows[1]
    assert (words["network"], words["algorithm"], words["correct"]) == ("torus:4x4", "proposed", True)
    assert (words["formula"], words["claimed"], words["measured"]) == ("RC(C + 4)m/4", 32, 32)
    assert (words["relation"], words["verdict"], words["least"]) == ("=", "equal", 15)


def test_how_tables_are_shown():
    tables = lockstep.paper("suh-shin", processors=16)
    assert repr(tables).startswith("<paper suh-shin: ")
    assert repr(tables[0]) == f"<{tables[0].title}: 5 values>"
    assert "<td>RC(C + 4)m/4</td>" in tables._repr_html_() and "<td>None</td>" not in tables._repr_html_()


def test_statements_that_nothing_runs():
    missing = lockstep.missing_statements("suh-shin")
    assert missing == lockstep.paper("suh-shin", processors=4).missing()
    assert missing[0].keys() == {"place", "statement", "kind", "why"}
    if COMMAND_LINE:
        assert missing == json.loads(printed("paper", "suh-shin", "--missing", "--json"))["missing"]


def test_names_that_there_are_not():
    with pytest.raises(lockstep.UsageError, match="there is no paper 'suh'"):
        lockstep.paper("suh")
    with pytest.raises(lockstep.UsageError, match="there is no paper 'suh'"):
        lockstep.missing_statements("suh")
    with pytest.raises(lockstep.UsageError, match="--processors: every network of the tables has more"):
        lockstep.paper("suh-shin", processors=1)
    with pytest.raises(lockstep.UsageError, match="there is no figure 'suh-shin'"):
        lockstep.figure("suh-shin")
    with pytest.raises(lockstep.UsageError, match="--up-to: the smallest network of suh-shin-13 is"):
        lockstep.figure("suh-shin-13", up_to=2)


def test_a_figure_is_that_of_the_command_line(tmp_path):
    names = [entry["name"] for entry in lockstep.figures()]
    assert "suh-shin-13" in names and lockstep.figures()[0]["sizes"][0] == 16
    figure = lockstep.figure("suh-shin-13", up_to=16)
    assert figure.all_right and "Intel Paragon" in figure.title
    first = figure.rows[0]
    assert (first["network"], first["reading"], first["algorithm"]) == ("torus:16x16", "cube", "proposed")
    assert (first["block_bytes"], first["us"]) == (1, pytest.approx(8830.432))
    cross = figure.cross_overs[0]
    assert (cross["rival"], cross["block_bytes"]) == ("[13]", pytest.approx(32.80100108))
    if COMMAND_LINE:
        printed("figure", "suh-shin-13", "--up-to", "16", "--output", str(tmp_path))
        with open(tmp_path / "suh-shin-13.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        assert len(rows) == len(figure) == len(list(figure))
        for row, mine in zip(rows, figure):
            assert (row["network"], row["reading"], row["algorithm"]) == (
                mine["network"],
                mine["reading"],
                mine["algorithm"],
            )
            assert float(row["us"]) == pytest.approx(mine["us"]) and float(row["block_bytes"]) == mine["block_bytes"]


def test_checks_of_a_figure():
    figure = lockstep.figure("jaja-ryu-packets")
    assert figure.checks and all(check["statement"] and check["verdict"] for check in figure.checks)


def test_a_plot(tmp_path):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    drawn = lockstep.figure("suh-shin-13", up_to=16).plot()
    assert len(drawn.axes) == 2
    assert [text.get_text() for text in drawn.axes[0].get_legend().get_texts()][0] == "proposed"
    drawn.savefig(tmp_path / "figure.png")
    assert (tmp_path / "figure.png").stat().st_size > 10_000


def test_without_matplotlib_plot_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(ImportError, match="python3-matplotlib"):
        lockstep.figure("suh-shin-13", up_to=16).plot()


def test_pandas_takes_the_rows():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(lockstep.paper("suh-shin", processors=16)[0].rows)
    assert list(frame["measured"]) == [4, 32, 6, 48, 3]
