#include "handout/step_log.hpp"

#include <algorithm>
#include <type_traits>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include <lockstep/detail/matrix_sample.hpp>

namespace lockstep::cli {

namespace {

constexpr std::size_t most_elements = 256;  // of a list

std::size_t parts_of(std::size_t count, std::size_t each) { return (count + each - 1) / each; }

template <class Element>
std::vector<Element> every_nth(std::vector<Element> const& all, std::size_t every) {
  std::vector<Element> kept;
  for (std::size_t at = 0; at < all.size(); at += every) kept.push_back(all[at]);
  return kept;
}

/// Keeps every n-th element of a list.
template <class Element>
held_value part_of_list(std::vector<Element> const& all) {
  auto const every = std::max<std::size_t>(parts_of(all.size(), most_elements), 1);
  if constexpr (std::is_arithmetic_v<Element>)
    return {shown_numbers(every_nth(all, every)), all.size(), every};
  else
    return {every_nth(all, every), all.size(), every};
}

/// Keeps every n-th row and column.
held_value part_of_matrix(shown_matrix const& matrix) {
  auto sample = detail::sample_of(matrix);
  return {std::move(sample.matrix), sample.numbers, sample.every};
}

}  // namespace

held_value held_part_of(shown_value const& value) {
  return std::visit(
      [](auto const& one) -> held_value {
        using kind = std::remove_cvref_t<decltype(one)>;
        if constexpr (std::is_same_v<kind, shown_number> || std::is_same_v<kind, std::string>)
          return {one};
        else if constexpr (std::is_same_v<kind, shown_numbers>)
          return std::visit([](auto const& all) { return part_of_list(all); }, one);
        else if constexpr (std::is_same_v<kind, shown_matrix>)
          return part_of_matrix(one);
        else
          return part_of_list(one);
      },
      value);
}

std::vector<std::string> names_in(logged_step const& step) {
  auto names = step.names;
  for (auto const& [rank, held] : step.shown)
    for (auto const& [name, value] : held)
      if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  return names;
}

void step_log::message(message_record const& seen) {
  if (m_left_out) return;
  if (seen.sender_call > 0) m_step_of_call[{seen.from, seen.sender_call}] = seen.sent;
  if (seen.receiver_call > 0) m_step_of_call[{seen.to, seen.receiver_call}] = seen.step;
  if (seen.words > 0) m_coming.push_back(seen);
}

void step_log::step(step_record const& seen) {
  if (m_coming.empty() || m_left_out) return;
  m_left_out = m_steps.size() == most_steps;
  if (!m_left_out)
    m_steps.push_back({.step = seen.step,
                       .phase = seen.phase == no_phase ? "" : m_phase,
                       .messages = std::move(m_coming),
                       .contention = seen.contention});
  m_coming.clear();
}

void step_log::call(call_record const& made) {
  bool const is_remark = made.kind == call_kind::show || made.kind == call_kind::label ||
                         made.kind == call_kind::note || made.kind == call_kind::work;
  if (is_remark) return;
  if (made.rank != m_saying) forget_what_was_said(made.rank);
  auto const found = m_step_of_call.find({made.rank, made.number});
  bool const has_message = made.number > 0 && found != m_step_of_call.end();
  auto const step = has_message ? found->second : made.begin;
  for (auto const& one : m_waiting_notes) m_notes[step][one].insert(made.rank);
  m_waiting_notes.clear();
  if (has_message && !m_label.empty()) m_notes[step][m_label].insert(made.rank);
}

void step_log::said(call_record const& made, std::string_view text) {
  if (made.rank != m_saying) forget_what_was_said(made.rank);
  if (made.kind == call_kind::note)
    m_waiting_notes.emplace_back(text);
  else
    m_label = text;
}

/// Begins with another processor: calls are told in the order of ranks.
void step_log::forget_what_was_said(int next_rank) {
  m_saying = next_rank;
  m_waiting_notes.clear();
  m_label.clear();
}

void step_log::shown(shown_record const& value) {
  if (m_left_out && value.step > m_steps.back().step) return;
  m_shown.push_back({value.step, value.rank, value.name,
                     std::make_shared<held_value const>(held_part_of(value.value))});
}

std::vector<logged_step> step_log::steps() const {
  std::vector<logged_step> all(1);
  all.insert(all.end(), m_steps.begin(), m_steps.end());
  auto shown = m_shown;
  std::ranges::stable_sort(shown, {}, &shown_part::step);
  auto next = shown.begin();
  decltype(logged_step::shown) held;
  std::vector<std::string> names;
  for (std::size_t at = 0; at < all.size(); ++at) {
    auto& one = all[at];
    // Values shown between two steps with messages are held after the former.
    for (; next != shown.end() && (at + 1 == all.size() || next->step < all[at + 1].step); ++next) {
      held[next->rank][next->name] = next->value;
      if (std::ranges::find(names, next->name) == names.end()) names.push_back(next->name);
    }
    one.shown = held;
    one.names = names;
    if (auto const said = m_notes.find(one.step); said != m_notes.end())
      for (auto const& [text, by] : said->second) one.notes[text] = static_cast<int>(by.size());
  }
  return all;
}

}  // namespace lockstep::cli
