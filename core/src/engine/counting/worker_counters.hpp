#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <lockstep/detail/kept_message.hpp>
#include <lockstep/observer.hpp>

#include "engine/counting/kept_events.hpp"
#include "engine/counting/label_counters.hpp"
#include "engine/counting/step_counters.hpp"
#include "engine/counting/work_counters.hpp"
#include "engine/messages/message.hpp"

namespace lockstep::detail {

/// A row of messages of equally many words from one processor to another on one route, one in each of
/// some consecutive steps.
struct link_use {
  std::uint64_t step;   ///< the first
  std::uint64_t steps;  ///< how many in a row
  call_place where;     ///< of the send, on a strict machine
  std::uint64_t words;  ///< of each; on a strict machine they may be 0
  int from;
  int to;
  std::uint32_t hops;
  way_taken way;
  std::uint8_t pass;

  /// The order in which the messages of a step are looked at. No two are equal, for no two of one
  /// sender take the same out-port.
  [[nodiscard]] bool operator<(link_use const& other) const {
    if (step != other.step) return step < other.step;
    if (from != other.from) return from < other.from;
    if (to != other.to) return to < other.to;
    auto const port = [](link_use const& use) {
      return std::tuple(use.pass, use.way.dimension(), use.way.direction(), use.hops);
    };
    return port(*this) < port(other);
  }
};

/// A message for the observers, and the receiver's `now` when it asked.
struct observed_message {
  message_record record;
  std::uint64_t asked;
  std::uint8_t channel;  ///< of the message, `one_sided_pass` or the pass
  bool meets;            ///< whether it is of requests that meet at one owner
};

/// The sending of a message, kept for the observers until it comes in: a message does not carry the
/// number of its call.
struct noted_send {
  std::uint64_t step;
  std::uint64_t call;
  int from;
  int to;
  std::uint8_t channel;
  way_taken way;
};

/// Texts, each kept once.
class said_texts {
 public:
  /// Finds the number of a text. Errors: std::bad_alloc.
  [[nodiscard]] std::uint64_t number_of(std::string&& text) {
    auto const [at, is_new] = m_numbers.try_emplace(std::move(text), m_texts.size());
    if (is_new) m_texts.push_back(&at->first);
    return at->second;
  }
  [[nodiscard]] bool has(std::string const& text) const { return m_numbers.contains(text); }
  [[nodiscard]] std::string const& operator[](std::uint64_t number) const {
    return *m_texts[number];
  }

 private:
  std::map<std::string, std::uint64_t> m_numbers;
  std::vector<std::string const*> m_texts;
};

/// The counters of one worker, which it alone writes while processors run.
struct alignas(64) worker_counters {
  static constexpr std::size_t reserved_bytes = 16'384;

  step_counter_blocks steps;
  std::vector<link_use> link_uses;
  std::uint64_t last_use = 0;  ///< the latest step among them
  bool long_routes = false;    ///< whether any message ever crossed more than one link
  std::vector<observed_message> observed;
  std::vector<std::uint64_t> hot_steps;   ///< in which requests that meet came into pipelined runs
  std::vector<noted_send> sends;          ///< for the observers
  std::vector<call_record> calls;         ///< for those that want them
  std::vector<shown_record> shown;        ///< one for each of these of kind show
  said_texts said;                        ///< of labels and notes, whose `words` number them
  kept_events events;                     ///< for a clock
  std::vector<kept_message> kept;         ///< messages of the first steps
  std::vector<call_place> received_at;    ///< each of these; none for those of other calls
  std::vector<std::uint64_t> rearranged;  ///< largest, by number of the call
  std::vector<std::vector<std::uint64_t>> phase_rearranged;  ///< the same by phase
  work_counters work;
  label_counters labels;
  std::size_t entries_to_merge = 0;  ///< that are worth it
  std::size_t blocks_to_merge = 0;   ///< and those of steps
  /// Given back when memory runs out, so that the error can still be made.
  std::unique_ptr<std::byte[]> reserve{new std::byte[reserved_bytes]};

  /// Counts the entries that wait to be merged.
  [[nodiscard]] std::size_t entries() const {
    return link_uses.size() + observed.size() + hot_steps.size() + work.entries() +
           labels.entries();
  }
  [[nodiscard]] bool worth_merging() const {
    return entries() >= entries_to_merge || steps.begun() >= blocks_to_merge;
  }
  void use_links(link_use const& use) {
    link_uses.push_back(use);
    last_use = std::max(last_use, use.step + use.steps - 1);
    note_route(use.hops);
  }
  void note_hot_step(std::uint64_t step) {
    if (hot_steps.empty() || hot_steps.back() != step) hot_steps.push_back(step);
  }
  void note_route(std::uint32_t hops) { long_routes = long_routes || hops > 1; }
  /// Forgets the uses of the steps before `step`.
  void drop_uses(std::uint64_t step);
  void rearrange(std::vector<std::uint64_t>& by_call, std::uint64_t call, std::uint64_t words);
  [[nodiscard]] std::size_t bytes() const {
    return steps.bytes() + link_uses.capacity() * sizeof(link_use) +
           observed.capacity() * sizeof(observed_message) +
           hot_steps.capacity() * sizeof(std::uint64_t) + work.bytes() + labels.bytes();
  }
};

}  // namespace lockstep::detail
