"""Operators of reductions: MPI.SUM and so on, by MPI's names."""

import operator


class Op:
    """An associative operator of two values."""

    def __init__(self, name, function, is_known=None, commutes=True):
        self.name = name
        self._function = function
        #: How the collectives of lockstep call it: "+", "*", "min" or "max", or a function.
        self.as_operator = is_known or function
        self.commutes = commutes

    @classmethod
    def Create(cls, function, commute=False):
        """Make an operator of a function of two values."""
        return cls(getattr(function, "__name__", "own"), function, commutes=commute)

    def Free(self):
        """Do nothing."""

    def Is_commutative(self):
        """Tell whether operands may change places."""
        return self.commutes

    def __call__(self, left, right):
        return self._function(left, right)

    def __repr__(self):
        return f"<MPI.{self.name}>"


def op_of(given):
    """Give an operator, made of a function where it is one. Raises TypeError for anything else."""
    if isinstance(given, Op):
        return given
    if callable(given):
        return Op.Create(given)
    raise TypeError(f"an operator is MPI.SUM, MPI.MAX and so on, or a function of two values, and not {given!r}")


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
