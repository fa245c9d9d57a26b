#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <lockstep/algorithms/prefix/block_prefix.hpp>
#include <lockstep/cluster.hpp>
#include <lockstep/detail/gathered.hpp>

#include "harness/arguments.hpp"

namespace lockstep {

/// Finds the ranks of the processors that this process runs: all, without a cluster.
[[nodiscard]] inline rank_range own_ranks(arguments const& given) {
  int const p = given.processors();
  auto const* const processes = given.request().options.cluster;
  if (processes == nullptr) return {0, p};
  return detail::process_shares(p, processes->processes()).of(processes->process());
}

/// Finds the even blocks of these processors, which lie one after the other, among n values.
[[nodiscard]] inline value_block own_values(arguments const& given, std::size_t n) {
  auto const own = own_ranks(given);
  if (own.size() == 0) return {};
  int const p = given.processors();
  auto const first = even_block(n, p, own.first).first;
  auto const last = even_block(n, p, own.end - 1);
  return {first, last.first + last.count - first};
}

/// Gives each process what all have of their processors, in rank order. All processes call it.
/// Errors: process_lost.
template <detail::gatherable T>
[[nodiscard]] std::vector<T> of_all_ranks(arguments const& given, std::vector<T> own) {
  auto* const processes = given.request().options.cluster;
  return processes == nullptr ? std::move(own) : detail::results_of_all(*processes, own);
}

/// Gives each process the values of all, one of each, in their order. All processes call it.
/// Errors: process_lost.
template <detail::gatherable T>
[[nodiscard]] std::vector<T> of_all_processes(arguments const& given, T own) {
  return of_all_ranks(given, std::vector<T>{std::move(own)});
}

/// Tells whether something holds in all processes. All of them call it. Errors: process_lost.
[[nodiscard]] inline bool holds_in_all(arguments const& given, bool holds_here) {
  return std::ranges::min(of_all_processes(given, holds_here ? 1 : 0)) == 1;
}

/// Values on their way to the processes that look after them, some in a round, so that few are on their way even
/// where all go to one. `take(value)` is called for each that comes; it throws nothing.
/// Errors of its functions: process_lost.
template <detail::flat_value Value, class Take>
class value_exchange {
 public:
  value_exchange(cluster& processes, Take take)
      : m_processes(processes),
        m_take(std::move(take)),
        m_to(static_cast<std::size_t>(processes.processes())),
        m_most(std::max<std::size_t>(1, values_of_a_round / m_to.size())) {}

  void send(int process, Value const& value) {
    detail::pack(m_to[static_cast<std::size_t>(process)], value);
    if (++m_sent == m_most) exchange(false);
  }
  /// Sends the rest, and takes the values of others, until no process has any. All processes call it.
  void finish() {
    while (!exchange(true)) {
    }
  }

 private:
  static constexpr std::size_t values_of_a_round = std::size_t{1} << 20U;  // of all processes

  /// Makes a round, and says whether it was the last of all processes.
  bool exchange(bool is_last) {
    auto const came = m_processes.exchange({is_last ? 1U : 0U}, m_to);
    for (auto& to : m_to) to.clear();
    m_sent = 0;
    for (auto const& from : came.from)
      for (detail::packed_reader left(from); !left.empty();) {
        Value value{};
        left.get(value);
        m_take(value);
      }
    return std::ranges::find(came.figures, 0U) == came.figures.end();
  }

  cluster& m_processes;
  Take m_take;
  std::vector<cluster::bytes> m_to;
  std::size_t m_most;  // that this process sends in a round
  std::size_t m_sent = 0;
};

}  // namespace lockstep
