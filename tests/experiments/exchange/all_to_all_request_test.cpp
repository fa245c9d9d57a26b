#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string>

#include "catch.hpp"
#include "check_claims.hpp"
#include "complaint_of.hpp"
#include "experiments/requests.hpp"
#include "experiments/temporary_file.hpp"

using lockstep::experiment_result;
using parameters = requests::values;

namespace {

experiment_result exchange_on(std::string const& spec, parameters const& given = {}) {
  return requests::run("all-to-all", spec, given);
}

void check_right(experiment_result const& result, std::int64_t words = 1) {
  reference::check_result(result);
  std::set<std::string> claimed_figures;
  for (auto const& claimed : result.claims) claimed_figures.insert(claimed.figure);
  CHECK(claimed_figures.size() >= 7);
  CHECK(std::get<std::int64_t>(result.parameters.at("words")) == words);
}

/// Row r, column c holds r * 1000 + c, or c * 1000 + r if transposed.
std::string matrix_text(int size, bool transposed = false) {
  std::string text;
  for (int row = 0; row < size; ++row)
    for (int column = 0; column < size; ++column)
      text += std::to_string(transposed ? column * 1000 + row : row * 1000 + column) +
              (column + 1 < size ? " " : "\n");
  return text;
}

lockstep::experiment_request request_of_files(std::string const& spec,
                                              std::filesystem::path const& input) {
  auto asked = requests::make("all-to-all", spec);
  asked.input = input;
  return asked;
}

/// The text of the transpose of the matrix in `text`.
std::string transposed_by(std::string const& spec, std::string const& text, std::int64_t words) {
  temporary_file const input(text);
  temporary_file const output;
  auto asked = request_of_files(spec, input.path());
  check_right(lockstep::find_experiment("all-to-all")->run(asked), words);  // and no output
  asked.output = output.path();
  check_right(lockstep::find_experiment("all-to-all")->run(asked), words);
  return output.content();
}

std::string complaint_about(lockstep::experiment_request const& asked) {
  return reference::complaint_of<lockstep::bad_input>(
      [&] { return lockstep::find_experiment("all-to-all")->run(asked); });
}

std::string refusal_on(std::string const& spec, parameters const& given = {}) {
  return requests::refusal("all-to-all", spec, given);
}

}  // namespace

TEST_CASE("all-to-all exchanges blocks that it makes up", "[sanitize]") {
  std::string const spec =
      GENERATE("torus:4x4", "torus:8x4", "mesh:2x6", "mesh:4x4", "torus:4x4x4", "mesh:2x4x2x2");
  for (int const words : {1, 5}) {
    INFO(spec << ", " << words << " words");
    check_right(exchange_on(spec, {{"words", words}}), words);
  }
}

TEST_CASE("all-to-all runs strict, on either engine") {
  auto asked = requests::make("all-to-all", "torus:8x8");
  asked.options.strict = false;
  asked.options.engine = lockstep::engine::threads;
  auto const result = lockstep::find_experiment("all-to-all")->run(asked);
  check_right(result);
  CHECK(result.record.counts().words == 192);
  CHECK(result.record.counts().hops == 14);
}

TEST_CASE("packets make the claims about words void, and no others") {
  auto asked = requests::make("all-to-all", "mesh:4x4");
  asked.options.packet = 5;
  auto const result = lockstep::find_experiment("all-to-all")->run(asked);
  check_right(result);
  for (auto const& claimed : result.claims)
    CHECK(claimed.erratum.empty() == (claimed.figure != "words" && claimed.figure != "volume"));
  CHECK(result.record.counts().words == 40);  // 4 steps of 8 words, in 2 packets each
}

TEST_CASE("all-to-all transposes a matrix of whole numbers, sizes that are filled up, too") {
  auto const [spec, size, words] = GENERATE(table<std::string, int, std::int64_t>({
      {"torus:4x4", 16, 1},
      {"torus:4x4", 48, 9},
      {"mesh:2x4", 24, 9},
      {"torus:8x4", 64, 4},
      {"torus:3x5", 30, 4},
      {"mesh:7", 21, 9},
  }));
  CHECK(transposed_by(spec, matrix_text(size), words) == matrix_text(size, true));
}

