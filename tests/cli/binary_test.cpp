#include <sys/resource.h>

#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "../catch.hpp"
#include "contains.hpp"
#include "refusal.hpp"
#include "shell.hpp"

// The real executable, as a shell runs it.

namespace {

using namespace std::string_literals;

/// Checks that the command is refused: status 2, nothing printed, one line that has `part`.
void check_refused(std::string const& arguments, std::string const& part) {
  INFO("lockstep " << arguments);
  check_refusal(lockstep_with(arguments), part);
}

/// An n x n matrix: row r has the numbers first + r n ... ; one row a line.
std::string matrix(int size, bool transposed) {
  std::ostringstream text;
  for (int row = 0; row < size; ++row)
    for (int column = 0; column < size; ++column)
      text << (transposed ? column * size + row : row * size + column)
           << (column + 1 == size ? '\n' : ' ');
  return text.str();
}

std::vector<long> numbers_of(std::string const& text) {
  std::istringstream words(text);
  std::vector<long> numbers;
  for (long number = 0; words >> number;) numbers.push_back(number);
  return numbers;
}

}  // namespace

TEST_CASE("lockstep list, --help and --version succeed quietly", "[binary]") {
  for (auto const* arguments :
       {"list", "list --json", "--help", "run --help", "explain --help", "--version"}) {
    INFO(arguments);
    auto const done = lockstep_with(arguments);
    CHECK(done.status == 0);
    CHECK_FALSE(done.out.empty());
    CHECK(done.err.empty());
  }
  CHECK(contains(lockstep_with("list").out, "all-to-all"));
  CHECK(lines_of(lockstep_with("--version").out) == 1);
}

TEST_CASE("the complete exchange on a 12x12 torus counts what the paper says",
          "[binary][sanitize]") {
  auto const done = lockstep_with("run all-to-all --on torus:12x12 --json --model paragon");
  REQUIRE(done.status == 0);
  CHECK(done.err.empty());
  auto const json = nlohmann::json::parse(done.out);
  CHECK(json.at("algorithm") == "all-to-all");
  CHECK(json.at("topology") == "torus:12x12");
  CHECK(json.at("processors") == 144);
  CHECK(json.at("parameters").at("words") == 1);
  CHECK(json.at("correct") == true);
  CHECK(json.at("counts") ==
        nlohmann::json::parse(
            R"({"steps": 8, "rounds": 8, "startups": 8, "words": 576, "volume": 82944,
                "messages": 1152, "hops": 22, "barriers": 7, "rearrangements": 3,
                "rearranged": 432, "contention": 1, "serialised_steps": 8, "queued": 0})"));
  std::vector<int> phase_steps;
  for (auto const& phase : json.at("phases")) phase_steps.push_back(phase.at("steps"));
  CHECK(phase_steps == std::vector<int>{2, 2, 2, 2});
  CHECK_FALSE(json.at("claims").empty());
  for (auto const& claim : json.at("claims")) CHECK(claim.at("holds") == true);
  // 8 start-ups of 75, 576 words, 22 hops, 7 barriers of 126 log2(144) - 113, 432 words re-laid
  double const microseconds =
      8 * 75 + 576 * 0.011 + 22 * 0.02 + 7 * 790.4105501817308 + 432 * 0.014;
  CHECK_THAT(json.at("time").at("value").get<double>(),
             Catch::Matchers::WithinRel(microseconds, 1e-12));
  CHECK(json.at("seconds").get<double>() > 0);
}

TEST_CASE("a mesh, wider blocks and the other engine do as well", "[binary][sanitize]") {
  auto const json_of = [](std::string const& options) {
    auto const done = lockstep_with("run all-to-all --json --on " + options);
    INFO(done.err);
    REQUIRE(done.status == 0);
    return nlohmann::json::parse(done.out);
  };
  auto const mesh = json_of("mesh:6x6 --words 5");
  CHECK(mesh.at("counts").at("words") == 5 * 108);
  CHECK(mesh.at("parameters").at("words") == 5);
  auto const fibers = json_of("torus:8x4 --seed 9 --workers 2");
  auto const threads = json_of("torus:8x4 --seed 9 --engine threads");
  auto const copied = json_of("torus:8x4 --seed 9 --stacks copied");
  CHECK(fibers.at("counts") == threads.at("counts"));
  CHECK(fibers.at("phases") == threads.at("phases"));
  CHECK(fibers.at("counts") == copied.at("counts"));
  CHECK(fibers.at("phases") == copied.at("phases"));
}

TEST_CASE("routes and binomial trees take the steps that are claimed", "[binary]") {
  auto const steps_of = [](std::string const& arguments) {
    auto const done = lockstep_with("run " + arguments + " --json");
    INFO(arguments << ": " << done.err);
    REQUIRE(done.status == 0);
    auto const json = nlohmann::json::parse(done.out);
    CHECK(json.at("correct") == true);
    CHECK_FALSE(json.at("claims").empty());
    for (auto const& claim : json.at("claims")) CHECK(claim.at("holds") == true);
    return json.at("counts").at("steps").get<int>();
  };
  for (auto const* const seed : {"", " --seed 2", " --seed 1234567"}) {
    CHECK(steps_of(std::string("concentrate --on hypercube:4 --k 3") + seed) == 3 + 4 - 1);
    CHECK(steps_of(std::string("inverse-concentrate --on hypercube:5 --k 9") + seed) == 9 + 5 - 1);
    CHECK(steps_of(std::string("monotone-route --on hypercube:4 --k 3") + seed) == 3 * 6);
    CHECK(steps_of(std::string("msbt-broadcast --on hypercube:4 --k 8") + seed) == 8 + 4 - 1);
    CHECK(steps_of(std::string("msbt-sum --on hypercube:4 --k 8 --root 6") + seed) == 8 + 4 - 1);
  }
  CHECK(steps_of("concentrate --on hypercube:4 --k 3 --ports all") == 6);
  CHECK(steps_of("concentrate --on hypercube:4 --k 1 --ports one --engine threads") == 4);
  CHECK(steps_of("concentrate --on hypercube:0") == 0);
  CHECK(steps_of("msbt-broadcast --on hypercube:4 --k 8 --plain") == 8 + 4);
  CHECK(steps_of("msbt-sum --plain --on hypercube:4 --k 8 --engine threads") == 8 + 4);
  CHECK(steps_of("msbt-sum --on hypercube:0 --plain") == 0);
  CHECK(steps_of("msbt-sum --on hypercube:1 --k 5 --plain") == 5);
}

