#include "exchange/complete_exchange.hpp"

#include <utility>

#include <fmt/format.h>

namespace lockstep {

namespace {

[[nodiscard]] exchanged_blocks blocks_from(processor const& me, std::uint64_t seed,
                                           std::uint64_t words) {
  exchanged_blocks blocks;
  blocks.reserve(static_cast<std::size_t>(me.size()) * words);
  for (int destination = 0; destination < me.size(); ++destination)
    for (std::uint64_t index = 0; index < words; ++index)
      blocks.push_back(generated_word(seed, me.rank(), destination, index));
  return blocks;
}

[[nodiscard]] bool are_for(processor const& me, exchanged_blocks const& blocks, std::uint64_t seed,
                           std::uint64_t words) {
  if (blocks.size() != static_cast<std::size_t>(me.size()) * words) return false;
  auto next = blocks.begin();
  for (int source = 0; source < me.size(); ++source)
    for (std::uint64_t index = 0; index < words; ++index)
      if (*next++ != generated_word(seed, source, me.rank(), index)) return false;
  return true;
}

[[nodiscard]] experiment_result run_exchange(exchange_traits const& of, arguments const& given) {
  if (auto const reason = of.unsupported_reason(given.network()); !reason.empty())
    throw invalid_argument(of.name + ": " + reason);
  auto const words = given[words_in_a_block];
  auto result = exchange_generated_blocks(given, of.strict, of.copies, of.exchange);
  return with_claims(std::move(result), given, of.claims(given.network(), words), words);
}

}  // namespace

experiment complete_exchange(exchange_traits const& of) {
  return {
      .name = of.name,
      .summary = of.summary,
      .topologies = of.topologies,
      .source = of.source,
      .examples = of.examples,
      .parameters = {words_in_a_block},
      .run = [of](arguments const& given) { return run_exchange(of, given); },
  };
}

experiment_result exchange_generated_blocks(
    arguments const& given, strictness strict, unsigned copies,
    std::function<exchanged_blocks(processor&, exchanged_blocks)> const& exchange) {
  auto const words = given[words_in_a_block];
  auto const seed = given.seed();
  auto needs = memory_for_blocks(given, words, sizeof(std::uint64_t), copies);
  needs.strict = strict;
  return run_and_check(given, needs, [&](processor& me) {
    return are_for(me, exchange(me, blocks_from(me, seed, words)), seed, words);
  });
}

experiment_result with_claims(experiment_result result, arguments const& given,
                              std::vector<claim> claims, std::uint64_t words) {
  result.claims = std::move(claims);
  result.bounds = lower_bounds(result.record, complete_exchange(given.network(), words));
  if (given.request().options.packet != 1)
    for (auto& claimed : result.claims)
      if (claimed.figure == "words" || claimed.figure == "volume")
        claimed.erratum = "messages are rounded up to whole packets";
  result.parameters["words"] = static_cast<std::int64_t>(words);
  return result;
}

machine_needs memory_for_blocks(arguments const& given, std::uint64_t words,
                                unsigned bytes_of_a_word, unsigned copies) {
  return {
      .bytes_each = static_cast<double>(given.processors()) * static_cast<double>(words) *
                    bytes_of_a_word * copies,
      .held = fmt::format("blocks of {} word{} from each to each", words, words == 1 ? "" : "s"),
      .remedy = "smaller blocks"};
}

}  // namespace lockstep
