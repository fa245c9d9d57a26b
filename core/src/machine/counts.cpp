#include <lockstep/counts.hpp>

#include <iterator>
#include <ostream>
#include <string_view>

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
