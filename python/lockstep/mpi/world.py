"""The processes of a run in MPI's words: what they have under way, and how messages find their receives."""

import contextvars
import operator
import pathlib
import pickle
import sys
from collections import deque
from typing import Any, NamedTuple

from .. import errors

ANY_SOURCE = -1
ANY_TAG = -1
PROC_NULL = -2
UNDEFINED = -32766

#: The process whose program runs: each program is in a context of its own.
_here = contextvars.ContextVar("lockstep.mpi")

_PACKAGE = str(pathlib.Path(__file__).parents[1])

#: The context of answers to synchronous sends.
_ANSWERS = "answers"

_UNCHANGING = frozenset([int, float, bool, complex, str, bytes, type(None)])


def here():
    """Find the process whose program runs. Raises RuntimeError outside of a run."""
    process = _here.get(None)
    if process is None:
        raise RuntimeError(
            "COMM_WORLD is that of a run: python3 -m lockstep.mpi -n 4 script.py, or "
            'lockstep.mpi.run(program, on="crossbar:4")'
        )
    return process


def failed(kind, text):
    """Make an error of that class which names the process, its step, and the program's line that makes the call."""
    process = _here.get(None)
    frame = sys._getframe(1)
    while frame is not None and is_own_file(frame.f_code.co_filename):
        frame = frame.f_back
    place = [] if process is None else [f"processor {process.rank}", f"step {process.me.now}"]
    if frame is not None:
        place.append(f"{frame.f_code.co_filename}:{frame.f_lineno}")
    error = kind(f"{text} [{', '.join(place)}]" if place else text)
    error.message = text
    if process is not None:
        error.rank, error.step = process.rank, process.me.now
    if frame is not None:
        error.file, error.line = frame.f_code.co_filename, frame.f_lineno
    return error


def is_own_file(name):
    """Tell whether a file is one of the package's own."""
    return name.startswith(_PACKAGE)


def whole_number(call, name, value, kind=errors.InvalidArgument):
    """Read a whole number, of numpy or Python. Raises an error of that class for anything else."""
    try:
        return operator.index(value)
    except TypeError:
        raise failed(kind, f"{call}: {name} is a whole number, and not {value!r}") from None


def is_running():
    """Tell whether a program runs here."""
    return _here.get(None) is not None


class Envelope(NamedTuple):
    """What a message carries besides its values, as the machine's messages carry their sender: without words."""

    context: Any
    tag: int
    is_buffer: bool
    answer: int | None = None  #: the tag of the empty message that its sender waits for: that of ssend


class Message(NamedTuple):
    """A message that a process has taken in."""

    source: int  #: of COMM_WORLD
    envelope: Envelope
    value: Any


class Receive:
    """A receive that waits for its message."""

    def __init__(self, seat, source, tag, answers=None):
        self.seat = seat
        self.source = source  #: of COMM_WORLD, or ANY_SOURCE
        self.tag = tag
        self.answers = answers  #: the call and tag of the synchronous send whose answer it is
        self.context = seat.context if answers is None else _ANSWERS
        self.message = None

    def fits(self, message):
        """Tell whether a message is one for this receive."""
        envelope = message.envelope
        return (
            envelope.context == self.context
            and self.source in (ANY_SOURCE, message.source)
            and self.tag in (ANY_TAG, envelope.tag)
        )


class Operand:
    """A value as it was when its process gave it to a collective operation."""

    def __init__(self, me, value):
        self.words = me._words_of(value)
        self.is_number = _is_number(value)
        #: Whether it is one of Python's numbers, or numpy's of the same form.
        self.is_plain = self.is_number and (type(value) in (int, float, bool) or isinstance(value, float))
        self.is_whole = isinstance(value, int)
        is_array = _is_array_of_numbers(value)
        self.shape, self.dtype = (value.shape, value.dtype) if is_array else (None, None)
        self._is_pickled = False
        if type(value) in _UNCHANGING or self.is_number:
            self._kept = value
        elif self.shape is not None:
            self._kept = value.copy()
        else:
            self._is_pickled = True
            self._kept = pickle.dumps(value)

    def taken(self):
        """Give a copy, which is its receiver's alone."""
        if self._is_pickled:
            return pickle.loads(self._kept)
        return self._kept if self.shape is None else self._kept.copy()


