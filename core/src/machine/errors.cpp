#include <lockstep/errors.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <lockstep/assert.hpp>
#include <lockstep/detail/enumerator_check.hpp>

namespace lockstep {

void detail::throw_broken_invariant(char const* condition, std::source_location where) {
  throw broken_invariant(
      fmt::format(
          "lockstep's own invariant \"{}\" does not hold: this is a mistake of lockstep, not "
          "of the program; please report it",
          condition),
      incident{-1, 0, {}, where});
}

void detail::throw_no_such_value(std::string_view what, std::uint64_t value,
                                 std::initializer_list<std::string_view> names) {
  throw invalid_argument(
      fmt::format("{} is {}: take one of {}", what, value, fmt::join(names, ", ")));
}

namespace {

std::string with_place(std::string const& message, incident const& at) {
  std::string text = message;
  if (at.rank >= 0) {
    text += fmt::format(" [processor {}, step {}", at.rank, at.step);
    if (!at.phase.empty()) text += fmt::format(", phase \"{}\"", at.phase);
    bool const has_place = at.where.line() > 0;  // not known where a program has thrown
    if (has_place) text += fmt::format(", {}:{}", at.where.file_name(), at.where.line());
    text += ']';
  }
  return text;
}

}  // namespace

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

}  // namespace lockstep
