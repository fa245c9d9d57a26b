"""Exact costs of programs on distributed-memory machines.

    import lockstep

    def total(me):
        s = me.rank
        for d in range(10):
            s += me.exchange(me.rank ^ (1 << d), s)
        return s

    run = lockstep.machine("hypercube:10").run(total)
    run.results[0], run.counts.steps, run.time("paragon")
"""

from typing import NamedTuple

from . import _lockstep, errors, mpi
from .arguments import explain, explained
from ._lockstep import Counts, Expectation, Memory, Network, Processor, Run, clocks, machine, models, networks, takes
from .counted_numbers import Operations, counted
from .errors import *  # noqa: F403
from .errors import Error
from .library import AlgorithmRun, algorithms, run
from .own_networks import graph
from .papers import Paper, PaperFigure, PaperTable, figure, figures, missing_statements, paper, papers
from .pipelined import Pipelined
from .plots import plot_steps
from .shown import Page, html_table, view
from .sweeps import Sweep, sweep
from .tagged import Tagged
from .times import Timeline, time, timeline
from .window import Window


class along(NamedTuple):
    """A way on a torus or mesh: `offset` links along a dimension, in the direction of its sign."""

    dimension: int
    offset: int


def _pipelined(me):
    """Run the rounds in a block with one start-up: `with me.pipelined():`, in async def `async with`.

    All members of the machine or subset enter it; it does not nest.
    """
    return Pipelined(me)


def _tagged(me, number):
    """Tag the messages sent and received in a block: `with me.tagged(number):`, in async def `async with`.

    A receive takes the oldest message with its own tag, 0 to 254; 0 have those without one.
    """
    return Tagged(me, number)


def _window(me, memory):
    """Give memory to the one-sided rounds of all members: an array of numpy, an array.array or a bytearray.

    What it gives has read, write and sync. Never awaited itself.
    """
    return Window(me, memory)


def _plot(run, axes=None):
    """Draw words, volume and contention of the run by step: three axes of matplotlib, or those given."""
    return plot_steps(run.steps, axes)


for name, function in {"pipelined": _pipelined, "tagged": _tagged, "window": _window}.items():
    function.__name__, function.__qualname__ = name, f"Processor.{name}"
    setattr(Processor, name, function)
_plot.__name__, _plot.__qualname__ = "plot", "Run.plot"
Run.plot = _plot
del function, name
Run.view = view
Run.time = time
Run.timeline = timeline
del time, timeline, view
Run._repr_html_ = lambda run: _html(run)
Counts._repr_html_ = lambda counts: _html_of_counts(counts)
Run.__repr__ = lambda run: _text(run)


for owner in AlgorithmRun, Counts, Expectation, Network, Page, Paper, PaperFigure, Run, Sweep, Timeline:
    explain(owner)
explain(machine, but=("run",))  # which says so itself
for function in algorithms, clocks, figure, figures, graph, missing_statements, models, networks, paper, papers, run, sweep:
    globals()[function.__name__] = explained(function)
takes = explained(takes)
for function in algorithms, clocks, figure, figures, graph, missing_statements, models, networks, paper, papers, run, sweep, takes:
    function.__module__, function.__qualname__ = "lockstep", function.__name__  # by which they are pickled
del function, owner


def _text(run):
    pickled = f", {run.pickled} messages pickled" if run.pickled else ""
    counts = run.counts
    return (
        f"<run on {run.network}: steps {counts.steps}, startups {counts.startups}, "
        f"words {counts.words}, volume {counts.volume}, hops {counts.hops}{pickled}>"
    )


def _html(run):
    rows = [{"figure": name, "count": f"{value:,}"} for name, value in run._rows() if value]
    if run.pickled:
        rows.append({"figure": "messages pickled", "count": f"{run.pickled:,}"})
    return html_table(f"{run.network}, {run.size:,} processors", ["figure", "count"], rows)


def _html_of_counts(counts):
    rows = [{"figure": name, "count": f"{value:,}"} for name, value in counts.as_dict().items() if value]
    return html_table("counts", ["figure", "count"], rows)


__all__ = [
    "AlgorithmRun",
    "Counts",
    "Expectation",
    "Memory",
    "Network",
    "Operations",
    "Page",
    "Paper",
    "PaperFigure",
    "PaperTable",
    "Pipelined",
    "Processor",
    "Run",
    "Sweep",
    "Tagged",
    "Timeline",
    "Window",
    "algorithms",
    "along",
    "clocks",
    "counted",
    "figure",
    "figures",
    "graph",
    "machine",
    "missing_statements",
    "models",
    "mpi",
    "networks",
    "paper",
    "papers",
    "run",
    "sweep",
    "takes",
    *(name for name, item in vars(errors).items() if isinstance(item, type) and issubclass(item, Error)),
]
