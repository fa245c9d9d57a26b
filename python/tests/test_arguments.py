"""What a wrong call is told: one line, with what the call takes, and what is near to a name that it does not."""

import copy
import itertools
import pickle
import traceback

import numpy
import pytest

import lockstep


def alone(me):
    return me.rank


MACHINE = lockstep.machine("ring:4")
RUN = MACHINE.run(alone)
NETWORK = MACHINE.topology
OPTIONS = (
    "network, ports, switching, strict, packet, stacks, stack, max_steps, count, recorded, clocked, view_failure, trace"
)


def line_of(call):
    with pytest.raises(TypeError) as caught:
        call()
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (
            lambda: lockstep.machine("torus:4x4", strct=True),
            f"machine takes no argument 'strct'; did you mean 'strict'? It takes {OPTIONS}",
        ),
        (
            lambda: lockstep.machine("torus:4x4", window=3),
            f"machine takes no argument 'window'; it takes {OPTIONS}",
        ),
        (lambda: lockstep.takes(stps=3), "takes takes no argument 'stps'; did you mean 'steps'? It takes steps, rounds"),
        (
            lambda: lockstep.takes(contention_atmost=3),
            "takes takes no argument 'contention_atmost'; did you mean 'contention_at_most'? It takes steps",
        ),
        (lambda: lockstep.Counts(wrds=3), "Counts takes no argument 'wrds'; did you mean 'words'? It takes steps"),
        (
            lambda: RUN.view(fil="x"),
            "view takes no argument 'fil'; did you mean 'file'? It takes file, title, height",
        ),
        (lambda: RUN.plot(axs=3), "plot takes no argument 'axs'; did you mean 'axes'? It takes axes"),
        (lambda: RUN.summary(full=True), "summary takes no argument 'full'; it takes none"),
        (
            lambda: NETWORK.route(sorce=0, to=1),
            "route takes no argument 'sorce'; did you mean 'source'? It takes source, to",
        ),
        (
            lambda: lockstep.graph([(0, 1)], procesors=2),
            "graph takes no argument 'procesors'; did you mean 'processors'? It takes links, processors, one_way",
        ),
        (
            lambda: lockstep.paper("suh-shin", procs=3),
            "paper takes no argument 'procs'; did you mean 'processors'? It takes name, processors",
        ),
        (
            lambda: lockstep.figure("suh-shin-13", upto=3),
            "figure takes no argument 'upto'; did you mean 'up_to'? It takes name, up_to",
        ),
        (lambda: lockstep.networks(x=1), "networks takes no argument 'x'; it takes none"),
        (
            lambda: lockstep.sweep("broadcast", on="ring:4").plot(colour=1),
            "plot takes no argument 'colour'; it takes x, y",
        ),
    ],
)
def test_an_unknown_keyword_names_the_nearest(call, text):
    assert line_of(call).startswith(text)


def test_unknown_options_of_algorithms_name_the_nearest():
    for call in lockstep.run, lockstep.sweep:
        assert line_of(lambda: call("all-to-all", on="torus:4x4", strct=True)).startswith(
            "strct needs a value, and not True; did you mean 'strict'? True is for --"
        )
        with pytest.raises(lockstep.UsageError, match="there is no option --wrds; did you mean --words"):
            call("all-to-all", on="torus:4x4", wrds=2)


