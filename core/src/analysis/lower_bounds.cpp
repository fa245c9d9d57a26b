#include <lockstep/lower_bounds.hpp>

#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include <lockstep/claim.hpp>
#include <lockstep/detail/checked_counts.hpp>
#include <lockstep/detail/rank_check.hpp>
#include <lockstep/errors.hpp>

#include "machine/option_choices.hpp"

namespace lockstep {

namespace {

[[nodiscard]] std::uint64_t over(std::uint64_t words, std::uint64_t carriers) {
  return words / carriers + (words % carriers == 0 ? 0 : 1);
}

/// Finds the largest number of links that lead to a processor, at least 1.
[[nodiscard]] int links_into_one(topology const& network) {
  if (network.always_one_link()) return std::max(network.degree(), 1);
  std::vector<int> into(static_cast<std::size_t>(network.size()));
  for (link_number number = 0; number < network.links(); ++number) {
    int const to = network.link_at(number).to;
    detail::check_rank(network, network.size(), to);
    ++into[static_cast<std::size_t>(to)];
  }
  return std::max(std::ranges::max(into), 1);
}

/// The properties of all schedules that a bound is for.
struct schedule {
  topology const& network;
  lockstep::ports ports;
  bool to_neighbours;          ///< every route is one link
  bool never_queues;           ///< a message sent in a step comes in during it
  bool one_message_on_a_link;  ///< in a step
  bool in_steps;               ///< each step pays for its largest message: no pipelined rounds
  std::uint64_t packet;        ///< words: messages are rounded up to whole ones
};

[[nodiscard]] schedule schedule_of(topology const& network, machine_options const& options) {
  detail::check_choices(options);
  bool const to_neighbours =
      network.always_one_link() ||
      options.switching.value_or(network.default_switching()) == switching::neighbour;
  return {.network = network,
          .ports = options.ports,
          .to_neighbours = to_neighbours,
          .never_queues = options.strict,
          // A message over a link to a neighbour comes in by a port.
          .one_message_on_a_link =
              options.strict || (to_neighbours && options.ports != ports::per_pass),
          .in_steps = false,
          .packet = options.packet};
}

class bounds_of {
 public:
  bounds_of(schedule const& which, traffic_requirement const& of) : m_on(which), m_of(of) {
    add_spreading();  // before the distance, which on a hypercube comes to the same
    add_distance();
    add_ports();
    add_bisection();
    add_links();
    add_volume();
    std::ranges::stable_sort(m_bounds, std::greater<>{}, &lower_bound::value);
  }

  [[nodiscard]] std::vector<lower_bound> all() && { return std::move(m_bounds); }

 private:
  void add(std::string figure, std::string formula, std::uint64_t value, bound_reason reason,
           std::string source = "lockstep") {
    // Words are counted in whole packets, and so are sums of them.
    auto const packet = std::max<std::uint64_t>(m_on.packet, 1);
    bool const in_words = figure == "words" || figure == "volume";
    if (in_words && value % packet != 0) {
      value = over(value, packet) * packet;
      formula += fmt::format(", in packets of {}", packet);
    }
    if (value > 0)
      m_bounds.push_back({std::move(figure), std::move(formula), value, std::move(source), reason});
  }

  [[nodiscard]] bool has_passes() const { return m_on.ports == ports::per_pass; }
  [[nodiscard]] std::uint64_t in_ports() const {
    return m_on.ports == ports::one ? 1 : static_cast<std::uint64_t>(links_into_one(m_on.network));
  }
  [[nodiscard]] std::uint64_t out_ports() const {
    return m_on.ports == ports::one
               ? 1
               : static_cast<std::uint64_t>(std::max(m_on.network.degree(), 1));
  }

  void add_distance() {
    auto const distance = static_cast<std::uint64_t>(m_of.distance);
    auto const formula =
        m_of.distance > 0 && m_of.distance == m_on.network.diameter() ? "diameter" : "distance";
    if (m_on.to_neighbours) add("steps", formula, distance, bound_reason::distance);
    add("hops", formula, distance, bound_reason::distance);
  }

  /// Adds the bound on steps by which a value spreads: in a step a processor can pass it on, or
  /// take one in, through each of its ports.
  void add_spreading() {
    if (m_of.joined < 2 || has_passes()) return;
    auto const factor = 1 + std::max(in_ports(), out_ports());
    std::uint64_t steps = 0;
    for (std::uint64_t joined = 1; joined < m_of.joined;) {
      ++steps;
      joined = joined > m_of.joined / factor ? m_of.joined : joined * factor;
    }
    add("steps", fmt::format("ceil(log{} {})", factor, m_of.joined), steps,
        bound_reason::spreading);
  }

  void add_ports() {
    if (has_passes()) return;
    auto const each = [](std::uint64_t words, std::uint64_t ports, char const* what) {
      return fmt::format("{} word{} {} a processor{}", words, words == 1 ? "" : "s", what,
                         ports == 1 ? "" : fmt::format(", by {} ports", ports));
    };
    if (m_of.taken_in > 0)
      add("words", each(m_of.taken_in, in_ports(), "into"), over(m_of.taken_in, in_ports()),
          bound_reason::in_port);
    if (m_of.sent > 0 && m_on.never_queues)
      add("words", each(m_of.sent, out_ports(), "out of"), over(m_of.sent, out_ports()),
          bound_reason::out_port);
  }

