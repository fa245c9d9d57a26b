#include "papers/measured_exchange.hpp"

#include <cstdint>
#include <exception>
#include <new>

#include <fmt/format.h>

#include <lockstep/errors.hpp>
#include <lockstep/topologies/parse.hpp>

namespace lockstep {

namespace {

[[noreturn]] void refuse_for_memory(std::string const& network, int processors) {
  constexpr double megabyte = 1e6;
  double const blocks = static_cast<double>(processors) * processors;
  throw out_of_memory(fmt::format(
      "the complete exchange on {} has {:.0f} blocks, several times {:.0f} MB, which this "
      "computer's memory does not hold",
      network, blocks, blocks * sizeof(std::uint64_t) / megabyte));
}

/// Whether what a processor's program threw was for want of memory.
[[nodiscard]] bool lacked_memory(processor_failed const& failed) {
  try {
    std::rethrow_if_nested(failed);
  } catch (std::bad_alloc const&) {
    return true;
  } catch (...) {
    return false;
  }
  return false;
}

}  // namespace

outcome measured_exchange(std::string const& network) {
  request const asked{
      .network = parse(network),
      .options = {.strict = true},
      .parameters = {{"words", std::int64_t{1}}, {"seed", std::int64_t{1}}},
  };
  try {
    return find_algorithm("all-to-all")->run(asked);
  } catch (std::bad_alloc const&) {
    refuse_for_memory(network, asked.network->size());
  } catch (processor_failed const& failed) {
    if (lacked_memory(failed)) refuse_for_memory(network, asked.network->size());
    throw;
  }
}

}  // namespace lockstep
