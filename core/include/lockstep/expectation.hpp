#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include <lockstep/claim.hpp>
#include <lockstep/counts.hpp>
#include <lockstep/errors.hpp>
#include <lockstep/run.hpp>

namespace lockstep {

/// The result of a comparison with what was expected. Its report has the counts, what was expected,
/// and the first step where it went wrong; or nothing where all is as expected. Either way it says
/// where messages share links, for `steps` and `words` do not tell.
struct verdict {
  bool holds = true;
  std::string report{};

  [[nodiscard]] explicit operator bool() const noexcept { return holds; }
};

/// A limit on a figure of `counts`, or on "span" or "makespan" of a run: its value, or the largest that is
/// accepted.
struct figure_bound {
  std::string figure;
  std::uint64_t value = 0;
  comparison bound = comparison::equal;

  friend bool operator==(figure_bound const&, figure_bound const&) = default;
};

/// The expected cost of a run: a value, made once and compared with many runs.
///
///   auto const expected = takes(steps(8)).words(576).contention_free();
///   expected.check(run).report;            // in any framework
///   require(run, expected);                // in none
///   CHECK_THAT(run, expected);             // in Catch2, with <lockstep/catch2.hpp>
///
/// Errors of every function that makes one: invalid_argument for a figure that `counts` does not
/// have, for the span or makespan of a phase, or for a relation that cannot be checked.
class expectation {
 public:
  expectation() = default;

  /// Adds that figure to this expectation.
  [[nodiscard]] expectation also(figure_bound const& wanted) const;
  [[nodiscard]] expectation exactly(std::string figure, std::uint64_t value) const;
  [[nodiscard]] expectation at_most(std::string figure, std::uint64_t value) const;

  [[nodiscard]] expectation steps(std::uint64_t value) const { return exactly("steps", value); }
  [[nodiscard]] expectation rounds(std::uint64_t value) const { return exactly("rounds", value); }
  [[nodiscard]] expectation startups(std::uint64_t value) const {
    return exactly("startups", value);
  }
  [[nodiscard]] expectation words(std::uint64_t value) const { return exactly("words", value); }
  [[nodiscard]] expectation volume(std::uint64_t value) const { return exactly("volume", value); }
  [[nodiscard]] expectation messages(std::uint64_t value) const {
    return exactly("messages", value);
  }
  [[nodiscard]] expectation hops(std::uint64_t value) const { return exactly("hops", value); }
  [[nodiscard]] expectation rearranged(std::uint64_t value) const {
    return exactly("rearranged", value);
  }
  [[nodiscard]] expectation serialised_steps(std::uint64_t value) const {
    return exactly("serialised_steps", value);
  }
  [[nodiscard]] expectation link_words(std::uint64_t value) const {
    return exactly("link_words", value);
  }
  [[nodiscard]] expectation work(std::uint64_t value) const { return exactly("work", value); }
  [[nodiscard]] expectation operations(std::uint64_t value) const {
    return exactly("operations", value);
  }
  /// Adds the longest path through work and messages (`run_record::span`), in operations.
  [[nodiscard]] expectation span(std::uint64_t value) const { return exactly("span", value); }
  /// Adds the steps until the last processor is done (`run_record::makespan`).
  [[nodiscard]] expectation makespan(std::uint64_t value) const {
    return exactly("makespan", value);
  }
  [[nodiscard]] expectation span_at_most(std::uint64_t value) const {
    return at_most("span", value);
  }
  [[nodiscard]] expectation makespan_at_most(std::uint64_t value) const {
    return at_most("makespan", value);
  }
  [[nodiscard]] expectation work_at_most(std::uint64_t value) const {
    return at_most("work", value);
  }
  [[nodiscard]] expectation steps_at_most(std::uint64_t value) const {
    return at_most("steps", value);
  }
  [[nodiscard]] expectation words_at_most(std::uint64_t value) const {
    return at_most("words", value);
  }
  /// Adds that no message waits longer.
  [[nodiscard]] expectation queued_at_most(std::uint64_t value) const {
    return at_most("queued", value);
  }
  /// Adds that no directed link carries two messages in one step.
  [[nodiscard]] expectation contention_free() const { return at_most("contention", 1); }
  /// Adds that no processor holds more of its own memory (`processor::memory`) at a time.
  [[nodiscard]] expectation uses_memory_at_most(std::uint64_t words) const {
    return at_most("memory", words);
  }
  [[nodiscard]] expectation sent_at_most_words_per_processor(std::uint64_t words) const;
  [[nodiscard]] expectation received_at_most_words_per_processor(std::uint64_t words) const;
  /// Adds that every phase of that name takes this, and that there is such a phase.
  [[nodiscard]] expectation in_phase(std::string name,
                                     std::vector<figure_bound> const& wanted) const;
  /// Adds the claim, on the network of the run, with the values of its parameters: m, n, ... It is
  /// matched where the verdict is `equal` or `holds`; a run outside its hypotheses does not match,
  /// and an order of growth is for a sweep to decide.
  [[nodiscard]] expectation matching(claim const& claimed,
                                     problem_instance::numbers const& with = {}) const;

