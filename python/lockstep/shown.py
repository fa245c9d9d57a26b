"""Tables of a notebook."""

from html import escape


def html_table(title, columns, rows):
    """Write dicts as a table in HTML, with these of their keys as columns."""
    head = "".join(f"<th>{escape(name)}</th>" for name in columns)
    lines = []
    for row in rows:
        cells = ("" if row.get(name) is None else str(row[name]) for name in columns)
        lines.append("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in cells) + "</tr>")
    return f"<table><caption>{escape(title)}</caption><tr>{head}</tr>{''.join(lines)}</table>"
