#include <lockstep/algorithms/random_access/monotone_sends.hpp>

#include <functional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <lockstep/algorithms/collectives/all_gather.hpp>
#include <lockstep/algorithms/detail/counting_operator.hpp>
#include <lockstep/algorithms/random_access/detail/last_run.hpp>
#include <lockstep/algorithms/random_access/detail/latest_operator.hpp>
#include <lockstep/algorithms/random_access/detail/sends_by_owner.hpp>
#include <lockstep/algorithms/random_access/item_scan.hpp>
#include <lockstep/errors.hpp>

namespace lockstep::detail {

void require_increasing(processor const& me, std::span<int const> destinations) {
  int last = -1;
  for (auto const to : destinations) {
    if (to < 0 || to >= me.size())
      throw invalid_argument(
          fmt::format("processor {} has a message to processor {}; there are processors 0 to {}",
                      me.rank(), to, me.size() - 1));
    if (to <= last)
      throw invalid_argument(fmt::format(
          "processor {} has a message to processor {} behind one to {}; give one message for each "
          "destination, in the order of ranks",
          me.rank(), to, last));
    last = to;
  }
}

void require_not_below(processor const& me, int last_before, std::span<int const> destinations) {
  if (destinations.empty() || destinations.front() >= last_before) return;
  throw invalid_argument(fmt::format(
      "processor {} sends to processor {}, and one of a lower rank to {}: destinations have to be "
      "non-decreasing over the ranks of their senders",
      me.rank(), destinations.front(), last_before));
}

void require_scheduled(processor const& me, std::span<int const> destinations,
                       monotone_schedule const& schedule) {
  std::vector<int> given(destinations.begin(), destinations.end());
  std::ranges::sort(given);
  std::vector<int> scheduled;
  for (auto const& each : schedule.messages())
    if (each.from == me.rank()) scheduled.push_back(each.to);
  std::ranges::sort(scheduled);
  if (given == scheduled) return;
  throw invalid_argument(
      fmt::format("processor {} has messages to [{}], and the schedule has some from it to [{}]; "
                  "give one, which may be empty, for each of these",
                  me.rank(), fmt::join(given, ", "), fmt::join(scheduled, ", ")));
}

place_in_segments place_by_scans(processor& me, std::span<int const> destinations) {
  using messages_to = last_run<std::uint64_t>;
  messages_to own;
  extended<int> first;
  if (!destinations.empty()) {
    own = {.key = static_cast<std::size_t>(destinations.back()),
           .value = destinations.back() == me.rank() ? 0U : 1U,
           .is_only_key = destinations.size() == 1,
           .is_there = true};
    first = destinations.front();
  }
  auto const before =
      item_scan(me, counted_in(me, of_last_runs<std::uint64_t>(std::plus<>{})), own);
  auto const next = item_scan(me, counted_in(me, with_identity<int>(copy_operator<int>{})), first,
                              prefix_kind::backward_exclusive);
  if (destinations.empty()) return {};
  if (before.is_there) require_not_below(me, static_cast<int>(before.key), destinations);
  bool const began_before = before.is_there && static_cast<int>(before.key) == destinations.front();
  return {.first_began_before = began_before,
          .last_goes_on = next.is_there && next.value == destinations.back(),
          .messages_before = began_before ? before.value : 0};
}

std::vector<destination_range> destinations_of_all(processor& me,
                                                   std::span<int const> destinations) {
  auto const own = destinations.empty()
                       ? destination_range{}
                       : destination_range{destinations.front(), destinations.back()};
  return all_gather(me, own, {.k = 2});
}

void require_rising_over_ranks(processor& me, std::span<int const> destinations) {
  extended<int> last;
  if (!destinations.empty()) last = destinations.back();
  auto const before =
      item_scan(me, counted_in(me, with_identity<int>(latest_operator<int>{})), last);
  if (before.is_there) require_not_below(me, before.value, destinations);
}

std::vector<int> possible_senders(int rank, std::span<destination_range const> of_all) {
  std::vector<int> senders;
  for (int from = 0; auto const& range : of_all) {
    bool const might_send = !range.is_empty() && range.first <= rank && rank <= range.last;
    if (might_send && from != rank) senders.push_back(from);
    ++from;
  }
  return senders;
}

std::vector<int> skipped_destinations(int rank, std::span<int const> destinations) {
  std::vector<int> skipped;
  for (std::size_t i = 1; i < destinations.size(); ++i)
    for (int between = destinations[i - 1] + 1; between < destinations[i]; ++between)
      if (between != rank) skipped.push_back(between);
  return skipped;
}

}  // namespace lockstep::detail
