"""What is refused, and what an error says of it."""

import array
import json
import os
import signal
import subprocess
import sys
import textwrap
import threading

import numpy
import pytest

import lockstep


def on(network, program, **options):
    return lockstep.machine(network, **options).run(program)


def line_of(function, offset):
    return function.__code__.co_firstlineno + offset


def test_a_deadlock_names_its_cycle_and_lines():
    def program(me):
        return me.receive((me.rank + 1) % me.size)

    with pytest.raises(lockstep.Deadlock) as caught:
        on("crossbar:3", program)
    error = caught.value
    assert f"{__file__}:{line_of(program, 1)}" in str(error)
    assert sorted(error.cycle) == [0, 1, 2]
    assert [wait["waits_for"] for wait in error.waits] == [1, 2, 0]
    assert {wait["line"] for wait in error.waits} == {line_of(program, 1)}
    assert all(wait["file"] == __file__ for wait in error.waits)


def test_lines_are_those_of_the_program_in_awaited_calls_too():
    async def inner(me):
        await me.receive(1 - me.rank)

    async def program(me):
        await inner(me)

    with pytest.raises(lockstep.Deadlock) as caught:
        on("crossbar:2", program)
    assert caught.value.waits[0]["line"] == line_of(inner, 1)


def test_a_message_that_nobody_receives():
    def program(me):
        if me.rank == 0:
            me.send(1, [1, 2, 3])

    with pytest.raises(lockstep.UnreceivedMessage) as caught:
        on("crossbar:2", program)
    (message,) = caught.value.messages
    assert (message["from"], message["to"], message["words"]) == (0, 1, 3)
    assert message["line"] == line_of(program, 2) and message["file"] == __file__


@pytest.mark.parametrize("awaits", [False, True])
def test_an_error_is_raised_at_the_call(awaits):
    def plain(me):
        return me.exchange(3 - me.rank, 1)

    async def awaited(me):
        return await me.exchange(3 - me.rank, 1)

    program = awaited if awaits else plain
    with pytest.raises(lockstep.NotAdjacent) as caught:
        on("hypercube:2", program)
    error = caught.value
    assert error.rank == 0 and error.step == 1
    assert error.line == line_of(program, 1) and error.file == __file__
    assert program.__name__ in [entry.name for entry in caught.traceback]


def test_a_program_that_catches_an_error_fails_all_the_same():
    seen = []

    def program(me):
        try:
            me.send(7, 1)
        except lockstep.InvalidRank as error:
            seen.append(error.rank)
        return me.rank

    with pytest.raises(lockstep.InvalidRank):
        on("crossbar:2", program)
    assert 0 in seen


def test_strict_machines():
    def program(me):
        if me.rank > 0:
            me.send(0, 1)
        else:
            me.receive(1), me.receive(2)

    on("crossbar:3", program)
    with pytest.raises(lockstep.PortConflict):
        on("crossbar:3", program, strict=True)

    def crossing(me):
        me.exchange((me.rank + 2) % 8, 1, (me.rank - 2) % 8)

    assert on("torus:8", crossing).counts.contention == 2
    with pytest.raises(lockstep.LinkContention) as caught:
        on("torus:8", crossing, strict=True)
    assert len(caught.value.messages) == 2


def test_barriers_that_differ():
    def program(me):
        me.phase("one" if me.rank == 0 else "another")

    with pytest.raises(lockstep.BarrierMismatch):
        on("crossbar:2", program)


def test_max_steps():
    def program(me):
        while True:
            me.exchange(1 - me.rank, 1)

    with pytest.raises(lockstep.StepLimit):
        on("crossbar:2", program, max_steps=100)


