"""Runs programs in mpi4py's spelling on a machine: scripts and functions."""

import builtins
import contextlib
import inspect
import os
import pathlib
import sys
import types

from .._lockstep import Network, machine
from .communicators import Aborted
from .failures import explained
from .world import Process, World, here, is_running

#: Of the mpi4py whose spelling this is.
_VERSION = "3.1.4"


def run(program, /, *arguments, n=None, on=None, **options):
    """Run a program in mpi4py's spelling on every processor of a machine.

    `program`: a function, which is called with the arguments; or the path of a script, whose `sys.argv[1:]` they are.
    `on`: a network, such as "torus:4x4", or a machine; `n=4` is "crossbar:4". All other keywords are options of
    `lockstep.machine`. In a script `mpi4py` is lockstep's, too.

    Result: the run. Of a script, `results` are its variables, a dict for each rank.

    Raises TypeError for `async def`, and where neither `n` nor `on` is given; the errors of the machine.
    """
    made = _machine_of(n, on, options)
    world = World(made.size)
    if isinstance(program, str | os.PathLike):
        return _run_script(made, world, pathlib.Path(program), [str(one) for one in arguments])
    if inspect.iscoroutinefunction(program):
        raise TypeError("programs of lockstep.mpi are plain functions, and not async def")

    def process_of(me):
        process = Process(world, me)
        process.enter()
        result = program(*arguments)
        process.end()
        return result

    with explained(world):
        return made.run(process_of)


def _machine_of(n, on, options):
    if on is None and n is None:
        raise TypeError('run needs a machine: run(program, n=4), or run(program, on="torus:4x4")')
    given = on
    if on is None:
        on = f"crossbar:{n}"
    if not isinstance(on, machine):
        on = machine(on if isinstance(on, Network) else str(on), **options)
    elif options:
        raise TypeError(f"a machine has its options already: {', '.join(options)}")
    if n not in (None, on.size):
        name = given if isinstance(given, str) else on.network
        raise TypeError(f"{name} has {on.size} processors, and not {n}")
    return on


def _run_script(on, world, path, arguments):
    code = compile(path.read_bytes(), str(path), "exec")

    def process_of(me):
        variables = {"__name__": "__main__", "__file__": str(path), "__builtins__": builtins}
        process = Process(world, me, variables)
        process.enter()
        try:
            exec(code, variables)
        except Aborted:
            raise
        except SystemExit as end:
            if end.code not in (None, 0):
                raise
        process.end()
        return {name: value for name, value in variables.items() if not name.startswith("__")}

    with _as_main_program(path, arguments), explained(world):
        return on.run(process_of)


class _MainModule(types.ModuleType):
    """The module __main__ while a script runs: each process has its own variables, so that pickle finds its classes."""

    @property
    def __dict__(self):
        return (here().namespace if is_running() else None) or {}

    def __getattr__(self, name):
        variables = here().namespace if is_running() else None
        if variables is None or name not in variables:
            raise AttributeError(f"module '__main__' has no attribute '{name}'")
        return variables[name]


class _Settings:
    """mpi4py.rc: settings that a script may make, and that change nothing."""

    def __init__(self):
        self.initialize = self.threads = self.fast_reduce = self.recv_mprobe = True
        self.finalize = None
        self.thread_level = "multiple"
        self.errors = "exception"

    def __call__(self, **settings):
        """Make settings. Raises TypeError for those that there are not."""
        for name, value in settings.items():
            if not hasattr(self, name):
                raise TypeError(f"unexpected argument '{name}'")
            setattr(self, name, value)


@contextlib.contextmanager
def _as_main_program(path, arguments):
    """Give a script what it finds when it is run by itself: its arguments, its folder, and mpi4py, which is ours."""
    mpi4py = types.ModuleType("mpi4py")
    mpi4py.MPI = sys.modules[__package__]
    mpi4py.rc = _Settings()
    mpi4py.__version__ = _VERSION
    mpi4py.__all__ = ["MPI"]
    modules = {"__main__": _MainModule("__main__"), "mpi4py": mpi4py, "mpi4py.MPI": mpi4py.MPI}
    earlier = {name: sys.modules.get(name) for name in modules}
    argv, folders = sys.argv, sys.path
    sys.modules.update(modules)
    sys.argv, sys.path = [str(path), *arguments], [str(path.resolve().parent), *folders]
    try:
        yield
    finally:
        sys.argv, sys.path = argv, folders
        for name, module in earlier.items():
            if module is None:
                del sys.modules[name]
            else:
                sys.modules[name] = module
