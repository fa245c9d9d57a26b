"""The Debian package: packed, looked into, and used from where it is unpacked.

LOCKSTEP_BUILD_FOLDER names the build folder to pack from; without it, nothing is tested.
"""

import importlib.util
import os
import pathlib
import re
import shutil
import sys
import sysconfig

import pytest
from commands import run

PYTHON = pathlib.Path(__file__).parents[1]
FOLDER = os.environ.get("LOCKSTEP_BUILD_FOLDER")
PLACE = "usr/lib/python3/dist-packages/lockstep"

pytestmark = [
    pytest.mark.skipif(FOLDER is None, reason="LOCKSTEP_BUILD_FOLDER is not set"),
    pytest.mark.skipif(not all(map(shutil.which, ("cpack", "dpkg-shlibdeps", "file"))), reason="nothing makes packages"),
]


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    folder = tmp_path_factory.mktemp("package")
    config = pathlib.Path(FOLDER) / "CPackConfig.cmake"
    run("cpack", "--config", config, "-D", "CPACK_COMPONENTS_ALL=lockstep_python", "-B", folder, cwd=folder)
    [made] = folder.rglob("*.deb")
    return made


def test_what_the_package_says(package):
    version = re.search(r"\bproject\(\s*lockstep\s+VERSION ([0-9.]+)", (PYTHON.parent / "CMakeLists.txt").read_text()).group(1)
    fields = dict(re.findall(r"^([A-Z][\w-]*): (.*)$", run("dpkg-deb", "--field", package), re.MULTILINE))
    assert (fields["Package"], fields["Version"]) == ("python3-lockstep", version)
    needed = fields["Depends"]
    assert f"python3 (<< 3.{sys.version_info.minor + 1})" in needed and "libboost-context" in needed and "libtbb" in needed
    assert fields["Recommends"] == "python3-greenlet, python3-numpy"


def test_what_is_in_the_package(package):
    lines = [line.split(maxsplit=5) for line in run("dpkg-deb", "--contents", package).splitlines()]
    assert {line[1] for line in lines} == {"root/root"}
    names = {line[5].removeprefix("./") for line in lines if not line[0].startswith("d")}
    files = {file.relative_to(PYTHON / "lockstep") for file in (PYTHON / "lockstep").rglob("*") if file.is_file()}
    files = {file.as_posix() for file in files if "__pycache__" not in file.parts}
    module = "_lockstep" + sysconfig.get_config_var("EXT_SUFFIX")
    assert {name for name in names if name.startswith(PLACE)} == {f"{PLACE}/{name}" for name in {*files, module}}
    documents = "usr/share/doc/python3-lockstep"
    notebooks = {f"examples/notebooks/{path.name}" for path in (PYTHON.parent / "examples" / "notebooks").glob("*.ipynb")}
    assert {name for name in names if name.startswith("usr/share")} == {
        f"{documents}/{name}" for name in {"copyright", "changelog.gz", *notebooks}
    }
    assert all(name.startswith((PLACE, documents)) for name in names)


def test_it_is_used_from_where_it_is_unpacked(package, tmp_path):
    run("dpkg-deb", "--extract", package, tmp_path / "root")
    place = tmp_path / "root" / "usr" / "lib" / "python3" / "dist-packages"
    program = "import lockstep\nasync def program(me):\n    return await me.exchange(me.rank ^ 1, me.rank)\n"
    program += "run = lockstep.machine('hypercube:3').run(program)\n"
    program += "print(lockstep.__file__, run.counts.steps, lockstep.run('all-to-all', on='torus:12x12').counts.steps)\n"
    environment = {**os.environ, "PYTHONPATH": str(place)}
    used, *steps = run(sys.executable, "-B", "-c", program, cwd=tmp_path, env=environment).split()
    assert pathlib.Path(used).is_relative_to(tmp_path) and steps == ["1", "8"]
    if importlib.util.find_spec("greenlet"):
        words = [sys.executable, "-B", "-m", "lockstep.mpi", "-n", "4", PYTHON / "tests" / "mpi_programs" / "pi.py"]
        assert run(*words, cwd=tmp_path, env=environment).startswith("pi is about 3.14159")
    for line in run("ldd", next((place / "lockstep").glob("*.so"))).splitlines():
        assert "not found" not in line and "build" not in line
