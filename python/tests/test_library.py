"""The library's algorithms: what Python says of a run is what the command line prints of it.

LOCKSTEP_CLI names a built command line to compare with; without it these comparisons are skipped, and the same
runs are compared with numbers alone.
"""

import json
import os
import pathlib
import signal
import subprocess
import sys
import textwrap
import time

import pytest

import lockstep

COMMAND_LINE = os.environ.get("LOCKSTEP_CLI")

compares = pytest.mark.skipif(not COMMAND_LINE, reason="LOCKSTEP_CLI names no command line to compare with")

#: Runs: algorithm, keywords, and steps, start-ups, words and volume.
RUNS = [
    ("all-to-all", {"on": "torus:12x12"}, (8, 8, 576, 82944)),
    ("all-to-all", {"on": "torus:12x12", "words": 2, "model": "paragon"}, (8, 8, 1152, 165888)),
    ("all-to-all-direct", {"on": "mesh:2x4"}, (7, 7, 7, 56)),
    ("prefix", {"on": "hypercube:4", "kind": "exclusive", "textbook": True}, (4, 4, 4, 64)),
    ("prefix", {"on": "tree:4", "operator": "max", "seed": 7}, (12, 12, 12, 28)),
    ("pipelined-prefix", {"on": "tree:4", "k": 5, "ports": "all"}, (10, 10, 10, 140)),
    ("broadcast", {"on": "hypercube:4", "words": 3, "scheme": "binomial"}, (4, 4, 12, 45)),
    ("all-reduce", {"on": "ring:6", "words": 12, "scheme": "ring", "engine": "threads"}, (10, 10, 20, 120)),
    ("reduce", {"on": "crossbar:9", "words": 2, "model": "loggp-clock", "sharing": "links"}, (16, 2, 10, 18)),
    ("radix-sort", {"on": "crossbar:8", "n": 256, "workers": 1}, (224, 32, 839, 6280)),
    ("bitonic-sort", {"on": "hypercube:3", "values": "small"}, (48, 48, 48, 384)),
    ("transpose", {"on": "crossbar:4", "words": 8, "access": "reads"}, (3, 1, 6, 24)),
    ("random-access-write", {"on": "crossbar:4", "n": 64, "stage_1": "direct", "dots": 25}, (17, 17, 66, 218)),
    ("cannon", {"on": "torus:2x2", "n": 8, "stacks": "own"}, (4, 4, 64, 192)),
    ("transportation", {"on": "crossbar:5", "t": 10, "strict": True}, (8, 8, 16, 80)),
]


def as_typed(options):
    words = []
    for name, value in options.items():
        words += ["--" + name.replace("_", "-")] + ([] if value is True else [str(value)])
    return words


def without_time(entry):
    """Leave out what differs from run to run, and what tells which numeric library did local work."""
    by_library = {"error", "library_error", "products", "transforms"}
    figures = {name: value for name, value in entry["figures"].items() if name not in by_library}
    return {**entry, "figures": figures, "seconds": 0}


@pytest.mark.parametrize(("algorithm", "options", "expected"), RUNS, ids=lambda item: str(item)[:40])
def test_counts_of_runs(algorithm, options, expected):
    run = lockstep.run(algorithm, **options)
    assert run.algorithm == algorithm
    assert run.network == {"ring:6": "torus:6"}.get(options["on"], options["on"])
    assert run.correct is True and run.all_right
    counts = run.counts
    assert (counts.steps, counts.startups, counts.words, counts.volume) == expected


@compares
@pytest.mark.parametrize(("algorithm", "options", "expected"), RUNS, ids=lambda item: str(item)[:40])
def test_runs_are_those_of_the_command_line(algorithm, options, expected):
    run = lockstep.run(algorithm, **options)
    done = subprocess.run(
        [COMMAND_LINE, "run", algorithm, "--json", *as_typed(options)], capture_output=True, text=True, check=True
    )
    assert without_time(run.as_dict()) == without_time(json.loads(done.stdout))


def test_every_example_runs():
    for entry in lockstep.algorithms():
        run = lockstep.run(entry["name"], on=entry["example"])
        assert run.correct is not False and run.all_right, entry["name"]
        assert all(claim["measured"] is not None for claim in run.claims), entry["name"]


