#include <filesystem>
#include <string>

#include <nlohmann/json.hpp>

#include "../catch.hpp"
#include "contains.hpp"
#include "refusal.hpp"
#include "shell.hpp"
#include "well_formed.hpp"

// Runs and sweeps beside each other, as a shell runs `lockstep compare`.

namespace {

void check_compare_refused(std::string const& arguments, std::string const& part) {
  INFO("lockstep compare " << arguments);
  check_refusal(lockstep_with("compare " + arguments), part);
}

std::string printed_to(scratch_directory const& scratch, std::string const& name,
                       std::string const& arguments) {
  return scratch.write(name, lockstep_with(arguments + " --json").out).string();
}

}  // namespace

TEST_CASE("compare: two runs stand beside each other, with their ratio") {
  auto const run = lockstep_with(
      "compare 'all-reduce --on ring:8 --scheme ring' 'all-reduce --on ring:8 --scheme tree'");
  CHECK(run.status == 0);
  CHECK(contains(run.out, "A  all-reduce --on ring:8 --scheme ring\n"));
  CHECK(contains(run.out, "figure"));
  CHECK(contains(run.out, "B/A\n"));
  CHECK(contains(run.out, "steps "));
  CHECK_FALSE(contains(run.out, "time "));
  CHECK(contains(
      lockstep_with("compare 'prefix --on tree:8 --model paragon' 'prefix --on tree:8'").out,
      "time "));
}

TEST_CASE(
    "compare: spans stand beside each other where runs count work, and makespans where they idle") {
  auto const run = lockstep_with(
      "compare 'reduce --on crossbar:4 --summands 4' 'reduce --on crossbar:4 --summands 16'");
  CHECK(run.status == 0);
  CHECK(contains(run.out, "\nspan "));
  CHECK(contains(run.out, "\nwork "));
  CHECK_FALSE(
      contains(lockstep_with("compare 'prefix --on tree:4' 'prefix --on tree:8'").out, "span"));
}

TEST_CASE("compare: a file of a run is as good as the run") {
  scratch_directory const scratch;
  auto const file = printed_to(scratch, "a.json", "run prefix --on tree:8");
  auto const run = lockstep_with("compare --equal " + file + " 'prefix --on tree:8'");
  CHECK(run.status == 0);
  CHECK(contains(run.out, "steps"));
  auto const other = printed_to(scratch, "b.json", "run prefix --on tree:9");
  CHECK(lockstep_with("compare " + file + ' ' + other).status == 0);
  CHECK(lockstep_with("compare --equal " + file + ' ' + other).status == 1);
}

TEST_CASE("compare: rows of sweeps stand beside each other where the same was given") {
  scratch_directory const scratch;
  auto const ring =
      printed_to(scratch, "a.json", "sweep all-reduce --on ring:8 --scheme ring --words 1,4,16");
  auto const tree =
      printed_to(scratch, "b.json", "sweep all-reduce --on ring:8 --scheme tree --words 1,4,64");
  auto const run = lockstep_with("compare " + ring + ' ' + tree);
  CHECK(run.status == 0);
  CHECK(contains(run.out, "words 4"));
  CHECK_FALSE(contains(run.out, "words 16"));
  CHECK(contains(run.out,
                 "2 rows beside each other, 0 with equal counts; 1 in A alone, 1 in B alone\n"));
  CHECK(lockstep_with("compare --equal " + ring + ' ' + tree).status == 1);
  auto const same = lockstep_with("compare --equal " + ring + ' ' + ring);
  CHECK(same.status == 0);
  CHECK(contains(same.out, "3 rows beside each other, 3 with equal counts; 0 in A alone"));
}

TEST_CASE("compare: a picture has bars for the figures of two runs") {
  scratch_directory const scratch;
  auto const file = scratch.file("both.svg").string();
  auto const runs = std::string(
      "compare 'all-reduce --on ring:8 --scheme ring' 'all-reduce --on ring:8 --scheme tree'");
  auto const drawn = lockstep_with(runs + " --plot " + file);
  CHECK(drawn.status == 0);
  CHECK(drawn.out == lockstep_with(runs).out);
  auto const svg = read_file(file);
  CHECK(is_well_formed(svg));
  CHECK(contains(svg, "<title>steps of A: 14</title>"));
  CHECK(contains(svg, "<title>steps of B: 8</title>"));
  CHECK(contains(svg, ">0.5714</text>"));
  CHECK(contains(svg, "compare &quot;all-reduce --on ring:8 --scheme ring&quot;"));
  CHECK(contains(svg, ">all-reduce --on ring:8 --scheme tree</text>"));
  REQUIRE(lockstep_with(runs + " --plot " + file).status == 0);
  CHECK(read_file(file) == svg);
  auto const pdf = scratch.file("both.pdf").string();
  REQUIRE(lockstep_with(runs + " --plot " + pdf).status == 0);
  CHECK(read_file(pdf).starts_with("%PDF-"));
}

