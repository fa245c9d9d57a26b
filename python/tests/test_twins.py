"""Supersteps, one-sided windows and counted work: plain, awaited, and as their C++ twins.

LOCKSTEP_TWINS names the program made of twins.cpp; without it the two kinds of Python programs are compared.
"""

import array
import ctypes
import decimal
import fractions
import json
import os
import subprocess

import numpy
import pytest

import lockstep

TWINS = os.environ.get("LOCKSTEP_TWINS")


def post_and_deliver(me):
    for superstep in range(3):
        for i in range(4):
            me.post((3 * me.rank + 5 * i + superstep) % me.size, [i] * ((me.rank + i) % 4))
        for source, values in me.deliver():
            words = sum(len(value) for value in values)
            if words:
                me.work(words + source)


async def post_and_deliver_awaited(me):
    for superstep in range(3):
        for i in range(4):
            await me.post((3 * me.rank + 5 * i + superstep) % me.size, [i] * ((me.rank + i) % 4))
        for source, values in await me.deliver():
            words = sum(len(value) for value in values)
            if words:
                await me.work(words + source)


def announced(me):
    me.post((me.rank + 1) % me.size, me.rank)
    me.deliver(announced=True)


async def announced_awaited(me):
    await me.post((me.rank + 1) % me.size, me.rank)
    await me.deliver(True)


def in_columns(me):
    column = me.column()
    column.post(0, [me.rank] * 5)
    column.post(column.size - 1, me.rank)
    column.deliver()
    me.barrier()


async def in_columns_awaited(me):
    column = await me.column()
    await column.post(0, [me.rank] * 5)
    await column.post(column.size - 1, me.rank)
    await column.deliver()
    await me.barrier()


def one_sided(me):
    window = me.window(numpy.arange(8.0) + 8 * me.rank)
    following = (me.rank + 1) % me.size
    window.write(following, 0, window.read(following, 2, 3))
    if me.rank % 2 == 0 and me.rank > 0:
        window.read(0, 7)
    else:
        window.sync()
    if me.rank == 1:
        window.write(0, 4, 1.5)
    else:
        window.sync()


async def one_sided_awaited(me):
    window = me.window(array.array("d", (8.0 * me.rank + i for i in range(8))))
    following = (me.rank + 1) % me.size
    await window.write(following, 0, await window.read(following, 2, 3))
    if me.rank % 2 == 0 and me.rank > 0:
        await window.read(0, 7)
    else:
        await window.sync()
    if me.rank == 1:
        await window.write(0, 4, 1.5)
    else:
        await window.sync()


def insertion_sort(keys):
    for i in range(1, len(keys)):
        j = i
        while j > 0 and keys[j] < keys[j - 1]:
            keys[j - 1], keys[j] = keys[j], keys[j - 1]
            j -= 1


def doubled_sum(keys):
    total = lockstep.counted(0)
    for key in keys:
        total += key * 2
    return total


def sorted_keys(me):
    keys = [lockstep.counted((7 * i + 5 * me.rank) % 13) for i in range(12)]
    me.work_of(lambda: insertion_sort(keys))
    other = me.exchange(me.rank ^ 1, keys)
    return keys, me.work_of(lambda: doubled_sum(other))


async def sorted_keys_awaited(me):
    keys = [lockstep.counted((7 * i + 5 * me.rank) % 13) for i in range(12)]
    await me.work_of(lambda: insertion_sort(keys))
    other = await me.exchange(me.rank ^ 1, keys)
    return keys, await me.work_of(lambda: doubled_sum(other))


RUNS = [
    ("post_and_deliver", "torus:3x3", {}, post_and_deliver, post_and_deliver_awaited),
    ("post_and_deliver in packets", "crossbar:6", {"packet": 4}, post_and_deliver, post_and_deliver_awaited),
    ("announced", "ring:5", {}, announced, announced_awaited),
    ("in_columns", "mesh:3x4", {}, in_columns, in_columns_awaited),
    ("one_sided", "crossbar:5", {}, one_sided, one_sided_awaited),
    ("one_sided on a torus", "torus:2x3", {}, one_sided, one_sided_awaited),
    ("sorted_keys", "hypercube:3", {}, sorted_keys, sorted_keys_awaited),
]


@pytest.fixture(scope="module")
def twins():
    if not TWINS:
        return {}
    return json.loads(subprocess.run([TWINS], capture_output=True, text=True, check=True).stdout)


