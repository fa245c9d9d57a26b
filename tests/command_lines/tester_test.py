"""Whether the tester finds faults: a command line that misbehaves in each way has to be reported, and
one that behaves must not be.

  tester_test.py LOCKSTEP
"""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).parent

# What the fake does: what the tester has to call it, and in which kind of case.
FAULTS = {
    "abort": ("signal", "valid"),
    "segfault": ("signal", "valid"),
    "hang": ("hang", "valid"),
    "hang in junk": ("hang", "junk"),
    "waits in junk": ("hang", "junk"),
    "spins in junk": ("hang", "junk"),
    "waits in others": ("hang", "others"),
    "spins in others": ("hang", "others"),
    "status": ("status", "valid"),
    "foreign exception": ("raw text", "junk"),
    "raw text": ("raw text", "junk"),
    "library's text": ("raw text", "valid"),
    "two lines": ("message", "junk"),
    "no name": ("message", "junk"),
    "silent": ("message", "valid"),
    "prints and refuses": ("message", "valid"),
    "incomplete file": ("left over", "valid"),
    "unnamed file": ("left over", "valid"),
    "refused and wrote": ("left over", "sort"),
    "engines differ": ("engines differ", "valid"),
    "status differs": ("engines differ", "valid"),
    "trace differs": ("engines differ", "valid"),
    "wrong result": ("wrong", "valid"),
    "broken json": ("json", "valid"),
    "machine error": ("machine error", "valid"),
    "unsorted": ("other program", "sort"),
}


def name_of(fault):
    return FAULTS.get(fault, ("", "valid"))[0]


def tested(lockstep, fault, kind):
    return subprocess.run(
        [sys.executable, HERE / "tester.py", sys.executable, HERE / "fake_lockstep.py", lockstep,
         "--runs", "80" if name_of(fault) else "10", "--kind", kind, "--most-faults", "1", "--seconds", "1" if name_of(fault) == "hang" else "60"],
        env={**os.environ, "FAKE_FAULT": fault}, capture_output=True, text=True,
    )


def complaint(lockstep, fault):
    name, kind = FAULTS.get(fault, ("", "valid"))
    done = tested(lockstep, fault, kind)
    if not name:
        return None if done.returncode == 0 else f"reports what is all right:\n{done.stdout}{done.stderr}"
    if done.returncode == 1 and f"): {name}: " in done.stdout and "again: " in done.stdout:
        return None
    return f"does not report {fault!r} as {name!r}: status {done.returncode}\n{done.stdout}{done.stderr}"


def main():
    faults = ["", *FAULTS]
    with ThreadPoolExecutor(2) as pool:
        complaints = [one for one in pool.map(lambda fault: complaint(sys.argv[1], fault), faults) if one]
    print("\n".join(complaints) or f"{len(FAULTS)} faults found")
    sys.exit(1 if complaints else 0)


if __name__ == "__main__":
    main()