TEST_CASE("a flag is printed as it was given", "[binary]") {
  std::string const run = "run msbt-broadcast --on hypercube:2 --k 2";
  auto const plain_in = [](std::string const& arguments) {
    return nlohmann::json::parse(lockstep_with(arguments + " --json").out)
        .at("parameters")
        .at("plain");
  };
  CHECK(plain_in(run + " --plain") == true);
  CHECK(plain_in(run) == false);
  CHECK(contains(lockstep_with(run + " --plain").out, "k 2, plain yes, root 0"));
  CHECK(contains(lockstep_with(run).out, "k 2, root 0"));
}

TEST_CASE("routes and binomial trees refuse what they cannot do", "[binary]") {
  for (std::string const name : {"concentrate", "inverse-concentrate", "monotone-route"})
    check_refused("run " + name + " --on hypercube:4 --k 2 --ports per-pass",
                  "take --ports one or all, or --k 1");
  for (std::string const name :
       {"concentrate", "inverse-concentrate", "monotone-route", "msbt-broadcast", "msbt-sum"}) {
    check_refused("run " + name + " --on torus:4x4", "hypercube:4");
    check_refused("run " + name + " --on hypercube:4 --k 0", "k has to be at least 1, not 0");
    check_refused("run " + name + " --on hypercube:4 --k many", "--k: 'many'");
    check_refused("run " + name + " --on hypercube:30 --k 50000", "MiB");
    check_refused("run " + name, "--on hypercube:4");
  }
  check_refused("run concentrate --on hypercube:4 --plain", "has no parameter --plain");
  check_refused("run msbt-sum --on hypercube:4 --plain=some", "leave out 'some'");
  check_refused("run msbt-sum --on hypercube:4 --root 16", "root has to be at most 15");
  check_refused("run msbt-sum --on hypercube:4 --root -1", "root has to be at least 0");
}

TEST_CASE("the table for people has the claims, the phases and the verdict", "[binary]") {
  auto const done = lockstep_with("run all-to-all --on torus:12x12 --table --model paragon");
  REQUIRE(done.status == 0);
  for (auto const* part :
       {"all-to-all on torus:12x12: 144 processors", "measured", "claimed", "Suh and Shin 2001",
        "holds", "port words", "largest message", " us (paragon)", "correct    yes", "wall time"}) {
    INFO(part);
    CHECK(contains(done.out, part));
  }
  CHECK_FALSE(contains(done.out, "WRONG"));
}

TEST_CASE("bad usage ends with status 2 and one line", "[binary]") {
  check_refused("", "lockstep list");
  check_refused("rnu", "did you mean run?");
  check_refused("run", "name an algorithm");
  check_refused("run all-to-al --on torus:8x8", "did you mean all-to-all or");
  check_refused("run all-to-all", "--on torus:12x12");
  check_refused("run all-to-all --on turos:8x8", "torus");
  check_refused("run all-to-all --on torus:8xx8", "8xx8");
  check_refused("run all-to-all --on torus:0x8", "0");
  check_refused("run all-to-all --on torus:6x8 --scheme paper", "torus:4x8 or torus:8x8");
  check_refused("run all-to-all --on mesh:6x8 --scheme stride-2", "torus:6x8");
  check_refused("run all-to-all --on torus:6x8 --scheme fastest",
                "auto, virtual, stride-2, paper, fewest-rearrangements");
  check_refused("run all-to-all --on torus:8x8x4x4 --groups 8x8,4", "leaves out");
  check_refused("run all-to-all --on torus:8x8x4x4 --groups 8x8,4,4", "two or more");
  check_refused("run all-to-all --on hypercube:4 --scheme paper", "all-to-all");
  check_refused("run all-to-all --on torus:8x8 --words 0", "words");
  check_refused("run all-to-all --on torus:8x8 --words many", "--words");
  check_refused("run all-to-all --on torus:8x8 --wrods 3", "--words");
  check_refused("run all-to-all --on torus:8x8 --ports two", "one, all, per-pass");
  check_refused("run all-to-all --on torus:8x8 --engine steam", "fibers, threads");
  check_refused("run all-to-all --on torus:8x8 --model paragn", "did you mean paragon?");
  check_refused("run all-to-all --on torus:8x8 --json --table", "not both");
  check_refused("run all-to-all --on torus:8x8 --trace /nowhere/t.csv", "/nowhere/t.csv");
  check_refused("run all-to-all --on torus:8x8 --trace /nowhere/t.csv", "No such file");
  check_refused("run all-to-all --on torus:8x8 --trace t.svg",
                ".json (Chrome trace events, for Perfetto), .csv");
  check_refused("run all-to-all --on torus:8x8 --trace /dev/null",
                ".goal (for LogGOPSim), .dot (Graphviz) or .html");
  check_refused("run prefix --on hypercube:11 --trace /nowhere/t.dot", "1024 processors");
  check_refused("run all-to-all --on torus:8x8 --json --words -1", "words");
}

