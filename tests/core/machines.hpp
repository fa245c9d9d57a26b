#pragma once

#include <ostream>
#include <string>
#include <vector>

#include <lockstep/errors.hpp>
#include <lockstep/options.hpp>

#if defined(__SANITIZE_THREAD__)
#define LOCKSTEP_TEST_THREAD_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define LOCKSTEP_TEST_THREAD_SANITIZER 1
#endif
#endif

/// What several tests need: the engines to run on, and names for what they throw.
namespace reference {

/// An engine and its workers.
struct engine_choice {
  lockstep::engine engine = lockstep::engine::fibers;
  int workers = 1;
  lockstep::stacks stacks = lockstep::stacks::own;

  friend std::ostream& operator<<(std::ostream& out, engine_choice const& choice) {
    if (choice.engine == lockstep::engine::threads) return out << "threads";
    return out << "fibers with " << choice.workers << " workers"
               << (choice.stacks == lockstep::stacks::copied ? " and copied stacks" : "");
  }
};

/// All; for ThreadSanitizer those that use several threads.
[[nodiscard]] inline std::vector<engine_choice> all_engines() {
  using lockstep::engine;
#ifdef LOCKSTEP_TEST_THREAD_SANITIZER
  return {{engine::fibers, 2}, {engine::fibers, 4}, {engine::threads, 0}};
#else
  return {{engine::fibers, 1},
          {engine::fibers, 2},
          {engine::fibers, 4},
          {engine::fibers, 2, lockstep::stacks::copied},
          {engine::threads, 0}};
#endif
}

/// The same options on that engine.
[[nodiscard]] inline lockstep::machine_options on(engine_choice const& choice,
                                                  lockstep::machine_options options = {}) {
  options.engine = choice.engine;
  options.workers = choice.workers;
  options.stacks = choice.stacks;
  return options;
}

/// Name of the error's class.
[[nodiscard]] inline std::string kind_of(lockstep::error const& thrown) {
  using namespace lockstep;
  if (dynamic_cast<not_adjacent const*>(&thrown) != nullptr) return "not_adjacent";
  if (dynamic_cast<port_conflict const*>(&thrown) != nullptr) return "port_conflict";
  if (dynamic_cast<link_contention const*>(&thrown) != nullptr) return "link_contention";
  if (dynamic_cast<type_mismatch const*>(&thrown) != nullptr) return "type_mismatch";
  if (dynamic_cast<size_mismatch const*>(&thrown) != nullptr) return "size_mismatch";
  if (dynamic_cast<deadlock const*>(&thrown) != nullptr) return "deadlock";
  if (dynamic_cast<barrier_mismatch const*>(&thrown) != nullptr) return "barrier_mismatch";
  if (dynamic_cast<unreceived_message const*>(&thrown) != nullptr) return "unreceived_message";
  if (dynamic_cast<step_limit const*>(&thrown) != nullptr) return "step_limit";
  if (dynamic_cast<invalid_rank const*>(&thrown) != nullptr) return "invalid_rank";
  if (dynamic_cast<invalid_topology const*>(&thrown) != nullptr) return "invalid_topology";
  if (dynamic_cast<invalid_argument const*>(&thrown) != nullptr) return "invalid_argument";
  if (dynamic_cast<stack_overflow const*>(&thrown) != nullptr) return "stack_overflow";
  if (dynamic_cast<out_of_memory const*>(&thrown) != nullptr) return "out_of_memory";
  if (dynamic_cast<processor_failed const*>(&thrown) != nullptr) return "processor_failed";
  return "another class";
}

}  // namespace reference
