#include <lockstep/grading.hpp>

#include <fmt/format.h>

namespace lockstep {

void graded_check::steps(run_record const& run, std::uint64_t claimed, std::uint64_t least) {
  count(run);
  m_claimed = claimed;
  at_most("steps", *m_counted, claimed);
  require(*m_counted >= least,
          fmt::format("steps {}, and no program that sends its data can take fewer than {}: data "
                      "went another way than by messages",
                      *m_counted, least));
}

void graded_check::count(run_record const& run) { m_counted = run.counts().steps; }

void graded_check::at_most(std::string const& figure, std::uint64_t counted, std::uint64_t limit) {
  require(counted <= limit, fmt::format("{} {}, at most {} are allowed", figure, counted, limit));
}

void graded_check::require(bool holds, std::string const& rule) {
  if (!holds) throw broken_rule(rule);
}

}  // namespace lockstep