@pytest.mark.parametrize("awaits", [False, True])
def test_an_exception_of_the_program_is_the_cause(awaits):
    def plain(me):
        me.exchange(1 - me.rank, 1)
        if me.rank == 1:
            raise ValueError("wrong")
        me.receive(1)

    async def awaited(me):
        await me.exchange(1 - me.rank, 1)
        if me.rank == 1:
            raise ValueError("wrong")
        await me.receive(1)

    program = awaited if awaits else plain
    with pytest.raises(lockstep.ProcessorFailed, match="ValueError: wrong") as caught:
        on("crossbar:2", program)
    assert (caught.value.rank, caught.value.step) == (1, 2)
    cause = caught.value.__cause__
    assert isinstance(cause, ValueError)
    frame = cause.__traceback__
    while frame.tb_next is not None:
        frame = frame.tb_next
    assert frame.tb_lineno == line_of(program, 3)


def test_the_exception_of_the_first_step_wins():
    def program(me):
        me.idle(5 - me.rank)
        raise ValueError(str(me.rank))

    with pytest.raises(lockstep.ProcessorFailed, match="ValueError: 3"):
        on("crossbar:4", program)


@pytest.mark.parametrize("awaits", [False, True])
def test_programs_that_wait_when_a_run_fails_are_unwound(awaits):
    unwound = []

    def plain(me):
        try:
            if me.rank == 0:
                raise KeyError("stop")
            me.receive(0)
        finally:
            unwound.append(me.rank)

    async def awaited(me):
        try:
            if me.rank == 0:
                raise KeyError("stop")
            await me.receive(0)
        finally:
            unwound.append(me.rank)

    with pytest.raises(lockstep.ProcessorFailed):
        on("crossbar:3", awaited if awaits else plain)
    assert sorted(unwound) == [0, 1, 2]


def test_calls_while_a_program_is_unwound_are_refused():
    refused = []

    def program(me):
        try:
            if me.rank == 0:
                raise KeyError("stop")
            me.receive(0)
        finally:
            if me.rank == 1:
                try:
                    me.send(0, 1)
                except RuntimeError as error:
                    refused.append(str(error))

    with pytest.raises(lockstep.ProcessorFailed):
        on("crossbar:2", program)
    assert "the run is over" in refused[0]


def test_an_exception_in_pipelined_rounds():
    def program(me):
        with me.pipelined():
            raise ValueError("inside")

    with pytest.raises(lockstep.ProcessorFailed, match="inside"):
        on("crossbar:2", program)

    def nested(me):
        with me.pipelined():
            with me.pipelined():
                pass

    with pytest.raises(lockstep.InvalidArgument, match="pipelined inside pipelined"):
        on("crossbar:2", nested)


def test_rounds_that_were_not_begun():
    with pytest.raises(lockstep.ProcessorFailed, match="not begun"):
        on("crossbar:2", lambda me: me.pipelined().__exit__(None, None, None))

    def returns_inside(me):
        with me.pipelined():
            me.send(1 - me.rank, 1)
            return me.receive(1 - me.rank)

    assert on("crossbar:2", returns_inside).results == [1, 1]


def test_an_exchange_takes_in_what_it_sends():
    def program(me):
        me.exchange(1 - me.rank, 1 if me.rank == 0 else [1])

    with pytest.raises(lockstep.TypeMismatch, match="exchanged a number, and a list or tuple"):
        on("crossbar:2", program)
    assert on("crossbar:2", lambda me: me.exchange(1 - me.rank, 1.5 if me.rank else 1)).results == [
        1.5,
        1,
    ]
    assert on("crossbar:2", lambda me: me.exchange(1 - me.rank, [1] if me.rank else None)).results == [
        [1],
        None,
    ]


def test_a_receive_of_a_number_of_words():
    def program(me):
        me.send(1 - me.rank, [1, 2, 3])
        return me.receive(1 - me.rank, words=3 if me.rank == 0 else 2)

    with pytest.raises(lockstep.SizeMismatch) as caught:
        on("crossbar:2", program)
    assert (caught.value.rank, caught.value.line) == (1, line_of(program, 2))
    assert on("crossbar:1", lambda me: 1).results == [1]

    def right(me):
        me.send(1 - me.rank, "twelve bytes")
        return me.receive(1 - me.rank, 2)

    assert on("crossbar:2", right).results == ["twelve bytes"] * 2


