#include "collectives/collective.hpp"

#include <fmt/format.h>

#include <lockstep/algorithms/collectives/arity.hpp>

namespace lockstep {

namespace {

[[nodiscard]] bdm_machine machine_of(arguments const& given) {
  require_crossbar(given);
  auto packet = packet_size;
  packet.fallback = static_cast<std::int64_t>(given.request().options.packet);
  return {.p = given.processors(), .tau = given[latency], .packet = given[packet]};
}

}  // namespace

collective_run::collective_run(arguments const& asked)
    : given(asked),
      seed(given.seed()),
      on(machine_of(asked)),
      words(given[block_length("")]),
      root(root_from(given)),
      how(given[access_of_memory]) {}

std::vector<std::uint64_t> collective_run::block(int owner) const {
  std::vector<std::uint64_t> made(words);
  for (std::size_t i = 0; i < words; ++i) made[i] = word(owner, i);
  return made;
}

std::vector<std::uint64_t> collective_run::all_blocks() const {
  std::vector<std::uint64_t> all;
  all.reserve(words_of_all());
  for (int owner = 0; owner < on.p; ++owner)
    for (std::size_t i = 0; i < words; ++i) all.push_back(word(owner, i));
  return all;
}

int collective_run::tree_arity() const {
  return lockstep::tree_arity(on.tau < on.packet ? on.tau : on.tau - on.tau % on.packet, on.packet);
}

traffic_requirement collective_run::one_to_all() const {
  auto const p = static_cast<std::uint64_t>(on.p);
  if (p == 1 || words == 0) return {};
  return {.taken_in = words, .sent = words, .moved = (p - 1) * words, .distance = 1, .joined = p};
}

void collective_run::require_words(double words_each) const {
  require_memory(given, {.bytes_each = sizeof(std::uint64_t) * words_each,
                         .held = fmt::format("blocks and messages of {} words", words),
                         .remedy = "fewer words"});
}

experiment collective(experiment of, std::string_view words_help,
                      std::vector<parameter> const& own) {
  of.topologies = "crossbar";
  of.examples = {"crossbar:8", "crossbar:4", "crossbar:16", "crossbar:32"};
  of.parameters = {block_length(words_help), latency, packet_size, access_of_memory};
  of.parameters.insert(of.parameters.end(), own.begin(), own.end());
  return of;
}

}  // namespace lockstep
