"""Memory of a processor that others read and write: `me.window(array)`."""

import array
import numbers
import sys

from .arguments import written

#: Formats of the elements that a window may have: numbers, of this computer's form.
_OF_NUMBERS = {*"bBhHiIlLqQfd"}
_OF_NUMPY = _OF_NUMBERS | {"?", "Zf", "Zd"}


class Window:
    """Memory that a processor gives to the one-sided rounds of all members, named once.

    Each call takes part in a round, with the calls of all others: reads come before writes, and of writes to one
    place that of the highest rank stays. The memory is an array of numpy, an array.array or a bytearray; what is
    read-only others may only read.
    """

    def __init__(self, me, memory):
        try:
            view = memoryview(memory)
        except TypeError:
            raise TypeError(
                f"a window is an array of numpy, an array.array or a bytearray, and not {written(memory)}"
            ) from None
        if not view.c_contiguous:
            raise TypeError("a window is memory without gaps: copy the array, and take that")
        if view.format not in (_OF_NUMPY if hasattr(memory, "dtype") else _OF_NUMBERS):
            raise TypeError(
                f"a window is an array of numbers, and not of elements '{view.format}': take one of numpy, an "
                "array.array or a bytearray"
            )
        self._me = me
        #: The array itself.
        self.memory = memory

    def read(self, owner, offset, count=None):
        """Read elements of the owner's memory, from an offset on: an array; without a count one element."""
        if count is not None:
            _require_amount("count", count)
        return self._me._read(owner, _require_amount("offset", offset), count, self.memory)

    def write(self, owner, offset, values):
        """Write a number, or several, to the owner's memory, from an offset on.

        Whole numbers go into memory of any whole numbers. Raises OverflowError for one that it has no room for, and
        TypeError for values of another kind, such as fractions.
        """
        return self._me._write(
            owner, _require_amount("offset", offset), _elements(self.memory, values), self.memory
        )

    def sync(self):
        """Take part in a round without asking for anything."""
        return self._me._sync(self.memory)


def _require_amount(name, value):
    if value < 0:
        raise ValueError(f"the {name} of a window is 0 or more, and not {value}")
    return value


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
        return _elements_of_numpy(memory.dtype, values)
    of = memoryview(memory).format
    if isinstance(values, bytes | bytearray | array.array | memoryview):
        given = memoryview(values)
        if given.format == of:
            return given.tobytes() if of == "B" else array.array(of, values)
        if isinstance(values, bytes | bytearray) or not _are_whole(of, given.format):
            raise TypeError(f"a window of '{of}' is written values of it, and not of '{given.format}'")
    if hasattr(values, "tolist"):
        values = values.ravel().tolist() if getattr(values, "ndim", 0) > 1 else values.tolist()
    return array.array(of, values if isinstance(values, list | tuple | range) else [values])


def _are_whole(*formats):
    return all(one in {*"bBhHiIlLqQ"} for one in formats)


def _elements_of_numpy(of, values):
    numpy = _numpy()
    given = numpy.asarray(values)
    if given.size == 0:
        return numpy.empty(0, dtype=of)
    if of.kind in "biu":
        return _whole_elements(of, values, given)
    if not numpy.can_cast(given.dtype, of, "same_kind"):
        raise TypeError(f"a window of {of} is written values of it, and not of {given.dtype}")
    with numpy.errstate(over="ignore"):
        made = numpy.array(given, dtype=of, order="C").ravel()
    if (numpy.isinf(made) & ~numpy.isinf(given.ravel())).any():
        raise OverflowError(f"a window of {of} has no room for {given.ravel()[numpy.isinf(made)][0]}")
    return made


def _whole_elements(of, values, given):
    """Give whole numbers, of whatever type, as those of numpy's type `of`."""
    numpy = _numpy()
    if given.dtype.kind not in "biu" and not hasattr(values, "dtype"):
        # Numbers of Python that numpy's types of 64 bits have no room for are objects, or became fractions.
        beyond = numpy.asarray(values, dtype=object)
        if all(isinstance(one, numbers.Integral) for one in beyond.flat):
            given = beyond
    if given.dtype.kind not in "biu" and not all(isinstance(one, numbers.Integral) for one in given.flat):
        raise TypeError(f"a window of {of} is written values of it, and not of {given.dtype}")
    least, most = (0, 1) if of.kind == "b" else (numpy.iinfo(of).min, numpy.iinfo(of).max)
    for one in (int(given.min()), int(given.max())):
        if not least <= one <= most:
            raise OverflowError(f"a window of {of} has no room for {one}")
    return numpy.array(given, dtype=of, order="C").ravel()
