#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>

#include <lockstep/algorithms/collectives/collective_operation.hpp>
#include <lockstep/algorithms/collectives/collective_scheme.hpp>
#include <lockstep/algorithms/collectives/detail/rank_axes.hpp>
#include <lockstep/detail/collectives_memo.hpp>
#include <lockstep/processor.hpp>

namespace lockstep::detail {

/// A call of a collective: what there is to choose a scheme by.
struct asked_collective {
  collective_operation operation;
  collective_scheme scheme = collective_scheme::automatic;
  std::size_t elements = 1;  ///< of the vector, or of a processor's block
  bool reorders = true;      ///< whether operands may be combined in another order
  std::optional<std::uint64_t> startup_words{};
  bool neighbours_only = false;  ///< messages go to adjacent processors only
  std::uint64_t packet = 1;      ///< words in a packet of the machine
  bool all_ports = false;        ///< a processor uses all of its links in a step (`ports::all`)
  int root = 0;                  ///< with all ports the tree's rounds depend on it
};

/// How messages of a machine travel, as far as schemes depend on it.
struct scheme_rules {
  bool neighbours_only;
  std::uint64_t packet;
  bool all_ports = false;
};

/// The last answer for each operation on a network, and others on machines with packets of more than a
/// word or with all ports, each kept in one word that any thread may read: most programs ask the same
/// again, each processor of them.
class scheme_memory {
 public:
  scheme_memory() = default;

  /// Gives the answer to the usual question, without a price and in words, on a machine where a processor
  /// has one port, if that was the last one: most calls need nothing else.
  [[nodiscard]] std::optional<collective_scheme> usual(asked_collective const& asked,
                                                       bool neighbours_only) const {
    if (asked.startup_words) return std::nullopt;
    return usual(asked.operation, asked.scheme, asked.elements, asked.reorders, neighbours_only);
  }
  [[nodiscard]] std::optional<collective_scheme> usual(collective_operation operation,
                                                       collective_scheme scheme,
                                                       std::size_t elements, bool reorders,
                                                       bool neighbours_only) const {
    if (elements >> of_words.elements != 0) return std::nullopt;
    auto const question = head_of(scheme, reorders, neighbours_only)
                              << (of_words.price + of_words.elements) |
                          elements;
    auto const known = m_last[static_cast<std::size_t>(operation)].load(std::memory_order_relaxed);
    if (known >> answer_bits != question) return std::nullopt;
    return static_cast<collective_scheme>(known & ((1U << answer_bits) - 1U));
  }

  /// `rules`: those by which messages travel, in place of the question's.
  template <class Find>
  [[nodiscard]] collective_scheme scheme(asked_collective const& asked, scheme_rules const& rules,
                                         Find const& find) const {
    auto const question = packed(asked, rules);
    if (!question) return find();
    auto& kept = rules.all_ports     ? m_last_by_all_ports
                 : rules.packet == 1 ? m_last
                                     : m_last_in_packets;
    auto& last = kept[static_cast<std::size_t>(asked.operation)];
    auto const known = last.load(std::memory_order_relaxed);
    if (known >> answer_bits == *question)
      return static_cast<collective_scheme>(known & ((1U << answer_bits) - 1U));
    auto const found = find();
    last.store(*question << answer_bits | static_cast<std::uint64_t>(found),
               std::memory_order_relaxed);
    return found;
  }

 private:
  static constexpr unsigned answer_bits = 4;

  /// How many bits the numbers of a question take, at most 53 together.
  struct number_bits {
    unsigned price;
    unsigned elements;
    unsigned packet;
    unsigned root;
  };
  static constexpr number_bits of_words{22, 31, 0, 0};
  static constexpr number_bits of_packets{20, 20, 13, 0};
  static constexpr number_bits of_all_ports{12, 21, 0, 20};

  /// Packs what takes as many bits in any question; never 0, and more bits for a scheme that there is not.
  [[nodiscard]] static constexpr std::uint64_t head_of(collective_scheme scheme, bool reorders,
                                                       bool neighbours_only) {
    return (((1U << answer_bits) + static_cast<std::uint64_t>(scheme)) << 1U |
            static_cast<std::uint64_t>(reorders))
               << 1U |
           static_cast<std::uint64_t>(neighbours_only);
  }

  /// Packs a question into 60 bits, never 0; nothing where a number is too large.
  [[nodiscard]] static std::optional<std::uint64_t> packed(asked_collective const& asked,
                                                           scheme_rules const& rules) {
    if (asked.scheme > collective_scheme::two_way) [[unlikely]]
      static_cast<void>(lockstep::name_of(asked.scheme));  // which there is not
    auto const price = asked.startup_words ? *asked.startup_words + 1 : 0;
    auto const packet = rules.packet - 1;
    auto const root = rules.all_ports ? static_cast<std::uint64_t>(asked.root) : 0;
    auto const& bits = rules.all_ports ? of_all_ports : packet == 0 ? of_words : of_packets;
    if (asked.elements >> bits.elements != 0 || price >> bits.price != 0 ||
        packet >> bits.packet != 0 || root >> bits.root != 0)
      return std::nullopt;
    auto word = head_of(asked.scheme, asked.reorders, rules.neighbours_only);
    word = word << bits.price | price;
    word = word << bits.packet | packet;
    word = word << bits.root | root;
    return word << bits.elements | asked.elements;
  }

  static constexpr std::size_t operations = 10;
  mutable std::array<std::atomic<std::uint64_t>, operations> m_last{};
  mutable std::array<std::atomic<std::uint64_t>, operations> m_last_in_packets{};
  mutable std::array<std::atomic<std::uint64_t>, operations> m_last_by_all_ports{};
};

/// The axes and the schemes of a network, which each call needs, found by one look-up.
struct known_network {
  rank_axes const& axes;
  scheme_memory schemes;
};

/// The network of a machine with one port and packets of a word, on which most collectives are called.
struct collectives_memo {
  known_network const& network;
  bool neighbours_only;
};

}  // namespace lockstep::detail
