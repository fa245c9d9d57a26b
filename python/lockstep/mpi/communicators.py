"""Communicators: messages and collective operations in mpi4py's spelling."""

import math

from .. import errors
from . import buffers
from .buffers import IN_PLACE
from .messages import Messages
from .operations import SUM, op_of
from .world import PROC_NULL, Operand, Seat, here

UNDEFINED = -32766


def _tokens(rank, words):
    """Stand for a value of that many words: an operation of lockstep carries them, and whoever gets them has it."""
    return [rank] * words


class Comm(Messages):
    """Processes that send to one another, and call collective operations together."""

    def __init__(self, seat=None):
        self._own_seat = seat

    def _seat(self):
        if self._own_seat.process is not here():
            raise RuntimeError("a communicator is that of the process that made it")
        return self._own_seat

    # --- who is there ---

    @property
    def rank(self):
        """The number of this process."""
        return self._seat().rank

    @property
    def size(self):
        """How many processes there are."""
        return self._seat().size

    @property
    def name(self):
        """The name of the communicator."""
        return str(self._seat().context)

    def Get_rank(self):
        """Give the number of this process."""
        return self.rank

    def Get_size(self):
        """Give how many processes there are."""
        return self.size

    def Get_name(self):
        """Give the name of the communicator."""
        return self.name

    def Set_name(self, name):
        """Do nothing."""

    def Set_errhandler(self, handler):
        """Do nothing: errors are exceptions."""

    def Free(self):
        """Do nothing."""

    def Abort(self, errorcode=0):
        """End the whole run, as SystemExit."""
        raise Aborted(errorcode)

    def barrier(self):
        """Go on when all have come here."""
        self._seat().meet("barrier", has_messages=False)

    def Barrier(self):
        """Go on when all have come here."""
        self.barrier()

    # --- collective operations of any values ---

    def bcast(self, obj, root=0):
        """Give all the root's value."""
        seat = self._seat()
        is_root = seat.rank == root
        given = seat.meet("bcast", Operand(seat.me, obj) if is_root else None, root).given
        came = seat.me.broadcast(_tokens(root if is_root else -1, given[root].words), root=root)
        return obj if is_root else given[came[0] if came else root].taken()

    def gather(self, sendobj, root=0):
        """Give the root a list of all values, by rank; the others None."""
        seat = self._seat()
        given = seat.meet("gather", Operand(seat.me, sendobj), root).given
        tokens, sizes = _tokens(seat.rank, given[seat.rank].words), _sizes(given)
        if len(set(sizes)) == 1:
            came = seat.me.gather(tokens, root=root)
        else:
            came = seat.me.gatherv(tokens, sizes, root=root)
        return None if came is None else _values(given, came, sizes)

    def allgather(self, sendobj):
        """Give all a list of all values, by rank."""
        seat = self._seat()
        given = seat.meet("allgather", Operand(seat.me, sendobj)).given
        tokens, sizes = _tokens(seat.rank, given[seat.rank].words), _sizes(given)
        if len(set(sizes)) == 1:
            came = seat.me.all_gather(tokens)
        else:
            came = seat.me.all_gatherv(tokens, sizes)
        return _values(given, came, sizes)

    def scatter(self, sendobj, root=0):
        """Give each its value of the root's list."""
        seat = self._seat()
        mine = _operands(seat, sendobj) if seat.rank == root else None
        given = seat.meet("scatter", mine, root).given[root]
        sizes = _sizes(given)
        tokens = None
        if seat.rank == root:
            tokens = [rank for rank, words in enumerate(sizes) for _ in range(words)]
        if len(set(sizes)) == 1:
            came = seat.me.scatter(sum(sizes), tokens, root=root)
        else:
            came = seat.me.scatterv(sizes, tokens, root=root)
        return given[came[0] if came else seat.rank].taken()

    def alltoall(self, sendobj):
        """Send each its value of the list. Result: a list of those that come, by rank."""
        seat = self._seat()
        meeting = seat.meet("alltoall", _operands(seat, sendobj))
        given, rank = meeting.given, seat.rank
        if meeting.made is None:
            meeting.made = len({operand.words for row in given for operand in row}) == 1
        sizes = _sizes(given[rank])
        tokens = [rank for words in sizes for _ in range(words)]
        if meeting.made:
            came, words = seat.me.all_to_all(tokens), sizes[0]
            came = [came[at * words : (at + 1) * words] for at in range(seat.size)]
        else:
            came = seat.me.all_to_allv(tokens, sizes)
        return [given[block[0] if block else source][rank].taken() for source, block in enumerate(came)]

    def reduce(self, sendobj, op=SUM, root=0):
        """Give the root the sum of all values; the others None."""
        return self._reduction("reduce", sendobj, op, root=root)

    def allreduce(self, sendobj, op=SUM):
        """Give all the sum of all values."""
        return self._reduction("all_reduce", sendobj, op)

    def scan(self, sendobj, op=SUM):
        """Give each the sum of the values up to its own."""
        return self._reduction("scan", sendobj, op)

    def exscan(self, sendobj, op=SUM):
        """Give each the sum of the values before its own; rank 0 None."""
        return self._reduction("exclusive_scan", sendobj, op)

    def _reduction(self, name, value, op, root=None):
        seat = self._seat()
        op = op_of(op)
        meeting = seat.meet(name, Operand(seat.me, value), root)
        options = {} if root is None else {"root": root}
        if name in ("reduce", "all_reduce"):
            options["commutes"] = op.commutes
        call = getattr(seat.me, name)
        is_first = name == "exclusive_scan" and seat.rank == 0
        if all(operand.is_number for operand in meeting.given) or _are_alike(meeting.given):
            made = call(value, op.as_operator, **options)
            return None if is_first else made
        if meeting.made is None:
            meeting.made = Combinations(seat, meeting.given, op)
        words = meeting.given[seat.rank].words
        came = call(_tokens(seat.rank, words), meeting.made.combine, **options)
        return None if is_first or not came else meeting.made.values[came[0]].taken()

    # --- collective operations of arrays ---

    def Bcast(self, buf, root=0):
        """Write the root's array into those of all."""
        seat = self._seat()
        mine = buffers.elements("Bcast", buf)
        _require_alike("Bcast", seat.meet("Bcast", (mine.size, mine.dtype), root).given)
        mine[:] = seat.me.broadcast(mine, root=root)

    def Gather(self, sendbuf, recvbuf, root=0):
        """Write all arrays, by rank, into the root's."""
        seat = self._seat()
        mine = self._sent("Gather", sendbuf, recvbuf if seat.rank == root else None)
        _require_alike("Gather", seat.meet("Gather", (mine.size, mine.dtype), root).given)
        came = seat.me.gather(mine, root=root)
        if seat.rank == root:
            buffers.put("Gather", came, buffers.elements("Gather", recvbuf))

    def Gatherv(self, sendbuf, recvbuf, root=0):
        """Write arrays of any sizes, by rank, into the blocks of the root's."""
        seat = self._seat()
        mine = buffers.elements("Gatherv", sendbuf)
        sizes = seat.meet("Gatherv", mine.size, root).given
        into = buffers.parts("Gatherv", recvbuf, seat.size) if seat.rank == root else None
        came = seat.me.gatherv(mine, sizes, root=root)
        if into is not None:
            _put_blocks("Gatherv", came, sizes, into)

    def Allgather(self, sendbuf, recvbuf):
        """Write all arrays, by rank, into those of all."""
        seat = self._seat()
        mine = self._sent("Allgather", sendbuf, recvbuf)
        _require_alike("Allgather", seat.meet("Allgather", (mine.size, mine.dtype)).given)
        buffers.put("Allgather", seat.me.all_gather(mine), buffers.elements("Allgather", recvbuf))

    def Allgatherv(self, sendbuf, recvbuf):
        """Write arrays of any sizes, by rank, into the blocks of those of all."""
        seat = self._seat()
        mine = buffers.elements("Allgatherv", sendbuf)
        sizes = seat.meet("Allgatherv", mine.size).given
        into = buffers.parts("Allgatherv", recvbuf, seat.size)
        _put_blocks("Allgatherv", seat.me.all_gatherv(mine, sizes), sizes, into)

    def Scatter(self, sendbuf, recvbuf, root=0):
        """Write a block of the root's array into each process's."""
        seat = self._seat()
        is_root = seat.rank == root
        mine = buffers.elements("Scatter", sendbuf) if is_root else None
        size = seat.meet("Scatter", mine.size if is_root else None, root).given[root]
        if size % seat.size:
            raise errors.SizeMismatch(f"Scatter: {size} elements cannot be divided evenly among {seat.size} ranks")
        came = seat.me.scatter(size, mine, root=root)
        if is_root and recvbuf is IN_PLACE:
            return
        into = buffers.elements("Scatter", recvbuf)
        buffers.put("Scatter", _as_array(came, into), into)

    def Scatterv(self, sendbuf, recvbuf, root=0):
        """Write the blocks of the root's array, of any sizes, into the processes'."""
        seat = self._seat()
        blocks = buffers.parts("Scatterv", sendbuf, seat.size) if seat.rank == root else None
        given = seat.meet("Scatterv", None if blocks is None else [block.size for block in blocks], root).given
        came = seat.me.scatterv(given[root], None if blocks is None else buffers.joined(blocks), root=root)
        if seat.rank == root and recvbuf is IN_PLACE:
            return
        into = buffers.elements("Scatterv", recvbuf)
        buffers.put("Scatterv", _as_array(came, into), into)

    def Alltoall(self, sendbuf, recvbuf):
        """Send each its block of the array, and write those that come, by rank."""
        seat = self._seat()
        mine = self._whole("Alltoall", sendbuf, recvbuf)
        _require_alike("Alltoall", seat.meet("Alltoall", (mine.size, mine.dtype)).given)
        buffers.put("Alltoall", seat.me.all_to_all(mine), buffers.elements("Alltoall", recvbuf))

    def Alltoallv(self, sendbuf, recvbuf):
        """Send each its block of the array, of any size, and write those that come, by rank."""
        seat = self._seat()
        blocks = buffers.parts("Alltoallv", sendbuf, seat.size)
        into = buffers.parts("Alltoallv", recvbuf, seat.size)
        seat.meet("Alltoallv")
        came = seat.me.all_to_allv(buffers.joined(blocks), [block.size for block in blocks])
        for block, place in zip(came, into, strict=True):
            buffers.put("Alltoallv", block, place)

    def Reduce(self, sendbuf, recvbuf, op=SUM, root=0):
        """Write the sum of all arrays into the root's."""
        self._reduction_of_arrays("Reduce", "reduce", sendbuf, recvbuf, op, root)

    def Allreduce(self, sendbuf, recvbuf, op=SUM):
        """Write the sum of all arrays into those of all."""
        self._reduction_of_arrays("Allreduce", "all_reduce", sendbuf, recvbuf, op)

    def Scan(self, sendbuf, recvbuf, op=SUM):
        """Write the sum of the arrays up to each process's into its own."""
        self._reduction_of_arrays("Scan", "scan", sendbuf, recvbuf, op)

    def Exscan(self, sendbuf, recvbuf, op=SUM):
        """Write the sum of the arrays before each process's into its own; rank 0's stays as it is."""
        self._reduction_of_arrays("Exscan", "exclusive_scan", sendbuf, recvbuf, op)

    def Reduce_scatter_block(self, sendbuf, recvbuf, op=SUM):
        """Write each process's block of the sum of all arrays into its own."""
        seat = self._seat()
        op = op_of(op)
        mine = buffers.elements("Reduce_scatter_block", sendbuf)
        _require_alike("Reduce_scatter_block", seat.meet("Reduce_scatter_block", (mine.size, mine.dtype)).given)
        if mine.size % seat.size:
            raise errors.SizeMismatch(f"Reduce_scatter_block: {mine.size} elements for {seat.size} ranks")
        made = seat.me.reduce_scatter(mine, op.as_operator, commutes=op.commutes)
        buffers.put("Reduce_scatter_block", made, buffers.elements("Reduce_scatter_block", recvbuf))

    def _reduction_of_arrays(self, name, call, sendbuf, recvbuf, op, root=None):
        seat = self._seat()
        op = op_of(op)
        takes = root is None or seat.rank == root
        mine = self._whole(name, sendbuf, recvbuf if takes else None)
        _require_alike(name, seat.meet(name, (mine.size, mine.dtype), root).given)
        options = {} if root is None else {"root": root}
        if call in ("reduce", "all_reduce"):
            options["commutes"] = op.commutes
        made = getattr(seat.me, call)(mine, op.as_operator, **options)
        if takes and not (call == "exclusive_scan" and seat.rank == 0):
            buffers.put(name, made, buffers.elements(name, recvbuf))

    def _whole(self, call, sendbuf, recvbuf):
        """Find what is sent; in place it is a copy of what the receive buffer has."""
        if sendbuf is not IN_PLACE:
            return buffers.elements(call, sendbuf)
        return buffers.elements(call, recvbuf).copy()

    def _sent(self, call, sendbuf, recvbuf):
        """Find what is sent; in place it is this process's block of the receive buffer."""
        if sendbuf is not IN_PLACE:
            return buffers.elements(call, sendbuf)
        return buffers.parts(call, recvbuf, self.size)[self.rank].copy()

    # --- other communicators ---

    def Dup(self, info=None):
        """Make a communicator of the same processes, with messages of its own."""
        return self.Split(0, self.rank)

    Clone = Dup

    def Split(self, color=0, key=0):
        """Make a communicator of those that give the same colour, in the order of their keys.

        None, which is COMM_NULL, for the colour UNDEFINED. No message is sent for it.
        """
        return self._part("Split", color, key, Comm)

    def Create_cart(self, dims, periods=None, reorder=False):
        """Make a communicator whose ranks are places of a grid."""
        dims = tuple(int(extent) for extent in dims)
        periods = (False,) * len(dims) if periods is None else tuple(bool(one) for one in periods)
        if len(periods) != len(dims):
            raise ValueError(f"Create_cart: {len(dims)} dimensions and {len(periods)} periods")
        seat = self._seat()
        room = math.prod(dims)
        if room > seat.size:
            raise ValueError(f"Create_cart: a grid of {room} for {seat.size} processes")
        color = 0 if seat.rank < room else UNDEFINED
        return self._part("Create_cart", color, seat.rank, lambda made: Cartcomm(made, dims, periods))

    def _part(self, name, color, key, make):
        seat = self._seat()
        given = seat.meet(name, (color, key), has_messages=False).given
        if color is None or color == UNDEFINED:
            return None
        members = sorted((key, rank) for rank, (other, key) in enumerate(given) if other == color)
        ranks = tuple(seat.ranks[rank] for _, rank in members)
        context = f"{seat.context}/{seat.meetings}:{color}"
        root = seat.process.me
        is_all = ranks == tuple(range(root.size))
        return make(Seat(seat.process, root if is_all else root.subset(list(ranks)), context, ranks))

    def __getattr__(self, name):
        raise AttributeError(
            f"communicators of lockstep.mpi have no {name}: docs/python.md lists what there is"
            + (", and a send never waits here" if name.lower() in ("ssend", "issend", "rsend", "bsend") else "")
        )

    def __repr__(self):
        return f"<communicator {self.name}: rank {self.rank} of {self.size}>"


