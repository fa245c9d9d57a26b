"""What scripts/check_layers says of includes, in a small project of its own."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parent.parent.parent / "scripts" / "check_layers"

FILES = {
    "core/include/lockstep/machine.hpp": "#pragma once\n",
    "core/include/lockstep/claim.hpp": "#pragma once\n#include <lockstep/machine.hpp>\n",
    "core/include/lockstep/traces/trace.hpp": "#pragma once\n#include <lockstep/machine.hpp>\n",
    "core/src/machine/columns.hpp": "#pragma once\n",
    "core/src/engine/runtime.hpp": "#pragma once\n#include <vector>\n",
    "core/src/machine/machine.cpp": '#include "engine/runtime.hpp"\n#include "columns.hpp"\n',
    "core/src/analysis/claim.cpp": '#include <lockstep/claim.hpp>\n\n#include "machine/columns.hpp"\n',
    "view/include/lockstep/traces/view_trace.hpp": "#pragma once\n#include <lockstep/traces/trace.hpp>\n",
    "view/src/page.cpp": "#include <zlib.h>\n",
    "topologies/include/lockstep/topologies/torus.hpp": "#pragma once\n#include <lockstep/machine.hpp>\n",
    "algorithms/include/lockstep/algorithms/shift.hpp": "#pragma once\n#include <lockstep/topologies.hpp>\n",
    "algorithms/src/shape.hpp": "#pragma once\n",
    "algorithms/experiments/src/shift.cpp": '#include "shape.hpp"\n',
    "cli/main.cpp": "#include <lockstep/traces/view_trace.hpp>\n#include <lockstep/lockstep.hpp>\n",
}


class CheckLayers(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.root = pathlib.Path(scratch.name)
        for name, text in FILES.items():
            self.write(name, text)

    def write(self, name, text):
        file = self.root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def said(self, status):
        done = subprocess.run([sys.executable, SCRIPT, self.root], capture_output=True, text=True)
        self.assertEqual(done.stderr, "")
        self.assertEqual(done.returncode, status, done.stdout)
        return done.stdout

    def planted(self, name, include):
        self.write(name, FILES.get(name, "") + f"#include {include}\n")
        return self.said(1)

    def test_what_goes_down_is_right(self):
        self.assertEqual(self.said(0), "")

    def test_the_machine_knows_no_traces(self):
        self.assertEqual(
            self.planted("core/src/machine/machine.cpp", "<lockstep/traces/trace.hpp>"),
            "core/src/machine/machine.cpp:3: core/machine includes lockstep/traces/trace.hpp of core/traces; "
            "it may use core/interface, core/engine\n",
        )
        self.write("core/src/machine/machine.cpp", "")
        self.assertEqual(
            self.planted("core/include/lockstep/machine.hpp", "<lockstep/traces/view_trace.hpp>"),
            "core/include/lockstep/machine.hpp:2: core/interface includes lockstep/traces/view_trace.hpp of view; "
            "it may use no other part\n",
        )

    def test_the_engine_knows_no_analysis(self):
        self.assertIn(
            "core/src/engine/runtime.hpp:3: core/engine includes lockstep/claim.hpp of core/analysis",
            self.planted("core/src/engine/runtime.hpp", "<lockstep/claim.hpp>"),
        )

    def test_no_library_goes_up(self):
        for name, include, said in [
            ("core/src/analysis/claim.cpp", "<lockstep/topologies/torus.hpp>", "core/analysis includes"),
            ("topologies/include/lockstep/topologies/torus.hpp", "<lockstep/algorithms.hpp>", "of algorithms"),
            ("topologies/src/torus.cpp", "<lockstep/traces/view_trace.hpp>", "topologies includes"),
            ("algorithms/src/shift.cpp", '"main.cpp"', "of cli"),
            ("view/src/page.cpp", "<lockstep/topologies/torus.hpp>", "view includes"),
        ]:
            with self.subTest(name):
                self.assertIn(said, self.planted(name, include))
                self.write(name, FILES.get(name, ""))

    def test_what_is_private_stays_so(self):
        self.assertEqual(
            self.planted("view/src/other.cpp", '"engine/runtime.hpp"'),
            "view/src/other.cpp:1: view includes engine/runtime.hpp, which core/engine keeps to itself\n",
        )

    def test_pages_alone_are_compressed(self):
        self.assertEqual(
            self.planted("core/src/traces/trace.cpp", "<zlib.h>"),
            "core/src/traces/trace.cpp:1: core/traces includes zlib.h, which is for view\n",
        )

    def test_a_circle_in_the_table_is_found(self):
        broken = SCRIPT.read_text().replace('"topologies": (["topologies"], ["core"])',
                                            '"topologies": (["topologies"], ["core", "cli"])')
        self.write("check_layers", broken)
        done = subprocess.run([sys.executable, self.root / "check_layers", self.root], capture_output=True, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertTrue(done.stdout.startswith("parts in a circle: "), done.stdout)


if __name__ == "__main__":
    unittest.main()
