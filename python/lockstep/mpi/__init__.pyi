from typing import Any

from .. import Network, Run, machine
from .. import mpi as MPI
from ..errors import Error as Exception
from .buffers import Datatype as Datatype
from .buffers import InPlace as _InPlace
from .communicators import Cartcomm as Cartcomm
from .communicators import Comm as Comm
from .communicators import SelfComm as _SelfComm
from .communicators import WorldComm as _WorldComm
from .groups import Group as Group
from .operations import Op as Op
from .requests import Request as Request
from .requests import Status as Status

Intracomm = Comm
COMM_WORLD: _WorldComm
COMM_SELF: _SelfComm
COMM_NULL: None
GROUP_NULL: None
GROUP_EMPTY: Group
IDENT: int
CONGRUENT: int
SIMILAR: int
UNEQUAL: int
BSEND_OVERHEAD: int
REQUEST_NULL: Request
IN_PLACE: _InPlace
ERRORS_RETURN: None
ERRORS_ARE_FATAL: None
ANY_SOURCE: int
ANY_TAG: int
PROC_NULL: int
UNDEFINED: int
THREAD_SINGLE: int
THREAD_FUNNELED: int
THREAD_SERIALIZED: int
THREAD_MULTIPLE: int
BAND: Op
BOR: Op
BXOR: Op
LAND: Op
LOR: Op
LXOR: Op
MAX: Op
MAXLOC: Op
MIN: Op
MINLOC: Op
PROD: Op
SUM: Op
BOOL: Datatype
C_BOOL: Datatype
CHAR: Datatype
SIGNED_CHAR: Datatype
BYTE: Datatype
UNSIGNED_CHAR: Datatype
SHORT: Datatype
UNSIGNED_SHORT: Datatype
INT: Datatype
UNSIGNED: Datatype
LONG: Datatype
UNSIGNED_LONG: Datatype
LONG_LONG: Datatype
UNSIGNED_INT: Datatype
UNSIGNED_LONG_LONG: Datatype
FLOAT_COMPLEX: Datatype
FLOAT: Datatype
DOUBLE: Datatype
INT8_T: Datatype
INT16_T: Datatype
INT32_T: Datatype
INT64_T: Datatype
UINT8_T: Datatype
UINT16_T: Datatype
UINT32_T: Datatype
UINT64_T: Datatype
C_FLOAT_COMPLEX: Datatype
COMPLEX: Datatype
C_DOUBLE_COMPLEX: Datatype
DOUBLE_COMPLEX: Datatype

def run(
    program: Any,
    /,
    *arguments: Any,
    n: int | None = None,
    on: str | Network | machine | None = None,
    **options: Any,
) -> Run: ...
def Init() -> None: ...
def Init_thread(required: int = ...) -> int: ...
def Finalize() -> None: ...
def Is_initialized() -> bool: ...
def Is_finalized() -> bool: ...
def Query_thread() -> int: ...
def Get_library_version() -> str: ...
def Get_version() -> tuple[int, int]: ...
def Get_processor_name() -> str: ...
def Wtime() -> float: ...
def Wtick() -> float: ...
def Attach_buffer(buf: Any) -> None: ...
def Detach_buffer() -> Any: ...
def Compute_dims(nnodes: int, dims: Any) -> list[int]: ...
