"""`python3 -m lockstep.mpi -n 4 script.py`: a program in mpi4py's spelling, and what it costs."""

import argparse
import sys
import traceback

import lockstep
from lockstep.sweeps import model_of


def main(words=None):
    """Run a script on a machine. Result: the exit status."""
    parser = argparse.ArgumentParser(
        prog="python3 -m lockstep.mpi",
        description="Runs a script in mpi4py's spelling on a machine, and prints what it costs.",
    )
    parser.add_argument("-n", "-np", type=int, help="processors: of a crossbar, unless --on names a network")
    parser.add_argument("--on", metavar="NETWORK", help="for example torus:4x4")
    parser.add_argument("--ports", choices=["one", "all", "per-pass"], default="one")
    parser.add_argument("--switching", choices=["neighbour", "cut-through"])
    parser.add_argument("--strict", action="store_true", help="messages that queue or share a link are errors")
    parser.add_argument("--packet", type=int, default=1, metavar="WORDS")
    parser.add_argument("--count", choices=["elements", "bytes"], default="elements")
    parser.add_argument("--model", help="a cost model, which prices the run, for example bdm:tau_words=64")
    parser.add_argument("--view", metavar="FILE", help="write a page that shows the run step by step")
    parser.add_argument("--steps", action="store_true", help="print the steps, too")
    parser.add_argument("script")
    parser.add_argument("arguments", nargs=argparse.REMAINDER)
    given = parser.parse_args(words)
    if given.n is None and given.on is None:
        parser.error("say on how many processors: -n 4, or --on torus:4x4")
    try:
        return _run(given)
    except SyntaxError as failed:
        traceback.print_exception(type(failed), failed, None)
    except lockstep.ProcessorFailed as failed:
        traceback.print_exception(failed.__cause__ or failed)
        print(f"rank {failed.rank}, in step {failed.step}", file=sys.stderr)
    except (lockstep.Error, OSError, TypeError) as failed:
        print(f"{type(failed).__name__}: {failed}", file=sys.stderr)
    return 1


def _run(given):
    model = given.model and model_of(given.model)
    run = lockstep.mpi.run(
        given.script,
        *given.arguments,
        n=given.n,
        on=given.on,
        ports=given.ports,
        switching=given.switching,
        strict=given.strict,
        packet=given.packet,
        count=given.count,
        recorded=given.view is not None,
    )
    print(f"\n{given.script} on {run.network}")
    print(run.summary().rstrip())
    if given.steps:
        print(run.table().rstrip())
    if given.model:
        print(f"time by {model.text}: {run.time(model.name, **model.parameters):g} {model.unit}")
    if given.view:
        run.view(given.view, title=given.script)
    return 0


if __name__ == "__main__":
    sys.exit(main())