def test_calls_that_are_not_awaited():
    async def twice(me):
        me.send(1 - me.rank, 1)
        await me.receive(1 - me.rank)

    with pytest.raises(lockstep.ProcessorFailed, match="was not awaited") as caught:
        on("crossbar:2", twice)
    assert f"line {line_of(twice, 1)}" in str(caught.value)

    async def last(me):
        me.send(1 - me.rank, 1)

    with pytest.raises(lockstep.ProcessorFailed, match="was not awaited"):
        on("crossbar:2", last)

    async def again(me):
        call = me.barrier()
        await call
        await call

    with pytest.raises(lockstep.ProcessorFailed, match="awaited once"):
        on("crossbar:2", again)


def test_other_event_loops_are_refused():
    import asyncio

    async def program(me):
        await asyncio.sleep(0)

    with pytest.raises(lockstep.ProcessorFailed, match="awaits the calls of its processor"):
        on("crossbar:2", program)


def test_a_processor_is_its_own_programs():
    kept = []

    def keep(me):
        kept.append(me)

    on("crossbar:2", keep)
    with pytest.raises(RuntimeError, match="the run is over"):
        kept[0].send(1, 1)
    with pytest.raises(RuntimeError, match="the run is over"):
        kept[0].now
    assert kept[0].rank == 0 and kept[0].size == 2

    others = {}

    def foreign(me):
        others[me.rank] = me
        me.barrier()
        others[1 - me.rank].send(me.rank, 1)

    with pytest.raises(lockstep.ProcessorFailed, match="in its own program"):
        on("crossbar:2", foreign)

    def threaded(me):
        seen = []

        def call():
            try:
                me.barrier()
            except RuntimeError as error:
                seen.append(str(error))

        thread = threading.Thread(target=call)
        thread.start()
        thread.join()
        return seen[0]

    assert "another thread" in on("crossbar:1", threaded).results[0]


def test_a_machine_inside_a_program_is_refused():
    def program(me):
        return lockstep.machine("crossbar:2").run(lambda other: other.rank)

    with pytest.raises(lockstep.InvalidArgument, match="a machine inside"):
        on("crossbar:2", program)


def test_machines_run_in_several_threads():
    def program(me):
        s = me.rank
        for d in range(6):
            s += me.exchange(me.rank ^ (1 << d), s)
        return s

    found = []

    def run():
        for _ in range(5):
            found.append(on("hypercube:6", program).results[0])

    threads = [threading.Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [2016] * 20


def test_a_generator_that_is_abandoned_and_deep_recursion():
    def program(me):
        def values():
            try:
                for value in range(10):
                    yield me.exchange(1 - me.rank, value)
            finally:
                pass

        for value in values():
            if value == 2:
                break

        def depth(left):
            return me.exchange(1 - me.rank, 1) if left == 0 else depth(left - 1)

        return value, depth(500)

    assert on("crossbar:2", program).results == [(2, 1), (2, 1)]

    def endless(me):
        return endless(me)

    with pytest.raises(lockstep.ProcessorFailed, match="RecursionError"):
        on("crossbar:2", endless)


def test_exit_leaves_the_run():
    def program(me):
        me.exchange(1 - me.rank, 1)
        sys.exit(3)

    with pytest.raises(SystemExit) as caught:
        on("crossbar:2", program)
    assert caught.value.code == 3


@pytest.mark.parametrize("awaits", [False, True])
def test_an_interrupt_ends_a_run(awaits):
    call = "await me.exchange" if awaits else "me.exchange"
    script = textwrap.dedent(
        f"""
        import signal
        import lockstep
        signal.signal(signal.SIGINT, signal.default_int_handler)  # which a background job ignores
        {"async " if awaits else ""}def program(me):
            print("begun", flush=True) if me.rank == 0 else None
            while True:
                {call}(me.rank ^ 1, 1)
        try:
            lockstep.machine("hypercube:3", max_steps=2**60).run(program)
        except KeyboardInterrupt:
            print("interrupted", flush=True)
        """
    )
    process = subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, env=dict(os.environ), text=True
    )
    assert process.stdout.readline() == "begun\n"
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=15)[0] == "interrupted\n"
    assert process.returncode == 0


