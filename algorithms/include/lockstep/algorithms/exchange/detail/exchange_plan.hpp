#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include <lockstep/algorithms/exchange/detail/axis_lists.hpp>
#include <lockstep/algorithms/exchange/detail/block_layout.hpp>
#include <lockstep/algorithms/exchange/exchange_schedule.hpp>

namespace lockstep::detail {

/// How the data array of a node lies: box by box, and the size of each array.
struct array_layout {
  block_layout boxes{};
  array_sizes sizes{};

  friend bool operator==(array_layout const&, array_layout const&) = default;
};

/// How to copy what stays of a piece in a ring phase.
struct kept_blocks {
  copy_plan copy{};              ///< if they are from the first source of the ring
  std::size_t source_apart = 0;  ///< how far those from the next source of the ring lie

  friend bool operator==(kept_blocks const&, kept_blocks const&) = default;
};

/// A node's plan for its data array in a complete exchange: how it lies before and after each
/// step, which parts go, stay, and are copied. Nodes of one class do the same, each with
/// other blocks, so that they share a plan.
struct exchange_plan {
  struct ring_phase {
    int dimension = 0;
    array_layout next{};      ///< of the phase after it, where that which stays is put
    std::size_t across = 0;   ///< blocks from one source along the ring for one destination
    std::size_t staying = 0;  ///< blocks from one source for the node's own submesh
    std::vector<kept_blocks> kept{};

    friend bool operator==(ring_phase const&, ring_phase const&) = default;
  };
  struct exchange_step {
    int dimension = 0;
    bool is_first = false;    ///< of a pair
    std::size_t going = 0;    ///< blocks
    std::size_t staying = 0;  ///< of the second array
    std::size_t coming = 0;
    array_layout after{};
    /// Behind a pair that another one follows: how the data array is laid for that one.
    bool is_rearranged = false;
    array_layout next{};
    std::vector<copy_plan> rearrangement{};

    friend bool operator==(exchange_step const&, exchange_step const&) = default;
  };

  exchange_plan(exchange_schedule const& schedule, exchange_schedule::coordinates const& at);

  array_layout start{};  ///< as the blocks are written
  std::vector<ring_phase> rings;
  std::vector<exchange_step> exchanges;  ///< of all phases, one after another

  friend bool operator==(exchange_plan const&, exchange_plan const&) = default;
};

/// The plans by which all nodes of an exchange go, each made when its first node asks for it.
/// Any number of threads may ask at the same time.
class exchange_plans {
 public:
  using coordinates = exchange_schedule::coordinates;
  /// More classes do not share: then about as many plans as nodes would be kept.
  static constexpr std::size_t most_classes = 1024;

  explicit exchange_plans(exchange_schedule const& schedule);

  /// Finds those of a schedule, which it shares with its copies.
  [[nodiscard]] static exchange_plans const& of(exchange_schedule const& schedule);

  [[nodiscard]] axis_lists const& along(int dimension) const {
    return m_axes[static_cast<std::size_t>(dimension)];
  }

  /// Number of classes: nodes of one class take the same dimensions in all phases, and have as many
  /// real nodes in their submeshes and rings. Where a size needs no virtual nodes both follow from
  /// whether the coordinate is even.
  [[nodiscard]] std::size_t classes() const { return m_classes; }
  [[nodiscard]] std::size_t class_of(coordinates const& at) const;

  /// Finds the plan of the node's class; nullptr where classes do not share.
  [[nodiscard]] exchange_plan const* find(exchange_schedule const& schedule,
                                          coordinates const& at) const;

 private:
  struct axis_classes {
    int residues = 2;                ///< that count
    bool has_virtual_nodes = false;  ///< so that the last submesh is another one
  };
  using shared_plan = std::atomic<exchange_plan const*>;

  std::vector<axis_lists> m_axes;
  std::vector<axis_classes> m_axis_classes;
  std::size_t m_classes = 1;
  std::unique_ptr<shared_plan[]> m_known;  ///< one for each class
  mutable std::mutex m_one_at_a_time;
  mutable std::vector<std::unique_ptr<exchange_plan const>> m_all;
};

}  // namespace lockstep::detail
