#include <lockstep/algorithms/routing/h_relation_inputs.hpp>

#include <algorithm>
#include <bit>
#include <functional>
#include <numeric>

#include <fmt/format.h>

#include <lockstep/algorithms/detail/errors_at.hpp>
#include <lockstep/algorithms/detail/size_checks.hpp>
#include <lockstep/algorithms/nas_random.hpp>
#include <lockstep/detail/enumerator_names.hpp>
#include <lockstep/errors.hpp>

#include "g_group.hpp"
#include "routing/option_names.hpp"

namespace lockstep {

namespace {

using destination_lists = std::vector<std::vector<int>>;

[[nodiscard]] std::uint64_t processors_of(h_relation_size const& size) {
  return static_cast<std::uint64_t>(size.processors);
}

/// ceil(n/p)
[[nodiscard]] std::uint64_t even_share(h_relation_size const& size) {
  auto const p = processors_of(size);
  return (size.elements + p - 1) / p;
}

/// Which processor each element of a sequence goes to, v_0 for 0, then v_1 for 1, ...
[[nodiscard]] std::vector<int> in_order(std::vector<std::uint64_t> const& sizes) {
  std::vector<int> all;
  all.reserve(std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{0}));
  for (std::size_t i = 0; i < sizes.size(); ++i)
    all.insert(all.end(), sizes[i], static_cast<int>(i));
  return all;
}

/// Element e of the sequence lies on processor e mod p.
[[nodiscard]] destination_lists laid_cyclically(std::vector<int> const& sequence, std::uint64_t p) {
  destination_lists made(p);
  for (auto& of_one : made) of_one.reserve(sequence.size() / p + 1);
  for (std::size_t e = 0; e < sequence.size(); ++e) made[e % p].push_back(sequence[e]);
  return made;
}

/// n/p elements on each processor, on the first n mod p one more, in the order of processors.
/// `destination_from(i)` is called for each.
template <class DestinationFrom>
[[nodiscard]] destination_lists in_even_shares(h_relation_size const& size,
                                               DestinationFrom const& destination_from) {
  auto const p = processors_of(size);
  destination_lists made(p);
  for (std::uint64_t i = 0; i < p; ++i) {
    made[i].resize(size.elements / p + (i < size.elements % p ? 1 : 0));
    for (auto& destination : made[i]) destination = static_cast<int>(destination_from(i));
  }
  return made;
}

[[nodiscard]] destination_lists generated_tight(h_relation_size const& size) {
  auto const p = processors_of(size);
  auto const own = size.elements / p;
  auto const least = p * (p - 1) / 2;
  if (size.elements % p != 0 || own < least || (own - least) % p != 0) {
    auto const more = own < least ? 0 : (own - least + p) / p;
    throw invalid_argument(fmt::format(
        "tight with p = {} needs n = p (p(p-1)/2 + p a) elements, not {}; take {}, for example", p,
        size.elements, p * (least + p * more)));
  }
  destination_lists made(p);
  for (std::uint64_t i = 0; i < p; ++i)
    for (std::uint64_t j = 0; j < p; ++j) {
      auto const number = ((2 * p - i - j) % p + 1) % p + ((i + j) % p == 0 ? own - least : 0);
      made[i].insert(made[i].end(), number, static_cast<int>(j));
    }
  return made;
}

[[nodiscard]] destination_lists made_at_random(h_pattern pattern, h_relation_size const& size) {
  auto const p = processors_of(size);
  nas_random random;
  return in_even_shares(size, [&](std::uint64_t) {
    constexpr unsigned low_bits = 15;
    auto const drawn = random.next() >> low_bits;
    if (pattern == h_pattern::lcg) return drawn % p;
    auto const u = static_cast<double>(drawn) / 0x1p31;
    return static_cast<std::uint64_t>(static_cast<double>(p) * (u * u * u));
  });
}

/// The first number from 0.618 n on that is prime to n.
[[nodiscard]] std::uint64_t mixing_step(std::uint64_t n) {
  auto step = (618 * n + 999) / 1000;
  while (std::gcd(step, n) != 1) ++step;
  return step;
}

[[nodiscard]] destination_lists generated_general(h_relation_size const& size) {
  auto const n = size.elements;
  auto const sent = ramp_sizes(n, size.processors, size.sent);
  auto const sorted = in_order(ramp_sizes(n, size.processors, size.received));
  auto const step = n == 0 ? 0 : mixing_step(n);
  destination_lists made(sent.size());
  std::uint64_t at = 0;
  for (std::size_t i = 0; i < made.size(); ++i)
    for (std::uint64_t e = 0; e < sent[i]; ++e, at = (at + step) % n) made[i].push_back(sorted[at]);
  return made;
}

/// The polynomial x^degree + .. + 1 over GF(2) of the least value that none of lower degree
/// divides.
[[nodiscard]] unsigned irreducible_polynomial(int degree) {
  auto const remainder = [](unsigned of, unsigned by) {
    while (std::bit_width(of) >= std::bit_width(by))
      of ^= by << static_cast<unsigned>(std::bit_width(of) - std::bit_width(by));
    return of;
  };
  auto candidate = 1U << static_cast<unsigned>(degree);
  auto const has_divisor = [&] {
    for (unsigned by = 2; by < 1U << static_cast<unsigned>(degree / 2 + 1); ++by)
      if (remainder(candidate, by) == 0) return true;
    return false;
  };
  while (has_divisor()) ++candidate;
  return candidate;
}

[[nodiscard]] destination_lists generated_orth(h_relation_size const& size) {
  auto const p = processors_of(size);
  if (p < 4 || !std::has_single_bit(p))
    throw invalid_argument(
        fmt::format("orth needs p = 2^k processors, 4 or more, not {}; take {}, for example", p,
                    std::max(std::uint64_t{4}, std::bit_ceil(p))));
  auto const reduced_by = irreducible_polynomial(static_cast<int>(std::bit_width(p)) - 1);
  return in_even_shares(size,
                        [&](std::uint64_t i) { return 2 * i < p ? 2 * i : 2 * i ^ reduced_by; });
}

[[nodiscard]] h_limits limits_of(destination_lists const& made) {
  h_limits limits;
  std::vector<std::uint64_t> received(made.size());
  for (auto const& of_one : made) {
    limits.sent = std::max<std::uint64_t>(limits.sent, of_one.size());
    for (auto const to : of_one) ++received[static_cast<std::size_t>(to)];
  }
  limits.received = std::ranges::max(received);
  return limits;
}

[[nodiscard]] h_relation_input generated_input(h_pattern pattern, h_relation_size size) {
  auto const p = processors_of(size);
  auto const has_choice =
      pattern == h_pattern::family || pattern == h_pattern::ramp || pattern == h_pattern::general;
  if (has_choice && size.received == 0) size.received = even_share(size);
  if (pattern == h_pattern::general && size.sent == 0) size.sent = even_share(size);
  switch (pattern) {
    case h_pattern::family:
      return {
          laid_cyclically(in_order(family_sizes(size.elements, size.processors, size.received)), p),
          {},
          size};
    case h_pattern::ramp:
      return {
          laid_cyclically(in_order(ramp_sizes(size.elements, size.processors, size.received)), p),
          {},
          size};
    case h_pattern::g_group:
      return generated_g_group(size);
    case h_pattern::tight:
      return {generated_tight(size), {}, size};
    case h_pattern::lcg:
    case h_pattern::skew:
      return {made_at_random(pattern, size), {}, size};
    case h_pattern::all_to_one:
      return {in_even_shares(size, [](std::uint64_t) { return 0; }), {}, size};
    case h_pattern::permutation:
      return {in_even_shares(size, [p](std::uint64_t i) { return (i + 1) % p; }), {}, size};
    case h_pattern::general:
      return {generated_general(size), {}, size};
    case h_pattern::orth:
      break;
  }
  return {generated_orth(size), {}, size};
}

/// The limit that is given, or the least, where 0 is.
/// Errors: invalid_argument for one that the h-relation exceeds.
[[nodiscard]] std::uint64_t promised(h_pattern pattern, h_relation_size const& size,
                                     std::string_view limit, std::uint64_t given,
                                     std::uint64_t least) {
  if (given != 0 && given < least)
    throw invalid_argument(
        fmt::format("{0} with n = {1}, p = {2} has {3} = {4}, more than {5}; leave "
                    "out {3}, or take {4} at least",
                    name_of(pattern), size.elements, size.processors, limit, least, given));
  return std::max(given, least);
}

}  // namespace

