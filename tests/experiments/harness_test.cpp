#include "harness/harness.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <lockstep/topologies/crossbar.hpp>
#include <lockstep/topologies/torus.hpp>

#include "catch.hpp"
#include "exchange/complete_exchange.hpp"
#include "experiments/refusal_of.hpp"

using lockstep::arguments;
using lockstep::experiment_request;
using lockstep::integer_parameter;
using lockstep::machine_needs;
using lockstep::named_choice;
using lockstep::strictness;

namespace {

[[nodiscard]] experiment_request on_torus() {
  return {.network = std::make_shared<lockstep::torus>(lockstep::torus{{4, 4}})};
}

[[nodiscard]] std::string memory_complaint(machine_needs const& needs) {
  auto const asked = on_torus();
  return refusal_of_call<lockstep::out_of_memory>([&] {
    require_memory(asked, needs);
    return 0;
  });
}

}  // namespace

TEST_CASE("a parameter is given, or falls back", "[harness]") {
  auto asked = on_torus();
  asked.parameters["k"] = std::int64_t{3};
  arguments const given(asked);
  CHECK(given[integer_parameter{"k", "", 8, 1, 10}] == 3);
  CHECK(given[integer_parameter{"other", "", 8, 1, 10}] == 8);
  CHECK(given[lockstep::real_parameter{"c", "", 2.5}] == 2.5);
  CHECK(given[lockstep::text_parameter{"column", ""}].empty());
  CHECK_FALSE(given[lockstep::flag_parameter{"plain", ""}]);
  CHECK(given.seed() == 1);
  CHECK(given.processors() == 16);
}

TEST_CASE("a parameter out of its range, of another type or name is refused", "[harness]") {
  auto asked = on_torus();
  asked.parameters["k"] = std::int64_t{3};
  asked.parameters["order"] = std::string("up");
  arguments const given(asked);
  CHECK(refusal_of_call([&] {
          return given[integer_parameter{"k", "", 8, 4, 10}];
        }) == "k has to be at least 4, not 3");
  CHECK(refusal_of_call([&] {
          return given[integer_parameter{"k", "", 1, 0, 2}];
        }) == "k has to be at most 2, not 3");
  CHECK(refusal_of_call([&] {
          return given[integer_parameter{"order", "", 1, 0, 2}];
        }) == "order has to be a whole number");
  CHECK(refusal_of_call([&] {
          return given[lockstep::flag_parameter{"k", ""}];
        }) == "k has to be a flag");
  constexpr lockstep::choice_parameter order{
      "order", "", std::array{named_choice{"pex", 1}, named_choice{"lp", 2}}};
  CHECK(refusal_of_call([&] { return given[order]; }) == "order: 'up' is not one of pex, lp");
  asked.parameters["order"] = std::string("lp");
  CHECK(given[order] == 2);
}

TEST_CASE("help shows the range and the names of a parameter", "[harness]") {
  lockstep::parameter const whole = integer_parameter{"k", "how many", 8, 1, 10, true};
  CHECK(whole.least == 1);
  CHECK(whole.most == 10);
  CHECK(whole.of_made_input);
  CHECK(std::get<std::int64_t>(whole.fallback) == 8);
  lockstep::parameter const named = lockstep::choice_parameter{
      "order", "which", std::array{named_choice{"pex", 1}, named_choice{"lp", 2}}};
  CHECK(named.names == std::vector<std::string>{"pex", "lp"});
  CHECK(std::get<std::string>(named.fallback) == "pex");
}

TEST_CASE("memory that suffices is let pass", "[harness][memory]") {
  CHECK(memory_complaint({}) == "not refused");
  CHECK(memory_complaint({.bytes_each = 1000, .held = "", .remedy = ""}) == "not refused");
}

TEST_CASE("memory that does not suffice is refused with the figures", "[harness][memory]") {
  auto const asked = on_torus();
  auto const message =
      memory_complaint(lockstep::memory_for_blocks(asked, std::uint64_t{1} << 50U, 4, 2));
  CHECK_THAT(message, Catch::Matchers::StartsWith("torus:4x4 has 16 processors, and blocks of "
                                                  "1125899906842624 words from each to each need "
                                                  "2199023255552 MiB, and "));
  CHECK_THAT(message, Catch::Matchers::EndsWith(
                          " MiB are available: take a smaller machine or smaller blocks"));
  constexpr auto most = std::numeric_limits<std::uint64_t>::max();
  CHECK(memory_complaint(lockstep::memory_for_blocks(asked, most, 8, 3)) != "not refused");
}

TEST_CASE("a program has the machine that it needs", "[harness]") {
  auto asked = on_torus();
  CHECK(machine_for(asked, {.strict = strictness::always}).options().strict);
  CHECK_FALSE(machine_for(asked, {}).options().strict);
  CHECK(machine_for(asked, {.packet = 8}).options().packet == 8);
  asked.options.strict = true;
  CHECK(machine_for(asked, {}).options().strict);
  CHECK_THAT(refusal_of_call([&] { return machine_for(asked, {.strict = strictness::never}); }),
             Catch::Matchers::StartsWith("its messages share links"));
  asked.options.ports = lockstep::ports::all;
  CHECK_THAT(refusal_of_call([&] { return machine_for(asked, {.one_port = true}); }),
             Catch::Matchers::EndsWith("leave out --ports all"));
}

TEST_CASE("a network that cannot be used is refused with one that can", "[harness]") {
  auto const asked = on_torus();
  CHECK(refusal_of_call([&] {
          lockstep::require_crossbar(asked);
          return 0;
        }) ==
        "torus:4x4 is not a crossbar; this algorithm needs a link between every pair, for example "
        "crossbar:16");
}

TEST_CASE("one processor with a wrong result makes the run wrong", "[harness]") {
  auto const asked = on_torus();
  CHECK(run_and_check(asked, {}, [](lockstep::processor&) { return true; }).correct);
  CHECK_FALSE(
      run_and_check(asked, {}, [](lockstep::processor& me) { return me.rank() != 7; }).correct);
}

TEST_CASE("an argument that the program refuses is refused", "[harness]") {
  auto const asked = on_torus();
  auto const refuses = [](lockstep::processor&) -> bool {
    throw lockstep::invalid_argument("no such thing");
  };
  CHECK(refusal_of_call([&] { return run_and_check(asked, {}, refuses); }) == "no such thing");
  auto const fails = [](lockstep::processor&) -> bool { throw std::runtime_error("oh"); };
  CHECK_THROWS_AS(run_and_check(asked, {}, fails), lockstep::processor_failed);
}
