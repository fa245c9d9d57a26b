"""Where does each process write its part of a file? Prefix sums of the sizes say so."""
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.Get_rank(), comm.Get_size()

length = 10 * (rank + 1) + rank % 3
end = comm.scan(length, op=MPI.SUM)
begin = comm.exscan(length, op=MPI.SUM)
if rank == 0:
    assert begin is None
    begin = 0
assert end - begin == length
longest = comm.allreduce(length, op=MPI.MAX)
places = comm.gather((begin, end), root=size - 1)
if rank == size - 1:
    print(places, longest)
