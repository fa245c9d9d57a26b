"""Communicators: messages and collective operations in mpi4py's spelling."""

import math

from .. import errors
from . import buffers
from .buffers import IN_PLACE
from .groups import CONGRUENT, IDENT, Group, world_ranks
from .messages import Messages
from .operations import SUM, op_of
from .requests import Operation
from .world import PROC_NULL, UNDEFINED, Operand, failed, here, is_running, whole_number

#: What to write in place of calls that there are not.
_INSTEAD = {
    **dict.fromkeys(("Send_init", "Bsend_init", "Ssend_init", "Rsend_init"), "write Isend where Start would be"),
    "Recv_init": "write Irecv where Start would be",
    **dict.fromkeys(("Alltoallw", "Ialltoallw"), "write Alltoallv, of one element type"),
    **dict.fromkeys(("Mprobe", "mprobe"), "write probe, and recv from that source and tag"),
    **dict.fromkeys(("Improbe", "improbe"), "write iprobe, and recv from that source and tag"),
    **dict.fromkeys(("Create_graph", "Create_dist_graph"), "send to neighbours, and receive from them"),
    "Create_dist_graph_adjacent": "send to neighbours, and receive from them",
    "Split_type": "write Split, with a colour for each node",
    "Idup": "write Dup",
    **dict.fromkeys(("Spawn", "Spawn_multiple"), "run on as many processors as are needed"),
    **dict.fromkeys(("Connect", "Accept", "Join"), "run on as many processors as are needed"),
    "Create_intercomm": "write Split, and send in the communicator that has both parts",
    **dict.fromkeys(("Get_attr", "Set_attr"), "keep a variable"),
}


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
        return given[came[0] if came else root].taken()

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
        return self._reduction("reduce", "reduce", sendobj, op, root=root)

    def allreduce(self, sendobj, op=SUM):
        """Give all the sum of all values."""
        return self._reduction("allreduce", "all_reduce", sendobj, op)

    def scan(self, sendobj, op=SUM):
        """Give each the sum of the values up to its own."""
        return self._reduction("scan", "scan", sendobj, op)

    def exscan(self, sendobj, op=SUM):
        """Give each the sum of the values before its own; rank 0 None."""
        return self._reduction("exscan", "exclusive_scan", sendobj, op)

    def _reduction(self, name, call, value, op, root=None):
        seat = self._seat()
        op = op_of(op)
        meeting = seat.meet(name, Operand(seat.me, value), root, op=op)
        if _are_alike(meeting.given) and not op.is_own:
            made = self._reduction_of(name, call, value.ravel(), op, root)
            return None if made is None else made.reshape(value.shape)
        options = {} if root is None else {"root": root}
        if call in ("reduce", "all_reduce"):
            options["commutes"] = op.commutes
        reduction = getattr(seat.me, call)
        is_first = call == "exclusive_scan" and seat.rank == 0
        if _are_plain_numbers(meeting.given, op):
            made = reduction(value, op.as_operator, **options)
            return None if is_first else made
        if meeting.made is None:
            meeting.made = Combinations(seat, meeting.given, op)
        came = reduction(_tokens(seat.rank, meeting.made.words), meeting.made.operator, **options)
        return None if is_first or not came else meeting.made.values[came[0]].taken()

    # --- collective operations of arrays ---

    def _meet_with(self, call, mine, root=None, sizes_are_alike=True, op=None):
        """Meet for an operation of arrays. Result: the meeting, and in it what is carried."""
        seat = self._seat()
        meeting = seat.meet(call, None if mine is None else buffers.Given(mine), root, op=op)
        if meeting.made is None:
            _require_alike(call, meeting.given, sizes_are_alike)
            meeting.made = buffers.Carried(meeting.given) if op is None else self._summands(call, meeting, op)
        return meeting

    def Bcast(self, buf, root=0):
        """Write the root's array into those of all."""
        seat = self._seat()
        mine = buffers.elements("Bcast", buf, is_written=seat.rank != root)
        carried = self._meet_with("Bcast", mine, root).made
        came = seat.me.broadcast(carried.of(seat.rank), root=root)
        if seat.rank != root:
            mine[:] = carried.read(came)

    def Gather(self, sendbuf, recvbuf, root=0):
        """Write all arrays, by rank, into the root's."""
        seat = self._seat()
        is_root = seat.rank == root
        into = buffers.elements("Gather", recvbuf, seat.size, is_written=True) if is_root else None
        carried = self._meet_with("Gather", self._block("Gather", sendbuf, into), root).made
        came = seat.me.gather(carried.of(seat.rank), root=root)
        if is_root:
            _put_whole("Gather", carried.read(came), into)

    def Gatherv(self, sendbuf, recvbuf, root=0):
        """Write arrays of any sizes, by rank, into the blocks of the root's."""
        seat = self._seat()
        into = buffers.parts("Gatherv", recvbuf, seat.size, is_written=True) if seat.rank == root else None
        mine = into[seat.rank] if sendbuf is IN_PLACE and into is not None else buffers.elements("Gatherv", sendbuf)
        meeting = self._meet_with("Gatherv", mine, root, sizes_are_alike=False)
        sizes = [one.size for one in meeting.given]
        came = seat.me.gatherv(meeting.made.of(seat.rank), sizes, root=root)
        if into is not None:
            _put_blocks("Gatherv", meeting.made.read(came), sizes, into)

    def Allgather(self, sendbuf, recvbuf):
        """Write all arrays, by rank, into those of all."""
        seat = self._seat()
        into = buffers.elements("Allgather", recvbuf, seat.size, is_written=True)
        carried = self._meet_with("Allgather", self._block("Allgather", sendbuf, into)).made
        _put_whole("Allgather", carried.read(seat.me.all_gather(carried.of(seat.rank))), into)

    def Allgatherv(self, sendbuf, recvbuf):
        """Write arrays of any sizes, by rank, into the blocks of those of all."""
        seat = self._seat()
        into = buffers.parts("Allgatherv", recvbuf, seat.size, is_written=True)
        mine = into[seat.rank] if sendbuf is IN_PLACE else buffers.elements("Allgatherv", sendbuf)
        meeting = self._meet_with("Allgatherv", mine, sizes_are_alike=False)
        sizes = [one.size for one in meeting.given]
        came = seat.me.all_gatherv(meeting.made.of(seat.rank), sizes)
        _put_blocks("Allgatherv", meeting.made.read(came), sizes, into)

    def Scatter(self, sendbuf, recvbuf, root=0):
        """Write a block of the root's array into each process's."""
        seat = self._seat()
        is_root = seat.rank == root
        mine = buffers.elements("Scatter", sendbuf, seat.size) if is_root else None
        meeting = self._meet_with("Scatter", mine, root)
        size = meeting.given[root].size
        came = seat.me.scatter(size, meeting.made.of(root) if is_root else None, root=root)
        if not (is_root and recvbuf is IN_PLACE):
            buffers.put("Scatter", meeting.made.read(came), buffers.elements("Scatter", recvbuf, is_written=True))

    def Scatterv(self, sendbuf, recvbuf, root=0):
        """Write the blocks of the root's array, of any sizes, into the processes'."""
        seat = self._seat()
        is_root = seat.rank == root
        blocks = buffers.parts("Scatterv", sendbuf, seat.size) if is_root else None
        sizes = seat.meet("Scatterv", [block.size for block in blocks] if is_root else None, root).given[root]
        carried = self._meet_with("Scatterv", buffers.joined(blocks) if is_root else None, root).made
        came = seat.me.scatterv(sizes, carried.of(root) if is_root else None, root=root)
        if not (is_root and recvbuf is IN_PLACE):
            buffers.put("Scatterv", carried.read(came), buffers.elements("Scatterv", recvbuf, is_written=True))

    def Alltoall(self, sendbuf, recvbuf):
        """Send each its block of the array, and write those that come, by rank."""
        seat = self._seat()
        into = buffers.elements("Alltoall", recvbuf, seat.size, is_written=True)
        mine = into if sendbuf is IN_PLACE else buffers.elements("Alltoall", sendbuf, seat.size)
        carried = self._meet_with("Alltoall", mine).made
        _put_whole("Alltoall", carried.read(seat.me.all_to_all(carried.of(seat.rank))), into)

    def Alltoallv(self, sendbuf, recvbuf):
        """Send each its block of the array, of any size, and write those that come, by rank."""
        seat = self._seat()
        into = buffers.parts("Alltoallv", recvbuf, seat.size, is_written=True)
        blocks = into if sendbuf is IN_PLACE else buffers.parts("Alltoallv", sendbuf, seat.size)
        carried = self._meet_with("Alltoallv", buffers.joined(blocks), sizes_are_alike=False).made
        came = seat.me.all_to_allv(carried.of(seat.rank), [block.size for block in blocks])
        for block, place in zip(came, into, strict=True):
            buffers.put("Alltoallv", carried.read(block), place)

    def Reduce(self, sendbuf, recvbuf, op=SUM, root=0):
        """Write the sum of all arrays into the root's."""
        self._reduction_into("Reduce", "reduce", sendbuf, recvbuf, op, root)

    def Allreduce(self, sendbuf, recvbuf, op=SUM):
        """Write the sum of all arrays into those of all."""
        self._reduction_into("Allreduce", "all_reduce", sendbuf, recvbuf, op)

    def Scan(self, sendbuf, recvbuf, op=SUM):
        """Write the sum of the arrays up to each process's into its own."""
        self._reduction_into("Scan", "scan", sendbuf, recvbuf, op)

    def Exscan(self, sendbuf, recvbuf, op=SUM):
        """Write the sum of the arrays before each process's into its own; rank 0's stays as it is."""
        self._reduction_into("Exscan", "exclusive_scan", sendbuf, recvbuf, op)

    def Reduce_scatter_block(self, sendbuf, recvbuf, op=SUM):
        """Write each process's block of the sum of all arrays into its own."""
        name = "Reduce_scatter_block"
        seat = self._seat()
        into = buffers.elements(name, recvbuf, is_written=True)
        mine = buffers.elements(name, recvbuf if sendbuf is IN_PLACE else sendbuf, seat.size)
        made = self._reduction_of(name, "reduce_scatter", mine, op_of(op))
        buffers.put(name, made, into)

    def Reduce_scatter(self, sendbuf, recvbuf, recvcounts=None, op=SUM):
        """Write each process's block of the sum of all arrays, of any size, into its own.

        Blocks of different sizes are those of a reduction to rank 0, which scatters them.
        """
        name = "Reduce_scatter"
        seat, op = self._seat(), op_of(op)
        into = buffers.elements(name, recvbuf, is_written=True)
        if recvcounts is None and sendbuf is IN_PLACE:
            raise failed(errors.InvalidArgument, f"{name}: IN_PLACE needs recvcounts, the sizes of all blocks")
        counts = _sizes_of_blocks(name, seat, into.size, recvcounts)
        mine = buffers.elements(name, recvbuf if sendbuf is IN_PLACE else sendbuf)
        if mine.size != sum(counts):
            raise failed(errors.SizeMismatch, f"{name}: {mine.size} elements for blocks of {counts}")
        block = into[: counts[seat.rank]] if sendbuf is IN_PLACE else into
        if block.size != counts[seat.rank]:
            raise failed(errors.SizeMismatch, f"{name}: {counts[seat.rank]} elements come for a buffer of {block.size}")
        if len(set(counts)) == 1:
            _put_whole(name, self._reduction_of(name, "reduce_scatter", mine, op), block)
            return
        total = self._reduction_of(name, "reduce", mine, op, root=0)
        carried = self._meet_with(name, total, 0).made
        came = seat.me.scatterv(counts, carried.of(0) if seat.rank == 0 else None, root=0)
        _put_whole(name, carried.read(came), block)

    def _reduction_into(self, name, call, sendbuf, recvbuf, op, root=None):
        is_root = root is None or self.rank == root
        into = buffers.elements(name, recvbuf, is_written=True) if is_root else None
        mine = into if sendbuf is IN_PLACE and is_root else buffers.elements(name, sendbuf)
        made = self._reduction_of(name, call, mine, op_of(op), root)
        if is_root and made is not None:
            _put_whole(name, made, into)

    def _reduction_of(self, name, call, mine, op, root=None):
        """Reduce flat arrays. Result: what this process gets, or None."""
        seat = self._seat()
        made = self._meet_with(name, mine, root, op=op).made
        options = {} if root is None else {"root": root}
        if call in ("reduce", "all_reduce", "reduce_scatter"):
            options["commutes"] = op.commutes
        is_whole = isinstance(made, Combinations)
        given = _tokens(seat.rank, mine.size) if is_whole else made.of(seat.rank)
        came = getattr(seat.me, call)(given, made.operator, **options)
        if came is None or (call == "exclusive_scan" and seat.rank == 0):
            return None
        if not is_whole:
            return made.read(came)
        values = made.values[came[0]].taken() if len(came) else mine.copy()
        return values[seat.rank * len(came) :][: len(came)] if call == "reduce_scatter" else values

    def _summands(self, call, meeting, op):
        """Find how arrays are combined: as a whole by an operator that writes into memory, others by elements."""
        if not op.takes_type:
            return buffers.Summands(call, meeting.given, op)
        seat = self._seat()
        of = buffers.of_dtype(meeting.given[0].dtype)
        operands = [Operand(seat.me, one.values) for one in meeting.given]
        return Combinations(seat, operands, lambda left, right: op.into(left, right, of))

    def _block(self, call, sendbuf, into):
        """Find what is sent; in place it is this process's block of the receive buffer."""
        if sendbuf is not IN_PLACE or into is None:
            return buffers.elements(call, sendbuf)
        seat = self._seat()
        return into[seat.rank * (into.size // seat.size) :][: into.size // seat.size]

    # --- collective operations that do not block: performed when they are waited for ---

    def Ibarrier(self):
        """Begin to wait until all have come here."""
        return Operation(self._seat(), "Ibarrier", self.barrier)

    def Ibcast(self, buf, root=0):
        """Begin to write the root's array into those of all."""
        return Operation(self._seat(), "Ibcast", lambda: self.Bcast(buf, root))

    def Igather(self, sendbuf, recvbuf, root=0):
        """Begin to write all arrays, by rank, into the root's."""
        return Operation(self._seat(), "Igather", lambda: self.Gather(sendbuf, recvbuf, root))

    def Igatherv(self, sendbuf, recvbuf, root=0):
        """Begin to write arrays of any sizes, by rank, into the blocks of the root's."""
        return Operation(self._seat(), "Igatherv", lambda: self.Gatherv(sendbuf, recvbuf, root))

    def Iallgather(self, sendbuf, recvbuf):
        """Begin to write all arrays, by rank, into those of all."""
        return Operation(self._seat(), "Iallgather", lambda: self.Allgather(sendbuf, recvbuf))

    def Iallgatherv(self, sendbuf, recvbuf):
        """Begin to write arrays of any sizes, by rank, into the blocks of those of all."""
        return Operation(self._seat(), "Iallgatherv", lambda: self.Allgatherv(sendbuf, recvbuf))

    def Iscatter(self, sendbuf, recvbuf, root=0):
        """Begin to write a block of the root's array into each process's."""
        return Operation(self._seat(), "Iscatter", lambda: self.Scatter(sendbuf, recvbuf, root))

    def Iscatterv(self, sendbuf, recvbuf, root=0):
        """Begin to write the blocks of the root's array, of any sizes, into the processes'."""
        return Operation(self._seat(), "Iscatterv", lambda: self.Scatterv(sendbuf, recvbuf, root))

    def Ialltoall(self, sendbuf, recvbuf):
        """Begin to send each its block of the array, and to write those that come."""
        return Operation(self._seat(), "Ialltoall", lambda: self.Alltoall(sendbuf, recvbuf))

    def Ialltoallv(self, sendbuf, recvbuf):
        """Begin to send each its block of the array, of any size, and to write those that come."""
        return Operation(self._seat(), "Ialltoallv", lambda: self.Alltoallv(sendbuf, recvbuf))

    def Ireduce(self, sendbuf, recvbuf, op=SUM, root=0):
        """Begin to write the sum of all arrays into the root's."""
        return Operation(self._seat(), "Ireduce", lambda: self.Reduce(sendbuf, recvbuf, op, root))

    def Iallreduce(self, sendbuf, recvbuf, op=SUM):
        """Begin to write the sum of all arrays into those of all."""
        return Operation(self._seat(), "Iallreduce", lambda: self.Allreduce(sendbuf, recvbuf, op))

    def Iscan(self, sendbuf, recvbuf, op=SUM):
        """Begin to write the sum of the arrays up to each process's into its own."""
        return Operation(self._seat(), "Iscan", lambda: self.Scan(sendbuf, recvbuf, op))

    def Iexscan(self, sendbuf, recvbuf, op=SUM):
        """Begin to write the sum of the arrays before each process's into its own."""
        return Operation(self._seat(), "Iexscan", lambda: self.Exscan(sendbuf, recvbuf, op))

    def Ireduce_scatter(self, sendbuf, recvbuf, recvcounts=None, op=SUM):
        """Begin to write each process's block of the sum of all arrays, of any size, into its own."""
        return Operation(self._seat(), "Ireduce_scatter", lambda: self.Reduce_scatter(sendbuf, recvbuf, recvcounts, op))

    def Ireduce_scatter_block(self, sendbuf, recvbuf, op=SUM):
        """Begin to write each process's block of the sum of all arrays into its own."""
        return Operation(self._seat(), "Ireduce_scatter_block", lambda: self.Reduce_scatter_block(sendbuf, recvbuf, op))

    # --- other communicators ---

    @property
    def group(self):
        """The processes, as a group."""
        return Group(self._seat().ranks)

    def Get_group(self):
        """Give the processes, as a group."""
        return self.group

    @staticmethod
    def Compare(comm1, comm2):
        """Tell whether communicators are IDENT, CONGRUENT (of the same ranks), SIMILAR (in another order), UNEQUAL."""
        if comm1._seat().context == comm2._seat().context:
            return IDENT
        compared = Group.Compare(comm1.group, comm2.group)
        return CONGRUENT if compared == IDENT else compared

    def Create(self, group):
        """Make a communicator of a group, which all call; None, which is COMM_NULL, for those outside of it."""
        ranks = self._ranks_of("Create", group)
        place = ranks.index(self._seat().process.rank) if self._seat().process.rank in ranks else 0
        color = ranks if group.rank != UNDEFINED else UNDEFINED
        return self._part("Create", color, place, Comm)

    def Create_group(self, group, tag=0):
        """Make a communicator of a group, which its processes alone call."""
        ranks = self._ranks_of("Create_group", group)
        seat = self._seat()
        if group.rank == UNDEFINED:
            raise failed(errors.InvalidRank, f"Create_group: rank {seat.rank} is not in the group")
        made = seat.made_of_groups
        made[ranks, tag] = made.get((ranks, tag), 0) + 1
        return Comm(seat.part(ranks, f"{seat.context}/group {tag}.{made[ranks, tag]}:{ranks}"))

    def _ranks_of(self, call, group):
        if not isinstance(group, Group):
            raise failed(errors.InvalidArgument, f"{call}: a group is expected, and not {group!r}")
        ranks, seat = world_ranks(group), self._seat()
        if not all(seat.has(one) for one in ranks):
            raise failed(errors.InvalidRank, f"{call}: the group has processes that the communicator has not")
        return ranks

    def Dup(self, info=None):
        """Make a communicator of the same processes, with messages of its own."""
        return self._part("Dup", 0, self.rank, Comm)

    def Clone(self):
        """Make a communicator of the same processes, with messages of its own."""
        return self.Dup()

    def Split(self, color=0, key=0):
        """Make a communicator of those that give the same colour, in the order of their keys.

        None, which is COMM_NULL, for the colour UNDEFINED. No message is sent for it.
        """
        color = UNDEFINED if color is None else whole_number("Split", "a colour", color)
        if color < 0 and color != UNDEFINED:
            raise failed(errors.InvalidArgument, f"Split: a colour is 0 or more, or UNDEFINED, and not {color}")
        return self._part("Split", color, whole_number("Split", "a key", key), Comm)

    def Create_cart(self, dims, periods=None, reorder=False):
        """Make a communicator whose ranks are places of a grid."""
        dims = [dims] if not hasattr(dims, "__len__") else dims
        dims = tuple(whole_number("Create_cart", "an extent", extent) for extent in dims)
        periods = False if periods is None else periods
        periods = periods if hasattr(periods, "__len__") else [periods] * len(dims)
        periods = tuple(int(bool(one)) for one in periods)
        if len(periods) != len(dims):
            raise failed(errors.InvalidArgument, f"Create_cart: {len(dims)} dimensions and {len(periods)} periods")
        seat = self._seat()
        room = math.prod(dims)
        if min(dims, default=1) < 1 or room > seat.size:
            raise failed(errors.InvalidArgument, f"Create_cart: a grid of {list(dims)} for {seat.size} processes")
        color = 0 if seat.rank < room else UNDEFINED
        return self._part("Create_cart", color, seat.rank, lambda made: Cartcomm(made, dims, periods))

    def _part(self, name, color, key, make):
        seat = self._seat()
        given = seat.meet(name, (color, key), has_messages=False).given
        if color == UNDEFINED:
            return None
        members = sorted((key, rank) for rank, (other, key) in enumerate(given) if other == color)
        ranks = tuple(seat.ranks[rank] for _, rank in members)
        return make(seat.part(ranks, f"{seat.context}/{seat.meetings}:{color}"))

    def __getattr__(self, name):
        advice = _INSTEAD.get(name, "docs/python.md lists what there is")
        raise AttributeError(f"communicators of lockstep.mpi have no {name}: {advice}")

    def __repr__(self):
        if not is_running():
            return f"<communicator of lockstep.mpi: {type(self).__name__}>"
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
        rank = whole_number("Get_coords", "a rank", rank, errors.InvalidRank)
        if not 0 <= rank < self.size:
            raise failed(errors.InvalidRank, f"Get_coords: there is no rank {rank}; ranks are 0 to {self.size - 1}")
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
                raise failed(errors.InvalidArgument, f"Get_cart_rank: there is no place {list(coords)}")
            rank = rank * extent + coordinate
        return rank

    def Shift(self, direction, disp):
        """Give the ranks to receive from and to send to, that far along a dimension; PROC_NULL off the edge."""
        direction = whole_number("Shift", "a direction", direction)
        if not 0 <= direction < self.ndim:
            raise failed(errors.InvalidArgument, f"Shift: there is no dimension {direction} of {self.ndim}")
        disp = whole_number("Shift", "a displacement", disp)
        return (self._beside(direction, -disp), self._beside(direction, disp))

    def Dup(self, info=None):
        """Make a communicator of the same grid, with messages of its own."""
        return self._part("Dup", 0, self.rank, lambda made: Cartcomm(made, self.dims, self.periods))

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

    name = "MPI_COMM_WORLD"

    def _seat(self):
        return here().everybody


class SelfComm(Comm):
    """COMM_SELF: the process alone."""

    name = "MPI_COMM_SELF"

    def _seat(self):
        return here().alone


class Aborted(SystemExit):
    """The end of a run by Abort."""


class Combinations:
    """The values of a reduction, each with a number: what the operator makes of two is one more.

    Whole numbers may grow: they have as many words as the longest that was given.
    """

    def __init__(self, seat, given, op):
        sizes = _sizes(given)
        self._are_whole = all(operand.is_whole for operand in given)
        if len(set(sizes)) > 1 and not self._are_whole:
            raise failed(errors.SizeMismatch, f"a reduction is of values of as many words, and not of {sizes}")
        self.words = max(sizes)
        self.values = list(given)
        self._me = seat.process.me
        self._op = op
        self._known = {}

    def operator(self, left, right):
        """Combine two values by their numbers."""
        known = self._known.get((left, right))
        if known is not None:
            return known
        made = Operand(self._me, self._op(self.values[left].taken(), self.values[right].taken()))
        if made.words != self.words and not (self._are_whole and made.is_whole):
            raise failed(
                errors.SizeMismatch,
                f"{self._op!r} makes {made.words} words of {self.words}: a reduction keeps their "
                "number; gather collects lists and texts",
            )
        self.values.append(made)
        self._known[left, right] = len(self.values) - 1
        return len(self.values) - 1


def _sizes_of_blocks(call, seat, size, counts):
    """Find the sizes of all blocks: those given, which all give alike, or those of the processes' own blocks."""
    if counts is not None:
        counts = [whole_number(call, "a count", one) for one in counts]
        if len(counts) != seat.size or min(counts) < 0:
            wanted = f"{seat.size} counts, 0 or more, are expected"
            raise failed(errors.InvalidArgument, f"{call}: {wanted}, and not {counts}")
    given = seat.meet(call, size if counts is None else counts, has_messages=False).given
    if all(isinstance(one, int) for one in given):
        return given
    if given != [counts] * seat.size:
        raise failed(errors.InvalidArgument, f"{call}: the processes give different counts: {given}")
    return counts


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
        raise failed(errors.InvalidArgument, f"expecting {seat.size} items, got {len(values)}")
    return [Operand(seat.me, value) for value in values]


def _are_alike(given):
    """Tell whether all values are arrays of one form and type."""
    first = given[0]
    return first.shape is not None and all((one.shape, one.dtype) == (first.shape, first.dtype) for one in given)


def _are_plain_numbers(given, op):
    """Tell whether a reduction of the machine's numbers, of 64 bits, has the result that Python has."""
    if op.is_own or not all(operand.is_plain for operand in given):
        return False
    whole = [abs(operand.taken()) for operand in given if operand.is_whole]
    bound = {"+": sum(whole), "*": math.prod(max(1, one) for one in whole)}.get(op.as_operator, 0)
    return bound < 1 << 63


def _require_alike(call, given, sizes_are_alike):
    there = [(rank, one) for rank, one in enumerate(given) if one is not None]
    if not sizes_are_alike:
        there = [(rank, one) for rank, one in there if one.size]
    for rank, one in there:
        first_rank, first = there[0]
        if sizes_are_alike and one.size != first.size:
            raise failed(
                errors.SizeMismatch, f"{call}: rank {first_rank} gives {first.size} elements, rank {rank} {one.size}"
            )
        if one.dtype != first.dtype:
            raise failed(
                errors.TypeMismatch, f"{call}: rank {first_rank} gives {first.dtype}, rank {rank} {one.dtype}"
            )


def _put_whole(call, came, into):
    if came.size != into.size:
        raise failed(errors.SizeMismatch, f"{call}: {came.size} elements come for a buffer of {into.size}")
    buffers.put(call, came, into)


def _put_blocks(call, came, sizes, into):
    at = 0
    for size, place in zip(sizes, into, strict=True):
        if place.size != size:
            raise failed(errors.SizeMismatch, f"{call}: {size} elements come for a block of {place.size}")
        buffers.put(call, came[at : at + size], place)
        at += size
