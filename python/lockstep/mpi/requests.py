"""Sends and receives under way, and what is known of a message that has come."""

from .. import errors
from . import buffers
from .world import ANY_SOURCE, ANY_TAG, PROC_NULL, UNDEFINED, failed


class Status:
    """What is known of a message that was received."""

    def __init__(self):
        self.clear()

    def clear(self):
        """Make it that of a request that has ended before: from anybody, empty."""
        self.source = ANY_SOURCE
        self.tag = ANY_TAG
        self.error = 0
        self.count = 0  #: bytes of an array; of another value, its words
        self._is_array = False

    def Get_source(self):
        """Give the sender's rank."""
        return self.source

    def Get_tag(self):
        """Give the tag."""
        return self.tag

    def Get_error(self):
        """Give 0: errors are exceptions."""
        return self.error

    def Is_cancelled(self):
        """Tell that nothing is ever cancelled."""
        return False

    def Get_count(self, datatype=None):
        """Give how many elements of a type an array had, UNDEFINED if they are not whole; without a type, its bytes.

        Of another value than an array: its words.
        """
        if datatype is None or not self._is_array:
            return self.count
        count, rest = divmod(self.count, buffers.datatype_of("Get_count", datatype).Get_size())
        return UNDEFINED if rest else count

    Get_elements = Get_count


def fill(status, seat, message):
    """Write into a status, if there is one, what is known of a message."""
    if status is None:
        return
    status.source = seat.rank_of(message.source)
    status.tag = message.envelope.tag
    status._is_array = message.envelope.is_buffer
    status.count = message.value.nbytes if status._is_array else seat.me._words_of(message.value)


class Request:
    """A send or receive under way: `wait` completes it, and then it is REQUEST_NULL, which is false."""

    def __init__(self, receive=None, buffer=None):
        self._receive = receive
        self._buffer = buffer
        self._is_active = receive is not None

    def __bool__(self):
        return self._is_active

    def __eq__(self, other):
        if not isinstance(other, Request):
            return NotImplemented
        return self is other or not (self._is_active or other._is_active)

    __hash__ = object.__hash__

    def wait(self, status=None):
        """Complete it. Result: the value, of a receive; None if it was complete before."""
        if self._is_active and self._receive is not None:
            self._receive.seat.process.complete(self._receive)
        return self._finish(status)

    def Wait(self, status=None):
        """Complete it. Result: True."""
        self.wait(status)
        return True

    def test(self, status=None):
        """Tell whether it is complete, and give the value; while it is not, a step passes at each call."""
        _look([self])
        if not self._has_come():
            return (False, None)
        return (True, self._finish(status))

    def Test(self, status=None):
        """Tell whether it is complete."""
        return self.test(status)[0]

    @staticmethod
    def waitall(requests, statuses=None):
        """Complete all, in the order of the list, but collective operations first. Result: a list of their values."""
        for request in requests:
            request._begin_to_wait()
        if isinstance(statuses, list):
            statuses.extend(Status() for _ in range(len(requests) - len(statuses)))
        given = [*(statuses or ()), *[None] * len(requests)]
        return [request.wait(status) for request, status in zip(requests, given, strict=False)]

    @staticmethod
    def Waitall(requests, statuses=None):
        """Complete all, in the order of the list. Result: True."""
        Request.waitall(requests, statuses)
        return True

    @staticmethod
    def waitany(requests, status=None):
        """Complete one, whichever message comes first. Result: its place in the list, and its value.

        UNDEFINED and None where all were complete before.
        """
        active = [request for request in requests if request]
        if not active:
            if status is not None:
                status.clear()
            return (UNDEFINED, None)
        _await_any(active)
        place = next(at for at, request in enumerate(requests) if request and request._has_come())
        return (place, requests[place]._finish(status))

    @staticmethod
    def Waitany(requests, status=None):
        """Complete one, whichever message comes first. Result: its place in the list."""
        return Request.waitany(requests, status)[0]

    @staticmethod
    def testany(requests, status=None):
        """Tell whether one is complete: its place in the list, True and its value; while none is, a step passes.

        UNDEFINED, True and None where all were complete before; UNDEFINED, False and None while none is.
        """
        active = [request for request in requests if request]
        if not any(request._has_come() for request in active):
            _look(active)
        if active and not any(request._has_come() for request in active):
            return (UNDEFINED, False, None)
        place, value = Request.waitany(requests, status)
        return (place, True, value)

    @staticmethod
    def Testany(requests, status=None):
        """Tell whether one is complete: its place in the list, and True."""
        return Request.testany(requests, status)[:2]

    @staticmethod
    def waitsome(requests, statuses=None):
        """Complete one or more, all that have come. Result: lists of their places and values; None for none left."""
        active = [request for request in requests if request]
        if not active:
            return (None, None)
        _await_any(active)
        places = [place for place, request in enumerate(requests) if request and request._has_come()]
        return (places, Request.waitall([requests[place] for place in places], statuses))

    @staticmethod
    def Waitsome(requests, statuses=None):
        """Complete one or more, all that have come. Result: a list of their places; None where none is left."""
        return Request.waitsome(requests, statuses)[0]

    @staticmethod
    def testsome(requests, statuses=None):
        """Complete all that have come. Result: lists of their places and values; None for none left.

        While none has come, the lists are empty, and a step passes.
        """
        active = [request for request in requests if request]
        if not any(request._has_come() for request in active):
            _look(active)
        if active and not any(request._has_come() for request in active):
            return ([], [])
        return Request.waitsome(requests, statuses)

    @staticmethod
    def Testsome(requests, statuses=None):
        """Complete all that have come. Result: a list of their places; None where none is left."""
        return Request.testsome(requests, statuses)[0]

    @staticmethod
    def testall(requests, statuses=None):
        """Tell whether all are complete, and give their values; while they are not, a step passes at each call."""
        _look(requests)
        if not all(request._has_come() for request in requests):
            return (False, None)
        return (True, Request.waitall(requests, statuses))

    @staticmethod
    def Testall(requests, statuses=None):
        """Tell whether all are complete."""
        return Request.testall(requests, statuses)[0]

    def Free(self):
        """Do nothing."""

    def Cancel(self):
        """Refuse to: what is under way comes to its end. Raises InvalidArgument."""
        raise failed(errors.InvalidArgument, "Cancel: nothing is cancelled; wait for the request, or do not begin it")

    cancel = Cancel

    def _begin_to_wait(self):
        """Perform a collective operation, when its turn in a list comes."""

    def _has_come(self):
        return not self._is_active or self._receive is None or self._receive.message is not None

    def _finish(self, status):
        if not self._is_active:
            if status is not None:
                status.clear()
            return None
        self._is_active = False
        return self._completed(status)

    def _completed(self, status):
        receive = self._receive
        fill(status, receive.seat, receive.message)
        return value_of(receive, self._buffer)


