"""Supersteps, one-sided windows and counted work: plain, awaited, and as their C++ twins.

LOCKSTEP_TWINS names the program made of twins.cpp; without it the two kinds of Python programs are compared.
"""

import array
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
        lambda values: numpy.array(values, dtype=numpy.int32),
        lambda values: numpy.array(values, dtype=complex),
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


@pytest.mark.parametrize("kind", ["uint8", "uint64", "int8", "int32", "bool"])
def test_windows_of_whole_numbers_take_what_they_can_have(kind):
    numpy = pytest.importorskip("numpy")

    def program(me):
        memory = numpy.zeros(4, kind)
        window = me.window(memory)
        window.write(me.rank ^ 1, 0, [1, 0])
        window.write(me.rank ^ 1, 0, [])
        return memory.tolist()

    assert lockstep.machine("hypercube:1").run(program).results[0][:2] == [1, 0]


@pytest.mark.parametrize(("kind", "number"), [("int8", 300), ("int32", 2**40), ("uint8", -1)])
def test_windows_refuse_numbers_that_they_cannot_have(kind, number):
    numpy = pytest.importorskip("numpy")

    def program(me):
        me.window(numpy.zeros(4, kind)).write(me.rank ^ 1, 0, number)

    with pytest.raises(lockstep.ProcessorFailed) as failed:
        lockstep.machine("hypercube:1").run(program)
    assert isinstance(failed.value.__cause__, OverflowError)


def test_counted_numbers_are_what_they_were():
    from decimal import Decimal
    from fractions import Fraction

    assert lockstep.counted(Fraction(3, 2)) == 1.5
    for value in ("12", Decimal("1.5"), None):
        with pytest.raises(TypeError, match="takes a number"):
            lockstep.counted(value)
    numpy = pytest.importorskip("numpy")
    assert lockstep.counted(numpy.float32(2.5)) == 2.5

    def program(me):
        return me.work_of(lambda: lockstep.counted(3) + numpy.int64(4))

    run = lockstep.machine("hypercube:1").run(program)
    assert (run.results[0], run.counts.operations) == (7, 2)
