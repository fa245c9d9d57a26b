#include <lockstep/timeline.hpp>

#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <lockstep/detail/enumerator_names.hpp>

#include "machine/columns.hpp"

namespace lockstep {

std::string_view name_of(time_kind what) {
  return detail::shown_name("time_kind", what,
                            {{time_kind::send, "send"},
                             {time_kind::receive, "receive"},
                             {time_kind::work, "work"},
                             {time_kind::idle, "idle"},
                             {time_kind::barrier, "barrier"}});
}

std::string_view name_of(stretch_kind what) {
  return detail::shown_name("stretch_kind", what,
                            {{stretch_kind::send, "send"},
                             {stretch_kind::receive, "receive"},
                             {stretch_kind::work, "work"},
                             {stretch_kind::waiting, "waiting"},
                             {stretch_kind::held, "held"},
                             {stretch_kind::barrier, "barrier"},
                             {stretch_kind::idle, "idle"}});
}

namespace {

/// Whether the later piece goes on with the same: on one processor, with one partner.
[[nodiscard]] bool goes_on(path_piece const& one, path_piece const& later) {
  return one.rank == later.rank && one.what == later.what && one.other == later.other;
}

}  // namespace

double timeline::speedup(std::uint64_t sequential_operations) const {
  auto const sequential = operation * static_cast<double>(sequential_operations);
  detail::check_speedup(model, sequential_operations, sequential, makespan);
  return sequential / makespan;
}

double timeline::efficiency(std::uint64_t sequential_operations) const {
  return speedup(sequential_operations) / static_cast<double>(processors.size());
}

double timeline::utilisation() const {
  if (makespan == 0) return 1;
  double busy = 0;
  for (auto const& one : processors) busy += one.busy();
  return busy / (makespan * static_cast<double>(processors.size()));
}

std::string timeline::path_text() const {
  std::vector<std::vector<std::string>> rows{{"from", "to", "processor", "what", "with"}};
  for (std::size_t at = 0; at < critical_path.size();) {
    auto const& first = critical_path[at];
    auto end = first.end;
    for (++at; at < critical_path.size() && goes_on(first, critical_path[at]); ++at)
      end = critical_path[at].end;
    rows.push_back({fmt::format("{:.10g}", first.begin), fmt::format("{:.10g}", end),
                    fmt::to_string(first.rank), std::string(name_of(first.what)),
                    first.other < 0 ? "" : fmt::to_string(first.other)});
  }
  return detail::in_columns(rows, {false, false, false, true, false});
}

}  // namespace lockstep
