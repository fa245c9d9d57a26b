#pragma once

#include <cstdint>

#include "random_program.hpp"

namespace reference {

/// Random numbers that are the same on every platform (splitmix64).
class dice {
 public:
  explicit dice(std::uint64_t seed) : m_state(seed) {}

  /// 0 .. sides-1.
  [[nodiscard]] int below(int sides);
  /// first .. last.
  [[nodiscard]] int between(int first, int last) { return first + below(last - first + 1); }
  [[nodiscard]] bool chance(int percent) { return below(100) < percent; }
  [[nodiscard]] std::uint64_t word();
  /// One of them.
  template <class Range>
  [[nodiscard]] auto one_of(Range const& choices) {
    return choices[static_cast<std::size_t>(below(static_cast<int>(choices.size())))];
  }

 private:
  std::uint64_t m_state;
};

/// A program that runs to its end on a machine with buffers: a random order of events, projected on
/// the processors.
[[nodiscard]] experiment free_program(std::uint64_t seed);

/// A program that goes step by step and runs to its end on a strict machine.
[[nodiscard]] experiment lockstep_program(std::uint64_t seed);

/// One of the two above with one to three mistakes in it.
[[nodiscard]] experiment broken_program(std::uint64_t seed);

/// Puts a mistake into the program.
void make_mistake(experiment& of, dice& roll);

/// How many seeds in a row give programs of all three kinds.
inline constexpr std::uint64_t program_kinds = 5;

/// One of all three kinds.
[[nodiscard]] experiment random_program(std::uint64_t seed);

}  // namespace reference
