#include <algorithm>
#include <cstdint>
#include <string>

#include "catch.hpp"
#include "experiments/requests.hpp"
#include "experiments/temporary_file.hpp"

namespace {

/// Asks to balance the loads of a file, which is CSV.
lockstep::experiment_request balance_of(temporary_file const& input, std::string const& on,
                                        requests::values const& given = {}) {
  auto asked = requests::make("balance", on, given);
  asked.parameters.erase("n");
  asked.input = input.path();
  return asked;
}

std::string way_in(lockstep::experiment_result const& result) {
  return std::get<std::string>(result.figures.at("way"));
}

}  // namespace

TEST_CASE("balance says how much there was, and how it went") {
  auto const balanced = [](int p, char const* loads, std::int64_t n) {
    return requests::run("balance", "crossbar:" + std::to_string(p), {{"loads", loads}, {"n", n}});
  };
  auto const one = balanced(8, "one", 1000);
  for (auto const& [name, value] : {std::pair("M", 1000),
                                    {"h", 8},
                                    {"moved", 875},
                                    {"phase_1_words", 750},
                                    {"phase_2_words", 125},
                                    {"phase_3_words", 0}})
    CHECK(requests::figure(one, name) == value);
  CHECK(requests::figure(balanced(8, "half", 1003), "M") == 1003 - 3 * 250);
  CHECK(requests::figure(balanced(5, "half", 103), "M") == 41);  // 0 41 0 41 21
  auto const even = balanced(8, "even", 1003);
  CHECK(requests::figure(even, "moved") == 0);
  CHECK(even.record.counts().messages == 56);  // sizes
}

TEST_CASE("Theorem 4.1's bound fails straight where pm does not divide n, and holds by a tree") {
  requests::values from_one{{"n", 1280}, {"packet", 4}, {"tau", 4}, {"loads", "one"}};
  auto const time_claim = [](lockstep::experiment_result const& result) {
    CHECK(result.correct);
    auto const found = std::ranges::find(result.claims, "time", &lockstep::claim::figure);
    REQUIRE(found != result.claims.end());
    CHECK(found->value() == 1593);
    return *found;
  };
  auto const tree = requests::run("balance", "crossbar:256", from_one);
  CHECK(time_claim(tree).erratum == "made for n, p and m powers of two");  // n is not
  CHECK(measured_for(time_claim(tree), tree) <= 1593);
  CHECK_THAT(way_in(tree), has_text("a tree of k = "));
  from_one["way"] = "direct";
  auto const straight = requests::run("balance", "crossbar:256", from_one);
  CHECK(measured_for(time_claim(straight), straight) == 2320);
  CHECK(time_claim(straight).erratum ==
        "our shares are sent straight, in whole packets; by a tree, which Corollary 3.1 has too, "
        "they can take fewer words");
  CHECK(way_in(straight) == "straight (2048)");
}

TEST_CASE("balance takes loads of a file, and writes the shares beside them") {
  temporary_file const loads("node,load\n0,0\n1,30\n2,7\n3,1\n");
  auto const output = temporary_file::ending_in(".csv");
  auto asked = balance_of(loads, "crossbar:4", {{"column", "load"}, {"packet", 2}});
  asked.output = output.path();
  auto const result = requests::run("balance", asked);
  requests::check(result);
  CHECK(requests::figure(result, "M") == 30);
  CHECK(requests::figure(result, "moved") > 0);
  CHECK(std::get<std::int64_t>(result.parameters.at("n")) == 38);
  CHECK_FALSE(result.parameters.contains("loads"));
  CHECK(output.content() == "load,share\n0,10\n30,10\n7,9\n1,9\n");
  auto const one = requests::run("balance", balance_of(temporary_file("n\n0\n16\n"), "crossbar:2"));
  auto const made = requests::run("balance", "crossbar:2", {{"loads", "last"}, {"n", 16}});
  CHECK(one.record.counts() == made.record.counts());  // the same loads
}

TEST_CASE("balance writes shares of loads that are made") {
  auto asked = requests::make("balance", "crossbar:3", {{"n", 8}});
  auto const output = temporary_file::ending_in(".csv");
  asked.output = output.path();
  CHECK(requests::run("balance", asked).correct);
  CHECK(output.content() == "share\n3\n3\n2\n");
  temporary_file const shares(output.content());
  auto again = balance_of(shares, "crossbar:3");
  again.output = output.path();
  CHECK(requests::figure(requests::run("balance", again), "moved") == 0);
  CHECK(output.content() == "share,share after\n3,3\n3,3\n2,2\n");
}

TEST_CASE("balance refuses files that are not loads of its processors") {
  auto const refusal = [](std::string const& content, std::string const& column = "") {
    temporary_file const file(content);
    auto const text =
        requests::refusal("balance", balance_of(file, "crossbar:3", {{"column", column}}));
    CHECK(text.find(file.path().string()) != std::string::npos);
    return text;
  };
  CHECK_THAT(refusal("n\n1\n2\n"),
             has_text(" has 2 loads, and crossbar:3 has 3 processors: take crossbar:2"));
  CHECK_THAT(refusal("n\n"),
             has_text(" has no loads; give a row for each of the 3 processors of crossbar:3"));
  CHECK_THAT(refusal("n\n1\n-2\n3\n"), has_text("row 2 has a load of -2"));
  CHECK_THAT(refusal("n\n1\n2.5\n3\n"), has_text("column n has a decimal"));
  CHECK_THAT(refusal("n\n1\n2147483647\n1\n"),
             has_text("up to row 3 the loads are more than 2147483648 elements"));
  CHECK_THAT(refusal("a,b\n1,2\n3,4\n5,6\n"), has_text("name one with --column"));
  CHECK_THAT(refusal("a\n1\n2\n3\n", "b"), has_text("b"));
  CHECK(requests::refusal("balance", "crossbar:3", {{"column", "n"}}) ==
        "--column needs --input FILE");
}

TEST_CASE("balance refuses other networks, and all ports") {
  CHECK_THAT(requests::refusal("balance", "hypercube:3"),
             has_text("hypercube:3 is not a crossbar"));
  auto asked = requests::make("balance", "crossbar:6");
  asked.options.ports = lockstep::ports::all;
  CHECK_THAT(requests::refusal("balance", asked), has_text("one port; leave out --ports all"));
}
