#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <lockstep/errors.hpp>
#include <lockstep/experiments/registry.hpp>
#include <lockstep/topologies/parse.hpp>

#include "catch.hpp"
#include "experiments/temporary_file.hpp"

namespace {

lockstep::experiment_request request_on(std::string const& spec) {
  lockstep::experiment_request asked{.network = lockstep::parse(spec)};
  asked.parameters = {{"words", std::int64_t{1}}, {"seed", std::int64_t{1}}};
  return asked;
}

lockstep::experiment_result run(lockstep::experiment_request const& asked) {
  return lockstep::find_experiment("all-to-all")->run(asked);
}

void check_right(lockstep::experiment_result const& result) {
  CHECK(result.correct);
  std::set<std::string> claimed_figures;
  for (auto const& claimed : result.claims) claimed_figures.insert(claimed.figure);
  CHECK(claimed_figures.size() >= 7);
  for (auto const& claimed : result.claims) {
    INFO(claimed.figure << " = " << claimed.formula << " = " << claimed.value() << ", measured "
                        << metric_value(result.record.counts(), claimed.figure));
    CHECK((holds(claimed, result.record.counts()) || !claimed.erratum.empty()));
  }
}

/// Row r, column c holds r * 1000 + c, or c * 1000 + r if transposed.
std::string matrix_text(int size, bool transposed) {
  std::string text;
  for (int row = 0; row < size; ++row)
    for (int column = 0; column < size; ++column)
      text += std::to_string(transposed ? column * 1000 + row : row * 1000 + column) +
              (column + 1 < size ? " " : "\n");
  return text;
}

/// The text of the transpose of the matrix in `text`.
std::string transposed_by(std::string const& spec, std::string const& text,
                          std::int64_t words_in_a_block) {
  temporary_file const input(text);
  temporary_file const output;
  auto asked = request_on(spec);
  asked.input = input.path();
  asked.output = output.path();
  auto const result = run(asked);
  check_right(result);
  CHECK(std::get<std::int64_t>(result.parameters.at("words")) == words_in_a_block);
  return output.content();
}

/// What the request is told about this matrix on a 4 x 4 torus, without the file's name.
std::string complaint_about(std::string const& text) {
  temporary_file const input(text);
  temporary_file const output;
  auto asked = request_on("torus:4x4");
  asked.input = input.path();
  asked.output = output.path();
  try {
    (void)run(asked);
  } catch (lockstep::bad_input const& bad) {
    CHECK_FALSE(std::filesystem::exists(output.path()));
    return std::string(bad.what()).substr(input.path().string().size());
  }
  return "nothing";
}

std::string refusal_of(lockstep::experiment_request const& asked) {
  try {
    (void)run(asked);
  } catch (lockstep::invalid_argument const& refused) {
    return refused.what();
  }
  return "no refusal";
}

}  // namespace

TEST_CASE("all-to-all exchanges blocks that it makes up", "[sanitize]") {
  for (auto const* spec :
       {"torus:4x4", "torus:8x4", "mesh:2x6", "mesh:4x4", "torus:4x4x4", "mesh:2x4x2x2"})
    for (std::int64_t const words : {1, 5}) {
      auto asked = request_on(spec);
      asked.parameters["words"] = words;
      auto const result = run(asked);
      INFO(spec << ", " << words << " words");
      check_right(result);
      CHECK(std::get<std::int64_t>(result.parameters.at("words")) == words);
    }
}

TEST_CASE("all-to-all runs strict, on either engine") {
  auto asked = request_on("torus:8x8");
  asked.options.strict = false;
  asked.options.engine = lockstep::engine::threads;
  auto const result = run(asked);
  check_right(result);
  CHECK(result.record.counts().words == 192);
  CHECK(result.record.counts().hops == 14);
}

TEST_CASE("packets make the claims about words void, and no others") {
  auto asked = request_on("mesh:4x4");
  asked.options.packet = 5;
  auto const result = run(asked);
  check_right(result);
  for (auto const& claimed : result.claims)
    CHECK(claimed.erratum.empty() == (claimed.figure != "words" && claimed.figure != "volume"));
  CHECK(result.record.counts().words == 40);  // 4 steps of 8 words, in 2 packets each
}

