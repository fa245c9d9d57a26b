"""Sweeps: runs of all combinations of values, of the library's algorithms or of a program."""

import itertools
import json
import math
import numbers
from typing import NamedTuple

from . import _lockstep
from ._lockstep import Counts
from .arguments import written, wrong_keywords
from .errors import Error, InvalidArgument, InvalidTopology, UsageError
from .library import counts_of, option_of, switched_on, text_of, with_measured
from .plots import curves, pyplot
from .shown import html_table

#: Keywords of a sweep of a program that are for the machine.
_OF_THE_MACHINE = {"ports", "switching", "strict", "packet", "stacks", "stack", "max_steps", "count"}

#: Keys of flat rows besides what varies.
_OF_A_ROW = {
    *("algorithm", "network", "processors", "time", "unit", "speedup", "efficiency", "correct", "status"),
    *Counts().as_dict(),
}


def sweep(what, /, on, **options):
    """Run an algorithm of the library, several, or a program, for all combinations of values.

    A keyword that is a list, a tuple or a range varies; the last one varies fastest. Of the library's algorithms,
    which are named, keywords are those of `run`, with sequential, isoefficiency, parallel and resume as
    `lockstep sweep` takes them; texts may be lists and ranges as there ("1..4096*4", "torus:{4,8}x8"), and runs go on
    several at a time. A program is called as program(me, ...) with the keywords that neither the machine takes nor
    `model`, which is one of `models()`, for example "bdm:tau_words=64".

    Gives a list of dicts. A combination that does not fit is left out, with its reason; where none fits,
    UsageError (of a program, the first error) is raised. So is UsageError for an empty list, and before any run
    InvalidArgument for a model that there is not.
    """
    if callable(what):
        return _sweep_of_program(what, on, options)
    names = what if isinstance(what, str) else ",".join(_names_of(what))
    words = ["sweep", names, "--json"]
    for name, value in {"on": on, **options}.items():
        words += _words_of(name, value)
    answer = _lockstep._answer(words)
    return Sweep(json.loads(answer.json), answer.notes, answer.is_right)


class Sweep(list):
    """The runs of a sweep, a dict each.

    Its keys are given (the values that vary), status ("right", "wrong", "left out" or "failed"), reason where it is
    not "right", topology, processors, counts, phases, and time by a model; of the library's algorithms algorithm,
    parameters, correct, figures, claims and bounds besides.
    """

    def __init__(self, entry, notes="", all_right=True):
        rows = entry["rows"]
        for row in rows:
            if "claims" in row:
                counts = counts_of(row["counts"]).as_dict()
                row["claims"] = [with_measured(claim, counts, row["figures"]) for claim in row["claims"]]
        super().__init__(rows)
        #: Whether no run failed, and all are as `AlgorithmRun.all_right` says.
        self.all_right = all_right
        #: How many combinations were left out, and why the first; empty where all fit.
        self.notes = notes.strip()
        #: Dicts of where one curve begins to be lower than another.
        self.crossovers = entry.get("crossovers", [])
        #: With `isoefficiency`, the least sizes that keep the efficiency.
        self.isoefficiency = entry.get("isoefficiency", [])
        #: Names of what varies.
        self.varied = list(dict.fromkeys(name for row in rows for name in row["given"]))

    def flat(self):
        """List the runs that were made as dicts of texts and numbers, which pandas makes a table of.

        Keys are algorithm, network, processors, what varies, the counts, time and unit, correct and status. A varied
        keyword that is called as one of these has two dashes before it: "--words" is the option, "words" the count.
        """
        rows = []
        for row in self:
            if "counts" not in row:
                continue
            flat = {"algorithm": row["algorithm"]} if "algorithm" in row else {}
            flat.update(network=row["topology"], processors=row["processors"])
            for name in self._options():
                flat[_key_of(name)] = row.get("parameters", {}).get(name, row["given"].get(name))
            flat.update(counts_of(row["counts"]).as_dict())
            if "time" in row:
                flat.update(time=row["time"]["value"], unit=row["time"]["unit"])
            figures = row.get("figures", {})
            flat.update({name: figures[name] for name in ("speedup", "efficiency") if name in figures})
            flat.update(correct=row.get("correct"), status=row["status"])
            rows.append(flat)
        return rows

    def plot(self, x=None, y=None):
        """Draw a figure over what varies, by matplotlib, and give matplotlib's figure.

        x is a key of `flat()`, by default the first number that varies, or else the processors, which "p" stands for,
        too; y another, by default the time, or else the steps. What varies besides makes curves.
        """
        pyplot_module = pyplot()
        rows = self.flat()
        if not rows:
            raise ValueError("none of the runs was made: there is nothing to plot")
        varied = [_key_of(name) for name in self._options()]
        for key in ("network", "algorithm"):
            if len({row.get(key) for row in rows}) > 1:
                varied.append(key)
        numbers = [key for key in varied if all(_is_number(row[key]) for row in rows)]
        x = x or (numbers[0] if numbers else "processors")
        if x == "p" and not any("p" in row for row in rows):
            x = "processors"
        y = y or ("time" if any("time" in row for row in rows) else "steps")
        for name in (x, y):
            if not any(_is_number(row.get(name)) for row in rows):
                raise ValueError(f"none of the runs has a number {name!r}; there are {', '.join(_numbers_of(rows))}")
        of_curves = [key for key in varied if key != x and not (x == "processors" and _follows(rows, key))]
        drawn, axis = pyplot_module.subplots()
        points = [row for row in rows if _is_number(row.get(x)) and _is_number(row.get(y))]
        points.sort(key=lambda row: row[x])
        if not points:
            raise ValueError(f"none of the runs has both {x!r} and {y!r}")
        curves(axis, points, x, y, of_curves, scales=(_scale(points, x), _scale(points, y)))
        axis.set_xlabel(x)
        axis.set_ylabel(f"{y} ({', '.join(dict.fromkeys(row['unit'] for row in points))})" if y == "time" else y)
        return drawn

    def _options(self):
        """List what varies besides the network and, of the library, the algorithm."""
        of_the_library = any("algorithm" in row for row in self)
        return [name for name in self.varied if name != "on" and not (of_the_library and name == "algorithm")]

    def __repr__(self):
        left_out = sum(row["status"] == "left out" for row in self)
        wrong = "" if self.all_right else ", NOT all right"
        return f"<sweep: {len(self)} runs, {left_out} left out{wrong}>"

    def _repr_html_(self):
        rows = self.flat()
        shown = [key for key in rows[0] if any(row.get(key) not in (None, 0, "") for row in rows)] if rows else []
        return html_table(repr(self)[1:-1], shown, rows)


