#include <lockstep/counts.hpp>

#include <iterator>
#include <ostream>
#include <string_view>

#include <fmt/format.h>

namespace lockstep {

std::string to_string(counts const& of) {
  std::string text;
  for_each_shown_figure(of, [&](std::string_view name, std::uint64_t value) {
    fmt::format_to(std::back_inserter(text), "{}{} {}", text.empty() ? "" : ", ", name, value);
  });
  return text;
}

std::ostream& operator<<(std::ostream& out, counts const& of) { return out << to_string(of); }

}  // namespace lockstep

auto fmt::formatter<lockstep::counts>::format(lockstep::counts const& of,
                                              fmt::format_context& context) const
    -> fmt::format_context::iterator {
  return fmt::formatter<std::string_view>::format(lockstep::to_string(of), context);
}
