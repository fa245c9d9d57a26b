"""Numbers that count their operations as local work: `me.work_of(lambda: sorted(keys))`."""

import inspect
import numbers
import operator
import threading
from typing import NamedTuple


class Operations(NamedTuple):
    """Local operations by kind."""

    comparisons: int
    additions: int  #: and subtractions
    multiplications: int  #: and divisions

    @property
    def all(self):
        """Give how many there are."""
        return sum(self)


_COMPARISON, _ADDITION, _MULTIPLICATION = range(3)


class _Operations(threading.local):
    """The operations of this thread, a list of numbers by kind; None outside `work_of` and `operations_of`."""

    done = None


_here = _Operations()


def operations_of(compute):
    """Call a function: its result, and the operations that counted numbers made in it."""
    outer, _here.done = _here.done, [0, 0, 0]
    try:
        result = compute()
        if inspect.iscoroutine(result):
            result.close()
            raise TypeError("work_of takes a plain function: local work awaits nothing")
        return result, Operations(*_here.done)
    finally:
        _here.done = outer


def counted(value):
    """Make a number that counts its operations inside `work_of`.

    Comparisons, additions, subtractions, multiplications and divisions (/, // and %) count one each, also with
    plain numbers and numpy's on the right, and give counted numbers again. Anything else counts nothing, and gives
    plain numbers: so do operations of numpy, whose number or array stands on the left. It is sent as the number it
    is, one word.

    Raises TypeError for what is not a real number, such as a text or a Decimal.
    """
    if isinstance(value, float):
        return CountedFloat(value)
    try:
        whole = operator.index(value)
    except TypeError:
        if isinstance(value, numbers.Real):
            return CountedFloat(value)
        raise TypeError(f"counted takes a whole or real number, and not {value!r}") from None
    return CountedInt(whole)


def _plain(value):
    """Give a number of Python, or of numpy, as a plain number of Python; None for anything else."""
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        return float(value)
    if isinstance(value, numbers.Integral):
        return operator.index(value)
    return float(value) if isinstance(value, numbers.Real) and hasattr(value, "dtype") else None


def _operation(kind, result_of):
    def operation(self, other):
        one, another = _plain(self), _plain(other)
        if another is None:
            return NotImplemented
        if _here.done is not None:
            _here.done[kind] += 1
        return result_of(one, another)

    return operation


def _calculation(kind, calculate):
    return _operation(kind, lambda one, another: counted(calculate(one, another)))


def _reflected(kind, calculate):
    return _operation(kind, lambda one, another: counted(calculate(another, one)))


def _comparison(compare):
    return _operation(_COMPARISON, compare)


class _Counted:
    __slots__ = ()

    __add__ = _calculation(_ADDITION, operator.add)
    __radd__ = _reflected(_ADDITION, operator.add)
    __sub__ = _calculation(_ADDITION, operator.sub)
    __rsub__ = _reflected(_ADDITION, operator.sub)
    __mul__ = _calculation(_MULTIPLICATION, operator.mul)
    __rmul__ = _reflected(_MULTIPLICATION, operator.mul)
    __truediv__ = _calculation(_MULTIPLICATION, operator.truediv)
    __rtruediv__ = _reflected(_MULTIPLICATION, operator.truediv)
    __floordiv__ = _calculation(_MULTIPLICATION, operator.floordiv)
    __rfloordiv__ = _reflected(_MULTIPLICATION, operator.floordiv)
    __mod__ = _calculation(_MULTIPLICATION, operator.mod)
    __rmod__ = _reflected(_MULTIPLICATION, operator.mod)
    __eq__, __ne__ = _comparison(operator.eq), _comparison(operator.ne)
    __lt__, __le__ = _comparison(operator.lt), _comparison(operator.le)
    __gt__, __ge__ = _comparison(operator.gt), _comparison(operator.ge)

    def __neg__(self):
        return counted(-_plain(self))


class CountedInt(_Counted, int):
    """An int that counts its operations."""

    __slots__ = ()
    __hash__ = int.__hash__


class CountedFloat(_Counted, float):
    """A float that counts its operations."""

    __slots__ = ()
    __hash__ = float.__hash__
