"""The programs that are compared, and how each is called at its best.

What is said here of a setting was measured: the others were slower.
"""

import os
import pathlib
import shutil
from dataclasses import dataclass


@dataclass(frozen=True)
class Rival:
    """A rival: its name on the command line, its title in tables, and the program that it needs."""

    name: str
    title: str
    program: str
    package: str
    workloads: tuple = ("ring", "prefix", "barrier", "exchange")
    launcher: str = ""  # found in PATH, beside the program
    asked_for: bool = False  # runs only if it is named


# Actors, threads and fibers have no all-to-all, and where memory is common a sort needs no messages.
MPI = ("ring", "prefix", "barrier", "exchange", "all-to-all", "radix")

RIVALS = (
    Rival("lockstep", "lockstep", "lockstep", "lockstep", MPI),
    Rival("lockstep-threads", "lockstep, threads", "lockstep", "lockstep", MPI),
    Rival("boost-fiber", "Boost.Fiber", "boost_fiber", "libboost-fiber-dev"),
    Rival("threads", "std::thread", "threads", "lockstep"),
    Rival("actors", "SimGrid actors", "simgrid_actors", "libsimgrid-dev"),
    Rival("smpi", "SimGrid SMPI", "smpi", "libsimgrid-dev", MPI, "smpirun"),
    Rival("openmpi", "Open MPI", "openmpi", "libopenmpi-dev openmpi-bin", MPI, "mpirun.openmpi"),
    Rival("mpich", "MPICH", "mpich", "libmpich-dev mpich", MPI, "mpirun.mpich"),
    Rival("actors-links", "actors, links shared", "simgrid_actors", "libsimgrid-dev", asked_for=True),
    Rival("smpi-links", "SMPI, links shared", "smpi", "libsimgrid-dev", MPI, "smpirun", True),
    Rival("smpi-tree", "SMPI, barrier by a tree", "smpi", "libsimgrid-dev", MPI, "smpirun", True),
)

# A network without links costs SimGrid least: each message takes a fixed time. But in SimGrid 3.32 some
# exchanges with many messages under way end in a false report of a deadlock there, so exchanges and sorts
# have links that nobody shares.
CONSTANT = ["--cfg=network/model:Constant"]
UNSHARED = ["--cfg=network/model:CM02", "--cfg=network/crosstraffic:0"]
STEPS = ("ring", "prefix", "barrier", "deadlock")
SIMGRID = ["--cfg=contexts/factory:raw"]
QUIET = ["--log=root.thresh:critical"]  # but not where it matters what is said
# One mapping of memory for each stack, not two, since Linux gives a process 65,530. It takes more memory.
MANY_ACTORS = ["--cfg=contexts/guard-size:0", "--cfg=contexts/stack-size:16"]
SMPI = [
    "--cfg=smpi/simulate-computation:no",
    "--cfg=smpi/finalization-barrier:off",
    "--cfg=smpi/bcast:binomial_tree",
    "--cfg=smpi/reduce:binomial",
    "--cfg=smpi/alltoallv:pair",
]
DOUBLE_RING, TREE = "--cfg=smpi/barrier:ompi_doublering", "--cfg=smpi/barrier:ompi_tree"

PLATFORM = """<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
{}
</platform>
"""
CLUSTER = (
    '<cluster id="c" prefix="n" suffix="" radical="0-{}" speed="1Gf" bw="1GBps" lat="1us" {}/>'
)


class Commands:
    """Makes the command lines, and the platform files that SimGrid wants."""

    def __init__(self, build, scratch):
        self.programs = pathlib.Path(build) / "bench" / "peers"
        self.scratch = pathlib.Path(scratch)

    def missing(self, rival):
        """Tells what is not found of a rival; nothing if it can run."""
        if not (self.programs / rival.program).exists():
            return f"{rival.program} was not built ({rival.package})"
        if rival.launcher and shutil.which(rival.launcher) is None:
            return f"there is no {rival.launcher} ({rival.package})"
        return ""

    def of(self, rival, workload, processors, rounds, words):
        """The command that runs a workload, and its environment."""
        program = str(self.programs / rival.program)
        request = [workload, str(processors), str(rounds), str(words)]
        environment = dict(os.environ)
        quiet = [] if workload == "deadlock" else QUIET
        if rival.name == "lockstep-threads":
            return [program, *request, "threads"], environment
        if rival.program == "simgrid_actors":
            return [program, *request, *self.simgrid(rival, workload, processors), *quiet], environment
        if rival.program == "smpi":
            platform, *options = self.simgrid(rival, workload, processors)
            barrier = TREE if rival.name == "smpi-tree" else DOUBLE_RING
            return [
                *("smpirun", "-no-privatize", "-np", str(processors)),
                *("-platform", platform, "-hostfile", self.hosts(processors)),
                *(*options, *quiet, *SMPI, barrier, program, *request),
            ], environment
        if rival.program == "openmpi":
            options = "--allow-run-as-root --oversubscribe --bind-to none --mca mpi_yield_when_idle 1"
            memory = "--mca btl self,vader --mca pml ob1"
            return [
                *("mpirun.openmpi", *options.split(), *memory.split()),
                *("-np", str(processors), program, *request),
            ], environment
        if rival.program == "mpich":
            return [
                *("mpirun.mpich", "-bind-to", "none", "-np", str(processors)),
                *(program, *request),
            ], environment | {"MPIR_CVAR_POLLS_BEFORE_YIELD": "1"}
        return [program, *request], environment

    def simgrid(self, rival, workload, processors):
        """The platform's file and the options of SimGrid's engine."""
        many = MANY_ACTORS if processors > 30_000 else []
        if rival.name.endswith("-links"):
            cluster = PLATFORM.format(CLUSTER.format(processors - 1, ""))
            return [self.file(f"cluster-{processors}.xml", cluster), *SIMGRID, *many]
        if workload not in STEPS:
            cluster = PLATFORM.format(CLUSTER.format(processors - 1, 'sharing_policy="FATPIPE"'))
            return [self.file(f"unshared-{processors}.xml", cluster), *SIMGRID, *UNSHARED, *many]
        hosts = "\n".join(f'<host id="n{n}" speed="1Gf"/>' for n in range(processors))
        zone = PLATFORM.format(f'<zone id="z" routing="None">\n{hosts}\n</zone>')
        return [self.file(f"hosts-{processors}.xml", zone), *SIMGRID, *CONSTANT, *many]

    def hosts(self, processors):
        names = "".join(f"n{n}\n" for n in range(processors))
        return self.file(f"hosts-{processors}.txt", names)

    def file(self, name, text):
        path = self.scratch / name
        if not path.exists():
            path.write_text(text)
        return str(path)
