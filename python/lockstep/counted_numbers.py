"""Numbers that count their operations as local work: `me.work_of(lambda: sorted(keys))`."""

import inspect
import numbers
import operator
import threading


class _Operations(threading.local):
    """The operations of this thread; None outside `work_of`."""

    done = None


_here = _Operations()


def operations_of(compute):
    """Call a function: its result, and how many operations of counted numbers it made."""
    outer, _here.done = _here.done, 0
    try:
        result = compute()
        if inspect.iscoroutine(result):
            result.close()
            raise TypeError("work_of takes a plain function: local work awaits nothing")
        return result, _here.done
    finally:
        _here.done = outer


def counted(value):
    """Make a number that counts its operations inside `work_of`.

    Comparisons, additions, subtractions, multiplications and divisions (/, // and %) count one each, also with
    plain numbers (of numpy on the right only), and give counted numbers again. Anything else counts nothing, and gives plain numbers. It is
    sent as the number it is, one word.
    """
    plain = _number(value)
    if plain is None:
        raise TypeError(f"counted() takes a number, and not {value!r}")
    return CountedFloat(plain) if isinstance(plain, float) else CountedInt(plain)


def _plain(value):
    return float(value) if isinstance(value, float) else int(value)


def _number(value):
    """Give a number as an int or a float; None for anything else."""
    if isinstance(value, int | float):
        return _plain(value)
    if hasattr(value, "__index__"):
        return operator.index(value)
    return float(value) if isinstance(value, numbers.Real) else None


def _calculation(calculate, is_reflected=False):
    def operation(self, other):
        other = _number(other)
        if other is None:
            return NotImplemented
        if _here.done is not None:
            _here.done += 1
        one, another = _plain(self), _plain(other)
        return counted(calculate(another, one) if is_reflected else calculate(one, another))

    return operation


def _comparison(compare):
    def operation(self, other):
        other = _number(other)
        if other is None:
            return NotImplemented
        if _here.done is not None:
            _here.done += 1
        return compare(_plain(self), _plain(other))

    return operation


class _Counted:
    __slots__ = ()

    __add__, __radd__ = _calculation(operator.add), _calculation(operator.add, True)
    __sub__, __rsub__ = _calculation(operator.sub), _calculation(operator.sub, True)
    __mul__, __rmul__ = _calculation(operator.mul), _calculation(operator.mul, True)
    __truediv__, __rtruediv__ = _calculation(operator.truediv), _calculation(operator.truediv, True)
    __floordiv__, __rfloordiv__ = _calculation(operator.floordiv), _calculation(operator.floordiv, True)
    __mod__, __rmod__ = _calculation(operator.mod), _calculation(operator.mod, True)
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