TEST_CASE("a matrix from a file is transposed into a file", "[binary][sanitize]") {
  scratch_directory const scratch;
  for (int const size : {16, 48}) {
    auto const input = scratch.write("matrix.txt", matrix(size, false));
    auto const output = scratch.file("transposed.txt");
    auto const done = lockstep_with("run all-to-all --on torus:4x4 --json --input " +
                                    input.string() + " --output " + output.string());
    INFO(done.err);
    REQUIRE(done.status == 0);
    CHECK(numbers_of(read_file(output)) == numbers_of(matrix(size, true)));
    CHECK(lines_of(read_file(output)) == size);
    auto const rows = size / 16;
    CHECK(nlohmann::json::parse(done.out).at("parameters").at("words") == rows * rows);
  }
}

TEST_CASE("a file that is not a matrix ends with status 2 and one line", "[binary]") {
  scratch_directory const scratch;
  auto const check = [&](std::string const& text, std::string const& part) {
    auto const input = scratch.write("matrix.txt", text);
    check_refused("run all-to-all --on torus:4x4 --input " + input.string(), part);
  };
  check("", "matrix.txt");
  check("1 2 3\n4 5\n6 7 8\n", "matrix.txt");
  check("1 2\nx 4\n", "x");
  check(matrix(8, false), "16");
  check_refused("run all-to-all --on torus:4x4 --input /nowhere/matrix.txt", "/nowhere/matrix.txt");
}

TEST_CASE("a .npy matrix is transposed into a .npy file", "[binary][sanitize]") {
  scratch_directory const scratch;
  auto const text = scratch.write("matrix.txt", matrix(16, false)).string();
  auto const npy = scratch.file("matrix.npy").string();
  auto const back = scratch.file("back.txt");
  auto const run = [](std::string const& input, std::string const& output) {
    auto const done =
        lockstep_with("run all-to-all --on torus:4x4 --input " + input + " --output " + output);
    INFO(done.err);
    REQUIRE(done.status == 0);
  };
  run(text, npy);
  auto const bytes = read_file(npy);
  CHECK(bytes.size() == 128 + 16 * 16 * 8);
  CHECK(bytes.starts_with("\x93NUMPY"));
  CHECK(contains(bytes, "{'descr': '<i8', 'fortran_order': False, 'shape': (16, 16), }"));
  run(npy, back.string());
  CHECK(numbers_of(read_file(back)) == numbers_of(matrix(16, false)));
  run(npy, npy);  // in place
  run(npy, back.string());
  CHECK(numbers_of(read_file(back)) == numbers_of(matrix(16, true)));
}

TEST_CASE("pipes will do for files", "[binary]") {
  scratch_directory const scratch;
  auto const text = scratch.write("matrix.txt", matrix(16, false)).string();
  auto const npy = scratch.file("matrix.npy").string();
  REQUIRE(
      lockstep_with("run all-to-all --on torus:4x4 --input " + text + " --output " + npy).status ==
      0);
  for (auto const& input : {text, npy}) {
    auto const done = lockstep_with(
        "run all-to-all --on torus:4x4 --input /dev/stdin "
        "--output /dev/stdout <" +
        input + " | cat");
    CHECK(done.out.starts_with(matrix(16, input == text)));
  }
  auto const piped = scratch.file("piped.npy").string();
  auto const done = lockstep_with("--version >/dev/null; cat " + npy +
                                  " | '" LOCKSTEP_BINARY
                                  "' run all-to-all --on torus:4x4 --input /dev/stdin --output " +
                                  piped);
  CHECK(done.status == 0);
  CHECK(read_file(piped).size() == read_file(npy).size());
}

TEST_CASE("of a bad .npy file nothing is written, and what was there stays", "[binary]") {
  scratch_directory const scratch;
  auto const text = scratch.write("matrix.txt", matrix(16, false)).string();
  auto const npy = scratch.file("matrix.npy").string();
  REQUIRE(
      lockstep_with("run all-to-all --on torus:4x4 --input " + text + " --output " + npy).status ==
      0);
  auto const bytes = read_file(npy);
  auto const output = scratch.write("old.npy", "as it was");
  auto const check = [&](std::string const& content, std::string const& part) {
    auto const input = scratch.write("bad.npy", content);
    check_refused(
        "run all-to-all --on torus:4x4 --input " + input.string() + " --output " + output.string(),
        part);
    CHECK(read_file(output) == "as it was");
  };
  auto const with = [&](std::string const& from, std::string const& to) {
    auto changed = bytes;
    return changed.replace(changed.find(from), from.size(), to);
  };
  check(bytes.substr(0, bytes.size() - 1), "bad.npy: its header promises 16 x 16 numbers");
  check(bytes + " ", "bad.npy: its header promises 16 x 16 numbers");
  check(bytes.substr(0, 20), "bad.npy: ends within its header");
  check(with("<i8", ">i8"), "bad.npy: its numbers are big-endian");
  check(with("<i8", "<u8"), "bad.npy: its elements are of type \"<u8\"");
  check(with("False", "True "), "Fortran");
  check(with("(16, 16)", "(16, 17)"), "16 rows of 17 numbers");
  check(with("(16, 16), }        ", "(9999999999, 9999999999), }").substr(0, bytes.size()),
        "bad.npy: its header promises 9999999999 x 9999999999 numbers");
  check("\x93NUMPY", "bad.npy: ends within its header");
  check("", "bad.npy: is not an .npy file");
  std::size_t files = 0;
  for (auto const& entry : std::filesystem::directory_iterator(output.parent_path()))
    files += entry.exists() ? 1 : 0;
  CHECK(files == 4);
}

TEST_CASE("help tells the range of a parameter", "[binary]") {
  CHECK(contains(lockstep_with("run bitonic-sort --help").out, "(default 8; 1 to 50000)"));
}

