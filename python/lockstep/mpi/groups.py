"""Groups: lists of processes, from which communicators are made."""

from .. import errors
from .world import PROC_NULL, UNDEFINED, failed, here, whole_number

IDENT, CONGRUENT, SIMILAR, UNEQUAL = range(4)


class Group:
    """Processes in an order: the place of each is its rank."""

    def __init__(self, ranks=()):
        self._ranks = tuple(ranks)  #: of COMM_WORLD

    @property
    def size(self):
        """How many processes there are."""
        return len(self._ranks)

    @property
    def rank(self):
        """The place of this process; UNDEFINED where it is none of them."""
        world_rank = here().rank
        return self._ranks.index(world_rank) if world_rank in self._ranks else UNDEFINED

    def Get_size(self):
        """Give how many processes there are."""
        return self.size

    def Get_rank(self):
        """Give the place of this process; UNDEFINED where it is none of them."""
        return self.rank

    def Free(self):
        """Do nothing."""

    def Dup(self):
        """Make the same group."""
        return Group(self._ranks)

    def Incl(self, ranks):
        """Make the group of these, in their order."""
        return Group(self._ranks[one] for one in self._places("Incl", ranks))

    def Excl(self, ranks):
        """Make the group of all others, in the order that they have."""
        left_out = set(self._places("Excl", ranks))
        return Group(one for place, one in enumerate(self._ranks) if place not in left_out)

    def Range_incl(self, ranks):
        """Make the group of ranges: (first, last, stride), of which the last may be the end."""
        return self.Incl(_in_ranges("Range_incl", ranks))

    def Range_excl(self, ranks):
        """Make the group of all that are in none of these ranges."""
        return self.Excl(_in_ranges("Range_excl", ranks))

    @staticmethod
    def Union(group1, group2):
        """Make the group of the first's processes, and then those of the second's that it has not."""
        return Group([*group1._ranks, *(one for one in group2._ranks if one not in group1._ranks)])

    @staticmethod
    def Intersection(group1, group2):
        """Make the group of the first's processes that are the second's, too."""
        return Group(one for one in group1._ranks if one in group2._ranks)

    Intersect = Intersection

    @staticmethod
    def Difference(group1, group2):
        """Make the group of the first's processes that are not the second's."""
        return Group(one for one in group1._ranks if one not in group2._ranks)

    @staticmethod
    def Translate_ranks(group1, ranks1, group2=None):
        """Give the ranks in the second group of ranks in the first; UNDEFINED for those that it has not.

        Without a second group: in COMM_WORLD.
        """
        ranks1 = [whole_number("Translate_ranks", "a rank", one, errors.InvalidRank) for one in ranks1]
        group1._places("Translate_ranks", [one for one in ranks1 if one != PROC_NULL])
        places = {one: one for one in range(here().everybody.size)}
        if group2 is not None:
            places = {one: place for place, one in enumerate(group2._ranks)}
        return [one if one == PROC_NULL else places.get(group1._ranks[one], UNDEFINED) for one in ranks1]

    @staticmethod
    def Compare(group1, group2):
        """Tell whether groups are IDENT, SIMILAR (in another order) or UNEQUAL."""
        if group1._ranks == group2._ranks:
            return IDENT
        return SIMILAR if sorted(group1._ranks) == sorted(group2._ranks) else UNEQUAL

    def _places(self, call, ranks):
        ranks = [whole_number(call, "a rank", one, errors.InvalidRank) for one in ranks]
        for one in ranks:
            if not 0 <= one < self.size:
                ends = f"ranks are 0 to {self.size - 1}" if self.size else "the group is empty"
                raise failed(errors.InvalidRank, f"{call}: there is no rank {one}; {ends}")
        if call in ("Incl", "Excl") and len(set(ranks)) != len(ranks):
            raise failed(errors.InvalidRank, f"{call}: a rank is named twice in {ranks}")
        return ranks

    def __eq__(self, other):
        return self._ranks == other._ranks if isinstance(other, Group) else NotImplemented

    def __hash__(self):
        return hash(self._ranks)

    def __repr__(self):
        return f"<group of {self.size} processes>"


def world_ranks(group):
    """Give the ranks in COMM_WORLD of a group's processes."""
    return group._ranks


def _in_ranges(call, ranges):
    listed = []
    for given in ranges:
        first, last, stride = (whole_number(call, "a range", one) for one in given)
        if stride == 0:
            raise failed(errors.InvalidArgument, f"{call}: the stride of a range is not 0")
        listed += range(first, last + (1 if stride > 0 else -1), stride)
    return listed


GROUP_EMPTY = Group()
