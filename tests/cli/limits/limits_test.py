"""The command line where the system gives little: processes, address space, size of files, disk, open files.

    limits_test.py LOCKSTEP [LIMIT]

Each run ends right, or with one line of lockstep's own and status 1 or 2; nothing else is printed, no
signal ends it, and no file is left that is not whole. Exit status 0 if all of that holds; 77 if it holds, and
a limit could not be set here, or not all of it.
"""

import os
import pwd
import resource
import shutil
import subprocess
import sys
import tempfile

MEBIBYTE = 1 << 20
SKIPPED = 77

# What runs the processors, beside how many of them there are: enough for two workers.
FIBERS = "run prefix --on hypercube:14 --seed 3 --json"
THREADS = "run prefix --on hypercube:5 --seed 3 --json"
ENGINES = [
    f"{FIBERS} --workers 1 --stacks own",
    f"{FIBERS} --workers 4 --stacks own",
    f"{FIBERS} --workers 1 --stacks copied",
    f"{FIBERS} --workers 4 --stacks copied",
    f"{THREADS} --engine threads",
]

# Writes more than a page: the result, or the trace.
WRITING = [
    "run radix-sort --on crossbar:8 --n 8192 --output {folder}/sorted.txt --json",
    "run prefix --on hypercube:9 --trace {folder}/run.csv --json",
    "run prefix --on hypercube:9 --trace {folder}/run.html --json",
    "run prefix --on hypercube:9 --trace {folder}/run.csv --engine threads --json",
]

UNPRIVILEGED = pwd.getpwnam("nobody") if os.geteuid() == 0 else None


def limited(kind, value):
    """Makes what a new process does before it runs: root heeds no limit of processes."""

    def begin():
        if kind == resource.RLIMIT_NPROC and UNPRIVILEGED is not None:
            os.setgroups([])
            os.setgid(UNPRIVILEGED.pw_gid)
            # Before the user changes, for the number of processes is looked at then and later.
            resource.setrlimit(kind, (value, value))
            os.setuid(UNPRIVILEGED.pw_uid)
        else:
            resource.setrlimit(kind, (value, value))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    return begin


class Check:
    def __init__(self, lockstep):
        self.lockstep = lockstep
        self.runs = 0
        self.refused = 0
        self.failures = []

    def run(self, words, begin=None, folder=None):
        done = subprocess.run(
            [self.lockstep, *words.split()],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            preexec_fn=begin,
            cwd=folder or "/",
            timeout=60,
            check=False,
        )
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    def expect(self, what, words, begin, folder):
        """Runs it, and notes what does not hold."""
        status, out, err = self.run(words, begin, folder)
        self.runs += 1
        problems = []
        if status == 0:
            if '"correct": true' not in out and '"correct":true' not in out:
                problems.append("it ended well without a right result")
            if err:
                problems.append("it ended well, and complained")
        elif status in (1, 2):
            self.refused += 1
            if not err.startswith("lockstep: ") or err.count("\n") != 1:
                problems.append("it does not say why in one line")
            if "pthread_create" in err or "bad_alloc" in err or "std::" in err:
                problems.append("what it says is not lockstep's own")
        else:
            problems.append(f"status {status}")
        left = sorted(os.listdir(folder)) if folder else []
        if any(name.startswith(".lockstep-") for name in left):
            problems.append(f"it left {left}")
        if status != 0 and left:
            problems.append(f"it failed and left {left}")
        if problems:
            self.failures.append(f"{what}: lockstep {words}\n  {'; '.join(problems)}\n  {err[:400]}")

    def in_folder(self, what, words, begin):
        with tempfile.TemporaryDirectory() as folder:
            os.chmod(folder, 0o777)
            self.expect(what, words.format(folder=folder), begin, folder)


def reaches(check):
    """Whether a user without privileges can run the program at all."""
    try:
        status, _, _ = check.run("--version", limited(resource.RLIMIT_NPROC, 1000))
    except (OSError, subprocess.SubprocessError):
        return False
    return status == 0


def processes(check):
    if not reaches(check):
        return "the program lies where only its owner can run it"
    for most in (0, 1, 2, 3, 4, 8, 20):
        for words in ENGINES:
            check.in_folder(f"{most} processes", words, limited(resource.RLIMIT_NPROC, most))
    return None


def address_space(check):
    least = 8 * MEBIBYTE
    while check.run("--version", limited(resource.RLIMIT_AS, least))[0] != 0:
        least += 8 * MEBIBYTE  # the system itself cannot load the program
    for more in (0, 4, 16, 40, 64, 130, 300, 900, 1200, 4000):
        for words in ENGINES:
            begin = limited(resource.RLIMIT_AS, least + more * MEBIBYTE)
            check.in_folder(f"{more} MiB of address space", words, begin)
    return None


def file_size(check):
    for most in (0, 1, 100, 4096, 20_000, 10_000_000):
        for words in WRITING:
            check.in_folder(f"files of {most} bytes", words, limited(resource.RLIMIT_FSIZE, most))
    return None


def open_files(check):
    least = 3
    while check.run("--version", limited(resource.RLIMIT_NOFILE, least))[0] != 0:
        least += 1
    for more in (0, 1, 2, 4, 8):
        for words in ENGINES + WRITING:
            begin = limited(resource.RLIMIT_NOFILE, least + more)
            check.in_folder(f"{least + more} open files", words, begin)
    return None


def disk(check):
    if not os.path.exists("/dev/full"):
        return "there is no /dev/full"
    for words in (
        "run radix-sort --on crossbar:8 --n 8192 --output /dev/full --json",
        "run prefix --on hypercube:9 --trace /dev/full --json",
    ):
        check.in_folder("a full device", words, None)
    with tempfile.TemporaryDirectory() as folder:
        mounted = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=16k,mode=777", "none", folder],
            capture_output=True,
            check=False,
        )
        if mounted.returncode != 0:
            return "no small disk can be mounted"
        try:
            for words in WRITING:
                check.expect("a full disk", words.format(folder=folder), None, folder)
                for name in os.listdir(folder):
                    os.unlink(os.path.join(folder, name))
        finally:
            subprocess.run(["umount", folder], check=False)
    return None


LIMITS = {
    "processes": processes,
    "address-space": address_space,
    "file-size": file_size,
    "open-files": open_files,
    "disk": disk,
}


def main():
    chosen = sys.argv[2:] or LIMITS
    check = Check(os.path.abspath(sys.argv[1]))
    all_skipped = []
    for name in chosen:
        skipped = LIMITS[name](check)
        all_skipped += [f"SKIPPED: {name}: {skipped}"] if skipped else []
        print(f"{name}: {check.runs} runs so far, {check.refused} refused")
    for line in all_skipped + check.failures:
        print(line)
    if check.failures:
        return 1
    return SKIPPED if all_skipped else 0


if __name__ == "__main__":
    sys.exit(main())
