"""The machine in mpi4py's spelling.

    from lockstep.mpi import COMM_WORLD as comm

    if comm.rank == 0:
        comm.send({"to": "rank 1"}, dest=1, tag=11)
    elif comm.rank == 1:
        print(comm.recv(source=0, tag=11))

`python3 -m lockstep.mpi -n 4 script.py` runs a script on a machine of four processors and prints what it costs;
`lockstep.mpi.run("script.py", on="torus:4x4")`, or `run(function, n=4)`, gives the run. A script that says
`from mpi4py import MPI` runs there as it is.
"""

import contextvars as _contextvars
import math as _math
import sys as _sys

from ..errors import Error as Exception  # as in mpi4py
from ..errors import InvalidArgument as _InvalidArgument
from .buffers import DATATYPES as _datatypes
from .buffers import IN_PLACE, Datatype
from .communicators import Cartcomm, Comm, SelfComm, WorldComm
from .groups import CONGRUENT, GROUP_EMPTY, IDENT, SIMILAR, UNEQUAL, Group
from .operations import BAND, BOR, BXOR, LAND, LOR, LXOR, MAX, MAXLOC, MIN, MINLOC, PROD, SUM, Op
from .requests import REQUEST_NULL, Request, Status
from .running import run
from .world import ANY_SOURCE, ANY_TAG, PROC_NULL, UNDEFINED
from .world import failed as _failed
from .world import here as _here
from .world import whole_number as _whole_number

#: So that `from lockstep.mpi import MPI` stands for `from mpi4py import MPI`.
MPI = _sys.modules[__name__]

Intracomm = Comm
COMM_WORLD = WorldComm()
COMM_SELF = SelfComm()
COMM_NULL = GROUP_NULL = None
BSEND_OVERHEAD = 0
THREAD_SINGLE, THREAD_FUNNELED, THREAD_SERIALIZED, THREAD_MULTIPLE = range(4)
ERRORS_RETURN = ERRORS_ARE_FATAL = None
globals().update(_datatypes)


def Init():
    """Do nothing: a run has begun when its programs run."""


def Finalize():
    """Do nothing."""


def Is_initialized():
    """Tell that calls may be made."""
    return True


def Is_finalized():
    """Tell that calls may be made."""
    return False


def Query_thread():
    """Give the level of threads: a program is one."""
    return THREAD_SINGLE


def Init_thread(required=THREAD_MULTIPLE):
    """Give the level of threads: a program is one."""
    return THREAD_SINGLE


def Get_library_version():
    """Tell that this is lockstep."""
    return "lockstep"


def Get_version():
    """Give the version of MPI whose words these are."""
    return (3, 1)


def Get_processor_name():
    """Give a name of this processor."""
    return f"processor {_here().rank}"


def Wtime():
    """Give the step that this processor is in, as a float: time passes in steps here."""
    return float(_here().me.now)


def Wtick():
    """Give the resolution of Wtime: a step."""
    return 1.0


_attached = _contextvars.ContextVar("lockstep.mpi.attached", default=None)


def Attach_buffer(buf):
    """Keep memory for bsend, which needs none."""
    _attached.set(buf)


def Detach_buffer():
    """Give back what Attach_buffer has kept."""
    buf = _attached.get()
    _attached.set(None)
    return buf


def Compute_dims(nnodes, dims):
    """Divide processes among dimensions as evenly as they go; what is not 0 in a list of dimensions stays."""
    given = [0] * dims if isinstance(dims, int) else [_whole_number("Compute_dims", "an extent", one) for one in dims]
    fixed = _math.prod(extent or 1 for extent in given)
    if nnodes < 1 or min(given, default=0) < 0 or nnodes % fixed or (0 not in given and nnodes != fixed):
        raise _failed(_InvalidArgument, f"Compute_dims: {nnodes} processes cannot be divided into {given}")
    free = [at for at, extent in enumerate(given) if extent == 0]
    made = _even_factors(nnodes // fixed, len(free)) if free else []
    for at, extent in zip(free, made, strict=True):
        given[at] = extent
    return given


def _even_factors(number, count):
    if count == 1:
        return [number]
    best = None
    for first in range(1, number + 1):
        if number % first == 0:
            factors = sorted([first, *_even_factors(number // first, count - 1)], reverse=True)
            if best is None or factors < best:
                best = factors
    return best


#: What to write in place of names that there are not.
_INSTEAD = {
    "Win": "one-sided access is me.window of lockstep's own programs",
    "File": "open files as Python does",
    "Prequest": "write Isend and Irecv where Start would be",
    **dict.fromkeys(("Intercomm", "Graphcomm", "Distgraphcomm"), "communicators are of one group, or grids"),
    **dict.fromkeys(("Info", "INFO_NULL", "INFO_ENV", "Errhandler", "Message"), "leave it out"),
}


def __getattr__(name):
    advice = _INSTEAD.get(name, "docs/python.md lists what there is")
    raise AttributeError(f"lockstep.mpi has no {name}: {advice}")


__all__ = [
    "ANY_SOURCE",
    "ANY_TAG",
    "Attach_buffer",
    "BAND",
    "BOR",
    "BSEND_OVERHEAD",
    "BXOR",
    "COMM_NULL",
    "COMM_SELF",
    "COMM_WORLD",
    "CONGRUENT",
    "Cartcomm",
    "Comm",
    "Compute_dims",
    "Datatype",
    "Detach_buffer",
    "ERRORS_ARE_FATAL",
    "ERRORS_RETURN",
    "Exception",
    "Finalize",
    "GROUP_EMPTY",
    "GROUP_NULL",
    "Get_library_version",
    "Get_processor_name",
    "Get_version",
    "Group",
    "IDENT",
    "IN_PLACE",
    "Init",
    "Init_thread",
    "Intracomm",
    "Is_finalized",
    "Is_initialized",
    "LAND",
    "LOR",
    "LXOR",
    "MAX",
    "MAXLOC",
    "MIN",
    "MINLOC",
    "MPI",
    "Op",
    "PROC_NULL",
    "PROD",
    "Query_thread",
    "REQUEST_NULL",
    "Request",
    "SIMILAR",
    "SUM",
    "Status",
    "THREAD_FUNNELED",
    "THREAD_MULTIPLE",
    "THREAD_SERIALIZED",
    "THREAD_SINGLE",
    "UNDEFINED",
    "UNEQUAL",
    "Wtick",
    "Wtime",
    "run",
    *_datatypes,
]