class Cartcomm(Comm):
    """Processes in a grid: the last coordinate runs fastest."""

    def __init__(self, seat, dims, periods):
        super().__init__(seat)
        self.dims = list(dims)
        self.periods = list(periods)
        self.ndim = self.dim = len(dims)

    @property
    def coords(self):
        """The place of this process."""
        return self.Get_coords(self.rank)

    @property
    def topo(self):
        """The extents, periods and this process's place."""
        return (self.dims, self.periods, self.coords)

    def Get_topo(self):
        """Give the extents, periods and this process's place."""
        return self.topo

    def Get_dim(self):
        """Give the number of dimensions."""
        return self.ndim

    def Get_coords(self, rank):
        """Give the place of a rank."""
        place = []
        for extent in reversed(self.dims):
            rank, coordinate = divmod(rank, extent)
            place.insert(0, coordinate)
        return place

    def Get_cart_rank(self, coords):
        """Give the rank of a place."""
        rank = 0
        for coordinate, extent, is_periodic in zip(coords, self.dims, self.periods, strict=True):
            if is_periodic:
                coordinate %= extent
            elif not 0 <= coordinate < extent:
                raise ValueError(f"Get_cart_rank: there is no place {list(coords)}")
            rank = rank * extent + coordinate
        return rank

    def Shift(self, direction, disp):
        """Give the ranks to receive from and to send to, that far along a dimension; PROC_NULL off the edge."""
        return (self._beside(direction, -disp), self._beside(direction, disp))

    def Sub(self, remain_dims):
        """Make communicators of the rows along the dimensions that remain."""
        coords = self.coords
        gone = tuple(at for at, remains in zip(coords, remain_dims, strict=True) if not remains)
        dims = [extent for extent, remains in zip(self.dims, remain_dims, strict=True) if remains]
        periods = [period for period, remains in zip(self.periods, remain_dims, strict=True) if remains]
        return self._part("Sub", gone, self.rank, lambda made: Cartcomm(made, dims, periods))

    def _beside(self, direction, by):
        place = self.coords
        place[direction] += by
        if not self.periods[direction] and not 0 <= place[direction] < self.dims[direction]:
            return PROC_NULL
        return self.Get_cart_rank(place)


