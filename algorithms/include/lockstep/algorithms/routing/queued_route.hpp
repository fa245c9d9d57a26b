#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <source_location>
#include <span>
#include <vector>

#include <lockstep/algorithms/detail/counts_as.hpp>
#include <lockstep/algorithms/routing/routes.hpp>
#include <lockstep/claim.hpp>
#include <lockstep/library_call.hpp>
#include <lockstep/payload.hpp>
#include <lockstep/processor.hpp>

namespace lockstep {

/// The ways that bit fixing takes records of k instances on a hypercube, known to all processors: over the
/// dimensions in which a record's rank and destination differ, from the lowest to the highest, or, for an
/// inverse concentration, from the highest down.
class bit_fixing_pattern {
 public:
  /// `destinations`: of the records of processor 0, one of each instance, then of processor 1 and so on;
  /// `routed<>::nowhere` for nothing.
  /// Errors: invalid_argument unless d is 0 to 30, and there are 2^d times `instances`, all of them ranks.
  /// Cost: no step; a number for each record, and the links that all records cross in time.
  bit_fixing_pattern(int d, route which, std::size_t instances, std::span<int const> destinations,
                     std::source_location where = std::source_location::current());

  [[nodiscard]] int dimension() const { return m_dimension; }
  [[nodiscard]] route which() const { return m_which; }
  [[nodiscard]] std::size_t instances() const { return m_instances; }
  /// Counts the links that all records cross together.
  [[nodiscard]] std::uint64_t links() const { return m_links; }
  /// Counts the records that come to a processor from its neighbours, to stay or to go on.
  [[nodiscard]] std::size_t coming_to(int rank) const {
    return m_coming[static_cast<std::size_t>(rank)];
  }

  /// Finds the next processor on the way to another one.
  [[nodiscard]] int next(int rank, int destination) const;

  /// Errors: invalid_argument for another network than that of the pattern, or other records of a
  /// processor than those that it was made for.
  void require_made_for(topology const& network, int rank, std::span<int const> destinations,
                        std::source_location where = std::source_location::current()) const;

 private:
  int m_dimension;
  route m_which;
  std::size_t m_instances;
  std::vector<int> m_destinations;
  std::vector<std::size_t> m_coming;
  std::uint64_t m_links = 0;
};

namespace detail {

/// A record on its way, and its instance. It counts as the record alone.
template <payload_element T>
struct queued_record {
  using counts_as = T;

  T value;
  int destination;
  std::uint32_t instance;
};

/// Errors: invalid_argument, always: two records of an instance go to one processor.
[[noreturn]] void throw_same_destination(std::size_t instance, int rank);

/// The records in a processor: those that have to go on, first come, first sent, and those that stay.
template <payload_element T>
class queued_records {
 public:
  queued_records(int rank, std::size_t instances) : m_rank(rank), m_arrived(instances) {}

  void put(queued_record<T> const& record) {
    if (record.destination != m_rank) return m_queue.push_back(record);
    auto& place = m_arrived[record.instance];
    if (place) throw_same_destination(record.instance, m_rank);
    place = record.value;
  }
  /// Takes out the one that has to go on first.
  [[nodiscard]] queued_record<T> take() {
    auto const first = m_queue.front();
    m_queue.pop_front();
    return first;
  }
  [[nodiscard]] bool has_to_send() const { return !m_queue.empty(); }
  [[nodiscard]] std::vector<std::optional<T>>& arrived() { return m_arrived; }

  void show(processor& me) const {
    if (!me.is_shown()) [[likely]]
      return;
    std::vector<routed<T>> all;
    for (auto const& one : m_queue) all.push_back({one.value, one.destination});
    for (auto const& value : m_arrived)
      if (value) all.push_back({*value, m_rank});
    show_records(me, all);
  }

 private:
  int m_rank;
  std::deque<queued_record<T>> m_queue;
  std::vector<std::optional<T>> m_arrived;
};

/// Finds out whether something has come over some dimension.
[[nodiscard]] bool has_come(processor& me, int dimensions);

}  // namespace detail

/// k concentrations, inverse concentrations or monotone routes at once, by bit fixing with queues: in
/// each step a processor passes on the record that it has had longest, and takes in one. Records of different
/// instances wait for each other in the queues; nothing is sent where nothing goes. Called by all
/// processors of a hypercube or a subcube, with one port or more.
///
/// `records`: this processor's record of each instance with its destination, or nothing. `pattern`: made
/// for all records, so that each processor knows how many come.
/// Shows: "records" and their "destinations".
/// Result: the record that this processor has in the end, of each instance, or nothing.
/// Errors: invalid_argument for another network or other records than the pattern was made for, and
/// where two records of an instance go to one processor; those of the machine.
///
/// **Cost** neighbour switching. One message of a record for each link that one crosses. The steps depend on
/// the records; messages may queue for a port, so that it is not for strict machines.
///
/// **Source** the records and bounds: Mayr and Plaxton 1989, section 4, which has no such program for one
/// port; bit fixing with queues is well known (Leighton 1992, 3.4).
///
/// **Example**
/// ```
/// lockstep::machine cube{lockstep::hypercube{2}};
/// std::vector<int> const to{-1, 0, 1, 2};  // a concentration
/// lockstep::bit_fixing_pattern const pattern(2, lockstep::route::concentration, 1, to);
/// auto run = cube.run([&](lockstep::processor& me) {
///   std::vector<lockstep::routed<int>> const mine{{me.rank() * 10, to[std::size_t(me.rank())]}};
///   return lockstep::queued_route(me, std::span<lockstep::routed<int> const>(mine), pattern)[0];
/// });
/// run.results()[1];       // 20
/// run.counts().messages;  // 4
/// ```
template <payload_element T>
[[nodiscard]] std::vector<std::optional<T>> queued_route(
    processor& me, std::span<routed<T> const> records, bit_fixing_pattern const& pattern,
    std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  std::vector<int> destinations;
  for (auto const& record : records) destinations.push_back(record.destination);
  pattern.require_made_for(me.topology(), me.rank(), destinations, call.where());

  detail::queued_records<T> held(me.rank(), records.size());
  for (std::uint32_t j = 0; j < records.size(); ++j)
    if (records[j].is_there()) held.put({records[j].value, records[j].destination, j});
  held.show(me);
  for (auto coming = pattern.coming_to(me.rank()); held.has_to_send() || coming > 0;) {
    if (held.has_to_send()) {
      auto const record = held.take();
      me.send(pattern.next(me.rank(), record.destination), record);
    }
    bool const is_idle = !held.has_to_send();
    if (coming > 0 && (is_idle || detail::has_come(me, pattern.dimension()))) {
      held.put(me.receive_any<detail::queued_record<T>>().values.front());
      --coming;
    }
    held.show(me);
  }
  return std::move(held.arrived());
}

/// Makes the claims about `queued_route` of one-word records: a message for each link that one crosses. How
/// many steps it takes on one port nobody claims.
[[nodiscard]] std::vector<claim> queued_route_claims(bit_fixing_pattern const& pattern);

}  // namespace lockstep
