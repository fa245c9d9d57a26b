#include <lockstep/algorithms/collectives/collective_scheme.hpp>

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

#include <lockstep/algorithms/collectives/broadcast.hpp>
#include <lockstep/algorithms/collectives/reduce_scatter.hpp>
#include <lockstep/detail/enumerator_check.hpp>
#include <lockstep/errors.hpp>

namespace lockstep {

std::string_view name_of(collective_scheme scheme) {
  switch (scheme) {
    case collective_scheme::transpose:
      return "transpose";
    case collective_scheme::direct:
      return "direct";
    case collective_scheme::k_ary:
      return "k-ary";
  }
  detail::throw_no_such_value(
      "collective_scheme", static_cast<std::uint64_t>(scheme),
      {"collective_scheme::transpose", "collective_scheme::direct", "collective_scheme::k_ary"});
}

namespace {

/// Brings b pieces to everybody first. Errors: invalid_argument for p < 1 or m = 0.
[[nodiscard]] all_gather_options first_in_packets(int p, std::uint64_t packet, int most) {
  if (p < 1 || packet == 0)
    throw invalid_argument(
        fmt::format("{} processors and packets of {} words: give at least 1 of both", p, packet));
  auto const filled = static_cast<int>(std::min<std::uint64_t>(packet, one_phase));
  auto const block = std::min(filled, most);
  return {.first_k = block == 1 ? 0 : block};
}

}  // namespace

all_gather_options in_two_phases(int p, std::uint64_t packet) {
  int root = 1;
  while (static_cast<std::int64_t>(root) * root < p) ++root;
  return first_in_packets(p, packet, root);
}

all_gather_options in_two_filled_phases(int p, std::uint64_t packet) {
  return first_in_packets(p, packet, p);
}

namespace detail {

scheme_rule rule_for(collective_options const& options, std::size_t elements) {
  switch (options.scheme) {
    case collective_scheme::transpose:
      return {.in_pieces = true, .sizes = piece_sizes::larger_first};
    case collective_scheme::direct:
      return {};
    case collective_scheme::k_ary:
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

void require_elements(char const* operation, std::size_t given, std::size_t n) {
  if (given != n)
    throw invalid_argument(
        fmt::format("{}: this processor has {} elements; it needs {}", operation, given, n));
}

}  // namespace detail

}  // namespace lockstep