@pytest.mark.parametrize(("name", "network", "options", "plain", "awaited"), RUNS, ids=lambda item: str(item)[:30])
def test_counts_are_those_of_the_twins(twins, name, network, options, plain, awaited):
    machine = lockstep.machine(network, **options)
    first, second = machine.run(plain), machine.run(awaited)
    assert first.counts == second.counts and first.pickled == second.pickled == 0
    assert first.counts.steps > 0
    if TWINS:
        assert first.counts.as_dict() == twins[name]


# --- post and deliver ---


def test_what_is_posted_comes_out_sorted_by_sender_in_posting_order():
    def program(me):
        for to in range(me.size):
            me.post(to, me.rank)
            me.post(to, {"from": me.rank})
            me.post(to, [1.5] * to)
        return me.deliver()

    run = lockstep.machine("crossbar:3").run(program)
    assert run.results[2] == [(rank, [rank, {"from": rank}, [1.5, 1.5]]) for rank in range(3)]
    assert run.results[0] == [(rank, [rank, {"from": rank}]) for rank in range(3)]  # the empty list adds none
    assert run.pickled == 9


def test_posts_are_copied():
    def program(me):
        values = numpy.zeros(3)
        me.post(me.rank, values)
        me.post(1 - me.rank, values)
        values += 1
        return me.deliver()

    for (_, mine), (_, other) in lockstep.machine("crossbar:2").run(program).results:
        assert list(mine[0]) == list(other[0]) == [0, 0, 0]


def test_a_sender_of_nothing_but_empty_values_is_there():
    def program(me):
        if me.rank == 0:
            me.post(1, None)
        return me.deliver()

    run = lockstep.machine("crossbar:2").run(program)
    assert run.results == [[], [(0, [])]]
    assert run.counts == lockstep.takes(words=0, messages=0)


def test_several_supersteps_and_words():
    def program(me):
        got = []
        for superstep in range(1, 4):
            me.post((me.rank + superstep) % me.size, numpy.full(superstep, me.rank))
            me.post((me.rank + superstep) % me.size, "12345678" * superstep)
            got.append([(source, len(values[0]), values[1][:8]) for source, values in me.deliver()])
        return got

    run = lockstep.machine("crossbar:5").run(program)
    assert run.results[0] == [[(4, 1, "12345678")], [(3, 2, "12345678")], [(2, 3, "12345678")]]
    assert run.counts == lockstep.takes(startups=3, words=2 + 4 + 6, volume=5 * 12, messages=15)


def test_errors_of_posts():
    def undelivered(me):
        me.post(0, 1)

    with pytest.raises(lockstep.UnreceivedMessage) as raised:
        lockstep.machine("crossbar:2").run(undelivered)
    assert raised.value.file == __file__

    def too_far(me):
        me.post(3, me.rank)
        me.deliver()

    with pytest.raises(lockstep.NotAdjacent) as raised:
        lockstep.machine("hypercube:2").run(too_far)
    assert raised.value.line == too_far.__code__.co_firstlineno + 1

    def nowhere(me):
        me.post(9, me.rank)

    with pytest.raises(lockstep.InvalidRank):
        lockstep.machine("crossbar:2").run(nowhere)

    def inside(me):
        with me.pipelined():
            me.deliver()

    with pytest.raises(lockstep.InvalidArgument, match="deliver inside pipelined"):
        lockstep.machine("crossbar:2").run(inside)

    async def not_awaited(me):
        me.post(0, 1)
        await me.deliver()

    with pytest.raises(lockstep.ProcessorFailed, match="was not awaited"):
        lockstep.machine("crossbar:2").run(not_awaited)


# --- windows ---


@pytest.mark.parametrize(
    "make",
    [
        *(lambda values, of=of: numpy.array(values, dtype=of) for of in "bBhHiIlLqQfdFD"),
        lambda values: array.array("d", values),
        lambda values: array.array("q", values),
        bytearray,
    ],
)
def test_windows_of_all_kinds(make):
    def program(me):
        part = make([10 * me.rank + i for i in range(4)])
        window = me.window(part)
        following = (me.rank + 1) % me.size
        several, one = window.read(following, 1, 2), window.read(following, 3)
        window.write(following, 0, several)
        window.write(following, 3, one)
        window.sync()
        return type(several) is type(part), list(several), one, list(part), window.memory is part

    run = lockstep.machine("crossbar:3").run(program)
    assert run.results[0] == (True, [11, 12], 13, [1, 2, 2, 3], True)
    assert run.counts.volume == 3 * (2 + 1 + 2 + 1)


