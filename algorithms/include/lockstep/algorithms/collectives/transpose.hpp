#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include <lockstep/algorithms/collectives/detail/rounds.hpp>
#include <lockstep/errors.hpp>
#include <lockstep/processor.hpp>

namespace lockstep {

namespace detail {

/// Errors: invalid_argument unless p divides the number of elements.
void require_equal_blocks(std::size_t elements, int processors);

/// The rounds by messages. Who has sent all of them receives in the rounds that they were sent in, and
/// waits less often than round by round.
template <payload_element T>
void exchange_blocks_by_messages(processor& me, std::span<T const> by_destination,
                                 std::span<T> by_source, std::size_t m) {
  for (int shift = 1; shift < me.size(); ++shift) {
    int const to = shifted(me, shift);
    me.send(to, by_destination.subspan(static_cast<std::size_t>(to) * m, m));
  }
  for (int shift = 1; shift < me.size(); ++shift) {
    int const from = shifted(me, -shift);
    me.receive_into(from, by_source.subspan(static_cast<std::size_t>(from) * m, m));
  }
}

}  // namespace detail

/// Exchanges blocks of one size, a different one for each pair: in round k = 1 .. p-1 processor i
/// sends to (i + k) mod p. What the paper calls the transpose primitive. Called by all processors of
/// a crossbar.
///
/// `blocks`: m elements per destination; p*m in all, indexed by destination.
/// Result: m elements per source; p*m in all, indexed by source.
/// Errors: invalid_argument if p does not divide the number of elements; size_mismatch if block
/// sizes differ between processors; and those of the machine.
///
/// **Cost** on a crossbar, one-port: p - 1 rounds, 1 start-up (pipelined), (p - 1)m words; strict. The
/// own block stays.
///
/// **Source** JaJa and Ryu 1994, Lemma 3.3; Bader, Helman and JaJa 1996, section 1.
///
/// **Example**
/// ```
/// lockstep::machine machine{lockstep::crossbar{4}};
/// auto run = machine.run([](lockstep::processor& me) {
///   return lockstep::transpose_blocks(me, std::vector<int>(8, me.rank()));
/// });
/// run.counts().words;  // 6
/// ```
template <payload_range Blocks>
[[nodiscard]] auto transpose_blocks(processor& me, Blocks const& blocks,
                                    access how = access::messages) {
  using element = std::ranges::range_value_t<Blocks>;
  auto const p = static_cast<std::size_t>(me.size());
  auto const source = std::span<element const>(blocks);
  detail::require_equal_blocks(source.size(), me.size());
  auto const m = source.size() / p;
  std::vector<element> by_source(source.size());
  auto const block = [m](int of) { return static_cast<std::size_t>(of) * m; };
  std::ranges::copy(source.subspan(block(me.rank()), m),
                    std::span(by_source).subspan(block(me.rank()), m).begin());
  me.pipelined([&] {
    if (how == access::messages)
      return detail::exchange_blocks_by_messages(me, source, std::span(by_source), m);
    for (int shift = 1; shift < me.size(); ++shift) {
      int const to = detail::shifted(me, shift);
      int const from = detail::shifted(me, -shift);
      detail::move_in_round(me, how, source, {to, block(to), block(me.rank()), m},
                            std::span(by_source), {from, block(me.rank()), block(from), m});
    }
  });
  return by_source;
}

}  // namespace lockstep
