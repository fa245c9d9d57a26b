"""The wheel: built, installed into a fresh environment, and used from there.

LOCKSTEP_BUILD_FOLDER names the build folder to take the module from; without it, nothing is tested: building all of
the library takes minutes.
"""

import importlib.util
import os
import pathlib
import re
import sys
import zipfile

import pytest
from commands import run

PYTHON = pathlib.Path(__file__).parents[1]
PAGE = PYTHON.parent / "docs" / "python.md"

pytestmark = pytest.mark.skipif("LOCKSTEP_BUILD_FOLDER" not in os.environ, reason="LOCKSTEP_BUILD_FOLDER is not set")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    for needed in ("pip", "setuptools", "wheel"):
        if importlib.util.find_spec(needed) is None:
            pytest.skip(f"{needed} is not installed")
    folder = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "pip", "wheel", "--no-build-isolation", "--no-deps", "--no-index", "-w", folder, PYTHON)
    [made] = folder.glob("*.whl")
    return made


def installed(wheel, folder, *options):
    """Make an environment with the wheel, and give its Python."""
    run(sys.executable, "-m", "venv", "--without-pip", *options, folder)
    python = folder / "bin" / "python"
    run(sys.executable, "-m", "pip", "--python", python, "install", "--no-deps", "--no-index", wheel)
    return python


def environment():
    return {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}


def test_what_is_in_the_wheel(wheel):
    version = re.search(r"\bproject\(\s*lockstep\s+VERSION ([0-9.]+)", (PYTHON.parent / "CMakeLists.txt").read_text()).group(1)
    assert wheel.name.startswith(f"lockstep-{version}-cp{sys.version_info.major}{sys.version_info.minor}-")
    names = zipfile.ZipFile(wheel).namelist()
    sources = {
        file.relative_to(PYTHON).as_posix()
        for file in (PYTHON / "lockstep").rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
    }
    [module] = [name for name in names if name.startswith("lockstep/_lockstep.")]
    assert {name for name in names if name.startswith("lockstep/")} == {*sources, module}
    assert not [name for name in names if not name.startswith(("lockstep/", "lockstep-"))]


def test_the_first_program_of_the_page_runs_from_the_wheel(wheel, tmp_path):
    pytest.importorskip("greenlet")
    python = installed(wheel, tmp_path / "with_greenlet", "--system-site-packages")
    first = re.search(r"^```python\n(.*?)^```$", PAGE.read_text(), re.MULTILINE | re.DOTALL).group(1)
    program = first + "print(lockstep.__file__, run.results[0], run.counts.steps)\n"
    place, result, steps = run(python, "-c", program, cwd=tmp_path, env=environment()).split()
    assert pathlib.Path(place).is_relative_to(tmp_path) and (result, steps) == ("523776", "10")


def test_awaited_programs_and_the_library_need_nothing_else(wheel, tmp_path):
    python = installed(wheel, tmp_path / "alone")
    program = """
import lockstep

async def program(me):
    return await me.exchange(me.rank ^ 1, me.rank)

print(lockstep.machine("hypercube:3").run(program).counts.steps)
print(lockstep.run("all-to-all", on="torus:12x12").counts.steps)
"""
    assert run(python, "-c", program, cwd=tmp_path, env=environment()).split() == ["1", "8"]
