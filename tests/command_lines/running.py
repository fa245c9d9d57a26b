"""Runs a command line, and says what came of it."""

import os
import resource
import signal
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Limits:
    seconds: float = 60.0
    address_space: int = 0  # bytes; 0: no limit
    interrupts: bool = False  # a run that takes too long, and works, is interrupted: that is all right


@dataclass
class Finished:
    words: list  # without the program
    status: int  # negative: the signal that ended it
    out: bytes
    err: bytes
    seconds: float
    timed_out: bool = False
    interrupted: bool = False
    new_files: list = field(default_factory=list)

    @property
    def error_text(self):
        return self.err.decode("utf-8", "replace")

    @property
    def text(self):
        return self.out.decode("utf-8", "replace")


def files_in(folder):
    return {str(one.relative_to(folder)) for one in Path(folder).rglob("*") if not one.is_dir()}


def _limited(limits):
    def limit():
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if limits.address_space:
            resource.setrlimit(resource.RLIMIT_AS, (limits.address_space,) * 2)

    return limit


def _cpu_seconds(process):
    """The processor time that its threads have used."""
    fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _wait(process, limits):
    """Waits for its end. Result: its output and errors, whether it took too long, and whether it was
    interrupted."""
    try:
        return (*process.communicate(timeout=limits.seconds), False, False)
    except subprocess.TimeoutExpired:
        pass
    # One that only waits would do so for ever.
    if limits.interrupts and _cpu_seconds(process) > limits.seconds / 20:
        process.send_signal(signal.SIGINT)
        try:
            out, err = process.communicate(timeout=30)
            # It may just have ended by itself.
            return out, err, False, process.returncode in (-signal.SIGINT, 128 + signal.SIGINT)
        except subprocess.TimeoutExpired:
            pass
    process.kill()
    return (*process.communicate(), True, False)


def run(program, words, folder, limits=Limits()):
    """Runs the program with these words in that folder."""
    before = files_in(folder)
    environment = {
        "PATH": os.environ.get("PATH", ""),
        "TMPDIR": str(folder),
        "LANG": "C.UTF-8",
        **{name: value for name, value in os.environ.items() if name.startswith("FAKE_")},
    }
    start = time.monotonic()
    process = subprocess.Popen(
        [*program, *words],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=_limited(limits),
    )
    out, err, timed_out, interrupted = _wait(process, limits)
    return Finished(
        words=list(words),
        status=process.returncode,
        out=out,
        err=err,
        seconds=time.monotonic() - start,
        timed_out=timed_out,
        interrupted=interrupted,
        new_files=sorted(files_in(folder) - before),
    )
