#include <lockstep/run.hpp>

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

#include <lockstep/detail/quoted.hpp>
#include <lockstep/errors.hpp>

#include "machine/columns.hpp"

namespace lockstep {

namespace {

using row = std::vector<std::string>;

struct meaning {
  std::string_view figure;
  std::string_view text;
};

/// The meanings of the figures of a run, with their units.
constexpr std::array meanings{
    meaning{"steps", "steps, up to the last message"},
    meaning{"rounds", "steps, up to the last message, empty ones included"},
    meaning{"startups", "steps, or pipelined runs, that pay a start-up"},
    meaning{"words", "words of the largest message of each step, summed"},
    meaning{"volume", "words of all messages"},
    meaning{"messages", "messages, without empty ones"},
    meaning{"hops", "links of the longest route of each step, summed"},
    meaning{"barriers", "barriers between steps"},
    meaning{"rearrangements", "times that memory was re-laid"},
    meaning{"rearranged", "words re-laid, the largest share of each time, summed"},
    meaning{"contention", "messages on the busiest link in one step"},
    meaning{"serialised_steps", "steps, if messages that share a link take turns"},
    meaning{"queued", "steps that a message waited, at most"},
    meaning{"link_words", "words, if messages that share a link take turns"},
    meaning{"hot_startups", "start-ups added where pipelined requests meet at an owner"},
    meaning{"work", "operations of the processor that does most, summed over steps"},
    meaning{"operations", "local operations of all processors"},
    meaning{"memory", "words of memory that one processor held, at most"}};

std::string_view meaning_of(std::string_view figure) {
  auto const* const found = std::ranges::find(meanings, figure, &meaning::figure);
  return found == meanings.end() ? std::string_view{} : found->text;
}

row header_of(bool has_work) {
  row names{"step",   "phase",         "messages",  "largest message",
            "volume", "longest route", "contention"};
  if (has_work) names.insert(names.end(), {"work", "operations"});
  return names;
}

row row_of(step_record const& step, std::uint64_t last, std::vector<phase_record> const& phases,
           bool has_work) {
  bool const named = step.phase < phases.size();
  auto const which =
      step.step == last ? fmt::to_string(last) : fmt::format("{}-{}", step.step, last);
  row cells{which,
            named ? phases[step.phase].name : "-",
            fmt::to_string(step.messages),
            fmt::to_string(step.largest),
            fmt::to_string(step.volume),
            fmt::to_string(step.hops),
            fmt::to_string(step.contention)};
  if (has_work)
    cells.insert(cells.end(), {fmt::to_string(step.work), fmt::to_string(step.operations)});
  return cells;
}

}  // namespace

run_record::run_record(lockstep::counts total, std::vector<phase_record> phases, step_list steps,
                       std::vector<processor_record> processors, run_context evidence)
    : m_counts(total),
      m_phases(std::move(phases)),
      m_steps(std::move(steps)),
      m_processors(std::move(processors)),
      m_evidence(std::move(evidence)) {}

std::vector<message_record> run_record::messages_in(std::uint64_t step) const {
  std::vector<message_record> seen;
  if (m_evidence.messages == nullptr || step > m_evidence.steps_kept || step > m_steps.size())
    return seen;
  for (auto const& one : *m_evidence.messages)
    if (one.step == step) seen.push_back(one.record(m_steps[step - 1].phase));
  std::ranges::sort(seen, seen_before);
  return seen;
}

std::string run_record::summary() const {
  std::vector<row> rows;
  for_each_shown_figure(m_counts, [&](std::string_view figure, std::uint64_t value) {
    if (value == 0) return;
    rows.push_back({std::string(figure), fmt::to_string(value), std::string(meaning_of(figure))});
  });
  return detail::in_columns(rows, {true, false, true});
}

double run_record::speedup(std::uint64_t sequential_operations) const {
  detail::check_speedup("work alone", sequential_operations,
                        static_cast<double>(sequential_operations),
                        static_cast<double>(m_counts.work));
  return static_cast<double>(sequential_operations) / static_cast<double>(m_counts.work);
}

double run_record::efficiency(std::uint64_t sequential_operations) const {
  return speedup(sequential_operations) / static_cast<double>(m_processors.size());
}

void detail::check_speedup(std::string_view model, std::uint64_t operations, double sequential,
                           double parallel) {
  if (operations > 0 && sequential == 0)
    throw invalid_argument(fmt::format(
        "speedup by the model {}, which has no price of a local operation: give it one, or take a "
        "model that has a parameter for it",
        model));
  if (parallel == 0)
    throw invalid_argument(
        fmt::format("speedup by the model {} of a run that takes no time by it: let processors say "
                    "what they work (processor::work)",
                    model));
}

std::string run_record::table() const {
  bool const has_work = m_counts.operations > 0;
  std::vector<row> rows{header_of(has_work)};
  detail::for_each_row(m_steps, [&](step_record const& first, std::uint64_t last) {
    rows.push_back(row_of(first, last, m_phases, has_work));
  });

  std::vector<bool> to_the_left(rows.front().size());
  to_the_left[1] = true;  // the phase
  auto text = detail::in_columns(rows, to_the_left);
  if (!has_all_steps())
    text += fmt::format(
        "steps {} to {} are not shown: steps are recorded until {} stretches of equal ones have "
        "come; counts and phases have them all\n",
        m_steps.size() + 1, m_counts.rounds, m_steps.stretches().size());
  return text;
}

std::string run_record::label_table() const {
  auto const& all = labels();
  if (all.empty()) return {};
  row header{"label"};
  for_each_figure(label_record(), [&](std::string_view figure, std::uint64_t /*value*/) {
    if (figure != "operations" || m_counts.operations > 0) header.emplace_back(figure);
  });
  std::vector<row> rows{std::move(header)};
  std::vector<std::size_t> depths;
  for (auto const& label : all) {
    depths.push_back(label.inside == no_label ? 0 : depths[label.inside] + 1);
    row cells{std::string(2 * depths.back(), ' ') + detail::one_line(label.name)};
    for_each_figure(label, [&](std::string_view figure, std::uint64_t value) {
      if (figure != "operations" || m_counts.operations > 0) cells.push_back(fmt::to_string(value));
    });
    rows.push_back(std::move(cells));
  }
  std::vector<bool> to_the_left(rows.front().size());
  to_the_left.front() = true;
  return detail::in_columns(rows, to_the_left);
}

}  // namespace lockstep