def test_plain_functions_need_greenlet_and_coroutines_do_not():
    script = textwrap.dedent(
        """
        import sys
        sys.modules["greenlet"] = None
        import lockstep

        async def awaited(me):
            return await me.exchange(1 - me.rank, me.rank)

        machine = lockstep.machine("crossbar:2")
        assert machine.run(awaited).results == [1, 0]
        assert machine.run(lambda me: awaited(me)).results == [1, 0]
        assert machine.run(lambda me: me.rank).results == [0, 1]
        try:
            machine.run(lambda me: me.barrier())
        except lockstep.ProcessorFailed as error:
            assert "python3-greenlet" in str(error)
        else:
            raise AssertionError
        """
    )
    subprocess.run([sys.executable, "-c", script], check=True, timeout=20)


def test_a_page_of_a_run_that_fails(tmp_path):
    page = tmp_path / "failed.html"
    with pytest.raises(lockstep.Deadlock):
        on("crossbar:2", lambda me: me.receive(1 - me.rank), view_failure=str(page))
    assert "deadlock" in page.read_text().lower() or page.stat().st_size > 10_000


def test_arguments_that_are_missing_or_too_many():
    for wrong, text in [
        (lambda me: me.send(1), "misses its argument values"),
        (lambda me: me.receive(1, 2, 3), "at most"),
        (lambda me: me.receive(origin=1), "origin"),
        (lambda me: me.receive("one"), "a whole number is expected here"),
        (lambda me: me.exchange(lockstep.along(0, 1), 1), "needs a source"),
        (lambda me: me.subset(), "dimensions="),
        (lambda me: me.work(-1), "0 or more"),
    ]:
        with pytest.raises(lockstep.ProcessorFailed, match=text):
            on("torus:3", wrong)


def test_classes_of_errors():
    assert issubclass(lockstep.Deadlock, lockstep.Error)
    assert issubclass(lockstep.InvalidArgument, ValueError)
    with pytest.raises(lockstep.InvalidRank, match="processor 0"):
        on("crossbar:2", lambda me: me.send(2**40, 1))


def test_a_call_that_another_processor_awaits_is_refused():
    made = []

    async def program(me):
        if me.rank == 0:
            made.append(me.receive(1))
            return await made[0]
        return await made[0]

    with pytest.raises(lockstep.ProcessorFailed, match="elsewhere than in its own program") as caught:
        on("crossbar:2", program)
    assert caught.value.rank == 1
    assert isinstance(caught.value.__cause__, RuntimeError)


@pytest.mark.parametrize("sends", [False, True])
def test_a_call_that_is_stepped_by_hand_is_refused(sends):
    async def program(me):
        if me.rank == 0:
            call = me.receive(1)
            next(call)
            next(call)
        elif sends:
            await me.send(0, 1)

    with pytest.raises(lockstep.Error) as caught:
        on("crossbar:2", program)
    if sends:
        assert caught.value.rank == 0 and "stepped by hand" in str(caught.value)


def test_a_program_that_does_not_take_its_result_is_refused():
    async def swallows(me):
        if me.rank == 1:
            return await me.send(0, 1)
        call = me.receive(1)
        next(call)
        try:
            next(call)
        except RuntimeError:
            return me.rank

    with pytest.raises(lockstep.ProcessorFailed, match="before it took the result"):
        on("crossbar:2", swallows)

    class Once:
        def __await__(self):
            yield

    async def goes_on(me):
        if me.rank == 1:
            await me.send(0, 1)
            return await me.receive(0)
        next(me.receive(1))
        await Once()
        await me.send(1, 1)

    with pytest.raises(lockstep.ProcessorFailed, match="not taken before the next call"):
        on("crossbar:2", goes_on)


