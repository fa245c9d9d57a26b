"""Builds the module by CMake, for `pip wheel --no-build-isolation python/`.

LOCKSTEP_BUILD_FOLDER names a folder that CMake has configured for the package, to take the module from; otherwise
one is made in build/wheel.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDER = ROOT / "build" / "wheel"
OFF = ("TESTS", "BENCH", "EXAMPLES", "CLI")


def version():
    return re.search(r"^  VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text(), re.MULTILINE).group(1)


def configure(folder):
    subprocess.run(
        [
            *("cmake", "-S", str(ROOT), "-B", str(folder)),
            *(("-G", "Ninja") if shutil.which("ninja") else ()),
            *("-D", "CMAKE_BUILD_TYPE=Release", "-D", "CMAKE_UNITY_BUILD=ON", "-D", "LOCKSTEP_INSTALL=OFF"),
            *("-D", "LOCKSTEP_BUILD_PYTHON=ON"),
            *(word for part in OFF for word in ("-D", f"LOCKSTEP_BUILD_{part}=OFF")),
            *("-D", f"Python3_EXECUTABLE={sys.executable}"),
        ],
        check=True,
    )


class build_by_cmake(build_ext):
    def build_extension(self, ext):
        given = os.environ.get("LOCKSTEP_BUILD_FOLDER")
        folder = pathlib.Path(given).resolve() if given else FOLDER / "cmake"
        if not given:
            configure(folder)
        jobs = os.environ.get("CMAKE_BUILD_PARALLEL_LEVEL", str(os.cpu_count() or 1))
        subprocess.run(["cmake", "--build", folder, "--target", "lockstep_python", "--parallel", jobs], check=True)
        made = pathlib.Path(self.get_ext_fullpath(ext.name))
        made.parent.mkdir(parents=True, exist_ok=True)
        module = folder / "python" / "package" / "lockstep" / made.name
        if not module.exists():
            sys.exit(
                f"{folder} has no module for {sys.executable}, and is configured for another Python: call the pip of "
                "that one, or leave LOCKSTEP_BUILD_FOLDER out, and the library is built for this one"
            )
        shutil.copy(module, made)


FOLDER.mkdir(parents=True, exist_ok=True)
for earlier in FOLDER.glob("lib.*"):  # which may have files that the package has no more
    shutil.rmtree(earlier)
setup(
    version=version(),
    ext_modules=[Extension("lockstep._lockstep", sources=[])],
    cmdclass={"build_ext": build_by_cmake},
    options={"build": {"build_base": str(FOLDER)}, "egg_info": {"egg_base": str(FOLDER)}},
)
