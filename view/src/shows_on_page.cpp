#include "shows_on_page.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <ranges>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include <lockstep/detail/overloaded.hpp>

#include "number_sample.hpp"
#include "run_recording.hpp"

namespace lockstep::detail {

namespace {

constexpr std::size_t most_of_names = 64;    // characters of the members themselves
constexpr std::size_t most_of_columns = 32;  // characters of a show besides its value

void write_numbers(json_text& json, shown_numbers const& numbers) {
  json.member("numbers");
  std::visit([&](auto const& list) { json.numbers(list); }, numbers);
}

void write_number(json_text& json, std::optional<shown_number> const& value) {
  if (!value) return static_cast<void>(json.raw("null"));
  std::visit([&](auto number) { json.number(number); }, *value);
}

/// Writes of many numbers every n-th, and how all are spread.
void write_sample(json_text& json, number_sample const& sample) {
  json.member("sample").open('{');
  json.member("count").number(sample.count);
  json.member("every").number(sample.every);
  write_numbers(json, sample.numbers);
  json.member("notFinite").number(sample.not_finite);
  write_number(json.member("least"), sample.least);
  write_number(json.member("most"), sample.most);
  json.member("mean").number(sample.mean);
  json.member("histogram").numbers(sample.histogram);
  json.close('}');
}

void write_matrix(json_text& json, matrix_sample const& sample, std::size_t columns) {
  json.member("matrix").open('{');
  json.member("columns").number(sample.matrix.columns);
  if (sample.every > 1) {
    json.member("every").number(sample.every);
    json.member("of").open('[').number(sample.rows).number(columns).close(']');
  }
  write_numbers(json, sample.matrix.numbers);
  json.close('}');
}

/// Neighbours in an array mostly differ alike, which makes a page a fraction as long.
void write_differences(json_text& json, std::vector<block_label> const& of,
                       int block_label::*rank) {
  json.open('[');
  std::int64_t before = 0;
  for (auto const& one : of) {
    std::int64_t const now = one.*rank;
    json.number(now - std::exchange(before, now));
  }
  json.close(']');
}

/// Writes the member of each kind of value.
struct value_writer {
  json_text& json;

  void operator()(shown_number const& value) const {
    json.member("number");
    std::visit([this](auto number) { json.number(number); }, value);
  }
  void operator()(shown_numbers const& value) const {
    auto const count = std::visit([](auto const& list) { return list.size(); }, value);
    if (count > most_single_numbers)
      write_sample(json, sample_of(value));
    else
      write_numbers(json, value);
  }
  void operator()(std::string const& value) const { json.member("text").text(value); }
  void operator()(std::vector<block_label> const& value) const {
    json.member("blocks").open('[');
    write_differences(json, value, &block_label::source);
    write_differences(json, value, &block_label::destination);
    json.close(']');
  }
  void operator()(std::vector<rank_interval> const& value) const {
    json.member("intervals").open('[');
    for (auto const& one : value) json.number(one.first).number(one.last);
    json.close(']');
  }
  void operator()(shown_matrix const& value) const {
    write_matrix(json, sample_of(value), value.columns);
  }
};

void write_value(json_text& json, shown_value const& value) {
  json.open('{');
  std::visit(value_writer{json}, value);
  json.close('}');
}

/// Bounds the characters of a value without writing it: 26 a number, two numbers a label, at most 6
/// a character of a text.
std::size_t most_characters(shown_value const& value) {
  constexpr std::size_t of_number = 26;
  return most_of_columns + 2 * of_number * (numbers_in(value) + 1);
}

std::size_t characters_of(shown_value const& value) {
  json_text written;
  write_value(written, value);
  return most_of_columns + written.size();
}

/// Counts the characters of the names, each once.
std::size_t characters_of_names(std::vector<shown_record> const& shows) {
  std::set<std::string_view> names;
  for (auto const& one : shows) names.insert(one.name);
  std::size_t characters = most_of_names;
  for (auto const name : names) characters += json_quoted(name).size() + 1;
  return characters;
}

}  // namespace

shows_on_page::shows_on_page(std::vector<shown_record> const& shows,
                             std::span<step_stretch const> steps, std::size_t room)
    : m_shows(shows), m_steps(steps), m_end(steps.empty() ? 1 : steps.back().last_step() + 1) {
  std::size_t most = characters_of_names(shows);
  for (auto const& one : shows) most += most_characters(one.value);
  if (most > room) end_where_full(room);
}

/// Ends the shown values at the step from which on it does not fit.
void shows_on_page::end_where_full(std::size_t room) {
  std::map<std::uint64_t, std::size_t> by_step;
  for (auto const& one : m_shows)
    if (one.step < m_end) by_step[one.step] += characters_of(one.value);
  std::size_t characters = characters_of_names(m_shows);
  for (auto const& [step, more] : by_step) {
    characters += more;
    if (characters <= room) continue;
    m_end = step;
    m_lacks_some = true;
    return;
  }
}

void shows_on_page::write(json_text& json) const {
  std::map<std::string_view, int> numbers;
  std::vector<std::string_view> names;
  auto const number_of = [&](shown_record const& one) {
    auto const [found, is_new] = numbers.emplace(one.name, static_cast<int>(names.size()));
    if (is_new) names.push_back(one.name);
    return found->second;
  };
  auto shows = m_shows | std::views::filter([this](auto const& one) { return one.step < m_end; });
  json.member("shows").open('{');
  json.differences("rank", shows, &shown_record::rank);
  json.column("step", shows,
              [this](shown_record const& one) { return step_of_page(m_steps, one.step); });
  json.column("name", shows, number_of);
  json.member("value").open('[');
  for (auto const& one : shows) write_value(json, one.value);
  json.close(']').close('}').member("showNames").open('[');
  for (auto const name : names) json.text(name);
  json.close(']');
}

}  // namespace lockstep::detail
