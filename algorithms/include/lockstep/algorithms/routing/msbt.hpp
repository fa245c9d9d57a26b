#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <source_location>
#include <span>
#include <vector>

#include <lockstep/algorithms/detail/show_values.hpp>
#include <lockstep/algorithms/prefix/monoid.hpp>
#include <lockstep/claim.hpp>
#include <lockstep/library_call.hpp>
#include <lockstep/processor.hpp>
#include <lockstep/topology.hpp>

namespace lockstep {

/// How the last packet is spread.
enum class msbt_scheme : std::uint8_t {
  optimal,  ///< by all processors that have it, in the ports that would be idle: k + d - 1 steps
  plain     ///< by a binomial tree as all others: k + d steps
};

/// Who sends which packet when, in the multiple spanning binomial trees of a hypercube: d trees,
/// one below the source's neighbour over each dimension, among which packets 0, 1, 2, ... are dealt
/// out in turn. In step t = 0, 1, ... all that is sent crosses dimension t mod d; packet q leaves
/// the source in step q.
///
/// Source: Ho and Johnsson's trees; Mayr and Plaxton 1989, section 4, names them, and the times are
/// lockstep's.
class msbt_schedule {
 public:
  /// packets: k.
  /// Errors: invalid_argument for a network that is not a hypercube, and 2^64 steps or more.
  msbt_schedule(topology const& network, std::uint64_t packets, msbt_scheme scheme,
                std::source_location where = std::source_location::current());

  /// k + d - 1, plain k + d (k for d = 1); 0 for d = 0 or k = 0.
  [[nodiscard]] std::uint64_t steps() const noexcept { return m_steps; }
  /// The dimension that is crossed in a step, 0, 1, ..., steps() - 1.
  [[nodiscard]] int dimension(std::uint64_t step) const noexcept;
  /// The packet that the processor of rank `from_source` xor the source's rank sends in a step, or
  /// nothing.
  [[nodiscard]] std::optional<std::uint64_t> sent(int from_source,
                                                  std::uint64_t step) const noexcept;

  /// Lists the packets that a processor has before a step of a broadcast.
  [[nodiscard]] std::vector<std::uint64_t> packets_before(int from_source,
                                                          std::uint64_t step) const;

 private:
  [[nodiscard]] unsigned rotated(unsigned rank, int by) const noexcept;

