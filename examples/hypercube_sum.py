"""A sum on 1,024 processors, and its counts: hypercube_sum.cpp in Python. `make python` builds the package and runs it."""

import lockstep


def total(me):
    s = me.rank
    for dimension in range(10):
        s += me.exchange(me.rank ^ (1 << dimension), s)  # send, then receive
    return s  # this processor's result


run = lockstep.machine("hypercube:10").run(total)
print(f"sum        {run.results[0]}")
print(f"steps      {run.counts.steps}")
print(f"words      {run.counts.words}")
print(f"hops       {run.counts.hops}")
print(f"contention {run.counts.contention}")
print(f"time       {run.time('paragon'):.6g} us on an Intel Paragon")
