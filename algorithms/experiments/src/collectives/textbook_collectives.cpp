#include "collectives/textbook_collectives.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <lockstep/algorithms/detail/counting_operator.hpp>
#include <lockstep/algorithms/textbook/all_gather.hpp>
#include <lockstep/algorithms/textbook/all_reduce.hpp>
#include <lockstep/algorithms/textbook/broadcast.hpp>
#include <lockstep/algorithms/textbook/reduce.hpp>
#include <lockstep/algorithms/textbook/scatter.hpp>
#include <lockstep/errors.hpp>
#include <lockstep/topologies/crossbar.hpp>
#include <lockstep/topologies/hypercube.hpp>
#include <lockstep/topologies/torus.hpp>

#include "network_kind.hpp"

namespace lockstep {

namespace {

/// Lists the schemes that have a short form.
[[nodiscard]] std::vector<collective_scheme> schemes_of(collective_kind kind) {
  using enum collective_scheme;
  switch (kind) {
    case collective_kind::broadcast:
    case collective_kind::reduce:
      return {transpose, binomial};
    case collective_kind::all_reduce:
      return {transpose, recursive_doubling, ring, binomial};
    case collective_kind::scatter:
    case collective_kind::gather:
      return {direct, binomial};
    case collective_kind::all_gather:
      return {direct, recursive_doubling, ring};
    default:
      return {};
  }
}

[[nodiscard]] bool fits(collective_scheme scheme, topology const& network) {
  bool const is_crossbar = is<crossbar>(network);
  switch (scheme) {
    case collective_scheme::transpose:
    case collective_scheme::direct:
      return is_crossbar;
    case collective_scheme::ring:
      return is_crossbar || (is<torus>(network) && network.coordinates(0).size() == 1);
    default:
      return is<hypercube>(network) ||
             (is_crossbar && std::has_single_bit(static_cast<unsigned>(network.size())));
  }
}

[[nodiscard]] std::string_view networks_of(collective_scheme scheme) {
  switch (scheme) {
    case collective_scheme::transpose:
    case collective_scheme::direct:
      return "crossbar:8";
    case collective_scheme::ring:
      return "torus:8";
    default:
      return "hypercube:3";
  }
}

}  // namespace

collective_scheme textbook_scheme(arguments const& given, collective_kind kind,
                                  collective_scheme asked) {
  std::vector<std::string> ways;
  for (auto const scheme : schemes_of(kind)) {
    bool const is_asked = asked == scheme || asked == collective_scheme::automatic;
    if (is_asked && fits(scheme, given.network())) return scheme;
    ways.push_back(fmt::format("{} on {}", name_of(scheme), networks_of(scheme)));
  }
  throw invalid_argument(fmt::format("--textbook has no form {}for {}; take {}, or leave it out",
                                     asked == collective_scheme::automatic
                                         ? std::string()
                                         : fmt::format("of the scheme {} ", name_of(asked)),
                                     given.network().spec(), fmt::join(ways, " or ")));
}

collective_problem::word_list by_textbook(processor& me, collective_kind kind,
                                          collective_scheme scheme,
                                          collective_problem::word_list mine, std::size_t words,
                                          int root) {
  using enum collective_kind;
  detail::counting_operator const plus(me, collective_problem::add_words);
  std::span<std::uint64_t const> const block(mine);
  auto const n = words * static_cast<std::size_t>(me.size());
  bool const doubles = scheme == collective_scheme::recursive_doubling;
  bool const is_binomial = scheme == collective_scheme::binomial;
  switch (kind) {
    case broadcast:
      if (is_binomial)
        textbook::broadcast_binomial(me, std::span(mine), root);
      else
        textbook::broadcast_in_pieces(me, std::span(mine), root);
      return mine;
    case reduce:
      return is_binomial ? textbook::reduce_binomial(me, plus, block, root)
                         : textbook::reduce_in_pieces(me, plus, block, root);
    case all_reduce:
      if (doubles) return textbook::all_reduce_doubling(me, plus, block);
      if (is_binomial) return textbook::all_reduce_binomial(me, plus, block);
      return scheme == collective_scheme::ring ? textbook::all_reduce_ring(me, plus, block)
                                               : textbook::all_reduce_in_pieces(me, plus, block);
    case scatter:
      me.phase("scatter");
      return is_binomial ? textbook::scatter_binomial(me, block, n, root)
                         : textbook::scatter_directly(me, block, n, root);
    case gather:
      me.phase("gather");
      return is_binomial ? textbook::gather_binomial(me, block, root)
                         : textbook::gather_directly(me, block, n, root);
    case all_gather:
      me.phase("all-gather");
      if (doubles) return textbook::all_gather_doubling(me, block, n);
      return scheme == collective_scheme::ring ? textbook::all_gather_ring(me, block, n)
                                               : textbook::all_gather_directly(me, block, n);
    default:
      return {};
  }
}

}  // namespace lockstep
