#!/usr/bin/env python3
"""Plants wrong formulas, counts, ports and comparisons, one at a time, in a copy of the sources, and says which
of them no test sees.

  mutants.py [NUMBER...]     all, or these of the list (planted.py)
  mutants.py --fit           only whether what they replace stands in the sources, each once

The copy and its build are in build/mutants; the sources themselves are not touched. Exit status: 0 all are seen;
1 some are not, or the table does not fit the sources; 2 the sources as they are do not pass."""

import shutil
import subprocess
import sys
import time
from pathlib import Path

from planted import ALGORITHMS, CONFORMANCE, CORE, EXPERIMENTS, MUTANTS, Mutant

ROOT = Path(__file__).resolve().parents[2]
COPY = ROOT / "build" / "mutants"
BUILD = COPY / "build" / "release"
SECONDS = 600  # that a test executable may take


def copy_sources() -> None:
    """Brings the copy to what git knows of the sources, and what is new in them."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=ROOT, check=True,
        capture_output=True, text=True).stdout.splitlines()
    for name in listed:
        source, target = ROOT / name, COPY / name
        if not source.is_file():
            continue
        if not target.is_file() or source.read_bytes() != target.read_bytes():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, target)


def built(tests: str) -> bool:
    """Builds an executable of tests. Result: whether it could be built."""
    return subprocess.run(["cmake", "--build", str(BUILD), "--target", Path(tests).name],
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False).returncode == 0


def passes(tests: str) -> bool:
    """Runs the tests until one fails. Result: whether none does, within its time."""
    try:
        return subprocess.run([str(BUILD / tests), "--abort"], cwd=BUILD, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, timeout=SECONDS, check=False).returncode == 0
    except subprocess.TimeoutExpired:
        return False


def seen(mutant: Mutant) -> str:
    """Result: the tests that see it; nothing where none does."""
    for tests in mutant.seen_by:
        if not built(tests):
            return "the compiler"
        if not passes(tests):
            return Path(tests).name
    return ""


def places(folder: Path, mutant: Mutant) -> int:
    """Counts the places where its old text stands."""
    file = folder / mutant.file
    return file.read_text().count(mutant.old) if file.is_file() else 0


def all_fit() -> bool:
    """Says which do not fit the sources. Result: whether all do."""
    others = [(number, mutant) for number, mutant in enumerate(MUTANTS, 1) if places(ROOT, mutant) != 1]
    for number, mutant in others:
        print(f"{number:3} {mutant.file}: {mutant.old!r} stands there {places(ROOT, mutant)} times")
    return not others


def planted(number: int, mutant: Mutant) -> bool:
    """Plants one, and says what became of it. Result: whether it was seen."""
    file = COPY / mutant.file
    before = file.read_text()
    begun = time.monotonic()
    try:
        file.write_text(before.replace(mutant.old, mutant.new))
        by = seen(mutant)
    finally:
        file.write_text(before)
    print(f"{number:3} {time.monotonic() - begun:4.0f} s  {'seen by ' + by if by else 'NOT SEEN'}  "
          f"{mutant.file}: {mutant.old.strip()}  ->  {mutant.new.strip()}", flush=True)
    return bool(by)


def main() -> int:
    if not all_fit():
        return 1
    if sys.argv[1:] == ["--fit"]:
        return 0
    numbers = [int(each) for each in sys.argv[1:]] or list(range(1, len(MUTANTS) + 1))
    copy_sources()
    subprocess.run(["cmake", "--preset", "release"], cwd=COPY, stdout=subprocess.DEVNULL, check=True)
    for tests in (CORE, CONFORMANCE, ALGORITHMS, EXPERIMENTS):
        if not built(tests) or not passes(tests):
            print(f"{Path(tests).name}: not built, or fails without a planted fault", file=sys.stderr)
            return 2
    missed = [number for number in numbers if not planted(number, MUTANTS[number - 1])]
    print(f"{len(numbers)} planted, {len(numbers) - len(missed)} seen"
          + (f"; not seen: {', '.join(map(str, missed))}" if missed else ""))
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
