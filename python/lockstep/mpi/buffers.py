"""Arrays as MPI's calls with capital letters take them: an array, or [array, count, type]."""

from .. import errors
from .world import failed, whole_number


class Datatype:
    """An element type of MPI, by numpy's name."""

    def __init__(self, name, of):
        self.name = name
        self.of = of

    def Get_size(self):
        """Give the bytes of an element."""
        return _numpy().dtype(self.of).itemsize

    def Get_extent(self):
        """Give where an element begins, and its bytes."""
        return (0, self.Get_size())

    def Get_name(self):
        """Give the name."""
        return self.name

    @property
    def size(self):
        """The bytes of an element."""
        return self.Get_size()

    extent = size

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
    "UNSIGNED_INT": "uint32",
    "UNSIGNED_LONG_LONG": "uint64",
    "FLOAT_COMPLEX": "complex64",
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
    "C_FLOAT_COMPLEX": "complex64",
    "COMPLEX": "complex64",
    "C_DOUBLE_COMPLEX": "complex128",
    "DOUBLE_COMPLEX": "complex128",
}
DATATYPES = {name: Datatype(name, of) for name, of in _TYPES.items()}


class InPlace:
    """MPI.IN_PLACE: the receive buffer holds what is sent."""

    def __repr__(self):
        return "<MPI.IN_PLACE>"


IN_PLACE = InPlace()

#: The calls that have a count for each rank.
_OF_BLOCKS = frozenset(["Scatterv", "Gatherv", "Allgatherv", "Alltoallv"])


def _numpy():
    try:
        import numpy
    except ImportError as missing:
        raise ImportError("calls with capital letters need numpy (Debian: python3-numpy)") from missing
    return numpy


def of_dtype(dtype):
    """Find MPI's element type for one of numpy's."""
    names = {"int32": "INT", "int64": "LONG", "float64": "DOUBLE", "float32": "FLOAT"}
    return DATATYPES.get(names.get(dtype.name)) or Datatype(f"Datatype {dtype.name}", dtype.name)


def datatype_of(call, of):
    """Find an element type: one of MPI's, or by numpy's letter, such as "d". Raises InvalidArgument."""
    if isinstance(of, Datatype):
        return of
    if isinstance(of, str) and of in DATATYPES:
        return DATATYPES[of]
    try:
        letter = {"Zf": "F", "Zd": "D", "c": "b"}.get(of, of)
        return Datatype(f"Datatype {of}", _numpy().dtype(letter).name)
    except TypeError:
        raise failed(errors.InvalidArgument, f"{call}: there is no element type {of!r}") from None


def _flat(call, array, is_written):
    """Give the elements in the order of their memory, and whether it is mere bytes, which may have any type."""
    numpy = _numpy()
    made = array
    if array is None:
        made = numpy.empty(0, dtype="uint8")
    elif not isinstance(array, numpy.ndarray):
        try:
            view = memoryview(array)
            made = numpy.asarray(view.cast("B") if view.format in ("c", "b", "B") else view)
        except (TypeError, ValueError, NotImplementedError):
            raise failed(
                errors.TypeMismatch,
                f"{call}: a buffer is an array, or [array, count, type], and not {type(array).__name__}",
            ) from None
    if made.dtype.kind not in "biufcV" or made.dtype.hasobject:
        raise failed(
            errors.TypeMismatch,
            f"{call}: a buffer is an array of numbers, and not {type(array).__name__} of {made.dtype}",
        )
    if made.flags.f_contiguous:
        made = made.T
    if not made.flags.c_contiguous:
        raise failed(
            errors.InvalidArgument, f"{call}: the array is not contiguous; give numpy.ascontiguousarray of it"
        )
    if is_written and not made.flags.writeable:
        raise failed(errors.InvalidArgument, f"{call}: the buffer is read-only")
    return made.reshape(-1), made.dtype == "uint8" and not isinstance(array, numpy.ndarray)


def _typed(call, flat, is_bytes, of):
    known = datatype_of(call, of)
    wanted = _numpy().dtype(known.of)
    if flat.dtype == wanted:
        return flat
    if wanted == "uint8" or flat.dtype.itemsize == wanted.itemsize == 1:
        return flat.view(wanted)
    if is_bytes and flat.size % wanted.itemsize == 0:
        return flat.view(wanted)
    raise failed(errors.TypeMismatch, f"{call}: {known.name} is {known.of}, and the array has {flat.dtype}")