TEST_CASE("compare: a picture has curves of two sweeps, of times or else of steps") {
  scratch_directory const scratch;
  auto const sweep = std::string("sweep all-reduce --on ring:8 --words 1,4,16 --scheme ");
  auto const ring = printed_to(scratch, "a.json", sweep + "ring");
  auto const tree = printed_to(scratch, "b.json", sweep + "tree");
  auto const file = scratch.file("both.svg").string();
  REQUIRE(lockstep_with("compare " + ring + ' ' + tree + " --plot " + file).status == 0);
  auto const steps = read_file(file);
  CHECK(is_well_formed(steps));
  CHECK(contains(steps, ">words</text>"));
  CHECK(contains(steps, ">steps</text>"));
  CHECK(contains(steps, "<title>A</title></polyline>"));
  CHECK(contains(steps, "<title>B</title></polyline>"));
  auto const priced_ring = printed_to(scratch, "c.json", sweep + "ring --model paragon");
  auto const priced_tree = printed_to(scratch, "d.json", sweep + "tree --model paragon");
  REQUIRE(lockstep_with("compare " + priced_ring + ' ' + priced_tree + " --plot " + file).status ==
          0);
  CHECK(contains(read_file(file), ">time ("));
}

TEST_CASE("compare: a picture that cannot be is refused in one line, before anything is printed") {
  scratch_directory const scratch;
  std::string const runs = "'prefix --on tree:4' 'prefix --on tree:8'";
  check_compare_refused(runs + " --plot both.png", "ends in .svg or .pdf");
  check_compare_refused(runs + " --plot both", "ends in .svg or .pdf");
  check_compare_refused(runs + " --plot ''", "--plot needs a value");
  check_compare_refused(runs + " --plot " + scratch.file("none/both.svg").string(), "none");
  auto const file = scratch.file("both.svg");
  check_compare_refused(
      "'prefix --on tree:4 --model paragon' 'prefix --on tree:4 --model "
      "unit-steps' --plot " +
          file.string(),
      "have no axis together");
  CHECK_FALSE(std::filesystem::exists(file));
}

TEST_CASE("compare: bad usage is refused in one line") {
  scratch_directory const scratch;
  auto const run = printed_to(scratch, "a.json", "run prefix --on tree:8");
  auto const sweep = printed_to(scratch, "b.json", "sweep prefix --on tree:8");
  auto const text = scratch.write("c.json", "steps 7\n").string();
  auto const other = scratch.write("d.json", "{\"sweep\": 2}").string();
  auto const list = scratch.write("e.json", "[1, 2]").string();
  check_compare_refused("", "name two files, or runs in quotes");
  check_compare_refused(run, "name two files, or runs in quotes");
  check_compare_refused(run + ' ' + run + " more", "unexpected argument 'more'");
  check_compare_refused(run + " missing.json", "there is no file 'missing.json'");
  check_compare_refused(run + ' ' + sweep, "is a sweep, and the other a run");
  check_compare_refused(run + ' ' + text, "this is not JSON");
  check_compare_refused(run + ' ' + other, "a version of `sweep` that is not known");
  check_compare_refused(run + ' ' + list, "this is not of lockstep");
  check_compare_refused(run + ' ' + scratch.file("").string(), "this is a folder");
  check_compare_refused(run + " 'prefix --on'", "--on needs a value");
  check_compare_refused(run + " 'prefix --on tree:8 --json'",
                        "without options that print or write");
  check_compare_refused(run + " 'prefix --on nowhere:8'", "nowhere");
}

TEST_CASE("compare: programs with algorithms of their own have it, too") {
  auto const run =
      in_shell(LOCKSTEP_OWN_PROGRAM " compare 'right --on hypercube:3' 'right --on hypercube:4'");
  CHECK(run.status == 0);
  CHECK(contains(run.out, "processors"));
}
