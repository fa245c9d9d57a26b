#pragma once

#include <cstddef>
#include <source_location>
#include <span>
#include <string>
#include <vector>

#include <lockstep/algorithms/exchange/exchange_schedule.hpp>
#include <lockstep/detail/debug_containers.hpp>

namespace lockstep {

/// One send of a node in a complete exchange.
struct exchange_send {
  exchange_schedule::phase_step when{};
  /// A ring phase, whose sends all go the same way, or one step of an exchange phase: numbered
  /// from 0.
  int part = 0;
};

/// Successive sends, by their numbers from 0.
struct send_range {
  std::size_t first = 0;
  std::size_t last = 0;

  friend bool operator==(send_range const&, send_range const&) = default;
};

/// Lists what a node sends, in the order of steps.
[[nodiscard]] std::vector<exchange_send> sends_of(exchange_schedule const& schedule,
                                                  exchange_schedule::coordinates const& at);

/// Tells whether one order of the data array can serve successive sends, each with one contiguous
/// piece that is received in place, in the order in which it came: those of one part, or of two, one with a
/// single send.
///
/// Of three parts it cannot: the blocks that go in their sends occur in all 8 combinations, and
/// three intervals make at most 7 parts of a line. Nor of two parts with two sends each: no order of
/// the 9 kinds of blocks does, where messages are stored as they come.
[[nodiscard]] bool one_order_serves(std::span<exchange_send const> sends);

/// Splits a node's sends into the fewest ranges that one order serves each, from the last send on:
/// between two of them the node lays its data array anew.
[[nodiscard]] std::vector<send_range> fewest_orders(std::span<exchange_send const> sends);

/// Why a complete exchange cannot do with fewer rearrangements: a node, and ranges of its sends of
/// which one order serves none. No two of them share a place between sends, so each needs a
/// rearrangement of its own.
struct order_certificate {
  exchange_schedule::coordinates at{};
  std::vector<exchange_send> sends{};
  std::vector<send_range> ranges{};  ///< as many as there are rearrangements
};

/// Finds the nodes that need the most rearrangements. Nodes may rearrange at different times; those
/// whose coordinates have the same parities do so at the same ones.
/// Errors: invalid_argument for a schedule with virtual nodes, groups or stride 2.
/// **Source** lockstep; Suh and Shin 2001, 3.2.3 and 4.2, count n + 1 on a torus and n on a mesh.
[[nodiscard]] order_certificate fewest_rearrangements(
    exchange_schedule const& schedule,
    std::source_location where = std::source_location::current());

/// Writes "2 at least, with messages stored as they come: no order serves sends 2 to 4, 4 to 6 of node (0, 0, 0)", sends counted from
/// 1.
[[nodiscard]] std::string text_of(order_certificate const& certificate,
                                  exchange_schedule const& schedule);

}  // namespace lockstep