def _is_number(value):
    if isinstance(value, float | bool):
        return True
    if isinstance(value, int):
        return -(1 << 63) <= value < 1 << 63
    return getattr(value, "shape", None) == () and not hasattr(value, "__setitem__") and value.dtype.kind in "biuf"


def _is_array_of_numbers(value):
    dtype = getattr(value, "dtype", None)
    return dtype is not None and dtype.kind in "biuf" and hasattr(value, "__setitem__")


class World:
    """What the processes of a run share."""

    def __init__(self, size):
        #: For each receiver and sender, the envelopes of the messages in the channel between them.
        self.envelopes = [{} for _ in range(size)]
        self.processes = [None] * size
        #: The collective operations that processes have come to.
        self.meetings = {}
        #: The operations that do not block, as far as they are under way.
        self.begun = {}


class Meeting:
    """A collective operation: what each member gives to it."""

    def __init__(self, name, root, size):
        self.name = name
        self.root = root
        self.op = None
        self.given = [None] * size
        self.made = None  #: what the members have worked out of it


class Seat:
    """A process's place in a communicator."""

    def __init__(self, process, me, context, ranks):
        self.process = process
        self.me = me
        self.context = context
        self.ranks = ranks  #: of COMM_WORLD, by the ranks here
        self.rank = me.rank
        self.size = len(ranks)
        self.meetings = 0
        self.begun = 0
        self.made_of_groups = {}  #: how often, by group and tag
        self._members = None

    def part(self, ranks, context):
        """Make the seat of this process in a communicator of these ranks of COMM_WORLD."""
        root = self.process.me
        is_all = tuple(ranks) == tuple(range(root.size))
        return Seat(self.process, root if is_all else root.subset(list(ranks)), context, tuple(ranks))

    def world_rank(self, call, rank):
        """Find the rank in COMM_WORLD. Raises InvalidRank."""
        if 0 <= rank < self.size:
            return self.ranks[rank]
        raise failed(
            errors.InvalidRank,
            f"{call}: there is no rank {rank}; ranks are 0 to {self.size - 1}, PROC_NULL for nobody",
        )

    def rank_of(self, world_rank):
        """Find the rank here of a rank in COMM_WORLD."""
        return world_rank if isinstance(self.ranks, range) else self.ranks.index(world_rank)

    def has(self, world_rank):
        """Tell whether a rank in COMM_WORLD is one of the members."""
        if isinstance(self.ranks, range):
            return True
        if self._members is None:
            self._members = frozenset(self.ranks)
        return world_rank in self._members

    def others(self):
        """List the ranks in COMM_WORLD of the other members; None for all others of the machine."""
        if isinstance(self.ranks, range):
            return None
        return [rank for rank in self.ranks if rank != self.process.rank]

    def meet(self, name, given=None, root=None, has_messages=True, op=None):
        """Come together for a collective operation: the machine's barrier, which is free.

        Then each member knows what all have given, sizes above all. Messages that members have sent before are taken
        in, so that those of the operation come next in their channels. Raises BarrierMismatch if members call
        different operations, InvalidArgument for different roots or operators.
        """
        if self.process.performs is None:
            self.process.go_on()
        else:
            name = self.process.performs
        if root is not None:
            root = whole_number(name, "the root", root, errors.InvalidRank)
            if not 0 <= root < self.size:
                raise failed(errors.InvalidRank, f"{name}: there is no rank {root}; ranks are 0 to {self.size - 1}")
        meetings = self.process.world.meetings
        key = (self.context, self.meetings)
        self.meetings += 1
        meeting = meetings.setdefault(key, None) or Meeting(name, root, self.size)
        meetings[key] = meeting
        if meeting.name != name:
            raise failed(
                errors.BarrierMismatch,
                f"rank {self.rank} calls {name} where another has called {meeting.name}: all members of a "
                "communicator call its collective operations in the same order",
            )
        if meeting.root != root:
            raise failed(errors.InvalidArgument, f"{name}: rank {self.rank} says root {root}, another {meeting.root}")
        if meeting.op is None:
            meeting.op = op
        elif op is not None and not meeting.op.may_be(op):
            raise failed(errors.InvalidArgument, f"{name}: rank {self.rank} says {op}, another {meeting.op}")
        meeting.given[self.rank] = given
        self.process.answer_owed()
        self.process.meeting = name
        self.me.barrier()
        self.process.meeting = None
        meetings.pop(key, None)
        if has_messages:
            self.process.take_in_all(self)
        return meeting


