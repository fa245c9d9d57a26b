#include "handout/step_log.hpp"

#include <algorithm>
#include <type_traits>
#include <variant>

#include <fmt/format.h>

namespace lockstep::cli {

namespace {

std::string text_of_number(auto number) { return fmt::format("{:.4g}", number); }
std::string text_of_number(std::int64_t number) { return fmt::format("{}", number); }
std::string text_of_number(std::uint64_t number) { return fmt::format("{}", number); }

std::string text_of_element(block_label const& one) {
  return one.source < 0 ? "-" : fmt::format("{}>{}", one.source, one.destination);
}
std::string text_of_element(rank_interval const& one) {
  return one.first == one.last ? fmt::format("{}", one.first)
                               : fmt::format("{}-{}", one.first, one.last);
}
std::string text_of_element(auto number) { return text_of_number(number); }

/// Writes as many elements as there is room for; rows of `columns` end in a semicolon.
template <class Element>
std::string text_of_list(std::vector<Element> const& all, std::size_t most,
                         std::size_t columns = 0) {
  std::string text;
  for (std::size_t at = 0; at < all.size(); ++at) {
    auto const one = text_of_element(all[at]);
    if (text.size() + one.size() > most) return text + " ...";
    if (at > 0) text += columns > 0 && at % columns == 0 ? "; " : " ";
    text += one;
  }
  return text.empty() ? "(nothing)" : text;
}

std::string text_of_numbers(shown_numbers const& numbers, std::size_t most,
                            std::size_t columns = 0) {
  return std::visit([&](auto const& all) { return text_of_list(all, most, columns); }, numbers);
}

}  // namespace

std::string short_text_of(shown_value const& value, std::size_t most) {
  return std::visit(
      [most](auto const& one) -> std::string {
        using kind = std::remove_cvref_t<decltype(one)>;
        if constexpr (std::is_same_v<kind, shown_number>)
          return std::visit([](auto number) { return text_of_number(number); }, one);
        else if constexpr (std::is_same_v<kind, std::string>)
          return one.size() <= most ? one : one.substr(0, most) + " ...";
        else if constexpr (std::is_same_v<kind, shown_numbers>)
          return text_of_numbers(one, most);
        else if constexpr (std::is_same_v<kind, shown_matrix>)
          return text_of_numbers(one.numbers, most, one.columns);
        else
          return text_of_list(one, most);
      },
      value);
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
  m_shown.push_back({value.step, value.rank, value.name, short_text_of(value.value)});
}

std::vector<logged_step> step_log::steps() const {
  std::vector<logged_step> all(1);
  all.insert(all.end(), m_steps.begin(), m_steps.end());
  auto shown = m_shown;
  std::ranges::stable_sort(shown, {}, &shown_text::step);
  auto next = shown.begin();
  std::map<int, std::map<std::string, std::string>> held;
  for (std::size_t at = 0; at < all.size(); ++at) {
    auto& one = all[at];
    // Values shown between two steps with messages are held after the former.
    for (; next != shown.end() && (at + 1 == all.size() || next->step < all[at + 1].step); ++next)
      held[next->rank][next->name] = next->text;
    one.shown = held;
    if (auto const said = m_notes.find(one.step); said != m_notes.end())
      for (auto const& [text, by] : said->second) one.notes[text] = static_cast<int>(by.size());
  }
  return all;
}

}  // namespace lockstep::cli
