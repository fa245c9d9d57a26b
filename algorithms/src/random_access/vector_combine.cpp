#include <lockstep/algorithms/random_access/vector_combine.hpp>

#include <bit>

#include <fmt/format.h>

#include <lockstep/algorithms/collectives/pieces.hpp>
#include <lockstep/algorithms/collectives/schedule_counts.hpp>
#include <lockstep/algorithms/detail/errors_at.hpp>
#include <lockstep/detail/checked_counts.hpp>
#include <lockstep/detail/complete_network.hpp>
#include <lockstep/detail/enumerator_names.hpp>
#include <lockstep/errors.hpp>
#include <lockstep/topologies/hypercube.hpp>

#include "network_kind.hpp"
#include "random_access/option_names.hpp"

namespace lockstep {

namespace {

void require_some_processors(int p) {
  if (p < 1)
    throw invalid_argument(
        fmt::format("vectors of {} processors cannot be combined; give at least 1", p));
}

using detail::checked_product;
using detail::checked_sum;
using detail::quotient_up;

[[nodiscard]] vector_counts counts_of_fold(int p, std::uint64_t m, std::uint64_t copies) {
  auto const processors = static_cast<unsigned>(p);
  auto const dimensions = static_cast<std::uint64_t>(std::bit_width(processors)) - 1;
  vector_counts made{2 * dimensions, 0};
  for (std::uint64_t l = 1; l <= dimensions; ++l)
    made.words = checked_sum(made.words, checked_product(copies, quotient_up(m, 1ULL << l)));
  if (std::has_single_bit(processors)) return made;
  return {made.startups + 2, checked_sum(made.words, checked_product(copies, m))};
}

}  // namespace

std::string_view name_of(vector_method method) {
  return detail::shown_name("vector_method", method, detail::vector_method_names);
}

vector_counts vector_counts_of(vector_method method, int p, std::size_t words, int copies,
                               std::source_location where) {
  return detail::errors_at(where, [&]() -> vector_counts {
    require_some_processors(p);
    if (copies != 2 && copies != 3)
      throw invalid_argument(fmt::format(
          "vectors are combined in 2 copies, or in 3 for totals and prefixes at once, not in {}",
          copies));
    if (p == 1 || words == 0) return {};
    auto const c = static_cast<std::uint64_t>(copies);
    if (method == vector_method::circulant) {
      auto const one_way = circulant_all_gather_counts(pieces(words, p), 2, 2, 1);
      return {2 * one_way.startups, checked_product(2, one_way.words)};
    }
    if (method != vector_method::exchange) return counts_of_fold(p, words, c);
    auto const others = static_cast<std::uint64_t>(p) - 1;
    return {2 * others, checked_product(c * others, quotient_up(words, others + 1))};
  });
}

vector_method method_for(vector_options const& options, int p, std::size_t words, int copies,
                         std::source_location where) {
  return detail::errors_at(where, [&] {
    static_cast<void>(name_of(options.method));  // refuses any other number
    using enum vector_method;
    auto const price = [&](vector_method method) {
      auto const made = vector_counts_of(method, p, words, copies);
      return static_cast<double>(made.startups) * static_cast<double>(options.startup_words) +
             static_cast<double>(made.words);
    };
    require_some_processors(p);
    if (options.method == circulant && !options.commutes)
      throw invalid_argument(
          "vectors go by circular shifts in an order of their own, for which the operator has to "
          "commute; "
          "set commutes where it does, or take the method fold or exchange");
    if (options.method != automatic) return options.method;
    if (std::has_single_bit(static_cast<unsigned>(p))) return fold;
    auto const cheaper = price(exchange) < price(fold) ? exchange : fold;
    return options.commutes && price(circulant) < price(cheaper) ? circulant : cheaper;
  });
}

vector_method detail::method_of_sums(vector_options options, int p, std::size_t words,
                                     wanted_sums wanted) {
  if (wanted.prefixes && options.method == vector_method::circulant)
    throw invalid_argument(
        "circular shifts make totals, and no prefixes; take the method fold or exchange");
  options.commutes = options.commutes && !wanted.prefixes;
  return method_for(options, p, words, wanted.copies());
}

void detail::require_vector_network(topology const& network, vector_method method) {
  bool const is_cube = is<hypercube>(network);
  if (is<complete_network>(network) || (is_cube && method == vector_method::fold)) return;
  if (is_cube)
    throw invalid_argument(fmt::format(
        "the method {} needs a link between every pair, which {} has not; take the method fold, or "
        "crossbar:{}",
        name_of(method), network.spec(), network.size()));
  throw invalid_argument(fmt::format(
      "{} is neither a crossbar nor a hypercube, on which vectors are combined; take for example "
      "crossbar:{}",
      network.spec(), network.size()));
}

}  // namespace lockstep