def _is_several(value):
    return isinstance(value, list | tuple | range) or (hasattr(value, "tolist") and getattr(value, "ndim", 0) > 0)


def _listed(value):
    """List the values of a keyword, of a row of numpy as Python's own."""
    if not _is_several(value):
        return [value]
    return value.tolist() if getattr(value, "ndim", 0) == 1 else list(value)


def _names_of(algorithms):
    if not hasattr(algorithms, "__iter__"):
        raise TypeError(f"sweep takes a program or the names of algorithms, and not {written(algorithms)}")
    names = list(algorithms)
    if not all(isinstance(name, str) for name in names):
        raise TypeError("sweep takes one program, or the names of algorithms; make a sweep of each program")
    return names


def _key_of(name):
    """Tell the key of flat rows that a varied keyword has."""
    return "--" + name if name in _OF_A_ROW else name


def _words_of(name, value):
    """Write a keyword as the words of `lockstep sweep`; commas within a listed value stay in it."""
    option = option_of(name)
    if value is None or value is False:
        return []
    if value is True:
        return [switched_on(name)]
    if not _is_several(value):
        return [f"{option}={text_of(value)}"]
    if any(isinstance(one, bool) for one in value):
        raise TypeError(f"{name} is something that is so or not, which does not vary in a sweep; make two")
    return [f"{option}={','.join(_in_one(text_of(one)) for one in value)}"]


def _in_one(text):
    """Escape the commas of a value, but those in braces, which list values."""
    depth = 0
    escaped = ""
    for letter in text:
        depth += (letter == "{") - (letter == "}")
        escaped += "\\," if letter == "," and depth == 0 else letter
    return escaped


