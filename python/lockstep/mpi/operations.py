"""Operators of reductions: MPI.SUM and so on, by MPI's names."""

import inspect
import operator
import types

from .. import errors
from .world import failed


class Op:
    """An associative operator of two values."""

    def __init__(self, name, function, is_known=None, commutes=True, is_own=False):
        self.name = name
        self.is_own = is_own  #: of the program, and not of MPI
        #: Whether it is called as MPI does: with what is on the left, what is on the right, and the type.
        self.takes_type = is_own and _takes_three(function)
        self._function = function
        #: How the collectives of lockstep call it: "+", "*", "min" or "max", or a function.
        self.as_operator = is_known or function
        self.commutes = commutes

    @classmethod
    def Create(cls, function, commute=False):
        """Make an operator of a function of two values, or of two and the type of their elements.

        The latter gets None for the type of other values than arrays, and returns the result. Of arrays it gets the
        memory, and writes into that of the second.
        """
        return cls(getattr(function, "__name__", "own"), function, commutes=commute, is_own=True)

    def Free(self):
        """Do nothing."""

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
        return Op.Create(given)
    raise failed(
        errors.InvalidArgument,
        f"an operator is MPI.SUM, MPI.MAX and so on, or a function of two values, and not {given!r}",
    )


def _takes_three(function):
    try:
        inspect.signature(function).bind(None, None, None)
    except (TypeError, ValueError):
        return False
    try:
        inspect.signature(function).bind(None, None)
    except TypeError:
        return True
    return False


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
