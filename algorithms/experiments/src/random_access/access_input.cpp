#include "random_access/access_input.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include <fmt/format.h>

#include <lockstep/topologies/crossbar.hpp>
#include <lockstep/topologies/hypercube.hpp>

#include "in_quotes.hpp"
#include "network_kind.hpp"

namespace lockstep {

namespace {

/// Errors: invalid_argument.
[[nodiscard]] std::size_t buckets_from(std::string const& text, std::size_t n, int processors) {
  if (text.empty() || text == "auto") return best_buckets_each(n, processors);
  std::size_t k = 0;
  auto const* const end = text.data() + text.size();
  auto const read = std::from_chars(text.data(), end, k);
  if (read.ec != std::errc() || read.ptr != end)
    throw invalid_argument(fmt::format(
        "k: {} is not a number of buckets; take 1 to ceil(n/p), or auto", in_quotes(text, "'")));
  return k;
}

/// Counts the copies of an element under way, in those of a crossbar: elsewhere stage 2 is another
/// transportation, and along lines elements know where they come from and go.
[[nodiscard]] double copies_on(topology const& network) {
  if (is<crossbar>(network)) return 1;
  return is<hypercube>(network) ? 2.2 : 3.6;
}

/// Lays out n addresses, to which `elements` go.
[[nodiscard]] bucket_layout required_layout(arguments const& given, std::size_t n,
                                            std::size_t elements, double bytes_of_element) {
  require_rounds_of_all(given);
  auto const most = std::max(n, elements);
  auto const of_each = bytes_of_element * copies_on(given.network()) * static_cast<double>(most);
  require_memory(given, {.bytes_each = of_each / given.processors(),
                         .held = fmt::format("{} elements on their way", most),
                         .remedy = "a smaller n"});
  return layout_from(given, n);
}

/// Lays out the addresses of a pattern.
[[nodiscard]] bucket_layout layout_of(arguments const& given, access_pattern pattern,
                                      double bytes_of_element) {
  auto const asked = given[number_of_elements];
  auto const n = elements_of(pattern, asked);
  if (n != asked && std::cmp_not_equal(asked, number_of_elements.fallback))
    throw invalid_argument(fmt::format("pattern {} has n = {} elements, not {}; leave out n",
                                       name_of(pattern), n, asked));
  return required_layout(given, n, n, bytes_of_element);
}

}  // namespace

bucket_layout layout_from(arguments const& given, std::size_t n) {
  auto const p = given.processors();
  return {n, p, buckets_from(given[number_of_buckets], n, p)};
}

access_input::access_input(arguments const& given, access_pattern made, double bytes_of_element)
    : layout(layout_of(given, made, bytes_of_element)),
      pointers(
          generated_pointers(made, layout, given.seed(), static_cast<int>(given[lost_pointers]))),
      elements(layout) {}

access_input::access_input(arguments const& given, std::vector<std::size_t> of_elements,
                           std::size_t n, double bytes_of_element)
    : layout(required_layout(given, n, of_elements.size(), bytes_of_element)),
      pointers(std::move(of_elements)),
      elements(pointers.size(), given.processors()) {}

std::int64_t most_sent(access_input const& input, bool without_own) {
  std::int64_t most = 0;
  for (int rank = 0; rank < input.layout.processors(); ++rank) {
    auto const goes = [&](std::size_t address) {
      return address != no_pointer && !(without_own && input.layout.owner(address) == rank);
    };
    most = std::max<std::int64_t>(most, std::ranges::count_if(input.of(rank), goes));
  }
  return most;
}

void require_memory_of_buckets(arguments const& given, bucket_layout const& layout) {
  constexpr double bytes_of_bucket = 160;
  require_memory(given, {.bytes_each = bytes_of_bucket * static_cast<double>(layout.buckets()),
                         .held = fmt::format("the hits of {} buckets", layout.buckets()),
                         .remedy = "a smaller k"});
}

void record_layout(experiment_result& result, bucket_layout const& layout) {
  result.parameters["n"] = static_cast<std::int64_t>(layout.elements());
  if (result.parameters.contains("k"))
    result.parameters["k"] = static_cast<std::int64_t>(layout.buckets_each());
}

}  // namespace lockstep