class WorldComm(Comm):
    """COMM_WORLD: all processes of the run."""

    def _seat(self):
        return here().everybody


class SelfComm(Comm):
    """COMM_SELF: the process alone."""

    def _seat(self):
        return here().alone


class Aborted(SystemExit):
    """The end of a run by Abort."""


class Combinations:
    """The values of a reduction, each with a number: what the operator makes of two is one more."""

    def __init__(self, seat, given, op):
        sizes = _sizes(given)
        if len(set(sizes)) > 1:
            raise errors.SizeMismatch(f"a reduction is of values of as many words, and not of {sizes}")
        self.values = list(given)
        self._me = seat.process.me
        self._op = op
        self._known = {}

    def combine(self, left, right):
        """Combine two values by their numbers."""
        known = self._known.get((left, right))
        if known is not None:
            return known
        made = Operand(self._me, self._op(self.values[left].taken(), self.values[right].taken()))
        if made.words != self.values[left].words:
            raise errors.SizeMismatch(
                f"{self._op!r} makes {made.words} words of {self.values[left].words}: a reduction keeps their "
                "number; gather collects lists and texts"
            )
        self.values.append(made)
        self._known[left, right] = len(self.values) - 1
        return len(self.values) - 1


def _sizes(operands):
    return [operand.words for operand in operands]


