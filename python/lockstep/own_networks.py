"""Networks of your own, by their links."""

from . import _lockstep
from .arguments import explained, written

_made = explained(_lockstep._graph)


def _pair_of(link):
    try:
        first, second = link
        return int(first), int(second)
    except (TypeError, ValueError):
        raise TypeError(f"graph: links are pairs of ranks, and not {written(link)}") from None


def _pairs_of(links):
    if not hasattr(links, "__iter__"):
        raise TypeError(f"graph: links are pairs of ranks, and not {written(links)}")
    return [_pair_of(link) for link in links]


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
    alone = []
    if isinstance(links, dict):
        alone = _pairs_of((rank, rank) for rank in links)
        links = [(rank, other) for rank, others in links.items() for other in others]
    pairs = _pairs_of(links)
    if not one_way:
        pairs = list(dict.fromkeys([*pairs, *((second, first) for first, second in pairs)]))
    if processors is None:
        processors = 1 + max((max(pair) for pair in pairs + alone), default=0)
    return _made(processors, pairs, name, places)
