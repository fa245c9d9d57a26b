#include <lockstep/claim_list.hpp>

#include <string>
#include <vector>

#include <lockstep/errors.hpp>

#include "catch.hpp"

using lockstep::claim;
using lockstep::claim_list;
using lockstep::comparison;

namespace {

[[nodiscard]] claim_list claims_on_grid() {
  return claim_list({{{"R", 8}, {"C", 12}, {"m", 2}}}).from("a paper, 3");
}

}  // namespace

TEST_CASE("a list of claims evaluates its formulas", "[core][claims]") {
  std::vector<claim> const claims =
      claims_on_grid().equal("steps, startups", "C/2 + 2").at_most("words", "RC(C + 4)m/4");
  REQUIRE(claims.size() == 3);
  CHECK(claims[0].figure == "steps");
  CHECK(claims[1].figure == "startups");
  CHECK(claims[1].formula == "C/2 + 2");
  CHECK(claims[1].value() == 8);
  CHECK(claims[1].bound == comparison::equal);
  CHECK(claims[2].figure == "words");
  CHECK(claims[2].value() == 768);
  CHECK(claims[2].bound == comparison::at_most);
  for (auto const& one : claims) CHECK(one.source == "a paper, 3");
}

TEST_CASE("a formula in words needs its value", "[core][claims]") {
  CHECK_THROWS_AS(claims_on_grid().equal("steps", "turns with a message"),
                  lockstep::invalid_argument);
  CHECK_THROWS_AS(claims_on_grid().equal("steps", "k + 1"), lockstep::invalid_argument);
  std::vector<claim> const claims = claims_on_grid().equal("steps", "turns with a message", 5);
  REQUIRE(claims.size() == 1);
  CHECK(claims[0].value() == 5);
}

TEST_CASE("a table of claims reads as a paper's", "[core][claims]") {
  std::vector<claim> const claims = claims_on_grid().table(R"(
    steps, startups = C/2 + 2
    from another
    words <= RC(C + 4)m/4)");
  REQUIRE(claims.size() == 3);
  CHECK(claims[1].figure == "startups");
  CHECK(claims[1].value() == 8);
  CHECK(claims[1].bound == comparison::equal);
  CHECK(claims[1].source == "a paper, 3");
  CHECK(claims[2].value() == 768);
  CHECK(claims[2].bound == comparison::at_most);
  CHECK(claims[2].source == "another");
  CHECK_THROWS_AS(claims_on_grid().table("steps: 3"), lockstep::invalid_argument);
  CHECK_THROWS_AS(claims_on_grid().table("steps = k"), lockstep::invalid_argument);
  CHECK_THROWS_AS(claims_on_grid().table("steps words = 3"), lockstep::invalid_argument);
  std::vector<claim> const remark = claims_on_grid().table("steps,words = m, for p <= 8");
  REQUIRE(remark.size() == 2);
  CHECK(remark[1].figure == "words");
  CHECK(remark[1].bound == comparison::equal);
}

TEST_CASE("an erratum and a price are of the claims of one call", "[core][claims]") {
  std::vector<claim> const claims = claims_on_grid()
                                        .equal("steps", "C")
                                        .from("another")
                                        .with("k", 3)
                                        .at_most("time, hops", "k + C")
                                        .erratum("why")
                                        .priced_by(lockstep::block_distributed_model{16});
  REQUIRE(claims.size() == 3);
  CHECK(claims[0].erratum.empty());
  CHECK_FALSE(claims[0].model);
  for (auto const at : {1, 2}) {
    auto const& one = claims[static_cast<std::size_t>(at)];
    CHECK(one.erratum == "why");
    CHECK(one.model);
    CHECK(one.source == "another");
    CHECK(one.value() == 15);
  }
}

TEST_CASE("a list of claims has hypotheses and evidence", "[core][claims]") {
  claim_list claims({{{"p", 4}, {"n", 60}}});
  std::vector<claim> const all = claims.from("Somebody 2001, 2")
                                     .about("words", "n/p")
                                     .where("n >= p^3")
                                     .erratum("")
                                     .at_most("steps", "p")
                                     .where("p > 1")
                                     .where("p a power of two", true)
                                     .evidence("a cut")
                                     .from("lockstep")
                                     .equal("steps", "4");
  REQUIRE(all.size() == 3);
  CHECK(all[0].bound == lockstep::comparison::about);
  REQUIRE(all[0].where.size() == 1);
  CHECK(all[0].where[0].text == "n >= p^3");
  CHECK_FALSE(all[0].where[0].is_met());
  CHECK(all[0].erratum == "made for n >= p^3");
  REQUIRE(all[1].where.size() == 2);
  CHECK(all[1].where[0].is_met());
  CHECK(all[1].evidence == "a cut");
  CHECK(all[1].erratum.empty());
  CHECK(all[2].where.empty());
  for (auto const* const text : {"p == 4", "q >= 1", "p >= ", "p a power of two"})
    CHECK_THROWS_AS(claims.where(text), lockstep::invalid_argument);
  CHECK(claim_list({{{"p", 4}}}).at_most("steps", "1").where("p <= 3").value("p") == 4);
}

TEST_CASE("a hypothesis is evaluated from its text", "[core][claims]") {
  claim_list const claims({{{"p", 4}, {"n", 60}, {"q", 6}, {"one", 1}}});
  auto const is_met = [&](std::string const& text) {
    auto const found = claims.hypothesis_of(text);
    CHECK(found.text == text);
    return found.is_met();
  };
  CHECK(is_met("p divides n"));
  CHECK_FALSE(is_met("p divides n/p"));
  CHECK_FALSE(is_met("p divides n/8"));
  CHECK(is_met("q divides n"));
  CHECK_FALSE(is_met("p divides q"));
  CHECK(is_met("p^0 < n/(6 ln n)"));
  CHECK_FALSE(is_met("p^2 < n/(6 ln n)"));
  CHECK_FALSE(is_met("p < one/ln one"));
  claim_list const large({{{"p", 3}, {"n", 1'000'000'000'007}, {"m", 1'000'000'000'002}}});
  CHECK_FALSE(large.hypothesis_of("p^2 divides n").is_met());
  CHECK_FALSE(large.hypothesis_of("p^2 divides m").is_met());  // 3 divides it
  CHECK(large.hypothesis_of("p divides m").is_met());
  CHECK(claims.hypothesis_of("p <= 4").is_met());
  for (auto const* const text : {"m divides n", "p divides the size of a block", "p = 4"})
    CHECK_THROWS_AS(claims.hypothesis_of(text), lockstep::invalid_argument);
}

TEST_CASE("a hypothesis says both its text and whether it is met", "[core][claims]") {
  auto const claims_where = [](bool is_met) {
    std::vector<claim> const claims = claims_on_grid()
                                          .at_most("steps", "C")
                                          .where(lockstep::hypothesis{"R a power of two", is_met});
    return claims.front();
  };
  CHECK(claims_where(true).where.front().text == "R a power of two");
  CHECK(claims_where(true).where.front().is_met());
  CHECK(claims_where(true).erratum.empty());
  CHECK_FALSE(claims_where(false).where.front().is_met());
  CHECK(claims_where(false).erratum == "made for R a power of two");
}