TEST_CASE("all-to-all transposes a matrix of whole numbers") {
  CHECK(transposed_by("torus:4x4", matrix_text(16, false), 1) == matrix_text(16, true));
  CHECK(transposed_by("torus:4x4", matrix_text(48, false), 9) == matrix_text(48, true));
  CHECK(transposed_by("mesh:2x4", matrix_text(24, false), 9) == matrix_text(24, true));
  CHECK(transposed_by("torus:8x4", matrix_text(64, false), 4) == matrix_text(64, true));
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

TEST_CASE("without an output file the transpose is checked all the same") {
  temporary_file const input(matrix_text(16, false));
  auto asked = request_on("mesh:4x4");
  asked.input = input.path();
  check_right(run(asked));
}

TEST_CASE("a matrix that cannot be transposed is refused in one line") {
  CHECK(complaint_about("") == ": holds no numbers; give n rows of n numbers, one row a line");
  CHECK(complaint_about("1 2\n3\n") ==
        ":2: 1 numbers in this row, 2 in line 1; give all rows the same length");
  CHECK(complaint_about(matrix_text(24, false)) ==
        ": 24 x 24 numbers cannot be dealt out evenly to the 16 processors of torus:4x4; 16 x 16 "
        "or 32 x 32 could");
  CHECK(complaint_about("1 2\n3 4\n") ==
        ": 2 x 2 numbers cannot be dealt out evenly to the 16 processors of torus:4x4; 16 x 16 "
        "could");
}

TEST_CASE("a matrix too small for a large network is refused before schedules are compared") {
  temporary_file const input("1 2\n3 4\n");
  auto asked = request_on("torus:10001x10001");
  asked.input = input.path();
  CHECK_THROWS_WITH(run(asked), has_text("100020001 processors"));
}

TEST_CASE("an unreadable input and an unwritable output are refused") {
  auto const nowhere =
      std::filesystem::temp_directory_path() / "lockstep-no-such-directory" / "matrix.txt";
  auto asked = request_on("torus:4x4");
  asked.input = nowhere;
  CHECK_THROWS_AS(run(asked), lockstep::bad_input);
  temporary_file const input(matrix_text(16, false));
  asked.input = input.path();
  asked.output = nowhere;
  CHECK_THROWS_AS(run(asked), lockstep::bad_input);
}

TEST_CASE("all-to-all on any sizes, by each scheme, says which it took") {
  auto const check = [](std::string const& spec, std::string const& scheme,
                        std::map<std::string, lockstep::parameter_value> const& figures) {
    auto asked = request_on(spec);
    asked.parameters["scheme"] = scheme;
    auto const result = run(asked);
    INFO(spec << ", " << scheme);
    CHECK(result.correct);
    CHECK(result.figures == figures);
    for (auto const& claimed : result.claims) {
      INFO(claimed.figure << " = " << claimed.formula << " = " << claimed.value());
      CHECK((holds(claimed, result.record.counts()) || !claimed.erratum.empty()));
    }
  };
  using number = std::int64_t;
  check("torus:5x5", "virtual", {{"scheme", "virtual"}, {"logical_steps", number{6}}});
  check("torus:5x5", "stride-2", {{"scheme", "stride-2"}, {"logical_steps", number{6}}});
  check("torus:5x5", "auto",
        {{"scheme", "stride-2"}, {"logical_steps", number{6}}, {"steps_saved", number{2}}});
  check("torus:8x12", "paper", {{"scheme", "paper"}, {"logical_steps", number{8}}});
  check("torus:8x12", "auto",
        {{"scheme", "paper"}, {"logical_steps", number{8}}, {"steps_saved", number{0}}});
  check("torus:8x8x4x4", "auto",
        {{"scheme", "paper"},
         {"groups", "4x4,8x8"},
         {"logical_steps", number{10}},
         {"steps_saved", number{2}}});
  check("mesh:7", "auto",
        {{"scheme", "virtual"}, {"logical_steps", number{7}}, {"steps_saved", number{0}}});
}

TEST_CASE("all-to-all with the fewest rearrangements says why there are no fewer") {
  for (auto const& [spec, least] : std::map<std::string, std::uint64_t>{
           {"torus:4x4x4", 2}, {"torus:8x8x4", 3}, {"torus:8x8", 2}, {"mesh:4x4x4", 2}}) {
    INFO(spec);
    auto asked = request_on(spec);
    asked.parameters["scheme"] = std::string("fewest-rearrangements");
    auto const result = run(asked);
    check_right(result);
    CHECK(result.record.counts().rearrangements == least);
    CHECK_THAT(std::get<std::string>(result.figures.at("rearrangements_needed")),
               has_text(std::to_string(least) + " at least: no order serves sends"));
  }
  auto asked = request_on("torus:6x6");
  asked.parameters["scheme"] = std::string("fewest-rearrangements");
  CHECK_THAT(refusal_of(asked), has_text("the paper's scheme does not fit"));
  asked = request_on("torus:8x8x4x4");
  asked.parameters["scheme"] = std::string("fewest-rearrangements");
  asked.parameters["groups"] = std::string("4x4,8x8");
  CHECK_THAT(refusal_of(asked), has_text("leave out --groups"));
}

TEST_CASE("all-to-all in groups that are asked for") {
  auto asked = request_on("torus:8x8x4x4");
  asked.parameters["groups"] = "4x4,8x8";
  auto const result = run(asked);
  check_right(result);
  CHECK(result.record.counts().steps == 10);
  CHECK(std::get<std::string>(result.figures.at("groups")) == "4x4,8x8");
  CHECK(result.figures.count("steps_saved") == 0);
  asked.parameters["groups"] = "4x4,8";
  CHECK_THAT(refusal_of(asked), has_text("leaves out"));
  asked.parameters["groups"] = "4x4,8,8";
  CHECK_THAT(refusal_of(asked), has_text("two or more"));
  asked.parameters["groups"] = "4x4,8x8";
  asked.parameters["scheme"] = "stride-2";
  CHECK_THAT(refusal_of(asked), has_text("leave out the groups"));
  asked.parameters["scheme"] = "stride2";
  CHECK_THAT(refusal_of(asked), has_text("not one of auto, virtual, stride-2, paper"));
}

TEST_CASE("all-to-all transposes on sizes that have to be filled up") {
  CHECK(transposed_by("torus:3x5", matrix_text(30, false), 4) == matrix_text(30, true));
  CHECK(transposed_by("mesh:7", matrix_text(21, false), 9) == matrix_text(21, true));
}

TEST_CASE("topologies and parameters that do not fit are refused with an example of what fits") {
  auto const refusal_as_printed = [](std::string const& spec) {
    auto asked = request_on(spec);
    asked.parameters["scheme"] = "paper";
    return refusal_of(asked);
  };
  CHECK_THAT(refusal_as_printed("torus:6x6"), has_text("torus:4x4 or torus:8x8"));
  CHECK_THAT(refusal_as_printed("mesh:3x4"), has_text("mesh:2x4 or mesh:4x4"));
  CHECK_THAT(refusal_as_printed("torus:4x4x6"), has_text("torus:4x4x4 or torus:4x4x8"));
  CHECK_THAT(refusal_as_printed("mesh:8"), has_text("one dimension"));
  CHECK_THAT(refusal_of(request_on("hypercube:4")), has_text("neither a torus nor a mesh"));
  CHECK_THAT(refusal_of(request_on("crossbar:16")), has_text("torus:12x12"));

  auto asked = request_on("torus:4x4");
  asked.parameters["words"] = std::int64_t{0};
  CHECK_THAT(refusal_of(asked), has_text("words has to be at least 1, not 0"));
  asked.parameters["words"] = std::int64_t{1} << 40;
  CHECK_THAT(refusal_of(asked), has_text("words has to be at most 2147483647"));
  asked.parameters["words"] = 1.5;
  CHECK_THAT(refusal_of(asked), has_text("words has to be a whole number"));

  asked = request_on("torus:4x4");
  asked.output = std::filesystem::temp_directory_path() / "never-written.txt";
  CHECK_THAT(refusal_of(asked), has_text("input file"));
}
