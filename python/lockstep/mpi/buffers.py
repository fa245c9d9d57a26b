"""Arrays as MPI's calls with capital letters take them: an array, or [array, count, type]."""

from .. import errors


class Datatype:
    """An element type of MPI, by numpy's name."""

    def __init__(self, name, of):
        self.name = name
        self.of = of

    def Get_size(self):
        """Give the bytes of an element."""
        return _numpy().dtype(self.of).itemsize

    def __repr__(self):
        return f"<MPI.{self.name}>"


_TYPES = {
    "BOOL": "bool",
    "C_BOOL": "bool",
    "CHAR": "int8",
    "SIGNED_CHAR": "int8",
    "BYTE": "uint8",
    "UNSIGNED_CHAR": "uint8",
    "SHORT": "int16",
    "UNSIGNED_SHORT": "uint16",
    "INT": "int32",
    "UNSIGNED": "uint32",
    "LONG": "int64",
    "UNSIGNED_LONG": "uint64",
    "LONG_LONG": "int64",
    "FLOAT": "float32",
    "DOUBLE": "float64",
    "INT8_T": "int8",
    "INT16_T": "int16",
    "INT32_T": "int32",
    "INT64_T": "int64",
    "UINT8_T": "uint8",
    "UINT16_T": "uint16",
    "UINT32_T": "uint32",
    "UINT64_T": "uint64",
    "C_DOUBLE_COMPLEX": "complex128",
    "DOUBLE_COMPLEX": "complex128",
}
DATATYPES = {name: Datatype(name, of) for name, of in _TYPES.items()}


class InPlace:
    """MPI.IN_PLACE: the receive buffer holds what is sent."""

    def __repr__(self):
        return "<MPI.IN_PLACE>"


IN_PLACE = InPlace()


def _numpy():
    try:
        import numpy
    except ImportError as missing:
        raise ImportError("calls with capital letters need numpy (Debian: python3-numpy)") from missing
    return numpy


def _flat(call, array):
    numpy = _numpy()
    made = array if isinstance(array, numpy.ndarray) else numpy.asarray(array)
    if made.dtype.kind not in "biufc":
        raise TypeError(f"{call}: a buffer is an array of numbers, and not {type(array).__name__} of {made.dtype}")
    if not made.flags.c_contiguous:
        raise ValueError(f"{call}: the array is not contiguous; give numpy.ascontiguousarray of it")
    return made.reshape(-1)


def _require_type(call, flat, of):
    if of is None:
        return
    known = DATATYPES.get(of) if isinstance(of, str) else of
    if not isinstance(known, Datatype):
        raise TypeError(f"{call}: there is no element type {of!r}")
    if flat.dtype != _numpy().dtype(known.of):
        raise errors.TypeMismatch(f"{call}: {known.name} is {known.of}, and the array has {flat.dtype}")


def elements(call, buffer):
    """Give the elements of a buffer as a flat array, which shares the buffer's memory.

    `buffer`: an array; [array, type], [array, count] or [array, count, type]. Raises TypeError, ValueError,
    TypeMismatch for a type that is not the array's, SizeMismatch for more elements than it has.
    """
    if not isinstance(buffer, list | tuple):
        return _flat(call, buffer)
    array, *rest = buffer
    flat = _flat(call, array)
    if rest and isinstance(rest[-1], Datatype | str):
        _require_type(call, flat, rest.pop())
    if not rest or rest == [None]:
        return flat
    [count] = rest
    if count > flat.size:
        raise errors.SizeMismatch(f"{call}: {count} elements of an array that has {flat.size}")
    return flat[:count]


def parts(call, buffer, size, is_needed=True):
    """Give the blocks of a buffer for the ranks, as flat arrays that share its memory.

    `buffer`: [array, counts], [array, counts, type], [array, counts, displacements, type] or
    [array, (counts, displacements), type]; an array is cut evenly. None, where none is needed, has none.
    """
    if buffer is None and not is_needed:
        return None
    rest = []
    if isinstance(buffer, list | tuple):
        buffer, *rest = buffer
    flat = _flat(call, buffer)
    if rest and isinstance(rest[-1], Datatype | str):
        _require_type(call, flat, rest.pop())
    if len(rest) == 1 and isinstance(rest[0], tuple) and len(rest[0]) == 2 and hasattr(rest[0][0], "__len__"):
        rest = list(rest[0])
    counts = rest[0] if rest and rest[0] is not None else None
    if counts is None:
        counts = [flat.size // size] * size
    counts = [int(count) for count in counts]
    places = rest[1] if len(rest) > 1 and rest[1] is not None else None
    if places is None:
        places = [sum(counts[:rank]) for rank in range(len(counts))]
    if len(counts) != size or len(places) != size:
        raise errors.SizeMismatch(f"{call}: {len(counts)} counts for {size} ranks")
    made = [flat[place : place + count] for place, count in zip(places, counts, strict=True)]
    if any(block.size != count for block, count in zip(made, counts, strict=True)):
        raise errors.SizeMismatch(f"{call}: blocks reach beyond the {flat.size} elements of the array")
    return made


def joined(blocks):
    """Put blocks one after another."""
    return _numpy().concatenate(blocks)


def put(call, values, into):
    """Copy the values of a message into a buffer. Result: how many.

    Raises TypeMismatch for another element type, SizeMismatch for more than the buffer has room for.
    """
    if not hasattr(values, "dtype") or values.dtype != into.dtype:
        came = getattr(values, "dtype", type(values).__name__)
        raise errors.TypeMismatch(f"{call}: the buffer has {into.dtype}, and {came} came")
    if values.size > into.size:
        raise errors.SizeMismatch(f"{call}: the buffer has room for {into.size} elements, and {values.size} came")
    into[: values.size] = values.reshape(-1)
    return values.size
