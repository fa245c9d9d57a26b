#include "commands/suggest.hpp"

#include "../catch.hpp"

namespace {

using lockstep::cli::edit_distance;
using lockstep::cli::nearest;
using lockstep::cli::suggestion;

std::vector<std::string> const names{"all-to-all", "prefix", "prefix-pipelined", "radix-sort"};

}  // namespace

TEST_CASE("edit distance counts insertions, deletions, replacements and swaps", "[suggest]") {
  CHECK(edit_distance("", "") == 0);
  CHECK(edit_distance("prefix", "prefix") == 0);
  CHECK(edit_distance("", "abc") == 3);
  CHECK(edit_distance("abc", "") == 3);
  CHECK(edit_distance("prefix", "prefx") == 1);
  CHECK(edit_distance("prefix", "pretix") == 1);
  CHECK(edit_distance("prefix", "perfix") == 1);
  CHECK(edit_distance("kitten", "sitting") == 3);
}

TEST_CASE("the nearest names come first, and far ones not at all", "[suggest]") {
  CHECK(nearest("all-to-al", names) == std::vector<std::string>{"all-to-all"});
  CHECK(nearest("perfix", names) == std::vector<std::string>{"prefix"});
  CHECK(nearest("prefix-", names) == std::vector<std::string>{"prefix", "prefix-pipelined"});
  CHECK(nearest("xyzzy", names).empty());
}

TEST_CASE("the beginning of a name stands for it", "[suggest]") {
  CHECK(nearest("all", names) == std::vector<std::string>{"all-to-all"});
  CHECK(nearest("a", names).empty());
}

TEST_CASE("no more than three names are suggested", "[suggest]") {
  CHECK(nearest("run", {"run1", "run2", "run3", "run4"}).size() == 3);
}

TEST_CASE("where nothing is near, all names are told", "[suggest]") {
  CHECK(suggestion("perfix", names) == "did you mean prefix?");
  CHECK(suggestion("xyzzy", names) ==
        "there are: all-to-all, prefix, prefix-pipelined, radix-sort");
}
