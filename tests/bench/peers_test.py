"""Tests of bench/peers: what is made of times, and what of programs that fail, stall or are wrong."""

import contextlib
import io
import json
import pathlib
import stat
import sys
import tempfile
import unittest
import xml.etree.ElementTree

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "bench" / "peers"))

import compare
import picture
import tables

PRINTS = """#!/bin/sh
case $1 in deadlock) sleep 60 ;; esac
echo "{{\\"seconds\\": {seconds}, \\"bytes\\": 1048576, \\"correct\\": {correct}}}"
"""


def row(rival, seconds, processors=1024, rounds=100, **more):
    made = {"workload": "ring", "words": 1, "processors": processors, "rival": rival, "rounds": rounds,
            "seconds": seconds, "bytes": 2**20, "note": ""}
    return made | more


class Tables(unittest.TestCase):
    def test_ratios_are_those_of_medians_per_round(self):
        rows = [
            row("lockstep", [0.002048, 9, 0.001024, 0.002048, 0.003]),  # 20 ns a processor-step
            row("threads", [0.08192, 0.04096, 0.08192], rounds=50),  # 1,600 ns
        ]
        self.assertEqual(
            tables.ratio_table(rows).splitlines(),
            [
                "| times lockstep's | lockstep | std::thread |",
                "|---|---|---|",
                "| ring, 1 word, p = 1,024 | 20.0 ns | 80 |",
            ],
        )

    def test_a_prefix_has_a_step_for_each_dimension(self):
        prefix = row("lockstep", [0.01024], workload="prefix")
        self.assertAlmostEqual(tables.nanoseconds(prefix), 10)

    def test_an_exchange_is_one_piece_of_work(self):
        exchange = row("lockstep", [0.25], workload="exchange")
        self.assertEqual(tables.ratio_table([exchange]).splitlines()[2], "| exchange, 32x32 | 2.50 ms |")

    def test_a_reason_stands_where_there_is_no_time(self):
        rows = [row("lockstep", [0.1]), row("mpich", [], note="> 60 s")]
        self.assertTrue(tables.ratio_table(rows).endswith("| > 60 s |"))

    def test_a_dash_stands_where_a_smaller_machine_took_too_long(self):
        rows = [row("lockstep", [0.1]), row("mpich", [], note="> 60 s from 64")]
        self.assertTrue(tables.ratio_table(rows).endswith("| – |"))

    def test_memory_is_divided_among_processors(self):
        self.assertTrue(tables.memory_table([row("lockstep", [1])]).endswith("| 1.0 KiB |"))

    def test_numbers_have_two_digits_that_count(self):
        written = [tables.digits(value) for value in (0.853, 1.25, 12.4, 3417, 100)]
        self.assertEqual(written, ["0.85", "1.2", "12", "3,400", "100"])


class Picture(unittest.TestCase):
    def test_there_is_a_line_and_a_label_for_each_rival_with_times(self):
        rows = [row(name, [0.001 * p], p) for name in ("lockstep", "actors") for p in (16, 256)]
        svg = picture.picture([*rows, row("mpich", [], 16, note="fails")], "a ring & a barrier", "time")
        root = xml.etree.ElementTree.fromstring(svg)
        texts = ["".join(each.itertext()) for each in root.iter("{http://www.w3.org/2000/svg}text")]
        self.assertEqual(len(list(root.iter("{http://www.w3.org/2000/svg}polyline"))), 2)
        self.assertIn("lockstep", texts)
        self.assertIn("SimGrid actors", texts)
        self.assertNotIn("MPICH", texts)
        self.assertIn("a ring & a barrier", texts)

    def test_labels_do_not_overlap(self):
        placed = picture.apart([(9, 100, "a", ""), (9, 101, "b", ""), (9, 102, "c", "")], 16)
        self.assertEqual([y for _, y, *_ in placed], [85, 101, 117])


