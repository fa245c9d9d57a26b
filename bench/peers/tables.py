"""Tables of results, in Markdown: ratios of times, and memory."""

import math
import statistics

from rivals import RIVALS

PER_STEP = ("ring", "prefix", "barrier")


def key_of(row):
    """What is compared with each other."""
    return row["workload"], row["words"], row["processors"]


def steps_of(workload, processors):
    """Steps of a round; an exchange and a sort are one piece of work."""
    return processors.bit_length() - 1 if workload == "prefix" else 1


def nanoseconds(row):
    """The median time of a processor-step, or of a whole exchange or sort; None if there is none."""
    if not row["seconds"]:
        return None
    seconds = statistics.median(row["seconds"]) / row["rounds"]
    if row["workload"] not in PER_STEP:
        return seconds * 1e9
    return seconds * 1e9 / row["processors"] / steps_of(row["workload"], row["processors"])


def digits(value, count=2):
    """As many digits that count, as people write them: 0.85, 3.1, 12, 3,400."""
    decimals = max(0, count - 1 - math.floor(math.log10(value))) if value > 0 else 0
    return f"{float(f'{value:.{count}g}'):,.{decimals}f}"


def time_text(row):
    """A time with its unit; without one why, or a dash where a smaller machine says why."""
    time = nanoseconds(row)
    if time is None:
        is_said = " from " not in row["note"] and not row["note"].startswith("not above")
        return row["note"] if is_said else "–"
    if row["workload"] in PER_STEP:
        return f"{digits(time, 3)} ns"
    return f"{digits(time / 1e6, 3)} ms" if time < 1e9 else f"{digits(time / 1e9, 3)} s"


def work_text(workload, words, processors):
    if workload in ("exchange", "all-to-all"):
        side = round(processors**0.5)
        return f"{workload}, {side}x{side}"
    size = {"ring": f", {words:,} words" if words > 1 else ", 1 word", "radix": f", {words:,} keys each"}
    return f"{workload}{size.get(workload, '')}, p = {processors:,}"


def columns_of(rows):
    present = {row["rival"] for row in rows}
    return [rival for rival in RIVALS if rival.name in present]


def table(rows, first, cell):
    """A table with a line for each piece of work, in the order of `rows`, and a column for each rival."""
    columns = columns_of(rows)
    lines = [
        "| " + " | ".join([first, *(rival.title for rival in columns)]) + " |",
        "|" + "---|" * (1 + len(columns)),
    ]
    for key in dict.fromkeys(key_of(row) for row in rows):
        of_rival = {row["rival"]: row for row in rows if key_of(row) == key}
        cells = [cell(of_rival.get(rival.name), of_rival) for rival in columns]
        lines.append("| " + " | ".join([work_text(*key), *cells]) + " |")
    return "\n".join(lines)


def ratio_cell(row, of_rival):
    """How many times as long as lockstep; lockstep's own time, or why there is none."""
    if row is None:
        return ""
    base = of_rival.get("lockstep")
    if row["rival"] == "lockstep" or nanoseconds(row) is None or base is None:
        return time_text(row)
    return digits(nanoseconds(row) / nanoseconds(base)) if nanoseconds(base) else time_text(row)


def memory_cell(row, _of_rival):
    if row is None or not row["bytes"]:
        return ""
    return f"{digits(row['bytes'] / row['processors'] / 1024)} KiB"


def ratio_table(rows):
    return table(rows, "times lockstep's", ratio_cell)


def memory_table(rows):
    return table(rows, "bytes a processor", memory_cell)
