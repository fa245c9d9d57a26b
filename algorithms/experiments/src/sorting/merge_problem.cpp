#include "sorting/merge_problem.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <variant>

#include <fmt/format.h>

#include <lockstep/errors.hpp>

namespace lockstep {

namespace {

/// Generates sorted lists of full sets.
/// Errors: those of `types_from` and `require_file_of_rows`.
[[nodiscard]] sort_input generated_lists(arguments const& given, merge_layout const& layout,
                                         std::size_t k) {
  auto const type = types_from(given, keys_taken::numbers).of_keys.value_or(key_type::int64);
  require_file_of_rows(given);
  auto const size = static_cast<std::ptrdiff_t>(k * layout.sets);
  auto const numbers =
      generated_numbers(given, static_cast<std::size_t>(layout.lists) * k * layout.sets, {10, 99});
  return {with_key_type(type,
                        [&]<class Key>(Key /*of_type*/) -> key_vector {
                          std::vector<Key> keys(numbers.begin(), numbers.end());
                          auto list = keys.begin();
                          for (int i = 0; i < layout.lists; ++i, list += size)
                            std::sort(list, list + size);
                          return keys;
                        }),
          std::nullopt};
}

/// Requires that each list of a file is sorted.
/// Errors: bad_input, which names the first key that is less than the one before it.
void require_sorted(arguments const& given, sorted_lists const& lists) {
  auto const& keys = lists.keys;
  for (int list = 0; list < lists.layout.lists; ++list) {
    auto const [first, count] = even_block(keys.size(), lists.layout.lists, list);
    std::visit(
        [&](auto const& all) {
          auto const begin = all.begin() + static_cast<std::ptrdiff_t>(first);
          auto const end = begin + static_cast<std::ptrdiff_t>(count);
          auto const less = std::is_sorted_until(begin, end);
          if (less == end) return;
          throw bad_input(fmt::format(
              "{} {}, less than the key before it; the file has {} lists of even sizes, one after "
              "the other, and each has to be sorted",
              place_of_key(given, keys_taken::numbers, keys.table,
                           static_cast<std::size_t>(less - all.begin())),
              *less, lists.layout.lists));
        },
        keys.keys);
  }
}

}  // namespace

value_block sorted_lists::elements_of(list_set const& set) const {
  auto const [first, count] = even_block(keys.size(), layout.lists, set.list);
  auto const before = std::min(set.number * k, count);
  return {first + before, std::min(k, count - before)};
}

std::vector<parameter> parameters_of_merge(std::vector<parameter> const& own) {
  std::vector<parameter> all{elements_of_each("elements in each set; more than 1 need all ports")};
  all.insert(all.end(), own.begin(), own.end());
  std::ranges::move(parameters_of_files(keys_taken::numbers), std::back_inserter(all));
  return all;
}

sorted_lists sorted_lists_from(arguments const& given, merge_layout layout, machine_needs of_one) {
  if (!given.request().input) {
    auto const k = instances_from(given, of_one);
    require_ports_for(given, k);
    return {generated_lists(given, layout, k), std::move(layout), k};
  }
  std::size_t k = 0;
  auto keys = keys_from(given, keys_taken::numbers, 0, [&](std::uint64_t read) {
    auto const longest = even_block(read, layout.lists, 0).count;
    k = (longest + layout.sets - 1) / layout.sets;
    of_one.bytes_each *= static_cast<double>(k);
    of_one.held = fmt::format("{} keys in sets of {}", read, k);
    of_one.remedy = "fewer keys";
    return of_one;
  });
  require_ports_for(given, k);
  sorted_lists lists{std::move(keys), std::move(layout), k};
  require_sorted(given, lists);
  return lists;
}

merge_problem::merge_problem(arguments const& given, sorted_lists const& lists)
    : sort_problem(given, lists.keys,
                   {.taken = keys_taken::numbers,
                    .even_blocks = false,
                    .full_block = lists.layout.merged_sets * lists.k}),
      m_given(given),
      m_lists(lists) {}

std::vector<std::vector<sort_element>> merge_problem::part_of(processor const& me) const {
  std::vector<std::vector<sort_element>> sets;
  for (auto const& set : m_lists.layout.sets_of(me.rank())) {
    sets.push_back(m_lists.keys.elements(m_lists.elements_of(set)));
  }
  return sets;
}

traffic_requirement merge_problem::least_traffic(own_blocks merged) const {
  auto const& [lists, sets, merged_sets, sets_of] = m_lists.layout;
  std::vector<int> holders(static_cast<std::size_t>(lists) * sets);
  for (int rank = 0; rank < m_given.processors(); ++rank)
    for (auto const& [list, number] : sets_of(rank))
      holders[static_cast<std::size_t>(list) * sets + number] = rank;
  auto const n = m_lists.keys.size();
  return elements_that_move(m_given, merged, [&](std::uint64_t number) {
    int const list = rank_of_even_block(n, lists, number);
    auto const set = (number - even_block(n, lists, list).first) / m_lists.k;
    return holders[static_cast<std::size_t>(list) * sets + set];
  });
}

void merge_problem::add_size_to(experiment_result& result) const {
  result.figures["elements"] = static_cast<std::int64_t>(m_lists.keys.size());
}

}  // namespace lockstep