WRITES = [
    ("u1", 5, [5]),
    ("u1", [255, 0], [255, 0]),
    ("u8", [5], [5]),
    ("u8", 2**64 - 1, [2**64 - 1]),
    ("u8", [1, 2**64 - 1], [1, 2**64 - 1]),
    ("i8", -(2**63), [-(2**63)]),
    ("i1", numpy.array([[-128, 127]]), [-128, 127]),
    ("i8", [], []),
    ("i8", numpy.zeros(0), []),
    ("i4", numpy.uint64(7), [7]),
    ("i4", True, [1]),
    ("?", 1, [True]),
    ("?", [0, 1], [False, True]),
    ("f4", [1, 2.5], [1.0, 2.5]),
    ("f4", float("inf"), [float("inf")]),
    ("f8", 3, [3.0]),
    ("c16", 1.5, [1.5]),
]


def written(make, values):
    def program(me):
        memory = make()
        window = me.window(memory)
        if me.rank == 0:
            window.write(1, 0, values)
        else:
            window.sync()
        return memory.tolist()

    return lockstep.machine("crossbar:2").run(program)


@pytest.mark.parametrize(("of", "values", "elements"), WRITES, ids=str)
def test_whole_numbers_go_into_memory_of_any_that_has_room(of, values, elements):
    run = written(lambda: numpy.zeros(3, dtype=of), values)
    assert run.results[1] == elements + [0] * (3 - len(elements))
    assert run.counts.volume == len(elements)


@pytest.mark.parametrize(
    ("typecode", "values", "elements"),
    [
        ("q", numpy.array([1, -2]), [1, -2]),
        ("q", numpy.array([[1], [2]], dtype="u1"), [1, 2]),
        ("q", numpy.int8(7), [7]),
        ("q", array.array("i", [3]), [3]),
        ("B", array.array("q", [255]), [255]),
        ("d", numpy.array([1.5, 2]), [1.5, 2]),
        ("d", numpy.float32(0.5), [0.5]),
        ("q", [], []),
    ],
    ids=str,
)
def test_numbers_of_other_types_go_into_arrays_of_python(typecode, values, elements):
    run = written(lambda: array.array(typecode, [0] * 3), values)
    assert run.results[1] == elements + [0] * (3 - len(elements))


@pytest.mark.parametrize(
    ("make", "values"),
    [
        *(
            (lambda of=of: numpy.zeros(3, dtype=of), values)
            for of, values in (
                ("i1", 300),
                ("i1", [1, -129]),
                ("i4", 2**40),
                ("i4", numpy.array([0, 2**40])),
                ("u1", -1),
                ("u1", 256),
                ("u8", numpy.int64(-1)),
                ("i8", 2**63),
                ("i8", [-1, 2**63]),
                ("i8", 2**70),
                ("i8", numpy.uint64(2**63)),
                ("?", 2),
                ("f4", 1e300),
            )
        ),
        (lambda: array.array("b", [0]), numpy.array([300])),
        (lambda: array.array("b", [0]), array.array("q", [300])),
        (lambda: array.array("B", [0]), -1),
    ],
)
def test_what_memory_has_no_room_for(make, values):
    with pytest.raises(lockstep.ProcessorFailed) as raised:
        written(make, values)
    assert isinstance(raised.value.__cause__, OverflowError)


@pytest.mark.parametrize(
    ("make", "values"),
    [
        *(
            (lambda of=of: numpy.zeros(3, dtype=of), values)
            for of, values in (
                ("u1", 1.0),
                ("i8", [1, 2.5]),
                ("i8", numpy.array([1.0])),
                ("u1", "5"),
                ("u1", b"5"),
                ("?", 1.0),
                ("f8", 1j),
                ("i8", [None]),
            )
        ),
        (lambda: array.array("q", [0]), array.array("d", [1])),
        (lambda: array.array("q", [0]), numpy.array([1.5])),
        (lambda: array.array("d", [0]), b"12345678"),
        (lambda: array.array("q", [0]), "5"),
    ],
)
def test_values_of_other_kinds_are_refused(make, values):
    with pytest.raises(lockstep.ProcessorFailed) as raised:
        written(make, values)
    assert isinstance(raised.value.__cause__, TypeError)


