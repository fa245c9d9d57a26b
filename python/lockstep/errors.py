"""The errors of a machine and its programs: the classes of lockstep's C++ library, by their names."""

import functools
import os
import sysconfig


class Error(Exception):
    """The base of all errors of lockstep.

    `str(error)` says what was done, which rule it broke and how to mend it, followed by rank, step,
    phase, file and line; `message` is the text without these.
    """

    message = ""
    rank = None  #: the processor, or None
    step = 0  #: its step when the call failed; 0 before the run
    phase = ""
    file = None  #: of the program's call
    line = None
    waits = ()  #: processors that wait, each a dict: rank, waits_for, since, in, file, line
    cycle = ()  #: ranks that each wait for the next
    messages = ()  #: each a dict: from, to, words, step, route, file, line


@functools.cache
def _is_of_a_library(file):
    """Tell whether a file is of this package, Python's library or an installed package, or no file at all."""
    folders = [os.path.dirname(__file__), *(sysconfig.get_paths().get(name) for name in ("stdlib", "platstdlib"))]
    parts = file.split(os.sep)
    return (
        file.startswith("<frozen")
        or "site-packages" in parts
        or "dist-packages" in parts
        or any(folder and file.startswith(folder + os.sep) for folder in folders)
    )


def _line_of(exception):
    """Find where an exception came from: file, function and line of the innermost frame of the program's own.

    None for one without frames but those of this package. A program that is installed itself has those of libraries.
    """
    own = library = None
    traceback = exception.__traceback__
    while traceback is not None:
        code = traceback.tb_frame.f_code
        place = (code.co_filename, code.co_name, traceback.tb_lineno)
        if not _is_of_a_library(code.co_filename):
            own = place
        elif not code.co_filename.startswith(os.path.dirname(__file__) + os.sep):
            library = place
        traceback = traceback.tb_next
    return own or library


class NotAdjacent(Error):
    """Neighbour switching, and no link joins the two processors."""


class PortConflict(Error):
    """A strict machine has no buffers, and a message would have had to queue."""


class LinkContention(Error):
    """On a strict machine two messages took one directed link in one step."""


class TypeMismatch(Error):
    """An exchange took in a payload of another kind than it sent."""


class SizeMismatch(Error):
    """A message has another number of elements than its receiver asked for."""


class Deadlock(Error):
    """No processor can go on: every one that has not finished waits for another."""


class BarrierMismatch(Error):
    """Every waiter is in a barrier that some processor can never reach, or different barriers meet."""


class UnreceivedMessage(Error):
    """A message was still in its channel when the run ended."""


class StepLimit(Error):
    """The machine passed `max_steps`."""


class InvalidRank(Error):
    """A rank outside the machine or subset, or a processor's own."""


class InvalidTopology(Error, ValueError):
    """A network with impossible sizes, or a specification that cannot be read."""


class InvalidArgument(Error, ValueError):
    """An argument outside the range that the call takes."""


class UsageError(Error, ValueError):
    """A name, network, parameter or file that the library's own algorithms and papers do not take: one line."""


class StackOverflow(Error):
    """A processor used up its stack."""


class OutOfMemory(Error, MemoryError):
    """The machine needs more memory than there is."""


class ForeignAccess(Error):
    """On a guarded machine a program touched memory of another processor."""


class IncompleteTrace(Error):
    """A page or trace could not be written, or not all of it."""


class BrokenInvariant(Error):
    """A mistake of lockstep, not of the program."""


class ProcessorFailed(Error):
    """The program raised an exception, which is the cause (`__cause__`)."""
