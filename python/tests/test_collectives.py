"""Collective operations: their results, and the costs of the C++ library's algorithms."""

import operator

import numpy
import pytest

import lockstep


def on(network, program, **options):
    return lockstep.machine(network, **options).run(program)


def test_all_reduce_of_numbers():
    run = on("hypercube:4", lambda me: me.all_reduce(me.rank))
    assert run.results == [120] * 16
    assert run.counts == lockstep.takes(rounds=4, words=4, contention=1)
    assert on("hypercube:4", lambda me: me.all_reduce(me.rank / 2)).results == [60.0] * 16
    assert on("hypercube:4", lambda me: me.all_reduce(me.rank, "max")).results == [15] * 16
    assert on("hypercube:4", lambda me: me.all_reduce(me.rank + 1, op="min")).results == [1] * 16
    assert on("hypercube:2", lambda me: me.all_reduce(me.rank + 1, "*")).results == [24] * 4
    assert on("hypercube:2", lambda me: me.all_reduce(True)).results == [4] * 4


def test_all_reduce_by_a_function():
    run = on("hypercube:4", lambda me: me.all_reduce(me.rank, operator.add))
    assert run.results == [120] * 16
    assert run.counts == on("hypercube:4", lambda me: me.all_reduce(me.rank)).counts

    async def awaited(me):
        return await me.all_reduce(me.rank, lambda a, b: max(a, b))

    assert on("torus:3x4", awaited).results == [11] * 12


def test_blocks_keep_their_form():
    def program(me):
        lists = me.all_reduce([me.rank, 1.5])
        arrays = me.all_reduce(numpy.full((2, 2), me.rank, dtype=numpy.int32))
        return lists, arrays

    lists, arrays = on("hypercube:3", program).results[5]
    assert lists == [28, 12.0]
    assert arrays.dtype == numpy.int32 and arrays.tolist() == [[28, 28], [28, 28]]


def test_schemes():
    def program(me):
        return me.all_reduce(list(range(16)), scheme="halving-doubling")

    run = on("hypercube:4", program)
    assert run.results[3] == [16 * k for k in range(16)]
    assert run.counts == lockstep.takes(rounds=8, words=30)
    with pytest.raises(lockstep.ProcessorFailed, match="no-such"):
        on("hypercube:2", lambda me: me.broadcast(1, scheme="no-such"))


def test_reduce_and_broadcast():
    def program(me):
        total = me.reduce(me.rank, root=3)
        return total, me.broadcast(total or 0, root=3), me.broadcast([me.rank] * 2)

    results = on("hypercube:3", program).results
    assert results[3] == (28, 28, [0, 0])
    assert results[0] == (None, 28, [0, 0])


def test_scans():
    def program(me):
        return me.scan(me.rank), me.exclusive_scan(me.rank), me.exclusive_scan([1, 2], first=10)

    results = on("hypercube:3", program).results
    assert [one[0] for one in results] == [0, 1, 3, 6, 10, 15, 21, 28]
    assert [one[1] for one in results] == [0, 0, 1, 3, 6, 10, 15, 21]
    assert results[0][2] == [10, 10] and results[1][2] == [1, 2]


def test_gathers_and_scatters():
    def program(me):
        everything = me.all_gather(me.rank)
        pairs = me.gather([me.rank, -me.rank], root=1)
        mine = me.scatter(8, list(range(8)) if me.rank == 0 else None)
        return everything, pairs, mine

    results = on("hypercube:2", program).results
    assert results[1] == ([0, 1, 2, 3], [0, 0, 1, -1, 2, -2, 3, -3], [2, 3])
    assert results[2] == ([0, 1, 2, 3], None, [4, 5])


def test_all_to_all():
    def program(me):
        return me.all_to_all([10 * me.rank + to for to in range(me.size)])

    run = on("crossbar:4", program)
    assert run.results[2] == [2, 12, 22, 32]
    assert run.counts == lockstep.takes(rounds=3, words=3)


