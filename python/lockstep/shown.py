"""Tables and pages of a notebook."""

import numbers
import pathlib
import tempfile
from html import escape

from .arguments import written


class Page:
    """The page of a run, which a notebook shows below its cell, in a frame.

    The frame has what it shows in itself and needs no network; its scripts reach nothing of the notebook.
    """

    def __init__(self, html, title="", height=640):
        self.html = html  #: the whole page, as `view(file)` writes it
        self.title = title
        self.height = height

    def _repr_html_(self):
        return (
            f'<iframe title="{escape(self.title or "The run, step by step")}" sandbox="allow-scripts" '
            f'style="width: 100%; height: {self.height}px; border: 0" srcdoc="{escape(self.html)}"></iframe>'
        )

    def __repr__(self):
        return f"<page of {len(self.html):,} characters; in a notebook it is shown, and view(file) writes it>"


def view(run, file=None, title="", height=640):
    """Show the run step by step, and the program's source.

    With a file: write it there as a page for a browser. Without: give a page that a notebook shows below the cell,
    `height` pixels high. All of a run is shown on a machine with `recorded=True`.
    """
    if file is not None:
        return run._view(file, title)
    if not isinstance(height, numbers.Real):
        raise TypeError(f"view: height is a number of pixels, and not {written(height)}")
    with tempfile.TemporaryDirectory(prefix="lockstep-") as folder:
        page = pathlib.Path(folder) / "run.html"
        run._view(page, title)
        return Page(page.read_text(encoding="utf-8"), title, height)


def html_table(title, columns, rows):
    """Write dicts as a table in HTML, with these of their keys as columns."""
    head = "".join(f"<th>{escape(name)}</th>" for name in columns)
    lines = []
    for row in rows:
        cells = ("" if row.get(name) is None else str(row[name]) for name in columns)
        lines.append("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in cells) + "</tr>")
    return f"<table><caption>{escape(title)}</caption><tr>{head}</tr>{''.join(lines)}</table>"
