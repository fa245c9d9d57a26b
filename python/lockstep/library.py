"""The library's own algorithms: what there is, and runs of it.

A run takes the path of the command line (`lockstep run --json`), from the same words to the same object: what
is refused there is refused here, with the same line, and figures are the same.
"""

import difflib
import functools
import json
import os
import pathlib
import tempfile
from html import escape

from . import _lockstep
from ._lockstep import Counts, Expectation
from .plots import plot_steps
from .shown import Page
from .times import timeline

#: Options of a run that say how results are shown, which an object does itself.
_OF_THE_OUTPUT = set(
    "json table help version csv latex columns plot plot-size log x y x-axis y-axis".split()
)


def option_of(name):
    """Write a keyword as an option of the command line: `stage_1` as `--stage-1`, `from_` as `--from`."""
    option = name.rstrip("_").replace("_", "-")
    if option in _OF_THE_OUTPUT:
        raise TypeError(f"{name} is an option of how the command line shows a run; leave it out")
    return "--" + option


def text_of(value):
    """Write a value as it is typed on the command line."""
    return os.fspath(value) if isinstance(value, os.PathLike) else str(value)


@functools.cache
def _switches():
    """List the options that take no value: `strict`, and those of the algorithms."""
    parameters = [parameter for algorithm in algorithms() for parameter in algorithm["parameters"]]
    return {"--strict", *("--" + one["name"] for one in parameters if one["default"] is False)}


def switched_on(name):
    """Write a keyword that is True as an option. Raises TypeError for one that takes a value."""
    option = option_of(name)
    if option not in _switches():
        near = difflib.get_close_matches(name, [known[2:].replace("-", "_") for known in _switches()], 1, cutoff=0.75)
        begin = f"did you mean {near[0]!r}? " if near else ""
        raise TypeError(f"{name} needs a value, and not True; {begin}True is for {', '.join(sorted(_switches()))}")
    return option


def words_of(options):
    """Write keywords as the words of a command line; None and False are left out.

    Raises TypeError where True stands for a value: the next word would be taken for it.
    """
    words = []
    for name, value in options.items():
        option = option_of(name)
        if value is None or value is False:
            continue
        words.append(switched_on(name) if value is True else f"{option}={text_of(value)}")
    return words


def counts_of(entry):
    """Make counts of an object of figures, among others; those that it leaves out are 0."""
    known = Counts().as_dict()
    return Counts(**{name: value for name, value in entry.items() if name in known})


def with_measured(claim, counts, figures):
    """Add to a claim what was measured."""
    figure = claim["figure"]
    measured = claim.get("measured", figures.get(figure, counts.get(figure)))
    return {**claim, "measured": measured}


def algorithms():
    """List the library's algorithms, each a dict.

    Its keys are name, summary, topologies, source, example (a network), explanation, variants (dicts of
    explanation and reasons: the texts of other runs; with networks, of runs on networks of these kinds; with parameter and
    values, of those by other schemes; with phase, of those that have one), and parameters: dicts of name, help, default and, where there are any, least and most, or names.
    """
    return json.loads(_lockstep._answer(["list", "--json"]).json)["algorithms"]


def run(algorithm, on, **options):
    """Run an algorithm of the library on a network, and check its result.

    Parameters of the algorithm are keywords, as `algorithms()` names them, with underscores for dashes:
    `run("all-to-all", on="torus:12x12", words=2)`. So are the options of `lockstep run`: model, ports, strict,
    engine, workers, stacks, seed, values, input, output, trace, sharing, in_port.

    Raises UsageError, with the line of the command line, for a name, parameter or file that it does not take,
    InvalidTopology or InvalidArgument for a network or machine that it cannot run on, and the errors of the
    machine; TypeError for True where an option needs a value. A wrong result is not an error: `correct` is False.
    """
    if callable(algorithm):
        raise TypeError("run takes the name of an algorithm; machine(on).run(program) runs a program of your own")
    if isinstance(on, _lockstep.Network):
        raise TypeError('algorithms of the library take a network as a text, for example on="graph:0-1,1-2,2-0"')
    answer = _lockstep._answer(["run", str(algorithm), "--json", *words_of({"on": on, **options})])
    made = _lockstep._run_of(answer)
    return AlgorithmRun(json.loads(answer.json), answer.text, answer.is_right, made, {"on": on, **options})