  int m_dimensions;
  std::uint64_t m_packets;
  std::uint64_t m_steps = 0;
  msbt_scheme m_scheme;
};

namespace detail {

/// A processor's place in the trees below `root`.
/// Errors: invalid_rank for a root that is not a rank.
[[nodiscard]] int from_root(processor const& me, int root);

/// Errors: invalid_argument, always: a gather found two values of one index.
[[noreturn]] void throw_two_values();

/// Joins nothing and a value.
template <payload_element T>
struct only_one {
  [[nodiscard]] extended<T> operator()(extended<T> const& a, extended<T> const& b) const {
    if (a.is_there && b.is_there) throw_two_values();
    return a.is_there ? a : b;
  }
};

}  // namespace detail

/// Pipelined broadcast: the k packets of processor `root` go to all processors of a hypercube or a
/// subcube (`me.subset`). Called by all of them, with the same k, root and scheme.
///
/// `packets`: the root's k packets; elsewhere room for as many, which gets them.
/// Shows: "packets", the numbers of those that have come.
/// Errors: invalid_argument on another topology; invalid_rank for no such root; those of the
/// machine.
///
/// **Cost** one-port, neighbour switching. k + d - 1 steps, plain k + d (k for d = 1),
/// none for d = 0 or k = 0; strict. (p - 1)k messages of one packet.
///
/// **Source** the multiple spanning binomial trees of Ho and Johnsson, which Mayr and Plaxton 1989,
/// section 4, take for k + log p steps; optimal: lockstep.
///
/// **Example**
/// ```
/// lockstep::machine cube{lockstep::hypercube{4}, {.strict = true}};
/// auto run = cube.run([](lockstep::processor& me) {
///   std::vector<int> packets(8);
///   if (me.rank() == 5) std::iota(packets.begin(), packets.end(), 100);
///   lockstep::msbt_broadcast(me, std::span(packets), 5);
///   return packets;
/// });
/// run.results()[15][7];  // 107
/// run.counts().steps;    // 11
/// ```
template <payload_element T>
void msbt_broadcast(processor& me, std::span<T> packets, int root = 0,
                    msbt_scheme scheme = msbt_scheme::optimal,
                    std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  msbt_schedule const schedule(me.topology(), packets.size(), scheme, call.where());
  int const place = detail::from_root(me, root);
  auto const show_before = [&](std::uint64_t step) {
    if (me.is_shown()) me.show("packets", schedule.packets_before(place, step));
  };
  show_before(0);
  for (std::uint64_t step = 0; step < schedule.steps(); ++step) {
    int const across = 1 << schedule.dimension(step);
    if (auto const packet = schedule.sent(place, step))
      me.send(me.rank() ^ across, packets[*packet]);
    if (auto const packet = schedule.sent(place ^ across, step))
      packets[*packet] = me.receive_value<T>(me.rank() ^ across);
    else
      me.idle();
    show_before(step + 1);
  }
}

/// Pipelined sum: processor `root` gets, for each of k indices, the sum of all processors' values
/// of that index. The broadcast's schedule, backwards in time. Called by all processors of a
/// hypercube or a subcube, with the same k, root and scheme.
///
/// `plus`: an operator that is associative and commutative: values are added in no particular
/// order. `x`: this processor's k values.
/// Shows: "sums".
/// Result: at the root the k sums, elsewhere nothing.
/// Errors, cost: as `msbt_broadcast`; every message is one value.
///
/// **Source** Mayr and Plaxton 1989, section 4: "k sums can be performed in k + log p time steps".
template <payload_element T, associative_operator<T> Operator>
[[nodiscard]] std::vector<T> msbt_sum(
    processor& me, Operator const& plus, std::span<T const> x, int root = 0,
    msbt_scheme scheme = msbt_scheme::optimal,
    std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  msbt_schedule const schedule(me.topology(), x.size(), scheme, call.where());
  int const place = detail::from_root(me, root);
  std::vector<T> sums(x.begin(), x.end());
  detail::show_values(me, "sums", sums);
  for (auto step = schedule.steps(); step-- > 0;) {
    int const across = 1 << schedule.dimension(step);
    if (auto const packet = schedule.sent(place ^ across, step))
      me.send(me.rank() ^ across, sums[*packet]);
    if (auto const packet = schedule.sent(place, step))
      sums[*packet] = plus(sums[*packet], me.receive_value<T>(me.rank() ^ across));
    else
      me.idle();
    detail::show_values(me, "sums", sums);
  }
  if (place != 0) sums.clear();
  return sums;
}

/// Gather: k values with the indices 0 .. k-1, spread in any way over the processors of a hypercube
/// or a subcube, go to processor `root`. The sum of values and nothing. Called by all processors,
/// with the same k, root and scheme.
///
/// `held`: for each of the k indices this processor's value, or nothing where it has none.
/// Result: at the root the value of each index, or nothing if nobody has one; elsewhere no
/// elements.
/// Errors: invalid_argument where two processors have a value of the same index; those of
/// `msbt_broadcast`.
/// Cost: as `msbt_broadcast`; every message is one value, or says that there is none.
///
/// **Source** Mayr and Plaxton 1989, section 4, MultiWay Merge step 7.
template <payload_element T>
[[nodiscard]] std::vector<std::optional<T>> msbt_gather(
    processor& me, std::span<std::optional<T> const> held, int root = 0,
    msbt_scheme scheme = msbt_scheme::optimal,
    std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  std::vector<extended<T>> values(held.size());
  for (std::size_t i = 0; i < held.size(); ++i)
    if (held[i]) values[i] = *held[i];
  std::vector<std::optional<T>> gathered;
  for (auto const& value :
       msbt_sum(me, detail::only_one<T>{}, std::span<extended<T> const>(values), root, scheme))
    gathered.push_back(value.as_optional());
  return gathered;
}

/// Makes the claims, the paper's and ours, about a broadcast, sum or gather of k one-word packets.
/// Errors: invalid_argument for a network that is not a hypercube.
[[nodiscard]] std::vector<claim> msbt_claims(topology const& network, std::uint64_t k,
                                             msbt_scheme scheme);

}  // namespace lockstep
