#include "checked_topology.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <utility>

#include <lockstep/detail/built_in_network.hpp>
#include <lockstep/detail/enumerator_check.hpp>
#include <lockstep/detail/rank_check.hpp>

#include "search_tables.hpp"

namespace lockstep::detail {

namespace {

/// Most links, and most processors, that are looked at when a machine is made: some milliseconds.
constexpr int links_looked_at = 65'536;
/// Most senders whose routes are looked at.
constexpr int senders_looked_at = 65'536;
/// Most routes that are remembered, of all senders together: 64 MiB.
constexpr unsigned log_routes_remembered = 23;
/// Number of dimensions that a message's record can name.
constexpr int dimensions_of_ways = 8;

template <class Number>
std::string listed(std::span<Number const> all) {
  constexpr std::size_t most_listed = 12;
  if (all.empty()) return "nothing";
  auto const first = all.first(std::min(all.size(), most_listed));
  return fmt::format("{}{}", fmt::join(first, ", "), all.size() > most_listed ? ", ..." : "");
}

unsigned log2_ceil(int number) {
  return static_cast<unsigned>(std::bit_width(static_cast<unsigned>(number) - 1));
}

std::uint32_t key_of(along way) {
  auto const sign = way.offset < 0 ? 1U << 30U : 0U;
  return 1U << 31U | sign | static_cast<std::uint32_t>(way.dimension) << 26U |
         static_cast<std::uint32_t>(std::abs(way.offset));
}

}  // namespace

// --- answers that were found right ---

known_ends::known_ends(int processors)
    : m_every((processors - 1) / senders_looked_at + 1),
      m_bits(
          std::clamp(log2_ceil(processors), 1U,
                     log_routes_remembered - log2_ceil(std::min(processors, senders_looked_at)))),
      m_tables(static_cast<std::size_t>((processors - 1) / m_every + 1)) {}

known_ends::~known_ends() {
  for (auto const& table : m_tables) delete[] table.load();
}

std::size_t known_ends::place_of(std::uint32_t key) const {
  std::uint32_t place = 0;  // another one for each bit in which keys differ, as far as there are
  for (; key != 0; key >>= m_bits) place ^= key;
  return place & ((1U << m_bits) - 1);
}

std::optional<int> known_ends::find(int from, std::uint32_t key) const {
  if (!keeps(from)) return std::nullopt;
  auto const* const table = m_tables[index_of(from)].load(std::memory_order_acquire);
  if (table == nullptr) return std::nullopt;
  auto const found = table[place_of(key)].load(std::memory_order_relaxed);
  if (found >> 32U != std::uint64_t{key} + 1) return std::nullopt;
  return static_cast<int>(found & 0xFFFF'FFFF);
}

void known_ends::note(int from, std::uint32_t key, int value) {
  auto& held = m_tables[index_of(from)];
  auto* table = held.load(std::memory_order_acquire);
  if (table == nullptr) {
    auto made = std::make_unique<entry[]>(std::size_t{1} << m_bits);
    if (held.compare_exchange_strong(table, made.get(), std::memory_order_acq_rel))
      table = made.release();
  }
  table[place_of(key)].store((std::uint64_t{key} + 1) << 32U | static_cast<std::uint32_t>(value),
                             std::memory_order_relaxed);
}

// --- at creation ---

template <class... Arguments>
void checked_topology::throw_invalid(fmt::format_string<Arguments...> text,
                                     Arguments&&... arguments) const {
  throw invalid_topology(
      fmt::format("{}: {}", m_name, fmt::format(text, std::forward<Arguments>(arguments)...)));
}

checked_topology::checked_topology(std::shared_ptr<topology const> own,
                                   std::optional<switching> wanted)
    : m_own(std::move(own)),
      m_name(asked("a topology", "spec", [&] { return m_own->spec(); })),
      m_size(ask("size",
                 [&] {
                   int const size = m_own->size();
                   if (size < 1)
                     throw invalid_topology(fmt::format(
                         "{} has {} processors: a machine has one at least", m_name, size));
                   return size;
                 })),
      m_switching(wanted.has_value()
                      ? *wanted
                      : ask("default_switching", [&] { return m_own->default_switching(); })),
      m_known(m_size) {
  if (m_switching != switching::neighbour && m_switching != switching::cut_through)
    throw_invalid(
        "default_switching() says {}: give switching::neighbour or switching::cut_through",
        static_cast<int>(m_switching));
  look_at_links();
}

void checked_topology::look_at_links() const {
  std::vector<link> seen;
  int rank = 0;
  for (; rank < std::min(m_size, links_looked_at) && seen.size() < links_looked_at; ++rank)
    for (int const end : ask(
             "neighbours", [&] { return sorted_ends(*m_own, m_size, rank); }, rank))
      seen.push_back({rank, end});
  if (rank < m_size) return;
  if (links() != static_cast<link_number>(seen.size()))
    throw_invalid("links() says {}, but `neighbours` names {} links in all; let both agree",
                  links(), seen.size());
  for (auto const [from, to] : seen)
    if (look_at_link(from, to) < 0)
      throw_invalid(
          "neighbours({}) names processor {}, but number_of({{{}, {}}}) says that there is no such "
          "link; let both agree",
          from, to, from, to);
}

// --- links ---

link_number checked_topology::links() const {
  auto known = m_links.load(std::memory_order_relaxed);
  if (known != not_asked) return known;
  auto const told = ask("links", [&] { return m_own->links(); });
  if (told < 0 || told > link_number{m_size} * (m_size - 1))
    throw_invalid("links() says {}: {} processors have 0 to {} links", told, m_size,
                  link_number{m_size} * (m_size - 1));
  return m_links.compare_exchange_strong(known, told) ? told : known;
}

link checked_topology::link_at(link_number number) const {
  auto const which = ask(
      "link_at", [&] { return m_own->link_at(number); }, number);
  if (!has_rank(m_size, which.from) || !has_rank(m_size, which.to))
    throw_invalid("link_at({}) says {{{}, {}}}: processors are 0 to {}", number, which.from,
                  which.to, m_size - 1);
  return which;
}

link_number checked_topology::asked_number(int from, int to) const {
  auto const number = ask(
      "number_of",
      [&] {
        return m_own->number_of({from, to});
      },
      from, to);
  if (number < -1 || number >= links())
    throw_invalid(
        "number_of({{{}, {}}}) says {}: the {} links have the numbers 0 to {}, and -1 stands for "
        "no link",
        from, to, number, links(), links() - 1);
  return number;
}

link_number checked_topology::number_of(link which) const {
  auto const number = asked_number(which.from, which.to);
  if (number < 0)
    throw_invalid("number_of({{{}, {}}}) says that there is no such link, and a message takes it",
                  which.from, which.to);
  return number;
}

/// Gives its number, or -1. All functions that know of links have to say the same of it.
link_number checked_topology::look_at_link(int from, int to) const {
  auto const number = asked_number(from, to);
  bool const joined = ask(
      "adjacent", [&] { return m_own->adjacent(from, to); }, from, to);
  if (joined != (number >= 0))
    throw_invalid("adjacent({}, {}) says {}, but number_of({{{}, {}}}) says {}; let both agree",
                  from, to, joined, from, to, number);
  if (number < 0) return number;
  if (auto const there = link_at(number); there != link{from, to})
    throw_invalid("number_of({{{}, {}}}) says {}, but link_at({}) says {{{}, {}}}; let both agree",
                  from, to, number, number, there.from, there.to);
  return number;
}

bool checked_topology::adjacent(int from, int to) const {
  auto const key = static_cast<std::uint32_t>(to);
  if (m_known.find(from, key)) return true;
  if (!m_known.keeps(from))
    return ask(
        "adjacent", [&] { return m_own->adjacent(from, to); }, from, to);
  if (look_at_link(from, to) < 0) return false;
  m_known.note(from, key, 1);
  return true;
}

// --- routes ---

template <class CallText>
void checked_topology::require_route(CallText const& call, std::vector<int> const& stops,
                                     int to) const {
  std::span<int const> const all(stops);
  if (std::ranges::any_of(all, [&](int stop) { return !has_rank(m_size, stop); }))
    throw_invalid("{} says {}: processors are 0 to {}", call(), listed(all), m_size - 1);
  if (all.empty() || all.back() != to)
    throw_invalid(
        "{} says {}: it has to name the processors that a message comes to, and end with "
        "processor {}",
        call(), listed(all), to);
}

template <class CallText>
std::vector<link_number> checked_topology::links_along(CallText const& call, int from,
                                                       std::vector<int> const& stops) const {
  std::vector<link_number> numbers;
  numbers.reserve(stops.size());
  for (int const to : stops) {
    numbers.push_back(look_at_link(from, to));
    if (numbers.back() < 0)
      throw_invalid(
          "{} says {}, but there is no link from processor {} to processor {}; a route follows "
          "links",
          call(), listed(std::span<int const>(stops)), from, to);
    from = to;
  }
  return numbers;
}

std::vector<int> checked_topology::route(int from, int to) const {
  if (to_neighbours()) return {to};
  auto stops = ask(
      "route", [&] { return m_own->route(from, to); }, from, to);
  require_route([&] { return fmt::format("route({}, {})", from, to); }, stops, to);
  return stops;
}

int checked_topology::hops(int from, int to) const {
  auto const key = static_cast<std::uint32_t>(to);
  if (auto const known = m_known.find(from, key)) return *known;
  if (m_known.keeps(from)) {
    auto const length = look_at_route(from, to);
    m_known.note(from, key, length);
    return length;
  }
  auto const length = ask(
      "hops", [&] { return m_own->hops(from, to); }, from, to);
  if (length < 1)
    throw_invalid("hops({}, {}) says {}: between two processors there is one link at least", from,
                  to, length);
  return length;
}

/// Gives its length.
int checked_topology::look_at_route(int from, int to) const {
  auto const call = [&] { return fmt::format("route({}, {})", from, to); };
  auto const stops = route(from, to);
  auto numbers = links_along(call, from, stops);
  std::ranges::sort(numbers);
  if (std::ranges::adjacent_find(numbers) != numbers.end())
    throw_invalid("{} says {}, and so takes a link twice; a route takes each link once", call(),
                  listed(std::span<int const>(stops)));
  auto const length = ask(
      "hops", [&] { return m_own->hops(from, to); }, from, to);
  if (!std::cmp_equal(length, stops.size()))
    throw_invalid("hops({}, {}) says {}, but {} says {}, which are {} links; let both agree", from,
                  to, length, call(), listed(std::span<int const>(stops)), stops.size());
  if (auto const told = asked_links(from, to); told != numbers)
    throw_invalid(
        "append_links({}, {}) gives the links {}, but the route, {}, takes the links {}; let "
        "both agree",
        from, to, listed(std::span<link_number const>(told)), listed(std::span<int const>(stops)),
        listed(std::span<link_number const>(numbers)));
  if (length > 1 && ask("always_one_link", [&] { return m_own->always_one_link(); }))
    throw_invalid("always_one_link() says true, but {} says {}, which are {} links; let both agree",
                  call(), listed(std::span<int const>(stops)), length);
  return length;
}

std::vector<link_number> checked_topology::asked_links(int from, int to) const {
  std::vector<link_number> told;
  ask(
      "append_links", [&] { m_own->append_links(from, to, told); }, from, to);
  for (auto const number : told)
    if (number < 0 || number >= links())
      throw_invalid("append_links({}, {}) gives the link {}: the {} links have the numbers 0 to {}",
                    from, to, number, links(), links() - 1);
  std::ranges::sort(told);
  if (auto const twice = std::ranges::adjacent_find(told); twice != told.end())
    throw_invalid("append_links({}, {}) gives the link {} twice; a route takes each link once",
                  from, to, *twice);
  return told;
}

void checked_topology::append_links(int from, int to, std::vector<link_number>& links) const {
  if (to_neighbours()) return links.push_back(number_of({from, to}));
  auto const told = asked_links(from, to);
  links.insert(links.end(), told.begin(), told.end());
}

// --- ways along a dimension ---

int checked_topology::end_of(int from, along way) const {
  if (way.dimension >= dimensions_of_ways)
    throw invalid_argument(
        fmt::format("{}: a way along dimension {}: messages go along dimensions 0 to {}; send to a "
                    "rank instead",
                    m_name, way.dimension, dimensions_of_ways - 1));
  if (auto const known = m_known.find(from, key_of(way))) return *known;
  auto const end = ask(
      "end_of", [&] { return m_own->end_of(from, way); }, from, way.dimension, way.offset);
  if (!has_rank(m_size, end))
    throw_invalid("end_of({}, {{{}, {}}}) says {}: processors are 0 to {}", from, way.dimension,
                  way.offset, end, m_size - 1);
  if (end == from || !m_known.keeps(from)) return end;
  look_at_way(from, way);
  m_known.note(from, key_of(way), end);
  return end;
}

void checked_topology::look_at_way(int from, along way) const {
  auto const call = [&] {
    return fmt::format("route({}, {{{}, {}}})", from, way.dimension, way.offset);
  };
  static_cast<void>(links_along(call, from, route(from, way)));
}

std::vector<int> checked_topology::route(int from, along way) const {
  auto const call = [&] {
    return fmt::format("route({}, {{{}, {}}})", from, way.dimension, way.offset);
  };
  auto const end = ask(
      "end_of", [&] { return m_own->end_of(from, way); }, from, way.dimension, way.offset);
  auto stops = ask(
      "route", [&] { return m_own->route(from, way); }, from, way.dimension, way.offset);
  require_route(call, stops, end);
  auto const length = std::abs(std::int64_t{way.offset});
  if (!std::cmp_equal(stops.size(), length))
    throw_invalid("{} says {}: a way of {} links names as many processors", call(),
                  listed(std::span<int const>(stops)), length);
  return stops;
}

// --- parts ---

std::shared_ptr<topology const> checked_topology::part(std::span<int const> members) const {
  auto part = ask(
      "part", [&] { return m_own->part(members); }, listed(members));
  if (part == nullptr)
    throw_invalid("part({}) gives no topology; give one, such as topology::part", listed(members));
  int const size = part->size();
  if (!std::cmp_equal(size, members.size()))
    throw_invalid("part({}) gives {} with {} processors, for {} members", listed(members),
                  part->spec(), size, members.size());
  return part;
}

std::vector<int> checked_topology::dimensions_of_part(std::span<int const> members) const {
  return ask(
      "dimensions_of_part", [&] { return m_own->dimensions_of_part(members); }, listed(members));
}

// --- networks that are checked ---

std::shared_ptr<topology const> checked(std::shared_ptr<topology const> network,
                                        std::optional<switching> wanted) {
  if (dynamic_cast<built_in_network const*>(network.get()) != nullptr) return network;
  return std::make_shared<checked_topology const>(std::move(network), wanted);
}

std::shared_ptr<topology const> unchecked(std::shared_ptr<topology const> const& network) {
  auto const* const own = dynamic_cast<checked_topology const*>(network.get());
  return own == nullptr ? network : own->own();
}

std::vector<int> checked_members(topology const& network, int rank, dimensions const& varying) {
  auto const name = network.spec();
  auto const ask = [&](int of) {
    return asked(
        name, "members", [&] { return network.members(of, varying); }, of,
        listed(std::span<int const>(varying.list)));
  };
  auto members = ask(rank);
  bool const ascending =
      std::ranges::adjacent_find(members, std::greater_equal<>()) == members.end();
  bool const in_range = std::ranges::all_of(
      members, [size = network.size()](int member) { return has_rank(size, member); });
  if (!ascending || !in_range || !std::ranges::binary_search(members, rank))
    throw invalid_topology(fmt::format(
        "{}: members({}, {{{}}}) says {}: it has to name processors of 0 to {} in rank order, "
        "processor {} among them",
        name, rank, fmt::join(varying.list, ", "), listed(std::span<int const>(members)),
        network.size() - 1, rank));
  bool const trusted = dynamic_cast<built_in_network const*>(&network) != nullptr;
  if (trusted || members.front() == rank || ask(members.front()) == members) return members;
  throw invalid_topology(
      fmt::format("{}: members({}, {{{}}}) says {}, but members({}, ...) says something else; let "
                  "members of one part agree",
                  name, rank, fmt::join(varying.list, ", "), listed(std::span<int const>(members)),
                  members.front()));
}

}  // namespace lockstep::detail
