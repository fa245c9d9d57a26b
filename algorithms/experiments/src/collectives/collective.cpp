#include "collectives/collective.hpp"

#include <algorithm>
#include <iterator>

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
      p(static_cast<std::uint64_t>(on.p)),
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
  all.reserve(p * words);
  for (int owner = 0; owner < on.p; ++owner)
    std::ranges::copy(block(owner), std::back_inserter(all));
  return all;
}

std::vector<std::uint64_t> collective_run::sums() const {
  std::vector<std::uint64_t> sums(words);
  for (int owner = 0; owner < on.p; ++owner)
    std::ranges::transform(sums, block(owner), sums.begin(), std::plus{});
  return sums;
}

int collective_run::tree_arity() const {
  return lockstep::tree_arity(on.tau < on.packet ? on.tau : on.tau - on.tau % on.packet, on.packet);
}

collective_options collective_run::options(
    choice_parameter<collective_scheme, 3> const& scheme) const {
  bool const tree = given[scheme] == collective_scheme::k_ary;
  return {given[scheme], tree ? tree_arity() : 2, root, how};
}

traffic_requirement collective_run::needed(std::uint64_t taken_in, std::uint64_t sent,
                                           std::uint64_t moved) const {
  if (p == 1 || words == 0) return {};
  return {.taken_in = taken_in, .sent = sent, .moved = moved, .distance = 1, .joined = p};
}

void collective_run::require_blocks(std::uint64_t blocks) const {
  require_memory(given, {.bytes_each = sizeof(std::uint64_t) * static_cast<double>(blocks) *
                                       static_cast<double>(words),
                         .held = fmt::format("blocks and messages of {} words", words),
                         .remedy = "fewer words"});
}

std::map<std::string, parameter_value> figures_of(collective_options const& options) {
  if (options.scheme != collective_scheme::k_ary) return {};
  return {{"k", std::int64_t{options.k}}};
}

experiment collective(experiment of, std::string_view words_help, std::vector<parameter> const& own,
                      collective_plan (*plan)(collective_run const&)) {
  of.topologies = "crossbar";
  of.examples = {"crossbar:8", "crossbar:4", "crossbar:16", "crossbar:32"};
  of.parameters = {block_length(words_help), latency, packet_size, access_of_memory};
  of.parameters.insert(of.parameters.end(), own.begin(), own.end());
  of.run = [plan](arguments const& given) {
    collective_run const what(given);
    auto const [claims, needed, figures, program] = plan(what);
    auto result =
        run_and_check(given, {.strict = strictness::always, .packet = what.on.packet}, program);
    result.claims = claims;
    result.bounds = lower_bounds(result.record, needed);
    result.figures = figures;
    return result;
  };
  return of;
}

}  // namespace lockstep
