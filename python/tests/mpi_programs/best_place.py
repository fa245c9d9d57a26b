"""Which process has the smallest value of a function, and where? All learn of it, and the root's settings."""
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.Get_rank(), comm.Get_size()

settings = {"from": -3.0, "to": 5.0, "points": 400} if rank == 2 else None
settings = comm.bcast(settings, root=2)
width = (settings["to"] - settings["from"]) / settings["points"]
mine = range(rank * settings["points"] // size, (rank + 1) * settings["points"] // size)
points = [settings["from"] + i * width for i in mine]
least = min((x - 1.25) ** 2 + 0.5 for x in points)
value, owner = comm.allreduce((least, rank), op=MPI.MINLOC)
where = None
if rank == owner:
    where = min(points, key=lambda x: (x - 1.25) ** 2)
where = comm.bcast(where, root=owner)
anything_low = comm.allreduce(least < 1.0, op=MPI.LOR)
all_low = comm.allreduce(least < 1.0, op=MPI.LAND)
if rank == 0:
    print("%.4f at %.2f by %d" % (value, where, owner), anything_low, all_low)