def test_memory_of_other_forms_is_refused_before_any_round():
    def refused(memory):
        with pytest.raises(lockstep.ProcessorFailed, match="a window is an array of numbers, and not of elements"):
            lockstep.machine("crossbar:2").run(lambda me: me.window(memory))

    refused((ctypes.c_int * 3)())
    refused(memoryview(bytearray(4)).cast("?"))
    refused(numpy.zeros(3, dtype=">i4"))
    refused(numpy.zeros(3, dtype="f2"))
    refused(numpy.zeros(3, dtype=[("a", int)]))


@pytest.mark.parametrize(
    "call",
    [
        lambda window: window.read(0, -1),
        lambda window: window.read(0, 0, -1),
        lambda window: window.write(0, -2, 1.0),
    ],
)
def test_offsets_and_counts_below_0(call):
    error = failed(
        lambda me: call(me.window(numpy.zeros(3))), lockstep.ProcessorFailed, "of a window is 0 or more, and not -"
    )
    assert isinstance(error.__cause__, ValueError)


def test_what_one_round_reads_and_writes():
    def program(me):
        part = numpy.zeros(3, dtype=int)
        window = me.window(part)
        if me.rank == 0:
            window.sync()
            window.sync()
            return list(part)
        window.write(0, 1, me.rank)
        return list(window.read(0, 0, 3))

    run = lockstep.machine("crossbar:4").run(program)
    assert run.results == [[0, 3, 0]] * 4  # the write of the highest rank stays


def test_two_dimensions_are_elements_in_a_row():
    def program(me):
        window = me.window(numpy.arange(6).reshape(2, 3) + 10 * me.rank)
        return list(window.read(1 - me.rank, 2, 3))

    assert lockstep.machine("crossbar:2").run(program).results == [[12, 13, 14], [2, 3, 4]]


def failed(program, kind, match, network="crossbar:2"):
    with pytest.raises(kind, match=match) as raised:
        lockstep.machine(network).run(program)
    return raised.value


def test_errors_of_windows():
    def outside(me):
        window = me.window(numpy.zeros(3))
        window.read(1 - me.rank, 2, 2)

    error = failed(outside, lockstep.SizeMismatch, "")
    assert error.file == __file__ and error.line == outside.__code__.co_firstlineno + 2

    def other_types(me):
        window = me.window(numpy.zeros(3) if me.rank else numpy.zeros(3, dtype=int))
        window.read(1 - me.rank, 0, 2)

    failed(other_types, lockstep.TypeMismatch, "")

    def alone(me):
        if me.rank == 0:
            me.window(numpy.zeros(3)).read(1, 0)

    failed(alone, lockstep.Error, "")

    def fractions(me):
        me.window(numpy.zeros(3, dtype=int)).write(1 - me.rank, 0, 1.5)

    failed(fractions, lockstep.ProcessorFailed, "a window of int64 is written values of it, and not of float64")

    def fractions_in_array(me):
        me.window(array.array("q", [0])).write(1 - me.rank, 0, 1.5)

    failed(fractions_in_array, lockstep.ProcessorFailed, "TypeError")

    def texts(me):
        me.window(numpy.array(["a", "b"])).sync()

    failed(texts, lockstep.ProcessorFailed, "a window is an array of numbers")

    def a_list(me):
        me.window([1, 2])

    failed(a_list, lockstep.ProcessorFailed, "TypeError")

    def gaps(me):
        me.window(numpy.zeros(8)[::2])

    failed(gaps, lockstep.ProcessorFailed, "a window is memory without gaps")

    def read_only(me):
        memory = numpy.zeros(3)
        memory.flags.writeable = False
        me.window(memory).write(1 - me.rank, 0, 1.0)

    failed(read_only, lockstep.ProcessorFailed, "this window is read-only")


def test_read_only_memory_is_read():
    def program(me):
        window = me.window(bytes([me.rank, 7]))
        return list(window.read(1 - me.rank, 0, 2))

    assert lockstep.machine("crossbar:2").run(program).results == [[1, 7], [0, 7]]


def test_a_window_of_a_moment_stays_while_it_is_read():
    async def program(me):
        return list(await me.window(numpy.full(1000, me.rank)).read(1 - me.rank, 0, 1000))

    assert lockstep.machine("crossbar:2").run(program).results == [[1] * 1000, [0] * 1000]


# --- counted numbers ---


