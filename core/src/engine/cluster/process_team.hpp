#pragma once

#include <bit>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <set>
#include <source_location>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <lockstep/cluster.hpp>

#include "engine/call_place.hpp"
#include "engine/cluster/shared_addresses.hpp"
#include "engine/cluster/wire.hpp"
#include "engine/messages/message.hpp"
#include "engine/scheduling/group.hpp"

namespace lockstep::detail {

/// The subjects that all processes speak about, one at a time.
enum class topic : std::uint32_t {
  run = 0x6c6f'0001,  ///< which machine begins to run
  arrivals,           ///< which processors have come to barriers
  calls,              ///< by which call they all have
  states,             ///< where all processors are
  routes,             ///< what of the counters is needed
  counters,
  link_loads,
  link_conflicts,
  link_words,
  sends,  ///< that met on a link
  labels,
  work,
  sums,
  open_step,
  decisions,
  order,
  mail,
  served,
  summary,
  messages_left,
  failures,
  agreement
};

/// The processes that run one machine together, for the time of a run. All of them call its functions in
/// the same order, which what they have in common decides.
class process_team {
 public:
  explicit process_team(cluster& processes);

  [[nodiscard]] int processes() const { return m_cluster.processes(); }
  [[nodiscard]] int process() const { return m_cluster.process(); }

  /// Gives each process what all say, in their order. Errors: process_lost.
  [[nodiscard]] std::vector<cluster::bytes> gather(topic about, byte_writer&& own);
  /// The same, and calls take(process, what it said) for each of the others. Errors: process_lost.
  template <class Take>
  void tell_others(topic about, byte_writer&& own, Take const& take) {
    auto const all = gather(about, std::move(own));
    for (int other = 0; other < processes(); ++other) {
      if (other == process()) continue;
      auto from = read(about, all[static_cast<std::size_t>(other)]);
      take(other, from);
    }
  }
  /// The beginning of what one of them said.
  [[nodiscard]] static byte_reader read(topic about, cluster::bytes const& said);
  /// Sends messages. Errors: process_lost.
  [[nodiscard]] cluster::round exchange(std::vector<std::uint64_t> const& figures,
                                        std::vector<cluster::bytes> const& to);
  /// Sends each process its own batch, and nothing else. Result: those from each.
  /// Errors: process_lost.
  [[nodiscard]] std::vector<cluster::bytes> deal(topic about, std::vector<byte_writer>& to);
  /// Shares work: fill(to) writes what each process is to look at, and find(came) gives what this one has
  /// found in that which came from each. Result: what all have found, in their order. Where either throws in
  /// any process, the error of the first is thrown in all. Errors: those of both; process_lost.
  template <class Value, class Fill, class Find>
  [[nodiscard]] std::vector<Value> share(topic about, Fill const& fill, Find const& find);
  /// Adds up the numbers of all processes, place by place.
  [[nodiscard]] std::vector<std::uint64_t> sum(std::vector<std::uint64_t> const& own);
  /// Finds the least number of all.
  [[nodiscard]] std::uint64_t least(std::uint64_t own);
  /// Whether it is true in any process.
  [[nodiscard]] bool any(bool own) { return least(own ? 0 : 1) == 0; }
  /// Makes all processes sure that they begin the same run, and tells them where each has its files.
  void begin(std::string const& machine);

  // Source lines, element types and groups, each told once to each process.

  void put_place(byte_writer& to, call_place where);
  [[nodiscard]] call_place get_place(int process, byte_reader& from);
  void put_line(byte_writer& to, std::source_location line) const {
    to.put(m_addresses.to_wire(std::bit_cast<std::uintptr_t>(line)));
  }
  [[nodiscard]] std::source_location get_line(int process, byte_reader& from) const {
    return std::bit_cast<std::source_location>(
        m_addresses.from_wire(process, from.get<wire_address>()));
  }
  void put_type(byte_writer& to, payload_type const* type) const {
    to.put(m_addresses.to_wire(reinterpret_cast<std::uintptr_t>(type)));
  }
  [[nodiscard]] payload_type const* get_type(int process, byte_reader& from) const {
    return reinterpret_cast<payload_type const*>(
        m_addresses.from_wire(process, from.get<wire_address>()));
  }

  /// A message without its elements, as in a batch.
  struct envelope_on_wire {
    std::uint64_t stamp;
    std::uint64_t path;  ///< of work
    std::uint32_t count;
    std::uint32_t hops;
    std::int32_t from;
    std::int32_t to;
    std::uint32_t place;
    std::uint16_t type;
    std::uint8_t pass;
    way_taken way;
  };
  static_assert(sizeof(envelope_on_wire) == 40);

