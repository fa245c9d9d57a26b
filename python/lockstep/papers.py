"""Tables and figures of papers, each value beside what was measured: what `lockstep paper` and `figure` show."""

import json
from html import escape

from . import _lockstep
from .library import words_of
from .plots import curves, groups_of, pyplot
from .shown import html_table


def papers():
    """List the papers, each a dict: name and source."""
    return _lockstep._papers()


def paper(name, processors=None):
    """Run what can be run of a paper's tables, on networks of up to that many processors, and compare.

    Without `processors` all networks of the tables are run, which takes minutes for some papers.
    Raises UsageError for a name that there is not, or where no network is left.
    """
    answer = _lockstep._answer(["paper", str(name), "--json", *words_of({"processors": processors})])
    return Paper(json.loads(answer.json))


def missing_statements(name):
    """List a paper's statements that nothing runs, each a dict: place, statement, kind and why."""
    return json.loads(_lockstep._answer(["paper", str(name), "--missing", "--json"]).json)["missing"]


def figures():
    """List the papers' figures, each a dict: name, summary, and sizes, of the networks that it shows."""
    return _lockstep._figures()


def figure(name, up_to=None):
    """Draw a paper's figure from what is counted, on networks of sizes up to that."""
    answer = _lockstep._answer(["figure", str(name), *words_of({"up_to": up_to})])
    return PaperFigure(json.loads(answer.json))


class Paper(list):
    """The tables of a paper, a list of PaperTable."""

    def __init__(self, entry):
        super().__init__(PaperTable(table) for table in entry["tables"])
        self.name = entry["paper"]
        self.source = entry["source"]
        #: Whether every claim that ought to hold does, and every result is correct.
        self.all_right = entry["all_right"]
        #: Figures in text, each a dict: title, text, and as_printed or as_said.
        self.figures = entry.get("figures", [])

    def missing(self):
        """List the paper's statements that nothing runs, each a dict: place, statement, kind and why."""
        return missing_statements(self.name)

    def __repr__(self):
        rows = sum(len(table.rows) for table in self)
        wrong = "" if self.all_right else ", NOT all right"
        return f"<paper {self.name}: {len(self)} tables, {rows} values{wrong}>"

    def _repr_html_(self):
        return f"<p>{escape(self.source)}</p>" + "".join(table._repr_html_() for table in self)


class _Rows:
    """An object that is as long as its rows are many, and gives them one after another."""

    def __len__(self):
        return len(self.rows)

    def __iter__(self):
        return iter(self.rows)


class PaperTable(_Rows):
    """A table of a paper: its title, and rows that pandas takes, one for each value."""

    def __init__(self, entry):
        self.title = entry["title"]
        #: Dicts of network (or input), algorithm, correct, figure, formula, claimed, measured, relation, verdict,
        #: where and, where there are any, instance, least, reason, erratum and so on.
        self.rows = [
            {**{name: value for name, value in row.items() if name != "cells"}, **cell}
            for row in entry["rows"]
            for cell in row["cells"]
        ]

    def __repr__(self):
        return f"<{self.title}: {len(self.rows)} values>"

    def _repr_html_(self):
        columns = ["network", "algorithm", "instance", "figure", "formula", "claimed", "measured", "verdict"]
        shown = [name for name in columns if any(row.get(name) not in (None, "") for row in self.rows)]
        return html_table(self.title, shown, self.rows)


class PaperFigure(_Rows):
    """A figure of a paper: points of its curves, where they cross, and what is said of its shape."""

    def __init__(self, entry):
        self._entry = entry
        self.name = entry["figure"]
        self.title = entry["title"]
        self.note = entry["note"]
        #: Dicts of network and algorithm (or what the curves are), basis, and the values along both axes.
        self.rows = entry["points"]
        #: Dicts of where the first curve of a panel begins to be lower than a rival; None where it never does.
        self.cross_overs = entry["cross_overs"]
        #: Dicts of what is said of the figure's shape: statement, found, verdict.
        self.checks = entry["checks"]
        #: Whether every check that ought to hold does.
        self.all_right = entry["all_right"]

    def plot(self):
        """Draw the figure by matplotlib, its panels side by side, and give matplotlib's figure."""
        of = self._entry
        x, y = of["x"], of["y"]
        panels = groups_of(self.rows, [of["panel"], of["reading"]])
        drawn, axes = pyplot().subplots(1, len(panels), squeeze=False, figsize=(5 * len(panels), 4))
        for (name, rows), axis in zip(panels.items(), axes[0]):
            curves(axis, rows, x["column"], y["column"], [of["curve"]], scales=("log", "log"))
            axis.set_title(name)
            axis.set_xlabel(f"{x['quantity']} ({x['unit']})" if x["unit"] else x["quantity"])
            axis.set_ylabel(f"{y['quantity']} ({y['unit']})" if y["unit"] else y["quantity"])
        drawn.suptitle(self.title)
        return drawn

    def __repr__(self):
        return f"<figure {self.name}: {self.title}, {len(self.rows)} points>"
