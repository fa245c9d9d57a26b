#include <lockstep/algorithms/collectives/collective_scheme.hpp>

#include <algorithm>
#include <cstdint>
#include <string>

#include <fmt/format.h>

#include <lockstep/algorithms/collectives/broadcast.hpp>
#include <lockstep/algorithms/collectives/detail/fitting_scheme.hpp>
#include <lockstep/algorithms/collectives/listed_blocks.hpp>
#include <lockstep/algorithms/collectives/reduce_scatter.hpp>
#include <lockstep/detail/enumerator_names.hpp>
#include <lockstep/errors.hpp>

namespace lockstep {

std::string_view name_of(collective_scheme scheme) {
  return detail::shown_name("collective_scheme", scheme,
                            {{collective_scheme::transpose, "transpose"},
                             {collective_scheme::direct, "direct"},
                             {collective_scheme::k_ary, "k-ary"},
                             {collective_scheme::automatic, "automatic"},
                             {collective_scheme::binomial, "binomial"},
                             {collective_scheme::ring, "ring"},
                             {collective_scheme::bucket, "bucket"},
                             {collective_scheme::recursive_doubling, "recursive-doubling"},
                             {collective_scheme::halving_doubling, "halving-doubling"},
                             {collective_scheme::bruck, "bruck"},
                             {collective_scheme::dissemination, "dissemination"},
                             {collective_scheme::circulant, "circulant"},
                             {collective_scheme::tree, "tree"},
                             {collective_scheme::two_way, "two-way"}});
}

namespace {

constexpr auto last_scheme = collective_scheme::two_way;

[[nodiscard]] collective_scheme scheme_named(std::string_view name, std::source_location where) {
  if (name == "rabenseifner") return collective_scheme::halving_doubling;
  if (name == "traeff") return collective_scheme::circulant;
  std::string known;
  for (std::uint8_t i = 0; i <= static_cast<std::uint8_t>(last_scheme); ++i) {
    auto const scheme = static_cast<collective_scheme>(i);
    if (name == name_of(scheme)) return scheme;
    known += (i == 0 ? "" : ", ") + std::string(name_of(scheme));
  }
  throw invalid_argument(
      fmt::format("no collective scheme is called \"{}\"; take one of {}", name, known), where);
}

}  // namespace

chosen_scheme::chosen_scheme(char const* name, std::source_location where)
    : m_scheme(scheme_named(name == nullptr ? "" : name, where)) {}
chosen_scheme::chosen_scheme(std::string_view name, std::source_location where)
    : m_scheme(scheme_named(name, where)) {}
chosen_scheme::chosen_scheme(std::string const& name, std::source_location where)
    : m_scheme(scheme_named(name, where)) {}

namespace {

/// Brings b pieces to all processors first. Errors: invalid_argument for p < 1 or m = 0.
[[nodiscard]] all_gather_options first_in_packets(int p, std::uint64_t packet, int most,
                                                  std::source_location where) {
  if (p < 1 || packet == 0)
    throw invalid_argument(
        fmt::format("{} processors and packets of {} words: give at least 1 of both", p, packet),
        where);
  auto const filled = static_cast<int>(std::min<std::uint64_t>(packet, one_phase));
  auto const block = std::min(filled, most);
  return {.first_k = block == 1 ? 0 : block};
}

}  // namespace

all_gather_options in_two_phases(int p, std::uint64_t packet, std::source_location where) {
  int root = 1;
  while (static_cast<std::int64_t>(root) * root < p) ++root;
  return first_in_packets(p, packet, root, where);
}

all_gather_options in_two_filled_phases(int p, std::uint64_t packet, std::source_location where) {
  return first_in_packets(p, packet, p, where);
}

namespace detail {

scheme_rule rule_for(collective_options const& options, std::size_t elements) {
  switch (options.scheme) {
    case collective_scheme::automatic:
    case collective_scheme::transpose:
      return {.in_pieces = true, .sizes = piece_sizes::larger_first};
    case collective_scheme::direct:
      return {};
    default:
      break;
  }
  return {.in_pieces = elements != 1, .k = options.k};
}

void require_collective(char const* operation, collective_options const& options, int processors) {
  static_cast<void>(name_of(options.scheme));
  static_cast<void>(name_of(options.how));
  if (options.scheme == collective_scheme::k_ary) require_arity(operation, options.k);
  require_root(operation, options.root, processors);
}

void require_scattered(char const* operation, scatter_options const& options, int processors) {
  static_cast<void>(name_of(options.how));
  require_arity(operation, options.k);
  require_root(operation, options.root, processors);
}

void require_reduced(reduce_scatter_options const& options) {
  static_cast<void>(name_of(options.how));
  require_arity("reduce_scatter", options.k);
}

void require_gathered(all_gather_options const& options) {
  static_cast<void>(name_of(options.how));
  require_arity("all_gather", options.k);
  if (options.first_k != 0) require_arity("all_gather", options.first_k);
}

void require_equal_pieces(char const* operation, std::size_t n, int processors) {
  if (n % static_cast<std::size_t>(processors) != 0)
    throw invalid_argument(fmt::format(
        "{}: {} elements of {} processors do not make blocks of one size; give p times as many",
        operation, n, processors));
}

namespace {

/// Finds a scheme for blocks of any sizes. Errors: invalid_argument for one that is for blocks of one
/// size.
[[nodiscard]] collective_scheme listed_scheme(asked_collective const& asked,
                                              topology const& network) {
  bool const is_on_crossbar =
      axes_of(network).kind == network_kind::crossbar && !is_part_with_links(network);
  bool const exchanges = asked.operation == collective_operation::all_to_all;
  auto const fallback = exchanges ? collective_scheme::direct
                        : asked.operation == collective_operation::all_gather
                            ? collective_scheme::ring
                            : collective_scheme::binomial;
  if (is_on_crossbar && asked.scheme == collective_scheme::automatic) return fallback;
  auto const scheme = scheme_for(asked, network);
  bool const knows_sizes = (exchanges || !is_of_crossbar(scheme)) &&
                           scheme != collective_scheme::circulant &&
                           scheme != collective_scheme::bruck;
  if (!knows_sizes)
    throw invalid_argument(fmt::format("{}v: the scheme {} is for blocks of one size; take {}",
                                       name_of(asked.operation), lockstep::name_of(scheme),
                                       lockstep::name_of(fallback)));
  return scheme;
}

}  // namespace

collective_scheme scheme_of_listed(collective_operation operation, processor const& me,
                                   collective_scheme asked, std::size_t sizes) {
  if (sizes != static_cast<std::size_t>(me.size()))
    throw invalid_argument(fmt::format("{}v: {} sizes for {} processors; pass one for each",
                                       lockstep::name_of(operation), sizes, me.size()));
  auto question = asked_by(me, {.operation = operation, .scheme = asked});
  question.all_ports = false;  // the schemes for all ports are for blocks of one size, but `tree`
  return listed_scheme(question, me.topology());
}

collective_scheme scheme_of_listed(collective_operation operation, topology const& network,
                                   collective_scheme asked, std::uint64_t packet) {
  using enum collective_operation;
  bool const has_blocks = operation == scatter || operation == gather || operation == all_gather ||
                          operation == all_to_all;
  if (!has_blocks)
    throw invalid_argument(
        fmt::format("{} has no blocks of several sizes; gather, scatter, all_gather and all_to_all "
                    "have",
                    name_of(operation)));
  return listed_scheme({.operation = operation, .scheme = asked, .packet = packet}, network);
}

}  // namespace detail

}  // namespace lockstep
