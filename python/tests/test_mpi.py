"""Programs in mpi4py's spelling: what they give, what they cost, and where they are refused.

LOCKSTEP_TWINS names the program made of twins.cpp, with which counts are compared. The programs of mpi_programs run under
the real mpi4py, too, where it is installed.
"""

import ast
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

import numpy
import pytest

import lockstep
from lockstep import mpi
from lockstep.mpi import COMM_WORLD as comm

pytest.importorskip("greenlet")

PROGRAMS = sorted(path.stem for path in (pathlib.Path(__file__).parent / "mpi_programs").glob("*.py"))
FOLDER = pathlib.Path(__file__).parent / "mpi_programs"
TWINS = os.environ.get("LOCKSTEP_TWINS")
COMPARED = (
    *("dot_product", "heat", "matrix_vector", "odd_even_sort", "pi", "ping_pong", "prefix_sums", "ring_token"),
    *("scattered_squares", "transposed", "uneven_blocks"),
)


def has_mpi4py():
    if shutil.which("mpirun") is None:
        return False
    found = subprocess.run([sys.executable, "-c", "import mpi4py.MPI"], capture_output=True, check=False)
    return found.returncode == 0


@pytest.fixture(scope="module")
def twins():
    if not TWINS:
        pytest.skip("LOCKSTEP_TWINS is not set")
    return json.loads(subprocess.run([TWINS], capture_output=True, text=True, check=True).stdout)


def with_our_import(name, folder):
    """Write a program of mpi_programs with nothing changed but the import."""
    text, changes = re.subn(
        r"^from mpi4py(\.MPI)? import", "from lockstep.mpi import", (FOLDER / f"{name}.py").read_text(), flags=re.MULTILINE
    )
    assert changes == 1
    path = folder / f"{name}.py"
    path.write_text(text)
    return path


def test_there_are_fifteen_programs():
    assert len(PROGRAMS) >= 15


@pytest.mark.skipif(not has_mpi4py(), reason="there is no mpirun with mpi4py")
@pytest.mark.parametrize("name", PROGRAMS)
def test_programs_print_what_they_print_under_mpi4py(name, tmp_path, capfd):
    words = ["mpirun", "-n", "4", "--oversubscribe", "--allow-run-as-root", sys.executable, "-B", FOLDER / f"{name}.py"]
    real = subprocess.run(words, capture_output=True, text=True, check=True, timeout=120)
    mpi.run(with_our_import(name, tmp_path), n=4)
    assert capfd.readouterr().out == real.stdout != ""


