#pragma once

#include <algorithm>
#include <cstddef>
#include <source_location>
#include <span>
#include <string_view>
#include <vector>

#include <lockstep/algorithms/collectives/access.hpp>
#include <lockstep/processor.hpp>
#include <lockstep/shown.hpp>

namespace lockstep::detail {

inline constexpr int nobody = -1;

/// A transfer from one processor's memory to another's in a round. Both know all of it.
struct transfer {
  int partner = nobody;    ///< at the other end
  std::size_t source = 0;  ///< index of the first element in the sender's memory
  std::size_t target = 0;  ///< index in the receiver's
  std::size_t elements = 0;
};

/// One round: sends `out` of `source`, takes in `in` to `target`, either perhaps with
/// nobody.
/// All are in the next step afterwards, idle ones too, if all were in the same step.
/// Called by all processors of the machine or subset. `where`: the caller's line, at which pages show
/// the processor. Cost: one step, of at most a message out and a message in.
template <payload_element T>
void move_in_round(processor& me, access how, std::span<T const> source, transfer const& out,
                   std::span<T> target, transfer const& in,
                   std::source_location where = std::source_location::current()) {
  auto const round = me.now();
  auto const leaving = [&] { return source.subspan(out.source, out.elements); };
  auto const room = [&] { return target.subspan(in.target, in.elements); };
  switch (how) {
    case access::messages:
      if (out.partner != nobody) me.send(out.partner, leaving(), where);
      if (in.partner != nobody) me.receive_into(in.partner, room(), where);
      break;
    case access::reads:
      if (in.partner == nobody) {
        me.serve(source, where);
      } else {
        std::ranges::copy(me.read(in.partner, in.source, in.elements, source, where),
                          room().begin());
      }
      break;
    case access::writes:
      if (out.partner == nobody) {
        me.serve(target, where);
      } else {
        me.write(out.partner, out.target, leaving(), target, where);
      }
      break;
  }
  if (me.now() == round) me.idle(1, where);
}

/// The other end of linear permutation number `shift`: i -> (i + shift) mod p.
[[nodiscard]] inline int shifted(processor const& me, int shift) {
  auto const p = me.size();
  return ((me.rank() + shift) % p + p) % p;
}

/// Lists the blocks of a complete exchange by linear permutations that a processor has after that
/// many of them: by source those that have come, by destination those that have not gone, its own.
[[nodiscard]] std::vector<block_label> labels_of_shifts(processor const& me, int shifts);

/// Rounds 1 to p - 1 of linear permutations. Who has sent those of some rounds receives in the
/// rounds that they were sent in, and waits less often than round by round; of all rounds there
/// would be too many messages under way.
template <class Send, class Receive>
void in_shifted_rounds(processor const& me, Send const& send_to, Receive const& receive_from) {
  // One at a time in a view, so that what a round brought is shown after that round.
  int const rounds_at_once = me.is_shown() ? 1 : 16;
  for (int first = 1; first < me.size(); first += rounds_at_once) {
    int const end = std::min(first + rounds_at_once, me.size());
    for (int shift = first; shift < end; ++shift) send_to(shifted(me, shift));
    for (int shift = first; shift < end; ++shift) receive_from(shifted(me, -shift));
  }
}

/// Shows that the exchange of that name has ended, and what came is used up.
void show_used_up(processor& me, std::string_view name);

}  // namespace lockstep::detail
