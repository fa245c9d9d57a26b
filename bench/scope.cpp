#include "scope.hpp"

#include <fstream>
#include <limits>

namespace bench {

std::optional<double> bytes_in_line(char const* file, std::string_view name) {
  std::ifstream lines(file);
  std::string begin;
  while (lines >> begin) {
    double kibibytes = 0;
    if (begin == name && lines >> kibibytes) return kibibytes * 1024;
  }
  return std::nullopt;
}

namespace {

/// Bytes that a process may still take.
double available_memory() {
  return bytes_in_line("/proc/meminfo", "MemAvailable:")
      .value_or(std::numeric_limits<double>::infinity());
}

/// Two pages for a stack and the machine's own figures; and four times the words of a message,
/// which are held, coming in, summed up, and on their way.
bool fits(int processors, int words) {
  double const each = 8192 + 4.0 * 8 * words;
  return processors * each < available_memory();
}

}  // namespace

std::vector<int> scope::processors_for(int words) const {
  constexpr int most_with_large_messages = 131'072;
  auto sizes = processors();
  std::erase_if(
      sizes, [&](int p) { return !fits(p, words) || (words > 1 && p > most_with_large_messages); });
  return sizes;
}

}  // namespace bench
