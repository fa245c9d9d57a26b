#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "engine/counting/order_events.hpp"

namespace lockstep::detail {

struct processor_state;

/// Counts the choices of a run: the calls of receive_any for which another sender's oldest message
/// was not sent after the one that was taken, as far as programs can know (counting rule 13).
///
/// Processors note their events one by one. While none runs, these are gone through in an order in
/// which each message is sent before it is taken: then vector clocks tell how many calls of each
/// processor a message is known to follow.
class arrival_order {
 public:
  explicit arrival_order(std::size_t processors) : m_processors(processors) {}

  /// A message that was sent before events were noted: it follows no call.
  void add_under_way(int from, int to, std::uint8_t pass);
  /// A barrier of that many members; result: its number among the events.
  [[nodiscard]] int begin_barrier(int members);
  /// Goes through the events that were noted since the last time, and forgets them.
  void replay(std::span<processor_state> all);

  [[nodiscard]] std::uint64_t choices() const { return m_choices; }

 private:
  /// How many calls of each processor that ever chose are known, by the number of that processor.
  using clock = std::vector<std::uint64_t>;
  using shared_clock = std::shared_ptr<clock const>;

  /// A call of receive_any.
  struct call {
    senders_admitted admits;
    std::uint8_t pass;
    std::size_t next;  ///< this call, or one after it, such that all between them are choices
  };

  /// The messages of a channel; some were taken.
  struct row {
    std::vector<shared_clock> clocks;
    std::size_t taken = 0;
  };

  /// A processor, as far as it was gone through.
  struct traced {
    std::size_t next = 0;  ///< of its events
    shared_clock known;
    std::vector<call> calls;
    bool chooses = false;  ///< the message that it takes next is chosen
    std::unordered_map<std::uint64_t, std::size_t>
        calls_at_last;  ///< by channel, when it last took
  };

  struct meeting {
    int missing;
    clock known{};
    std::vector<int> members{};
  };

  [[nodiscard]] bool advance(int rank, order_event const& event);
  [[nodiscard]] bool take(int rank, order_event const& event);
  [[nodiscard]] bool meet(int rank, order_event const& event);
  void note_choices(int rank, order_event const& taken, shared_clock const& known);
  [[nodiscard]] std::size_t first_certain(traced& of, std::size_t from);
  [[nodiscard]] std::uint64_t known_calls(shared_clock const& known, int rank) const;
  [[nodiscard]] static std::uint64_t channel(int from, int to, std::uint8_t pass);

  std::vector<traced> m_processors;
  std::unordered_map<int, std::size_t> m_numbers;  ///< of the processors that ever chose
  std::unordered_map<std::uint64_t, row> m_under_way;
  std::unordered_map<std::uint64_t, int> m_waiting;  ///< for a message of that channel
  std::unordered_map<int, meeting> m_meetings;
  std::vector<int> m_ready;
  int m_barriers = 0;
  std::uint64_t m_choices = 0;
};

}  // namespace lockstep::detail