def test_programs_with_yield_are_refused():
    def generator(me):
        yield me.rank

    async def awaited(me):
        yield await me.exchange(1 - me.rank, 1)

    for program in [generator, awaited]:
        with pytest.raises(TypeError, match="plain function, or async def"):
            on("crossbar:2", program)
        with pytest.raises(lockstep.ProcessorFailed, match="TypeError.*plain function"):
            on("crossbar:2", lambda me, program=program: program(me))


def test_collectives_name_what_they_take():
    for call in [
        lambda me: me.all_reduce(None),
        lambda me: me.broadcast(None),
        lambda me: me.scan([1, "two"]),
        lambda me: me.all_gather({1: 2}),
    ]:
        with pytest.raises(lockstep.ProcessorFailed, match="TypeError.*take a number, a list") as caught:
            on("crossbar:2", call)
        assert isinstance(caught.value.__cause__, TypeError)


def test_calls_from_a_greenlet_of_the_program_are_refused():
    greenlet = pytest.importorskip("greenlet")

    def program(me):
        return greenlet.greenlet(lambda: me.exchange(1 - me.rank, 1)).switch()

    with pytest.raises(lockstep.ProcessorFailed, match="in the greenlet of its own program"):
        on("crossbar:2", program)


@pytest.mark.parametrize("awaits", [False, True])
def test_programs_take_memory_after_another_has_failed(awaits):
    def plain(me):
        if me.rank == 0:
            me.send(9, 1)
        me.idle(3)
        return me.memory(4).words

    async def awaited(me):
        if me.rank == 0:
            await me.send(9, 1)
        await me.idle(3)
        return me.memory(4).words

    with pytest.raises(lockstep.InvalidRank) as caught:
        on("crossbar:4", awaited if awaits else plain)
    assert caught.value.rank == 0


def test_the_error_of_the_first_step_wins():
    def program(me):
        if me.rank == 0:
            me.idle(10**9)
        else:
            me.idle()
            me.send(9, 1)

    with pytest.raises(lockstep.InvalidRank) as caught:
        on("crossbar:2", program)
    assert (caught.value.rank, caught.value.step, caught.value.line) == (1, 2, line_of(program, 5))
    assert program.__name__ in [entry.name for entry in caught.traceback]


def test_an_error_of_a_call_is_not_that_of_an_earlier_step():
    def program(me):
        to = (me.rank + 2) % 8
        me.send(to, 1)
        me.receive((me.rank - 2) % 8)
        me.idle(10**9)

    with pytest.raises(lockstep.LinkContention) as caught:
        on("torus:8", program, strict=True)
    assert caught.value.step == 1


@pytest.mark.parametrize("awaits", [False, True])
def test_rounds_that_a_program_keeps_open_end_with_it(awaits):
    def plain(me):
        me.pipelined().__enter__()
        return me.exchange(1 - me.rank, me.rank)

    async def awaited(me):
        await me.pipelined().__aenter__()
        return await me.exchange(1 - me.rank, me.rank)

    def closed(me):
        with me.pipelined():
            return me.exchange(1 - me.rank, me.rank)

    run = on("crossbar:2", awaited if awaits else plain)
    assert run.results == [1, 0]
    assert run.counts == on("crossbar:2", closed).counts


