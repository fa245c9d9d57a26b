#include <lockstep/expectation.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <lockstep/judgement.hpp>

#include "evidence.hpp"

namespace lockstep {

namespace {

/// Whether it is a figure of the whole run that `counts` does not have.
[[nodiscard]] bool is_length(std::string_view figure) {
  return figure == "span" || figure == "makespan";
}

/// Finds a figure of the counts, the span or the makespan.
[[nodiscard]] std::uint64_t value_in(run_record const& run, std::string_view figure) {
  if (figure == "span") return run.span();
  if (figure == "makespan") return run.makespan();
  return metric_value(run.counts(), figure);
}

/// Reports a figure that is not as wanted, under that name, such as "in the phase "ring 1", steps".
[[nodiscard]] std::string fault_of(figure_bound const& wanted, std::uint64_t value,
                                   std::string_view name) {
  bool const equal = wanted.bound == comparison::equal;
  if (equal ? value == wanted.value : value <= wanted.value) return {};
  return fmt::format("{}: {}, {} {}\n", name, value, equal ? "instead of" : "more than",
                     wanted.value);
}

/// Whether a single run cannot decide on a value beyond such a bound.
[[nodiscard]] bool is_loose(comparison bound) {
  return bound == comparison::order || bound == comparison::about;
}

[[nodiscard]] std::string fault_of(claim const& claimed, problem_instance const& at,
                                   run_record const& run) {
  auto const measured = measured_for(claimed, run.counts(), at);
  auto const found = judge(claimed, measured, at);
  if (found.verdict == claim_verdict::equal || found.verdict == claim_verdict::holds) return {};
  if (found.verdict == claim_verdict::outside_the_claim || is_loose(claimed.bound))
    return fmt::format("{}: {:.10g}, {} {}: {}, {}\n", claimed.figure, measured,
                       symbol(claimed.bound), claimed.formula, name_of(found.verdict),
                       found.reason);
  auto const value = claimed.value(at);
  auto text = fmt::format("{}: {:.10g}, {} {:.10g} = {}", claimed.figure, measured,
                          claimed.bound == comparison::equal ? "instead of" : "more than", value,
                          claimed.formula);
  if (!claimed.source.empty()) text += fmt::format(" ({})", claimed.source);
  text += '\n';
  if (!found.is_fault) text += fmt::format("  known: {}\n", found.reason);
  return claimed.model ? text : text + detail::where_it_went_wrong(run, claimed.figure, value);
}

[[nodiscard]] std::string fault_of_phases(std::string const& name,
                                          std::vector<figure_bound> const& wanted,
                                          run_record const& run) {
  std::string text;
  bool found = false;
  for (std::size_t index = 0; index < run.phases().size(); ++index) {
    auto const& phase = run.phases()[index];
    if (phase.name != name) continue;
    found = true;
    for (auto const& one : wanted)
      if (auto fault = fault_of(one, metric_value(phase, one.figure), one.figure); !fault.empty())
        text += fmt::format("phase \"{}\", from step {} on: {}", name, phase.first_step, fault) +
                detail::where_it_went_wrong(run, index, one.figure, static_cast<double>(one.value));
  }
  if (found) return text;
  std::vector<std::string> names;
  for (auto const& phase : run.phases()) names.push_back(fmt::format("\"{}\"", phase.name));
  return fmt::format("phase \"{}\" does not occur; the run has {}\n", name,
                     names.empty() ? "no phases" : fmt::format("{}", fmt::join(names, ", ")));
}

[[nodiscard]] std::string fault_of_ports(detail::direction which, std::uint64_t limit,
                                         std::string_view name, run_record const& run) {
  std::uint64_t most = 0;
  for (auto const& one : run.processors())
    most = std::max(most, which == detail::direction::sent ? one.words_sent : one.words_received);
  if (most <= limit) return {};
  return fmt::format("{}: {}, more than {}\n", name, most, limit) +
         detail::where_it_went_wrong(run, which, limit);
}

/// Errors: invalid_argument for a name that is not a figure, or a relation that cannot be checked.
void check_bound(figure_bound const& wanted) {
  if (!is_length(wanted.figure)) static_cast<void>(metric_value(counts{}, wanted.figure));
  if (is_loose(wanted.bound))
    throw invalid_argument(
        fmt::format("{} {} {}: a single run does not decide it; take exactly or at_most",
                    wanted.figure, symbol(wanted.bound), wanted.value));
}

[[nodiscard]] std::string text_of(figure_bound const& wanted) {
  return fmt::format("{} {} {}", wanted.figure, symbol(wanted.bound), wanted.value);
}

/// Says how far `steps` and `words` leave out that messages share links; empty where none do.
[[nodiscard]] std::string note_on_links(counts const& of) {
  if (!shares_links(of)) return {};
  auto const where = of.contention > 1 ? fmt::format("up to {} in a step", of.contention)
                                       : std::string("in the time of a pipelined run");
  auto const in_turns = with_turns_on_links(of);
  return fmt::format("note: messages share links, {}; where they take turns: steps {}, words {}\n",
                     where, in_turns.steps, in_turns.words);
}

[[nodiscard]] std::string counted_in(run_record const& run) {
  std::string text = "counted";
  if (run.network() != nullptr) text += fmt::format(" on {}", run.network()->spec());
  return fmt::format("{}: {}\n", text, run.counts());
}

}  // namespace

expectation expectation::with(requirement wanted) const {
  auto more = *this;
  more.m_wanted.push_back(std::move(wanted));
  more.m_last_report.clear();
  return more;
}

expectation expectation::also(figure_bound const& wanted) const {
  check_bound(wanted);
  return with({text_of(wanted), [wanted](run_record const& run) {
                 auto fault = fault_of(wanted, value_in(run, wanted.figure), wanted.figure);
                 if (fault.empty() || is_length(wanted.figure)) return fault;
                 return fault + detail::where_it_went_wrong(run, wanted.figure,
                                                            static_cast<double>(wanted.value));
               }});
}

expectation expectation::exactly(std::string figure, std::uint64_t value) const {
  return also(lockstep::exactly(std::move(figure), value));
}

expectation expectation::at_most(std::string figure, std::uint64_t value) const {
  return also(lockstep::at_most(std::move(figure), value));
}

expectation expectation::sent_at_most_words_per_processor(std::uint64_t words) const {
  return with({fmt::format("words sent by a processor <= {}", words), [words](auto const& run) {
                 return fault_of_ports(detail::direction::sent, words, "words sent by a processor",
                                       run);
               }});
}

expectation expectation::received_at_most_words_per_processor(std::uint64_t words) const {
  return with({fmt::format("words received by a processor <= {}", words), [words](auto const& run) {
                 return fault_of_ports(detail::direction::received, words,
                                       "words received by a processor", run);
               }});
}

expectation expectation::in_phase(std::string name, std::vector<figure_bound> const& wanted) const {
  std::vector<std::string> texts;
  for (auto const& one : wanted) {
    if (is_length(one.figure))
      throw invalid_argument(
          fmt::format("{} in the phase \"{}\": it is of the whole run; take work or steps there",
                      one.figure, name));
    check_bound(one);
    texts.push_back(text_of(one));
  }
  auto text = fmt::format("in phase \"{}\" {}", name, fmt::join(texts, " and "));
  return with({std::move(text), [name = std::move(name), wanted](run_record const& run) {
                 return fault_of_phases(name, wanted, run);
               }});
}

expectation expectation::matching(claim const& claimed,
                                  problem_instance::numbers const& with_numbers) const {
  if (!claimed.model) static_cast<void>(metric_value(counts{}, claimed.figure));
  return with({fmt::format("{} {} {}", claimed.figure, symbol(claimed.bound), claimed.formula),
               [claimed, with_numbers](run_record const& run) {
                 return fault_of(claimed, {run.network(), with_numbers}, run);
               }});
}

verdict expectation::check(run_record const& run) const {
  std::string faults;
  for (auto const& one : m_wanted) faults += one.fault(run);
  auto const note = note_on_links(run.counts());
  if (faults.empty()) return {true, note};
  return {false, counted_in(run) + faults + note};
}

std::string expectation::text() const {
  std::vector<std::string> texts;
  texts.reserve(m_wanted.size());
  for (auto const& one : m_wanted) texts.push_back(one.text);
  return fmt::format("takes {}", fmt::join(texts, ", "));
}

bool expectation::match(run_record const& run) const {
  auto const found = check(run);
  m_last_report = found.report;
  return found.holds;
}

std::string expectation::toString() const {
  return m_last_report.empty() ? text() : fmt::format("{}\n{}", text(), m_last_report);
}

expectation takes(counts const& wanted) {
  expectation all;
  for_each_figure(wanted, [&](std::string_view figure, std::uint64_t value) {
    bool const may_be_left_out = figure == "link_words" || figure == "hot_startups" ||
                                 figure == "work" || figure == "operations";
    if (value > 0 || !may_be_left_out) all = all.exactly(std::string(figure), value);
  });
  return all;
}

expectation matches(std::vector<claim> const& claims, problem_instance::numbers const& with) {
  expectation all;
  for (auto const& one : claims) all = all.matching(one, with);
  return all;
}

void require(run_record const& run, expectation const& expected) {
  auto const found = expected.check(run);
  if (!found)
    throw expectation_failed(fmt::format("{}\n{}", expected.text(), found.report), incident{});
}

}  // namespace lockstep