TEST_CASE("all-to-all transposes a matrix of real numbers") {
  CHECK(transposed_by("mesh:2x2",
                      "0.1 -2 3 4\n"
                      "5 6e-300 7 8\n"
                      "9 10 0.30000000000000004 12\n"
                      "13 14 15 1.5\n",
                      1) ==
        "0.1 5 9 13\n"
        "-2 6e-300 10 14\n"
        "3 7 0.30000000000000004 15\n"
        "4 8 12 1.5\n");
}

TEST_CASE("a matrix that cannot be transposed is refused in one line") {
  auto const [text, complaint] = GENERATE(table<std::string, std::string>({
      {"", ": holds no numbers; give n rows of n numbers, one row a line"},
      {"1 2\n3\n", ":2: 1 numbers in this row, 2 in line 1; give all rows the same length"},
      {matrix_text(24),
       ": 24 x 24 numbers cannot be dealt out evenly to the 16 processors of torus:4x4; 16 x 16 "
       "or 32 x 32 could"},
      {"1 2\n3 4\n",
       ": 2 x 2 numbers cannot be dealt out evenly to the 16 processors of torus:4x4; 16 x 16 "
       "could"},
  }));
  temporary_file const input(text);
  temporary_file const output;
  auto asked = request_of_files("torus:4x4", input.path());
  asked.output = output.path();
  CHECK(complaint_about(asked) == input.path().string() + complaint);
  CHECK_FALSE(std::filesystem::exists(output.path()));
}

TEST_CASE("a matrix too small for a large network is refused before schedules are compared") {
  temporary_file const input("1 2\n3 4\n");
  CHECK_THAT(complaint_about(request_of_files("torus:10001x10001", input.path())),
             has_text("100020001 processors"));
}

TEST_CASE("an unreadable input and an unwritable output are refused") {
  auto const nowhere =
      std::filesystem::temp_directory_path() / "lockstep-no-such-directory" / "matrix.txt";
  CHECK(complaint_about(request_of_files("torus:4x4", nowhere)) != "nothing");
  temporary_file const input(matrix_text(16));
  auto asked = request_of_files("torus:4x4", input.path());
  asked.output = nowhere;
  CHECK(complaint_about(asked) != "nothing");
}

TEST_CASE("all-to-all on any sizes, by each scheme, says which it took") {
  auto const [spec, scheme, figures] = GENERATE(table<std::string, std::string, parameters>({
      {"torus:5x5", "virtual", {{"scheme", "virtual"}, {"logical_steps", 6}}},
      {"torus:5x5", "stride-2", {{"scheme", "stride-2"}, {"logical_steps", 6}}},
      {"torus:5x5", "auto", {{"scheme", "stride-2"}, {"logical_steps", 6}, {"steps_saved", 2}}},
      {"torus:8x12", "paper", {{"scheme", "paper"}, {"logical_steps", 8}}},
      {"torus:8x12", "auto", {{"scheme", "paper"}, {"logical_steps", 8}, {"steps_saved", 0}}},
      {"torus:8x8x4x4",
       "auto",
       {{"scheme", "paper"}, {"groups", "4x4,8x8"}, {"logical_steps", 10}, {"steps_saved", 2}}},
      {"mesh:7", "auto", {{"scheme", "virtual"}, {"logical_steps", 7}, {"steps_saved", 0}}},
      {"mesh:4x4", "cyclic", {{"scheme", "cyclic"}}},
      {"mesh:8x8", "cyclic", {{"scheme", "cyclic"}}},
  }));
  INFO(spec << ", " << scheme);
  auto const result = exchange_on(spec, {{"scheme", scheme}});
  reference::check_result(result);
  CHECK(result.figures == figures);
}

