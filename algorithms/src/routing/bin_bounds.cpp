#include <lockstep/algorithms/routing/bin_bounds.hpp>

#include <algorithm>

#include <lockstep/detail/enumerator_check.hpp>

namespace lockstep {

std::string_view name_of(block_rule rule) {
  switch (rule) {
    case block_rule::real:
      return "real";
    case block_rule::bound:
      return "bound";
    case block_rule::text:
      return "text";
    case block_rule::appendix:
      return "appendix";
    case block_rule::exact:
      return "exact";
  }
  detail::throw_no_such_value("block_rule", static_cast<std::uint64_t>(rule),
                              {"block_rule::real", "block_rule::bound", "block_rule::text",
                               "block_rule::appendix", "block_rule::exact"});
}

std::uint64_t exact_largest_bin(std::uint64_t elements, std::uint64_t deck, int processors) {
  auto const p = static_cast<std::uint64_t>(processors);
  std::uint64_t decks = 0;  // that reach the bin with their first element there
  std::uint64_t spent = 0;
  while (decks < std::min(p, deck) && spent + decks + 1 <= elements) spent += ++decks;
  if (decks < p) return decks;
  return p + std::min((elements - spent) / p, deck - p);
}

std::vector<std::uint64_t> tight_row(int rank, std::uint64_t elements, int processors) {
  auto const p = static_cast<std::uint64_t>(processors);
  std::vector<std::uint64_t> row(p);
  // Elements for -rank-d mod p begin d bins before bin 0.
  auto const to_start_before = [&](std::uint64_t d) -> std::uint64_t& {
    return row[(2 * p - static_cast<std::uint64_t>(rank) - d) % p];
  };
  std::uint64_t left = elements;
  for (std::uint64_t d = 0; d + 1 < p && d < left; ++d) {
    to_start_before(d) = d + 1;
    left -= d + 1;
  }
  to_start_before(0) += left;
  return row;
}

block_sizes blocks_of(block_rule rule, h_limits const& limits, int processors) {
  static_cast<void>(name_of(rule));
  auto const p = static_cast<std::uint64_t>(processors);
  auto const text = [p](std::uint64_t elements) { return (2 * elements + p * p) / (2 * p); };
  auto const [sent, received] = limits;
  switch (rule) {
    case block_rule::real:
      return {};
    case block_rule::bound:
      return {largest_bin(sent, processors) + 1, largest_bin(received, processors) + 1};
    case block_rule::text:
      return {text(sent), text(received)};
    case block_rule::appendix:
      return {text(sent) + 1, text(received)};
    case block_rule::exact:
      break;
  }
  return {exact_largest_bin(sent, sent, processors) + 1,
          exact_largest_bin(received, sent, processors) + 1};
}

bool has_number_slot(block_rule rule) {
  static_cast<void>(name_of(rule));
  return rule != block_rule::real && rule != block_rule::text;
}

std::uint64_t room_in(block_rule rule, std::uint64_t slots) {
  return has_number_slot(rule) && slots > 0 ? slots - 1 : slots;
}

}  // namespace lockstep
