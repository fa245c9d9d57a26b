"""Programs: what they return, what they cost, and how they send and receive."""

import array
import contextvars
import ctypes
import decimal
import functools
import gc
import sys

import numpy
import pytest

import lockstep

CUBE = 4


def total(me):
    s = me.rank
    for d in range(CUBE):
        s += me.exchange(me.rank ^ (1 << d), s)
    return s


async def total_awaited(me):
    s = me.rank
    for d in range(CUBE):
        s += await me.exchange(me.rank ^ (1 << d), s)
    return s


def on(network, program, *arguments, **options):
    return lockstep.machine(network, **options).run(program, *arguments)


@pytest.mark.parametrize("program", [total, total_awaited])
@pytest.mark.parametrize("stacks", ["own", "copied"])
def test_a_sum_takes_a_step_for_each_dimension(program, stacks):
    run = on(f"hypercube:{CUBE}", program, stacks=stacks)
    assert run.results == [120] * 16
    assert run.counts == lockstep.takes(
        steps=4, rounds=4, startups=4, words=4, volume=64, messages=64, hops=4, contention=1
    )
    assert run.counts.barriers == 3
    assert run.size == 16 and run.network == "hypercube:4" and run.pickled == 0


def test_both_kinds_of_programs_cost_the_same():
    assert on("hypercube:4", total).counts == on("hypercube:4", total_awaited).counts
    assert on("hypercube:4", total).counts != on("hypercube:4", lambda me: None).counts


def test_arguments_follow_the_processor():
    def program(me, first, second, *, third):
        return (me.rank, first, second, third)

    run = lockstep.machine("crossbar:2").run(program, 1, "two", third=[3])
    assert run.results == [(0, 1, "two", [3]), (1, 1, "two", [3])]


def test_a_partial_function_and_a_lambda_may_give_a_coroutine():
    async def program(me, by):
        return await me.exchange(1 - me.rank, me.rank * by)

    assert on("crossbar:2", functools.partial(program, by=3)).results == [3, 0]
    assert on("crossbar:2", lambda me: program(me, 5)).results == [5, 0]


def test_coroutines_and_functions_call_others():
    async def inner(me, value):
        return await me.exchange(1 - me.rank, value)

    async def outer(me):
        return await inner(me, me.rank) + 10 * await inner(me, 1)

    assert on("crossbar:2", outer).results == [11, 10]

    def plain_inner(me, value):
        return me.exchange(1 - me.rank, value)

    def plain(me):
        return sum(plain_inner(me, k) for k in range(3))

    assert on("crossbar:2", plain).results == [3, 3]


def test_send_and_receive():
    def program(me):
        if me.rank == 0:
            for value in (1, 2, 3):
                me.send(1, value)
            return me.receive(2)
        if me.rank == 1:
            return [me.receive(0) for _ in range(3)]
        me.send(to=0, values="end")

    run = on("crossbar:3", program)
    assert run.results == ["end", [1, 2, 3], None]
    assert run.counts == lockstep.takes(steps=3, messages=4)


def test_exchange_with_different_ends():
    def program(me):
        right, left = (me.rank + 1) % me.size, (me.rank - 1) % me.size
        return me.exchange(right, me.rank, left), me.exchange(right, me.rank, source=left)

    assert on("ring:4", program).results == [(3, 3), (0, 0), (1, 1), (2, 2)]


@pytest.mark.parametrize(
    "value, words",
    [
        (True, 1),
        (7, 1),
        (-(2**63), 1),
        (2**64 - 1, 1),
        (0.5, 1),
        (1 + 2j, 1),
        (None, 0),
        ("", 0),
        ("twelve bytes", 2),
        ("ä" * 4, 1),
        (b"123456789", 2),
        (bytearray(b"1234"), 1),
        ([1, 2.5, True], 3),
        ([], 0),
        ((1, 2), 2),
        (array.array("h", [1, 2, 3]), 3),
        (numpy.float32(1.5), 1),
        (numpy.arange(6, dtype=numpy.int16), 6),
        (numpy.ones((2, 3)), 6),
        (numpy.zeros(0), 0),
    ],
)
def test_what_is_sent_comes_in_and_counts_its_words(value, words):
    def program(me):
        return me.exchange(1 - me.rank, value)

    run = on("crossbar:2", program)
    for result in run.results:
        assert type(result) is type(value)
        assert numpy.array_equal(result, value)
    assert run.counts == lockstep.takes(words=words, volume=2 * words)
    assert run.pickled == 0


