#include <lockstep/algorithms/random_access/detail/access_loads.hpp>

#include <algorithm>
#include <bit>

#include <lockstep/algorithms/collectives/all_reduce.hpp>
#include <lockstep/algorithms/detail/counting_operator.hpp>
#include <lockstep/algorithms/random_access/detail/network_sums.hpp>
#include <lockstep/algorithms/random_access/vector_combine.hpp>
#include <lockstep/detail/checked_counts.hpp>

namespace lockstep::detail {

namespace {

enum class load_kind : std::uint8_t { sum, largest, order };

/// A word of the vector: a number that is added up, the largest of all, or the order of pointers.
struct load_word {
  std::uint64_t value = 0;
  load_kind kind = load_kind::sum;
  pointer_order order{};
};

[[nodiscard]] pointer_order joined(pointer_order const& lower, pointer_order const& higher) {
  if (!lower.is_there) return higher;
  if (!higher.is_there) return lower;
  bool const is_kept = lower.is_kept && higher.is_kept && lower.last <= higher.first;
  return {lower.first, higher.last, true, is_kept};
}

[[nodiscard]] load_word combined_loads(load_word const& a, load_word const& b) {
  switch (a.kind) {
    case load_kind::largest:
      return {std::max(a.value, b.value), a.kind};
    case load_kind::order:
      return {0, a.kind, joined(a.order, b.order)};
    default:
      return {a.value + b.value};
  }
}

/// Elements that go by way of all processors: the most that one sends, and that one receives.
[[nodiscard]] vector_counts both_stages(std::uint64_t sent, std::uint64_t received,
                                        std::uint64_t p) {
  return {2 * (p - 1), sent - detail::quotient_up(sent, p) + (p - 1) * (received / p + p - 1)};
}

/// The elements that an access by buckets sends in stage 1.
struct bucket_loads {
  std::uint64_t sent = 0;      ///< the most of one processor
  std::uint64_t received = 0;  ///< the most for one processor
  std::uint64_t slots = 0;     ///< the most of one processor
};

/// The parts of the price of a random access write by buckets.
class price_of_buckets {
 public:
  price_of_buckets(access_choice choice, bucket_loads const& loads, bucket_layout const& layout,
                   random_access_options const& options)
      : m_layout(layout),
        m_p(static_cast<std::uint64_t>(layout.processors())),
        m_price{.choice = choice} {
    add(vectors(layout.buckets()));
    add(vectors(layout.buckets()));
    add_stage_1(loads, options.stage_1);
    add(vectors(layout.bucket_size()));
    add({1, layout.bucket_size()});
    add_stage_2(loads.slots + layout.bucket_size(), options.stage_2);
  }

  [[nodiscard]] access_price const& price() const { return m_price; }

 private:
  [[nodiscard]] vector_counts vectors(std::size_t words) const {
    return vector_counts_of(vector_method::fold, m_layout.processors(), words, 2);
  }

  void add(vector_counts const& part) {
    m_price.startups += part.startups;
    m_price.words += part.words;
  }

  void add_stage_1(bucket_loads const& loads, transportation_route route) {
    if (route == transportation_route::two_stages)
      return add(both_stages(loads.sent, loads.received, m_p));
    add({m_p - 1, (m_p - 1) * std::min(loads.sent, loads.received)});
  }

  /// `cells`: the most that one processor sends; an owner receives a block at most.
  void add_stage_2(std::uint64_t cells, bucket_route route) {
    if (route == bucket_route::transportation)
      return add(both_stages(cells, m_layout.block_size(), m_p));
    add({m_p - 1, std::max<std::uint64_t>(cells, m_layout.block_size())});
  }

  bucket_layout const& m_layout;
  std::uint64_t m_p;
  access_price m_price;
};

/// Prices a monotonic write: four scans, an all-gather, and one element for each address.
[[nodiscard]] access_price price_in_order(access_loads const& loads, bucket_layout const& layout) {
  auto const others = static_cast<std::uint64_t>(layout.processors()) - 1;
  auto const d = static_cast<std::uint64_t>(std::bit_width(others));
  auto const received = std::min<std::uint64_t>(loads.leaving, layout.block_size());
  return {access_choice::monotonic, others + 5 * d,
          4 * d + 2 * others + std::max(loads.most_leaving, received)};
}

/// Slots are as many on each processor.
[[nodiscard]] bucket_loads loads_of_all(access_loads const& loads, std::uint64_t p) {
  auto const slots = detail::quotient_up(loads.elements, p);
  return {loads.most_sent, slots, slots};
}

/// Slots fill processors up to the elements that go straight, which are a block at most.
[[nodiscard]] bucket_loads loads_of_dense(access_loads const& loads, bucket_layout const& layout) {
  auto const slots =
      detail::quotient_up(loads.leaving, static_cast<std::uint64_t>(layout.processors()));
  auto const straight = std::min<std::uint64_t>(loads.most_received, layout.block_size());
  return {loads.most_leaving, std::max(slots, straight), slots};
}

}  // namespace

access_loads counted_loads(processor& me, std::span<std::uint64_t const> to_each,
                           pointer_order const& order, bool is_limited) {
  auto const own = static_cast<std::size_t>(me.rank());
  std::vector<load_word> mine;
  std::uint64_t sent = 0;
  load_word largest{0, load_kind::largest};
  for (std::size_t to = 0; to < to_each.size(); ++to) {
    mine.push_back({to_each[to]});
    sent += to_each[to];
    if (to != own) largest.value = std::max(largest.value, to_each[to]);
  }
  auto const leaving = sent - to_each[own];
  mine.insert(mine.end(), {{leaving}, largest});
  if (!is_limited)
    mine.insert(
        mine.end(),
        {{sent, load_kind::largest}, {leaving, load_kind::largest}, {0, load_kind::order, order}});
  me.phase("choice");
  me.work(to_each.size());
  counting_operator const combined(me, &combined_loads);
  auto const all = sums_by_trees(me)
                       ? all_reduce(me, combined, mine)
                       : vector_combine(me, combined, std::span<load_word const>(mine),
                                        {.method = vector_method::fold});
  auto const others = std::span(all).subspan(to_each.size());
  access_loads loads{.leaving = others[0].value, .largest_message = others[1].value};
  if (!is_limited) {
    loads.most_sent = others[2].value;
    loads.most_leaving = others[3].value;
    loads.is_in_order = others[4].order.is_kept;
  }
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
  if (loads.largest_message <= 2 * detail::quotient_up(layout.block_size(), p))
    return access_choice::complete_exchange;
  return access_choice::transportation;
}

std::vector<access_price> prices_for(access_loads const& loads, bucket_layout const& layout,
                                     bool commutes, random_access_options const& options) {
  if (loads.leaving == 0) return {{access_choice::local, 0, 0}};
  auto const p = static_cast<std::uint64_t>(layout.processors());
  auto const by_way_of_all = both_stages(loads.most_sent, loads.most_received, p);
  std::vector<access_price> prices{
      {access_choice::complete_exchange, p - 1, (p - 1) * loads.largest_message},
      {access_choice::transportation, by_way_of_all.startups, by_way_of_all.words},
      price_of_buckets(access_choice::arbitrary, loads_of_all(loads, p), layout, options).price()};
  if (commutes)
    prices.push_back(
        price_of_buckets(access_choice::hybrid, loads_of_dense(loads, layout), layout, options)
            .price());
  if (loads.is_in_order) prices.push_back(price_in_order(loads, layout));
  std::ranges::stable_sort(
      prices, {}, [&](access_price const& price) { return price.in_words(options.startup_words); });
  return prices;
}

}  // namespace lockstep::detail
