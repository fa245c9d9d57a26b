#pragma once

#include <cstddef>
#include <source_location>
#include <span>
#include <string_view>
#include <vector>

#include <lockstep/algorithms/detail/show_values.hpp>
#include <lockstep/algorithms/routing/detail/bins.hpp>
#include <lockstep/algorithms/textbook/detail/collective_parts.hpp>
#include <lockstep/library_call.hpp>
#include <lockstep/payload.hpp>
#include <lockstep/processor.hpp>

namespace lockstep::textbook {

/// One list for each processor.
template <payload_element T>
using lists = std::vector<std::vector<T>>;

/// Transposes lists of any lengths, as the transpose primitive does with blocks: list l goes to
/// processor l, in round k = 1 .. p-1 from i to (i + k) mod p. The own list stays.
/// Result: the lists that came, indexed by source.
/// Errors: invalid_argument unless there is a list for each processor; those of
/// the machine.
/// **Cost** on a crossbar, one-port: p - 1 rounds, 1 start-up (pipelined), and in words the largest
/// over processors of max(sent, received); strict.
template <payload_element T>
[[nodiscard]] lists<T> transpose_lists(
    processor& me, lists<T> out,
    std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  detail::require_lists("textbook::transpose_lists", out.size(), me,
                        call.where());
  int const p = me.size();
  int const i = me.rank();
  lists<T> in(out.size());
  in[static_cast<std::size_t>(i)] = out[static_cast<std::size_t>(i)];
  me.pipelined([&] {
    for (int k = 1; k < p; ++k) {
      int const to = (i + k) % p;
      int const from = (i - k + p) % p;
      in[static_cast<std::size_t>(from)] =
          me.exchange(to, out[static_cast<std::size_t>(to)], from);
    }
  });
  return in;
}

/// Routes an h-relation in two phases. Called by all processors of a crossbar; phases "route 1" and
/// "route 2".
///
/// `elements`: any number. `destination_of(element)`: the rank that it goes to, a member or a
/// function. `shown_as`: what views call them.
/// Result: the elements for this processor, by the processor through which they came, within it by
/// source, within it in the source's order.
/// Errors: invalid_argument for a destination that is not a rank; those of the machine.
///
/// **Cost** the counts of `lockstep::h_relation` with blocks of their real size.
///
/// **Source** Bader, Helman and JaJa 1996, Appendix B, Algorithm 1, whose line numbers these are.
/// Its arrays C, D, E and F are lists here, so that no slot is needed for the number of elements.
template <payload_element T, class Destination>
[[nodiscard]] std::vector<T> h_relation(
    processor& me, std::vector<T> const& elements,
    Destination const& destination_of, std::string_view shown_as = "elements",
    std::source_location where = std::source_location::current()) {
  namespace parts = lockstep::detail;
  library_call const call(me, where);
  auto const p = static_cast<std::size_t>(me.size());
  auto const i = static_cast<std::size_t>(me.rank());
  auto const address = [&](std::vector<T> const& of, std::size_t k) {
    return parts::checked_destination(me, std::span<T const>(of), k,
                                      destination_of);
  };

  // 1 to 3: the elements for processor l are dealt out to all bins in turn,
  // from bin i + l on.
  lists<T> c(p);
  std::vector<std::size_t> t(p);
  for (std::size_t k = 0; k < p; ++k) t[k] = (i + k) % p;
  for (std::size_t k = 0; k < elements.size(); ++k) {
    auto const l = address(elements, k);
    c[t[l]].push_back(elements[k]);
    t[l] = (t[l] + 1) % p;
  }
  me.work(elements.size());
  parts::show_values(me, shown_as, elements);

  // 4: bin k goes to processor k.
  me.phase("route 1");
  auto const d = transpose_lists(me, c);

  // 5 to 7: what came is sorted by destination.
  lists<T> e(p);
  for (auto const& of_one : d) {
    for (std::size_t l = 0; l < of_one.size(); ++l)
      e[address(of_one, l)].push_back(of_one[l]);
    me.work(of_one.size());
  }
  if (me.is_shown()) parts::show_values(me, shown_as, parts::joined(e));

  // 8 to 10: and goes there.
  me.phase("route 2");
  auto const f = transpose_lists(me, e);
  std::vector<T> b;
  for (auto const& of_one : f) b.insert(b.end(), of_one.begin(), of_one.end());
  parts::show_values(me, shown_as, b);
  return b;
}

}  // namespace lockstep::textbook