@pytest.mark.parametrize(
    "call",
    [
        lambda me: me.scatter(7, [1] * 8 if me.rank == 0 else None),
        lambda me: me.broadcast(1, root=9),
        lambda me: me.reduce(1, root=-1),
        lambda me: me.all_to_all([1, 2, 3]),
        lambda me: me.gatherv([1], [1, 2]),
        lambda me: me.all_to_allv([1, 2], [1, 1, 1, 1]),
    ],
)
@pytest.mark.parametrize("awaits", [False, True])
def test_errors_of_collectives_have_a_place(call, awaits):
    def plain(me):
        me.phase("wrong")
        me.barrier()
        me.idle(2)
        return call(me)

    async def awaited(me):
        await me.phase("wrong")
        await me.barrier()
        await me.idle(2)
        return await call(me)

    program = awaited if awaits else plain
    with pytest.raises(lockstep.Error) as caught:
        on("ring:4", program)
    error = caught.value
    assert (error.rank, error.step, error.phase) == (0, 3, "wrong")
    assert (error.file, error.line) == (__file__, call.__code__.co_firstlineno)
    assert str(error) == f'{error.message} [processor 0, step 3, phase "wrong", {__file__}:{error.line}]'


@pytest.mark.parametrize(
    "call",
    [
        lambda me: me.idle(-1),
        lambda me: me.all_reduce(1, op="none"),
        lambda me: me.all_reduce(1, scheme="none"),
        lambda me: 1 / 0,
        lambda me: json.loads("{"),
        lambda me: me.window(bytearray(3)).read(0, -1),
    ],
)
@pytest.mark.parametrize("steps", [0, 3])
def test_exceptions_of_programs_have_the_line_that_raised_them(call, steps):
    def plain(me):
        for _ in range(steps):
            me.barrier()
            me.idle()
        return call(me)

    async def awaited(me):
        for _ in range(steps):
            await me.barrier()
            await me.idle()
        return call(me)

    for program in plain, awaited:
        with pytest.raises(lockstep.ProcessorFailed) as caught:
            on("ring:4", program)
        error = caught.value
        assert (error.rank, error.step) == (0, steps + 1)
        assert (error.file, error.line) == (__file__, call.__code__.co_firstlineno)
        assert str(error).endswith(f"[processor 0, step {steps + 1}, {__file__}:{error.line}]")


def test_errors_of_lockstep_that_a_program_raises_have_a_place():
    def program(me):
        me.idle(2)
        raise lockstep.InvalidArgument("of one's own")

    with pytest.raises(lockstep.InvalidArgument, match="of one's own") as caught:
        on("ring:4", program)
    error = caught.value
    assert (error.rank, error.step, error.file, error.line) == (0, 3, __file__, line_of(program, 2))