def _sweep_of_program(program, on, options):
    wrong = wrong_keywords(program, options, ["model", *sorted(_OF_THE_MACHINE)])
    if wrong is not None:
        raise TypeError(wrong)
    lists = {name: _listed(value) for name, value in {"on": on, **options}.items()}
    for name, values in lists.items():
        if not values:
            raise UsageError(f"{name} needs a value")
    lists["model"] = [model_of(text) for text in lists.get("model", [None])]
    varied = [name for name, values in lists.items() if len(values) > 1]
    rows = []
    failures = []
    for values in itertools.product(*lists.values()):
        given = dict(zip(lists, values))
        row = {"given": {name: given[name] for name in varied}, "status": "right"}
        if "model" in varied:
            row["given"]["model"] = given["model"] and given["model"].text
        try:
            row.update(_run_of_program(program, **given))
        except (InvalidTopology, InvalidArgument) as refused:
            row.update(status="left out" if refused.step == 0 else "failed", reason=str(refused))
            failures.append(refused)
        except Error as failed:
            row.update(status="failed", reason=str(failed))
            failures.append(failed)
        rows.append(row)
    if rows and len(failures) == len(rows):
        raise failures[0]
    left_out = [row for row in rows if row["status"] == "left out"]
    notes = _notes_on(left_out, rows, on) if left_out else ""
    return Sweep({"rows": rows}, notes, all(row["status"] != "failed" for row in rows))


def _notes_on(left_out, rows, on):
    """Say which networks, up to a dozen, do not fit the program, with their number of runs where some others do."""
    networks = {}
    for row in rows:
        of = networks.setdefault(str(row["given"].get("on", on)), [0, 0])
        of[0] += row["status"] == "left out"
        of[1] += 1
    names = [
        network if left == count else f"{network} ({left} of {count})"
        for network, (left, count) in networks.items()
        if left
    ]
    named = ", ".join(names[:12]) + (f" and {len(names) - 12} more" if len(names) > 12 else "")
    return f"{len(left_out)} of {len(rows)} left out: on {named}; the first: {left_out[0]['reason']}"


def _run_of_program(program, /, on, model, **keywords):
    of_the_machine = {name: keywords.pop(name) for name in _OF_THE_MACHINE & keywords.keys()}
    run = _lockstep.machine(on, **of_the_machine).run(program, **keywords)
    row = {
        "topology": run.network,
        "processors": run.size,
        "correct": None,
        "counts": run.counts.as_dict(),
        "phases": [{"name": name, **counts.as_dict()} for name, counts in run.phases],
        "makespan": run.makespan,
    }
    if model is not None:
        row["time"] = {"model": model.text, "value": run.time(model.name, **model.parameters), "unit": model.unit}
    return row


class _Model(NamedTuple):
    """A cost model with values of its parameters, and the text that names them."""

    text: str
    name: str
    parameters: dict
    unit: str


def model_of(text):
    """Read a model as the command line names it: "bdm:tau_words=64". Raises InvalidArgument."""
    if text is None:
        return None
    if not isinstance(text, str):
        raise TypeError(f"model is the name of a cost model, and not {text!r}")
    name, _, settings = text.partition(":")
    models = {entry["name"]: entry for entry in _lockstep.models()}
    if name not in models:
        clocks = "; clocks price the library's algorithms only" if name.endswith("-clock") else ""
        raise InvalidArgument(f"there is no cost model '{name}' for programs; there are {', '.join(models)}{clocks}")
    parameters = {}
    for setting in filter(None, settings.split(",")):
        key, _, value = setting.partition("=")
        if key not in models[name]["parameters"]:
            known = ", ".join(models[name]["parameters"])
            raise InvalidArgument(f"model '{text}': {name} has no parameter '{key}'; it has {known}")
        try:
            parameters[key] = float(value)
        except ValueError:
            raise InvalidArgument(f"model '{text}': write {key}=NUMBER instead of '{setting}'") from None
        if not 0 <= parameters[key] < math.inf:
            raise InvalidArgument(f"model '{text}': {key} is a number of 0 or more")
    Counts().time(1, name, **parameters)  # refuses values that the model cannot have
    return _Model(text, name, parameters, models[name]["unit"])


def _is_number(value):
    return isinstance(value, numbers.Real) and not isinstance(value, bool)


def _numbers_of(rows):
    return list(dict.fromkeys(key for row in rows for key, value in row.items() if _is_number(value)))


def _follows(rows, key):
    """Whether a value under `key` tells the number of processors, so that it makes no curve of its own."""
    return len({row[key] for row in rows}) == len({(row[key], row["processors"]) for row in rows}) == len(
        {row["processors"] for row in rows}
    )


def _scale(rows, key):
    values = [row[key] for row in rows if _is_number(row.get(key))]
    return "log" if min(values) > 0 and max(values) >= 20 * min(values) else "linear"