std::string_view name_of(h_pattern pattern) {
  return detail::shown_name("h_pattern", pattern, detail::h_pattern_names);
}

h_relation_input generated_h_relation(h_pattern pattern, h_relation_size const& size,
                                      std::source_location where) {
  return detail::errors_at(where, [&] {
    static_cast<void>(name_of(pattern));
    constexpr std::uint64_t most = 0x7fffffff;
    detail::require_counted_processors("an h-relation", size.processors);
    if (size.elements > most)
      throw invalid_argument(
          fmt::format("an h-relation has at most {} elements, not {}", most, size.elements));
    if (pattern != h_pattern::g_group && (size.group != 0 || size.targets != 0))
      throw invalid_argument(
          fmt::format("{} has no g and t; leave them out, or take g-group", name_of(pattern)));
    auto made = generated_input(pattern, size);
    made.limits = limits_of(made.destinations);
    made.size.received = promised(pattern, size, "h", size.received, made.limits.received);
    made.size.sent = promised(pattern, size, "h1", size.sent, made.limits.sent);
    return made;
  });
}

std::vector<std::uint64_t> elements_between(h_relation_input const& input) {
  auto const p = input.destinations.size();
  std::vector<std::uint64_t> between(p * p);
  for (std::size_t i = 0; i < p; ++i)
    for (auto const j : input.destinations[i]) ++between[i * p + static_cast<std::size_t>(j)];
  return between;
}

}  // namespace lockstep