TEST_CASE("prefixes that cannot be had end with status 2 and one line", "[binary]") {
  check_refused("run prefix --on hypercube:3 --kind exclusive --operator first",
                "first has no identity");
  check_refused("run prefix --on hypercube:3 --kind sideways", "not one of inclusive, exclusive");
  check_refused("run prefix --on hypercube:3 --operator times", "not one of add, min, max");
  check_refused("run prefix --on torus:4x4", "tree:4, hypercube:4 or shuffle-exchange:4");
  check_refused("run segmented-prefix --on crossbar:4", "hypercube:4");
  check_refused("run data-distribution --on mesh:2x2", "hypercube:4");
  check_refused("run pipelined-prefix --on hypercube:3 --k 0", "k has to be at least 1");
  check_refused("run pipelined-prefix --on hypercube:3 --k 1000000", "k has to be at most 50000");
  check_refused("run pipelined-prefix --on hypercube:3 --scheme lagged", "take tree:4");
  check_refused("run pipelined-prefix --on hypercube:3 --scheme fft", "take ports all");
  check_refused("run pipelined-prefix --on tree:3 --scheme magic", "not one of auto, lagged");
  check_refused("run pipelined-prefix --on hypercube:3 --ports per-pass", "take ports one or all");
  check_refused("run pipelined-prefix --on torus:4x4", "tree:4, hypercube:4");
}

TEST_CASE("lockstep paper bader-helman-jaja has nothing that is wrong", "[binary]") {
  auto const done = lockstep_with("paper bader-helman-jaja --processors 15");
  CHECK(done.status == 0);
  CHECK_THAT(done.out, has_text("Bin bounds met"));
  CHECK_THAT(done.out, has_text("Section 3: T_comm of Steps 2 and 4"));
  CHECK_THAT(done.out, has_text("number 11"));
  CHECK_THAT(done.out, has_text(" 0 WRONG\n"));
}

TEST_CASE("lockstep paper shankar-ranka has nothing that is wrong, and figures in text",
          "[binary]") {
  auto const done = lockstep_with("paper shankar-ranka --processors 4");
  CHECK(done.status == 0);
  CHECK_THAT(done.out, has_text("Section 4: arbitrary hot spots"));
  CHECK_THAT(done.out, has_text("Sections 4.2 to 4.4: elements of the busiest processors"));
  CHECK_THAT(done.out, has_text(" holds, "));
  CHECK_THAT(done.out, has_text("Figure 2: RAW example, from a run, as in the paper\n"));
  CHECK_THAT(done.out, has_text("D(2)+D(7)  D(4)  -  D(6)  -  -  D(5)  D(0)+D(3)\n"));
  CHECK_THAT(done.out, has_text("P_1  [B_1 B_1 B_1][B_2][B_3 B_3][B_4 B_4]\n"));
  CHECK_THAT(done.out, has_text(" 0 WRONG\n"));
}

TEST_CASE("lockstep paper jaja-ryu has nothing that is wrong", "[binary]") {
  auto const done = lockstep_with("paper jaja-ryu --processors 9");
  CHECK(done.status == 0);
  CHECK_THAT(done.out, has_text("Theorem 3.3: a block of n words to all"));
  CHECK_THAT(done.out, has_text("ours: start-ups 1 or ceil(log_k p)"));
  CHECK_THAT(done.out, has_text("outside the claim  made for tau of whole packets"));
  CHECK_THAT(done.out, has_text(" 0 WRONG\n"));
}

TEST_CASE("a figure of a crossbar has its data and its checks", "[binary]") {
  scratch_directory const scratch;
  auto const done = lockstep_with("figure bader-helman-jaja-6 --up-to 8 --output '" +
                                  scratch.file("").string() + "'");
  CHECK(done.status == 0);
  CHECK_THAT(done.out, has_text("\"varies directly") && has_text("words are a + b h"));
  CHECK(read_file(scratch.file("bader-helman-jaja-6.csv"))
            .starts_with("machine,blocks,input,basis,processors,us\nCM-5,padded,h = n/p,"));
  CHECK_FALSE(std::filesystem::exists(scratch.file("bader-helman-jaja-6-cross-overs.csv")));
  CHECK(lockstep_with("figure bader-helman-jaja-6 --up-to 4").status == 2);
}

TEST_CASE("a figure of ratios has its data and its checks", "[binary]") {
  scratch_directory const scratch;
  auto const done = lockstep_with("figure shankar-ranka-hot-spots --up-to 8 --output '" +
                                  scratch.file("").string() + "'");
  CHECK(done.status == 0);
  CHECK_THAT(done.out, has_text("one-hot: 7 n/p words for p = 8"));
  CHECK(read_file(scratch.file("shankar-ranka-hot-spots.csv"))
            .starts_with("input,size,algorithm,basis,processors,ratio\nrandom,n = p^3,"));
}

TEST_CASE("the model that prices a run chooses the scheme of a collective", "[binary]") {
  auto const scheme = [](std::string const& options) {
    auto const run = nlohmann::json::parse(lockstep_with("run all-reduce --json " + options).out);
    return run.at("figures").value("scheme", std::string("as JaJa and Ryu"));
  };
  CHECK(scheme("--on mesh:8x8 --words 64") == "bucket");
  CHECK(scheme("--on mesh:8x8 --words 64 --model paragon") == "binomial");
  CHECK(scheme("--on mesh:8x8 --words 64 --model paragon --tau 0") == "bucket");
  // Each step of Paragon's model has a barrier; in LogGP's rounds of a phase pay one start-up.
  CHECK(scheme("--on crossbar:16 --model paragon") == "recursive-doubling");
  CHECK(scheme("--on crossbar:16 --model paragon --tau 16") == "as JaJa and Ryu");
  CHECK(scheme("--on crossbar:16 --model paragon --scheme k-ary") == "as JaJa and Ryu");
  CHECK(scheme("--on crossbar:16 --model paragon --access reads") == "as JaJa and Ryu");
  CHECK(scheme("--on crossbar:16 --model loggp") == "as JaJa and Ryu");
  CHECK(lockstep_with("run scatter --on crossbar:16 --words 8 --model paragon").status == 0);
  CHECK(lockstep_with("run all-gather --on crossbar:2 --model paragon").status == 0);
}

