// Where processes share inputs, process 0 alone reads: the file is a pipe here, which several readers would divide.

#include <lockstep/experiments/shared_inputs.hpp>

#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include <lockstep/experiments/registry.hpp>

#include "catch.hpp"
#include "core/cluster/thread_cluster.hpp"
#include "default_request.hpp"
#include "temporary_file.hpp"

namespace {

using namespace lockstep;

/// Runs an algorithm on a file, and says what came of it.
std::string outcome_of_file(std::string_view algorithm, std::filesystem::path const& input,
                            cluster* processes) {
  auto const& which = *find_experiment(algorithm);
  auto asked = default_request(which, "hypercube:3");
  asked.input = input;
  asked.options.cluster = processes;
  try {
    auto const result = which.run(asked);
    return fmt::format("{}, {}", result.correct ? "right" : "wrong",
                       to_string(result.record.counts()));
  } catch (error const& thrown) {
    return thrown.message();
  }
}

std::vector<std::string> outcomes_on_three(std::string_view algorithm,
                                           std::filesystem::path const& input) {
  return reference::on_threads(
      3,
      [&](cluster& all) {
        shared_inputs const shared(all);
        return outcome_of_file(algorithm, input, &all);
      },
      true);
}

/// Runs it on three processes that have the text from a pipe, and on one that has it from a file of that name.
void check_read_once(std::string_view algorithm, std::string const& text,
                     std::string const& ending) {
  auto const temporary = temporary_file::ending_in(ending);
  auto const& file = temporary.path();
  REQUIRE(::mkfifo(file.c_str(), 0600) == 0);
  std::vector<std::string> together;
  {
    std::jthread const writer([&] { std::ofstream(file, std::ios::binary) << text; });
    together = outcomes_on_three(algorithm, file);
  }
  std::filesystem::remove(file);
  std::ofstream(file, std::ios::binary) << text;
  auto const alone = outcome_of_file(algorithm, file, nullptr);
  CAPTURE(algorithm, alone);
  CHECK(together == std::vector<std::string>(3, alone));
}

}  // namespace

TEST_CASE("processes that share inputs have them from process 0", "[files]") {
  std::string numbers = "x\n";
  for (int number = 0; number < 100'000; ++number) numbers += fmt::format("{}\n", number % 97);
  check_read_once("prefix", numbers, ".csv");
  check_read_once("prefix", "x\n1\nno number\n", ".csv");
  check_read_once("bitonic-sort", "5\n3\n9\n1\n7\n2\n8\n4\n", ".txt");
  check_read_once("goal",
                  "num_ranks 2\nrank 0 {\nl1: send 8b to 1\n}\nrank 1 {\nl1: recv 8b from 0\n}\n",
                  ".goal");
}

TEST_CASE("all processes that share inputs say why a file cannot be read", "[files]") {
  auto const none = temporary_file::ending_in(".csv");
  for (auto const& input : {none.path(), std::filesystem::temp_directory_path()}) {
    auto const alone = outcome_of_file("prefix", input, nullptr);
    CHECK(alone.find(input.string()) == 0);
    CHECK(outcomes_on_three("prefix", input) == std::vector<std::string>(3, alone));
  }
}