def test_a_sweep_of_a_program_knows_its_keywords():
    def blocks(me, words, times=1):
        return [words] * times

    text = line_of(lambda: lockstep.sweep(blocks, on="ring:4", words=[1, 2], strct=True))
    assert text.startswith("a sweep of blocks takes no argument 'strct'; did you mean 'strict'? It takes words, times, ")
    assert text.endswith(", model, count, max_steps, packet, ports, stack, stacks, strict, switching")
    assert line_of(lambda: lockstep.sweep(blocks, on="ring:4")) == "a sweep of blocks misses its argument words"
    assert lockstep.sweep(lambda me, **any_name: None, on="ring:4", strct=True).all_right


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: lockstep.machine(), "machine misses its argument network"),
        (lambda: lockstep.machine("ring:4", "one"), "machine takes 1 argument at most without a name, and 2 were given"),
        (lambda: MACHINE.run(), "run misses its program: run(program, ...)"),
        (lambda: RUN.time(), "time misses its argument model"),
        (lambda: RUN.counts.time(4), "time misses its argument model"),
        (lambda: NETWORK.adjacent(0), "adjacent misses its argument to"),
        (lambda: NETWORK.hops(0, 1, source=2), "hops got its argument source twice"),
        (lambda: lockstep.takes(steps=1).check(), "check misses its argument run"),
        (lambda: lockstep.takes(3), "takes takes no argument without a name, and 1 was given"),
        (lambda: RUN.table(3), "table takes no argument without a name, and 1 was given"),
        (lambda: lockstep.models(1), "models takes no argument without a name, and 1 was given"),
        (lambda: lockstep.run("all-to-all"), "run misses its argument on"),
        (lambda: lockstep.sweep(alone), "sweep misses its argument on"),
    ],
)
def test_arguments_that_are_missing_or_too_many(call, text):
    assert line_of(call).startswith(text)


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: lockstep.machine(3.5), 'a network is a text such as "torus:4x4", or what graph makes, and not 3.5'),
        (lambda: lockstep.machine(None), 'a network is a text such as "torus:4x4", or what graph makes, and not None'),
        (lambda: lockstep.machine(numpy.ones((9, 9))), 'a network is a text such as "torus:4x4", or what graph makes'),
        (lambda: lockstep.machine("ring:4", ports=3), "machine: ports is a text, and not 3"),
        (lambda: lockstep.machine("ring:4", switching=2), "machine: switching is a text or None, and not 2"),
        (lambda: lockstep.machine("ring:4", strict="yes"), "machine: strict is True or False, and not 'yes'"),
        (lambda: lockstep.machine("ring:4", packet=numpy.ones((9, 9))), "packet is a whole number, 0 or more"),
        (lambda: MACHINE.run("x"), "run takes a program, a function of a processor, and not 'x'"),
        (lambda: NETWORK.route(0, None), "route: to is a whole number below 2**31, and not None"),
        (lambda: NETWORK.coordinates(10**30), "coordinates: rank is a whole number below 2**31, and not 1000"),
        (lambda: NETWORK.end_of(0, 1), "end_of: way is along(dimension, offset), and not 1"),
        (lambda: NETWORK.rank_at(["a"]), "rank_at: coordinates is a list of whole numbers, and not ['a']"),
        (lambda: NETWORK.members(0, 0), "members: dimensions is a list of whole numbers, and not 0"),
        (lambda: NETWORK.neighbours(numpy.ones(9)), "only integer scalar arrays"),  # numpy's own line
        (lambda: RUN.time(3), "time: model is a text, and not 3"),
        (lambda: RUN.counts.time("paragon", "x"), "time: processors is a whole number below 2**31, and not 'paragon'"),
        (lambda: RUN.timeline("loggp-clock", sharing="x"), "timeline: sharing is True or False, and not 'x'"),
        (lambda: RUN.view(title=3), "view: title is a text, and not 3"),
        (lambda: lockstep.graph(3), "graph: links are pairs of ranks, and not 3"),
        (lambda: lockstep.graph([(0, 1, 2)]), "graph: links are pairs of ranks, and not (0, 1, 2)"),
        (lambda: lockstep.graph([("a", "b")]), "graph: links are pairs of ranks, and not ('a', 'b')"),
        (lambda: lockstep.graph({0: [1], 1: ["b"]}), "graph: links are pairs of ranks, and not (1, 'b')"),
        (lambda: lockstep.graph([(0, 10**20)], 2), "graph: links is a list of pairs of whole numbers"),
        (lambda: lockstep.graph([(0, 1)], "x"), "graph: processors is a whole number below 2**31, and not 'x'"),
        (lambda: lockstep.graph([(0, 1)], name=3), "graph: name is a text, and not 3"),
        (lambda: lockstep.graph([(0, 1)], places=3), "graph: places is a list of pairs of numbers or None, and not 3"),
        (lambda: lockstep.sweep(3, on="ring:4"), "sweep takes a program or the names of algorithms, and not 3"),
    ],
)
def test_arguments_of_wrong_types(call, text):
    assert line_of(call).startswith(text)


def test_errors_from_inside_of_a_call_stay_as_they_are():
    class Wrong:
        def __index__(self):
            raise TypeError("of its own")

    assert line_of(lambda: NETWORK.route(0, Wrong())) == "of its own"
    assert line_of(lambda: RUN.time(lambda counts: 3)) != "time misses its argument model"
    with pytest.raises(lockstep.InvalidRank, match="there is no processor 9"):
        NETWORK.neighbours(9)


@pytest.mark.parametrize("wrong", [{"strct": True}, {"ports": "two"}, {"strict": "no"}])
def test_tracebacks_with_the_values_of_all_frames(wrong):
    with pytest.raises((TypeError, ValueError)) as caught:
        lockstep.machine("ring:4", **wrong)
    assert "explaining" in "".join(traceback.TracebackException.from_exception(caught.value, capture_locals=True).format())


@pytest.mark.parametrize("made", [MACHINE, RUN, RUN.counts, NETWORK, lockstep.takes(steps=1)], ids=lambda made: type(made).__name__)
def test_copies_are_refused_or_right(made):
    for copied in copy.copy, copy.deepcopy, lambda value: pickle.loads(pickle.dumps(value)):
        try:
            assert repr(copied(made)) == repr(made)
        except TypeError as refused:
            assert "cannot pickle" in str(refused)


PUBLIC_FUNCTIONS = (
    *("algorithms", "clocks", "figure", "figures", "graph", "missing_statements", "models", "networks"),
    *("paper", "papers", "run", "sweep", "takes"),
)


