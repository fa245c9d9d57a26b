"""Messages between two processes."""

from . import buffers
from .requests import Request, Status, fill, value_of
from .world import ANY_SOURCE, ANY_TAG, PROC_NULL, Receive


class Messages:
    """The calls of a communicator that send and receive."""

    # --- any values ---

    def send(self, obj, dest, tag=0):
        """Send a value. It never waits."""
        self._send("send", obj, dest, tag, is_buffer=False)

    def isend(self, obj, dest, tag=0):
        """Send a value. The request is complete from the start."""
        self._send("isend", obj, dest, tag, is_buffer=False)
        return Request()

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
        receive = self._receive("probe", source, tag)
        process = receive.seat.process
        while process.first_arrived(receive) is None:
            process.take_in(receive.source, receive.seat)
        fill(status, receive.seat, process.first_arrived(receive))
        return True

    def iprobe(self, source=ANY_SOURCE, tag=ANY_TAG, status=None):
        """Tell whether a message has come that `recv` would receive; if none has, a step passes."""
        receive = self._receive("iprobe", source, tag)
        process = receive.seat.process
        if process.first_arrived(receive) is None:
            process.look(receive.source, receive.seat)
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
        return Request()

    def Recv(self, buf, source=ANY_SOURCE, tag=ANY_TAG, status=None):
        """Receive an array into a buffer; waits for it."""
        self._request("Recv", source, tag, buffers.elements("Recv", buf)).wait(status)

    def Irecv(self, buf, source=ANY_SOURCE, tag=ANY_TAG):
        """Begin to receive an array into a buffer, which `Wait` fills."""
        return self._request("Irecv", source, tag, buffers.elements("Irecv", buf))

    def Sendrecv(
        self, sendbuf, dest, sendtag=0, recvbuf=None, source=ANY_SOURCE, recvtag=ANY_TAG, status=None
    ):
        """Send an array, and receive one into a buffer."""
        self._send("Sendrecv", sendbuf, dest, sendtag, is_buffer=True)
        self._request("Sendrecv", source, recvtag, buffers.elements("Sendrecv", recvbuf)).wait(status)

    def Sendrecv_replace(self, buf, dest, sendtag=0, source=ANY_SOURCE, recvtag=ANY_TAG, status=None):
        """Send an array, and receive one in its place."""
        self._send("Sendrecv_replace", buf, dest, sendtag, is_buffer=True)
        into = buffers.elements("Sendrecv_replace", buf)
        self._request("Sendrecv_replace", source, recvtag, into).wait(status)

    def _send(self, call, value, dest, tag, is_buffer):
        seat = self._seat()
        if tag < 0:
            raise ValueError(f"{call}: a tag is 0 or more, and not {tag}")
        if is_buffer:
            value = buffers.elements(call, value)
        if dest != PROC_NULL:
            seat.process.send(seat.context, seat.world_rank(call, dest), tag, value, is_buffer)

    def _receive(self, call, source, tag):
        seat = self._seat()
        return Receive(seat, source if source == ANY_SOURCE else seat.world_rank(call, source), tag)

    def _request(self, call, source, tag, buffer=None):
        if source == PROC_NULL:
            return NoRequest()
        receive = self._receive(call, source, tag)
        receive.seat.process.post(receive)
        return Request(receive, buffer)


class NoRequest(Request):
    """A receive from PROC_NULL, which is complete, with nothing."""

    def _finish(self, status):
        if isinstance(status, Status):
            status.source, status.tag, status.count = PROC_NULL, ANY_TAG, 0
        return None
