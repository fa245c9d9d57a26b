"""What scripts/compile_alone says of sources, in a small project of its own."""

import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parent.parent.parent / "scripts" / "compile_alone"

FILES = {
    # A header, one that includes it, and sources that include one, the other, or neither.
    "core/number.hpp": "#pragma once\nusing number = long;\n",
    "core/pair.hpp": '#pragma once\n#include "number.hpp"\nstruct pair { number first, second; };\n',
    "core/direct.cpp": '#include "core/number.hpp"\nnumber one() { return 1; }\n',
    "core/indirect.cpp": '#include <core/pair.hpp>\nnumber first(pair of) { return of.first; }\n',
    "cli/apart.cpp": "int two() { return 2; }\n",
    # A header with a source of its name, another that includes it, and a header of that name elsewhere.
    "view/page.hpp": "#pragma once\nint pages();\n",
    "view/all.cpp": '#include "view/page.hpp"\nint all() { return pages(); }\n',
    "view/page.cpp": '#include "view/page.hpp"\nint pages() { return 3; }\n',
    "cli/page.hpp": "#pragma once\nint lines();\n",
    "cli/lines.cpp": '#include "cli/page.hpp"\nint lines() { return 4; }\n',
}


class CompileAlone(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.addCleanup(self.scratch.cleanup)
        self.root = pathlib.Path(self.scratch.name)
        (self.root / "scripts").mkdir()
        shutil.copy(SCRIPT, self.root / "scripts")
        for name, text in FILES.items():
            self.write(name, text)

    def write(self, name, text):
        file = self.root / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)

    def run_on(self, sources, *options, compiler=None):
        database = [
            {
                "directory": str(self.root),
                "command": f"{compiler or COMPILER} -I{self.root} -o {source}.o -c {self.root / source}",
                "file": str(self.root / source),
            }
            for source in sources
        ]
        self.write("compile_commands.json", json.dumps(database))
        return subprocess.run(
            [sys.executable, self.root / "scripts/compile_alone", self.root / "compile_commands.json", *options],
            capture_output=True,
            text=True,
        )

    def affected_by(self, *changed):
        self.write("changed", "\n".join(changed) + "\n")
        return self.run_on(SOURCES, "--affected-by", self.root / "changed").stdout

    def covering(self, *edited):
        """The sources that are compiled for these, found by a compiler that refuses all."""
        self.write("edited", "\n".join(edited) + "\n")
        said = self.run_on(SOURCES, "--covering", self.root / "edited", compiler="false").stdout
        return sorted(re.findall("^(.*) does not compile", said, re.MULTILINE))

    def test_sources_that_include_what_they_use_pass(self):
        ended = self.run_on(SOURCES)
        self.assertEqual(ended.stdout, f"{len(SOURCES)} sources, each by itself: 0 do not compile\n")
        self.assertEqual(ended.returncode, 0)

    def test_each_include_that_is_removed_is_found(self):
        for name in ["core/pair.hpp", "core/direct.cpp", "core/indirect.cpp"]:
            with self.subTest(name):
                text = FILES[name]
                self.write(name, "\n".join(line for line in text.split("\n") if "#include" not in line))
                ended = self.run_on(SOURCES)
                self.write(name, text)
                self.assertEqual(ended.returncode, 1)
                self.assertIn("1 do not compile", ended.stdout)
                self.assertIn("error:", ended.stdout)
        self.assertIn("core/indirect.cpp does not compile by itself:", ended.stdout)

    def test_nothing_is_made(self):
        self.run_on(SOURCES)
        self.assertEqual(list(self.root.rglob("*.o")), [])

    def test_a_source_that_the_build_makes_is_left_out(self):
        self.assertIn("1 sources,", self.run_on(["cli/apart.cpp", "cli/generated.cpp"]).stdout)

    def test_a_folder_is_chosen(self):
        self.assertIn("2 sources,", self.run_on(SOURCES, "--folder", "core").stdout)
        self.assertIn("4 sources,", self.run_on(SOURCES, "--folder", "core", "cli").stdout)

    def test_what_a_changed_file_affects_is_chosen(self):
        self.assertIn("2 sources,", self.affected_by("core/number.hpp"))
        self.assertIn("1 sources,", self.affected_by("core/pair.hpp"))
        self.assertIn("1 sources,", self.affected_by("cli/apart.cpp"))
        self.assertIn("2 sources,", self.affected_by("cli/apart.cpp", "core/direct.cpp"))
        self.assertIn("0 sources,", self.affected_by("README.md"))


    def test_one_source_covers_an_edited_header(self):
        self.assertEqual(self.covering("core/direct.cpp"), ["core/direct.cpp"])
        self.assertEqual(self.covering("core/number.hpp"), ["core/direct.cpp"])
        self.assertEqual(self.covering("core/pair.hpp"), ["core/indirect.cpp"])
        self.assertEqual(self.covering("core/number.hpp", "core/direct.cpp"), ["core/direct.cpp"])
        self.assertEqual(self.covering("view/page.hpp"), ["view/page.cpp"])
        self.assertEqual(self.covering("view/page.hpp", "view/all.cpp"), ["view/all.cpp", "view/page.cpp"])
        self.assertEqual(self.covering("cli/page.hpp"), ["cli/lines.cpp"])
        self.assertEqual(self.covering("README.md", "gone.cpp", "gone.hpp"), [])

    def test_an_include_that_an_edited_header_lacks_is_found(self):
        self.write("core/pair.hpp", "#pragma once\nstruct pair { number first, second; };\n")
        self.write("edited", "core/pair.hpp\n")
        ended = self.run_on(SOURCES, "--covering", self.root / "edited")
        self.assertEqual(ended.returncode, 1)
        self.assertIn("core/indirect.cpp does not compile by itself:", ended.stdout)


SOURCES = [name for name in FILES if name.endswith(".cpp")]
COMPILER = sys.argv.pop(1)

if __name__ == "__main__":
    unittest.main()
