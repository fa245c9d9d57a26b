"""Wrong calls, each of which mypy finds, as the comment says."""

import lockstep
from lockstep.mpi import COMM_WORLD as comm
from lockstep.mpi import MPI


def program(me: lockstep.Processor) -> None:
    me.send("everybody", 1)  # arg-type
    me.send(1)  # call-arg
    me.receive()  # call-arg
    me.receive(0, words="all")  # arg-type
    me.exchange(1, 2, source="left")  # arg-type
    me.excange(1, 2)  # attr-defined
    me.shift(1, 2)  # arg-type
    me.shift(lockstep.along("x", 1), 2)  # arg-type
    me.idle("long")  # arg-type
    me.phase(3)  # arg-type
    me.work(0.5)  # arg-type
    me.all_reduce(1, "plus")  # arg-type
    me.broadcast(1, root=None)  # arg-type
    me.row(1)  # call-arg
    me.rank()  # operator
    me.rank = 3  # misc
    me.memory(1).word  # attr-defined
    with me:  # attr-defined
        pass


lockstep.machine(8)  # arg-type
lockstep.machine("ring:8", "all")  # misc
lockstep.machine("ring:8", ports="two")  # arg-type
lockstep.machine("ring:8", port="one")  # call-arg
lockstep.machine("ring:8", workers=2)  # call-arg
lockstep.machine("ring:8").run(3)  # arg-type
lockstep.machin("ring:8")  # attr-defined
run = lockstep.machine("ring:8").run(program)
run.results()  # operator
run.counts.step  # attr-defined
run.counts["steps"]  # index
run.time()  # call-arg
run.view(3)  # call-overload
lockstep.takes(12)  # call-arg
lockstep.takes(steps="12")  # arg-type
lockstep.takes(steps=1).check(1)  # arg-type
lockstep.run("all-to-all")  # call-arg
lockstep.run("all-to-all", on=["torus:4x4"])  # arg-type
lockstep.run("all-to-all", on="torus:4x4", ports="two")  # arg-type
lockstep.sweep("all-reduce")  # call-arg
lockstep.paper("suh-shin", "16")  # arg-type
lockstep.graph([(0, 1)], 2, True)  # misc
comm.send(1)  # call-arg
comm.send(1, dest="0")  # arg-type
comm.recv(source="0")  # arg-type
comm.bcast(1, root="0")  # arg-type
comm.allreduce(1, op="+")  # arg-type
comm.Sendd([1], dest=0)  # attr-defined
comm.isend(1, dest=0).wate()  # attr-defined
MPI.Request.waitall(3)  # arg-type
lockstep.mpi.run(lambda: 1, n="4")  # arg-type
