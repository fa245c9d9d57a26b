"""What is wrong with the arguments of a call, in one line.

Calls of the compiled module are refused in many lines, which list all that there is in its own words.
"""

import __future__

import difflib
import functools
import inspect
import numbers
import operator
import re
import reprlib


class _Written(reprlib.Repr):
    """Values as a line of text has them."""

    def __init__(self):
        super().__init__()
        self.maxother = self.maxlong = self.maxstring = 60


def written(value):
    """Write a value for a message: in one line, and shortened where it is long."""
    try:
        return " ".join(_Written().repr(value).split())
    except Exception:  # of the value's own
        return f"an object of {type(value).__name__}"


def unknown(call, name, names, others=()):
    """Say that a call does not take a name, which one is near, and which it takes; `others` are named only if near."""
    near = difflib.get_close_matches(name, [*names, *others], 1)
    begin = f"did you mean {near[0]!r}? It" if near else "it"
    return f"{call} takes no argument {name!r}; {begin} takes {', '.join(names) or 'none'}"


def _is_whole(value):
    return hasattr(value, "__index__") and -(2**31) <= operator.index(value) < 2**31


def _is_list(value, fits):
    is_sequence = hasattr(value, "__getitem__") and hasattr(value, "__len__")
    return is_sequence and not isinstance(value, (str, bytes, dict)) and all(fits(one) for one in value)


def _is_pair(value, fits):
    return _is_list(value, fits) and len(value) == 2


def _is_number(value):
    return isinstance(value, numbers.Real) or hasattr(value, "__float__")


#: What pybind11 calls a type: how it is called in a message, and what fits it.
_TYPES = {
    "int": ("a whole number below 2**31", _is_whole),
    "str": ("a text", lambda value: isinstance(value, str)),
    "bool": ("True or False", lambda value: value is None or hasattr(value, "__bool__")),
    "tuple[int, int]": ("along(dimension, offset)", lambda value: _is_pair(value, _is_whole)),
    "list[int]": ("a list of whole numbers", lambda value: _is_list(value, _is_whole)),
    "list[tuple[int, int]]": (
        "a list of pairs of whole numbers below 2**31",
        lambda value: _is_list(value, lambda one: _is_pair(one, _is_whole)),
    ),
    "list[tuple[float, float]]": (
        "a list of pairs of numbers",
        lambda value: _is_list(value, lambda one: _is_pair(one, _is_number)),
    ),
}


def _expected_of(annotation):
    """Find how a type is called in a message, and what fits it; None for one that takes all."""
    text = annotation.lower()
    optional = re.fullmatch(r"optional\[(.*)\]|(.*) \| none", text)
    words, fits = _TYPES.get(next(filter(None, optional.groups())) if optional else text, (None, None))
    if words is None:
        return None
    return (f"{words} or None", lambda value: value is None or fits(value)) if optional else (words, fits)


_BY_PLACE = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
_BY_NAME = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)


def _wrong_names(call, parameters, given, named):
    """Say which of a call's arguments has an unknown name, is one too many, is there twice, or is missing."""
    kinds = {one.kind for one in parameters}
    by_place = [one for one in parameters if one.kind in _BY_PLACE]
    by_name = [one.name for one in parameters if one.kind in _BY_NAME]
    for name in named:
        if name not in by_name and inspect.Parameter.VAR_KEYWORD not in kinds:
            return unknown(call, name, by_name)
    if len(given) > len(by_place) and inspect.Parameter.VAR_POSITIONAL not in kinds:
        most = {0: "no argument", 1: "1 argument at most"}.get(len(by_place), f"{len(by_place)} arguments at most")
        return f"{call} takes {most} without a name, and {len(given)} {'was' if len(given) == 1 else 'were'} given"
    for one in by_place[: len(given)]:
        if one.name in by_name and one.name in named:
            return f"{call} got its argument {one.name} twice"
    for one in parameters:
        is_needed = one.default is one.empty and one.kind in _BY_PLACE + _BY_NAME
        if is_needed and one not in by_place[: len(given)] and one.name not in named:
            return f"{call} misses its argument {one.name}"
    return None


def _wrong_types(call, signature, given, named):
    """Say which of a call's arguments is of another type than it takes."""
    for name, value in signature.bind(*given, **named).arguments.items():
        expected = _expected_of(str(signature.parameters[name].annotation))
        if expected and not expected[1](value):
            return f"{call}: {name} is {expected[0]}, and not {written(value)}"
    return None


def wrong_keywords(program, named, others):
    """Say which of these keywords neither a program takes nor what calls it, which takes `others`, or which it misses.

    None where all is well, or the program does not tell what it takes.
    """
    try:
        parameters = list(inspect.signature(program).parameters.values())[1:]
    except (TypeError, ValueError):
        return None
    name = getattr(program, "__name__", "the program")
    of_all = [inspect.Parameter(other, inspect.Parameter.KEYWORD_ONLY, default=None) for other in others]
    return _wrong_names(f"a sweep of {name}", parameters + of_all, [], named)


def _signature_of(function):
    """Read what a function takes; of the compiled module from the first line of its docstring."""
    if inspect.isfunction(function):
        return inspect.signature(function)
    found = re.match(r"\w+\((.*)\) -> ", function.__doc__ or "")
    if found is None:
        return None
    made = {}
    exec(compile(f"def made({found[1]}): ...", "", "exec", __future__.annotations.compiler_flag), made)
    return inspect.signature(made["made"])


def explained(function, name=None, has_self=False):
    """Give a function that says in one line what is wrong with its arguments."""
    signature = _signature_of(function)
    if signature is None:
        return function
    call = name or function.__name__.lstrip("_")
    skipped = int(has_self)
    parameters = list(signature.parameters.values())[skipped:]
    is_compiled = not inspect.isfunction(function)

    @functools.wraps(function)
    def explaining(*given, **named):
        try:
            return function(*given, **named)
        except TypeError as failed:
            if failed.__traceback__.tb_next or is_compiled and "incompatible" not in str(failed):
                raise  # from inside
            text = _wrong_names(call, parameters, given[skipped:], named)
            if text is None and is_compiled:
                text = _wrong_types(call, signature, given, named)
            if text is None:
                raise
        finally:
            given = given[skipped:]  # an object that could not be made must not be asked for its repr by a traceback
        raise TypeError(text)

    if is_compiled:
        del explaining.__wrapped__
        explaining.__signature__ = signature
        explaining.__doc__ = function.__doc__.partition("\n")[2].strip() or None
    return explaining


def explain(owner, but=()):
    """Replace the calls of a class by such that say what is wrong with their arguments."""
    for name, function in list(vars(owner).items()):
        is_call = callable(function) and not isinstance(function, type)
        if is_call and name not in but and (name == "__init__" or not name.startswith("__")):
            setattr(owner, name, explained(function, owner.__name__ if name == "__init__" else None, has_self=True))