def test_operations_that_count():
    number = lockstep.counted

    def operations(compute):
        return lockstep.machine("crossbar:1").run(lambda me: me.work_of(compute)).counts.operations

    assert operations(lambda: number(3) + 4 - number(2)) == 2
    assert operations(lambda: 3 + number(4)) == operations(lambda: 2 - number(4.5)) == 1
    assert operations(lambda: (number(7) * 2) // 3 % 2 / 5.0) == 4
    assert operations(lambda: number(1) < 2 and number(1.5) == 1.5 and 3 >= number(2)) == 3
    assert operations(lambda: sum(number(i) for i in range(10))) == 10
    assert operations(lambda: max([number(3), number(5), number(4)])) == 2
    assert operations(lambda: (-number(3), int(number(3)), number(3) is None, {number(3): 1})) == 0
    assert operations(lambda: 1 + 2) == 0
    assert (number(3) == None) is False  # noqa: E711
    assert number(3) + 4 == 7 and isinstance(number(3) + 4, int) and isinstance(number(3) / 2, float)
    assert hash(number(3)) == hash(3) and f"{number(3)}" == "3" and repr(number(2.5)) == "2.5"


def test_numbers_that_can_be_counted():
    for value, of, number in (
        (numpy.float32(2.75), float, 2.75),
        (numpy.float64(2.5), float, 2.5),
        (fractions.Fraction(3, 2), float, 1.5),
        (numpy.int8(-3), int, -3),
        (numpy.uint64(2**64 - 1), int, 2**64 - 1),
        (True, int, 1),
        (2**70, int, 2**70),
    ):
        made = lockstep.counted(value)
        assert isinstance(made, of) and made == number
    for other in (decimal.Decimal("1.5"), "12", b"12", None, [1], numpy.array([1, 2]), numpy.array([1.5]), 1j):
        with pytest.raises(TypeError, match="counted takes a whole or real number, and not"):
            lockstep.counted(other)


def test_numbers_of_numpy_on_the_right_count():
    number = lockstep.counted

    def operations(compute):
        return lockstep.machine("crossbar:1").run(lambda me: me.work_of(compute)).counts.operations

    assert operations(lambda: number(3) + numpy.int64(4)) == 1
    assert operations(lambda: number(3.5) * numpy.float64(4)) == operations(lambda: number(3) - numpy.float32(4)) == 1
    assert operations(lambda: (number(3) < numpy.uint8(4), number(3) == numpy.int64(3))) == 2
    assert operations(lambda: number(1) + numpy.int64(2) + 3) == 2
    assert number(3) + numpy.int64(4) == 7 and isinstance(number(3) + numpy.int64(4), int)
    assert number(3) * numpy.float32(1.5) == 4.5
    # What docs/python.md says of numpy on the left, and of arrays.
    assert operations(lambda: numpy.int64(4) + number(3)) == operations(lambda: numpy.float64(4) + number(3.0)) == 0
    assert operations(lambda: numpy.array([number(1), number(2)]) + 1) == 0
    assert operations(lambda: number(1) + numpy.array([1, 2])) == 0
    assert list(number(1) + numpy.array([1, 2])) == [2, 3]
    assert number(1) + fractions.Fraction(1, 2) == fractions.Fraction(3, 2)


def test_work_of_gives_the_result_and_its_errors():
    def program(me):
        keys = me.work_of(lambda: sorted([lockstep.counted(3), lockstep.counted(1)]))
        try:
            me.work_of(lambda: lockstep.counted(1) / 0)
        except ZeroDivisionError:
            return keys
        return None

    run = lockstep.machine("crossbar:2").run(program)
    assert run.results == [[1, 3]] * 2 and run.counts.work == 1 and run.counts.operations == 2


def test_no_calls_inside_work_of():
    def program(me):
        me.work_of(lambda: me.barrier())

    failed(program, lockstep.ProcessorFailed, "a call of processor 0 inside work_of")

    async def awaits(me):
        async def compute():
            return 1

        await me.work_of(compute)

    failed(awaits, lockstep.ProcessorFailed, "work_of takes a plain function")


def test_a_counted_number_is_a_word():
    def program(me):
        one = me.exchange(1 - me.rank, lockstep.counted(me.rank + 0.5))
        return one, me.exchange(1 - me.rank, [lockstep.counted(2)] * 3)

    run = lockstep.machine("crossbar:2").run(program)
    assert run.counts == lockstep.takes(words=4) and run.pickled == 0
    assert run.results[0] == (1.5, [2, 2, 2])