def test_a_list_of_algorithms():
    known = {entry["name"]: entry for entry in lockstep.algorithms()}
    assert len(known) > 40
    entry = known["all-to-all"]
    assert entry["topologies"] == "any network" and "Suh and Shin" in entry["source"] and entry["summary"]
    words = {parameter["name"]: parameter for parameter in entry["parameters"]}["words"]
    assert (words["default"], words["least"], words["most"]) == (1, 1, 2**31 - 1)
    assert known["prefix"]["parameters"][0]["names"][0] == "inclusive"


def test_counts_claims_and_bounds():
    run = lockstep.run("all-to-all", on="torus:12x12")
    assert run.size == 144 and run.parameters["words"] == 1
    assert run.counts == lockstep.takes(steps=8, words=576, contention=1, hops_at_most=22)
    assert run.counts != lockstep.takes(steps=9)
    assert run.counts.link_words == run.counts.words
    assert [name for name, counts in run.phases][:2] == ["ring 1", "ring 2"]
    assert run.phases[0][1].words == 144
    steps = next(claim for claim in run.claims if claim["figure"] == "steps")
    assert (steps["formula"], steps["value"], steps["relation"], steps["measured"]) == ("C/2 + 2", 8, "=", 8)
    assert steps["verdict"] == "equal" and "Suh and Shin" in steps["source"]
    assert all(where.keys() == {"text", "met"} for claim in run.claims for where in claim["where"])
    assert any(bound["figure"] == "steps" and bound["value"] <= 8 for bound in run.bounds)
    assert run.figures["scheme"] == "paper"


def test_what_is_measured_of_a_figure_of_the_algorithm():
    run = lockstep.run("transportation", on="crossbar:5", t=10)
    for claim in run.claims:
        assert claim["measured"] == {**run.counts.as_dict(), **run.figures}[claim["figure"]]


def test_a_price():
    run = lockstep.run("all-to-all", on="torus:12x12", model="paragon")
    assert run.time() == run.time("paragon") == run.priced["value"]
    assert run.priced["unit"] == "us"
    assert run.time("bdm", tau_words=7) == 8 * 7 + 576
    unpriced = lockstep.run("all-to-all", on="torus:4x4")
    assert unpriced.priced is None
    with pytest.raises(TypeError, match="cost model"):
        unpriced.time()


def test_how_a_run_is_shown():
    run = lockstep.run("all-to-all", on="torus:4x4")
    assert repr(run) == "<all-to-all on torus:4x4: steps 4, startups 4, words 32, volume 512, hops 6>"
    assert "C/2 + 2" in run.table() and "correct    yes" in run.table() and str(run) == run.table()
    page = run._repr_html_()
    assert "<td>C/2 + 2</td>" in page and "correct" in page and "WRONG" not in page


def test_a_run_shows_claims_of_what_only_a_model_or_claims_measure():
    page = lockstep.run("transpose", on="crossbar:4", words=8, model="paragon")._repr_html_()
    assert "<td>time</td><td>" in page
    run = lockstep.run("reduce", on="crossbar:9", words=2, model="loggp-clock")
    assert all(f"<td>{claim['figure']}</td>" in run._repr_html_() for claim in run.claims)
    assert any(claim["figure"] == "time" for claim in run.claims)


def test_numbers_and_paths_as_values(tmp_path):
    numpy = pytest.importorskip("numpy")
    run = lockstep.run("all-to-all", on="torus:4x4", words=numpy.int64(3), scheme=None, textbook=False)
    assert run.parameters["words"] == 3
    file = tmp_path / "keys.csv"
    file.write_text("\n".join(str(9 - row) for row in range(8)) + "\n")
    output = pathlib.Path(tmp_path / "sorted.csv")
    lockstep.run("bitonic-sort", on="hypercube:2", input=file, output=output)
    assert output.read_text().split() == [str(row) for row in range(2, 10)]