TEST_CASE("all-to-all with the fewest rearrangements says why there are no fewer") {
  parameters fewest{{"scheme", "fewest-rearrangements"}};
  auto const [spec, least] = GENERATE(table<std::string, std::uint64_t>(
      {{"torus:4x4x4", 2}, {"torus:8x8x4", 3}, {"torus:8x8", 2}, {"mesh:4x4x4", 2}}));
  INFO(spec);
  auto const result = exchange_on(spec, fewest);
  check_right(result);
  CHECK(result.record.counts().rearrangements == least);
  CHECK_THAT(std::get<std::string>(result.figures.at("rearrangements_needed")),
             has_text(std::to_string(least) +
                      " at least, with messages stored as they come: no order serves sends"));
  CHECK_THAT(refusal_on("torus:6x6", fewest), has_text("the paper's scheme does not fit"));
  fewest["groups"] = "4x4,8x8";
  CHECK_THAT(refusal_on("torus:8x8x4x4", fewest), has_text("leave out --groups"));
}

TEST_CASE("all-to-all in groups that are asked for") {
  auto const result = exchange_on("torus:8x8x4x4", {{"groups", "4x4,8x8"}});
  check_right(result);
  CHECK(result.record.counts().steps == 10);
  CHECK(std::get<std::string>(result.figures.at("groups")) == "4x4,8x8");
  CHECK(result.figures.count("steps_saved") == 0);
}

TEST_CASE("topologies and parameters that do not fit are refused with an example of what fits") {
  auto const [spec, given, reason] = GENERATE(table<std::string, parameters, std::string>({
      {"torus:8x8x4x4", {{"groups", "4x4,8"}}, "leaves out"},
      {"torus:8x8x4x4", {{"groups", "4x4,8,8"}}, "two or more"},
      {"torus:8x8x4x4", {{"groups", "4x4,8x8"}, {"scheme", "stride-2"}}, "leave out the groups"},
      {"torus:8x8x4x4", {{"scheme", "stride2"}}, "not one of auto, virtual, stride-2, paper"},
      {"torus:6x6", {{"scheme", "paper"}}, "torus:4x4 or torus:8x8"},
      {"mesh:3x4", {{"scheme", "paper"}}, "mesh:2x4 or mesh:4x4"},
      {"torus:4x4x6", {{"scheme", "paper"}}, "torus:4x4x4 or torus:4x4x8"},
      {"mesh:8", {{"scheme", "paper"}}, "one dimension"},
      {"mesh:8x4", {{"scheme", "cyclic"}}, "for example mesh:4x4 or mesh:8x8"},
      {"crossbar:16", {{"scheme", "cyclic"}}, "for example mesh:4x4 or mesh:8x8"},
      {"mesh:4x4", {{"scheme", "cyclic"}, {"textbook", true}}, "leave out --groups, --textbook"},
      {"hypercube:4", {{"scheme", "virtual"}}, "neither a torus nor a mesh"},
      {"crossbar:16", {{"scheme", "paper"}}, "torus:12x12"},
      {"crossbar:16", {{"groups", "4x4"}}, "--groups and --textbook are for Suh and Shin's"},
      {"tree:3", {{"scheme", "bruck"}}, "the scheme bruck does not fit tree:3; take tree"},
      {"torus:4x4", {{"words", 0}}, "words has to be at least 1, not 0"},
      {"torus:4x4", {{"words", std::int64_t{1} << 40}}, "words has to be at most 2147483647"},
      {"torus:4x4", {{"words", 1.5}}, "words has to be a whole number"},
  }));
  CHECK_THAT(refusal_on(spec, given), has_text(reason));
}

TEST_CASE("all-to-all refuses an output file if it has no input file") {
  auto asked = requests::make("all-to-all", "torus:4x4");
  asked.output = std::filesystem::temp_directory_path() / "never-written.txt";
  CHECK_THAT(requests::refusal("all-to-all", asked), has_text("input file"));
}
