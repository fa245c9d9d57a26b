#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <lockstep/algorithms/claim.hpp>
#include <lockstep/algorithms/exchange/exchange_pattern.hpp>
#include <lockstep/errors.hpp>
#include <lockstep/processor.hpp>

namespace lockstep {

namespace detail {

/// The data array B: one block of m elements at each place.
template <payload_element T>
class data_array {
 public:
  /// Lays the blocks, indexed by destination, into their places.
  data_array(processor const& me, exchange_pattern const& pattern, std::vector<T> blocks,
             exchange_pattern::layout order)
      : m_block(blocks.size() / static_cast<std::size_t>(me.size())),
        m_elements(blocks.size()),
        m_order(std::move(order)) {
    auto const places = exchange_pattern::places(m_order);
    for (int destination = 0; destination < me.size(); ++destination)
      copy(block(blocks, destination),
           block(m_elements, place_of(places, pattern.name_of_block_for(destination))));
  }

  /// Re-lays the blocks for the steps to come.
  void rearrange(processor& me, exchange_pattern::layout next) {
    auto const old_places = exchange_pattern::places(m_order);
    auto const new_places = exchange_pattern::places(next);
    std::vector<T> laid(m_elements.size());
    for (std::size_t name = 0; name < new_places.size(); ++name)
      copy(block(m_elements, old_places[name]), block(laid, new_places[name]));
    m_elements = std::move(laid);
    m_order = std::move(next);
    me.rearrange(m_elements.size() * words_of<T>);
  }

  /// One step: a contiguous piece of the array goes out, and as many blocks come in there.
  void exchange(processor& me, exchange_pattern::transfer const& step) {
    auto const first = static_cast<std::size_t>(step.first) * m_block;
    auto const last = static_cast<std::size_t>(step.last) * m_block;
    auto const piece = std::span<T>(m_elements).subspan(first, last - first);
    me.send(step.to, piece);
    me.receive_into(step.from, piece);
  }

  /// The blocks, indexed by source.
  [[nodiscard]] std::vector<T> by_source(processor const& me,
                                         exchange_pattern const& pattern) const {
    auto const places = exchange_pattern::places(m_order);
    std::vector<T> blocks(m_elements.size());
    for (int source = 0; source < me.size(); ++source)
      copy(block(m_elements, place_of(places, pattern.name_of_block_from(source))),
           block(blocks, source));
    return blocks;
  }

 private:
  [[nodiscard]] static int place_of(std::vector<int> const& places, int name) {
    return places[static_cast<std::size_t>(name)];
  }

  /// The i-th block of `elements`.
  template <class Elements>
  [[nodiscard]] auto block(Elements& elements, int i) const {
    return std::span(elements).subspan(static_cast<std::size_t>(i) * m_block, m_block);
  }

  static void copy(std::span<T const> from, std::span<T> to) {
    std::copy(from.begin(), from.end(), to.begin());
  }

  std::size_t m_block;  ///< elements in a block
  std::vector<T> m_elements;
  exchange_pattern::layout m_order;
};

}  // namespace detail

/// All-to-all personalised exchange (complete exchange): every processor has a block of its own for
/// every processor. Called by all processors of a torus whose dimensions are multiples of four, or
/// of a mesh with even dimensions, in two or more dimensions, with blocks of one size m.
///
/// Processors whose coordinates agree modulo four (mesh: two) exchange along rings first, one
/// dimension after the other; then nodes at distance 2 (torus) and 1 exchange in 4x4 and 2x2
/// submeshes. Every message is a contiguous piece of the data array, without a header, and no two
/// messages share a link. Phases: "ring 1", "ring 2", "exchange distance 2", "exchange distance 1".
///
/// `blocks`: m elements per destination; p*m in all, indexed by destination.
/// Result: m elements per source; p*m in all, indexed by source.
/// Errors: invalid_argument if the network does not fit, or p does not divide the number of
/// elements; size_mismatch if block sizes differ between processors; and those of the machine.
///
/// **Cost** one-port, cut-through, contention 1, on R x C with C the larger:
/// torus C/2 + 2 steps and start-ups, RC(C + 4)m/4 words, 2(C - 1) hops, 3 rearrangements;
/// mesh C steps and start-ups, RC^2 m/2 words, (C - 2)^2 + 2 hops, 2 rearrangements;
/// each rearrangement is of RCm words. In n > 2 dimensions, with N_p the largest size of a dimension
/// that is in use in ring phase p (the first two always are, the n-th in the first and the last):
/// torus sum N_p/4 + n steps, A(sum N_p + 4n)m/8 words of A processors, sum N_p - n hops;
/// mesh sum N_p/2 steps, A sum N_p m/4 words, sum (N_p - 2)^2/2 + n hops; and a rearrangement before
/// every second exchange step. With the largest dimension among the first two these are the paper's
/// figures, but for the rearrangements, of which the paper has too few.
/// Local work O(pm) a phase; memory 2pm elements beside what is under way. (Where a dimension is 4
/// on a torus or 2 on a mesh some rearrangements could be left out; they are made and counted all
/// the same.)
///
/// **Source** Suh and Shin 2001, sections 3.1, 3.2 and 4.
///
/// **Example**
/// ```
/// lockstep::machine torus{lockstep::torus{{12, 12}}, {.strict = true}};
/// auto run = torus.run([](lockstep::processor& me) {
///   std::vector<int> blocks(144);                       // one word for each destination
///   for (int to = 0; to < 144; ++to) blocks[to] = 1000 * me.rank() + to;
///   return lockstep::all_to_all(me, std::move(blocks));
/// });
/// run.results()[5][7];    // 7005: what processor 7 had for processor 5
/// run.counts().words;     // 576
/// ```
template <payload_element T>
[[nodiscard]] std::vector<T> all_to_all(processor& me, std::vector<T> blocks) {
  if (blocks.size() % static_cast<std::size_t>(me.size()) != 0)
    throw invalid_argument("all_to_all: " + std::to_string(blocks.size()) +
                           " elements are no whole number for each of " +
                           std::to_string(me.size()) + " processors; give m for each");

  exchange_pattern const pattern(me.topology(), me.rank());
  detail::data_array<T> data(me, pattern, std::move(blocks), pattern.ring_layout(1));
  int const n = pattern.dimensions();

  for (int phase = 1; phase <= n; ++phase) {
    me.phase("ring " + std::to_string(phase));
    if (phase > 1) data.rearrange(me, pattern.ring_layout(phase));
    for (int step = 1; step <= pattern.ring_steps(phase); ++step)
      data.exchange(me, pattern.ring_step(phase, step));
  }
  for (int distance = pattern.stride() / 2; distance >= 1; distance /= 2) {
    me.phase("exchange distance " + std::to_string(distance));
    for (int step = 1; step <= n; ++step) {
      if (step % 2 == 1) data.rearrange(me, pattern.exchange_layout(distance, step));
      data.exchange(me, pattern.exchange_step(distance, step));
    }
  }
  return data.by_source(me, pattern);
}

/// What the paper and we say that `all_to_all` costs on this network with blocks of that many
/// words.
/// Errors: invalid_argument for a network that does not fit.
[[nodiscard]] std::vector<claim> all_to_all_claims(topology const& network, std::uint64_t words);

}  // namespace lockstep
