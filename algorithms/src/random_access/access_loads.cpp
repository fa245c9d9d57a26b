#include <lockstep/algorithms/random_access/detail/access_loads.hpp>

#include <algorithm>
#include <bit>

#include <lockstep/algorithms/random_access/vector_combine.hpp>

namespace lockstep::detail {

namespace {

/// A number of the vector: the largest message, or one that is added up.
struct load_word {
  std::uint64_t value = 0;
  bool is_largest = false;
};

[[nodiscard]] load_word added_or_largest(load_word const& a, load_word const& b) {
  if (a.is_largest) return {std::max(a.value, b.value), true};
  return {a.value + b.value};
}

[[nodiscard]] std::uint64_t ceiling_of(std::uint64_t a, std::uint64_t b) { return (a + b - 1) / b; }

/// The parts of the price of a random access write by buckets.
struct bucket_prices {
  explicit bucket_prices(bucket_layout const& of)
      : layout(of), p(static_cast<std::uint64_t>(of.processors())) {}

  [[nodiscard]] vector_counts vectors(std::size_t words) const {
    return vector_counts_of(vector_method::fold, layout.processors(), words, 2);
  }

  /// Adds up all parts. `elements`: those that go through stage 1.
  [[nodiscard]] access_price price(access_choice choice, std::uint64_t elements) const {
    auto const hits = vectors(layout.buckets());
    auto const cells = vectors(layout.bucket_size());
    auto const slots = ceiling_of(elements, p);
    auto const stage_1 = 2 * slots + (p - 1) * (p - 1);
    auto const stage_2 = slots + layout.bucket_size();
    return {choice, 2 * hits.startups + 3 * (p - 1) + cells.startups + 1,
            2 * hits.words + stage_1 + cells.words + layout.bucket_size() + stage_2};
  }

  bucket_layout const& layout;
  std::uint64_t p;
};

}  // namespace

access_loads counted_loads(processor& me, std::span<std::uint64_t const> to_each) {
  auto const own = static_cast<std::size_t>(me.rank());
  std::vector<load_word> mine;
  load_word leaving;
  load_word largest{0, true};
  for (std::size_t to = 0; to < to_each.size(); ++to) {
    mine.push_back({to_each[to]});
    if (to == own) continue;
    leaving.value += to_each[to];
    largest.value = std::max(largest.value, to_each[to]);
  }
  mine.push_back(leaving);
  mine.push_back(largest);
  me.phase("choice");
  auto const all = vector_combine(me, added_or_largest, std::span<load_word const>(mine),
                                  {.method = vector_method::fold});
  access_loads loads{.leaving = all[to_each.size()].value,
                     .largest_message = all[to_each.size() + 1].value};
  for (auto const& column : std::span(all).first(to_each.size())) {
    loads.elements += column.value;
    loads.most_received = std::max(loads.most_received, column.value);
  }
  return loads;
}

access_choice choice_for(access_loads const& loads, bucket_layout const& layout) {
  auto const p = static_cast<std::uint64_t>(layout.processors());
  if (loads.leaving == 0) return access_choice::local;
  if (loads.most_received > layout.block_size()) return access_choice::arbitrary;
  if (loads.largest_message <= 2 * ceiling_of(layout.block_size(), p))
    return access_choice::complete_exchange;
  return access_choice::transportation;
}

std::vector<access_price> prices_for(access_loads const& loads, bucket_layout const& layout,
                                     bool commutes, std::uint64_t startup_words) {
  if (loads.leaving == 0) return {{access_choice::local, 0, 0}};
  bucket_prices const by_buckets(layout);
  auto const others = by_buckets.p - 1;
  std::vector<access_price> prices{
      {access_choice::complete_exchange, others, others * loads.largest_message},
      {access_choice::transportation, 2 * others,
       layout.block_size() + others * (loads.most_received / by_buckets.p + others)},
      by_buckets.price(access_choice::arbitrary, loads.elements)};
  if (commutes) prices.push_back(by_buckets.price(access_choice::hybrid, loads.leaving));
  std::ranges::stable_sort(
      prices, {}, [&](access_price const& price) { return price.in_words(startup_words); });
  return prices;
}

}  // namespace lockstep::detail