@pytest.mark.parametrize("network", ["crossbar:4", "ring:4", "mesh:2x2", "hypercube:2"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_programs_run_on_every_network(name, network, capfd):
    if network == "hypercube:2":
        run = mpi.run(FOLDER / f"{name}.py", on=lockstep.machine(network, switching="cut-through"))
    else:
        run = mpi.run(FOLDER / f"{name}.py", on=network)
    printed = capfd.readouterr().out
    assert run.size == 4
    mpi.run(FOLDER / f"{name}.py", n=4)
    assert capfd.readouterr().out == printed != ""


@pytest.mark.parametrize("network", ["crossbar:4", "ring:4", "mesh:2x2"])
@pytest.mark.parametrize("name", COMPARED)
def test_programs_cost_what_their_twins_cost(name, network, twins):
    run = mpi.run(FOLDER / f"{name}.py", on=network)
    assert run.counts.as_dict() == twins[f"{name} on {network}"]


# --- how programs are run ---


def test_a_function_is_run_with_its_arguments():
    def program(first, second):
        assert comm.Get_size() == comm.size == 4
        return comm.allreduce(first * comm.rank) + second

    run = mpi.run(program, 2, 0.5, on="ring:4", strict=True)
    assert run.results == [12.5] * 4
    assert run.counts == lockstep.machine("ring:4").run(lambda me: me.all_reduce(me.rank)).counts


def test_a_script_gives_its_variables(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "import sys\nfrom mpi4py import MPI\nimport mpi4py\n"
        "rank = MPI.COMM_WORLD.rank\narguments = sys.argv[1:]\n"
        "if rank == 1:\n    sys.exit()\nafter = mpi4py.MPI is MPI\n"
    )
    before = dict(sys.modules), sys.argv, sys.path
    run = mpi.run(script, "a", 2, n=3)
    assert [one["rank"] for one in run.results] == [0, 1, 2]
    assert run.results[2]["arguments"] == ["a", "2"] and run.results[2]["after"] and "after" not in run.results[1]
    assert (sys.argv, sys.path) == before[1:]
    assert all(sys.modules.get(name) is before[0].get(name) for name in ("__main__", "mpi4py", "mpi4py.MPI"))


def test_classes_of_a_script_are_pickled(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "from lockstep.mpi import COMM_WORLD as comm\n"
        "class Particle:\n    def __init__(self, x):\n        self.x = x\n"
        "there = comm.sendrecv(Particle(comm.rank), dest=1 - comm.rank, source=1 - comm.rank)\n"
        "is_own = type(there) is Particle\n"
        "all_of_them = [one.x for one in comm.allgather(Particle(comm.rank))]\n"
    )
    run = mpi.run(script, n=2)
    assert [one["there"].x for one in run.results] == [1, 0]
    assert all(one["is_own"] and one["all_of_them"] == [0, 1] for one in run.results)


def test_the_command_prints_what_a_script_costs(tmp_path):
    page = tmp_path / "page.html"
    words = [sys.executable, "-B", "-m", "lockstep.mpi", "-n", "4", "--model", "paragon", "--view", page, FOLDER / "pi.py"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("pi is about 3.14159274\n")
    assert "crossbar:4" in done.stdout and "startups" in done.stdout and "time by paragon" in done.stdout
    assert page.stat().st_size > 10_000


def test_the_command_says_what_went_wrong(tmp_path):
    script = tmp_path / "script.py"
    script.write_text("from lockstep.mpi import COMM_WORLD as comm\ncomm.recv(source=1 - comm.rank)\n")
    command = [sys.executable, "-B", "-m", "lockstep.mpi"]
    done = subprocess.run([*command, "-n", "2", script], capture_output=True, text=True, check=False)
    assert done.returncode == 1 and "Deadlock" in done.stderr and f"{script}:2" in done.stderr
    script.write_text("from lockstep.mpi import COMM_WORLD as comm\nif comm.rank:\n    1 / 0\n")
    done = subprocess.run([*command, "--on", "ring:4", script], capture_output=True, text=True, check=False)
    assert done.returncode == 1 and "ZeroDivisionError" in done.stderr and f'"{script}", line 3' in done.stderr
    done = subprocess.run([*command, script], capture_output=True, text=True, check=False)
    assert done.returncode == 2 and "-n 4" in done.stderr


def test_calls_outside_of_a_run_are_refused():
    with pytest.raises(RuntimeError, match="python3 -m lockstep.mpi -n 4"):
        comm.Get_rank()
    with pytest.raises(TypeError, match="n=4"):
        mpi.run(lambda: None)
    with pytest.raises(TypeError, match="has 4 processors"):
        mpi.run(lambda: None, n=5, on="ring:4")

    async def awaited():
        return comm.rank

    with pytest.raises(TypeError, match="async def"):
        mpi.run(awaited, n=2)
    assert mpi.run(lambda: (comm.size, comm.bcast([1]), comm.allreduce(3), comm.gather("x")), n=1).results == [
        (1, [1], 3, ["x"])
    ]


# --- messages ---


def test_sends_in_a_ring_do_not_wait():
    def program():
        comm.send(comm.rank, dest=(comm.rank + 1) % comm.size)
        return comm.recv(source=(comm.rank - 1) % comm.size)

    run = mpi.run(program, on="ring:5")
    assert run.results == [4, 0, 1, 2, 3] and run.counts == lockstep.takes(steps=1, words=1)


def test_tags_cost_nothing_and_pick_messages():
    def program():
        if comm.rank == 0:
            for tag in (5, 6, 7, 6):
                comm.send(10 * tag, dest=1, tag=tag)
            return None
        status = mpi.Status()
        got = [comm.recv(source=0, tag=6), comm.recv(source=0, tag=7), comm.recv(source=0, status=status)]
        return got, status.Get_tag(), status.Get_source(), status.Get_count(), comm.recv()

    run = mpi.run(program, n=2)
    assert run.results[1] == ([60, 70, 50], 5, 0, 1, 60)
    assert run.counts == lockstep.takes(steps=4, words=4, messages=4)


def test_receives_match_in_the_order_in_which_they_were_made():
    def program():
        if comm.rank == 0:
            for value in range(4):
                comm.send(value, dest=1, tag=value % 2)
            return None
        first = comm.irecv(source=0, tag=1)
        second = comm.irecv(source=0)
        third = comm.recv(source=0)
        return third, mpi.Request.waitall([second, first]), comm.recv(source=0), first.wait()

    assert mpi.run(program, n=2).results[1] == (2, [0, 1], 3, None)


def test_a_process_sends_to_itself():
    def program():
        request = comm.irecv(source=comm.rank, tag=1)
        values = [1]
        comm.send(values, dest=comm.rank, tag=1)
        values.append(2)
        return request.wait(), comm.sendrecv("x", dest=comm.rank, source=comm.rank)

    run = mpi.run(program, n=2)
    assert run.results == [([1], "x")] * 2 and run.counts == lockstep.takes(messages=0, steps=0)
    with pytest.raises(lockstep.Deadlock, match="from itself"):
        mpi.run(lambda: comm.recv(source=comm.rank), n=2)


def test_messages_from_anybody():
    def program():
        if comm.rank:
            comm.send([comm.rank] * comm.rank, dest=0, tag=comm.rank)
            return None
        status = mpi.Status()
        got = []
        assert comm.probe(tag=3, status=status) and status.source == 3
        for _ in range(3):
            got.append(comm.recv(source=mpi.ANY_SOURCE, status=status))
            assert status.tag == status.source == len(got[-1]) == status.count
        return sorted(got)

    assert mpi.run(program, n=4).results[0] == [[1], [2, 2], [3, 3, 3]]


def test_waiting_for_any_and_asking():
    def program():
        if comm.rank:
            for _ in range(3 * comm.rank):
                comm.send(comm.rank, dest=0, tag=1)
            comm.send("end", dest=0, tag=2)
            return None
        ends = [comm.irecv(source=source, tag=2) for source in (1, 2)]
        first = mpi.Request.waitany(ends)
        asked = 0
        while not mpi.Request.testall(ends)[0]:
            asked += 1
        has_more = comm.iprobe(source=2, tag=2)
        numbers = [comm.recv() for _ in range(9)]
        return first, asked > 0, has_more, sorted(numbers), ends[1].test()

    run = mpi.run(program, n=3)
    assert run.results[0] == ((0, "end"), True, False, [1] * 3 + [2] * 6, (True, None))


def test_arrays():
    def program():
        other = 1 - comm.rank
        mine = numpy.arange(6, dtype="i") * (comm.rank + 1)
        into = numpy.full((2, 4), -1, dtype="i")
        status = mpi.Status()
        requests = [comm.Isend([mine, mpi.INT], dest=other), comm.Irecv(into, source=other)]
        mine[:] = 99  # a copy is under way
        mpi.Request.Waitall(requests, [mpi.Status(), status])
        comm.Sendrecv_replace(mine, dest=other, source=other)
        comm.Send([mine, 2, mpi.INT], dest=other)
        comm.Recv(into[0], source=other)
        return into.tolist(), status.Get_count(mpi.INT)

    run = mpi.run(program, n=2)
    assert run.results[0] == ([[99, 99, 4, 6], [8, 10, -1, -1]], 6)
    assert run.counts == lockstep.takes(steps=3, words=14)


def test_buffers_are_checked():
    def sends(what, into):
        def program():
            if comm.rank == 0:
                what()
            else:
                comm.Recv(into, source=0)

        return program

    with pytest.raises(lockstep.SizeMismatch, match="room for 2 elements, and 3 came"):
        mpi.run(sends(lambda: comm.Send(numpy.zeros(3), dest=1), numpy.zeros(2)), n=2)
    with pytest.raises(lockstep.TypeMismatch, match="float32"):
        mpi.run(sends(lambda: comm.Send(numpy.zeros(2), dest=1), numpy.zeros(2, dtype="f")), n=2)
    with pytest.raises(lockstep.TypeMismatch, match="by Recv what was sent by send"):
        mpi.run(sends(lambda: comm.send(3, dest=1), numpy.zeros(2)), n=2)
    with pytest.raises(lockstep.TypeMismatch, match="DOUBLE is float64"):
        mpi.run(sends(lambda: comm.Send([numpy.zeros(2, dtype="i"), mpi.DOUBLE], dest=1), numpy.zeros(2)), n=2)
    with pytest.raises(lockstep.InvalidArgument, match="not contiguous"):
        mpi.run(sends(lambda: comm.Send(numpy.zeros((4, 4))[:, 0], dest=1), numpy.zeros(4)), n=2)
    with pytest.raises(lockstep.InvalidRank, match="no rank 7"):
        mpi.run(sends(lambda: comm.Send(numpy.zeros(2), dest=7), numpy.zeros(2)), n=2)


def test_what_is_never_received_is_an_error():
    with pytest.raises(lockstep.UnreceivedMessage):
        mpi.run(lambda: comm.send(1, dest=1 - comm.rank), n=2)

    def by_tag():
        if comm.rank == 0:
            comm.send(1, dest=1, tag=1)
            comm.send(2, dest=1, tag=2)
        else:
            comm.recv(source=0, tag=2)

    with pytest.raises(lockstep.UnreceivedMessage, match="from rank 0 with tag 1"):
        mpi.run(by_tag, n=2)


def test_errors_name_the_line_of_the_program():
    def program():
        return comm.recv(source=(comm.rank + 1) % comm.size, tag=4)

    with pytest.raises(lockstep.Deadlock) as caught:
        mpi.run(program, on="ring:3")
    assert (caught.value.file, caught.value.line) == (__file__, program.__code__.co_firstlineno + 1)
    assert sorted(caught.value.cycle) == [0, 1, 2]
    with pytest.raises(lockstep.NotAdjacent):
        mpi.run(lambda: comm.sendrecv(1, dest=comm.rank ^ 3, source=comm.rank ^ 3), on="hypercube:2")


# --- collective operations ---


def test_messages_that_are_under_way_stay_apart_from_collectives():
    def program():
        if comm.rank == 0:
            comm.send("before", dest=1, tag=9)
        total = comm.allreduce([comm.rank, 1.5], op=lambda a, b: [a[0] + b[0], a[1] + b[1]])
        if comm.rank == 1:
            return total, comm.recv(source=0, tag=9)
        return total, None

    assert mpi.run(program, on="ring:4").results[1] == ([6, 6.0], "before")


def test_values_of_all_kinds_go_through_collectives():
    def program():
        values = ["", "four", {"a": comm.rank}, None, [1, 2], numpy.arange(3), (comm.rank, "x"), 2**80]
        mine = values[comm.rank]
        everything = comm.allgather(mine)
        rows = comm.alltoall(values)
        dealt = comm.scatter(values if comm.rank == 3 else None, root=3)
        sent = [comm.bcast(mine if comm.rank == root else None, root=root) for root in range(comm.size)]
        everything[2]["a"] = "own copy"
        return everything[1], comm.gather(mine, root=2), rows[comm.rank], dealt, sent[2]

    results = mpi.run(program, n=8).results
    assert [one[0] for one in results] == ["four"] * 8
    assert results[2][1][2] == {"a": 2} and results[2][1][7] == 2**80 and results[3][1] is None
    assert [one[3] for one in results][:3] == ["", "four", {"a": 3}] and results[3][3] is None
    assert results[5][2].tolist() == results[5][3].tolist() == [0, 1, 2]
    assert [one[4] for one in results] == [{"a": 2}] * 8


def test_a_broadcast_is_of_what_the_root_had():
    def program():
        values = comm.bcast({"n": 1} if comm.rank == 0 else None)
        values["n"] = values.get("n") + comm.rank
        return values["n"]

    assert mpi.run(program, n=5).results == [1, 2, 3, 4, 5]


def test_operators():
    def program():
        r = comm.rank
        numbers = [comm.allreduce(r + 1, op=op) for op in (mpi.SUM, mpi.PROD, mpi.MAX, mpi.MIN)]
        bits = [comm.allreduce(1 << r, op=op) for op in (mpi.BAND, mpi.BOR, mpi.BXOR)]
        truths = [comm.allreduce(r > 0, op=op) for op in (mpi.LAND, mpi.LOR, mpi.LXOR)]
        places = comm.allreduce((r % 3, r), op=mpi.MAXLOC), comm.allreduce((r % 3, r), op=mpi.MINLOC)
        arrays = comm.allreduce(numpy.array([r, -r])).tolist()
        texts = comm.scan(chr(97 + r), op=mpi.Op.Create(max)), comm.exscan(r)
        return numbers, bits, truths, places, arrays, texts

    results = mpi.run(program, on="hypercube:2").results
    assert results[3] == (
        [10, 24, 4, 1],
        [0, 15, 15],
        [False, True, True],
        ((2, 2), (0, 0)),
        [6, -6],
        ("d", 3),
    )
    assert results[0][5] == ("a", None)
    with pytest.raises(lockstep.SizeMismatch, match="gather collects"):
        mpi.run(lambda: comm.allreduce([comm.rank, "x" * 40]), n=4)


def test_collectives_of_arrays():
    def program():
        r, p = comm.rank, comm.size
        mine = numpy.arange(p, dtype="d") + r
        total = numpy.empty(p)
        comm.Allreduce(mine, total)
        comm.Allreduce(mpi.IN_PLACE, mine, op=mpi.MAX)
        block = numpy.zeros(1)
        comm.Reduce_scatter_block(total, block)
        scanned = numpy.zeros(p)
        comm.Scan(total, scanned)
        before = numpy.full(p, -1.0)
        comm.Exscan(total, before)
        rows = numpy.empty((p, p), dtype="i") if r == 1 else None
        comm.Gather(numpy.full(p, r, dtype="i"), rows, root=1)
        everything = numpy.full(p, -1, dtype="i")
        everything[r] = r
        comm.Allgather(mpi.IN_PLACE, everything)
        least = numpy.empty(1) if r == 2 else None
        comm.Reduce(numpy.array([float(r)]), least, op=mpi.MIN, root=2)
        return total, mine, block, scanned, before, rows, everything, least

    results = [
        [None if one is None else one.tolist() for one in row] for row in mpi.run(program, on="crossbar:3").results
    ]
    assert results[1] == [
        *([3, 6, 9], [2, 3, 4], [18], [6, 12, 18], [3, 6, 9], [[0] * 3, [1] * 3, [2] * 3], [0, 1, 2], None),
    ]
    assert results[0][4] == [-1, -1, -1] and results[2][7] == [0]


def test_collectives_of_blocks_of_any_sizes():
    def program():
        r, p = comm.rank, comm.size
        mine = numpy.full(r, r, dtype="i")
        everything = numpy.empty(3, dtype="i")
        comm.Allgatherv(mine, [everything, [0, 1, 2], mpi.INT])
        counts = [(r + to) % 3 for to in range(p)]
        came = numpy.empty(sum(counts), dtype="i")
        comm.Alltoallv([numpy.repeat(range(p), counts).astype("i"), counts], [came, counts])
        dealt = numpy.full(3, -1, dtype="i")
        comm.Scatterv([numpy.arange(6, dtype="i"), (1, 2, 3)] if r == 0 else None, dealt)
        return everything.tolist(), came.tolist(), dealt.tolist()

    results = mpi.run(program, n=3).results
    assert results[2] == ([1, 2, 2], [2] * 3, [3, 4, 5]) and results[0][2] == [0, -1, -1]


def test_collectives_that_do_not_fit_together():
    with pytest.raises(lockstep.BarrierMismatch, match="calls barrier where another has called bcast|calls bcast"):
        mpi.run(lambda: comm.barrier() if comm.rank else comm.bcast(1), n=2)
    with pytest.raises(lockstep.InvalidArgument, match="says root"):
        mpi.run(lambda: comm.bcast(1, root=comm.rank), n=2)
    with pytest.raises(lockstep.SizeMismatch, match="Bcast: rank 0 gives 1 elements, rank 1 2"):
        mpi.run(lambda: comm.Bcast(numpy.zeros(comm.rank + 1)), n=2)
    with pytest.raises(lockstep.InvalidArgument, match="expecting 2 items, got 3"):
        mpi.run(lambda: comm.scatter([1, 2, 3]), n=2)
    with pytest.raises(lockstep.ProcessorFailed, match="have no Send_init: write Isend where Start would be"):
        mpi.run(lambda: comm.Send_init(numpy.zeros(1), dest=0), n=2)
    with pytest.raises(AttributeError, match="have no Mprobe: write probe"):
        comm.Mprobe()
    with pytest.raises(AttributeError, match="lockstep.mpi has no Win: one-sided access is me.window"):
        mpi.Win()


# --- sends that wait, and operations that do not ---


def test_a_synchronous_send_costs_an_empty_message_back():
    def program():
        if comm.rank == 0:
            begun = mpi.Wtime()
            comm.ssend([1, 2, 3], dest=1, tag=4)
            return mpi.Wtime() - begun
        for _ in range(5):  # one of which takes the message in, in no time
            assert not comm.iprobe(source=0, tag=9)
        return comm.recv(source=0, tag=4)

    run = mpi.run(program, n=2)
    assert run.results == [5.0, [1, 2, 3]]
    assert run.counts == lockstep.takes(rounds=5, messages=1, startups=1, words=3, volume=3)
    plain = mpi.run(lambda: comm.send(1, dest=1) if comm.rank == 0 else comm.recv(), n=2)
    assert plain.counts == lockstep.takes(rounds=1, messages=1, startups=1)


def test_synchronous_sends_in_a_ring_wait_for_ever():
    def program():
        comm.ssend(comm.rank, dest=(comm.rank + 1) % comm.size, tag=3)
        return comm.recv(source=(comm.rank - 1) % comm.size)

    with pytest.raises(lockstep.Deadlock) as caught:
        mpi.run(program, on="ring:3")
    assert sorted(caught.value.cycle) == [0, 1, 2]
    assert "rank 1 waits in ssend until rank 2 receives its message with tag 3" in str(caught.value)
    assert (caught.value.file, caught.value.line) == (__file__, program.__code__.co_firstlineno + 1)
    with pytest.raises(lockstep.Deadlock, match="rank 0 waits in ssend until it receives its own message with tag 2"):
        mpi.run(lambda: comm.ssend(1, dest=comm.rank, tag=2), n=1)
    with pytest.raises(lockstep.Deadlock, match="waits in Issend until rank 1 receives"):
        mpi.run(lambda: comm.Issend(numpy.zeros(1), dest=1).Wait() if comm.rank == 0 else comm.recv(tag=5), n=2)


def test_operations_that_do_not_block_cost_what_blocking_ones_do():
    def blocking():
        mine, into, block = numpy.arange(8.0), numpy.zeros(8), numpy.zeros(2)
        comm.Allreduce(mine, into)
        comm.Bcast(mine, root=1)
        comm.Reduce_scatter_block(mine, block)
        comm.Alltoall(mine, into)
        comm.Barrier()

    def begun():
        mine, into, block = numpy.arange(8.0), numpy.zeros(8), numpy.zeros(2)
        comm.Iallreduce(mine, into).Wait()
        requests = [comm.Ibcast(mine, root=1), comm.Ireduce_scatter_block(mine, block)]
        requests += [comm.Ialltoall(mine, into), comm.Ibarrier()]
        mpi.Request.Waitall(requests)

    for network in ("crossbar:4", "ring:4", "mesh:2x2"):
        assert mpi.run(begun, on=network).counts == mpi.run(blocking, on=network).counts


def test_blocks_of_a_sum_cost_what_lockstep_has_for_them():
    def without_barriers(run):
        return {**run.counts.as_dict(), "barriers": 0}

    def program(counts):
        comm.Reduce_scatter(numpy.arange(12.0), numpy.zeros(counts[comm.rank]), counts)

    for network in ("crossbar:4", "ring:4", "hypercube:2"):
        run = mpi.run(program, [3] * 4, on=network)
        ours = lockstep.machine(network).run(lambda me: me.reduce_scatter(list(range(12))))
        assert without_barriers(run) == without_barriers(ours)

        def two_steps(me):
            return me.scatterv([2, 4, 1, 5], me.reduce(list(range(12))))

        run = mpi.run(program, [2, 4, 1, 5], on=network)
        assert without_barriers(run) == without_barriers(lockstep.machine(network).run(two_steps))


def test_what_operations_that_do_not_block_refuse():
    with pytest.raises(lockstep.BarrierMismatch, match="calls Ibarrier where another has called Ibcast|calls Ibcast where"):
        mpi.run(lambda: (comm.Ibarrier() if comm.rank else comm.Ibcast(numpy.zeros(1))).Wait(), n=2)
    with pytest.raises(lockstep.BarrierMismatch, match="wait in Iallreduce that others"):
        mpi.run(lambda: comm.rank and comm.Iallreduce(numpy.zeros(1), numpy.zeros(1)).Wait(), n=3)

    def waits_first():
        request = comm.Ibarrier()
        if comm.rank:
            request.Wait()
            comm.send(1, dest=0)
        else:
            comm.recv(source=1)
            request.Wait()

    with pytest.raises(lockstep.Deadlock, match="waits in Ibarrier"):
        mpi.run(waits_first, n=2)
    with pytest.raises(lockstep.InvalidArgument, match="nothing is cancelled"):
        mpi.run(lambda: comm.irecv(source=0).Cancel(), n=2)


def test_an_operation_that_nobody_waits_for_is_performed_at_the_end():
    def program():
        total = numpy.zeros(1)
        comm.Iallreduce(numpy.full(1, comm.rank + 0.0), total)
        return total

    assert mpi.run(program, n=3).results == [[3.0]] * 3


def test_waiting_for_any_takes_in_what_comes_from_all():
    def program():
        if comm.rank == 2:
            comm.send("second", dest=0)
        if comm.rank == 0:
            requests = [comm.irecv(source=1), comm.irecv(source=2)]
            asked = mpi.Request.testany(requests)
            while not asked[1]:
                asked = mpi.Request.testany(requests)
            comm.send("go on", dest=1)
            return asked, mpi.Request.testsome([mpi.REQUEST_NULL]), requests[0].wait()
        if comm.rank == 1:
            comm.recv(source=0)
            comm.send("first", dest=0)
        return None

    assert mpi.run(program, n=3).results[0] == ((1, True, "second"), (None, None), "first")

    def some():
        if comm.rank:
            return comm.send(comm.rank, dest=0)
        requests = [comm.irecv(source=source) for source in range(1, comm.size)]
        values, empty = [], 0
        while True:
            places, came = mpi.Request.testsome(requests)
            if places is None:
                return sorted(values), empty > 0
            values += came
            empty += not places

    assert mpi.run(some, n=4).results[0] == ([1, 2, 3], True)


def test_blocks_of_a_sum_that_do_not_fit():
    def program(counts, size=2, given=4):
        comm.Reduce_scatter(numpy.zeros(given), numpy.zeros(size), counts)

    with pytest.raises(lockstep.SizeMismatch, match=r"4 elements for blocks of \[2, 3\]"):
        mpi.run(program, [2, 3], n=2)
    with pytest.raises(lockstep.SizeMismatch, match="1 elements come for a buffer of 2|3 elements come"):
        mpi.run(program, [1, 3], n=2)
    with pytest.raises(lockstep.InvalidArgument, match="2 counts, 0 or more"):
        mpi.run(program, [4], n=2)
    with pytest.raises(lockstep.InvalidArgument, match="give different counts"):
        mpi.run(lambda: program([2, 2] if comm.rank else [1, 3], size=2 if comm.rank else 1), n=2)
    with pytest.raises(lockstep.InvalidArgument, match="IN_PLACE needs recvcounts"):
        mpi.run(lambda: comm.Reduce_scatter(mpi.IN_PLACE, numpy.zeros(4)), n=2)


def test_operators_that_are_refused():
    with pytest.raises(lockstep.InvalidArgument, match="an operator is a function, and not 3"):
        mpi.Op.Create(3)
    with pytest.raises(lockstep.SizeMismatch, match="2 elements, and 3"):
        mpi.SUM.Reduce_local(numpy.zeros(2), numpy.zeros(3))
    with pytest.raises(lockstep.TypeMismatch, match="float32, and float64"):
        mpi.SUM.Reduce_local(numpy.zeros(2, "f"), numpy.zeros(2))


def test_groups_that_are_refused():
    def of(group):
        return lambda: comm.Create(group() if callable(group) else group)

    with pytest.raises(lockstep.InvalidRank, match="Incl: there is no rank 2; ranks are 0 to 1"):
        mpi.run(of(lambda: comm.group.Incl([2])), n=2)
    with pytest.raises(lockstep.InvalidRank, match="named twice"):
        mpi.run(of(lambda: comm.group.Incl([1, 1])), n=2)
    with pytest.raises(lockstep.InvalidArgument, match="a group is expected"):
        mpi.run(of([0, 1]), n=2)
    with pytest.raises(lockstep.InvalidRank, match="rank 1 is not in the group"):
        mpi.run(lambda: comm.Create_group(comm.group.Incl([0])), n=2)
    with pytest.raises(lockstep.InvalidRank, match="processes that the communicator has not"):
        mpi.run(lambda: mpi.COMM_SELF.Create(comm.group), n=2)


# --- communicators ---


def test_parts_of_the_world():
    def program():
        row = comm.Split(comm.rank // 3, key=-comm.rank)
        twin = row.Dup()
        if row.rank == 0:
            twin.send("twin", dest=1)
            row.send("row", dest=1)
        got = (row.recv(source=0), twin.recv()) if row.rank == 1 else None
        nobody = comm.Split(mpi.UNDEFINED if comm.rank else 0)
        return row.rank, row.size, row.allgather(comm.rank), got, nobody is None, mpi.COMM_SELF.allreduce(comm.rank)

    results = mpi.run(program, on="torus:2x3").results
    assert results[0] == (2, 3, [2, 1, 0], None, False, 0)
    assert results[4] == (1, 3, [5, 4, 3], ("row", "twin"), True, 4)


def test_a_grid():
    def program():
        grid = comm.Create_cart((2, 3), periods=(False, True))
        line = grid.Sub((False, True))
        return grid.coords, grid.Shift(0, 1), grid.Shift(1, 1), grid.Get_cart_rank([1, -1]), line.allgather(grid.rank)

    results = mpi.run(program, on="torus:2x3").results
    assert results[0] == ([0, 0], (mpi.PROC_NULL, 3), (2, 1), 5, [0, 1, 2])
    assert results[5] == ([1, 2], (2, mpi.PROC_NULL), (4, 3), 5, [3, 4, 5])
    assert mpi.Compute_dims(12, 2) == [4, 3] and mpi.Compute_dims(12, [0, 2]) == [6, 2]
    assert mpi.Compute_dims(30, 3) == [5, 3, 2]


def test_the_clock_and_the_end():
    def program():
        begun = mpi.Wtime()
        comm.sendrecv(1, dest=1 - comm.rank, source=1 - comm.rank)
        return mpi.Wtime() - begun

    assert mpi.run(program, n=2).results == [1.0, 1.0]
    with pytest.raises(SystemExit) as ended:
        mpi.run(lambda: comm.Abort(3), n=2)
    assert ended.value.code == 3


# --- what mpi4py does, and what is refused ---


def test_networks_of_your_own():
    star = lockstep.graph({0: [1], 1: [0], 2: []})
    assert star.size == 3
    run = mpi.run(lambda: comm.bcast(comm.rank, root=1), on=lockstep.graph([(0, 1), (1, 2)]))
    assert run.results == [1, 1, 1] and run.counts.words > 0
    with pytest.raises(TypeError, match="as a text"):
        lockstep.run("broadcast", on=star)


def test_buffers_that_are_refused():
    def sends(what, into, call="Send"):
        def program():
            if comm.rank == 0:
                getattr(comm, call)(what(), dest=1)
            else:
                comm.Recv(into(), source=0)

        return program

    def zeros():
        return numpy.zeros(4)

    for what in ([zeros(), -1, mpi.DOUBLE], [zeros(), 1.5], [zeros()], [zeros(), -1]):
        with pytest.raises(lockstep.InvalidArgument, match="Send: a"):
            mpi.run(sends(lambda what=what: what, zeros), n=2)
    for what in (5.0, [5.0, 1], "text", None, numpy.array(["a"])):
        with pytest.raises(lockstep.TypeMismatch, match="a buffer is an array"):
            mpi.run(sends(lambda what=what: what, zeros), n=2)
        with pytest.raises(lockstep.TypeMismatch, match="a buffer is an array"):
            mpi.run(sends(zeros, lambda what=what: what), n=2)
    with pytest.raises(lockstep.InvalidArgument, match="read-only"):
        mpi.run(sends(lambda: b"abc", lambda: b"abc"), n=2)
    with pytest.raises(lockstep.SizeMismatch, match="3 elements from 2 on of an array that has 4"):
        mpi.run(sends(lambda: [zeros(), 3, 2, mpi.DOUBLE], zeros), n=2)


def test_types_of_collectives_are_checked():
    def of(rank):
        return numpy.zeros(2, dtype="d" if rank != 1 else "l")

    def scatter():
        comm.Scatter(numpy.full(6, 0.5), numpy.zeros(2) if comm.rank == 0 else numpy.zeros(2, dtype="i"))

    def scatterv():
        comm.Scatterv([numpy.full(6, 0.5), 2], numpy.zeros(2) if comm.rank == 0 else numpy.zeros(2, dtype="i"))

    programs = [
        scatter,
        scatterv,
        lambda: comm.Gatherv(of(comm.rank), numpy.zeros(6)),
        lambda: comm.Allgatherv(of(comm.rank), numpy.zeros(6)),
        lambda: comm.Alltoallv([numpy.zeros(3, dtype=of(comm.rank).dtype), 1], numpy.zeros(3)),
        lambda: comm.Allreduce(of(comm.rank), of(comm.rank)),
    ]
    for program in programs:
        with pytest.raises(lockstep.TypeMismatch):
            mpi.run(program, n=3)
    with pytest.raises(lockstep.SizeMismatch, match="6 elements come for a buffer of 9"):
        mpi.run(lambda: comm.Allgather(numpy.zeros(2), numpy.zeros(9)), n=3)


def test_elements_of_all_types_cost_the_same():
    def program(of):
        mine, into = numpy.ones(6, dtype=of), numpy.ones(6, dtype=of)
        comm.Bcast(mine)
        comm.Allreduce(mine, into, op=mpi.SUM)
        comm.Alltoall(mine, into)
        comm.Scan(mine, into, op=mpi.Op.Create(lambda left, right, of: None))

    counts = [mpi.run(program, of, on="ring:3").counts for of in ("d", "i", "u8", "D", "?", "g")]
    assert counts[0].words > 0 and counts == [counts[0]] * 6


def test_operators_that_differ():
    with pytest.raises(lockstep.InvalidArgument, match="rank 1 says <MPI.SUM>, another <MPI.MAX>"):
        mpi.run(lambda: comm.allreduce(1, op=mpi.SUM if comm.rank else mpi.MAX), n=2)
    with pytest.raises(lockstep.InvalidArgument, match="Scan: rank 1 says"):
        mpi.run(lambda: comm.Scan(numpy.zeros(1), numpy.zeros(1), op=mpi.SUM if comm.rank else mpi.MAX), n=2)
    with pytest.raises(lockstep.InvalidArgument, match="an operator is"):
        mpi.run(lambda: comm.allreduce(1, op="+"), n=2)


def test_ranks_tags_and_grids_are_checked():
    wrong = {
        lockstep.InvalidRank: [
            lambda: comm.send(1, dest=None),
            lambda: comm.send(1, dest=1.0),
            lambda: comm.recv(source="0"),
            lambda: comm.bcast(1, root=2.0),
            lambda: comm.Create_cart([2]).Get_coords(2),
        ],
        lockstep.InvalidArgument: [
            lambda: comm.send(1, dest=0, tag=-1),
            lambda: comm.recv(tag=1.5),
            lambda: comm.recv(tag=-7),
            lambda: comm.Split("red"),
            lambda: comm.Split(-1),
            lambda: comm.Create_cart([0, 2]),
            lambda: comm.Create_cart([2]).Shift(-1, 1),
        ],
    }
    for kind, programs in wrong.items():
        for program in programs:
            with pytest.raises(kind) as caught:
                mpi.run(program, n=2)
            error = caught.value
            assert (error.rank, error.step, error.file) == (0, 1, __file__)
            assert error.line == program.__code__.co_firstlineno and error.message in str(error) != error.message


def test_a_deadlock_by_tags_says_so():
    def program():
        if comm.rank == 0:
            comm.send("x", dest=1, tag=1)
        elif comm.rank == 1:
            comm.recv(source=0, tag=2)

    with pytest.raises(lockstep.Deadlock) as caught:
        mpi.run(program, n=3)
    text = "rank 1 awaits a message from rank 0 with tag 2; messages with other tags have come: 1 from rank 0"
    assert text in str(caught.value) and text in caught.value.message
    assert str(caught.value).endswith(f"{__file__}:{caught.value.line}]")

    def of_any():
        sub = comm.Split(comm.rank % 2)
        mpi.Request.waitany([comm.irecv(tag=5), sub.irecv(source=0)] if comm.rank else [sub.irecv(source=1)])

    with pytest.raises(lockstep.Deadlock, match="rank 1 awaits a message from anybody with tag 5, or from rank 0 with any tag"):
        mpi.run(of_any, n=4)


def test_what_waits_in_a_collective_operation_is_named():
    with pytest.raises(lockstep.BarrierMismatch, match="2 of 3 members wait in bcast that others") as caught:
        mpi.run(lambda: comm.bcast(1) if comm.rank else None, n=3)
    assert {wait["in"] for wait in caught.value.waits} == {"bcast"}
    with pytest.raises(lockstep.Deadlock, match="processor 0 waits in Allreduce since step 1"):
        mpi.run(lambda: comm.recv(source=0) if comm.rank else comm.Allreduce(numpy.zeros(1), numpy.zeros(1)), n=2)


def test_exceptions_name_the_line_of_the_program():
    def program():
        return comm.allreduce(1, op=lambda left, right: left / 0)

    def forgets():
        if comm.rank:
            comm.send(1)
        return comm.rank

    for wrong, offset, of in ((program, 1, ZeroDivisionError), (forgets, 2, TypeError)):
        with pytest.raises(lockstep.ProcessorFailed) as caught:
            mpi.run(wrong, n=2)
        error = caught.value
        assert (error.file, error.line) == (__file__, wrong.__code__.co_firstlineno + offset)
        assert f"{__file__}:{error.line}]" in str(error) and isinstance(error.__cause__, of)
        files, one = set(), error.__cause__.__traceback__
        while one is not None:
            files.add(one.tb_frame.f_code.co_filename)
            one = one.tb_next
        assert files == {__file__}


def test_scripts_find_their_module_and_settings(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "import typing\nfrom dataclasses import dataclass\nimport mpi4py\n"
        "mpi4py.rc(initialize=False)\nmpi4py.rc.thread_level = 'single'\nfrom mpi4py import MPI\n"
        "@dataclass\nclass Point:\n    x: 'Real'\nReal = float\n"
        "hints, version, begins = typing.get_type_hints(Point), mpi4py.__version__, mpi4py.rc.initialize\n"
    )
    run = mpi.run(script, n=2)
    assert all(one["hints"] == {"x": float} and one["version"] and not one["begins"] for one in run.results)


def test_the_command_takes_models_with_parameters(tmp_path):
    script = tmp_path / "script.py"
    script.write_text("from mpi4py import MPI\nMPI.COMM_WORLD.bcast(1)\n")
    command = [sys.executable, "-B", "-m", "lockstep.mpi", "-n", "4"]
    done = subprocess.run([*command, "--model", "bdm:tau_words=64", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "time by bdm:tau_words=64: " in done.stdout
    done = subprocess.run([*command, "--model", "bdm:tau=64", script], capture_output=True, text=True, check=False)
    assert done.returncode == 1 and "has no parameter 'tau'" in done.stderr
    done = subprocess.run([*command, "--on", "ring:3", script], capture_output=True, text=True, check=False)
    assert done.returncode == 1 and done.stderr == "TypeError: ring:3 has 3 processors, and not 4\n"
    script.write_text("x = = 3\n")
    done = subprocess.run([*command, script], capture_output=True, text=True, check=False)
    assert done.returncode == 1 and "SyntaxError" in done.stderr and "Traceback" not in done.stderr


def test_what_there_is_outside_of_a_run():
    assert repr(comm) == "<communicator of lockstep.mpi: WorldComm>"
    assert all(hasattr(mpi, name) for name in mpi.__all__) and "REQUEST_NULL" in mpi.__all__
    for wrong in ((6, [4, 0]), (6, [2, 2]), (6, [-1, 0]), (0, 2)):
        with pytest.raises(lockstep.InvalidArgument):
            mpi.Compute_dims(*wrong)
    assert mpi.Compute_dims(6, [2, 3]) == [2, 3]


def test_the_stub_has_all_names():
    stub = pathlib.Path(mpi.__file__).with_suffix(".pyi")
    names = set()
    for node in ast.parse(stub.read_text()).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.ImportFrom):
            names.update(one.asname or one.name for one in node.names)
        elif isinstance(node, ast.AnnAssign):
            names.add(node.target.id)
        elif isinstance(node, ast.Assign):
            names.update(target.id for target in node.targets)
    assert set(mpi.__all__) <= names
