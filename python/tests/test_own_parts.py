"""Networks, models, clocks, traces, memory and operations of a program's own."""

import gc
import json

import pytest

import lockstep


def on(network, program, **options):
    return lockstep.machine(network, **options).run(program)


def exchange_with_all(me):
    for other in range(me.size):
        if other != me.rank:
            me.send(other, me.rank)
    return sum(me.receive(other) for other in range(me.size) if other != me.rank)


# --- networks ---


def test_a_network_by_its_links():
    star = lockstep.graph([(0, 1), (0, 2), (0, 3)], name="star")
    assert (star.size, star.links, star.degree, star.diameter) == (4, 6, 3, 2)
    assert star.route(1, 3) == [0, 3] and "star of 4" in repr(star)
    run = on(star, exchange_with_all)
    assert run.network == "star" and run.results == [6, 5, 4, 3]
    assert run.counts == lockstep.takes(steps=5, hops=9, contention=2)
    with pytest.raises(lockstep.NotAdjacent):
        on(star, lambda me: me.exchange(me.rank ^ 3, 1), switching="neighbour")


def test_networks_in_other_forms():
    ring = {rank: [(rank + 1) % 5] for rank in range(5)}
    both_ways = lockstep.graph(ring)
    assert (both_ways.links, both_ways.diameter) == (10, 2)
    one_way = lockstep.graph(ring, one_way=True)
    assert (one_way.links, one_way.diameter, one_way.route(1, 0)) == (5, 4, [2, 3, 4, 0])

    class Graph:
        def edges(self):
            return [(0, 1), (1, 2)]

        def __len__(self):
            return 3

    assert lockstep.graph(Graph()).route(2, 0) == [1, 0]
    program = lambda me: me.exchange((me.rank + 1) % me.size, 1, (me.rank - 1) % me.size)  # noqa: E731
    assert on(both_ways, program, strict=True).counts == on("ring:5", program, strict=True).counts
    assert lockstep.graph([(0, 1)], 3).size == 3


def test_the_network_of_a_machine():
    torus = lockstep.machine("torus:3x4").topology
    assert (torus.spec, torus.size, torus.links, torus.degree, torus.diameter) == ("torus:3x4", 12, 48, 4, 3)
    assert torus.axes == [(4, True), (3, True)] or torus.axes == [(3, True), (4, True)]
    assert (torus.bisection_width, torus.switching) == (torus.bisection_width, "cut-through")
    assert torus.neighbours(0) == {
        **torus.neighbours(0),
        torus.end_of(0, lockstep.along(0, 1)): "+ along dimension 0",
    }
    assert sorted(torus.neighbours(0)) == [1, 3, 4, 8] and all(torus.adjacent(0, other) for other in torus.neighbours(0))
    assert (torus.coordinates(6), torus.rank_at([1, 2])) == ([1, 2], 6)
    assert torus.route(0, 6)[-1] == 6 and torus.hops(0, 6) == len(torus.route(source=0, to=6)) == 3
    assert not torus.adjacent(0, 6) and len(torus.members(6, [0])) in (3, 4)
    assert lockstep.machine("hypercube:3").topology.bisection_width == 4
    assert lockstep.machine(torus).network == "torus:3x4" and lockstep.machine(torus).topology == torus
    assert torus != lockstep.machine("torus:3x4").topology and torus != "torus:3x4"
    with pytest.raises(lockstep.InvalidRank):
        torus.neighbours(12)
    with pytest.raises(lockstep.InvalidArgument):
        torus.rank_at([5, 5])


@pytest.mark.parametrize("awaits", [False, True])
def test_the_network_of_a_processor(awaits):
    def plain(me):
        row = me.row()
        others = me.subset([0, 1, 5]) if me.rank in (0, 1, 5) else None
        return me.topology, row.topology.spec, row.topology.diameter, None if others is None else others.topology.spec

    async def awaited(me):
        row = await me.row()
        others = await me.subset([0, 1, 5]) if me.rank in (0, 1, 5) else None
        return me.topology, row.topology.spec, row.topology.diameter, None if others is None else others.topology.spec

    mesh = lockstep.machine("mesh:2x4")
    run = mesh.run(awaited if awaits else plain)
    assert [one[0] for one in run.results] == [mesh.topology] * 8
    assert run.results[5][1:] == ("mesh:4", 3, "crossbar:3") and run.results[2][3] is None
    kept = []
    star = lockstep.graph([(0, 1), (0, 2)], name="star")
    lockstep.machine(star).run(lambda me: kept.append((me, me.topology)))
    assert kept[1][1] == star and kept[1][1].route(1, 2) == [0, 2]
    with pytest.raises(RuntimeError, match="the run is over"):
        kept[0][0].topology  # noqa: B018


def test_networks_that_cannot_be():
    for links, processors in ([(0, 0)], None), ([(0, 5)], 3), ([(-1, 0)], None):
        with pytest.raises(lockstep.InvalidTopology):
            lockstep.graph(links, processors)
    with pytest.raises(lockstep.InvalidTopology):
        lockstep.graph([(0, 1)], places=[(0, 0)])
    with pytest.raises(lockstep.InvalidTopology):
        on(lockstep.graph([(0, 1)], 3), lambda me: me.exchange(2 - me.rank, 1) if me.rank != 1 else None)
    placed = lockstep.graph([(0, 1)], places=[(0, 0), (1, 2)])
    assert on(placed, lambda me: me.exchange(1 - me.rank, me.rank)).results == [1, 0]


def test_a_sweep_over_own_networks_is_refused_or_runs():
    rows = lockstep.sweep(lambda me: me.exchange(me.rank ^ 1, 1), on=[lockstep.graph([(0, 1)]), "ring:4"])
    assert [row["counts"]["steps"] for row in rows] == [1, 1] and rows[0]["topology"] == "graph"