def test_blocks_of_any_sizes():
    sizes = [2, 0, 3, 1]

    def program(me):
        mine = [10 * me.rank + i for i in range(sizes[me.rank])]
        dealt = me.scatterv(sizes, list(range(6)) if me.rank == 2 else None, root=2)
        blocks = me.all_to_allv([me.rank] * sum(sizes), sizes)
        return me.all_gatherv(mine, sizes), me.gatherv(mine, sizes, root=1), dealt, blocks

    results = on("mesh:2x2", program, strict=True).results
    assert results[0][0] == [0, 1, 20, 21, 22, 30]
    assert results[1][1] == results[0][0] and results[2][1] is None
    assert [one[2] for one in results] == [[0, 1], [], [2, 3, 4], [5]]
    assert results[2][3] == [[source] * 3 for source in range(4)]
    with pytest.raises(lockstep.InvalidArgument, match="add up"):
        on("crossbar:2", lambda me: me.all_to_allv([1, 2, 3], [1, 1]))
    with pytest.raises(lockstep.InvalidArgument):
        on("crossbar:2", lambda me: me.gatherv([1], [1]))


def test_reduce_scatter():
    run = on("hypercube:2", lambda me: me.reduce_scatter([me.rank, 1, 2.5, 10], commutes=True))
    assert run.results == [[6], [4], [10.0], [40]]
    assert run.counts == lockstep.takes(rounds=2, words=3)
    assert on("ring:3", lambda me: me.reduce_scatter(numpy.arange(6), max)).results[1].tolist() == [2, 3]


def test_subsets_have_collectives():
    assert on("torus:2x3", lambda me: me.row().all_reduce(me.rank)).results == [3] * 3 + [12] * 3


def test_an_operator_that_fails():
    def refuses(a, b):
        raise ValueError("no sum")

    def program(me):
        return me.all_reduce(me.rank, refuses)

    with pytest.raises(lockstep.ProcessorFailed, match="no sum") as caught:
        on("hypercube:2", program)
    assert caught.value.line == refuses.__code__.co_firstlineno + 1

    def calls(me):
        return me.all_reduce(me.rank, lambda a, b: me.rank + me.now + (me.barrier() or 0))

    with pytest.raises(lockstep.ProcessorFailed, match="not in an operator"):
        on("hypercube:2", calls)


def test_whole_numbers_of_more_than_64_bits():
    with pytest.raises(lockstep.ProcessorFailed, match="64 bits"):
        on("hypercube:2", lambda me: me.all_reduce(2**62))
    with pytest.raises(lockstep.ProcessorFailed, match="OverflowError"):
        on("hypercube:2", lambda me: me.all_reduce(2**64))


def test_wrong_arguments():
    for wrong, text in [
        (lambda me: me.all_reduce(1, "-"), "an operator is"),
        (lambda me: me.all_reduce("text"), "take a number, a list"),
        (lambda me: me.broadcast(1, root=9), ""),
        (lambda me: me.scatter(7, [1] * 8), ""),
    ]:
        with pytest.raises(lockstep.Error, match=text):
            on("hypercube:2", wrong)


def test_numbers_of_numpy_stay_such():
    for one in [numpy.arange(3.0).sum(), numpy.int64(3), numpy.array(3), numpy.float32(3)]:
        assert on("crossbar:4", lambda me: me.all_reduce(one)).results == [12] * 4
        assert on("crossbar:4", lambda me: me.reduce(one)).results == [12, None, None, None]
        assert on("crossbar:4", lambda me: me.scan(one)).results == [3, 6, 9, 12]
        assert on("crossbar:4", lambda me: me.exclusive_scan(one)).results == [0, 3, 6, 9]
        run = on("crossbar:4", lambda me: me.broadcast(one * me.rank, root=2))
        assert run.results == [6] * 4
        assert {type(result) for result in run.results} == {type(one * 2)}
        assert run.counts == on("crossbar:4", lambda me: me.broadcast(me.rank, root=2)).counts
        gathered = on("crossbar:4", lambda me: me.all_gather(one)).results
        assert [list(values) for values in gathered] == [[3] * 4] * 4
    assert on("crossbar:1", lambda me: list(me.all_gather(numpy.int64(3)))).results == [[3]]
    dealt = on("crossbar:2", lambda me: me.scatter(numpy.int64(2), [1, 2] if me.rank == 0 else None))
    assert dealt.results == [[1], [2]]