  /// Whether steps that pay for w words together take at most w over each link.
  [[nodiscard]] bool links_bound_words() const {
    return m_on.one_message_on_a_link && (m_on.to_neighbours || m_on.in_steps);
  }

  void add_links() {
    if (m_of.word_links == 0 || has_passes()) return;
    auto const processors = static_cast<std::uint64_t>(m_on.network.size());
    auto const links = static_cast<std::uint64_t>(m_on.network.links());
    bool const by_ports = m_on.to_neighbours && m_on.ports == ports::one && processors < links;
    if (!by_ports && !links_bound_words()) return;
    auto const carriers = by_ports ? processors : links;
    add("words",
        fmt::format("{} words times links, {} {}", m_of.word_links, carriers,
                    by_ports ? "ports" : "links"),
        over(m_of.word_links, carriers), bound_reason::links);
  }

  void add_bisection() {
    if (m_of.crossing == 0 || !links_bound_words()) return;
    auto const width = m_on.network.bisection_width().value_or(0);
    if (width <= 0) return;
    add("words", fmt::format("{} words between halves, over {} links", m_of.crossing, width),
        over(m_of.crossing, static_cast<std::uint64_t>(width)), bound_reason::halves,
        "Thompson 1979");
  }

  void add_volume() {
    if (m_on.to_neighbours && m_of.word_links > m_of.moved)
      add("volume", "words times links", m_of.word_links, bound_reason::links);
    else
      add("volume", "words moved", m_of.moved, bound_reason::moved);
  }

  schedule m_on;
  traffic_requirement m_of;
  std::vector<lower_bound> m_bounds{};
};

using detail::checked_product;

void add_to(std::uint64_t& sum, std::uint64_t words) { sum = detail::checked_sum(sum, words); }

}  // namespace

traffic_requirement complete_exchange(topology const& network, std::uint64_t words) {
  constexpr int most_added_up = 1024;  // pairs of them a million
  int const processors = network.size();
  auto const p = static_cast<std::uint64_t>(processors);
  traffic_requirement of{.taken_in = checked_product(p - 1, words),
                         .sent = checked_product(p - 1, words),
                         .moved = checked_product(p * (p - 1), words)};
  if (of.moved == 0) return of;
  of.crossing = (p / 2) * (p - p / 2) * words;
  of.distance = network.diameter();
  of.joined = p;
  if (processors > most_added_up) return of;
  for (int from = 0; from < processors; ++from)
    for (int to = 0; to < processors; ++to)
      if (from != to)
        add_to(of.word_links,
               checked_product(static_cast<std::uint64_t>(network.hops(from, to)), words));
  return of;
}

traffic_requirement relation_between(topology const& network,
                                     std::vector<std::uint64_t> const& words) {
  auto const p = static_cast<std::size_t>(network.size());
  if (words.size() != p * p)
    throw invalid_argument(fmt::format(
        "a relation of {} numbers on {}: give {}, the words from each processor to each",
        words.size(), network.spec(), p * p));
  traffic_requirement of;
  std::vector<std::uint64_t> taken_in(p);
  std::vector<std::uint64_t> sources(p, 1);
  for (std::size_t from = 0; from < p; ++from) {
    std::uint64_t sent = 0;
    std::uint64_t targets = 1;
    for (std::size_t to = 0; to < p; ++to) {
      auto const here = words[from * p + to];
      if (from == to || here == 0) continue;
      auto const links = network.hops(static_cast<int>(from), static_cast<int>(to));
      of.distance = std::max(of.distance, links);
      add_to(of.word_links, checked_product(here, static_cast<std::uint64_t>(links)));
      add_to(sent, here);
      add_to(taken_in[to], here);
      ++sources[to];
      ++targets;
    }
    of.sent = std::max(of.sent, sent);
    add_to(of.moved, sent);
    of.joined = std::max(of.joined, targets);
  }
  of.taken_in = std::ranges::max(taken_in);
  of.joined = std::max(of.joined, std::ranges::max(sources));
  return of;
}

std::vector<lower_bound> lower_bounds(topology const& network, machine_options const& options,
                                      traffic_requirement const& of) {
  return bounds_of(schedule_of(network, options), of).all();
}

std::vector<lower_bound> lower_bounds(run_record const& run, traffic_requirement const& of) {
  if (run.network() == nullptr)
    throw invalid_argument(
        "lower bounds of a record without a network: take the record of a machine's run");
  auto which = schedule_of(*run.network(), run.options());
  auto const& counts = run.counts();
  which.never_queues = which.never_queues || counts.queued == 0;
  which.one_message_on_a_link = which.one_message_on_a_link || counts.contention <= 1;
  which.in_steps = std::ranges::all_of(run.steps().stretches(), [](step_stretch const& one) {
    return one.first.words >= one.first.largest;
  });
  return bounds_of(which, of).all();
}

lower_bound const* strongest(std::vector<lower_bound> const& bounds, std::string_view figure) {
  lower_bound const* found = nullptr;
  for (auto const& one : bounds)
    if (one.figure == figure && (found == nullptr || one.value > found->value)) found = &one;
  return found;
}

bool holds(lower_bound const& bound, counts const& measured) {
  return metric_value(measured, bound.figure) >= bound.value;
}

}  // namespace lockstep
