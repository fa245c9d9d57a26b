#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <lockstep/counts.hpp>
#include <lockstep/observer.hpp>

#include "random_program.hpp"

namespace reference {

/// The error that ends a run. A call can break several rules at once; it may then report any of
/// them.
struct failure {
  std::vector<std::string> kinds;  ///< names of the classes in errors.hpp
  std::uint64_t step = 0;
  int rank = -1;
};

/// What a run must give.
struct outcome {
  std::vector<std::vector<std::uint64_t>> results;
  lockstep::counts total;
  std::vector<lockstep::step_record> steps;
  std::vector<lockstep::phase_record> phases;
  std::vector<lockstep::processor_record> processors;
  std::vector<lockstep::message_record> messages;  ///< in the order (step, receiver, sender)
  std::optional<failure> error;  ///< if there is one, nothing else of this is meaningful
};

/// Counting rules 1 to 9, word by word: runs any processor that can go on until nobody can, one
/// call after another in one thread, and counts afterwards from the list of all messages.
[[nodiscard]] outcome interpret(experiment const& of);

}  // namespace reference
