#include "exchange/block_memory.hpp"

#include <fmt/format.h>

#include <lockstep/errors.hpp>
#include <lockstep/memory.hpp>

namespace lockstep {

void require_memory(topology const& network, block_memory const& held) {
  auto const processors = static_cast<double>(network.size());
  // As real numbers: the product may be larger than any whole number.
  auto const needed = processors * processors * static_cast<double>(held.words) *
                          static_cast<double>(held.bytes_of_a_word) * held.copies +
                      static_cast<double>(held.bytes_besides);
  auto const available = static_cast<double>(available_memory());
  if (needed <= available) return;
  constexpr double mebibyte = 1 << 20;
  throw out_of_memory(fmt::format(
      "{0} has {1} processors, and blocks of {2} word{5} from each to each need {3:.0f} "
      "MiB, and {4:.0f} MiB are available: take a smaller machine or smaller blocks",
      network.spec(), network.size(), held.words, needed / mebibyte, available / mebibyte,
      held.words == 1 ? "" : "s"));
}

}  // namespace lockstep