TEST_CASE("lockstep paper mayr-plaxton has nothing that is wrong", "[binary]") {
  auto const done = lockstep_with("paper mayr-plaxton --processors 16");
  CHECK(done.status == 0);
  CHECK(done.err.empty());
  CHECK(contains(
      done.out,
      "values     54 equal, 594 holds, 13 refuted, 38 our program exceeds, 115 outside the "
      "claim, 10 decides nothing, 0 WRONG\n"));
  CHECK(contains(done.out, "most words"));
}

TEST_CASE("what takes more memory than there is ends with status 2 and one line", "[binary]") {
  check_refused("run all-to-all --on torus:4096x4096 --words 1000000", "MiB");
  for (auto const* const asked :
       {"prefix --on hypercube:30", "segmented-prefix --on tree:28",
        "data-distribution --on shuffle-exchange:29", "pipelined-prefix --on hypercube:30 --k 1"})
    check_refused(std::string("run ") + asked, "MiB");
  check_refused("run all-to-all --on torus:128x128 --words 1000000", "take a smaller machine or");
  check_refused("run all-to-all --on torus:12x12 --words 2147483647", "torus:12x12 has 144");
  check_refused("run all-to-all --on torus:4096x4096 --json", "MiB");
  check_refused("run all-to-all-direct --on mesh:128x128 --words 1000000", "MiB");
}

TEST_CASE("a result that cannot be written is a failure", "[binary]") {
  scratch_directory const scratch;
  auto const input = scratch.write("matrix.txt", matrix(16, false)).string();
  check_refused(
      "run all-to-all --on torus:4x4 --input " + input + " --output /nowhere/transposed.txt",
      "/nowhere/transposed.txt");
}

TEST_CASE("the trace has a row for each message", "[binary]") {
  scratch_directory const scratch;
  auto const trace = scratch.file("trace.csv");
  auto const done = lockstep_with("run all-to-all --on torus:8x8 --json --trace " + trace.string());
  REQUIRE(done.status == 0);
  auto const text = read_file(trace);
  CHECK(text.starts_with("step,sent,from,to,words,hops,pass,phase\n1,1,"));
  CHECK(lines_of(text) - 1 == nlohmann::json::parse(done.out).at("counts").at("messages"));
}

TEST_CASE("the trace has the format that the file's ending says", "[binary]") {
  scratch_directory const scratch;
  auto const traced = [&](std::string const& command, std::string const& name) {
    auto const done =
        lockstep_with(command + " --on torus:8x8 --trace " + scratch.file(name).string());
    INFO(done.err);
    REQUIRE(done.status == 0);
    return read_file(scratch.file(name));
  };
  auto const events = nlohmann::json::parse(traced("run all-to-all", "t.json"));
  CHECK(events.at("otherData").at("program") == "all-to-all");
  CHECK(events.at("otherData").at("machine") == "torus:8x8");
  CHECK(traced("explain all-to-all", "t.goal").starts_with("// all-to-all on torus:8x8\n"));
  CHECK(traced("run all-to-all", "t.dot").starts_with("digraph step_000001 {\n"));
}

TEST_CASE("Graphviz draws each step", "[binary]") {
  if (std::system("command -v dot >/dev/null") != 0) {
    WARN("skipped: there is no dot; install graphviz");
    return;
  }
  scratch_directory const scratch;
  auto const run = [&](std::string const& command) {
    auto const says = scratch.file("says").string();
    CHECK(std::system(
              ("cd " + scratch.file("").string() + " && " + command + " 2>" + says).c_str()) == 0);
    CHECK(read_file(says).empty());
  };
  auto const done = lockstep_with("run all-to-all --on torus:4x4 --json --trace " +
                                  scratch.file("run.dot").string());
  REQUIRE(done.status == 0);
  run("sh -e " LOCKSTEP_SOURCE "/tests/cli/draw_pictures.sh");
  int const steps = nlohmann::json::parse(done.out).at("counts").at("steps");
  for (int step = 1; step <= steps; ++step)
    CHECK(read_file(scratch.file(fmt::format("step_{:06}.dot.png", step))).starts_with("\x89PNG"));
  auto const page = read_file(scratch.file("run.html"));
  std::size_t last = 0;
  for (int step = 1; step <= steps; ++step) {
    auto const place = page.find(fmt::format(">step {}: ", step));
    CHECK(place != std::string::npos);
    CHECK(place > last);
    last = place;
  }
  CHECK(page.find("</svg>", last) == page.rfind("</svg>"));
  run("dot -Tsvg step_000001.dot >first.svg");
  auto const first = read_file(scratch.file("first.svg"));
  CHECK(contains(first, ">all&#45;to&#45;all on torus:4x4<"));
  auto const count = [&](std::string const& part) {
    int found = 0;
    for (auto at = first.find(part); at != std::string::npos; at = first.find(part, at + 1))
      ++found;
    return found;
  };
  CHECK(count("class=\"node\"") == 16 + 4);   // and four lines of text
  CHECK(count("stroke=\"#cccccc\"") == 32);   // links
  CHECK(count("class=\"edge\"") - 32 == 32);  // 16 messages over two links each
}

TEST_CASE("a trace on a full disk costs no results, but is a failure", "[binary]") {
  scratch_directory const scratch;
  for (auto const* const name : {"t.csv", "t.json", "t.goal", "t.dot"}) {
    auto const trace = scratch.file(name);
    std::filesystem::create_symlink("/dev/full", trace);
    auto const done =
        lockstep_with("run all-to-all --on torus:8x8 --json --trace " + trace.string());
    CHECK(done.status == 1);
    CHECK(nlohmann::json::parse(done.out).at("correct") == true);
    CHECK(lines_of(done.err) == 1);
    CHECK(contains(done.err, "the trace is incomplete: " + trace.string() +
                                 ": cannot be written: No space left on device"));
  }
}

