"""Operators of reductions: MPI.SUM and so on, by MPI's names."""

import inspect
import operator
import types

from .. import errors
from . import buffers
from .world import failed


class Op:
    """An associative operator of two values."""

    def __init__(self, name, function, is_known=None, commutes=True, is_own=False, takes_type=False):
        self.name = name
        self.is_own = is_own  #: of the program, and not of MPI
        #: Whether it is called as MPI does: with what is on the left, what is on the right, and the type.
        self.takes_type = takes_type
        self._function = function
        #: How the collectives of lockstep call it: "+", "*", "min" or "max", or a function.
        self.as_operator = is_known or function
        self.commutes = commutes

    @classmethod
    def Create(cls, function, commute=False):
        """Make an operator of a function of two values and the type of their elements, or of two values only.

        The former gets None for the type of other values than arrays, and returns the result. Of arrays it gets the
        memory, and writes into that of the second. Raises InvalidArgument for what is no function.
        """
        if not callable(function):
            raise failed(errors.InvalidArgument, f"Op.Create: an operator is a function, and not {function!r}")
        name = getattr(function, "__name__", "own")
        return cls(name, function, commutes=bool(commute), is_own=True, takes_type=_takes(function, 3))

    def Free(self):
        """Do nothing."""

    def Reduce_local(self, inbuf, inoutbuf):
        """Combine two arrays of this process, without a message, and write the result into the second."""
        left = buffers.elements("Reduce_local", inbuf)
        right = buffers.elements("Reduce_local", inoutbuf, is_written=True)
        if left.size != right.size:
            raise failed(errors.SizeMismatch, f"Reduce_local: {left.size} elements, and {right.size}")
        if left.dtype != right.dtype:
            raise failed(errors.TypeMismatch, f"Reduce_local: {left.dtype}, and {right.dtype}")
        if self.takes_type:
            self.into(left, right, buffers.of_dtype(right.dtype))
            return
        for at in range(left.size):
            right[at] = self(left[at], right[at])

    @property
    def is_commutative(self):
        """Whether operands may change places."""
        return self.commutes

    @property
    def is_predefined(self):
        """Whether it is one of MPI's."""
        return not self.is_own

    def Is_commutative(self):
        """Tell whether operands may change places."""
        return self.commutes

    def may_be(self, other):
        """Tell whether another process may mean the same operator."""
        if not (self.is_own and other.is_own):
            return self is other
        mine, its = (getattr(one._function, "__code__", one._function) for one in (self, other))
        is_known = (types.CodeType, types.BuiltinFunctionType)
        return mine is its or not (isinstance(mine, is_known) and isinstance(its, is_known))

    def into(self, left, right, of):
        """Combine arrays by a function that writes into its second: into the one on the right, which is the result."""
        self._function(memoryview(left).cast("B"), memoryview(right).cast("B"), of)
        return right

    def __call__(self, left, right):
        return self._function(left, right, None) if self.takes_type else self._function(left, right)

    def __repr__(self):
        return f"<MPI.{self.name}>"


def op_of(given):
    """Give an operator, made of a function where it is one. Raises InvalidArgument for anything else."""
    if isinstance(given, Op):
        return given
    if callable(given):
        takes_type = not _takes(given, 2) and _takes(given, 3)
        return Op(getattr(given, "__name__", "own"), given, commutes=False, is_own=True, takes_type=takes_type)
    raise failed(
        errors.InvalidArgument,
        f"an operator is MPI.SUM, MPI.MAX and so on, or a function of two values, and not {given!r}",
    )


def _takes(function, number):
    """Tell whether a function is known to take that many arguments."""
    try:
        inspect.signature(function).bind(*[None] * number)
    except (TypeError, ValueError):
        return False
    return True


def _and(left, right):
    return bool(left) & bool(right)


def _or(left, right):
    return bool(left) | bool(right)


def _xor(left, right):
    return bool(left) ^ bool(right)


def _largest_place(left, right):
    if left[0] == right[0]:
        return (left[0], min(left[1], right[1]))
    return tuple(left) if left[0] > right[0] else tuple(right)


def _least_place(left, right):
    if left[0] == right[0]:
        return (left[0], min(left[1], right[1]))
    return tuple(left) if left[0] < right[0] else tuple(right)


SUM = Op("SUM", operator.add, "+")
PROD = Op("PROD", operator.mul, "*")
MAX = Op("MAX", max, "max")
MIN = Op("MIN", min, "min")
LAND = Op("LAND", _and)
LOR = Op("LOR", _or)
LXOR = Op("LXOR", _xor)
BAND = Op("BAND", operator.and_)
BOR = Op("BOR", operator.or_)
BXOR = Op("BXOR", operator.xor)
MAXLOC = Op("MAXLOC", _largest_place)
MINLOC = Op("MINLOC", _least_place)
