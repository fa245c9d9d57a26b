"""What an error of a run says in MPI's words: operations, tags, and the lines of the program."""

import contextlib
import types

from .. import errors
from .world import ANY_SOURCE, ANY_TAG, is_own_file

#: How many processes are told of, of those that wait.
_TOLD = 8


@contextlib.contextmanager
def explained(world):
    """Add to the errors of a run what is known of them here."""
    try:
        yield
    except (errors.Deadlock, errors.BarrierMismatch) as error:
        _explain_waits(error, world)
        raise
    except errors.ProcessorFailed as error:
        if error.__cause__ is not None:
            _name_line(error)
        raise


def _explain_waits(error, world):
    notes, names = [], set()
    for wait in error.waits:
        process = world.processes[wait["rank"]]
        if process is None:
            continue
        if process.meeting is not None:
            wait["in"] = process.meeting
            names.add(process.meeting)
        if process.awaited:
            notes.append(_awaited_by(process))
    message = error.message
    for wait in error.waits:
        who = f"processor {wait['rank']} waits in "
        message = message.replace(f"{who}barrier ", f"{who}{wait['in']} ")
    if names:
        message = message.replace("in a barrier (barrier)", f"in {' and '.join(sorted(names))}")
    if len(notes) > _TOLD:
        notes = [*notes[:_TOLD], f"{len(notes) - _TOLD} more wait"]
    *told, advice = message.split("\n")
    notes = [f"  {note}" for note in notes]
    _write(error, "\n".join([*told, *notes, advice] if told else [advice, *notes]))


def _awaited_by(process):
    """Say which messages a process waits for, and which have come instead."""
    asked, came = [], []
    answers = [receive for receive in process.awaited if receive.answers is not None]
    if answers:
        call, tag = answers[0].answers
        to = answers[0].seat.rank_of(answers[0].source)
        return f"rank {answers[0].seat.rank} waits in {call} until rank {to} receives its message with tag {tag}"
    for receive in process.awaited:
        source = "anybody" if receive.source == ANY_SOURCE else f"rank {receive.seat.rank_of(receive.source)}"
        asked.append(f"{source} with {'any tag' if receive.tag == ANY_TAG else f'tag {receive.tag}'}")
        for message in process.arrived_for(receive.seat):
            if message not in came:
                came.append(message)
    text = f"rank {process.awaited[0].seat.rank} awaits a message from {', or from '.join(asked)}"
    if came:
        seat = process.awaited[0].seat
        tags = ", ".join(f"{one.envelope.tag} from rank {seat.rank_of(one.source)}" for one in came[:_TOLD])
        text += f"; messages with other tags have come: {tags}"
    return text


def _name_line(failed):
    """Name the program's line that an exception came from, and leave the package's frames out of its traceback."""
    cause = failed.__cause__
    frames, one = [], cause.__traceback__
    while one is not None:
        if not is_own_file(one.tb_frame.f_code.co_filename):
            frames.append(one)
        one = one.tb_next
    if not frames:
        return
    shorter = None
    for one in reversed(frames):
        shorter = types.TracebackType(shorter, one.tb_frame, one.tb_lasti, one.tb_lineno)
    cause.__traceback__ = shorter
    failed.file, failed.line = frames[-1].tb_frame.f_code.co_filename, frames[-1].tb_lineno
    phase = [f'phase "{failed.phase}"'] if failed.phase else []
    place = [f"processor {failed.rank}", f"step {failed.step}", *phase, f"{failed.file}:{failed.line}"]
    failed.args = (f"{failed.message} [{', '.join(place)}]",)


def _write(error, message):
    rest = str(error)[len(error.message) :]
    error.args = (message + rest,)
    error.message = message
