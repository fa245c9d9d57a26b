"""Networks of your own, by their links."""

from . import _lockstep


def graph(links, processors=None, *, one_way=False, name="graph", places=None):
    """Make a network of links between processors: `graph([(0, 1), (1, 2)])`.

    `links`: pairs of ranks; a dict of each rank's neighbours; or anything with `edges()`, such as a graph of networkx,
    whose nodes are ranks. Each link goes both ways, unless `one_way` says otherwise.
    `processors`: how many there are, 1 more than the largest rank unless it is given.
    `places`: a pair x, y for each processor, where it stands in pictures.

    Messages go a shortest way, to the lowest-numbered processor where there are several. Raises InvalidTopology for
    links that cannot be.
    """
    if hasattr(links, "edges"):
        if processors is None:
            processors = len(links)
        one_way = one_way or (hasattr(links, "is_directed") and links.is_directed())
        links = links.edges() if callable(links.edges) else links.edges
    if isinstance(links, dict):
        if processors is None and links:
            processors = 1 + max(max([rank, *others]) for rank, others in links.items())
        pairs = [(rank, other) for rank, others in links.items() for other in others]
    else:
        pairs = [(int(first), int(second)) for first, second in links]
    if not one_way:
        pairs = list(dict.fromkeys([*pairs, *((second, first) for first, second in pairs)]))
    if processors is None:
        processors = 1 + max((max(pair) for pair in pairs), default=0)
    return _lockstep._graph(processors, pairs, name, places)