@pytest.mark.parametrize("name", PUBLIC_FUNCTIONS)
def test_functions_are_pickled_by_their_names(name):
    function = getattr(lockstep, name)
    assert pickle.loads(pickle.dumps(function)) is function


@pytest.mark.parametrize("wrong", [itertools.repeat(1), {0, 1}, {0: 1}, iter([0, 1]), "01"], ids=lambda wrong: type(wrong).__name__)
def test_what_is_not_a_sequence_is_no_list_of_coordinates(wrong):
    assert line_of(lambda: NETWORK.rank_at(wrong)).startswith("rank_at: coordinates is a list of whole numbers, and not ")


def test_a_page_of_a_failure_may_be_a_path(tmp_path):
    page = tmp_path / "failed.html"
    with pytest.raises(lockstep.Deadlock):
        lockstep.machine("crossbar:2", view_failure=page).run(lambda me: me.receive(1 - me.rank))
    assert page.exists()
    assert line_of(lambda: lockstep.machine("ring:4", view_failure=3)).startswith("view_failure is a path, and not 3")
    assert line_of(lambda: lockstep.machine("ring:4", trace=3)).startswith("trace is a path, and not 3")
    assert line_of(lambda: RUN.view(3)).startswith("view: file is a path, and not 3")
    assert line_of(lambda: RUN.view(height="a")).startswith("view: height is a number of pixels, and not 'a'")


def told(call):
    """Tell what a call of a program is told."""
    with pytest.raises(lockstep.ProcessorFailed) as caught:
        MACHINE.run(lambda me: call(me) if me.rank == 0 else me.idle())
    text = str(caught.value.__cause__)
    assert "\n" not in text
    return text


A_WAY = "a rank or along(dimension, offset) is expected here, and not "
AMOUNT = "a whole number, 0 or more and below 2**64, is expected here, and not "


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda me: me.send(1), "send misses its argument values"),
        (lambda me: me.send(to=1, value=2), "send takes no argument 'value'; did you mean 'values'? It takes to, values"),
        (lambda me: me.send(1, 2, to=1), "send got its argument to twice"),
        (lambda me: me.send(1, 2, 3), "send takes 2 arguments at most, and 3 were given"),
        (lambda me: me.receive(origin=1), "receive takes no argument 'origin'; it takes source, words"),
        (lambda me: me.all_gather(1, schme="x"), "all_gather takes no argument 'schme'; did you mean 'scheme'? It takes"),
        (lambda me: me.send("a", 1), A_WAY + "'a'"),
        (lambda me: me.send(1.5, 1), A_WAY + "1.5"),
        (lambda me: me.send(None, 1), A_WAY + "None"),
        (lambda me: me.send((0, 1, 2), 1), A_WAY + "(0, 1, 2)"),
        (lambda me: me.send({1: [2] * 99}, 1), A_WAY + "{1: [2, 2, 2, 2, 2, 2, ...]}"),
        (lambda me: me.exchange("a", 1), A_WAY + "'a'"),
        (lambda me: me.exchange(1, 2, "a"), "a whole number is expected here, and not 'a'"),
        (lambda me: me.receive("one"), "a whole number is expected here, and not 'one'"),
        (lambda me: me.receive(1, "a"), AMOUNT + "'a'"),
        (lambda me: me.receive(1, -1), AMOUNT + "-1"),
        (lambda me: me.idle(1.5), AMOUNT + "1.5"),
        (lambda me: me.work(-1), AMOUNT + "-1"),
        (lambda me: me.memory(2**64), AMOUNT + str(2**64)),
        (lambda me: me.phase(3), "a text is expected here, and not 3"),
        (lambda me: me.label(numpy.ones((9, 9))), "a text is expected here, and not array("),
        (lambda me: me.neighbour(1), "along(dimension, offset) is expected here, and not 1"),
        (lambda me: me.shift(1, 1), "along(dimension, offset) is expected here, and not 1"),
        (lambda me: me.subset(3), "a list of ranks or dimensions is expected here, and not 3"),
        (lambda me: me.subset(["a"]), "a whole number is expected here, and not 'a'"),
        (lambda me: me.receive_any(3), "a list of ranks or dimensions is expected here, and not 3"),
        (lambda me: me.post("a", 1), "a whole number is expected here, and not 'a'"),
        (lambda me: me.scatter("a"), AMOUNT + "'a'"),
        (lambda me: me.all_gatherv([1], 3), "a list of sizes is expected here, and not 3"),
        (lambda me: me.window(3), "a window is an array of numpy, an array.array or a bytearray, and not 3"),
        (lambda me: me.work_of(3), "a function without arguments is expected here, and not 3"),
    ],
)
def test_wrong_calls_of_a_processor(call, text):
    assert told(call).startswith(text)


def test_signatures_are_shown():
    import inspect

    assert str(inspect.signature(NETWORK.route)) == "(source: 'int', to: 'int')"
    assert "strict: 'bool' = False" in str(inspect.signature(lockstep.machine))
    assert lockstep.Network.route.__doc__.startswith("The processors that a message comes to")
