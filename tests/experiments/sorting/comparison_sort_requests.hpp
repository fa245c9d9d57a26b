#pragma once

#include <cstdint>
#include <string>

#include <lockstep/errors.hpp>
#include <lockstep/experiments/registry.hpp>

#include "catch.hpp"
#include "experiments/temporary_file.hpp"
#include "sorting/sort_requests.hpp"

/// What the tests of experiments that sort by comparisons share.
namespace comparison_sorts {

using parameters = parameters_of_sort;

[[nodiscard]] inline lockstep::experiment_result run(std::string const& name, std::string const& on,
                                                     parameters const& given) {
  return lockstep::find_experiment(name)->run(sort_request(name, on, given));
}

/// What it says of a request that it refuses before anything runs.
[[nodiscard]] inline std::string refusal(std::string const& name,
                                         lockstep::experiment_request const& asked) {
  try {
    static_cast<void>(lockstep::find_experiment(name)->run(asked));
  } catch (lockstep::invalid_argument const& refused) {
    CHECK(refused.step() == 0);
    return refused.message();
  }
  return "not refused";
}

/// What it writes when it sorts a file of that content on 3 processors, or says of it.
[[nodiscard]] inline std::string written(std::string const& name, std::string const& content,
                                         parameters const& given,
                                         std::string const& on = "crossbar:3") {
  temporary_file const input(content);
  temporary_file const output("as before");
  auto asked = sort_request(name, on, given);
  asked.input = input.path();
  asked.output = output.path();
  try {
    bool const correct = lockstep::find_experiment(name)->run(asked).correct;
    CHECK(correct);
  } catch (lockstep::bad_input const& bad) {
    CHECK(output.content() == "as before");
    std::string const text = bad.what();
    CHECK(text.starts_with(input.path().string()));
    CHECK(text.find('\n') == std::string::npos);
    return text.substr(input.path().string().size());
  }
  return output.content();
}

/// Whether the result is right, and keeps the claims that ought to hold.
inline void check_right(lockstep::experiment_result const& result) {
  CHECK(result.correct);
  CHECK(result.claims.size() >= 4);
  for (auto const& claimed : result.claims) {
    INFO(claimed.figure << " " << symbol(claimed.bound) << " " << claimed.formula << " = "
                        << claimed.value() << ", measured " << measured_for(claimed, result));
    CHECK((holds(claimed, measured_for(claimed, result)) || !claimed.erratum.empty()));
  }
  for (auto const& bound : result.bounds) {
    INFO(bound.figure << " >= " << bound.value);
    CHECK(holds(bound, result.record.counts()));
  }
}

/// What all of them refuse.
inline void check_refusals(std::string const& name) {
  INFO(name);
  CHECK(refusal(name, sort_request(name, "hypercube:2", {})) ==
        "hypercube:2 is not a crossbar; this algorithm needs a link between every pair, for "
        "example crossbar:4");
  auto const refused = [&](parameters const& given) {
    return refusal(name, sort_request(name, "crossbar:2", given));
  };
  CHECK_THAT(refused({{"format", std::string("csv")}}),
             has_text("'csv' is not one of text, int32"));
  CHECK_THAT(refused({{"keys", std::string("half")}}),
             has_text("'half' is not one of auto, int32"));
  CHECK_THAT(refused({{"format", std::string("float32")}, {"keys", std::string("float64")}}),
             has_text("format float32 has no keys of type float64"));
  CHECK(refused({{"packet", std::int64_t{0}}}) == "packet has to be at least 1, not 0");
  CHECK_THROWS_AS(run(name, "crossbar:2", {{"n", std::int64_t{4'000'000'000}}}),
                  lockstep::out_of_memory);
  auto asked = sort_request(name, "crossbar:2", {});
  asked.output = "/nonexistent/sorted";
  CHECK_THROWS_WITH(lockstep::find_experiment(name)->run(asked), has_text("cannot be written"));
  asked.input = "/nonexistent/keys";
  CHECK_THROWS_WITH(lockstep::find_experiment(name)->run(asked),
                    has_text("/nonexistent/keys: cannot be read"));
}

}  // namespace comparison_sorts
