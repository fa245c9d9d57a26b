"""Counts words: texts go round, and dicts of different sizes come together."""
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.Get_rank(), comm.Get_size()

TEXT = """the root sends the text to all and all count the words of their lines
a line for each of them
and the last has the rest
the sums come back to the root"""

lines = comm.bcast(TEXT.split("\n") if rank == 0 else None, root=0)
counts = {}
for line in lines[rank::size]:
    for word in line.split():
        counts[word] = counts.get(word, 0) + 1
everything = comm.gather(counts, root=0)
if rank == 0:
    total = {}
    for part in everything:
        for word, number in part.items():
            total[word] = total.get(word, 0) + number
    print(sorted(total.items(), key=lambda item: (-item[1], item[0]))[:6])
