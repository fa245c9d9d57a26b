"""Groups, and the communicators that are made of them."""

from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.rank, comm.size


def undefined(one):
    return "undefined" if one == MPI.UNDEFINED else one


def sets():
    world = comm.Get_group()
    even, last = world.Incl(range(0, size, 2)), world.Range_incl([(size - 1, 1, -1)])
    made = {
        "world": world,
        "even": even,
        "odd": world.Excl(range(0, size, 2)),
        "last": last,
        "first": world.Range_excl([(1, size - 1, 1)]),
        "union": MPI.Group.Union(even, last),
        "both": MPI.Group.Intersection(last, even),
        "difference": MPI.Group.Difference(last, even),
        "none": MPI.GROUP_EMPTY,
        "twin": even.Dup(),
    }
    return {
        name: (one.size, one.Get_size(), undefined(one.Get_rank()), undefined(one.rank)) for name, one in made.items()
    }, [MPI.Group.Translate_ranks(one, list(range(one.size)), world) for one in made.values()]


def comparisons():
    world = comm.group
    turned = world.Incl(list(reversed(range(size))))
    names = {MPI.IDENT: "ident", MPI.SIMILAR: "similar", MPI.UNEQUAL: "unequal", MPI.CONGRUENT: "congruent"}
    places = MPI.Group.Translate_ranks(world, [0, size - 1], turned)
    missing = [undefined(one) for one in MPI.Group.Translate_ranks(world, [0, 1], world.Incl([1]))]
    split = comm.Split(0, -rank)
    pairs = [(comm, comm), (comm, comm.Dup()), (comm, split), (comm, MPI.COMM_SELF)]
    compared = [names[MPI.Comm.Compare(one, other)] for one, other in pairs]
    groups = [names[MPI.Group.Compare(world, other)] for other in (world, turned, world.Excl([0]))]
    return places, missing, compared, groups


def communicators():
    world = comm.Get_group()
    some = world.Incl([size - 1, 0, 1])
    part = comm.Create(some)
    got = None
    if part != MPI.COMM_NULL:
        got = part.rank, part.allgather(rank), part.bcast(rank, root=0), part.Get_group().rank
    halves = comm.Create(world.Incl([one for one in range(size) if one % 2 == rank % 2]))
    alone = None
    if rank in (1, 2):
        pair = world.Incl([2, 1])
        two = comm.Create_group(pair)
        again = comm.Create_group(pair, tag=4)
        alone = two.sendrecv(rank, dest=1 - two.rank, source=1 - two.rank), again.allgather(rank), two.rank
    some.Free()
    return got, halves.allreduce(rank), alone


for test in (sets, comparisons, communicators):
    results = comm.gather(test())
    if rank == 0:
        print(test.__name__, *results, sep="\n  ")