  /// Adds everything that the other one expects.
  [[nodiscard]] friend expectation operator&&(expectation left, expectation const& right) {
    left.m_wanted.insert(left.m_wanted.end(), right.m_wanted.begin(), right.m_wanted.end());
    left.m_last_report.clear();
    return left;
  }

  /// Errors: those of a claim's formula.
  [[nodiscard]] verdict check(run_record const& run) const;
  /// Writes "takes steps = 8, words = 576, contention <= 1".
  [[nodiscard]] std::string text() const;

  /// The function that CHECK_THAT of Catch2 calls; not to be called from two threads at once.
  [[nodiscard]] bool match(run_record const& run) const;
  /// Writes text(), and the report on the last run: why it did not match, and whether messages
  /// share links.
  [[nodiscard]] std::string toString() const;  // NOLINT(readability-identifier-naming)

 private:
  /// One condition: its name, and a function that reports where a run does not meet it.
  struct requirement {
    std::string text;
    std::function<std::string(run_record const&)> fault;
  };
  [[nodiscard]] expectation with(requirement wanted) const;

  std::vector<requirement> m_wanted;
  mutable std::string m_last_report;
};

[[nodiscard]] inline figure_bound exactly(std::string figure, std::uint64_t value) {
  return {std::move(figure), value, comparison::equal};
}
[[nodiscard]] inline figure_bound at_most(std::string figure, std::uint64_t value) {
  return {std::move(figure), value, comparison::at_most};
}
[[nodiscard]] inline figure_bound steps(std::uint64_t value) { return exactly("steps", value); }
[[nodiscard]] inline figure_bound rounds(std::uint64_t value) { return exactly("rounds", value); }
[[nodiscard]] inline figure_bound startups(std::uint64_t value) {
  return exactly("startups", value);
}
[[nodiscard]] inline figure_bound words(std::uint64_t value) { return exactly("words", value); }
[[nodiscard]] inline figure_bound volume(std::uint64_t value) { return exactly("volume", value); }
[[nodiscard]] inline figure_bound hops(std::uint64_t value) { return exactly("hops", value); }
[[nodiscard]] inline figure_bound work(std::uint64_t value) { return exactly("work", value); }
[[nodiscard]] inline figure_bound operations(std::uint64_t value) {
  return exactly("operations", value);
}

[[nodiscard]] inline figure_bound makespan(std::uint64_t value) {
  return exactly("makespan", value);
}

/// Makes the expectation of that figure, to which more can be added.
[[nodiscard]] inline expectation takes(figure_bound const& wanted) {
  return expectation().also(wanted);
}
/// Makes an expectation of every figure; `link_words`, `hot_startups`, `work` and `operations` may be
/// left out, and are not compared then.
[[nodiscard]] expectation takes(counts const& wanted);

[[nodiscard]] inline expectation steps_at_most(std::uint64_t value) {
  return expectation().steps_at_most(value);
}
[[nodiscard]] inline expectation words_at_most(std::uint64_t value) {
  return expectation().words_at_most(value);
}
[[nodiscard]] inline expectation queued_at_most(std::uint64_t value) {
  return expectation().queued_at_most(value);
}
[[nodiscard]] inline expectation contention_free() { return expectation().contention_free(); }
[[nodiscard]] inline expectation uses_memory_at_most(std::uint64_t words) {
  return expectation().uses_memory_at_most(words);
}
[[nodiscard]] inline expectation sent_at_most_words_per_processor(std::uint64_t words) {
  return expectation().sent_at_most_words_per_processor(words);
}
[[nodiscard]] inline expectation received_at_most_words_per_processor(std::uint64_t words) {
  return expectation().received_at_most_words_per_processor(words);
}
[[nodiscard]] inline expectation matches(claim const& claimed,
                                         problem_instance::numbers const& with = {}) {
  return expectation().matching(claimed, with);
}
/// Makes an expectation of all of them.
[[nodiscard]] expectation matches(std::vector<claim> const& claims,
                                  problem_instance::numbers const& with = {});

/// A run, or a sweep, differs from what was expected; the message is the report.
class expectation_failed : public error {
 public:
  using error::error;
};

/// Checks a run in a test without a framework.
/// Errors: expectation_failed, with the report; those of `check`.
void require(run_record const& run, expectation const& expected);

}  // namespace lockstep
