#include "commands/value_list.hpp"

#include <string>
#include <vector>

#include "../catch.hpp"
#include "commands/usage_error.hpp"
#include "contains.hpp"

using lockstep::cli::values_from;
using text_list = std::vector<std::string>;

namespace {

void check_values_refused(std::string const& text, std::string const& part) {
  INFO(text);
  try {
    static_cast<void>(values_from("--words", text));
    FAIL("nothing is refused");
  } catch (lockstep::cli::usage_error const& problem) {
    std::string const message = problem.what();
    INFO(message);
    CHECK(message.starts_with("--words: "));
    CHECK(contains(message, part));
    CHECK_FALSE(contains(message, "\n"));
  }
}

}  // namespace

TEST_CASE("a value without a comma stands for itself", "[value_list]") {
  CHECK(values_from("--on", "torus:4x4") == text_list{"torus:4x4"});
  CHECK(values_from("--words", "-7") == text_list{"-7"});
  CHECK(values_from("--kind", "a.b") == text_list{"a.b"});
}

TEST_CASE("lists give each value once, in their order", "[value_list]") {
  CHECK(values_from("--scheme", "ring,bucket") == text_list{"ring", "bucket"});
  CHECK(values_from("--words", "4,1,4,1..4") == text_list{"4", "1", "2", "3"});
}

TEST_CASE("ranges go on by 1, by a number, or times a number", "[value_list]") {
  CHECK(values_from("--words", "1..4") == text_list{"1", "2", "3", "4"});
  CHECK(values_from("--words", "5..5") == text_list{"5"});
  CHECK(values_from("--words", "0..10+4") == text_list{"0", "4", "8"});
  CHECK(values_from("--words", "-2..1") == text_list{"-2", "-1", "0", "1"});
  CHECK(values_from("--words", "1..4096*4") ==
        text_list{"1", "4", "16", "64", "256", "1024", "4096"});
  CHECK(values_from("--words", "3..100*10") == text_list{"3", "30"});
  CHECK(values_from("--words", "0,1..4*2") == text_list{"0", "1", "2", "4"});
}

TEST_CASE("ranges end at the ends of the numbers", "[value_list]") {
  CHECK(values_from("--k", "9223372036854775806..9223372036854775807") ==
        text_list{"9223372036854775806", "9223372036854775807"});
  CHECK(values_from("--k", "1..9223372036854775807*4000000000") == text_list{"1", "4000000000"});
  CHECK(values_from("--k", "-9223372036854775808..9223372036854775807+9223372036854775807") ==
        text_list{"-9223372036854775808", "-1", "9223372036854775806"});
}

TEST_CASE("braces stand for all that is in them", "[value_list]") {
  CHECK(values_from("--on", "torus:{4,8}x{4,8}") ==
        text_list{"torus:4x4", "torus:4x8", "torus:8x4", "torus:8x8"});
  CHECK(values_from("--on", "hypercube:{3..5},ring:8") ==
        text_list{"hypercube:3", "hypercube:4", "hypercube:5", "ring:8"});
  CHECK(values_from("--on", "{ring,line}:{2..8*2}") ==
        text_list{"ring:2", "ring:4", "ring:8", "line:2", "line:4", "line:8"});
  CHECK(values_from("--on", "ring:{8}") == text_list{"ring:8"});
}

TEST_CASE("settings of a model belong to it", "[value_list]") {
  CHECK(values_from("--model", "paragon,bdm:tau_words=64,packet=8,bsp") ==
        text_list{"paragon", "bdm:tau_words=64,packet=8", "bsp"});
  CHECK(values_from("--model", "bdm:tau_words={16,64}") ==
        text_list{"bdm:tau_words=16", "bdm:tau_words=64"});
}

TEST_CASE("edges belong to their graph, and escaped commas to their value", "[value_list]") {
  CHECK(values_from("--on", "graph:0-1,1-2,2-0,ring:4") ==
        text_list{"graph:0-1,1-2,2-0", "ring:4"});
  CHECK(values_from("--groups", "4x4\\,8x8,16x16") == text_list{"4x4,8x8", "16x16"});
}

TEST_CASE("anything but a list or a range is refused in a line with an example", "[value_list]") {
  check_values_refused("", "empty value");
  check_values_refused("1,,2", "empty value");
  check_values_refused("1,", "empty value");
  check_values_refused("1..", "write 1..16, 0..10+2 or 1..4096*4");
  check_values_refused("1..x", "is not a range");
  check_values_refused("1..8+", "is not a range");
  check_values_refused("crossbar:1..8", "in braces");
  check_values_refused("8..1", "write the smaller number first");
  check_values_refused("1..8+0", "by 1 or more");
  check_values_refused("1..8*1", "multiplies by 2 or more");
  check_values_refused("0..8*2", "begins with 1 or more");
  check_values_refused("torus:{4,8", "lacks a }");
  check_values_refused("torus:4}", "braces come in pairs");
  check_values_refused("torus:{4,{8,9}}", "braces come in pairs");
  check_values_refused("torus:{}", "empty value");
  check_values_refused("1..1000000", "more than 100000 values");
  check_values_refused("{1..1000}x{1..1000}", "more than 100000 values");
}
