#include <lockstep/algorithms/routing/bin_bounds.hpp>

#include <algorithm>
#include <lockstep/algorithms/detail/errors_at.hpp>

#include <lockstep/detail/checked_counts.hpp>
#include <lockstep/detail/enumerator_names.hpp>

namespace lockstep {

std::string_view name_of(block_rule rule) {
  return detail::shown_name("block_rule", rule,
                            {{block_rule::real, "real"},
                             {block_rule::bound, "bound"},
                             {block_rule::text, "text"},
                             {block_rule::appendix, "appendix"},
                             {block_rule::exact, "exact"}});
}

std::uint64_t exact_largest_bin(std::uint64_t elements, std::uint64_t deck, int processors,
                                std::source_location where) {
  detail::require_processors("exact_largest_bin", processors, where);
  auto const p = static_cast<std::uint64_t>(processors);
  auto const spent_by = [](std::uint64_t decks) { return decks * (decks + 1) / 2; };
  // Decks that reach the bin with their first element there: as many as there are elements for.
  std::uint64_t decks = 0;
  for (auto too_many = std::min(p, deck) + 1; too_many - decks > 1;) {
    auto const middle = decks + (too_many - decks) / 2;
    (spent_by(middle) <= elements ? decks : too_many) = middle;
  }
  if (decks < p) return decks;
  return p + std::min((elements - spent_by(p)) / p, deck - p);
}

std::vector<std::uint64_t> tight_row(int rank, std::uint64_t elements, int processors,
                                     std::source_location where) {
  detail::require_counted_processors("tight_row", processors, where);
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

block_sizes blocks_of(block_rule rule, h_limits const& limits, int processors,
                      std::source_location where) {
  return detail::errors_at(where, [&]() -> block_sizes {
    static_cast<void>(name_of(rule));
    detail::require_processors("blocks_of", processors);
    auto const p = static_cast<std::uint64_t>(processors);
    auto const text = [p](std::uint64_t elements) {  // floor(x/p + p/2)
      return detail::checked_sum(elements / p, (2 * (elements % p) + p * p) / (2 * p));
    };
    auto const with_number = [](std::uint64_t slots) { return detail::checked_sum(slots, 1); };
    auto const [sent, received] = limits;
    switch (rule) {
      case block_rule::real:
        return {};
      case block_rule::bound:
        return {with_number(largest_bin(sent, processors)),
                with_number(largest_bin(received, processors))};
      case block_rule::text:
        return {text(sent), text(received)};
      case block_rule::appendix:
        return {with_number(text(sent)), text(received)};
      case block_rule::exact:
        break;
    }
    return {with_number(exact_largest_bin(sent, sent, processors)),
            with_number(exact_largest_bin(received, sent, processors))};
  });
}

bool has_number_slot(block_rule rule) {
  static_cast<void>(name_of(rule));
  return rule != block_rule::real && rule != block_rule::text;
}

std::uint64_t room_in(block_rule rule, std::uint64_t slots) {
  return has_number_slot(rule) && slots > 0 ? slots - 1 : slots;
}

}  // namespace lockstep
