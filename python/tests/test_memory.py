"""100,000 processors take at most 500 MB, and programs find what is made only when they ask for it."""

import pathlib
import subprocess
import sys

import pytest

import lockstep

WORDS = pathlib.Path(__file__).parents[1] / "bench" / "words.py"

is_debug = hasattr(sys, "gettotalrefcount")  # of Python, whose objects are larger


@pytest.mark.skipif(is_debug, reason="a debug build of Python")
@pytest.mark.parametrize(("program", "most"), [("plain_ring", 500), ("awaited_ring", 250)])
def test_a_hundred_thousand_processors_fit(program, most):
    used = subprocess.run([sys.executable, WORDS, program], check=True, stdout=subprocess.PIPE, text=True).stdout
    assert 50 < int(used) <= most


def test_a_greenlet_still_has_attributes():
    greenlet = pytest.importorskip("greenlet")

    def program(me):
        mine = greenlet.getcurrent()
        before = dict(mine.__dict__)
        mine.number = me.rank
        me.barrier()
        return before, mine.__dict__

    run = lockstep.machine("ring:3").run(program)
    assert run.results == [({}, {"number": rank}) for rank in range(3)]


def test_frames_are_seen_after_a_wait():
    pytest.importorskip("greenlet")

    def names():
        frame, found = sys._getframe(1), []
        while frame is not None:
            found.append(frame.f_code.co_name)
            frame = frame.f_back
        return found

    def inner(me):
        before = names()
        me.exchange(me.rank ^ 1, me.rank)
        return before, names()

    def outer(me):
        me.barrier()
        return inner(me)

    for before, after in lockstep.machine("hypercube:2").run(outer).results:
        assert before == after == ["inner", "outer"]


def test_a_call_inside_of_the_package_has_the_line_of_the_program():
    pytest.importorskip("greenlet")

    def program(me):
        with me.pipelined():
            me.send((me.rank + 1) % me.size, 1)

    with pytest.raises(lockstep.UnreceivedMessage) as caught:
        lockstep.machine("ring:3").run(program)
    assert caught.value.line == program.__code__.co_firstlineno + 2

    def waits(me):
        if me.rank == 0:
            with me.pipelined():
                pass

    with pytest.raises(lockstep.BarrierMismatch) as caught:
        lockstep.machine("ring:3").run(waits)
    assert caught.value.line == waits.__code__.co_firstlineno + 2
