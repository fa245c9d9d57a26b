#include <lockstep/algorithms/random_access/detail/bucket_plan.hpp>

#include <algorithm>
#include <functional>
#include <source_location>
#include <utility>

#include <lockstep/algorithms/collectives/all_reduce.hpp>
#include <lockstep/algorithms/detail/counting_operator.hpp>
#include <lockstep/algorithms/random_access/detail/network_sums.hpp>
#include <lockstep/algorithms/random_access/vector_combine.hpp>
#include <lockstep/detail/library_frame.hpp>

namespace lockstep::detail {

namespace {

constexpr vector_options few_startups{.method = vector_method::fold};

/// Adds up hits; each addition is an operation.
[[nodiscard]] counting_operator<std::plus<std::uint64_t>> plus_hits(processor& me) {
  return {me, {}};
}

}  // namespace

std::vector<std::uint64_t> total_bucket_hits(processor& me, std::vector<std::uint64_t> const& mine,
                                             std::source_location where) {
  library_frame const frame(me, where);
  me.phase("combine bucket hits");
  auto totals = sums_by_trees(me)
                    ? all_reduce(me, plus_hits(me), mine)
                    : vector_combine(me, plus_hits(me), std::span(mine), few_startups);
  me.show("hits", totals);
  return totals;
}

std::vector<std::uint64_t> bucket_hits_before(processor& me, std::vector<std::uint64_t> const& mine,
                                              std::source_location where) {
  library_frame const frame(me, where);
  me.phase("scan bucket hits");
  auto before = scanned_on_network(me, plus_hits(me), std::span(mine));
  return before ? std::move(*before) : std::vector<std::uint64_t>(mine.size());
}

bucket_hits counted_bucket_hits(processor& me, std::vector<std::uint64_t> const& mine,
                                std::source_location where) {
  library_frame const frame(me, where);
  auto totals = total_bucket_hits(me, mine);
  return {std::move(totals), bucket_hits_before(me, mine)};
}

std::vector<std::uint32_t> elements_to_each(bucket_plan const& plan,
                                            std::span<std::uint64_t const> mine,
                                            std::span<std::uint64_t const> before) {
  auto const& buckets = plan.buckets;
  std::vector<std::uint32_t> to(static_cast<std::size_t>(buckets.layout().processors()));
  for (std::size_t bucket = 0; bucket < mine.size(); ++bucket) {
    if (plan.goes_straight[bucket]) {
      to[static_cast<std::size_t>(buckets.layout().owner_of_bucket(bucket))] +=
          static_cast<std::uint32_t>(mine[bucket]);
      continue;
    }
    auto slot = buckets.first_slot(bucket) + before[bucket];
    auto const last = slot + mine[bucket];
    while (slot < last) {
      auto const rank = buckets.processor_of(slot);
      auto const here = std::min(last, buckets.first_slot_of(rank + 1)) - slot;
      to[static_cast<std::size_t>(rank)] += static_cast<std::uint32_t>(here);
      slot += here;
    }
  }
  return to;
}

bucket_plan plan_for_all(bucket_layout const& layout, std::vector<std::uint64_t> const& hits) {
  std::uint64_t elements = 0;
  for (auto const each : hits) elements += each;
  return {{layout, hits, even_slots(elements, layout.processors())},
          std::vector<bool>(hits.size())};
}

bucket_plan plan_for_dense(bucket_layout const& layout, std::vector<std::uint64_t> const& hits,
                           bool is_levelled) {
  std::vector<std::uint64_t> of_dense(hits.size());
  std::vector<std::uint64_t> straight_to(static_cast<std::size_t>(layout.processors()));
  std::vector<bool> goes_straight(hits.size());
  std::uint64_t elements = 0;
  for (std::size_t bucket = 0; bucket < hits.size(); ++bucket) {
    if (hits[bucket] > layout.size(bucket)) {
      of_dense[bucket] = hits[bucket];
      elements += hits[bucket];
    } else {
      goes_straight[bucket] = true;
      straight_to[static_cast<std::size_t>(layout.owner_of_bucket(bucket))] += hits[bucket];
    }
  }
  auto begins = is_levelled ? levelled_slots(elements, straight_to)
                            : even_slots(elements, layout.processors());
  return {{layout, std::move(of_dense), std::move(begins)}, std::move(goes_straight)};
}

}  // namespace lockstep::detail
