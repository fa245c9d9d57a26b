// What processors did and showed, kept for the observers that want it.

#include <algorithm>
#include <functional>
#include <numeric>
#include <variant>

#include <fmt/format.h>

#include <lockstep/detail/overloaded.hpp>

#include "engine/counting/run_counters.hpp"
#include "engine/tuning.hpp"

namespace lockstep::detail {

namespace {

std::size_t bytes_of(shown_numbers const& numbers) {
  return std::visit([](auto const& list) { return list.size() * sizeof(list.front()); }, numbers);
}

std::size_t bytes_of(shown_value const& value) {
  return std::visit(overloaded{[](shown_number const&) { return std::size_t{0}; },
                               [](shown_numbers const& numbers) { return bytes_of(numbers); },
                               [](shown_matrix const& matrix) { return bytes_of(matrix.numbers); },
                               [](std::string const& text) { return text.size(); },
                               [](auto const& list) { return list.size() * sizeof(list.front()); }},
                    value);
}

static_assert(sizeof(call_record) == 72, "observer.hpp says so");

/// A call that is kept, and what it showed or said.
struct kept_call {
  call_record const* made;
  shown_record const* shown;
  std::string const* said;
};

bool has_text(call_kind kind) { return kind == call_kind::label || kind == call_kind::note; }

/// Whether a call ends only after others have made it, too.
bool needs_others(call_kind kind) {
  switch (kind) {
    case call_kind::barrier:
    case call_kind::phase:
    case call_kind::begin_pipelined:
    case call_kind::end_pipelined:
    case call_kind::one_sided:
      return true;
    default:
      return false;
  }
}

/// Lists the calls of all processors by rank, each one's in the order of its program.
std::vector<kept_call> by_rank(std::vector<worker_counters> const& workers) {
  std::vector<kept_call> all;
  all.reserve(std::transform_reduce(workers.begin(), workers.end(), std::size_t{0}, std::plus<>(),
                                    [](auto const& one) { return one.calls.size(); }));
  for (auto const& one : workers) {
    auto const* next = one.shown.data();
    for (auto const& made : one.calls)
      all.push_back({&made, made.kind == call_kind::show ? next++ : nullptr,
                     has_text(made.kind) ? &one.said[made.words] : nullptr});
  }
  std::ranges::stable_sort(all, {}, [](kept_call const& of) { return of.made->rank; });
  return all;
}

}  // namespace

/// Whether as much more may be kept; if not, none is.
bool run_counters::may_keep(worker_counters& mine, std::size_t bytes) {
  auto const all = m_call_bytes.fetch_add(bytes, std::memory_order_relaxed) + bytes;
  if (all <= usual_tuning.most_call_bytes) return true;
  mine.calls = {};
  mine.shown = {};
  mine.said = {};
  return false;
}

std::size_t run_counters::keep_call(std::size_t worker, call_record const& made) {
  auto& mine = m_by_worker[worker];
  if (!may_keep(mine, sizeof(made))) return not_kept;
  mine.calls.push_back(made);
  return mine.calls.size() - 1;
}

void run_counters::keep_shown(std::size_t worker, shown_record&& shown, call_frame const* frame) {
  auto& mine = m_by_worker[worker];
  auto const bytes =
      sizeof(call_record) + sizeof(shown) + shown.name.size() + bytes_of(shown.value);
  if (!may_keep(mine, bytes)) return;
  mine.shown.push_back(std::move(shown));
  auto const& kept = mine.shown.back();
  try {
    mine.calls.push_back({kept.rank, call_kind::show, -1, kept.step + 1, kept.step + 1, 0, 0,
                          kept.where, nullptr, frame});
  } catch (...) {
    mine.shown.pop_back();
    throw;
  }
}

void run_counters::keep_said(std::size_t worker, call_record made, std::string&& text) {
  auto& mine = m_by_worker[worker];
  constexpr std::size_t bytes_of_text = 100;  // its places in the list and the map
  auto const more = mine.said.has(text) ? 0 : bytes_of_text + text.size();
  if (!may_keep(mine, sizeof(made) + more)) return;
  made.words = mine.said.number_of(std::move(text));
  mine.calls.push_back(made);
}

void run_counters::keep_events() {
  note_all();
  for (auto& one : m_by_worker) one.events.begin(m_event_bytes);
}

std::shared_ptr<event_record const> run_counters::take_events(
    std::shared_ptr<topology const> network, ports each) {
  std::vector<kept_events> by_worker;
  for (auto& one : m_by_worker) by_worker.push_back(std::move(one.events));
  return make_event_record(std::move(by_worker), std::move(network), each);
}

std::string run_counters::calls_left_out() const {
  if (m_observers.empty() && !m_told_at_end.empty())
    return "lacks what processors called and showed, for messages are left out, too";
  if (m_call_bytes.load(std::memory_order_relaxed) <= usual_tuning.most_call_bytes) return {};
  return fmt::format(
      "lacks what processors called and showed: that takes more than {} MiB; observe a smaller run",
      usual_tuning.most_call_bytes >> 20);
}

void run_counters::tell_calls(std::uint64_t last) const {
  if (!calls_left_out().empty()) return;
  // Where others came to the same call after step `last`, whether it ended is chance.
  auto const latest = [last](call_kind kind) { return needs_others(kind) ? last : last + 1; };
  for (auto const& [kept, shown, said] : by_rank(m_by_worker)) {
    if (kept->begin > last) continue;
    auto made = *kept;
    if (said != nullptr) made.words = 0;
    if (last != never && made.end > latest(made.kind)) made.end = 0;
    for (auto* const watching : m_observers) {
      if (!watching->wants_calls()) continue;
      watching->call(made);
      if (shown != nullptr) watching->shown(*shown);
      if (said != nullptr) watching->said(made, *said);
    }
  }
}

void run_counters::tell_end(run_end const& how) const {
  std::exception_ptr thrown = how.failure;
  for (auto* const watching : m_told_at_end) try {
      watching->ended(how);
    } catch (...) {
      if (thrown == nullptr) thrown = std::current_exception();
    }
  if (thrown != nullptr) std::rethrow_exception(thrown);
}

}  // namespace lockstep::detail
