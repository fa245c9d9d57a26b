#include "exchange/complete_exchange.hpp"

#include <utility>

#include <fmt/format.h>

namespace lockstep {

std::uint64_t exchange_problem::word(int source, int destination, std::uint64_t index) const {
  return generated_word(m_given.seed(), source, destination, index);
}

exchanged_blocks exchange_problem::part_of(processor const& me) const {
  exchanged_blocks blocks;
  blocks.reserve(static_cast<std::uint64_t>(me.size()) * m_words);
  for (int destination = 0; destination < me.size(); ++destination)
    for (std::uint64_t i = 0; i < m_words; ++i) blocks.push_back(word(me.rank(), destination, i));
  return blocks;
}

std::uint64_t exchange_problem::pieces_to_check() const {
  return static_cast<std::uint64_t>(m_given.processors());
}

bool exchange_problem::is_solved_by(std::vector<exchanged_blocks> const& all) const {
  int const p = m_given.processors();
  for (int rank = 0; rank < p; ++rank) {
    auto const& blocks = all[static_cast<std::size_t>(rank)];
    if (blocks.size() != static_cast<std::uint64_t>(p) * m_words) return false;
    auto next = blocks.begin();
    for (int source = 0; source < p; ++source)
      for (std::uint64_t i = 0; i < m_words; ++i)
        if (*next++ != word(source, rank, i)) return false;
    note_done(1);
  }
  return true;
}

void exchange_problem::add_size_to(experiment_result& result) const {
  result.parameters["words"] = static_cast<std::int64_t>(m_words);
}

experiment_result solve_exchange(arguments const& given, strictness strict, unsigned copies,
                                 std::vector<claim> claims, exchange_program const& program) {
  auto const words = given[words_in_a_block];
  auto needs = memory_for_blocks(given, words, sizeof(std::uint64_t), copies);
  needs.strict = strict;
  // Where blocks go by themselves, a third of them are in messages at a time.
  if (copies == 1)
    needs.bytes_each += static_cast<double>(given.processors()) *
                        (64.0 + sizeof(std::uint64_t) * static_cast<double>(words)) / 3;
  return solve(given, needs, in_packets(std::move(claims), given), exchange_problem(given, words),
               program);
}

experiment complete_exchange(experiment of, exchange_traits const& traits) {
  of.parameters = {words_in_a_block};
  of.run = [name = of.name, traits](arguments const& given) {
    if (auto const reason = traits.unsupported_reason(given.network()); !reason.empty())
      throw invalid_argument(name + ": " + reason);
    return solve_exchange(given, strictness::never, traits.copies,
                          traits.claims(given.network(), given[words_in_a_block]),
                          [&](processor& me, exchanged_blocks blocks) {
                            return traits.exchange(me, std::move(blocks),
                                                   std::source_location::current());
                          });
  };
  return of;
}

std::vector<claim> in_packets(std::vector<claim> claims, arguments const& given) {
  if (given.request().options.packet != 1)
    for (auto& claimed : claims)
      if (claimed.figure == "words" || claimed.figure == "volume")
        claimed.erratum = "messages are rounded up to whole packets";
  return claims;
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
