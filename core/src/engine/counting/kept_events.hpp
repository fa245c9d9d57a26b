#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <source_location>
#include <utility>
#include <vector>

#include <lockstep/timeline.hpp>

#include "engine/messages/message.hpp"
#include "engine/scheduling/group.hpp"

namespace lockstep::detail {

/// Something that a processor did, as a clock needs it.
struct kept_event {
  std::uint64_t amount;  ///< words of a message; operations; steps that are idled
  std::source_location where;
  int rank;
  int other;           ///< the processor at the other end; of a barrier the number of its group
  std::uint32_t hops;  ///< of a message, as all that follows
  time_kind what;
  std::uint8_t channel;
  std::uint8_t pass;  ///< of the port that it takes
  way_taken way;
};
static_assert(sizeof(kept_event) == 32, "options.hpp and docs/clocks.md say so");

/// The events of the processors of one worker, those of each processor in the order of its program.
class kept_events {
 public:
  kept_events() = default;
  kept_events(kept_events&& from) noexcept
      : m_blocks(std::move(from.m_blocks)),
        m_next(std::exchange(from.m_next, nullptr)),
        m_end(std::exchange(from.m_end, nullptr)),
        m_numbers(std::move(from.m_numbers)),
        m_groups(std::move(from.m_groups)),
        m_bytes(from.m_bytes),
        m_is_cut_off(from.m_is_cut_off) {}
  kept_events& operator=(kept_events&&) = delete;
  ~kept_events() = default;

  /// Begins. `bytes`: counts what all workers keep.
  void begin(std::atomic<std::size_t>& bytes) { m_bytes = &bytes; }

  /// Errors: std::bad_alloc.
  void add(kept_event const& made) {
    if (m_next == m_end) [[unlikely]]
      begin_block();
    *m_next++ = made;
  }
  /// Finds the number of a subset, from 1 on. Errors: std::bad_alloc.
  [[nodiscard]] int number_of(group const& subset);

  /// Whether all events were left out, for they take too much memory.
  [[nodiscard]] bool is_cut_off() const { return m_is_cut_off; }
  /// Lists the members of subsets, by number - 1.
  [[nodiscard]] std::vector<std::vector<int>> const& groups() const { return m_groups; }

  /// Calls visit(event) for each.
  template <class Visitor>
  void for_each(Visitor&& visit) const {
    for (auto const& one : m_blocks) {
      auto const* const end = &one == &m_blocks.back() ? m_next : one.begin + one.size;
      for (auto const* at = one.begin; at != end; ++at) visit(*at);
    }
  }

 private:
  /// Memory for events: of later blocks a huge page.
  struct block {
    explicit block(std::size_t events);
    block(block&& from) noexcept : begin(std::exchange(from.begin, nullptr)), size(from.size) {}
    block& operator=(block&&) = delete;
    ~block();

    kept_event* begin;
    std::size_t size;
  };

  void begin_block();

  std::vector<block> m_blocks;  ///< all full but the last
  kept_event* m_next = nullptr;
  kept_event* m_end = nullptr;
  std::map<group const*, int> m_numbers;
  std::vector<std::vector<int>> m_groups;
  std::atomic<std::size_t>* m_bytes = nullptr;
  bool m_is_cut_off = false;
};

/// Keeps the events of a run until a clock asks for them.
[[nodiscard]] std::shared_ptr<event_record const> make_event_record(
    std::vector<kept_events>&& by_worker, std::shared_ptr<topology const> network, ports each);

}  // namespace lockstep::detail
