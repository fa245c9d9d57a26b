"""Messages between two processes."""

from .. import errors
from . import buffers
from .requests import AnswerRequest, NoRequest, Request, SentRequest, fill, fill_from_nobody
from .world import ANY_SOURCE, ANY_TAG, PROC_NULL, Receive, failed, whole_number


class Messages:
    """The calls of a communicator that send and receive."""

    # --- any values ---

    def send(self, obj, dest, tag=0):
        """Send a value. It never waits."""
        self._send("send", obj, dest, tag, is_buffer=False)

    def isend(self, obj, dest, tag=0):
        """Send a value. The request is complete from the start."""
        self._send("isend", obj, dest, tag, is_buffer=False)
        return SentRequest()

    def ssend(self, obj, dest, tag=0):
        """Send a value, and wait until it is received: for an empty message, by which its receiver answers."""
        self._send_synchronously("ssend", obj, dest, tag, is_buffer=False).wait()

    def issend(self, obj, dest, tag=0):
        """Send a value. The request is complete when it is received."""
        return self._send_synchronously("issend", obj, dest, tag, is_buffer=False)

    def bsend(self, obj, dest, tag=0):
        """Send a value. It never waits, whether Attach_buffer has room for it or not."""
        self._send("bsend", obj, dest, tag, is_buffer=False)

    def ibsend(self, obj, dest, tag=0):
        """Send a value. The request is complete from the start."""
        self._send("ibsend", obj, dest, tag, is_buffer=False)
        return SentRequest()

    def recv(self, buf=None, source=ANY_SOURCE, tag=ANY_TAG, status=None):
        """Receive the oldest value from that rank with that tag; waits for it."""
        return self._request("recv", source, tag).wait(status)

    def irecv(self, buf=None, source=ANY_SOURCE, tag=ANY_TAG):
        """Begin to receive a value."""
        return self._request("irecv", source, tag)

    def sendrecv(
        self, sendobj, dest, sendtag=0, recvbuf=None, source=ANY_SOURCE, recvtag=ANY_TAG, status=None
    ):
        """Send a value, and receive one."""
        self._send("sendrecv", sendobj, dest, sendtag, is_buffer=False)
        return self._request("sendrecv", source, recvtag).wait(status)

    def probe(self, source=ANY_SOURCE, tag=ANY_TAG, status=None):
        """Wait until a message has come that `recv` would receive. Result: True."""
        if source == PROC_NULL:
            fill_from_nobody(status)
            return True
        receive = self._receive("probe", source, tag)
        process = receive.seat.process
        process.awaited = (receive,)
        while process.first_arrived(receive) is None:
            process.take_in(receive.source, receive.seat)
        process.awaited = ()
        fill(status, receive.seat, process.first_arrived(receive))
        return True

    def iprobe(self, source=ANY_SOURCE, tag=ANY_TAG, status=None):
        """Tell whether a message has come that `recv` would receive; if none has, a step passes."""
        if source == PROC_NULL:
            fill_from_nobody(status)
            return True
        receive = self._receive("iprobe", source, tag)
        process = receive.seat.process
        if process.first_arrived(receive) is None:
            process.look([receive])
        found = process.first_arrived(receive)
        if found is not None:
            fill(status, receive.seat, found)
        return found is not None

    Probe = probe
    Iprobe = iprobe

    # --- arrays ---

    def Send(self, buf, dest, tag=0):
        """Send an array. It never waits."""
        self._send("Send", buf, dest, tag, is_buffer=True)

    def Isend(self, buf, dest, tag=0):
        """Send an array, as it is now. The request is complete from the start."""
        self._send("Isend", buf, dest, tag, is_buffer=True)
        return SentRequest()

    def Ssend(self, buf, dest, tag=0):
        """Send an array, and wait until it is received: for an empty message, by which its receiver answers."""
        self._send_synchronously("Ssend", buf, dest, tag, is_buffer=True).wait()

    def Issend(self, buf, dest, tag=0):
        """Send an array, as it is now. The request is complete when it is received."""
        return self._send_synchronously("Issend", buf, dest, tag, is_buffer=True)

    def Bsend(self, buf, dest, tag=0):
        """Send an array. It never waits, whether Attach_buffer has room for it or not."""
        self._send("Bsend", buf, dest, tag, is_buffer=True)

    def Ibsend(self, buf, dest, tag=0):
        """Send an array, as it is now. The request is complete from the start."""
        self._send("Ibsend", buf, dest, tag, is_buffer=True)
        return SentRequest()

    def Rsend(self, buf, dest, tag=0):
        """Send an array whose receive has begun, which nothing checks."""
        self._send("Rsend", buf, dest, tag, is_buffer=True)

    def Irsend(self, buf, dest, tag=0):
        """Send an array whose receive has begun, which nothing checks. The request is complete from the start."""
        self._send("Irsend", buf, dest, tag, is_buffer=True)
        return SentRequest()

    def Recv(self, buf, source=ANY_SOURCE, tag=ANY_TAG, status=None):
        """Receive an array into a buffer; waits for it."""
        self._request_of_array("Recv", buf, source, tag).wait(status)

    def Irecv(self, buf, source=ANY_SOURCE, tag=ANY_TAG):
        """Begin to receive an array into a buffer, which `Wait` fills."""
        return self._request_of_array("Irecv", buf, source, tag)

    def Sendrecv(
        self, sendbuf, dest, sendtag=0, recvbuf=None, source=ANY_SOURCE, recvtag=ANY_TAG, status=None
    ):
        """Send an array, and receive one into a buffer."""
        self._send("Sendrecv", sendbuf, dest, sendtag, is_buffer=True)
        self._request_of_array("Sendrecv", recvbuf, source, recvtag).wait(status)

    def Sendrecv_replace(self, buf, dest, sendtag=0, source=ANY_SOURCE, recvtag=ANY_TAG, status=None):
        """Send an array, and receive one in its place."""
        self._send("Sendrecv_replace", buf, dest, sendtag, is_buffer=True)
        self._request_of_array("Sendrecv_replace", buf, source, recvtag).wait(status)

    def _send(self, call, value, dest, tag, is_buffer):
        seat, to, tag, value = self._to_send(call, value, dest, tag, is_buffer)
        if to is not None:
            seat.process.send(seat.context, to, tag, value, is_buffer)

    def _send_synchronously(self, call, value, dest, tag, is_buffer):
        seat, to, tag, value = self._to_send(call, value, dest, tag, is_buffer)
        if to is None:
            return SentRequest()
        return AnswerRequest(seat.process.send_synchronously(call, seat, to, tag, value, is_buffer))

    def _to_send(self, call, value, dest, tag, is_buffer):
        """Check a send. Result: from where, to which rank of COMM_WORLD, None for PROC_NULL, by which tag, and what."""
        seat = self._seat()
        dest = whole_number(call, "a rank", dest, errors.InvalidRank)
        tag = whole_number(call, "a tag", tag)
        if tag < 0:
            raise failed(errors.InvalidArgument, f"{call}: a tag is 0 or more, and not {tag}")
        if dest == PROC_NULL:
            return seat, None, tag, value
        return seat, seat.world_rank(call, dest), tag, buffers.elements(call, value) if is_buffer else value

    def _receive(self, call, source, tag):
        seat = self._seat()
        source = whole_number(call, "a rank", source, errors.InvalidRank)
        tag = whole_number(call, "a tag", tag)
        if tag < 0 and tag != ANY_TAG:
            raise failed(errors.InvalidArgument, f"{call}: a tag is 0 or more, or ANY_TAG, and not {tag}")
        return Receive(seat, source if source == ANY_SOURCE else seat.world_rank(call, source), tag)

    def _request(self, call, source, tag):
        if source == PROC_NULL:
            return NoRequest()
        receive = self._receive(call, source, tag)
        receive.seat.process.post(receive)
        return Request(receive)

    def _request_of_array(self, call, buf, source, tag):
        if source == PROC_NULL:
            return NoRequest()
        receive = self._receive(call, source, tag)
        buffer = buffers.elements(call, buf, is_written=True)
        receive.seat.process.post(receive)
        return Request(receive, buffer)