TEST_CASE("a trace does not replace what the run reads or writes", "[binary]") {
  scratch_directory const scratch;
  auto const input = scratch.write("m.csv", matrix(4, false)).string();
  auto const same = scratch.file("./m.csv").string();
  check_refused("run all-to-all --on torus:2x2 --input " + input + " --trace " + same, "--input");
  CHECK(read_file(input) == matrix(4, false));
  auto const output = scratch.file("o.csv").string();
  check_refused("run all-to-all --on torus:2x2 --input " + input + " --output " + output +
                    " --trace " + output,
                "--output");
  check_refused(
      "run cannon --on torus:2x2 --input " + input + " --second " + output + " --trace " + output,
      "--second");
}

TEST_CASE("a trace that is a directory, or not ours to write, is refused", "[binary]") {
  scratch_directory const scratch;
  auto const folder = scratch.file("t.json");
  std::filesystem::create_directory(folder);
  check_refused("run all-to-all --on torus:8x8 --trace " + folder.string(), "Is a directory");
}

TEST_CASE("names that no file can have are refused wherever a file is named", "[binary]") {
  scratch_directory const scratch;
  auto const input = scratch.write("in.txt", matrix(4, false)).string();
  for (auto const& name : {std::string(300, 'x'), input + "/x", std::string("/dev/null/x")}) {
    auto const cannon = "cannon --on torus:2x2 --input " + input + " --second " + input;
    auto const sort = "radix-sort --on crossbar:2 --n 8";
    for (auto const& words :
         {"run " + cannon + " --output " + name, "run " + cannon + " --trace " + name + ".csv",
          "view " + cannon + " --output " + name + ".html",
          "run cannon --on torus:2x2 --input " + name + " --second " + input,
          "run cannon --on torus:2x2 --input " + input + " --second " + name,
          "view cannon --on torus:2x2 --input " + input + " --second " + name + " --output " +
              scratch.file("p.html").string(),
          fmt::format("run {} --output {}", sort, name),
          fmt::format("run {} --trace {}.csv", sort, name),
          fmt::format("view {} --input {} --output {}", sort, name,
                      scratch.file("p.html").string()),
          "view --gallery " + name, "figure jaja-ryu-sorts --output " + name,
          "run random-access-write --on crossbar:2 --input " + input + " --array " + name,
          "run random-access-read --on crossbar:2 --input " + input + " --indices " + name}) {
      INFO(words);
      auto const refused = lockstep_with(words);
      CHECK(refused.status == 2);
      CHECK(refused.out.empty());
      CHECK(lines_of(refused.err) == 1);
      CHECK(refused.err.find("filesystem error") == std::string::npos);
    }
  }
  CHECK_FALSE(std::filesystem::exists(scratch.file("p.html")));
}

TEST_CASE("explain shows what the trace says", "[binary]") {
  scratch_directory const scratch;
  auto const trace = scratch.file("trace.csv");
  for (auto const* const what :
       {"pipelined-prefix --on tree:5 --k 8", "pipelined-prefix --on tree:4 --k 3 --ports all",
        "prefix --on shuffle-exchange:4", "all-to-all --on torus:8x8",
        "all-to-all-direct --on mesh:2x4"}) {
    INFO(what);
    auto const done =
        lockstep_with("explain " + std::string(what) + " --json --trace " + trace.string());
    REQUIRE(done.status == 0);
    auto const json = nlohmann::json::parse(done.out);
    auto const& chart = json.at("in_ports");
    auto const steps = json.at("counts").at("rounds").get<std::size_t>();
    CHECK(chart.at("steps") == steps);
    std::vector<std::vector<std::vector<int>>> senders(json.at("processors").get<std::size_t>(),
                                                       std::vector<std::vector<int>>(steps));
    std::istringstream rows(read_file(trace));
    std::string row;
    std::getline(rows, row);
    while (std::getline(rows, row)) {
      std::istringstream cells(row);
      char comma = ',';
      std::size_t step = 0;
      std::size_t sent = 0;
      int from = 0;
      std::size_t to = 0;
      cells >> step >> comma >> sent >> comma >> from >> comma >> to;
      senders.at(to).at(step - 1).push_back(from);
    }
    REQUIRE(chart.at("rows").size() == senders.size());
    for (std::size_t rank = 0; rank < senders.size(); ++rank) {
      CHECK(chart.at("rows").at(rank).at("processor") == rank);
      CHECK(chart.at("rows").at(rank).at("senders") == senders[rank]);
    }
  }
}

TEST_CASE("explain runs every algorithm", "[binary]") {
  for (auto const& one : nlohmann::json::parse(lockstep_with("list --json").out).at("algorithms")) {
    auto const what =
        one.at("name").get<std::string>() + " --on " + one.at("example").get<std::string>();
    INFO(what);
    auto const done = lockstep_with("explain " + what);
    CHECK(done.status == 0);
    CHECK(done.err.empty());
    CHECK(contains(done.out, "\n> "));
    CHECK(contains(done.out, " So every program that sends processor "));
  }
}

TEST_CASE("explain describes exchanges on meshes, too", "[binary]") {
  auto mesh = lockstep_with("explain all-to-all --on mesh:6x6").out;
  std::ranges::replace(mesh, '\n', ' ');
  CHECK(contains(mesh, "rings of every second processor along a line"));
  CHECK(contains(mesh, "2(C/2 - 1) + 2 = C steps on a mesh"));
  CHECK(!contains(mesh, "torus"));
}

