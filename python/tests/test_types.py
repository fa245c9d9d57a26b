"""mypy takes the stubs and a program with types, and finds wrong calls. Skipped where there is no mypy."""

import os
import pathlib
import re
import subprocess
import sys

import pytest

import lockstep

mypy = pytest.importorskip("mypy.api", reason="mypy is not installed (Debian: mypy)")

TYPED = pathlib.Path(__file__).parent / "typed"
PACKAGE = pathlib.Path(lockstep.__file__).parent


def check(*files):
    """Run mypy; of the package only what has a stub is looked at."""
    options = ("--strict", "--follow-imports=silent", "--no-error-summary", "--cache-dir", os.devnull)
    done = subprocess.run(
        [sys.executable, "-m", "mypy", *options, *files],
        env={**os.environ, "MYPYPATH": str(PACKAGE.parent)},
        cwd=TYPED,
        stdout=subprocess.PIPE,
        text=True,
    )
    return done.stdout


def test_the_stubs_are_right():
    assert check("-m", "lockstep", "-m", "lockstep.mpi") == ""


def test_a_program_with_types_is_taken():
    assert check("program.py") == ""


def test_a_program_with_types_runs(monkeypatch, tmp_path):
    monkeypatch.syspath_prepend(TYPED)
    monkeypatch.chdir(tmp_path)
    import program

    assert program.measured()["steps"] == 3 and (tmp_path / "run.html").exists()
    assert len(program.of_the_library()) > 4
    assert lockstep.machine("torus:4x4").run(program.calls).results[0] == (4, (0, 1, 0))
    assert lockstep.machine("ring:3").run(program.awaited).results[2] == [0, 0.5, 1]
    assert program.fails() == (None, None)
    lockstep.mpi.run(program.with_mpi, n=2)


def test_wrong_calls_are_found():
    lines = enumerate((TYPED / "wrong_calls.py").read_text().splitlines(), 1)
    expected = {(number, line.rpartition("# ")[2]) for number, line in lines if "  # " in line}
    errors = re.findall(r"^\S+:(\d+): error: .*\[([a-z-]+)\]$", check("wrong_calls.py"), re.M)
    found = {(int(line), code) for line, code in errors}
    assert len(expected) > 35
    assert found == expected
