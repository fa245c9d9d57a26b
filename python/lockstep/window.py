"""Memory of a processor that others read and write: `me.window(array)`."""

import array
import sys


class Window:
    """Memory that a processor gives to the one-sided rounds of all members, named once.

    Each call takes part in a round, with the calls of all others: reads come before writes, and of writes to one
    place that of the highest rank stays. The memory is an array of numpy, an array.array or a bytearray; what is
    read-only others may only read.
    """

    def __init__(self, me, memory):
        if not memoryview(memory).c_contiguous:
            raise TypeError("a window is memory without gaps: copy the array, and take that")
        self._me = me
        #: The array itself.
        self.memory = memory

    def read(self, owner, offset, count=None):
        """Read elements of the owner's memory, from an offset on: an array; without a count one element."""
        return self._me._read(owner, offset, count, self.memory)

    def write(self, owner, offset, values):
        """Write a number, or several, to the owner's memory, from an offset on."""
        return self._me._write(owner, offset, _elements(self.memory, values), self.memory)

    def sync(self):
        """Take part in a round without asking for anything."""
        return self._me._sync(self.memory)


def made_like(memory, data, is_single):
    """Make an array of the memory's kind from bytes, or give its one element."""
    if hasattr(memory, "dtype"):
        made = _numpy().frombuffer(bytearray(data), dtype=memory.dtype)
    elif isinstance(memory, array.array):
        made = array.array(memory.typecode, data)
    elif isinstance(memory, bytearray | bytes):
        made = bytearray(data)
    else:
        made = memoryview(bytearray(data)).cast(memoryview(memory).format)
    if is_single:
        return made[0] if len(made) else None
    return made


def _numpy():
    return sys.modules["numpy"]


def _elements(memory, values):
    """Give values as an array of the memory's type. Raises TypeError, OverflowError for values that it cannot have."""
    if hasattr(memory, "dtype"):
        numpy = _numpy()
        given = numpy.asarray(values)
        are_whole = given.dtype.kind in "iub" and memory.dtype.kind in "iub"
        if given.size and not are_whole and not numpy.can_cast(given.dtype, memory.dtype, "same_kind"):
            raise TypeError(f"a window of {memory.dtype} is written values of it, and not of {given.dtype}")
        made = numpy.array(given, dtype=memory.dtype, order="C").ravel()
        if are_whole and given.dtype != memory.dtype and made.tolist() != given.ravel().tolist():
            raise OverflowError(f"a window of {memory.dtype} has no such numbers")
        return made
    view = memoryview(memory)
    if isinstance(values, bytes | bytearray | array.array | memoryview):
        if memoryview(values).format != view.format:
            raise TypeError(f"a window of '{view.format}' is written values of it, and not of other types")
        return memoryview(values).tobytes() if view.format == "B" else array.array(view.format, values)
    if hasattr(values, "tolist"):
        values = values.tolist()
    several = values if isinstance(values, list | tuple | range) else [values]
    return array.array(view.format, several)