TEST_CASE("explain ends with status 2 and one line for bad usage", "[binary]") {
  check_refused("explain", "name an algorithm");
  check_refused("explain prefix", "lockstep explain prefix --on");
  check_refused("explain prefix --on tere:3", "is not a topology");
  check_refused("explain prefix --on torus:4x4 --json", "tree:4, hypercube:4");
  check_refused("explain prefix --on tree:3 --processors 7", "0 to 6");
  check_refused("explain prefix --on tree:3 --processors 0-99999999", "at most 64");
  check_refused("explain prefix --on tree:3 --steps 9-", "the last step is 8");
}

TEST_CASE("every cell of Suh and Shin's tables has its verdict, and its reason", "[binary]") {
  auto const done = lockstep_with("paper suh-shin --processors 300 --json");
  REQUIRE(done.status == 0);
  CHECK(done.err.empty());
  auto const json = nlohmann::json::parse(done.out);
  CHECK(json.at("all_right") == true);
  CHECK(json.at("tables").size() == 8);
  std::set<std::string> networks;
  int equal_cells = 0;
  for (auto const& table : json.at("tables"))
    for (auto const& row : table.at("rows")) {
      networks.insert(row.at("network"));
      bool const is_run = row.at("algorithm") == "proposed";
      if (is_run) CHECK(row.at("correct") == true);
      auto const title = table.at("title").get<std::string>();
      std::size_t const cells = title.starts_with("Section 1, Fig") ? 4
                                : title.starts_with("Section 1")    ? 2
                                                                    : 5;
      CHECK(row.at("cells").size() == cells);
      for (auto const& cell : row.at("cells")) {
        INFO(table.at("title") << ' ' << row.at("network") << ' ' << cell.dump());
        CHECK(cell.at("verdict") != "WRONG");
        if (is_run) CHECK(cell.at("verdict") != "not run");
        if (cell.at("verdict") == "our program exceeds") CHECK(cell.contains("erratum"));
        bool const is_kept = cell.at("verdict") == "equal" || cell.at("verdict") == "holds";
        CHECK(is_kept != cell.contains("reason"));
        CHECK((cell.at("verdict") == "outside the claim") ==
              (!cell.at("where").empty() && cell.at("where").at(0).at("met") == false));
        if (cell.at("verdict") == "equal") ++equal_cells;
      }
    }
  CHECK(networks.size() == 36);
  CHECK(equal_cells >= 170);
}

TEST_CASE("a paper or a figure that there is not ends with status 2", "[binary]") {
  check_refused("paper", "suh-shin");
  check_refused("paper xyzzy", "there are: suh-shin");
  check_refused("paper suh-shin --processors 3", "--processors");
  check_refused("paper suh-shin --missing --processors 300", "give one of the two");
  check_refused("figure", "suh-shin-13");
  check_refused("figure suh-shin-13 --up-to 15", "16 x 16");
  check_refused("figure suh-shin-13 --output /nowhere", "/nowhere/suh-shin-13.csv");
}

TEST_CASE("a figure has its data, and a picture", "[binary]") {
  scratch_directory const scratch;
  auto const done =
      lockstep_with("figure suh-shin-15 --up-to 16 --output '" + scratch.file("").string() + "'");
  REQUIRE(done.status == 0);
  CHECK(contains(done.out, "37.705"));
  CHECK(contains(done.out, "20.659"));
  CHECK(read_file(scratch.file("suh-shin-15.csv")).starts_with("network,reading,algorithm"));
  CHECK(contains(read_file(scratch.file("suh-shin-15-cross-overs.csv")),
                 "torus:16x16,cube,[13],37.70"));
  CHECK(done.err.empty());
  auto const picture = read_file(scratch.file("suh-shin-15.svg"));
  for (auto const* const part : {"</svg>", "torus:16x16 (cube)", "torus:16x16 (side)", "37.7 bytes",
                                 "20.7 bytes", "proposed (measured counts)"}) {
    INFO(part);
    CHECK(contains(picture, part));
  }
}

TEST_CASE("results that cannot be printed are a failure", "[binary]") {
  auto const done = lockstep_with("list", "/dev/full");
  CHECK(done.status == 1);
  CHECK(contains(done.err, "cannot write"));
}

