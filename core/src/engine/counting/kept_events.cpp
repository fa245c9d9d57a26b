#include "engine/counting/kept_events.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <new>
#include <string>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include <lockstep/assert.hpp>

#include "engine/tuning.hpp"

namespace lockstep::detail {

namespace {

constexpr std::size_t huge_page = std::size_t{1} << 21;
/// Blocks before those of a huge page: the first are small, for there may be a worker for each processor, and a
/// huge page takes longer to begin with than a short run.
constexpr std::size_t small_blocks = 16;
constexpr std::size_t events_at_first = 64;
constexpr std::size_t events_of_small_blocks = 8'192;

/// Computes the number of events for which a block has room, by its place among the others.
[[nodiscard]] std::size_t events_of_block(std::size_t before) {
  if (before >= small_blocks) return huge_page / sizeof(kept_event);
  return std::min(events_at_first << before, events_of_small_blocks);
}

}  // namespace

kept_events::block::block(std::size_t events) : size(events) {
  auto const bytes = events * sizeof(kept_event);
  void* const memory = std::aligned_alloc(std::min(bytes, huge_page), bytes);
  if (memory == nullptr) throw std::bad_alloc();
  if (bytes >= huge_page) ::madvise(memory, bytes, MADV_HUGEPAGE);
  begin = static_cast<kept_event*>(memory);
}

kept_events::block::~block() { std::free(begin); }

void kept_events::begin_block() {
  auto const events = events_of_block(m_blocks.size());
  auto const bytes = events * sizeof(kept_event);
  if (!m_is_cut_off && m_bytes->fetch_add(bytes) + bytes > usual_tuning.most_call_bytes) {
    m_is_cut_off = true;
    m_blocks.clear();
  }
  // Once events are left out, one block is written over and over.
  if (!m_is_cut_off || m_blocks.empty()) m_blocks.emplace_back(events);
  m_next = m_blocks.back().begin;
  m_end = m_next + m_blocks.back().size;
}

int kept_events::number_of(group const& subset) {
  auto const [found, is_new] = m_numbers.emplace(&subset, static_cast<int>(m_groups.size()) + 1);
  if (is_new) m_groups.push_back(subset.members());
  return found->second;
}

namespace {

/// A message sent to a processor, by its channel.
struct sent_message {
  int from;
  std::uint8_t channel;
  std::size_t message;

  [[nodiscard]] std::tuple<int, std::uint8_t> key() const { return {from, channel}; }
};

/// Brings the events of all workers together: each receive gets the oldest message of its channel that is not yet
/// received.
class ordering {
 public:
  ordering(std::vector<kept_events> const& by_worker, event_list& events, ports each)
      : m_by_worker(by_worker), m_events(events), m_ports(each) {}

  void run() {
    split_by_rank();
    m_events.messages.reserve(m_sends);
    for (std::size_t rank = 0; rank < m_by_rank.size(); ++rank) add_events(rank);
    for (std::size_t rank = 0; rank < m_by_rank.size(); ++rank) find_messages(rank);
  }

 private:
  static std::size_t index(int number) { return static_cast<std::size_t>(number); }

  void split_by_rank() {
    m_by_rank.resize(m_events.by_rank.size());
    m_sent_to.resize(m_by_rank.size());
    std::vector<std::size_t> made(m_by_rank.size());
    for (auto const& worker : m_by_worker)
      worker.for_each([&](kept_event const& one) {
        ++made[index(one.rank)];
        m_sends += one.what == time_kind::send ? 1 : 0;
      });
    for (std::size_t rank = 0; rank < made.size(); ++rank) m_by_rank[rank].reserve(made[rank]);
    for (auto const& worker : m_by_worker) {
      std::vector<std::size_t> numbers{0};
      for (auto const& members : worker.groups()) numbers.push_back(number_of(members));
      m_numbers.push_back(std::move(numbers));
      worker.for_each([&](kept_event const& one) {
        m_by_rank[index(one.rank)].push_back({&one, &m_numbers.back()});
      });
    }
  }

  [[nodiscard]] std::size_t number_of(std::vector<int> const& members) {
    auto const [found, is_new] = m_groups.emplace(members, m_events.groups.size() + 1);
    if (is_new) m_events.groups.push_back(members);
    return found->second;
  }

  void add_events(std::size_t rank) {
    auto& all = m_events.by_rank[rank];
    all.reserve(m_by_rank[rank].size());
    for (auto const& [one, groups] : m_by_rank[rank]) {
      if (!all.empty() && goes_on(all.back(), *one)) {
        all.back().amount += one->amount;
        continue;
      }
      auto& made = all.emplace_back(event{.what = one->what, .where = one->where});
      switch (one->what) {
        case time_kind::work:
        case time_kind::idle:
          made.amount = one->amount;
          break;
        case time_kind::barrier:
          made.members = (*groups)[index(one->other)];
          break;
        case time_kind::send:
          made.message = m_events.messages.size();
          m_events.messages.push_back(record_of(*one));
          m_sent_to[index(one->other)].push_back({one->rank, one->channel, made.message});
          add_ends(made, *one);
          break;
        case time_kind::receive:
          made.message = one->channel;  // until it is found
          add_ends(made, *one);
          break;
      }
    }
  }

