#include "whole_file.hpp"

#include <filesystem>
#include <stdexcept>

#include "../catch.hpp"
#include "shell.hpp"
#include "usage_error.hpp"

using lockstep::cli::usage_error;
using lockstep::cli::whole_file;

TEST_CASE("a file appears when it is published, and replaces the old one", "[whole_file]") {
  scratch_directory const scratch;
  auto const path = scratch.write("data.csv", "old");
  {
    whole_file file(path);
    CHECK(file.path() == path);
    CHECK(read_file(path) == "old");
    file.publish("new\n");
    CHECK(read_file(path) == "new\n");
  }
  CHECK(read_file(path) == "new\n");
  CHECK_FALSE(std::filesystem::exists(scratch.file("data.csv.part")));
}

TEST_CASE("a file that is not published leaves nothing", "[whole_file]") {
  scratch_directory const scratch;
  { whole_file const file(scratch.file("data.csv")); }
  CHECK(std::filesystem::is_empty(scratch.file(".")));
}

TEST_CASE("a file that cannot be written is refused", "[whole_file]") {
  scratch_directory const scratch;
  CHECK_THROWS_AS(whole_file("/nowhere/data.csv"), usage_error);
  std::filesystem::create_directory(scratch.file("data.csv"));
  CHECK_THROWS_AS(whole_file(scratch.file("data.csv")), usage_error);
}

TEST_CASE("a file that cannot be moved to its place is an error", "[whole_file]") {
  scratch_directory const scratch;
  whole_file file(scratch.file("data.csv"));
  std::filesystem::create_directory(scratch.file("data.csv"));
  CHECK_THROWS_AS(file.publish("new\n"), std::runtime_error);
}
