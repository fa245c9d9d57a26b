#include <filesystem>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <lockstep/errors.hpp>

#include "../catch.hpp"
#include "commands/commands.hpp"
#include "commands/usage_error.hpp"
#include "contains.hpp"
#include "report/drawing.hpp"
#include "report/figure_picture.hpp"
#include "report/figure_text.hpp"
#include "sample_figure.hpp"
#include "shell.hpp"

namespace {

using namespace lockstep;
using cli::exit_status;

paper_figure run_out_of_memory(std::span<int const>) { throw out_of_memory("too many blocks"); }

figure_entry entry_that(paper_figure (*draws)(std::span<int const>)) {
  return {.name = "sample-1", .summary = "a sample", .sizes = {16, 32, 64}, .draw = draws};
}

/// The status, and what was printed.
struct printed_of_figure {
  exit_status status;
  std::string out;
};

printed_of_figure execute(figure_entry const& figure, std::filesystem::path const& folder,
                          std::optional<int> up_to = std::nullopt) {
  std::ostringstream out;
  auto const status =
      cli::execute(cli::figure_command{.what = &figure, .folder = folder, .up_to = up_to}, out);
  return {status, out.str()};
}

std::set<std::string> names_in(std::filesystem::path const& folder) {
  std::set<std::string> names;
  for (auto const& entry : std::filesystem::directory_iterator(folder))
    names.insert(entry.path().filename().string());
  return names;
}

}  // namespace

TEST_CASE("a figure is written as CSV and as a picture", "[figure_command]") {
  scratch_directory const scratch;
  auto const [status, out] = execute(entry_that(draw_sample), scratch.file("."));
  CHECK(status == exit_status::all_right);
  CHECK(names_in(scratch.file(".")) ==
        std::set<std::string>{"sample-1-cross-overs.csv", "sample-1.csv", "sample-1.svg"});
  CHECK(read_file(scratch.file("sample-1.csv")) == cli::curves_as_csv(sample_figure()));
  CHECK(read_file(scratch.file("sample-1-cross-overs.csv")) ==
        cli::cross_overs_as_csv(sample_figure()));
  auto const figure = draw_sample(std::vector{16, 32, 64});
  CHECK(read_file(scratch.file("sample-1.svg")) == cli::as_svg(cli::picture_of(figure)));
  CHECK(out.starts_with("sample-1: It's a figure\nhow d is read, up to 64\n"));
  CHECK(contains(out, "written: " + scratch.file("./sample-1.svg").string()));
}

TEST_CASE("a figure that is not as the paper says ends with status 1", "[figure_command]") {
  scratch_directory const scratch;
  auto entry = entry_that([](std::span<int const> sizes) {
    auto figure = draw_sample(sizes);
    figure.checks = {{"twice the time",
                      "3 times",
                      {claim_verdict::our_program_exceeds, "", true},
                      "section 5, \"twice\""}};
    return figure;
  });
  entry.has_cross_overs = false;
  entry.measure = size_measure::processors;
  auto const [status, out] = execute(entry, scratch.file("."));
  CHECK(status == exit_status::wrong);
  CHECK(contains(out, "section 5, \"twice\": twice the time  WRONG  3 times\n"));
  CHECK(names_in(scratch.file(".")) == std::set<std::string>{"sample-1.csv", "sample-1.svg"});
  CHECK_THROWS_WITH(execute(entry, scratch.file("."), 15),
                    "--up-to: the smallest network of sample-1 has 16 processors; give 16 or more");
}

TEST_CASE("a folder that cannot be written is refused before the run", "[figure_command]") {
  scratch_directory const scratch;
  CHECK_THROWS_AS(execute(entry_that(run_out_of_memory), "/nowhere"), bad_input);
  std::filesystem::create_directory(scratch.file("sample-1.svg"));
  CHECK_THROWS_AS(execute(entry_that(run_out_of_memory), scratch.file(".")), bad_input);
  CHECK(names_in(scratch.file(".")) == std::set<std::string>{"sample-1.svg"});
}

TEST_CASE("a run that fails leaves no files", "[figure_command]") {
  scratch_directory const scratch;
  CHECK_THROWS_AS(execute(entry_that(run_out_of_memory), scratch.file(".")), out_of_memory);
  CHECK(names_in(scratch.file(".")).empty());
  CHECK_THROWS_WITH(execute(entry_that(run_out_of_memory), scratch.file(".")),
                    has_text("too many blocks; --up-to SIZE leaves larger networks out"));
}

TEST_CASE("larger networks can be left out, but not all", "[figure_command]") {
  scratch_directory const scratch;
  CHECK(contains(execute(entry_that(draw_sample), scratch.file("."), 63).out, "up to 32\n"));
  CHECK_THROWS_WITH(execute(entry_that(draw_sample), scratch.file("."), 15),
                    "--up-to: the smallest network of sample-1 is 16 x 16; give 16 or more");
}
