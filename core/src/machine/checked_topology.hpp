#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <lockstep/errors.hpp>
#include <lockstep/topology.hpp>

namespace lockstep::detail {

/// Asks a topology. lockstep's own errors pass; any other exception is nested in invalid_topology.
template <class Call, class... Arguments>
auto asked(std::string_view network, std::string_view function, Call&& call,
           Arguments const&... arguments) {
  try {
    return call();
  } catch (error const&) {
    throw;
  } catch (std::bad_alloc const&) {
    throw;
  } catch (std::exception const& thrown) {
    std::string text;
    ((text += fmt::format("{}{}", text.empty() ? "" : ", ", arguments)), ...);
    std::throw_with_nested(invalid_topology(
        fmt::format("{}: {}({}) threw \"{}\", which is nested; let it answer for all processors",
                    network, function, text, thrown.what())));
  }
}

/// Routes that were looked at and found right: for each sender a table of the latest ends, and in a
/// large network for some senders only, evenly spaced.
/// Any number of threads may use it. Of two ends that want one place the later one stays.
class known_ends {
 public:
  explicit known_ends(int processors);
  ~known_ends();
  known_ends(known_ends const&) = delete;
  known_ends& operator=(known_ends const&) = delete;

  /// Tells whether it has a table for that sender.
  [[nodiscard]] bool keeps(int from) const { return from % m_every == 0; }
  /// Finds what was noted for that key.
  [[nodiscard]] std::optional<int> find(int from, std::uint32_t key) const;
  /// Notes a value, 0 or more, for a sender that it keeps.
  void note(int from, std::uint32_t key, int value);

 private:
  using entry = std::atomic<std::uint64_t>;

  [[nodiscard]] std::size_t place_of(std::uint32_t key) const;

  [[nodiscard]] std::size_t index_of(int from) const {
    return static_cast<std::size_t>(from / m_every);
  }

  int m_every;      ///< one sender in this many has a table
  unsigned m_bits;  ///< of 2^m_bits places
  std::vector<std::atomic<entry*>> m_tables;
};

/// A user's own topology, as a machine asks it: each answer is checked before anything is done with
/// it.
///
/// At creation it checks size, switching, and the links of the first 65,536 processors, or the
/// first 65,536 links; where these are all links, their numbers and `links()`, too. At the first
/// use of a route or way it checks whether that follows links from its beginning to its end, and
/// whether hops, numbers of links and the like agree with it. The part that is right is
/// remembered (for 2^23 routes, the latest of each sender). On more than 65,536 processors the
/// routes of that many senders are looked at, evenly spaced. The numbers of links and processors
/// are always checked to be within bounds.
/// Errors: invalid_topology, which names the function, its arguments and what it said.
class checked_topology final : public topology {
 public:
  checked_topology(std::shared_ptr<topology const> own, std::optional<switching> wanted);

  /// The topology itself.
  [[nodiscard]] std::shared_ptr<topology const> const& own() const { return m_own; }

  [[nodiscard]] int size() const override { return m_size; }
  [[nodiscard]] std::vector<neighbour> neighbours(int rank) const override {
    return m_own->neighbours(rank);
  }
  [[nodiscard]] std::string spec() const override { return m_name; }
  [[nodiscard]] switching default_switching() const override { return m_switching; }

  [[nodiscard]] link_number links() const override;
  [[nodiscard]] link link_at(link_number number) const override;
  /// Errors: invalid_topology unless the two are joined.
  [[nodiscard]] link_number number_of(link which) const override;
  [[nodiscard]] bool adjacent(int from, int to) const override;

  // With neighbour switching a message goes over the link, whatever the topology's route is.
  [[nodiscard]] std::vector<int> route(int from, int to) const override;
  [[nodiscard]] int hops(int from, int to) const override;
  /// Appends them in the order of their numbers.
  void append_links(int from, int to, std::vector<link_number>& links) const override;

  [[nodiscard]] int end_of(int from, along way) const override;
  [[nodiscard]] std::vector<int> route(int from, along way) const override;

  [[nodiscard]] std::shared_ptr<topology const> part(std::span<int const> members) const override;
  [[nodiscard]] std::vector<int> dimensions_of_part(std::span<int const> members) const override;

 private:
  static constexpr link_number not_asked = -1;

  [[nodiscard]] bool to_neighbours() const { return m_switching == switching::neighbour; }

  void look_at_links() const;
  [[nodiscard]] link_number look_at_link(int from, int to) const;
  [[nodiscard]] int look_at_route(int from, int to) const;
  void look_at_way(int from, along way) const;
  /// `call` gives the text of the call that gave this route.
  template <class CallText>
  void require_route(CallText const& call, std::vector<int> const& stops, int to) const;
  /// Gives the numbers of the links from there on.
  template <class CallText>
  [[nodiscard]] std::vector<link_number> links_along(CallText const& call, int from,
                                                     std::vector<int> const& stops) const;
  [[nodiscard]] link_number asked_number(int from, int to) const;
  [[nodiscard]] std::vector<link_number> asked_links(int from, int to) const;

  template <class Call, class... Arguments>
  auto ask(std::string_view function, Call&& call, Arguments const&... arguments) const {
    return asked(m_name, function, call, arguments...);
  }
  template <class... Arguments>
  [[noreturn]] void throw_invalid(fmt::format_string<Arguments...> text,
                                  Arguments&&... arguments) const;

  std::shared_ptr<topology const> m_own;
  std::string m_name;
  int m_size;
  switching m_switching;
  mutable std::atomic<link_number> m_links = not_asked;
  mutable known_ends m_known;
};

/// Gives what a machine asks: one of the library's networks itself, any other one checked.
/// Errors: invalid_topology.
[[nodiscard]] std::shared_ptr<topology const> checked(std::shared_ptr<topology const> network,
                                                      std::optional<switching> wanted);

/// Gives what a program sees: the topology itself.
[[nodiscard]] std::shared_ptr<topology const> unchecked(
    std::shared_ptr<topology const> const& network);

/// Asks `network.members(rank, varying)`, and checks the answer.
/// Errors: invalid_topology.
[[nodiscard]] std::vector<int> checked_members(topology const& network, int rank,
                                               dimensions const& varying);

}  // namespace lockstep::detail
