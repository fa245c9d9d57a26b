#include "message_lines.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lockstep::detail {

std::string step_text(run_record const& run, std::uint64_t step) {
  auto const& steps = run.steps();
  if (step >= 1 && step <= steps.size())
    if (auto const phase = steps[step - 1].phase; phase < run.phases().size())
      return fmt::format("step {} (phase \"{}\")", step, run.phases()[phase].name);
  return fmt::format("step {}", step);
}

std::string way_of(run_record const& run, message_record const& message) {
  auto text = fmt::format("{}", message.from);
  if (run.network() == nullptr) return fmt::format("{} -> {}", text, message.to);
  auto const links = links_of(*run.network(), message);
  for (std::size_t i = 0; i < links.size(); ++i) {
    bool const left_out = links.size() > most_listed && i == most_listed - 1;
    if (left_out) text += " -> ...";
    if (left_out) i = links.size() - 1;
    text += fmt::format(" -> {}", links[i].to);
  }
  return text;
}

std::string lines_of(run_record const& run, std::vector<message_record> const& messages) {
  std::string text;
  for (std::size_t i = 0; i < std::min(messages.size(), most_listed); ++i) {
    auto const& one = messages[i];
    text += fmt::format("    {} -> {}: {} word{}", one.from, one.to, one.words,
                        one.words == 1 ? "" : "s");
    if (one.hops > 1) text += fmt::format(" over {}", way_of(run, one));
    if (one.sent < one.step) text += fmt::format(", sent in step {}", one.sent);
    text += '\n';
  }
  if (messages.size() > most_listed)
    text += fmt::format("    and {} more\n", messages.size() - most_listed);
  return text;
}

step_messages messages_of(run_record const& run, std::uint64_t step, bool with_empty) {
  step_messages found{run.messages_in(step), step <= run.steps_kept()};
  if (!with_empty) std::erase_if(found.list, [](auto const& one) { return one.words == 0; });
  return found;
}

std::string lines_of(run_record const& run, std::uint64_t step, step_messages const& messages) {
  if (messages.are_kept) return lines_of(run, messages.list);
  auto const kept = run.steps_kept() == 0
                        ? std::string("none are")
                        : fmt::format("those of steps 1 to {} are", run.steps_kept());
  return fmt::format(
      "    its messages were not kept ({}); give `run` an observer,\n"
      "    such as csv_trace, which sees those of step {}, too\n",
      kept, step);
}

std::string some_of(std::vector<std::string> const& all) {
  auto const shown = std::min(all.size(), most_listed);
  auto const first = all.begin();
  auto text = fmt::format("{}", fmt::join(first, first + static_cast<std::ptrdiff_t>(shown), ", "));
  if (all.size() > shown) text += fmt::format(" and {} more", all.size() - shown);
  return text;
}

}  // namespace lockstep::detail
