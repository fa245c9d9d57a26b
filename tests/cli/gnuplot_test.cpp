#include "report/gnuplot.hpp"

#include <string>

#include "../catch.hpp"
#include "search_path.hpp"
#include "shell.hpp"

using lockstep::cli::run_gnuplot;

TEST_CASE("without a gnuplot on the path it is said so", "[gnuplot]") {
  scratch_directory const scratch;
  search_path const only(scratch.file("."));
  auto const result = run_gnuplot("plot x");
  CHECK_FALSE(result.is_installed);
  CHECK_FALSE(result.succeeded);
}

TEST_CASE("gnuplot gets the script, and its picture comes back", "[gnuplot]") {
  scratch_directory const scratch;
  write_program(scratch.file("gnuplot"), "while read -r line; do echo \"<$line>\"; done");
  search_path const only(scratch.file("."));
  std::string script;
  for (int i = 0; i < 3000; ++i) script += "plot 'a' \"$HOME\" `b`\n";
  auto const result = run_gnuplot(script);
  CHECK(result.is_installed);
  CHECK(result.succeeded);
  CHECK(lines_of(result.picture) == 3000);
  CHECK(result.picture.starts_with("<plot 'a' \"$HOME\" `b`>\n"));
}

TEST_CASE("a gnuplot that fails, dies or prints nothing has not succeeded", "[gnuplot]") {
  scratch_directory const scratch;
  search_path const only(scratch.file("."));
  auto const with = [&](std::string const& script) {
    write_program(scratch.file("gnuplot"), script);
    return run_gnuplot("plot x");
  };
  auto const failed = with("echo half; echo >&2; echo 'line 0: no such terminal' >&2; exit 3");
  CHECK(failed.is_installed);
  CHECK_FALSE(failed.succeeded);
  CHECK(failed.complaint == "line 0: no such terminal");
  auto const silent = with("exit 3");
  CHECK_FALSE(silent.succeeded);
  CHECK(silent.complaint == "exit status 3");
  auto const dead = with("kill -9 $$");
  CHECK_FALSE(dead.succeeded);
  CHECK(dead.complaint == "killed by signal 9");
  CHECK_FALSE(with("exit 0").succeeded);
}

TEST_CASE("a gnuplot that may not be run is a failure", "[gnuplot]") {
  scratch_directory const scratch;
  scratch.write("gnuplot", "no program");
  search_path const only(scratch.file("."));
  auto const result = run_gnuplot("plot x");
  CHECK(result.is_installed);
  CHECK_FALSE(result.succeeded);
  CHECK_FALSE(result.complaint.empty());
}
