#include "failure.hpp"

#include <algorithm>
#include <new>

#include <lockstep/experiments/registry.hpp>

#include "commands/usage_error.hpp"

namespace lockstep::cli {

namespace {

template <class Kind>
bool is(std::exception const& problem) {
  return dynamic_cast<Kind const*>(&problem) != nullptr;
}

/// Thrown for an argument, before any processor ran.
bool is_bad_argument(std::exception const& problem) {
  auto const* const of_machine = dynamic_cast<error const*>(&problem);
  return of_machine != nullptr && of_machine->step() == 0 &&
         (is<invalid_topology>(problem) || is<invalid_argument>(problem) ||
          is<invalid_rank>(problem));
}

/// More was asked for than this computer holds.
bool is_too_large(std::exception const& problem) {
  return is<out_of_memory>(problem) || is<std::bad_alloc>(problem);
}

}  // namespace

exit_status status_of(std::exception const& problem) {
  bool const mendable = is<usage_error>(problem) || is<bad_input>(problem) ||
                        is_bad_argument(problem) || is_too_large(problem);
  return mendable ? exit_status::bad_usage : exit_status::wrong;
}

std::string message_of(std::exception const& problem) {
  std::string text = problem.what();
  if (is<std::bad_alloc>(problem))
    text = "there is not enough memory for this; take a smaller machine, or smaller input";
  if (status_of(problem) == exit_status::bad_usage) std::ranges::replace(text, '\n', ' ');
  return text;
}

std::string_view kind_of(error const& problem) { return class_name(problem); }

nlohmann::ordered_json as_json(error const& problem, std::string_view algorithm,
                               std::string_view topology) {
  nlohmann::ordered_json json{{"algorithm", algorithm}, {"topology", topology}};
  json["error"] = {{"kind", kind_of(problem)},
                   {"message", problem.what()},
                   {"rank", problem.rank()},
                   {"step", problem.step()},
                   {"phase", problem.phase()}};
  return json;
}

}  // namespace lockstep::cli