def test_true_is_for_switches_alone(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("output", "words", "input", "trace", "scheme", "wrods"):
        with pytest.raises(TypeError, match=f"{name} needs a value, and not True; True is for .*--strict, --textbook"):
            lockstep.run("all-to-all", on="torus:4x4", **{name: True}, seed=3)
    with pytest.raises(TypeError, match="processors needs a value"):
        lockstep.paper("suh-shin", processors=True)
    assert list(tmp_path.iterdir()) == []
    run = lockstep.run("all-to-all", on="torus:4x4", textbook=True, strict=False, seed=3)
    assert run.parameters["textbook"] is True and run.parameters["seed"] == 3
    run = lockstep.run("greedy-route", on="hypercube:4", any_permutation=True, seed=3)
    assert run.parameters["any-permutation"] is True and run.parameters["seed"] == 3


def test_a_program_is_not_an_algorithm():
    with pytest.raises(TypeError, match=r"machine\(on\).run\(program\)"):
        lockstep.run(lambda me: me.rank, on="torus:4x4")


REFUSED = pytest.mark.parametrize(
    ("algorithm", "options", "text"),
    [
        ("all-to-al", {"on": "torus:4x4"}, "there is no algorithm 'all-to-al'; did you mean all-to-all"),
        ("all-to-all", {"on": "torus:4x4", "wrods": 2}, "there is no option --wrods"),
        ("all-to-all", {"on": "torus:4x4", "radix": 2}, "all-to-all has no parameter --radix"),
        ("all-to-all", {"on": "torus:4x4", "textbook": "yes"}, "--textbook: a flag takes no value"),
        ("all-to-all", {"on": "torus:4x4", "words": "many"}, "--words"),
        ("all-to-all", {"on": "torus:4x4", "model": "parago"}, "--model: there is no cost model 'parago'"),
        ("all-to-all", {"on": "torus:4x4", "engine": "steam"}, "--engine"),
        ("bitonic-sort", {"on": "hypercube:2", "input": "/there/is/none.csv"}, "/there/is/none.csv"),
    ],
)


@REFUSED
def test_what_is_refused_is_said_in_a_line(algorithm, options, text):
    with pytest.raises(lockstep.UsageError) as raised:
        lockstep.run(algorithm, **options)
    assert text in str(raised.value) and "\n" not in str(raised.value)
    assert isinstance(raised.value, lockstep.Error) and isinstance(raised.value, ValueError)


@compares
@REFUSED
def test_what_is_refused_is_said_in_the_line_of_the_command_line(algorithm, options, text):
    assert_the_same_line(algorithm, options, lockstep.UsageError)


def assert_the_same_line(algorithm, options, kind):
    with pytest.raises(kind) as raised:
        lockstep.run(algorithm, **options)
    typed = ["--textbook=yes" if word == "--textbook" else word for word in as_typed(options) if word != "yes"]
    done = subprocess.run([COMMAND_LINE, "run", algorithm, *typed], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (2, f"lockstep: {raised.value}\n")


def test_a_zero_byte_ends_no_value():
    with pytest.raises(lockstep.UsageError, match="a zero byte within '--on=torus:4x4...'"):
        lockstep.run("all-to-all", on="torus:4x4\0zzz")
    with pytest.raises(lockstep.InvalidTopology):
        lockstep.machine("torus:4x4\0zzz")


UNFIT = pytest.mark.parametrize(
    ("algorithm", "options", "kind"),
    [
        ("all-to-all", {"on": "donut:4"}, lockstep.InvalidTopology),
        ("prefix", {"on": "torus:4x4"}, lockstep.InvalidArgument),
        ("all-to-all", {"on": "torus:4x4", "words": 0}, lockstep.InvalidArgument),
        ("all-to-all-direct", {"on": "mesh:4x4", "strict": True}, lockstep.InvalidArgument),
    ],
)


@UNFIT
def test_networks_and_values_that_do_not_fit(algorithm, options, kind):
    with pytest.raises(kind):
        lockstep.run(algorithm, **options)


@compares
@UNFIT
def test_networks_and_values_that_do_not_fit_have_the_line_of_the_command_line(algorithm, options, kind):
    assert_the_same_line(algorithm, options, kind)


def test_an_error_of_the_machine(tmp_path):
    schedule = tmp_path / "wait.goal"
    schedule.write_text("num_ranks 2\nrank 0 {\nl1: recv 8b from 1\n}\nrank 1 {\nl1: recv 8b from 0\n}\n")
    with pytest.raises(lockstep.Deadlock) as raised:
        lockstep.run("goal", on="crossbar:2", input=schedule)
    assert sorted(raised.value.cycle) == [0, 1]


def test_options_of_the_output_are_for_the_command_line():
    with pytest.raises(TypeError, match="json is an option of how"):
        lockstep.run("all-to-all", on="torus:4x4", json=True)


def test_not_inside_a_program():
    def program(me):
        lockstep.run("all-to-all", on="torus:4x4")

    with pytest.raises(lockstep.InvalidArgument, match="run it before or after"):
        lockstep.machine("crossbar:2").run(program)


def test_counts_of_figures_by_name():
    counts = lockstep.Counts(steps=3, words=5)
    assert (counts.steps, counts.words, counts.link_words, counts.volume) == (3, 5, 5, 0)
    assert lockstep.Counts(words=5, link_words=9).link_words == 9
    with pytest.raises(TypeError, match="stepps"):
        lockstep.Counts(stepps=1)


@pytest.mark.parametrize(
    "call",
    [
        "lockstep.run('all-to-all', on='torus:48x48', words=8)",
        "lockstep.sweep('all-to-all', on='torus:48x48', words=range(1, 999))",
        "lockstep.paper('suh-shin', processors=4096)",
    ],
)
def test_an_interrupt_ends_a_run_of_the_library(call):
    script = textwrap.dedent(
        f"""
        import signal
        import lockstep
        signal.signal(signal.SIGINT, signal.default_int_handler)  # which a background job ignores
        lockstep.run("all-to-all", on="torus:4x4")
        print("begun", flush=True)
        try:
            while True:
                {call}
        except KeyboardInterrupt:
            print("interrupted", flush=True)
        # Another run is not concerned.
        assert lockstep.run("all-to-all", on="torus:4x4").correct
        """
    )
    process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "begun\n"
    time.sleep(0.3)
    begun = time.monotonic()
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=30) == ("interrupted\n", "")
    assert process.returncode == 0
    assert time.monotonic() - begun < 15


def test_a_run_has_its_steps_and_its_page(tmp_path):
    run = lockstep.run("all-to-all", on="torus:8x8", words=2)
    assert len(run.steps) == run.counts.steps == 6
    assert sum(step["volume"] for step in run.steps) == run.counts.volume
    assert len(run.processors) == 64 and run.choices == 0
    page = run.view(title="An exchange")
    assert "<iframe" in page._repr_html_() and len(page.html) > 10_000
    assert run.view(tmp_path / "run.html") is None
    assert (tmp_path / "run.html").stat().st_size > 10_000


def test_a_run_has_a_timeline():
    run = lockstep.run("all-to-all", on="torus:4x4")
    times = run.timeline("loggp-clock")
    assert times.makespan == lockstep.run("all-to-all", on="torus:4x4", model="loggp-clock").time()
    assert run.timeline("loggp-clock", latency_us=1000).makespan == run.timeline("loggp-clock:latency_us=1000").makespan > times.makespan
    assert len(times.processors) == 16


def test_runs_are_plotted():
    pytest.importorskip("matplotlib").use("Agg")
    for run in (
        lockstep.run("all-to-all", on="torus:4x4"),
        lockstep.machine("ring:4").run(lambda me: [me.exchange(me.rank ^ 1, 1) for _ in range(3)]),
    ):
        axes = run.plot()
        assert [axis.get_ylabel() for axis in axes] == ["words", "volume (words)", "contention"]
        assert list(axes[0].lines[0].get_ydata()) == [step["words"] for step in run.steps]
        assert run.plot(axes) is axes


def test_expectations_take_runs_and_counts():
    run = lockstep.run("all-to-all", on="torus:4x4")
    own = lockstep.machine("ring:4").run(lambda me: me.exchange(me.rank ^ 1, 1))
    right, wrong = lockstep.takes(steps=4), lockstep.takes(steps_at_most=3)
    assert run == right and right == run and run != wrong and run.counts == right
    assert own == lockstep.takes(steps=1) and own != right and own == own and len({own, run}) == 2
    assert own != 1 and run != 1 and run == run
    assert right.check(run) == right.check(run.counts) == right.check(lockstep.Counts(steps=4)) == ""
    report = wrong.check(run)
    assert report == wrong.check(run.counts) and "step 4" in report
    assert "run_record" not in report and "::" not in report
    with pytest.raises(TypeError, match="check takes a run, or its counts, and not 3"):
        right.check(3)