TEST_CASE("a limit on the size of files costs the trace, and no results", "[binary]") {
  scratch_directory const scratch;
  rlimit before{};
  REQUIRE(getrlimit(RLIMIT_FSIZE, &before) == 0);
  rlimit const small{20'000, before.rlim_max};
  REQUIRE(setrlimit(RLIMIT_FSIZE, &small) == 0);
  auto const done =
      lockstep_with("run all-to-all --on torus:16x16 --trace " + scratch.file("run.csv").string());
  REQUIRE(setrlimit(RLIMIT_FSIZE, &before) == 0);
  CHECK(done.status == 1);
  CHECK_THAT(done.out, has_text("correct    yes"));
  CHECK_THAT(done.err, has_text("the trace is incomplete: "));
  CHECK_THAT(done.err, has_text("run.csv: cannot be written: File too large"));
}

TEST_CASE("the trace is not what --output names, however it is written", "[binary]") {
  scratch_directory const scratch;
  auto const file = scratch.file("same.csv").string();
  auto const other = scratch.file("./same.csv").string();
  auto const done =
      lockstep_with("run all-to-all --on torus:8x8 --output " + other + " --trace " + file);
  CHECK(done.status == 2);
  CHECK_THAT(done.err, has_text("is what --output names"));
}

TEST_CASE("a trace of a machine that is too large is not begun", "[binary]") {
  scratch_directory const scratch;
  auto const trace = scratch.file("big.json");
  auto const done = lockstep_with("run prefix --on hypercube:28 --trace " + trace.string());
  CHECK(done.status == 2);
  CHECK(std::filesystem::is_empty(scratch.file("")));
}

TEST_CASE("a run that is refused leaves the trace of another as it is", "[binary]") {
  scratch_directory const scratch;
  auto const input = scratch.write("m.txt", matrix(3, false)).string();
  for (auto const* const name : {"t.csv", "t.json", "t.goal", "t.dot"}) {
    auto const trace = scratch.write(name, "of another run").string();
    auto const link = scratch.file("link-" + std::string(name));
    std::filesystem::create_symlink(name, link);
    for (auto const& file : {trace, link.string()}) {
      check_refused("run all-to-all --on torus:2x2 --words 0 --trace " + file, "words");
      check_refused("run all-to-all --on torus:2x2 --input " + input + " --trace " + file, "3 x 3");
      check_refused("run prefix --on hypercube:10 --input /nowhere/x --trace " + file, "/nowhere");
      check_refused("explain prefix --on tree:3 --steps 9- --trace " + file, "last step");
      CHECK(read_file(trace) == "of another run");
    }
    CHECK(lockstep_with("run all-to-all --on torus:2x2 --trace " + link.string()).status == 0);
    CHECK(read_file(trace) != "of another run");
  }
  CHECK(scratch.files() == 1 + 2 * 4);
}

TEST_CASE("an output that cannot be written to its end costs no results, but is a failure",
          "[binary]") {
  scratch_directory const scratch;
  auto const full = scratch.file("full.txt");
  std::filesystem::create_symlink("/dev/full", full);
  auto const input = scratch.write("m.txt", matrix(16, false)).string();
  for (auto const& command : {"radix-sort --on crossbar:4 --n 9999"s, "prefix --on hypercube:3"s,
                              "all-to-all --on torus:4x4 --input " + input}) {
    auto const done = lockstep_with("run " + command + " --json --output " + full.string());
    CHECK(done.status == 1);
    CHECK(nlohmann::json::parse(done.out).at("correct") == true);
    CHECK(done.err == "lockstep: " + full.string() +
                          ": cannot be written: No space left on device; name a file that can "
                          "be\n");
  }
}

TEST_CASE("a limit on the size of files is told of, and leaves nothing beside the output",
          "[binary]") {
  scratch_directory const scratch;
  auto const output = scratch.write("sorted.txt", "as it was");
  auto const done = lockstep_after(
      "ulimit -f 16", "run radix-sort --on crossbar:4 --n 9999 --output " + output.string());
  CHECK(done.status == 1);
  CHECK_THAT(done.out, has_text("correct    yes"));
  CHECK(lines_of(done.err) == 1);
  CHECK_THAT(done.err, has_text("cannot be written: File too large"));
  CHECK(read_file(output) == "as it was");
  CHECK(scratch.files() == 1);

  auto const trace = scratch.file("t.csv").string();
  auto const traced =
      lockstep_after("ulimit -f 16", "run all-to-all --on torus:16x16 --trace " + trace);
  CHECK(traced.status == 1);
  CHECK_THAT(traced.err, has_text("the trace is incomplete"));
  CHECK(scratch.files() == 1);
}

TEST_CASE("what has no room in a limit on address space is refused", "[binary]") {
  auto const refused = [](std::string const& arguments) {
    auto const done = lockstep_after("ulimit -v 2000000", arguments);
    INFO(done.err);
    CHECK(done.status == 2);
    CHECK(lines_of(done.err) == 1);
    return done.err;
  };
  CHECK_THAT(refused("run prefix --on hypercube:17 --stacks own"), has_text("of address space"));
  CHECK_THAT(refused("run prefix --on hypercube:17 --stacks own"), has_text("ulimit -v"));
  CHECK_THAT(refused("run prefix --on hypercube:10 --engine threads"),
             has_text("of address space"));
  CHECK_THAT(refused("run all-to-all --on torus:16x16 --words 5000"), has_text("MiB"));
  CHECK(lockstep_after("ulimit -v 2000000", "run prefix --on hypercube:12").status == 0);
}

TEST_CASE("what makes input is refused beside an input file, by all that take files", "[binary]") {
  scratch_directory const scratch;
  auto const input = scratch.write("input.csv", "1\n").string();
  for (auto const& one : nlohmann::json::parse(lockstep_with("list --json").out).at("algorithms")) {
    if (one.at("takes_files") == false) continue;
    auto const name = one.at("name").get<std::string>();
    auto const run =
        "run " + name + " --on " + one.at("example").get<std::string>() + " --input " + input + " ";
    check_refused(run + "--seed 2", "--seed is for input that " + name + " makes");
    for (auto const& taken : one.at("parameters"))
      if (auto const option = taken.at("name").get<std::string>();
          (option == "n" && name != "random-access-write") || option == "distribution" ||
          option == "words")
        check_refused(run + "--" + option + " 2", "--" + option + " is for input that " + name);
  }
}

TEST_CASE("text may begin with a byte order mark", "[binary]") {
  scratch_directory const scratch;
  std::string const mark = "\xEF\xBB\xBF";
  auto const output = scratch.file("out.txt").string();
  auto const read = [&](std::string const& command, std::string const& text) {
    auto const input = scratch.write("in.txt", mark + text).string();
    auto const done = lockstep_with("run " + command + " --input " + input + " --output " + output);
    INFO(done.err);
    CHECK(done.status == 0);
    return read_file(output);
  };
  CHECK(read("all-to-all --on torus:2x2", matrix(4, false)) == matrix(4, true));
  CHECK(read("radix-sort --on crossbar:2", "3\n-1\n2\n") == "-1\n2\n3\n");
  CHECK(read("counting-sort --on crossbar:2", "3\n1\n2\n") == "1\n2\n3\n");
  CHECK(read("prefix --on tree:2", "x\n1\n2\n") == "x,prefix\n1,1\n2,3\n");
}