  /// Whether work, or idle steps, follow those before them on the same line, so that they are one event.
  [[nodiscard]] static bool goes_on(event const& last, kept_event const& next) {
    if (next.what != time_kind::work && next.what != time_kind::idle) return false;
    return last.what == next.what && last.where.line() == next.where.line() &&
           last.where.column() == next.where.column() &&
           last.where.file_name() == next.where.file_name();
  }

  void add_ends(event& made, kept_event const& one) {
    made.other = one.other;
    made.amount = one.amount;
    made.port = port_of(one);
    if (m_ports == ports::per_pass && one.channel == one_sided_pass)
      m_events.left_out =
          "where ports are per pass, the out-port of a one-sided message, or of one of a "
          "superstep, is "
          "not kept";
  }

  [[nodiscard]] static message_record record_of(kept_event const& one) {
    bool const sends = one.what == time_kind::send;
    message_record moved;
    moved.from = sends ? one.rank : one.other;
    moved.to = sends ? one.other : one.rank;
    moved.words = one.amount;
    moved.hops = one.hops;
    moved.pass = one.pass;
    moved.way = one.way.to_along(one.hops);
    return moved;
  }

  /// Finds the port that a message takes (counting rule 3).
  [[nodiscard]] std::int64_t port_of(kept_event const& one) const {
    if (m_ports == ports::one) return 0;
    if (m_ports == ports::per_pass) return one.pass;
    auto const links = links_of(*m_events.network, record_of(one));
    return m_events.network->number_of(one.what == time_kind::send ? links.front() : links.back());
  }

  /// Finds the messages that a processor receives: of each channel the next.
  void find_messages(std::size_t rank) {
    auto& sent = m_sent_to[rank];
    std::ranges::stable_sort(sent, {}, &sent_message::key);
    std::vector<std::size_t> channels;  // where each begins in `sent`, and how far it is received
    for (std::size_t at = 0; at < sent.size(); ++at)
      if (at == 0 || sent[at].key() != sent[at - 1].key()) channels.push_back(at);
    auto next = channels;
    for (auto& one : m_events.by_rank[rank]) {
      if (one.what != time_kind::receive) continue;
      std::tuple const key(one.other, static_cast<std::uint8_t>(one.message));
      auto const channel = std::ranges::lower_bound(
          channels, key, {}, [&](std::size_t begin) { return sent[begin].key(); });
      LOCKSTEP_ASSERT(light, channel != channels.end() && sent[*channel].key() == key);
      auto& oldest = next[static_cast<std::size_t>(channel - channels.begin())];
      LOCKSTEP_ASSERT(light, oldest < sent.size() && sent[oldest].key() == key);
      one.message = sent[oldest++].message;
    }
  }

  /// An event, and the numbers that its worker's subsets have in the list.
  struct placed_event {
    kept_event const* made;
    std::vector<std::size_t> const* groups;
  };

  std::vector<kept_events> const& m_by_worker;
  event_list& m_events;
  ports m_ports;
  std::size_t m_sends = 0;
  std::vector<std::vector<placed_event>> m_by_rank;
  std::vector<std::vector<sent_message>> m_sent_to;
  std::deque<std::vector<std::size_t>> m_numbers;
  std::map<std::vector<int>, std::size_t> m_groups;
};

/// The events of a run, as its workers kept them until they are asked for, then in order.
class ordered_on_demand final : public event_record {
 public:
  ordered_on_demand(std::vector<kept_events>&& by_worker, std::shared_ptr<topology const> network,
                    ports each)
      : m_by_worker(std::move(by_worker)), m_network(std::move(network)), m_ports(each) {}

  [[nodiscard]] event_list const& in_order() const override {
    std::call_once(m_once, [&] {
      m_events = ordered();
      m_by_worker.clear();
    });
    return m_events;
  }

 private:
  /// Errors: those of the network's routes; std::bad_alloc.
  [[nodiscard]] event_list ordered() const {
    event_list events;
    events.network = m_network;
    if (std::ranges::any_of(m_by_worker, &kept_events::is_cut_off)) {
      events.left_out = fmt::format("it takes more than {} MiB; keep a smaller run",
                                    usual_tuning.most_call_bytes >> 20);
    } else {
      events.by_rank.resize(static_cast<std::size_t>(m_network->size()));
      ordering(m_by_worker, events, m_ports).run();
    }
    return events;
  }

  std::vector<kept_events> mutable m_by_worker;  ///< until they are in order
  event_list mutable m_events;
  std::once_flag mutable m_once;
  std::shared_ptr<topology const> m_network;
  ports m_ports;
};

}  // namespace

std::shared_ptr<event_record const> make_event_record(std::vector<kept_events>&& by_worker,
                                                      std::shared_ptr<topology const> network,
                                                      ports each) {
  return std::make_shared<ordered_on_demand>(std::move(by_worker), std::move(network), each);
}

}  // namespace lockstep::detail
