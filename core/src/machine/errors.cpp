#include <lockstep/errors.hpp>

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <lockstep/assert.hpp>
#include <lockstep/detail/enumerator_check.hpp>
#include <lockstep/detail/enumerator_names.hpp>

namespace lockstep {

void detail::throw_broken_invariant(char const* condition, std::source_location where) {
  throw broken_invariant(
      fmt::format(
          "lockstep's own invariant \"{}\" does not hold: this is a mistake of lockstep, not "
          "of the program; please report it",
          condition),
      incident{-1, 0, {}, where});
}

namespace {

template <class Names>
[[noreturn]] void throw_not_among(Names const& names, std::string_view what, std::uint64_t value) {
  throw invalid_argument(
      fmt::format("{} is {}: take one of {}", what, value, fmt::join(names, ", ")));
}

}  // namespace

void detail::throw_no_such_value(std::string_view what, std::uint64_t value,
                                 std::initializer_list<std::string_view> names) {
  throw_not_among(names, what, value);
}

void detail::throw_no_such_value(std::string_view what, std::uint64_t value,
                                 std::span<std::string const> names) {
  throw_not_among(names, what, value);
}

std::string detail::qualified_name(std::string_view type, std::string_view shown,
                                   std::string_view in_code) {
  std::string name(in_code.empty() ? shown : in_code);
  std::ranges::replace_if(
      name, [](char c) { return c == '-' || c == ' '; }, '_');
  return std::string(type) + "::" + name;
}

namespace {

/// Finds the name of a function in what compilers write: "T lockstep::name(int) [with T = ...]".
std::string_view name_in(std::string_view function) {
  std::size_t begin = 0;
  int depth = 0;  // of brackets of templates
  for (std::size_t at = 0; at < function.size(); ++at) {
    char const c = function[at];
    if (c == '<') ++depth;
    if (c == '>') --depth;
    if (depth > 0) continue;
    if (c == '(') return function.substr(begin, at - begin);
    if (c == ' ' || c == ':') begin = at + 1;
  }
  return function;
}

/// Finds the part of a path by which programs include the file.
std::string_view as_included(std::string_view file) {
  constexpr std::string_view includes = "/include/";
  auto const at = file.rfind(includes);
  return at == std::string_view::npos ? file : file.substr(at + includes.size());
}

std::string with_place(std::string const& message, incident const& at) {
  std::string text = message;
  if (at.rank >= 0) {
    text += fmt::format(" [processor {}, step {}", at.rank, at.step);
    if (!at.phase.empty()) text += fmt::format(", phase \"{}\"", at.phase);
    bool const has_place = at.where.line() > 0;  // not known where a program has thrown
    if (has_place) text += fmt::format(", {}:{}", at.where.file_name(), at.where.line());
    if (has_place && at.inside) text += fmt::format(" ({})", to_string(*at.inside));
    text += ']';
  }
  return text;
}

}  // namespace

std::string to_string(library_place const& place) {
  return fmt::format("in {}, {}:{}", name_in(place.algorithm.function_name()),
                     as_included(place.where.file_name()), place.where.line());
}

error::error(std::string const& message, incident at)
    : std::runtime_error(with_place(message, at)), m_message(message), m_at(std::move(at)) {}

invalid_topology::invalid_topology(std::string const& message, std::source_location where)
    : error(message, incident{-1, 0, {}, where}) {}

invalid_argument::invalid_argument(std::string const& message, std::source_location where)
    : error(message, incident{-1, 0, {}, where}) {}

out_of_memory::out_of_memory(std::string const& message, std::source_location where)
    : error(message, incident{-1, 0, {}, where}) {}

incomplete_trace::incomplete_trace(std::string const& message, std::source_location where)
    : error(message, incident{-1, 0, {}, where}) {}

namespace {

template <class Error>
bool is_a(error const& thrown) {
  return dynamic_cast<Error const*>(&thrown) != nullptr;
}

}  // namespace

std::string_view class_name(error const& thrown) {
  if (is_a<not_adjacent>(thrown)) return "not_adjacent";
  if (is_a<port_conflict>(thrown)) return "port_conflict";
  if (is_a<link_contention>(thrown)) return "link_contention";
  if (is_a<type_mismatch>(thrown)) return "type_mismatch";
  if (is_a<size_mismatch>(thrown)) return "size_mismatch";
  if (is_a<deadlock>(thrown)) return "deadlock";
  if (is_a<barrier_mismatch>(thrown)) return "barrier_mismatch";
  if (is_a<unreceived_message>(thrown)) return "unreceived_message";
  if (is_a<step_limit>(thrown)) return "step_limit";
  if (is_a<invalid_rank>(thrown)) return "invalid_rank";
  if (is_a<invalid_topology>(thrown)) return "invalid_topology";
  if (is_a<invalid_argument>(thrown)) return "invalid_argument";
  if (is_a<stack_overflow>(thrown)) return "stack_overflow";
  if (is_a<out_of_memory>(thrown)) return "out_of_memory";
  if (is_a<foreign_access>(thrown)) return "foreign_access";
  if (is_a<broken_invariant>(thrown)) return "broken_invariant";
  if (is_a<processor_failed>(thrown)) return "processor_failed";
  if (is_a<incomplete_trace>(thrown)) return "incomplete_trace";
  if (is_a<process_lost>(thrown)) return "process_lost";
  return "error";
}

}  // namespace lockstep
