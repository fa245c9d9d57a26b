#include "harness/instances.hpp"

#include <fmt/format.h>

#include <lockstep/errors.hpp>
#include <lockstep/memory.hpp>

#include "harness/parameters.hpp"

namespace lockstep {

std::size_t instances_from(experiment_request const& asked, std::uint64_t bytes) {
  constexpr std::int64_t most =
      50'000;  // 12 steps for each come not near machine_options::max_steps
  auto const k = static_cast<std::uint64_t>(whole_number(asked, "k", 8, 1, most));
  auto const needed = k * static_cast<std::uint64_t>(asked.network->size()) * bytes;
  if (auto const available = available_memory(); needed > available)
    throw out_of_memory(fmt::format(
        "{} has {} processors, and {} at once on each need {} MiB, and {} MiB are available: take "
        "a smaller machine or a smaller k",
        asked.network->spec(), asked.network->size(), k, needed >> 20U, available >> 20U));
  machine(asked.network, asked.options).require_memory(k * bytes);
  return k;
}

}  // namespace lockstep
