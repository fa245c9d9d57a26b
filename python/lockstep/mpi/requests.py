"""Sends and receives under way, and what is known of a message that has come."""

from .. import errors
from . import buffers
from .world import ANY_SOURCE, ANY_TAG


class Status:
    """What is known of a message that was received."""

    def __init__(self):
        self.source = ANY_SOURCE
        self.tag = ANY_TAG
        self.count = 0

    def Get_source(self):
        """Give the sender's rank."""
        return self.source

    def Get_tag(self):
        """Give the tag."""
        return self.tag

    def Get_count(self, datatype=None):
        """Give the number of elements of an array; of another value, of its words."""
        return self.count

    Get_elements = Get_count


def fill(status, seat, message):
    """Write into a status, if there is one, what is known of a message."""
    if status is None:
        return
    status.source = seat.rank_of(message.source)
    status.tag = message.envelope.tag
    if message.envelope.is_buffer:
        status.count = message.value.size
    else:
        status.count = seat.me._words_of(message.value)


class Request:
    """A send or receive under way: `wait` completes it. A send is complete from the start."""

    def __init__(self, receive=None, buffer=None):
        self._receive = receive
        self._buffer = buffer
        self._result = None
        self._is_done = receive is None

    def wait(self, status=None):
        """Complete it. Result: the value, of a receive."""
        if self._receive is not None and not self._is_done:
            self._receive.seat.process.complete(self._receive)
        return self._finish(status)

    def Wait(self, status=None):
        """Complete it. Result: True."""
        self.wait(status)
        return True

    def test(self, status=None):
        """Tell whether it is complete, and give the value; while it is not, a step passes at each call."""
        if not self._has_come():
            self._receive.seat.process.look(self._receive.source, self._receive.seat)
        if not self._has_come():
            return (False, None)
        return (True, self._finish(status))

    def Test(self, status=None):
        """Tell whether it is complete."""
        return self.test(status)[0]

    @staticmethod
    def waitall(requests, statuses=None):
        """Complete all, in the order of the list. Result: a list of their values."""
        if statuses is None:
            statuses = [None] * len(requests)
        return [request.wait(status) for request, status in zip(requests, statuses, strict=False)]

    @staticmethod
    def Waitall(requests, statuses=None):
        """Complete all, in the order of the list. Result: True."""
        Request.waitall(requests, statuses)
        return True

    @staticmethod
    def waitany(requests, status=None):
        """Complete one, whichever message comes first. Result: its place in the list, and its value."""
        waiting = [request for request in requests if not request._has_come()]
        while len(waiting) == len(requests):
            receive = waiting[0]._receive
            sources = {request._receive.source for request in waiting}
            receive.seat.process.take_in(receive.source if len(sources) == 1 else ANY_SOURCE, receive.seat)
            waiting = [request for request in requests if not request._has_come()]
        place = next(at for at, request in enumerate(requests) if request._has_come())
        return (place, requests[place]._finish(status))

    @staticmethod
    def Waitany(requests, status=None):
        """Complete one, whichever message comes first. Result: its place in the list."""
        return Request.waitany(requests, status)[0]

    @staticmethod
    def testall(requests, statuses=None):
        """Tell whether all are complete, and give their values; while they are not, a step passes at each call."""
        for request in requests:
            if not request._has_come():
                request._receive.seat.process.look(request._receive.source, request._receive.seat)
                break
        if not all(request._has_come() for request in requests):
            return (False, None)
        return (True, Request.waitall(requests, statuses))

    @staticmethod
    def Testall(requests, statuses=None):
        """Tell whether all are complete."""
        return Request.testall(requests, statuses)[0]

    def Free(self):
        """Do nothing."""

    def _has_come(self):
        return self._is_done or self._receive.message is not None

    def _finish(self, status):
        if self._receive is None or (self._is_done and status is None):
            return self._result
        message = self._receive.message
        fill(status, self._receive.seat, message)
        if not self._is_done:
            self._is_done = True
            self._result = value_of(self._receive, self._buffer)
        return self._result


def value_of(receive, buffer):
    """Give the value of a receive that is complete; put that of an array into its buffer."""
    message = receive.message
    if (buffer is None) == message.envelope.is_buffer:
        raise errors.TypeMismatch(
            f"rank {receive.seat.rank} receives by {'recv' if buffer is None else 'Recv'} what was sent by "
            f"{'Send' if buffer is None else 'send'}: capital letters send arrays, small ones any values"
        )
    if buffer is None:
        return message.value
    buffers.put("Recv", message.value, buffer)
    return None
