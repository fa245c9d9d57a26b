#include "exchange/complete_exchange.hpp"

#include <algorithm>
#include <ranges>
#include <utility>

#include <fmt/format.h>

#include "harness/stages.hpp"

namespace lockstep {

experiment complete_exchange(experiment of, exchange_traits const& traits) {
  of.parameters = {words_in_a_block};
  of.run = [name = of.name, traits](arguments const& given) {
    if (auto const reason = traits.unsupported_reason(given.network()); !reason.empty())
      throw invalid_argument(name + ": " + reason);
    auto const words = given[words_in_a_block];
    auto claims = traits.claims(given.network(), words);
    expect_steps(claims);
    auto result = exchange_generated_blocks(
        given, strictness::never, traits.copies, [&](processor& me, exchanged_blocks blocks) {
          return traits.exchange(me, std::move(blocks), std::source_location::current());
        });
    return with_claims(std::move(result), given, std::move(claims), words);
  };
  return of;
}

experiment_result exchange_generated_blocks(
    arguments const& given, strictness strict, unsigned copies,
    std::function<exchanged_blocks(processor&, exchanged_blocks)> const& exchange) {
  auto const words = given[words_in_a_block];
  auto needs = memory_for_blocks(given, words, sizeof(std::uint64_t), copies);
  needs.strict = strict;
  // Where blocks go by themselves, a third of them are in messages at a time.
  if (copies == 1)
    needs.bytes_each += static_cast<double>(given.processors()) *
                        (64.0 + sizeof(std::uint64_t) * static_cast<double>(words)) / 3;
  // Word `index` of all that goes between a processor and the others, in rank order.
  auto const all = static_cast<std::uint64_t>(given.processors()) * words;
  auto const other = [words](std::uint64_t index) { return static_cast<int>(index / words); };
  auto const word = [seed = given.seed(), words](int source, int destination, std::uint64_t index) {
    return generated_word(seed, source, destination, index % words);
  };
  return run_and_check(given, needs, [&](processor& me) {
    exchanged_blocks out(all);
    for (std::uint64_t i = 0; i < all; ++i) out[i] = word(me.rank(), other(i), i);
    auto const in = exchange(me, std::move(out));
    auto const expected =
        std::views::iota(std::uint64_t{0}, all) |
        std::views::transform([&](std::uint64_t i) { return word(other(i), me.rank(), i); });
    return std::ranges::equal(in, expected);
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
  constexpr double of_the_plan = 5500;
  return {
      .bytes_each = static_cast<double>(given.processors()) * static_cast<double>(words) *
                        bytes_of_a_word * copies +
                    of_the_plan,
      .waiting = 4500,
      .held = fmt::format("blocks of {} word{} from each to each", words, words == 1 ? "" : "s"),
      .remedy = "smaller blocks"};
}

}  // namespace lockstep