  /// Numbers a place or a type for batches.
  [[nodiscard]] std::uint32_t number_of(call_place where);
  [[nodiscard]] std::uint16_t number_of(payload_type const* type);
  /// Writes the definitions that a process was not told yet.
  void put_definitions(int to, byte_writer& batch);
  void get_definitions(int from, byte_reader& batch);
  [[nodiscard]] call_place place(int from, std::uint32_t number) const {
    return m_known[static_cast<std::size_t>(from)].places.at(number);
  }
  [[nodiscard]] payload_type const* type(int from, std::uint16_t number) const {
    return m_known[static_cast<std::size_t>(from)].types.at(number);
  }

  /// Numbers a group; `is_new`: its members were not told yet. All know those told in `gather`.
  struct group_number {
    std::uint32_t number;
    bool is_new;
  };
  [[nodiscard]] group_number number_of(group const& of);
  [[nodiscard]] std::vector<group*>& groups_of(int process) {
    return m_known[static_cast<std::size_t>(process)].groups;
  }
  /// Keeps a text for the time of the run.
  [[nodiscard]] std::string_view keep(std::string&& text) {
    return *m_texts.insert(std::move(text)).first;
  }
  [[nodiscard]] std::span<int const> keep(std::vector<int>&& ranks) {
    return m_ranks.emplace_back(std::move(ranks));
  }

  // Errors of a run.

  void put_failure(byte_writer& to, std::exception_ptr const& failure) const;
  [[nodiscard]] std::exception_ptr get_failure(int process, byte_reader& from) const;

 private:
  struct told_so_far {
    std::size_t places = 0;
    std::size_t types = 0;
  };
  struct known_names {
    std::vector<call_place> places;
    std::vector<payload_type const*> types;
    std::vector<group*> groups;
  };

  void put_incident(byte_writer& to, error const& of) const;
  [[nodiscard]] incident get_incident(int process, byte_reader& from) const;

  cluster& m_cluster;
  bool m_lost = false;
  shared_addresses m_addresses;
  places_inside m_places;

  std::unordered_map<std::uintptr_t, std::uint32_t> m_place_numbers;
  std::vector<call_place> m_places_told;
  std::uintptr_t m_last_place = 0;
  std::uint32_t m_last_place_number = 0;
  std::unordered_map<payload_type const*, std::uint16_t> m_type_numbers;
  std::vector<payload_type const*> m_types_told;
  payload_type const* m_last_type = nullptr;
  std::uint16_t m_last_type_number = 0;
  std::unordered_map<group const*, std::uint32_t> m_group_numbers;
  std::set<std::string, std::less<>> m_texts;
  std::deque<std::vector<int>> m_ranks;
  std::vector<told_so_far> m_told;   ///< by process
  std::vector<known_names> m_known;  ///< by process
};

template <class Value, class Fill, class Find>
std::vector<Value> process_team::share(topic about, Fill const& fill, Find const& find) {
  auto const in_turn = static_cast<std::size_t>(processes());
  std::exception_ptr thrown;
  std::vector<byte_writer> to(in_turn);
  try {
    fill(to);
  } catch (...) {
    thrown = std::current_exception();
    to = std::vector<byte_writer>(in_turn);
  }
  byte_writer mine;
  try {
    auto const came = deal(about, to);
    if (thrown != nullptr) std::rethrow_exception(thrown);
    std::vector<Value> const found = find(came);
    mine.put(false);
    mine.put_all(std::span<Value const>(found));
  } catch (process_lost const&) {
    throw;
  } catch (...) {
    thrown = std::current_exception();
    mine = {};
    mine.put(true);
    put_failure(mine, thrown);
  }
  auto const said = gather(about, std::move(mine));
  std::vector<Value> all;
  for (int other = 0; other < processes(); ++other) {
    auto from = read(about, said[static_cast<std::size_t>(other)]);
    if (from.get<bool>())
      std::rethrow_exception(other == process() ? thrown : get_failure(other, from));
    auto const found = from.get_all<Value>();
    all.insert(all.end(), found.begin(), found.end());
  }
  return all;
}

/// Tells all processes before a run that this one can run the machine, or why it cannot. All of them call it.
/// Errors: `refusal`; process_lost where another process refuses.
void agree_to_run(cluster& processes, std::exception_ptr const& refusal);

}  // namespace lockstep::detail