@pytest.mark.parametrize("what", ["plain", "awaited", "operator", "library", "mpi"])
def test_the_interpreter_ends_while_a_thread_runs(what):
    script = textwrap.dedent(
        """
        import threading, time, sys
        import lockstep, lockstep.mpi
        begun = threading.Event()

        def plain(me):
            while True:
                begun.set()
                me.exchange(me.rank ^ 1, 1)

        async def awaited(me):
            while True:
                begun.set()
                await me.exchange(me.rank ^ 1, 1)

        def plus(left, right):
            begun.set()
            return left + right

        def operator(me):
            while True:
                me.all_reduce(1, plus)

        def mpi():
            from lockstep.mpi import COMM_WORLD
            while True:
                begun.set()
                COMM_WORLD.allreduce(1)

        def run(what):
            if what == "library":
                begun.set()
                while True:
                    lockstep.run("all-to-all", on="torus:16x16")
            if what == "mpi":
                lockstep.mpi.run(mpi, n=4, max_steps=2**60)
            lockstep.machine("ring:2", max_steps=2**60).run(globals()[what])

        threading.Thread(target=run, args=[sys.argv[1]], daemon=True).start()
        begun.wait()
        time.sleep(0.2)
        """
    )
    done = subprocess.run([sys.executable, "-c", script, what], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")


def test_an_exchange_of_arrays_takes_in_the_elements_that_it_sends():
    def program(me, first, second):
        return me.exchange(1 - me.rank, second if me.rank else first)

    def exchanged(first, second):
        return lockstep.machine("crossbar:2").run(program, first, second)

    whole, real = numpy.arange(3), numpy.ones(5)
    for others in real, whole.astype("i4"), whole.astype("u8"), whole.astype("c16"), whole > 1:
        with pytest.raises(lockstep.TypeMismatch, match="exchanged an array of int64, and an array of") as caught:
            exchanged(whole, others)
        assert caught.value.rank == 0 and caught.value.line == line_of(program, 1)
    with pytest.raises(lockstep.TypeMismatch, match="an array of int64, and an array of float64 came"):
        exchanged(whole, real)
    run = exchanged(whole, array.array("q", [7]))
    assert run.results[0] == array.array("q", [7])
    assert exchanged(whole, {"any": "object"}).pickled == 1


def test_texts_have_the_words_of_python():
    def far(me):
        me.exchange((me.rank + 2) % 4, 1)

    with pytest.raises(lockstep.NotAdjacent, match='or set switching="cut-through"'):
        on("ring:4", far, switching="neighbour")

    def other_size(me):
        me.send(1 - me.rank, [1, 2])
        me.receive(1 - me.rank, 3)

    with pytest.raises(lockstep.SizeMismatch, match=r"receive\(source\) takes any number") as caught:
        on("crossbar:2", other_size)
    assert "<T>" not in str(caught.value) + caught.value.message
    with pytest.raises(lockstep.InvalidArgument, match="^packet is 0: "):
        lockstep.machine("ring:4", packet=0)
    with pytest.raises(lockstep.InvalidArgument, match="make its machine with clocked=True"):
        on("ring:4", lambda me: me.barrier()).timeline("loggp-clock")


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: lockstep.takes(steps=-1), "steps is a whole number, 0 or more, and not -1"),
        (lambda: lockstep.takes(steps="x"), "steps is a whole number, 0 or more, and not 'x'"),
        (lambda: lockstep.Counts(steps=-1), "steps is a whole number, 0 or more, and not -1"),
        (lambda: lockstep.Counts(steps=1).time(4, "bdm", tau_words="x"), "tau_words is a number, and not 'x'"),
        (lambda: lockstep.Counts(steps=1).time(4, "bdm:tau_words=x"), 'the model "bdm:tau_words=x" has a parameter'),
        (lambda: lockstep.machine(3), 'a network is a text such as "torus:4x4", or what graph makes, and not 3'),
        (lambda: lockstep.machine("ring:4", packet=-1), "packet is a whole number, 0 or more, and not -1"),
        (lambda: lockstep.machine("ring:4").run(3), "run takes a program, a function of a processor, and not 3"),
    ],
)
def test_arguments_of_wrong_types_have_one_line(call, text):
    with pytest.raises((TypeError, ValueError)) as caught:
        call()
    assert str(caught.value).startswith(text) and "\n" not in str(caught.value)


def test_a_name_that_is_no_text():
    with pytest.raises(lockstep.ProcessorFailed, match="a text is expected here, and not 3"):
        on("ring:4", lambda me: me.phase(3))


def test_models_with_parameters_in_their_name():
    run = on("ring:4", lambda me: me.exchange(me.rank ^ 1, [1, 2, 3]))
    assert run.time("bdm:tau_words=7") == run.time("bdm", tau_words=7) != run.time("bdm")


def test_awaited_programs_write_async_with():
    async def program(me):
        with me.pipelined():
            await me.exchange(me.rank ^ 1, 1)

    with pytest.raises(lockstep.ProcessorFailed, match="in async def write async with me.pipelined"):
        on("ring:4", program)


@pytest.mark.parametrize("name", ["pipelined", "window", "subset", "memory"])
def test_calls_have_docstrings(name):
    assert getattr(lockstep.Processor, name).__doc__


@pytest.mark.parametrize("name", ["counts", "choices", "makespan", "network", "size", "span", "plot", "view"])
def test_properties_of_runs_have_docstrings(name):
    assert getattr(lockstep.Run, name).__doc__