def _values(given, came, sizes):
    values, at = [], 0
    for rank, words in enumerate(sizes):
        values.append(given[came[at] if words else rank].taken())
        at += words
    return values


def _operands(seat, values):
    values = [] if values is None else list(values)
    if len(values) != seat.size:
        raise ValueError(f"expecting {seat.size} items, got {len(values)}")
    return [Operand(seat.me, value) for value in values]


def _are_alike(given):
    return given[0].shape is not None and all(operand.shape == given[0].shape for operand in given)


def _require_alike(call, given):
    size, of = given[0]
    for rank, (other_size, other_of) in enumerate(given):
        if other_size != size:
            raise errors.SizeMismatch(f"{call}: rank 0 gives {size} elements, rank {rank} {other_size}")
        if other_of != of:
            raise errors.TypeMismatch(f"{call}: rank 0 gives {of}, rank {rank} {other_of}")


def _as_array(values, like):
    """Make an array of a block of the root's, which comes as a list elsewhere."""
    if hasattr(values, "dtype"):
        return values
    made = like[:0].copy()
    made.resize(len(values))
    made[:] = values
    return made


def _put_blocks(call, came, sizes, into):
    at = 0
    for size, place in zip(sizes, into, strict=True):
        if place.size != size:
            raise errors.SizeMismatch(f"{call}: {size} elements come for a block of {place.size}")
        buffers.put(call, came[at : at + size], place)
        at += size