class Process:
    """A processor as a process of MPI: it matches the messages that come with its receives."""

    def __init__(self, world, me, namespace=None):
        self.world = world
        world.processes[me.rank] = self
        self.me = me
        self.rank = me.rank
        self.namespace = namespace  #: of a script
        self.everybody = Seat(self, me, "world", range(me.size))
        self._alone = None
        self.meeting = None  #: the collective operation that it waits in for others
        self.awaited = ()  #: the receives that it waits for
        self._posted = []  #: receives that wait, in the order in which they were made
        self._arrived = []  #: messages that no receive has asked for yet
        self._begun = deque()  #: collective operations that it has begun, and that are not performed yet
        self.performs = None  #: the name of the one that it performs
        self._synchronous = 0  #: its sends that wait for an answer
        self._owed = deque()  #: messages to answer after a collective operation
        self._enters = False  #: a collective operation, whose messages come next

    def enter(self):
        """Make this the process whose program runs, in the program's own context."""
        _here.set(self)

    @property
    def alone(self):
        """Give the seat in COMM_SELF."""
        if self._alone is None:
            self._alone = Seat(self, self.me.subset([self.rank]), f"self {self.rank}", (self.rank,))
        return self._alone

    def send(self, context, to, tag, value, is_buffer, answer=None):
        """Send a value; one to itself is copied, and costs nothing."""
        self.answer_owed()
        envelope = Envelope(context, tag, is_buffer, answer)
        if to == self.rank:
            return self._deliver(Message(to, envelope, Operand(self.me, value).taken()))
        self.world.envelopes[to].setdefault(self.rank, deque()).append(envelope)
        self.me.send(to, value)

    def send_synchronously(self, call, seat, to, tag, value, is_buffer):
        """Send a value whose receiver answers by an empty message. Result: the receive of the answer."""
        self._synchronous += 1
        answer = Receive(seat, to, self._synchronous, answers=(call, tag))
        self.post(answer)
        self.send(seat.context, to, tag, value, is_buffer, self._synchronous)
        return answer

    def answer_owed(self):
        """Answer the synchronous sends that were received while a collective operation began."""
        while self._owed and not self._enters:
            self._answer(self._owed.popleft())

    def begin(self, operation):
        """Take up a collective operation that does not block."""
        self._begun.append(operation)

    def go_on(self, until=None):
        """Perform the collective operations that have begun, in their order: all, or up to one of them."""
        while self._begun and (until is None or not until.is_performed):
            self._begun.popleft().perform()

    def post(self, receive):
        """Begin a receive: it gets the oldest message that fits, of those that have come, or later ones."""
        for message in self._arrived:
            if receive.fits(message):
                self._arrived.remove(message)
                return self._match(receive, message)
        self._posted.append(receive)

    def complete(self, receive):
        """Take in messages until a receive has its own.

        While it is the answer to a synchronous send, whatever has been asked for before is taken in, too: its
        sender may wait for an answer as well.
        """
        while receive.message is None:
            if receive.answers is not None and len(self._posted) > 1:
                self.take_in_any([receive, *(one for one in self._posted if one is not receive)])
            else:
                self.awaited = (receive,)
                self.take_in(receive.source, receive.seat)
        self.awaited = ()

    def take_in_any(self, receives):
        """Take in a message from whichever comes first of the processors that receives wait for."""
        sources = set()
        for receive in receives:
            is_any = receive.source == ANY_SOURCE
            sources.update(receive.seat.ranks if is_any else [receive.source])
        sources.discard(self.rank)
        self.awaited = tuple(receives)
        if len(sources) == 1:
            self.take_in(sources.pop(), receives[0].seat)
        else:
            self.take_in(ANY_SOURCE, receives[0].seat, among=sorted(sources))
        self.awaited = ()

    def take_in(self, source, seat, is_there=False, among=None):
        """Take in the oldest message from a processor, or from whichever member's (or of those among) comes first."""
        self.answer_owed()
        if source == self.rank or (source == ANY_SOURCE and (seat.size == 1 if among is None else not among)):
            answers = next((one.answers for one in self.awaited if one.answers is not None), None)
            if answers is not None:
                raise failed(
                    errors.Deadlock,
                    f"rank {seat.rank} waits in {answers[0]} until it receives its own message with tag {answers[1]}",
                )
            raise failed(errors.Deadlock, f"rank {seat.rank} receives from itself what it has not sent before")
        if is_there:
            value = self.me.try_receive(source)
        elif source == ANY_SOURCE:
            source, value = self.me.receive_any(seat.others() if among is None else among)
        else:
            value = self.me.receive(source)
        channels = self.world.envelopes[self.rank]
        envelope = channels[source].popleft()
        if not channels[source]:
            del channels[source]
        self._deliver(Message(source, envelope, value))

    def take_in_all(self, seat):
        """Take in what members have sent before a collective operation."""
        channels = self.world.envelopes[self.rank]
        self._enters = True
        for source in sorted(channels):
            while seat.has(source) and source in channels:
                self.take_in(source, seat)
        self._enters = False

    def look(self, receives):
        """Take in a message that has come for any of these receives; if there is none, a step passes.

        All others go as far as they can before.
        """
        self.answer_owed()
        for receive in receives:
            for rank in receive.seat.ranks if receive.source == ANY_SOURCE else [receive.source]:
                if rank != self.rank and self.me.pending(rank):
                    return self.take_in(rank, receive.seat, is_there=True)
        if not receives:
            for other in self.me.topology.neighbours(self.rank):
                self.me.pending(other)  # which lets others go on
                break
        self.me.idle()

    def arrived_for(self, seat):
        """List the messages that have come to a seat, and that no receive has asked for."""
        return [message for message in self._arrived if message.envelope.context == seat.context]

    def first_arrived(self, receive):
        """Find the oldest message that has come, and would fit; None if there is none."""
        return next((message for message in self._arrived if receive.fits(message)), None)

    def end(self):
        """End the program. Raises UnreceivedMessage if a message has come that it never received."""
        self.go_on()
        self.answer_owed()
        if self._arrived:
            first = self._arrived[0]
            raise failed(
                errors.UnreceivedMessage,
                f"rank {self.rank} ended without receiving a message from rank {first.source} with tag "
                f"{first.envelope.tag}: receive it, or do not send it",
            )

    def _deliver(self, message):
        for receive in self._posted:
            if receive.fits(message):
                self._posted.remove(receive)
                return self._match(receive, message)
        self._arrived.append(message)

    def _match(self, receive, message):
        receive.message = message
        if message.envelope.answer is None:
            return
        if self._enters:
            self._owed.append(message)
        else:
            self._answer(message)

    def _answer(self, message):
        """Tell the sender of a synchronous send that its message is received."""
        self.send(_ANSWERS, message.source, message.envelope.answer, None, is_buffer=False)