class SentRequest(Request):
    """A send, which has gone from the start, and ends when it is waited for."""

    def __init__(self):
        super().__init__()
        self._is_active = True

    def _completed(self, status):
        if status is not None:
            status.clear()


class AnswerRequest(Request):
    """A synchronous send, which ends when its receiver has received."""

    def _completed(self, status):
        if status is not None:
            status.clear()


class Operation(Request):
    """A collective operation that has begun, and is performed when its processes wait for it."""

    def __init__(self, seat, name, call):
        super().__init__()
        self._is_active = True
        self._process = seat.process
        self._name = name
        self._call = call
        self._size = seat.size
        self._key = (seat.context, seat.begun)
        seat.begun += 1
        self.is_performed = False
        world = self._process.world
        world.begun[self._key] = world.begun.get(self._key, 0) + 1
        self._process.begin(self)

    def wait(self, status=None):
        """Complete it. Result: None."""
        self._begin_to_wait()
        return self._finish(status)

    def perform(self):
        """Take part in it, together with all others, which may come later."""
        process, self._process.performs = self._process, self._name
        try:
            self._call()
        finally:
            process.performs = None
        self.is_performed = True
        self._call = None

    def _begin_to_wait(self):
        if self._is_active:
            self._process.go_on(until=self)

    def _has_come(self):
        """Tell whether all members have begun it."""
        return not self._is_active or self.is_performed or self._process.world.begun[self._key] == self._size

    def _completed(self, status):
        self._process.go_on(until=self)
        if status is not None:
            status.clear()


class NoRequest(SentRequest):
    """A receive from PROC_NULL, which has come from the start, with nothing."""

    def _completed(self, status):
        if status is not None:
            fill_from_nobody(status)


def _await_any(active):
    """Go on until one of these requests, which are not complete, has come."""
    while not any(request._has_come() for request in active):
        receives = [request._receive for request in active if request._receive is not None]
        if len(receives) == len(active):
            receives[0].seat.process.take_in_any(receives)
        elif receives:
            receives[0].seat.process.look(receives)
        else:
            active[0]._begin_to_wait()


def _look(requests):
    """Take in a message that has come for one of these requests; a step passes while none of them has come."""
    waiting = [request for request in requests if not request._has_come()]
    if not waiting:
        return
    receives = [request._receive for request in waiting if request._receive is not None]
    process = receives[0].seat.process if receives else waiting[0]._process
    process.look(receives)


def fill_from_nobody(status):
    """Write into a status, if there is one, that nothing has come from PROC_NULL."""
    if status is not None:
        status.clear()
        status.source, status._is_array = PROC_NULL, True


def value_of(receive, buffer):
    """Give the value of a receive that is complete; put that of an array into its buffer."""
    message = receive.message
    if (buffer is None) == message.envelope.is_buffer:
        raise failed(
            errors.TypeMismatch,
            f"rank {receive.seat.rank} receives by {'recv' if buffer is None else 'Recv'} what was sent by "
            f"{'Send' if buffer is None else 'send'}: capital letters send arrays, small ones any values",
        )
    if buffer is None:
        return message.value
    buffers.put("Recv", message.value, buffer)
    return None


REQUEST_NULL = Request()
