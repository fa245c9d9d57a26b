"""Sweeps of the library's algorithms, which are those of the command line, and of programs."""

import json
import os
import subprocess
import sys

import pytest

import lockstep

COMMAND_LINE = os.environ.get("LOCKSTEP_CLI")


compares = pytest.mark.skipif(not COMMAND_LINE, reason="LOCKSTEP_CLI names no command line to compare with")


def rows_printed(*words):
    done = subprocess.run([COMMAND_LINE, "sweep", *words, "--json"], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def total(me):
    s = me.rank
    for d in range(me.size.bit_length() - 1):
        s += me.exchange(me.rank ^ (1 << d), s)
    return s


async def blocks(me, words, times=1):
    for _ in range(times):
        await me.exchange(me.rank ^ 1, [0.0] * words)


def sums():
    return lockstep.sweep(
        "all-reduce",
        on=["hypercube:3", "torus:3x3"],
        scheme=["ring", "recursive-doubling"],
        words=[1, 8],
        model="bdm",
    )


def test_a_sweep_of_an_algorithm():
    rows = sums()
    assert len(rows) == 8 and rows.varied == ["on", "scheme", "words"] and rows.all_right
    assert [row["status"] for row in rows] == ["right"] * 6 + ["left out"] * 2
    assert rows.notes.startswith("lockstep: 2 of 8 combinations left out: recursive-doubling on torus:3x3; the first: ")
    assert "does not fit torus:3x3" in rows[6]["reason"]
    first = rows[0]
    assert first["given"] == {"on": "hypercube:3", "scheme": "ring", "words": "1"}
    assert (first["counts"]["steps"], first["time"]["value"], first["correct"]) == (14, 14350, True)
    claim = first["claims"][0]
    assert (claim["figure"], claim["value"], claim["measured"], claim["verdict"]) == ("rounds", 14, 14, "equal")


@compares
def test_a_sweep_is_that_of_the_command_line():
    rows = sums()
    words = "all-reduce --on hypercube:3,torus:3x3 --scheme ring,recursive-doubling --words 1,8 --model bdm"
    entry = rows_printed(*words.split())
    for row in rows:
        for claim in row.get("claims", []):
            claim.pop("measured")
    assert list(rows) == entry["rows"] and rows.crossovers == entry["crossovers"]


def test_lists_ranges_and_texts_of_the_command_line_are_the_same():
    by_list = lockstep.sweep("all-to-all", on=["torus:4x4", "torus:8x4"], words=range(1, 4))
    by_text = lockstep.sweep("all-to-all", on="torus:{4,8}x4", words="1..3")
    assert list(by_list) == list(by_text) and len(by_list) == 6
    assert len(lockstep.sweep("all-to-all", on=["torus:{4,8}x4", "torus:4x4x4"])) == 3


def test_a_comma_within_a_value_stays_there():
    graph, model = "graph:0-1,1-2,2-0", "tau-sigma:tau_us=1,sigma_us_per_word=2"
    rows = lockstep.sweep("broadcast", on=[graph, "ring:4"], model=[model, "bdm"])
    assert len(rows) == 4 and rows[0]["given"] == {"on": graph, "model": model}


def test_several_algorithms():
    rows = lockstep.sweep(["all-to-all", "all-to-all-direct"], on=["torus:4x4", "torus:8x8"])
    assert rows.varied == ["algorithm", "on"]
    assert [row["counts"]["steps"] for row in rows] == [4, 6, 15, 63]


def test_efficiency():
    rows = lockstep.sweep(
        "bitonic-sort",
        on=["hypercube:1", "hypercube:2"],
        k=[256, 1024],
        model="bdm:operation_words=1",
        sequential="n log2 n",
    )
    assert all(0 < row["figures"]["efficiency"] <= 1.5 for row in rows)
    assert rows.flat()[0]["efficiency"] == rows[0]["figures"]["efficiency"]
    assert all(claim["measured"] is not None for row in rows for claim in row["claims"])


def test_flat_rows():
    flat = lockstep.sweep("all-to-all", on=["torus:4x4", "torus:8x8"], words=[1, 2], model="paragon").flat()
    assert [(row["network"], row["--words"], row["words"], row["steps"]) for row in flat] == [
        ("torus:4x4", 1, 32, 4),
        ("torus:4x4", 2, 64, 4),
        ("torus:8x8", 1, 192, 6),
        ("torus:8x8", 2, 384, 6),
    ]
    assert flat[0]["unit"] == "us" and flat[0]["status"] == "right" and flat[0]["algorithm"] == "all-to-all"


def test_flat_rows_have_all_counts():
    rows = lockstep.sweep(["all-to-all", "all-to-all-direct"], on=["torus:4x4", "torus:8x8"]).flat()
    runs = [lockstep.run(row["algorithm"], on=row["network"]).counts for row in rows]
    assert [row["link_words"] for row in rows] == [run.link_words for run in runs] == [32, 192, 22, 153]
    assert all(run.as_dict().items() <= row.items() for run, row in zip(runs, rows))


async def with_names_of_columns(me, **arguments):
    await me.exchange(me.rank ^ 1, [0] * sum(arguments.values()))


def test_what_varies_keeps_its_values_in_flat_rows():
    names = ("time", "unit", "status", "correct", "link_words", "algorithm", "network", "speedup")
    for name in names:
        varied = {name: [1, 2]}
        for model in (None, "paragon"):
            flat = lockstep.sweep(with_names_of_columns, on="crossbar:2", model=model, **varied).flat()
            assert [(row["--" + name], row["words"]) for row in flat] == [(1, 1), (2, 2)]
            assert {row["status"] for row in flat} == {"right"}
            assert all(("time" in row) == (model is not None) for row in flat)
    flat = lockstep.sweep("bitonic-sort", on="hypercube:2", k=[1, 2], seed=[1, 2]).flat()
    assert [(row["k"], row["seed"]) for row in flat] == [(1, 1), (1, 2), (2, 1), (2, 2)]


def test_arguments_of_a_program_with_names_of_calls():
    def program(me, program, what, self):
        me.exchange(me.rank ^ 1, [0] * (program + what + self))

    rows = lockstep.sweep(program, on="crossbar:2", program=[1, 2], what=3, self=4)
    assert [row["counts"]["words"] for row in rows] == [8, 9]
    assert lockstep.machine("crossbar:2").run(program, program=1, what=2, self=3).counts.words == 6


def test_models_of_a_program_are_read_before_any_run():
    made = []

    def program(me):
        made.append(me.rank)

    for model, text in (
        ("bdm:64", "bdm has no parameter '64'; it has tau_words"),
        ("bdm:tau=6", "bdm has no parameter 'tau'"),
        ("bdm:model=6", "bdm has no parameter 'model'"),
        ("bdm:tau_words=x", "write tau_words=NUMBER instead of 'tau_words=x'"),
        ("bdm:tau_words", "write tau_words=NUMBER instead of 'tau_words'"),
        ("bdm:tau_words=-1", "tau_words is a number of 0 or more"),
        ("bdm:tau_words=nan", "tau_words is a number of 0 or more"),
        ("parago", "there is no cost model 'parago' for programs; there are paragon, "),
        ("loggp-clock", "clocks price the library's algorithms only"),
    ):
        for models in (model, ["paragon", model]):
            with pytest.raises(lockstep.InvalidArgument, match=text):
                lockstep.sweep(program, on=["crossbar:2", "crossbar:3"], model=models)
    assert made == []
    rows = lockstep.sweep(total, on="hypercube:2", model=[None, "bdm", "bdm:tau_words=7"])
    assert [row["given"]["model"] for row in rows] == [None, "bdm", "bdm:tau_words=7"]
    assert rows[2]["time"] == {"model": "bdm:tau_words=7", "value": 2 * 7 + 2, "unit": "words"}
    assert "time" not in rows[0]


def test_numbers_of_numpy_vary():
    numpy = pytest.importorskip("numpy")
    for values in (numpy.arange(1, 3), [numpy.int64(1), numpy.int64(2)]):
        rows = lockstep.sweep(blocks, on="crossbar:4", times=values, words=2)
        assert [row["counts"]["words"] for row in rows] == [2, 4]
    seen = []
    lockstep.sweep(lambda me, n: seen.append(type(n)), on="crossbar:1", n=numpy.arange(2))
    assert seen == [int, int]


def test_true_is_for_switches_alone(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(TypeError, match="resume needs a value, and not True"):
        lockstep.sweep("bitonic-sort", on="hypercube:2", resume=True, k=[1, 2])
    assert list(tmp_path.iterdir()) == []
    assert len(lockstep.sweep("merge-sort", on="hypercube:2", fused=True, k=[1, 2])) == 2


def test_several_programs_and_empty_lists_are_refused():
    with pytest.raises(TypeError, match="sweep takes one program, or the names of algorithms"):
        lockstep.sweep([total, blocks], on="hypercube:2")
    for options in ({"on": []}, {"on": "hypercube:2", "packet": []}, {"on": "hypercube:2", "model": []}):
        with pytest.raises(lockstep.UsageError, match="needs a value"):
            lockstep.sweep(total, **options)


def test_what_is_refused():
    with pytest.raises(lockstep.UsageError, match="there is no algorithm 'all'"):
        lockstep.sweep("all", on=["torus:4x4"])
    with pytest.raises(lockstep.UsageError, match="none of 2 combinations fits"):
        lockstep.sweep("prefix", on=["torus:4x4", "mesh:4x4"])
    with pytest.raises(TypeError, match="textbook is something that is so or not"):
        lockstep.sweep("all-to-all", on="torus:4x4", textbook=[False, True])
    for option in ("csv", "columns", "plot_size"):
        with pytest.raises(TypeError, match=f"{option} is an option of how"):
            lockstep.sweep("all-to-all", on="torus:4x4", **{option: True})


def test_a_sweep_of_a_program():
    rows = lockstep.sweep(total, on=["hypercube:2", "hypercube:5"], model="paragon")
    assert [(row["topology"], row["processors"], row["counts"]["steps"]) for row in rows] == [
        ("hypercube:2", 4, 2),
        ("hypercube:5", 32, 5),
    ]
    assert rows.varied == ["on"] and rows.all_right and rows[0]["correct"] is None
    run = lockstep.machine("hypercube:5").run(total)
    assert rows[1]["counts"] == run.counts.as_dict()
    assert rows[1]["time"] == {"model": "paragon", "value": run.time("paragon"), "unit": "us"}


def test_options_of_the_machine_and_arguments_of_the_program_vary():
    rows = lockstep.sweep(
        blocks, on="crossbar:4", words=[1, 10], packet=[1, 4], times=3, model="bdm:tau_words=7"
    )
    assert [row["given"] for row in rows] == [
        {"words": words, "packet": packet} for words in (1, 10) for packet in (1, 4)
    ]
    assert [row["counts"]["words"] for row in rows] == [3, 12, 30, 36]
    assert rows[0]["time"]["value"] == 3 * 7 + 3
    assert [(row["--words"], row["packet"]) for row in rows.flat()] == [(1, 1), (1, 4), (10, 1), (10, 4)]


def test_runs_of_a_program_that_do_not_fit_or_fail():
    rows = lockstep.sweep(total, on=["hypercube:2", "donut:3", "ring:8"], switching=["neighbour"])
    assert [row["status"] for row in rows] == ["right", "left out", "failed"]
    assert "donut" in rows[1]["reason"] and "ring:8" not in rows.notes and rows.notes.startswith("1 of 3 left out: on ")
    assert not rows.all_right and len(rows.flat()) == 1 and repr(rows) == "<sweep: 3 runs, 1 left out, NOT all right>"
    with pytest.raises(lockstep.InvalidTopology):
        lockstep.sweep(total, on=["donut:3", "donut:4"])

    def wrong(me):
        raise RuntimeError("a mistake of the program")

    with pytest.raises(lockstep.ProcessorFailed, match="a mistake of the program"):
        lockstep.sweep(wrong, on=["ring:3", "ring:4"])


def test_plots(tmp_path):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    drawn = lockstep.sweep("all-to-all", on=["torus:4x4", "torus:8x8"], words=[1, 2, 4], model="paragon").plot()
    axis = drawn.axes[0]
    assert (axis.get_xlabel(), axis.get_ylabel(), len(axis.lines)) == ("--words", "time (us)", 2)
    assert list(axis.lines[0].get_xdata()) == [1, 2, 4]
    rows = lockstep.sweep(total, on=[f"hypercube:{d}" for d in range(1, 7)])
    axis = rows.plot().axes[0]
    assert (axis.get_xlabel(), axis.get_ylabel(), len(axis.lines)) == ("processors", "steps", 1)
    assert list(axis.lines[0].get_ydata()) == [1, 2, 3, 4, 5, 6]
    assert rows.plot(x="p").axes[0].get_xlabel() == "processors"
    rows.plot(y="volume").savefig(tmp_path / "volume.png")
    assert (tmp_path / "volume.png").stat().st_size > 5_000
    with pytest.raises(ValueError, match="none of the runs has a number 'tiem'"):
        rows.plot(y="tiem")
    numpy = pytest.importorskip("numpy")
    axis = lockstep.sweep(blocks, on="crossbar:4", words=[numpy.int64(1), numpy.int64(8)]).plot().axes[0]
    assert axis.get_xlabel() == "--words" and list(axis.lines[0].get_xdata()) == [1, 8]


class Axis:
    """Stands for matplotlib's: it keeps the points of each curve."""

    def __init__(self):
        self.drawn = {}

    def plot(self, x, y, marker, label):
        self.drawn[label] = list(zip(x, y))

    def __getattr__(self, name):
        return lambda *_: None


def test_points_of_plots(monkeypatch):
    axes = []

    class Pyplot:
        @staticmethod
        def subplots():
            axes.append(Axis())
            return axes[-1], axes[-1]

    monkeypatch.setattr(sys.modules["lockstep.sweeps"], "pyplot", lambda: Pyplot)
    rows = lockstep.sweep(["all-to-all", "all-to-all-direct"], on=["torus:4x4", "torus:8x8"])
    rows.plot(y="link_words")
    assert axes[-1].drawn == {"all-to-all": [(16, 32), (64, 192)], "all-to-all-direct": [(16, 22), (64, 153)]}
    rows.plot(x="link_words", y="steps")
    assert sorted(sum(axes[-1].drawn.values(), [])) == [(22, 15), (32, 4), (153, 63), (192, 6)]
    lockstep.sweep(total, on="hypercube:2", model=[None, "bdm", "paragon"]).plot(x="processors", y="time")
    assert sorted(axes[-1].drawn) == ["bdm", "paragon"]
    lockstep.sweep(with_names_of_columns, on="crossbar:2", time=[1, 4], model="paragon").plot()
    assert [x for x, _ in axes[-1].drawn[""]] == [1, 4]


def test_without_matplotlib_plot_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(ImportError, match="python3-matplotlib"):
        lockstep.sweep(total, on="hypercube:2").plot()


def test_pandas_takes_the_rows():
    pandas = pytest.importorskip("pandas")
    rows = lockstep.sweep("all-to-all", on=["torus:4x4", "torus:8x8"])
    assert list(pandas.DataFrame(rows.flat())["steps"]) == [4, 6]
    assert list(pandas.json_normalize(rows)["counts.steps"]) == [4, 6]


def test_how_a_sweep_is_shown():
    rows = lockstep.sweep("all-to-all", on=["torus:4x4", "torus:8x8"])
    assert repr(rows) == "<sweep: 2 runs, 0 left out>"
    assert "<td>torus:8x8</td>" in rows._repr_html_()