# --- models and clocks ---


def test_a_model_of_your_own():
    run = on("ring:4", lambda me: me.exchange(me.rank ^ 1, [1, 2, 3]))
    assert run.time(lambda counts, p: 100 * counts.startups + counts.words + p) == 107
    assert run.time(lambda counts, p, tau: tau * counts.startups, tau=2.5) == 2.5
    assert run.time("bdm", tau_words=10) == 13


def test_a_clock():
    def broadcast_one_by_one(me):
        if me.rank == 0:
            for other in range(1, me.size):
                me.send(other, 1)
        else:
            me.receive(0)

    run = on("crossbar:64", broadcast_one_by_one, clocked=True)
    times = run.timeline("loggp-clock", latency_us=5, overhead_us=1, gap_us=2, gap_us_per_byte=0.01)
    assert times.makespan == pytest.approx(135.41) and times.unit == "us"
    assert len(times.processors) == 64
    for one in times.processors:
        assert sum(one.values()) == pytest.approx(times.makespan)
    assert times.critical_path[0]["rank"] == 0 and times.critical_path[0]["file"] == __file__
    assert times.critical_path[-1]["end"] == times.makespan and "send" in times.table()
    assert times.utilisation == pytest.approx(
        sum(one["overhead"] + one["work"] for one in times.processors) / (64 * times.makespan)
    )
    assert {clock["name"] for clock in lockstep.clocks()} >= {"loggp-clock", "hockney-clock"}
    with pytest.raises(lockstep.InvalidArgument, match="clocked"):
        on("ring:4", lambda me: me.barrier()).timeline("loggp-clock")
    with pytest.raises(lockstep.InvalidArgument, match="no-such"):
        run.timeline("no-such-clock")


def test_shared_links_in_a_clock():
    def program(me):
        if me.rank < 2:
            me.send(3 - me.rank, [1] * 100)
        else:
            me.receive(3 - me.rank)

    line = on("mesh:4", program, clocked=True)
    alone = line.timeline("hockney-clock", alpha_us=1, beta_us_per_word=1)
    shared = line.timeline("hockney-clock", sharing=True, alpha_us=1, beta_us_per_word=1)
    assert shared.makespan > alone.makespan


# --- traces ---


def ring(me):
    return me.exchange((me.rank + 1) % me.size, [me.rank] * 3, (me.rank - 1) % me.size)


def test_traces(tmp_path):
    for ending in ("json", "csv", "goal", "dot", "html"):
        file = tmp_path / f"run.{ending}"
        run = on("ring:4", ring, trace=file)
        assert run.counts == on("ring:4", ring).counts
        assert file.stat().st_size > 90
    rows = (tmp_path / "run.csv").read_text().splitlines()
    assert len(rows) == 1 + 4 and "words" in rows[0]
    events = json.loads((tmp_path / "run.json").read_text())
    assert events["traceEvents"] if isinstance(events, dict) else events


def test_a_trace_of_a_run_that_fails(tmp_path):
    file = tmp_path / "run.csv"

    def program(me):
        ring(me)
        raise ValueError("here")

    with pytest.raises(lockstep.ProcessorFailed, match="here"):
        on("ring:4", program, trace=str(file))
    assert len(file.read_text().splitlines()) == 5


def test_traces_that_cannot_be(tmp_path):
    with pytest.raises(lockstep.InvalidArgument, match="names no format"):
        lockstep.machine("ring:4", trace="run.txt")
    with pytest.raises(lockstep.IncompleteTrace, match="cannot be written"):
        on("ring:4", ring, trace=tmp_path / "no" / "folder.csv")
    with pytest.raises(lockstep.InvalidArgument, match="room for"):
        lockstep.machine("ring:100000", trace=tmp_path / "run.dot")


# --- memory and operations ---


def test_memory_is_counted_at_its_peak():
    def program(me):
        with me.memory(10 * (me.rank + 1)) as first:
            assert first.words == 10 * (me.rank + 1)
            second = me.memory(5)
            me.exchange(me.rank ^ 1, 1)
            second.release()
        third = me.memory(words=12)
        return first.words, second.words, third

    run = on("crossbar:4", program)
    assert run.counts.memory == 45
    assert [one[:2] for one in run.results] == [(0, 0)] * 4 and run.results[0][2].words == 12
    held = run.results
    del run
    gc.collect()
    assert held[3][2].words == 12  # it may outlive the run
    held[3][2].release()
    assert held[3][2].words == 0

    async def awaited(me):
        with me.memory(7):
            await me.barrier()

    assert on("ring:3", awaited).counts.memory == 7
    with pytest.raises(lockstep.ProcessorFailed, match="ValueError|MemoryError"):
        on("ring:3", lambda me: me.memory(-1))
    with pytest.raises(lockstep.ProcessorFailed, match="no memory"):
        on("ring:3", lambda me: me.memory(1 << 62))


def test_operations_by_kind():
    def program(me):
        x = lockstep.counted(3)
        did = me.operations_of(lambda: [x * 2, x + 1, x - 1, x / 2, x % 2, x < 4, x == 1])
        me.work(did.multiplications * 10 + did.additions)
        return did

    run = on("ring:2", program)
    assert run.results[0] == lockstep.Operations(comparisons=2, additions=2, multiplications=3)
    assert run.results[0].all == 7 and run.counts.operations == 2 * 32

    async def awaited(me):
        return me.operations_of(lambda: lockstep.counted(1) + 1).all

    assert on("ring:2", awaited).results == [1, 1]
    with pytest.raises(lockstep.ProcessorFailed, match="inside work_of"):
        on("ring:2", lambda me: me.operations_of(me.barrier))
