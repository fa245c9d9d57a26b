// What a program of this folder is asked, and the line that it prints.
#pragma once

#include <charconv>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>

namespace peers {

using word = std::uint64_t;

/// The arguments of a program: WORKLOAD PROCESSORS ROUNDS WORDS.
struct request {
  std::string workload;
  int processors = 0;
  int rounds = 0;  ///< timed, after one that is not
  int words = 0;   ///< of a message; keys of a processor for `radix`
};

/// The findings of one processor.
struct outcome {
  bool is_right = false;
  double seconds = 0;  ///< of all timed rounds, on processor 0
  word change = 0;     ///< what a sort added to the sum of all keys, 0 in all
};

/// Reads one whole number. Result: nothing for another text.
[[nodiscard]] inline std::optional<int> number_in(std::string_view text) {
  int number = 0;
  auto const read = std::from_chars(text.data(), text.data() + text.size(), number);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size()) return std::nullopt;
  return number;
}

/// Reads the four arguments. Result: nothing, and a line that says how to call it, for others.
[[nodiscard]] inline std::optional<request> request_from(int argc, char** argv) {
  if (argc >= 5) {
    auto const processors = number_in(argv[2]);
    auto const rounds = number_in(argv[3]);
    auto const words = number_in(argv[4]);
    if (processors && rounds && words) return request{argv[1], *processors, *rounds, *words};
  }
  std::fprintf(stderr, "usage: %s WORKLOAD PROCESSORS ROUNDS WORDS\n", argv[0]);
  return std::nullopt;
}

/// Reads a field in kB of a file that Linux has for each process. Result: bytes.
[[nodiscard]] inline double memory_field(char const* path, std::string_view field) {
  double kilobytes = 0;
  if (auto* const file = std::fopen(path, "r")) {
    char line[256];
    while (std::fgets(line, sizeof line, file) != nullptr)
      if (std::string_view(line).starts_with(field)) {
        std::sscanf(line + field.size(), "%lf", &kilobytes);
        break;
      }
    std::fclose(file);
  }
  return kilobytes * 1024;
}

/// Reads the most memory that this process had, in bytes. (getrusage counts what had it before, too.)
[[nodiscard]] inline double peak_memory() { return memory_field("/proc/self/status", "VmHWM:"); }

/// Sums up what all processors found, in rank order.
template <class Outcomes>
[[nodiscard]] outcome outcome_of_all(Outcomes const& found) {
  outcome all{true, found.front().seconds, 0};
  for (outcome const& each : found) {
    all.is_right = all.is_right && each.is_right;
    all.change += each.change;
  }
  return all;
}

/// Prints the line that compare.py reads. Result: the exit status.
[[nodiscard]] inline int report(request const& asked, outcome const& all, double bytes) {
  bool const is_right = all.is_right && all.change == 0;
  std::printf(
      "{\"workload\": \"%s\", \"processors\": %d, \"rounds\": %d, \"words\": %d, "
      "\"seconds\": %.9f, \"bytes\": %.0f, \"correct\": %s}\n",
      asked.workload.c_str(), asked.processors, asked.rounds, asked.words, all.seconds, bytes,
      is_right ? "true" : "false");
  std::fflush(stdout);
  return is_right ? 0 : 1;
}

}  // namespace peers
