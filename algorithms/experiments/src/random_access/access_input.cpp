#include "random_access/access_input.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include <fmt/format.h>

#include "in_quotes.hpp"

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

[[nodiscard]] bucket_layout required_layout(arguments const& given, access_pattern pattern,
                                            double bytes_of_element) {
  require_crossbar(given);
  auto const asked = given[number_of_elements];
  auto const n = elements_of(pattern, asked);
  if (n != asked && std::cmp_not_equal(asked, number_of_elements.fallback))
    throw invalid_argument(fmt::format("pattern {} has n = {} elements, not {}; leave out n",
                                       name_of(pattern), n, asked));
  require_memory(given,
                 {.bytes_each = bytes_of_element * static_cast<double>(n) / given.processors(),
                  .held = fmt::format("{} elements on their way", n),
                  .remedy = "a smaller n"});
  return layout_from(given, n);
}

}  // namespace

bucket_layout layout_from(arguments const& given, std::size_t n) {
  auto const p = given.processors();
  return {n, p, buckets_from(given[number_of_buckets], n, p)};
}

access_input::access_input(arguments const& given, access_pattern made, double bytes_of_element)
    : pattern(made),
      layout(required_layout(given, made, bytes_of_element)),
      pointers(
          generated_pointers(made, layout, given.seed(), static_cast<int>(given[lost_pointers]))) {}

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

void record_input(experiment_result& result, access_input const& input) {
  result.parameters["n"] = static_cast<std::int64_t>(input.layout.elements());
  if (result.parameters.contains("k"))
    result.parameters["k"] = static_cast<std::int64_t>(input.layout.buckets_each());
}

}  // namespace lockstep
