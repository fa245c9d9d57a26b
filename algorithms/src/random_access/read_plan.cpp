#include <lockstep/algorithms/random_access/detail/read_plan.hpp>

#include <algorithm>
#include <array>
#include <source_location>
#include <utility>

#include <lockstep/algorithms/random_access/vector_options.hpp>
#include <lockstep/detail/library_frame.hpp>

namespace lockstep::detail {

namespace {

/// Stretches buckets to the number of their addresses at least.
[[nodiscard]] bucket_plan plan_for_whole_buckets(bucket_layout const& layout,
                                                 std::vector<std::uint64_t> const& hits) {
  std::vector<std::uint64_t> extents(hits.size());
  std::uint64_t slots = 0;
  for (std::size_t bucket = 0; bucket < hits.size(); ++bucket) {
    if (hits[bucket] == 0) continue;
    extents[bucket] = std::max<std::uint64_t>(hits[bucket], layout.size(bucket));
    slots += extents[bucket];
  }
  return {{layout, hits, even_slots(slots, layout.processors()), extents},
          std::vector<bool>(hits.size())};
}

/// The parts of the price of a read.
class price_of_read {
 public:
  price_of_read(read_variant variant, bucket_layout const& layout,
                std::vector<std::uint64_t> const& hits, random_access_read_options const& options)
      : m_layout(layout),
        m_plan(plan_for_read(variant, layout, hits)),
        m_words(options.elements_each),
        m_price{.variant = variant} {
    add(vectors(layout.buckets()), 2);
    add_stage_1(hits, options.stage_1);
    add_partial_buckets();
    add_stage_2();
  }

  [[nodiscard]] read_price const& price() const { return m_price; }

 private:
  [[nodiscard]] vector_counts vectors(std::size_t words) const {
    return vector_counts_of(vector_method::fold, m_layout.processors(), words, 2);
  }

  void add(vector_counts const& part, std::uint64_t times = 1) {
    m_price.startups += times * part.startups;
    m_price.words += times * part.words;
  }

  [[nodiscard]] bool asks() const { return m_price.variant == read_variant::requested; }

  /// There with addresses, back with values.
  void add_stage_1(std::vector<std::uint64_t> const& hits, transportation_route route) {
    auto const p = static_cast<std::uint64_t>(m_layout.processors());
    std::vector<std::uint64_t> received(p);
    for (int rank = 0; rank < m_layout.processors(); ++rank)
      received[static_cast<std::size_t>(rank)] = m_plan.buckets.slots_of(rank);
    for (std::size_t bucket = 0; bucket < hits.size(); ++bucket)
      if (m_plan.goes_straight[bucket])
        received[static_cast<std::size_t>(m_layout.owner_of_bucket(bucket))] += hits[bucket];
    auto const most = std::ranges::max(received);
    auto const through = m_layout.block_size() + (p - 1) * (most / p + p - 1);
    bool const is_direct = route == transportation_route::direct;
    vector_counts const one_way{(is_direct ? 1 : 2) * (p - 1), is_direct ? p * most : through};
    add(one_way);
    add({one_way.startups, m_words * one_way.words});
  }

  void add_partial_buckets() {
    if (!m_plan.buckets.any_partial()) return;
    auto const cells = m_layout.bucket_size();
    std::uint64_t const rounds = m_plan.buckets.any_has_both() ? 1 : 0;
    add(vectors(cells * m_words));
    add({rounds, rounds * cells * m_words});
    if (!asks()) return;
    add(vectors(cells));
    add({rounds, rounds * cells});
  }

  void add_stage_2() {
    auto const p = static_cast<std::size_t>(m_layout.processors());
    std::vector<std::uint64_t> in(p);
    std::vector<std::uint64_t> out(p);
    for (std::size_t bucket = 0; bucket < m_layout.buckets(); ++bucket) {
      if (m_plan.buckets.hits(bucket) == 0) continue;
      auto const rows = rows_of_bucket(m_price.variant, m_plan.buckets, bucket);
      in[static_cast<std::size_t>(m_plan.buckets.first(bucket))] += rows;
      out[static_cast<std::size_t>(m_layout.owner_of_bucket(bucket))] += rows;
    }
    auto const rows = std::max(std::ranges::max(in), std::ranges::max(out));
    auto const q = m_plan.buckets.messages().steps();
    add({q, m_words * rows});
    if (asks()) add({q, rows});
  }

  bucket_layout const& m_layout;
  bucket_plan m_plan;
  std::uint64_t m_words;
  read_price m_price;
};

}  // namespace

bucket_plan plan_for_read(read_variant variant, bucket_layout const& layout,
                          std::vector<std::uint64_t> const& hits) {
  if (variant == read_variant::weighted) return plan_for_whole_buckets(layout, hits);
  if (variant == read_variant::hybrid) return plan_for_dense(layout, hits, true);
  return plan_for_all(layout, hits);
}

std::size_t rows_of_bucket(read_variant variant, stretched_buckets const& buckets,
                           std::size_t bucket) {
  if (variant == read_variant::requested && buckets.is_sparse(bucket))
    return static_cast<std::size_t>(buckets.hits(bucket));
  return buckets.layout().size(bucket);
}

std::vector<read_price> read_prices(bucket_layout const& layout,
                                    std::vector<std::uint64_t> const& hits,
                                    std::vector<std::uint64_t> const& leaving,
                                    random_access_read_options const& options) {
  std::vector<read_price> prices;
  for (auto const variant : {read_variant::hybrid, read_variant::requested,
                             read_variant::whole_buckets, read_variant::weighted})
    prices.push_back(
        price_of_read(variant, layout, variant == read_variant::hybrid ? leaving : hits, options)
            .price());
  std::ranges::stable_sort(
      prices, {}, [&](read_price const& price) { return price.in_words(options.startup_words); });
  return prices;
}

bool is_answered_here(read_variant variant, bucket_layout const& layout, int rank,
                      std::size_t address) {
  return variant == read_variant::hybrid && layout.owner(address) == rank;
}

counted_read counted_requests(processor& me, bucket_layout const& layout,
                              std::span<std::size_t const> pointers,
                              random_access_read_options const& options,
                              std::source_location where) {
  library_frame const frame(me, where);
  auto const add_hits = [&](std::vector<std::uint64_t>& hits, read_variant variant) {
    auto const first = hits.size();
    hits.resize(first + layout.buckets());
    for (auto const pointer : pointers)
      if (pointer != no_pointer && !is_answered_here(variant, layout, me.rank(), pointer))
        ++hits[first + layout.bucket(pointer)];
    me.work(pointers.size());
  };
  std::vector<std::uint64_t> mine;
  if (options.variant != read_variant::automatic) {
    add_hits(mine, options.variant);
    return {{.variant = options.variant}, total_bucket_hits(me, mine)};
  }
  add_hits(mine, read_variant::requested);
  add_hits(mine, read_variant::hybrid);
  auto const both = total_bucket_hits(me, mine);
  auto const middle = both.begin() + static_cast<std::ptrdiff_t>(layout.buckets());
  std::vector<std::uint64_t> const all(both.begin(), middle);
  std::vector<std::uint64_t> const leaving(middle, both.end());
  random_access_read_record record{.prices = read_prices(layout, all, leaving, options)};
  record.variant = record.prices.front().variant;
  return {record, record.variant == read_variant::hybrid ? leaving : all};
}

}  // namespace lockstep::detail