class AlgorithmRun:
    """A run of an algorithm of the library: its counts beside what is claimed of them."""

    def __init__(self, entry, text="", all_right=True, run=None, options=None):
        self._entry = entry
        self._text = text
        self._run = run  # the machine's
        self._options = options or {}
        #: Whether the result is right, all bounds hold, and no claim fails that ought to hold.
        self.all_right = all_right

    @property
    def algorithm(self):
        """The algorithm's name."""
        return self._entry["algorithm"]

    @property
    def network(self):
        """The network, such as "torus:12x12"."""
        return self._entry["topology"]

    @property
    def size(self):
        """How many processors there are."""
        return self._entry["processors"]

    @property
    def parameters(self):
        """The values of all parameters of the algorithm, and the seed."""
        return dict(self._entry["parameters"])

    @property
    def correct(self):
        """Whether the result matches a sequential computation; None where there is none to compare with."""
        return self._entry["correct"]

    @property
    def counts(self):
        """The counts of the run, to compare with `takes(...)`."""
        return counts_of(self._entry["counts"]) if self._run is None else self._run.counts

    @property
    def phases(self):
        """The name and counts of each phase, in order."""
        return [(phase["name"], counts_of(phase)) for phase in self._entry["phases"]]

    @property
    def figures(self):
        """What the algorithm measures besides, by name."""
        return dict(self._entry["figures"])

    @property
    def claims(self):
        """A dict for each claim of a paper, or of lockstep.

        Its keys are figure, formula, value, relation, measured, holds, verdict, source, where (a list of dicts of
        text and met) and, where there are any, reason, erratum, constant, tau.
        """
        counts = self.counts.as_dict()
        return [with_measured(claim, counts, self._entry["figures"]) for claim in self._entry["claims"]]

    @property
    def bounds(self):
        """A dict for each lower bound, which holds for every program: figure, formula, value, source."""
        return [dict(bound) for bound in self._entry["bounds"]]

    @property
    def priced(self):
        """The time by the model that was given, a dict: model, value, unit; None without a model."""
        return self._entry.get("time")

    def time(self, model=None, **parameters):
        """Price the run by a cost model, or give its time by the model that it was run with.

        The models are those of `models()`, which price counts. A clock, such as "loggp-clock", needs the messages,
        too: give it to `run(..., model=...)`, and call this without a model.
        """
        if model is not None:
            return self.counts.time(self.size, model, **parameters)
        if self.priced is None:
            raise TypeError('there is a time with a cost model: time("paragon"), or run(..., model="paragon")')
        return self.priced["value"]

    @property
    def makespan(self):
        """The steps until the last processor is done."""
        return self._entry.get("makespan", self._entry["counts"]["rounds"])

    @property
    def span(self):
        """The operations on the longest path through work and messages."""
        return self._entry.get("span", 0)

    @property
    def labels(self):
        """A dict for each label: its name and figures."""
        return [dict(label) for label in self._entry.get("labels", [])]

    @property
    def steps(self):
        """A dict for each step, of its figures."""
        return self._run.steps

    @property
    def processors(self):
        """A dict for each processor: words sent and received, operations."""
        return self._run.processors

    @property
    def choices(self):
        """The calls of receive_any in which the order of messages was a choice."""
        return self._run.choices

    def view(self, file=None, title="", height=640):
        """Show the run step by step, as `lockstep view` does. The algorithm runs again for it.

        With a file: write it there as a page for a browser. Without: give a page that a notebook shows below the
        cell, `height` pixels high.
        """
        with tempfile.TemporaryDirectory(prefix="lockstep-") as folder:
            page = pathlib.Path(folder) / "run.html" if file is None else file
            self._again(trace=page)
            return Page(page.read_text(encoding="utf-8"), title, height) if file is None else None

    def timeline(self, model, *, sharing=False, in_port=True, **parameters):
        """Give the times of the run by a clock of `clocks()`, with its parameters by name.

        The algorithm runs again for it. `sharing`: messages that share a link take turns. `in_port=False`: messages
        may come in at the same time.
        """
        settings = ",".join(f"{name}={value}" for name, value in parameters.items())
        clock = model if not settings else f"{model}{',' if ':' in model else ':'}{settings}"
        again = self._again(model=clock, sharing="links" if sharing else "none", in_port="one" if in_port else "free")
        return timeline(again._run, clock, sharing=sharing, in_port=in_port)

    def _again(self, **options):
        """Run the algorithm again with other options of the machine's, and the same input."""
        kept = {name: value for name, value in self._options.items() if name not in ("trace", "output", "model")}
        return run(self.algorithm, **{**kept, **options})

    def plot(self, axes=None):
        """Draw words, volume and contention by step: three axes of matplotlib, or those given."""
        return plot_steps(self.steps, axes)

    def __eq__(self, other):
        """Compare with `takes(...)`; with another run, whether it is the same object."""
        return self.counts == other if isinstance(other, Expectation) else self is other

    __hash__ = object.__hash__

    def as_dict(self):
        """Give all of it as `lockstep run --json` prints it."""
        return json.loads(json.dumps(self._entry))

    def table(self):
        """Give the tables that `lockstep run` prints."""
        return self._text

    def __repr__(self):
        counts = self._entry["counts"]
        figures = ", ".join(f"{name} {counts[name]}" for name in ("steps", "startups", "words", "volume", "hops"))
        wrong = "" if self.all_right else ", NOT all right"
        return f"<{self.algorithm} on {self.network}: {figures}{wrong}>"

    def __str__(self):
        return self._text or repr(self)

    def _repr_html_(self):
        claims = self.claims
        rows = []
        claimed = {claim["figure"]: claim["measured"] for claim in claims}
        for figure, value in {**self._entry["counts"], **self._entry["figures"], **claimed}.items():
            of_figure = [claim for claim in claims if claim["figure"] == figure]
            if not value and not of_figure:
                continue
            cells = [figure, _shown(value)]
            for claim in of_figure or [None]:
                rows.append(_html_row(cells + _cells_of(claim)))
                cells = ["", ""]
        correct = {True: "correct", False: "WRONG", None: "not checked"}[self.correct]
        caption = escape(f"{self.algorithm} on {self.network}: {correct}")
        head = "".join(f"<th>{name}</th>" for name in ("figure", "measured", "claimed", "formula", "source", "verdict"))
        return f"<table><caption>{caption}</caption><tr>{head}</tr>{''.join(rows)}</table>"


def _shown(value):
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)


def _cells_of(claim):
    if claim is None:
        return ["", "", "", ""]
    value = f"{claim['relation']} {_shown(claim['value'])}"
    return [value, claim["formula"], claim["source"], "WRONG" if claim.get("wrong") else claim["verdict"]]


def _html_row(cells):
    return "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in cells) + "</tr>"