def _read(call, buffer, is_written):
    """Take a buffer apart. Result: its elements, and counts and displacements as they were given, or None."""
    rest = []
    if isinstance(buffer, list | tuple):
        if not 2 <= len(buffer) <= 4:
            raise failed(errors.InvalidArgument, f"{call}: a buffer is an array, or [array, count, type]")
        buffer, *rest = buffer
    elif buffer is None:
        raise failed(errors.TypeMismatch, f"{call}: a buffer is an array, and not None")
    flat, is_bytes = _flat(call, buffer, is_written)
    if rest and isinstance(rest[-1], Datatype | str):
        flat = _typed(call, flat, is_bytes, rest.pop())
    elif len(rest) > 1 and rest[-1] is None:
        rest.pop()
    counts = rest[0] if rest else None
    places = rest[1] if len(rest) > 1 else None
    if places is None and isinstance(counts, tuple | list) and len(counts) == 2:
        if call not in _OF_BLOCKS or hasattr(counts[0], "__len__") or hasattr(counts[1], "__len__"):
            counts, places = counts
    return flat, counts, places


def _amount(call, name, value):
    value = whole_number(call, name, value)
    if value < 0:
        raise failed(errors.InvalidArgument, f"{call}: {name} is 0 or more, and not {value}")
    return value


def elements(call, buffer, blocks=1, is_written=False):
    """Give the elements of a buffer as a flat array, which shares the buffer's memory.

    `buffer`: an array; [array, type], [array, count], [array, count, type], [array, count, displacement, type] or
    [array, (count, displacement), type], where the count is that of each of the blocks.

    Raises TypeMismatch for what is no array, and for a type that is not the array's; InvalidArgument for one with gaps,
    and for a read-only one that is written; SizeMismatch for more elements than it has.
    """
    flat, count, place = _read(call, buffer, is_written)
    begin = 0 if place is None else _amount(call, "a displacement", place)
    if count is None:
        if flat.size % blocks:
            raise failed(
                errors.SizeMismatch,
                f"{call}: {flat.size} elements cannot be divided evenly among {blocks} ranks",
            )
        count = flat.size // blocks
    all_of_them = _amount(call, "a count", count) * blocks
    if begin + all_of_them > flat.size:
        where = f" from {begin} on" if begin else ""
        raise failed(errors.SizeMismatch, f"{call}: {all_of_them} elements{where} of an array that has {flat.size}")
    return flat[begin : begin + all_of_them]


def parts(call, buffer, size, is_written=False):
    """Give the blocks of a buffer for the ranks, as flat arrays that share its memory.

    `buffer`: [array, counts], [array, counts, type], [array, counts, displacements, type] or
    [array, (counts, displacements), type]; an array is cut evenly. A number stands for the counts of all, or for the
    distance of their displacements. Raises as `elements` does.
    """
    flat, counts, places = _read(call, buffer, is_written)
    if counts is None:
        if flat.size % size:
            raise failed(
                errors.SizeMismatch, f"{call}: {flat.size} elements cannot be divided evenly among {size} ranks"
            )
        counts = flat.size // size
    counts = list(counts) if hasattr(counts, "__len__") else [counts] * size
    counts = [_amount(call, "a count", count) for count in counts]
    if places is None:
        places = [sum(counts[:rank]) for rank in range(len(counts))]
    elif hasattr(places, "__len__"):
        places = [_amount(call, "a displacement", place) for place in places]
    else:
        places = [rank * _amount(call, "a displacement", places) for rank in range(size)]
    if len(counts) != size or len(places) != size:
        raise failed(errors.SizeMismatch, f"{call}: {len(counts)} counts, {len(places)} displacements for {size} ranks")
    made = [flat[place : place + count] for place, count in zip(places, counts, strict=True)]
    if any(block.size != count for block, count in zip(made, counts, strict=True)):
        raise failed(errors.SizeMismatch, f"{call}: blocks reach beyond the {flat.size} elements of the array")
    return made


def joined(blocks):
    """Put blocks one after another, in memory of their own."""
    return _numpy().concatenate(blocks)


def put(call, values, into):
    """Copy the values of a message into a buffer. Result: how many.

    Raises TypeMismatch for another element type, SizeMismatch for more than the buffer has room for.
    """
    if not hasattr(values, "dtype") or (
        values.dtype != into.dtype and not values.dtype.itemsize == into.dtype.itemsize == 1
    ):
        came = getattr(values, "dtype", type(values).__name__)
        raise failed(errors.TypeMismatch, f"{call}: the buffer has {into.dtype}, and {came} came")
    if values.size > into.size:
        raise failed(
            errors.SizeMismatch, f"{call}: the buffer has room for {into.size} elements, and {values.size} came"
        )
    into[: values.size] = values.reshape(-1).view(into.dtype)
    return values.size


