"""The picture: time of a processor-step against p, both logarithmic, a line for each rival."""

import math
from xml.sax.saxutils import escape

from tables import columns_of, nanoseconds

WIDTH, HEIGHT = 810, 440
LEFT, RIGHT, TOP, BOTTOM = 84, 176, 52, 52
COLOURS = {
    "lockstep": "#c8401a",
    "lockstep-threads": "#e39a7f",
    "boost-fiber": "#3a5f9e",
    "threads": "#3b8f6a",
    "actors": "#8a5ba6",
    "smpi": "#b08a1e",
    "openmpi": "#5c6b73",
    "mpich": "#a3aab0",
}
STYLE = """text { font: 14px sans-serif; fill: #222 }
.small { font-size: 12px; fill: #555; paint-order: stroke; stroke: #fff; stroke-width: 4 }
.title { font-weight: bold }
.grid { stroke: #e3e3e3; stroke-width: 1 }
.line { fill: none; stroke-width: 2 }"""


class Axes:
    """Where a number of processors and a time lie in the picture."""

    def __init__(self, processors, times):
        self.first, self.last = math.log(min(processors)), math.log(max(processors))
        self.low = math.floor(math.log10(min(times)))
        self.high = math.ceil(math.log10(max(times)))

    def x(self, processors):
        share = (math.log(processors) - self.first) / max(self.last - self.first, 1e-9)
        return LEFT + share * (WIDTH - LEFT - RIGHT)

    def y(self, time):
        share = (math.log10(time) - self.low) / max(self.high - self.low, 1)
        return HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM)


def text(x, y, what, kind="small", anchor="start", colour=""):
    fill = f' style="fill: {colour}"' if colour else ""
    return f'<text x="{x:.0f}" y="{y:.0f}" class="{kind}" text-anchor="{anchor}"{fill}>{escape(what)}</text>'


def time_label(exponent):
    """10^exponent nanoseconds, in the unit that people use."""
    unit = ["ns", "µs", "ms", "s"][min(exponent // 3, 3)]
    return f"{10 ** (exponent - 3 * min(exponent // 3, 3)):g} {unit}"


def grid(axes, processors):
    parts = []
    for exponent in range(axes.low, axes.high + 1):
        y = axes.y(10**exponent)
        parts.append(f'<line x1="{LEFT}" y1="{y:.0f}" x2="{WIDTH - RIGHT}" y2="{y:.0f}" class="grid"/>')
        parts.append(text(LEFT - 8, y + 4, time_label(exponent), anchor="end"))
    for p in processors:
        x = axes.x(p)
        parts.append(f'<line x1="{x:.0f}" y1="{TOP}" x2="{x:.0f}" y2="{HEIGHT - BOTTOM}" class="grid"/>')
        parts.append(text(x, HEIGHT - BOTTOM + 18, f"{p:,}", anchor="middle"))
    return parts


def apart(labels, least):
    """Moves labels (x, y, text, colour) that stand at one x apart, keeping their order and their middle."""
    placed = []
    for x in sorted({label[0] for label in labels}):
        column = sorted((label for label in labels if label[0] == x), key=lambda label: label[1])
        ys = []
        for _, y, *_ in column:
            ys.append(max(y, ys[-1] + least) if ys else y)
        moved = sum(y - label[1] for y, label in zip(ys, column)) / len(column)
        placed += [(x, y - moved, *label[2:]) for y, label in zip(ys, column)]
    return placed


def picture(rows, title, unit):
    """The SVG text of all rows, which have one workload."""
    points = {
        rival.name: [
            (row["processors"], nanoseconds(row))
            for row in rows
            if row["rival"] == rival.name and nanoseconds(row) is not None
        ]
        for rival in columns_of(rows)
    }
    every = [point for line in points.values() for point in line]
    processors = sorted({p for p, _ in every})
    axes = Axes(processors, [time for _, time in every])
    parts = grid(axes, processors)
    labels = []
    for rival in columns_of(rows):
        line, colour = sorted(points[rival.name]), COLOURS.get(rival.name, "#222")
        if not line:
            continue
        at = [(axes.x(p), axes.y(time)) for p, time in line]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in at)
        parts.append(f'<polyline points="{path}" class="line" stroke="{colour}"/>')
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in at]
        labels.append((*at[-1], rival.title, colour))
    for x, y, name, colour in apart(labels, 16):
        parts.append(text(x + 8, y + 4, name, colour=colour))
    parts.append(text(LEFT, 24, title, kind="title"))
    parts.append(text(LEFT, 42, unit))
    parts.append(text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 12, "processors", anchor="middle"))
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" '
            f'viewBox="0 0 {WIDTH} {HEIGHT}" role="img">',
            f"<title>{escape(title)}</title>",
            f"<style>\n{STYLE}\n</style>",
            '<rect width="100%" height="100%" fill="#fff"/>',
            *parts,
            "</svg>\n",
        ]
    )