def test_bytes_count_eight_to_a_word_where_the_machine_says_so():
    def program(me):
        me.exchange(1 - me.rank, numpy.arange(5, dtype=numpy.int16))
        me.exchange(1 - me.rank, 1)

    assert on("crossbar:2", program).counts.words == 6
    assert on("crossbar:2", program, count="bytes").counts.words == 3


def test_anything_else_is_pickled_and_the_run_says_so():
    import pickle

    value = {"a": [1, "b"], "c": 2**70}
    words = -(-len(pickle.dumps(value)) // 8)

    def program(me):
        return me.exchange(1 - me.rank, value)

    run = on("crossbar:2", program)
    assert run.results == [value, value] and run.results[0] is not value
    assert run.counts.words == words
    assert run.pickled == 2 and "2 messages pickled" in repr(run)


def test_messages_are_copies():
    def program(me):
        mine = [me.rank] * 3
        row = numpy.full(3, me.rank)
        me.send(1 - me.rank, mine)
        me.send(1 - me.rank, row)
        mine[0] = row[0] = 99
        return me.receive(1 - me.rank), me.receive(1 - me.rank)

    numbers, row = on("crossbar:2", program).results[0]
    assert numbers == [1, 1, 1] and row.tolist() == [1, 1, 1]
    row[0] = 5  # the receiver's own


def test_slices_of_arrays_are_sent_as_they_are():
    def program(me):
        return me.exchange(1 - me.rank, numpy.arange(12).reshape(3, 4)[:, 1])

    assert on("crossbar:2", program).results[1].tolist() == [1, 5, 9]


def test_a_memoryview_keeps_its_form():
    def program(me):
        return me.exchange(1 - me.rank, memoryview(numpy.arange(6.0).reshape(2, 3)))

    result = on("crossbar:2", program).results[0]
    assert result.shape == (2, 3) and result.tolist() == [[0, 1, 2], [3, 4, 5]]


def test_steps_without_messages():
    def program(me):
        first = me.now
        me.idle(3)
        me.idle()
        me.work(10 * (me.rank + 1))
        me.rearrange(5)
        me.barrier()
        return first, me.now

    run = on("crossbar:2", program)
    assert run.results == [(1, 5), (1, 5)]
    assert run.counts.operations == 30 and run.counts.work == 20
    assert run.counts.rearranged == 5
    assert run.processors[1]["operations"] == 20


def test_phases_and_labels():
    async def program(me):
        await me.phase("first")
        await me.exchange(1 - me.rank, [1, 2])
        await me.phase("second")
        await me.label("skew")
        await me.exchange(1 - me.rank, 1)

    run = on("crossbar:2", program)
    assert [(name, counts.words) for name, counts in run.phases] == [("first", 2), ("second", 1)]
    assert run.labels[0]["name"] == "skew" and run.labels[0]["words"] == 1
    assert [step["phase"] for step in run.steps] == ["first", "second"]


@pytest.mark.parametrize("awaits", [False, True])
def test_labels_around_blocks(awaits):
    def plain(me):
        other = me.rank ^ 1
        me.label("before")
        me.exchange(other, 1)
        with me.label("outer"):
            me.exchange(other, [1, 2])
            me.label("first")
            me.exchange(other, [1, 2, 3])
            with me.label("inner"):
                me.work(10)
            me.exchange(other, 1)
            me.label("")
            me.exchange(other, 1)
        me.exchange(other, [1] * 5)
        me.label("last")

    async def awaited(me):
        other = me.rank ^ 1
        await me.label("before")
        await me.exchange(other, 1)
        async with me.label("outer"):
            await me.exchange(other, [1, 2])
            await me.label("first")
            await me.exchange(other, [1, 2, 3])
            async with me.label("inner"):
                await me.work(10)
            await me.exchange(other, 1)
            await me.label("")
            await me.exchange(other, 1)
        await me.exchange(other, [1] * 5)
        await me.label("last")

    run = on("crossbar:2", awaited if awaits else plain)
    found = [(one["name"], one["inside"], one["steps"], one["words"], one["operations"]) for one in run.labels]
    assert found == [
        *(("before", None, 6, 13, 20), ("outer", 0, 4, 7, 20), ("first", 1, 2, 4, 20), ("inner", 2, 0, 0, 20)),
        ("last", None, 0, 0, 0),
    ]
    assert [one["first_step"] for one in run.labels][:2] == [1, 2] and "    first " in run.label_table()


def test_labels_of_blocks_end_with_them():
    def leaves(me):
        for number in range(3):
            try:
                with me.label("block"):
                    me.exchange(me.rank ^ 1, 1)
                    if number == 1:
                        raise ValueError
                    with me.label(f"inner {number}"):
                        pass
            except ValueError:
                me.exchange(me.rank ^ 1, [1, 2])

    run = on("crossbar:2", leaves)
    assert [(one["name"], one["inside"], one["steps"]) for one in run.labels] == [
        *(("block", None, 3), ("inner 0", 0, 0), ("inner 2", 0, 0)),
    ]

    def deadlocks(me):
        with me.label("waits"):
            me.receive(me.rank ^ 1)

    async def deadlocks_too(me):
        async with me.label("waits"):
            await me.receive(me.rank ^ 1)

    for program in (deadlocks, deadlocks_too):
        with pytest.raises(lockstep.Deadlock):
            on("crossbar:2", program)


def test_labels_that_are_refused():
    async def forgets(me):
        me.label("forgotten")
        await me.exchange(me.rank ^ 1, 1)

    async def forgets_at_the_end(me):
        me.label("forgotten")

    async def plain_with(me):
        with me.label("block"):
            pass

    def later(me):
        label = me.label("block")
        me.exchange(me.rank ^ 1, 1)
        with label:
            pass

    for program, text in (
        (forgets, "was not awaited"),
        (forgets_at_the_end, "was not awaited"),
        (plain_with, "was not awaited"),
        (later, "a label is entered where it is given"),
    ):
        with pytest.raises(lockstep.ProcessorFailed, match=text):
            on("crossbar:2", program)
    kept = []
    on("crossbar:2", lambda me: kept.append(me.label("kept")))
    with pytest.raises(RuntimeError, match="the run is over"):
        kept[0].__enter__()
    with pytest.raises(lockstep.ProcessorFailed, match="a text is expected"):
        on("crossbar:2", lambda me: me.label(3))


@pytest.mark.parametrize("awaits", [False, True])
def test_pipelined_rounds_pay_one_startup(awaits):
    def plain(me):
        with me.pipelined():
            for other in range(1, me.size):
                me.send((me.rank + other) % me.size, me.rank)
            got = [me.receive((me.rank - other) % me.size) for other in range(1, me.size)]
        return sum(got)

    async def awaited(me):
        async with me.pipelined():
            for other in range(1, me.size):
                await me.send((me.rank + other) % me.size, me.rank)
            got = [await me.receive((me.rank - other) % me.size) for other in range(1, me.size)]
        return sum(got)

    run = on("crossbar:4", awaited if awaits else plain)
    assert run.results == [6, 5, 4, 3]
    assert run.counts == lockstep.takes(steps=3, startups=1, words=3)


@pytest.mark.parametrize("awaits", [False, True])
def test_a_receive_takes_the_oldest_message_with_its_own_tag(awaits):
    def plain(me):
        if me.rank == 0:
            with me.tagged(7):
                me.send(1, 70)
            return me.send(1, 1)
        got = [me.receive(0)]
        with me.tagged(3):
            with pytest.raises(ValueError), me.tagged(7):
                got.append(me.receive(0))
                raise ValueError
            return got, me.pending(0)

    async def awaited(me):
        if me.rank == 0:
            async with me.tagged(7):
                await me.send(1, 70)
            return await me.send(1, 1)
        got = [await me.receive(0)]
        async with me.tagged(3):
            with pytest.raises(ValueError):
                async with me.tagged(7):
                    got.append(await me.receive(0))
                    raise ValueError
            return got, await me.pending(0)

    assert on("crossbar:2", awaited if awaits else plain).results[1] == ([1, 70], 0)


def test_tags_that_are_refused():
    def program(me, tag):
        with me.tagged(tag):
            me.send(1 - me.rank, 1)

    with pytest.raises(lockstep.InvalidArgument, match="tag 255: tags are numbered 0 to 254"):
        on("crossbar:2", lambda me: program(me, 255))
    with pytest.raises(lockstep.InvalidArgument, match="call me.choose_pass"):
        lockstep.machine("crossbar:2", ports="per-pass").run(lambda me: program(me, 1))
    with pytest.raises(lockstep.UnreceivedMessage, match="in step 1 with tag 9 was still in"):
        on("crossbar:2", lambda me: program(me, 9))


def test_ways_on_a_grid():
    def program(me):
        right = lockstep.along(0, 1)
        moved = me.shift(right, me.rank)
        me.send(right, "x") if me.neighbour(right) is not None else None
        left = me.neighbour(lockstep.along(0, -1))
        return moved, None if left is None else me.receive(left)

    assert on("mesh:3", program).results == [(None, None), (0, "x"), (1, "x")]

    def turned(me):
        return me.exchange(lockstep.along(0, -1), me.rank, source=(me.rank + 1) % me.size)

    assert on("torus:3", turned).results == [1, 2, 0]


def test_subsets_have_ranks_of_their_own():
    def program(me):
        row, column = me.row(), me.column()
        half = me.subset([0, 1, 2]) if me.rank < 3 else me.subset([5, 4, 3])
        plane = me.subset(dimensions=[0])
        across = row.exchange((row.rank + 1) % row.size, me.rank, (row.rank - 1) % row.size)
        half.barrier()
        return across, (column.rank, column.size), half.rank, plane.size, me.slice(0).size

    run = on("torus:3x2", program)
    assert run.results[0] == (1, (0, 3), 0, 3, 2)
    assert run.results[5] == (4, (2, 3), 0, 3, 2)


def test_whoever_comes_first():
    def program(me):
        if me.rank > 0:
            me.idle(me.size - me.rank)
            me.send(0, me.rank * 10)
            return None
        came = [me.receive_any() for _ in range(me.size - 2)]
        last = me.receive_any([1])
        return came + [last]

    run = on("crossbar:4", program)
    assert run.results[0] == [(3, 30), (2, 20), (1, 10)]

    def polls(me):
        if me.rank == 1:
            me.idle(2)
            return me.send(0, "late")
        tries = 0
        while (came := me.try_receive(1)) is None:
            tries += 1
        return tries, came, me.pending(1)

    tries, came, left = on("crossbar:2", polls).results[0]
    assert tries > 0 and came == "late" and left == 0


def test_prices_tables_and_dicts():
    run = on("hypercube:4", total)
    assert run.time("paragon") > 0
    assert run.time("bdm", tau_words=5) == 4 * 5 + 4
    assert len(run.table().splitlines()) == 5
    assert "startups" in run.summary() or "start-ups" in run.summary()
    assert run.counts.as_dict()["volume"] == 64
    assert "<table>" in run._repr_html_() and "64" in run._repr_html_()
    assert {"name", "summary", "unit", "parameters"} == set(lockstep.models()[0])
    assert "hypercube:D" in [kind["syntax"] for kind in lockstep.networks()]


def test_expectations_say_where_a_run_differs():
    run = on("hypercube:4", total)
    wanted = lockstep.takes(steps=3, words=4)
    assert repr(wanted) == "<takes steps = 3, words = 4>"
    assert not (run.counts == wanted)
    assert repr(wanted) == (
        "<takes steps = 3, words = 4, but steps: 4, instead of 3; "
        "after step 3 come in, in step 4: 8 -> 0: 1 word>"
    )
    assert "step" in wanted.check(run)
    assert lockstep.takes(steps=4).contention_free().check(run) == ""
    assert run.counts == lockstep.takes(steps_at_most=5)
    with pytest.raises(TypeError, match="stepps"):
        lockstep.takes(stepps=3)


def test_pages_show_the_python_source(tmp_path):
    def program(me):
        me.note("to the other")
        me.show("value", me.rank)
        me.show("row", numpy.arange(3))
        me.show("matrix", numpy.eye(2))
        me.show("name", "a text")
        return me.exchange(1 - me.rank, 1)

    page = tmp_path / "run.html"
    run = on("crossbar:2", program, recorded=True)
    run.view(page, title="A page")
    assert run.counts.steps == 1
    text = page.read_text()
    assert "A page" in text and len(text) > 10_000
    on("crossbar:2", program).view(str(page))


def test_pages_find_the_source_of_a_notebooks_cell(tmp_path):
    import linecache

    text = "async def program(me):\n    return await me.exchange(1 - me.rank, 1)  # in a cell\n"
    file = "/tmp/ipykernel_1/2.py"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    names = {}
    exec(compile(text, file, "exec"), names)
    run = on("crossbar:2", names["program"], recorded=True)
    run.view(tmp_path / "with.html")
    del linecache.cache[file]
    run.view(tmp_path / "without.html")
    assert (tmp_path / "with.html").stat().st_size > (tmp_path / "without.html").stat().st_size


def test_options():
    def several(me):
        for other in range(1, me.size):
            me.send((me.rank + other) % me.size, 1)
        for other in range(1, me.size):
            me.receive((me.rank - other) % me.size)

    assert on("crossbar:4", several).counts.steps == 3
    assert on("crossbar:4", several, ports="all").counts.steps == 1
    assert on("crossbar:4", several, packet=8).counts.words == 24
    with pytest.raises(lockstep.InvalidArgument, match='"one", "all", "per-pass"'):
        lockstep.machine("crossbar:4", ports="two")
    with pytest.raises(lockstep.InvalidTopology):
        lockstep.machine("crossbar:none")
    assert repr(lockstep.machine("torus:2x2")) == 'lockstep.machine("torus:2x2")'
    assert lockstep.machine("torus:2x2").size == 4


def test_a_machine_runs_many_times_and_leaves_nothing_behind():
    import gc
    import weakref

    class Result:
        pass

    machine = lockstep.machine("crossbar:2")
    kept = []

    def program(me):
        kept.append(weakref.ref(result := Result()))
        me.exchange(1 - me.rank, numpy.zeros(3))
        return result

    for _ in range(50):
        machine.run(program)
    gc.collect()
    assert len(kept) == 100 and all(one() is None for one in kept)


def test_machines_run_where_others_rule_the_stack_or_the_loop():
    import asyncio

    import greenlet

    async def cell():  # as notebooks run their cells
        return on("hypercube:4", total).results[0], on("hypercube:4", total_awaited).results[0]

    assert asyncio.run(cell()) == (120, 120)
    switched = greenlet.greenlet(lambda: on("hypercube:4", total).results[0])
    assert switched.switch() == 120
    assert on("hypercube:4", total).results[0] == 120


def test_a_program_may_be_a_method_or_any_callable():
    class Sum:
        def __init__(self, by):
            self.by = by

        def method(self, me):
            return me.exchange(1 - me.rank, me.rank * self.by)

        async def awaited(self, me):
            return await me.exchange(1 - me.rank, me.rank * self.by)

        def __call__(self, me):
            return self.method(me)

    for program in Sum(3), Sum(3).method, Sum(3).awaited:
        assert on("crossbar:2", program).results == [3, 0]
    with pytest.raises(TypeError):
        on("crossbar:2", "no program")


def words_of(value, **options):
    """The words of a message, and what its receiver gets."""

    def program(me):
        if me.rank == 0:
            me.send(1, value)
        else:
            return me.receive(0)

    run = on("crossbar:2", program, **options)
    return run.counts.words, run.results[1], run.pickled


def test_lists_of_numbers_of_numpy_have_a_word_for_each():
    assert words_of(tuple(numpy.arange(100.0))) == (100, tuple(range(100)), 0)
    assert words_of([numpy.int64(1)] * 4) == (4, [1] * 4, 0)
    assert words_of([numpy.float32(0.5), numpy.bool_(True), 2, 1j]) == (4, [0.5, True, 2, 1j], 0)
    words, value, pickled = words_of(numpy.int16(7))
    assert (words, value, type(value), pickled) == (1, 7, numpy.int16, 0)
    assert words_of([numpy.int64(1), "text"])[2] == 1


def test_texts_and_bytes_of_numpy_are_texts_and_bytes():
    assert words_of(numpy.bytes_(b"x" * 20)) == (3, b"x" * 20, 0)
    assert words_of(numpy.str_("x" * 20)) == (3, "x" * 20, 0)


class Sending:
    """A rank, or a value, that sends when it is read."""

    def __init__(self, send):
        self.send = send

    def __index__(self):
        self.send()
        return 1

    def __reduce__(self):
        self.send()
        return (int, (5,))


def test_arguments_that_make_calls_of_their_own():
    def program(me):
        if me.rank == 0:
            me.send(1, Sending(lambda: me.send(2, 20)))
            me.send(Sending(lambda: me.send(2, 21)), 6)
            me.exchange(1, Sending(lambda: me.send(2, 22)))
        elif me.rank == 1:
            return me.receive(0), me.receive(0), me.exchange(0, 7)
        else:
            return [me.receive(0) for _ in range(3)]

    assert on("crossbar:3", program).results == [None, (5, 6, 5), [20, 21, 22]]

    async def awaited(me):
        await me.send(1, Sending(lambda: me.send(1, 20)))

    with pytest.raises(lockstep.ProcessorFailed, match="was not awaited"):
        on("crossbar:2", awaited)


def test_lists_that_change_while_they_are_read():
    class Clearing:
        def __index__(self):
            numbers.clear()
            return 1

    numbers = [Clearing(), 1, 2]
    assert on("crossbar:1", lambda me: me.all_reduce(numbers)).results == [[1]]


def test_plain_programs_at_any_depth():
    def leaf(value):
        return value + 1

    def nested(me, depth):
        if depth:
            return nested(me, depth - 1)
        value = me.rank
        for _ in range(50):
            value = leaf(value)
            me.exchange(me.rank ^ 1, value)
        return value

    for depth in [*range(40), 300]:
        assert on("crossbar:2", nested, depth).results == [50, 51]


def test_frames_outlive_their_programs():
    frames = []

    def program(me):
        kept = [me.rank]
        frames.append(sys._getframe())
        me.exchange(me.rank ^ 1, 1)
        return kept

    on("crossbar:4", program)
    assert [frame.f_locals["kept"] for frame in frames] == [[0], [1], [2], [3]]

    def fails(me):
        kept = [me.rank]
        me.exchange(me.rank ^ 1, 1)
        raise ValueError(kept)

    with pytest.raises(lockstep.ProcessorFailed) as caught:
        on("crossbar:4", fails)
    frame = caught.value.__cause__.__traceback__.tb_frame
    assert frame.f_locals["kept"] == [caught.value.rank]


@pytest.mark.parametrize(
    "call",
    [
        lambda row, me: row.barrier(),
        lambda row, me: row.exchange(row.rank ^ 1, me.rank),
        lambda row, me: row.all_reduce(me.rank),
        lambda row, me: row.all_gather([me.rank]),
        lambda row, me: row.window(bytearray(4)).read(row.rank ^ 1, 0, 2),
        lambda row, me: row.subset(range(row.size)),
    ],
)
def test_calls_of_a_subset_that_the_program_does_not_keep(call):
    async def temporary(me):
        return await call(await me.row(), me)

    async def deleted(me):
        row = await me.row()
        made = call(row, me)
        del row
        return await made

    def plain(me):
        return call(me.row(), me)

    machine = lockstep.machine("torus:4x4")
    expected = machine.run(plain)
    for program in temporary, deleted:
        run = machine.run(program)
        assert run.counts == expected.counts
        assert [repr(one) for one in run.results] == [repr(one) for one in expected.results]


def test_rounds_of_a_subset_that_the_program_does_not_keep():
    async def program(me):
        async with (await me.row()).pipelined():
            gc.collect()
            return await (await me.row()).exchange(me.rank % 4 ^ 1, me.rank)

    run = lockstep.machine("torus:4x4").run(program)
    assert run.results == [rank ^ 1 for rank in range(16)] and run.counts == lockstep.takes(startups=1)


@pytest.mark.parametrize("digits", [None, 50])
def test_programs_have_context_variables_of_their_own(digits):
    variable = contextvars.ContextVar("variable", default=None)

    def plain(me):
        found = variable.get()
        variable.set(me.rank)
        me.barrier()
        decimal.getcontext().prec += me.rank
        me.barrier()
        with decimal.localcontext() as local:
            local.prec = 5 + me.rank
            me.barrier()
            third = str(decimal.Decimal(1) / 3)
        return found, variable.get(), decimal.getcontext().prec, third

    async def awaited(me):
        found = variable.get()
        variable.set(me.rank)
        await me.barrier()
        decimal.getcontext().prec += me.rank
        await me.barrier()
        with decimal.localcontext() as local:
            local.prec = 5 + me.rank
            await me.barrier()
            third = str(decimal.Decimal(1) / 3)
        return found, variable.get(), decimal.getcontext().prec, third

    def caller():
        if digits:
            decimal.getcontext().prec = digits
            variable.set("the caller's")
        found = [lockstep.machine("ring:4").run(program).results for program in (plain, awaited)]
        assert variable.get() == ("the caller's" if digits else None)
        assert decimal.getcontext().prec == (digits or 28)
        return found

    first, second = contextvars.Context().run(caller)
    assert first == second
    assert first == [
        ("the caller's" if digits else None, rank, (digits or 28) + rank, "0." + "3" * (5 + rank)) for rank in range(4)
    ]


def test_operators_and_closed_programs_run_in_the_context_of_their_program():
    variable = contextvars.ContextVar("variable", default=None)
    seen = []

    async def program(me):
        variable.set(me.rank)

        def plus(left, right):
            seen.append(("adds", variable.get() in range(4)))
            return left + right

        await me.all_reduce(1, plus)
        try:
            if me.rank == 0:
                raise ValueError("ends all")
            await me.receive(0)
        finally:
            seen.append(("ends", variable.get() == me.rank))

    with pytest.raises(lockstep.ProcessorFailed):
        lockstep.machine("ring:4").run(program)
    assert variable.get() is None
    assert {*seen} == {("adds", True), ("ends", True)} and seen.count(("ends", True)) == 4


def test_arrays_of_ctypes_and_dates_of_numpy_are_sent_as_what_they_are():
    numbers = (ctypes.c_int * 3)(1, 2, 3)
    run = on("crossbar:2", lambda me: me.exchange(1 - me.rank, numbers))
    assert [list(one) for one in run.results] == [[1, 2, 3]] * 2
    assert all(type(one) is type(numbers) and one is not numbers for one in run.results)
    assert run.counts == lockstep.takes(words=3) and run.pickled == 0
    day = numpy.datetime64("2024-02-29")
    run = on("crossbar:2", lambda me: me.exchange(1 - me.rank, day))
    assert run.results == [day] * 2
    assert run.counts == lockstep.takes(words=1) and run.pickled == 0