class Given:
    """The array that a process gives to a collective operation, as it was then."""

    def __init__(self, array):
        self.size = array.size
        self.dtype = array.dtype
        self.values = array.copy()


class Carried:
    """The elements of a collective operation as numbers that the machine's operations carry.

    They are the elements themselves, or, of types that those do not have, their places in all that is given.
    """

    def __init__(self, given):
        there = [one for one in given if one is not None]
        self.dtype = next((one.dtype for one in there if one.size), there[0].dtype)
        self._are_values = self.dtype.kind in "bif" and self.dtype.itemsize <= 8
        self._given = given

    def of(self, rank):
        """Give what a rank sends."""
        given = self._given[rank]
        if self._are_values:
            return given.values
        begin = sum(one.size for one in self._given[:rank] if one is not None)
        return _numpy().arange(begin, begin + given.size)

    def read(self, came):
        """Make an array of what has come."""
        numpy = _numpy()
        if self._are_values:
            return numpy.asarray(came, dtype=self.dtype).reshape(-1)
        table = numpy.concatenate([one.values for one in self._given if one is not None and one.size] or [[]])
        return table[numpy.asarray(came, dtype=int).reshape(-1)] if len(came) else numpy.empty(0, self.dtype)


class Summands:
    """The arrays of a reduction by an operator of numbers, in a form that the machine's reductions take.

    Whole numbers are of 64 bits there, in which those of fewer stay right, and sums that have no room go round, as in
    MPI. Elements of other types have numbers: what the operator makes of two is one more.
    """

    def __init__(self, call, given, op):
        numpy = _numpy()
        self.dtype = given[0].dtype
        self.operator = op.as_operator
        self._flip = None
        self._table = None
        if self.dtype.kind == "V":
            raise failed(errors.TypeMismatch, f"{call}: there are no sums of {self.dtype}")
        self._arrays = [one.values for one in given]
        if self.dtype.kind in "iu":
            self._take_whole(op)
        elif self.dtype.kind == "c" or self.dtype.itemsize > 8:
            self._table = list(numpy.concatenate(self._arrays))
            self.operator = self._add_to_table(op)

    def _take_whole(self, op):
        numpy = _numpy()
        ends = [one for array in self._arrays if array.size for one in (array.min(), array.max())]
        most = max((abs(int(one)) for one in ends), default=0)
        bound = {"+": most * len(self._arrays), "*": most ** len(self._arrays)}.get(op.as_operator, most)
        is_wide = self.dtype.itemsize == 8
        if self.dtype.kind == "u" and is_wide and most >= 1 << 63:
            if op.is_own or op.as_operator in ("min", "max"):
                self._flip = numpy.uint64(1 << 63)  # which keeps their order
                self._arrays = [array ^ self._flip for array in self._arrays]
            if op.is_own:
                self.operator = lambda left, right: op(left + (1 << 63), right + (1 << 63)) - (1 << 63)
        self._arrays = [array.view("int64") if is_wide else array.astype("int64") for array in self._arrays]
        if op.as_operator in ("+", "*") and bound >= 1 << 63:
            self.operator = lambda left, right: (op(left, right) + (1 << 63)) % (1 << 64) - (1 << 63)

    def _add_to_table(self, op):
        def combine(left, right):
            self._table.append(op(self._table[left], self._table[right]))
            return len(self._table) - 1

        return combine

    def of(self, rank):
        """Give what a rank takes part with."""
        if self._table is None:
            return self._arrays[rank]
        size = self._arrays[rank].size
        return _numpy().arange(rank * size, (rank + 1) * size)

    def read(self, came):
        """Make an array of what the reduction has made."""
        numpy = _numpy()
        if self._table is not None:
            return numpy.array([self._table[at] for at in numpy.asarray(came).reshape(-1)], dtype=self.dtype)
        if self.dtype.kind not in "iu":
            return numpy.asarray(came, dtype=self.dtype).reshape(-1)
        made = numpy.asarray(came, dtype="int64").reshape(-1)
        made = made.view(self.dtype) if self.dtype.itemsize == 8 else made.astype(self.dtype)
        return made if self._flip is None else made ^ self._flip
