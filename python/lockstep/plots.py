"""Curves by matplotlib, where it is installed."""


def pyplot():
    """Import matplotlib's pyplot. Raises ImportError, which says what to install."""
    try:
        import matplotlib.pyplot
    except ImportError as missing:
        raise ImportError("plot() needs matplotlib: install it (Debian: python3-matplotlib)") from missing
    return matplotlib.pyplot


def plot_steps(steps, axes=None):
    """Draw words, volume and contention of the steps of a run, each by step: three axes below one another."""
    if axes is None:
        _, axes = pyplot().subplots(3, 1, sharex=True, layout="constrained")
    at = [step["step"] for step in steps]
    for axis, (figure, label) in zip(
        axes, [("words", "words"), ("volume", "volume (words)"), ("contention", "contention")], strict=True
    ):
        axis.step(at, [step[figure] for step in steps], where="mid", marker=".")
        axis.set_ylabel(label)
        axis.set_ylim(bottom=0)
    axes[-1].set_xlabel("step")
    return axes


def groups_of(rows, names):
    """Sort rows by their values under these names: a dict of lists, in the order in which values first come."""
    groups = {}
    for row in rows:
        values = [str(row[name]) for name in names if row.get(name) not in (None, "")]
        groups.setdefault(", ".join(values), []).append(row)
    return groups


def curves(axis, rows, x, y, names, scales=("linear", "linear")):
    """Draw a curve for each combination of values under `names`, and say which is which."""
    groups = groups_of(rows, names)
    for name, points in groups.items():
        points = [point for point in points if point.get(x) is not None and point.get(y) is not None]
        axis.plot([point[x] for point in points], [point[y] for point in points], marker=".", label=name)
    axis.set_xscale(scales[0])
    axis.set_yscale(scales[1])
    if len(groups) > 1:
        axis.legend()