class Runs(unittest.TestCase):
    """The whole script, with shell scripts in place of the programs."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.build = pathlib.Path(folder.name)
        (self.build / "bench" / "peers").mkdir(parents=True)

    def make_program(self, name, text):
        program = self.build / "bench" / "peers" / name
        program.write_text(text)
        program.chmod(program.stat().st_mode | stat.S_IXUSR)

    def run_script(self, *arguments):
        """Its exit status and what it prints; the rows that it writes."""
        results = self.build / "results.json"
        usual = ["--build", str(self.build), "--workloads", "barrier", "--results", str(results),
                 "--repetitions", "3", "--seconds", "0.01", "--limit", "0.5"]
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(io.StringIO()):
            status = compare.main([*usual, *arguments])
        rows = json.loads(results.read_text()) if results.exists() else []
        return status, printed.getvalue(), rows

    def test_all_that_is_found_runs_as_often_as_it_should(self):
        self.make_program("lockstep", PRINTS.format(seconds=0.01, correct="true"))
        self.make_program("threads", PRINTS.format(seconds=0.02, correct="true"))
        status, printed, rows = self.run_script("--rivals", "lockstep,threads,actors", "--sizes", "16")
        self.assertEqual(status, 0)
        self.assertIn("without SimGrid actors: simgrid_actors was not built (libsimgrid-dev)", printed)
        self.assertEqual([each["rival"] for each in rows], ["lockstep", "threads"])
        self.assertEqual([len(each["seconds"]) for each in rows], [3, 3])
        self.assertEqual([each["bytes"] for each in rows], [2**20, 2**20])

    def test_a_wrong_result_is_no_time_and_fails_the_comparison(self):
        self.make_program("lockstep", PRINTS.format(seconds=0.01, correct="true"))
        self.make_program("threads", PRINTS.format(seconds=0.01, correct="false"))
        status, printed, rows = self.run_script("--rivals", "lockstep,threads", "--sizes", "16")
        self.assertEqual(status, 1)
        self.assertIn("| wrong result |", printed)
        self.assertEqual([each["seconds"] for each in rows][1], [])

    def test_a_run_that_takes_too_long_ends_and_larger_machines_are_left_out(self):
        self.make_program("lockstep", PRINTS.format(seconds=0.01, correct="true"))
        self.make_program("threads", "#!/bin/sh\nexec sleep 60\n")
        status, _, rows = self.run_script("--rivals", "lockstep,threads", "--sizes", "16,64", "--limit", "0.2")
        self.assertEqual(status, 0)
        notes = [each["note"] for each in rows if each["rival"] == "threads"]
        self.assertEqual(notes, ["> 0.2 s", "> 0.2 s from 16"])

    def test_machines_of_more_processors_than_a_rival_is_asked_for_are_left_out(self):
        self.make_program("lockstep", PRINTS.format(seconds=0.01, correct="true"))
        _, _, rows = self.run_script("--rivals", "lockstep", "--sizes", "16,64", "--at-most", "lockstep=16")
        self.assertEqual([each["note"] for each in rows], ["", "not above 16"])

    def test_a_program_that_fails_is_left_out_with_that_word(self):
        self.make_program("lockstep", PRINTS.format(seconds=0.01, correct="true"))
        self.make_program("threads", "#!/bin/sh\necho thread 7 cannot start >&2\nexit 3\n")
        _, _, rows = self.run_script("--rivals", "lockstep,threads", "--sizes", "16")
        self.assertEqual([each["note"] for each in rows], ["", "fails"])

    def test_times_that_were_kept_make_the_same_tables(self):
        self.make_program("lockstep", PRINTS.format(seconds=0.01, correct="true"))
        _, printed, _ = self.run_script("--rivals", "lockstep", "--sizes", "16,64", "--workloads", "ring")
        kept, svg = self.build / "results.json", self.build / "ring.svg"
        _, again, _ = self.run_script("--from-results", str(kept), "--picture", str(svg))
        self.assertTrue(printed.endswith(again))
        self.assertIn("lockstep</text>", svg.read_text())

    def test_without_times_of_the_ring_there_is_no_picture(self):
        self.make_program("lockstep", PRINTS.format(seconds=0.01, correct="true"))
        svg = self.build / "ring.svg"
        status, printed, _ = self.run_script("--rivals", "lockstep", "--sizes", "16", "--picture", str(svg))
        self.assertEqual(status, 0)
        self.assertIn("No picture: the ring was not measured", printed)
        self.assertFalse(svg.exists())

    def test_a_deadlock_that_nobody_notices_is_said_to_be_silent(self):
        self.make_program("lockstep", "#!/bin/sh\necho deadlock: $2 processors wait\nexit 3\n")
        self.make_program("threads", PRINTS.format(seconds=1, correct="true"))
        _, printed, _ = self.run_script("--rivals", "lockstep,threads", "--deadlock")
        self.assertIn("ends with status 3:\ndeadlock: 4 processors wait", printed)
        self.assertIn("says nothing in 0.5 s; ended", printed)


if __name__ == "__main__":
    unittest.main()
