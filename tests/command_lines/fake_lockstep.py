"""Stands in for the command line: does what it does, and misbehaves in the way that FAKE_FAULT names.

  fake_lockstep.py LOCKSTEP WORD...
"""

import json
import os
import signal
import subprocess
import sys
import time

REFUSED = ("run", "explain", "view")
OTHERS = (*REFUSED, "paper", "figure")

# The line that it says, and the status in which it ends, by fault.
SAID = {
    "status": ("lockstep: something is wrong\n", 3),
    "foreign exception": ("lockstep: std::bad_alloc\n", 2),
    "raw text": ("lockstep: --n: stod\n", 2),
    "library's text": ("lockstep: [json.exception.type_error.302] type must be number\n", 1),
    "two lines": ("lockstep: this is wrong\nand so is that\n", 2),
    "no name": ("this is wrong\n", 2),
}


def say(text, status):
    sys.stderr.write(text)
    sys.exit(status)


def changed(out):
    """The JSON of a run with another count."""
    try:
        run = json.loads(out)
        run["counts"]["volume"] += 1
        return json.dumps(run).encode()
    except (ValueError, KeyError, TypeError):
        return out


def unsorted(words):
    """Exchanges the ends of the output file."""
    if "--output" not in words:
        return
    name = words[words.index("--output") + 1]
    if not os.path.isfile(name):
        return
    with open(name, "rb") as file:
        data = file.read()
    with open(name, "wb") as file:
        file.write(data[-8:] + data[8:-8] + data[:8])


def instead(fault):
    """Misbehaves without running anything."""
    if fault == "abort":
        os.kill(os.getpid(), signal.SIGABRT)
    if fault == "segfault":
        os.kill(os.getpid(), signal.SIGSEGV)
    if fault.startswith("hang"):
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        time.sleep(600)
    if fault.startswith("waits"):
        time.sleep(600)
    if fault.startswith("spins"):
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        while True:
            pass
    if fault in SAID:
        say(*SAID[fault])
    if fault == "silent":
        sys.exit(1)
    if fault == "prints and refuses":
        print("prefix on tree:2")
        sys.stdout.flush()
        say("lockstep: this is wrong\n", 2)
    if fault == "incomplete file":
        open(".lockstep-x-123", "w").close()
    if fault == "unnamed file":
        open("scratch", "w").close()
    if fault == "refused and wrote":
        open("sorted", "w").close()
        say("lockstep: this is wrong\n", 2)


def main():
    program, words = sys.argv[1], sys.argv[2:]
    fault = os.environ.get("FAKE_FAULT", "")
    misbehaves = OTHERS if fault.endswith("others") else REFUSED
    if not words or words[0] not in misbehaves or "--help" in words:
        fault = ""
    instead(fault)
    done = subprocess.run([program, *words], capture_output=True)
    out, status = done.stdout, done.returncode
    other_engine = any(word in ("--engine", "--workers", "--stacks") for word in words)
    if fault == "engines differ" and other_engine:
        out = changed(out)
    if fault == "status differs" and other_engine and status == 0:
        say("lockstep: not on this engine\n", 2)
    if fault == "wrong result" and status == 0:
        out, status = out.replace(b'"correct": true', b'"correct": false'), 0
    if fault == "broken json" and status == 0:
        out = out[: len(out) // 2]
    if fault == "machine error" and status == 0 and "--json" in words:
        out, status = b'{"error": {"kind": "deadlock", "message": "nobody can go on"}}', 1
    if fault == "trace differs" and other_engine:
        for name in filter(os.path.isfile, ("messages.csv", "pictures.dot", "messages.goal")):
            with open(name, "a") as file:
                file.write("1,2,3\n")
    if fault == "unsorted":
        unsorted(words)
    sys.stdout.buffer.write(out)
    sys.stdout.flush()
    sys.stderr.buffer.write(done.stderr)
    sys.exit(status if status >= 0 else 128 - status)


if __name__ == "__main__":
    main()
