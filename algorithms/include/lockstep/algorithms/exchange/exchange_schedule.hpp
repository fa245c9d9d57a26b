#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <source_location>
#include <string>
#include <vector>

#include <lockstep/topology.hpp>

namespace lockstep {

namespace detail {
class derived_values;
class exchange_plans;
}  // namespace detail

/// How the complete exchange treats sizes.
enum class exchange_scheme : std::uint8_t {
  paper,          ///< sizes as the paper has them: multiples of four (torus) or even (mesh), n >= 2
  virtual_nodes,  ///< any sizes: each dimension is filled up with virtual nodes
  stride_2        ///< torus, any sizes: rings of every second node, one dimension after the other
};

/// The choices of a complete exchange. Dimensions are numbered from 0.
struct exchange_choice {
  exchange_scheme scheme = exchange_scheme::virtual_nodes;
  /// The dimensions in groups of two or more, whose ring phases follow one another; each group in
  /// the order in which the rule takes its dimensions. Empty: all in one, in the paper's order.
  std::vector<std::vector<int>> groups{};
  /// The order in which the rule takes the dimensions where partners are at distance 2. Empty: the
  /// paper's.
  std::vector<int> partner_order{};
};

/// The plan of a complete exchange, known to all processors: its phases, the dimension along which
/// each node sends in each of their steps, and the processor that does the work of a virtual node.
///
/// A network whose sizes do not fit is thought of as a part of one whose sizes do: N_k is filled up
/// to N'_k, a multiple of the rings' stride S. A node of that larger network at coordinate t >= N_k
/// is hosted by t - S, the node before it in its own ring, and holds blocks of real nodes only, on
/// their way to real nodes. One dimension alone is thought of as 1 x N.
///
/// **Source** Suh and Shin 2001, sections 3.1.2, 3.2 and 4; virtual nodes are named in section 6
/// without saying which processor does their work; stride 2 and groups are lockstep's.
class exchange_schedule {
 public:
  static constexpr int most_dimensions = 8;
  static constexpr int nobody = -1;
  using coordinates = std::array<int, most_dimensions>;

  /// Steps in which all send alike: along rings, or to partners and back.
  struct phase {
    std::string name;
    bool in_rings = false;
    int distance = 1;          ///< of neighbours in a ring, or of partners
    std::vector<int> order;    ///< the dimensions as the rule takes them
    int number = 1;            ///< of a ring phase: which one of its group, from 1
    int steps = 0;             ///< of the larger network
    int exchanges_before = 0;  ///< steps of earlier phases in which partners exchange
  };
  /// A step of a phase.
  struct phase_step {
    std::size_t phase = 0;
    int step = 1;
  };
  using moment = phase_step;  ///< its former name

  /// A dimension, and which way round: +1 or -1.
  struct direction {
    int dimension = 0;
    int sign = 1;

    friend bool operator==(direction const&, direction const&) = default;
  };

  /// Errors: invalid_argument for a network or a choice that does not fit (`unsupported_reason`).
  explicit exchange_schedule(topology const& network, exchange_choice choice = {},
                             std::source_location where = std::source_location::current());

  /// Gives the schedule of a network that is made without a choice. It is made once, and lives as
  /// long as that network object.
  /// Errors: invalid_argument for a network that does not fit. Safe to call from many threads.
  [[nodiscard]] static exchange_schedule const& of(
      topology const& network, std::source_location where = std::source_location::current());
  /// Gives the same, or null for a network that is not a torus or mesh.
  [[nodiscard]] static exchange_schedule const* of_grid(topology const& network);

  /// Tells why this network does not fit the choice, with examples that fit; empty if it fits.
  [[nodiscard]] static std::string unsupported_reason(topology const& network,
                                                      exchange_choice const& choice);
  /// The former name of `unsupported_reason`.
  [[nodiscard]] static std::string why_not(topology const& network, exchange_choice const& choice) {
    return unsupported_reason(network, choice);
  }

  /// Errors: invalid_argument for another network than that for which the schedule was made.
  void require_made_for(topology const& network,
                        std::source_location where = std::source_location::current()) const;

  [[nodiscard]] exchange_choice const& choice() const { return m_choice; }
  /// Number of processors.
  [[nodiscard]] int processors() const { return m_processors; }
  [[nodiscard]] std::vector<phase> const& phases() const { return m_phases; }
  /// Steps of the larger network: more than its processors take where nothing is to be sent in a
  /// step, fewer where a host needs two steps for one.
  [[nodiscard]] int logical_steps() const;

  /// Number of dimensions; 2 for one dimension alone.
  [[nodiscard]] int dimensions() const { return static_cast<int>(m_sizes.size()); }
  /// N_k and N'_k.
  [[nodiscard]] int size(int dimension) const { return m_sizes[index(dimension)]; }
  [[nodiscard]] int filled_up(int dimension) const { return m_filled_up[index(dimension)]; }
  [[nodiscard]] bool has_virtual_nodes() const { return m_sizes != m_filled_up; }
  [[nodiscard]] bool wraps() const { return m_wraps; }
  /// Distance of neighbours in a ring: 4, or 2 on a mesh and with stride 2.
  [[nodiscard]] int stride() const { return m_stride; }

  /// The dimension that the node at these coordinates takes in a step of the phase, and which way
  /// round its ring goes (for partners the sign means nothing). In rings it is the same for all
  /// steps.
  [[nodiscard]] direction way(coordinates const& at, phase const& of, int step = 1) const;
  [[nodiscard]] direction way(coordinates const& at, phase_step when) const {
    return way(at, m_phases[when.phase], when.step);
  }
  /// Steps in which partners exchange come in pairs, across phases, for which the data array is
  /// laid once.
  [[nodiscard]] bool begins_pair(phase_step when) const;
  /// The step before or after it in which partners exchange, if there is one.
  [[nodiscard]] std::optional<phase_step> exchange_before(phase_step when) const;
  [[nodiscard]] std::optional<phase_step> exchange_after(phase_step when) const;
  [[nodiscard]] int ring_length(int dimension) const { return filled_up(dimension) / m_stride; }

  [[nodiscard]] bool is_real(coordinates const& at) const;
  /// Which real coordinate does the work of this one; `nobody` for one that never has any.
  [[nodiscard]] int host(int dimension, int coordinate) const;
  /// The nodes, itself first, whose work this processor does, in the order of their ranks in the
  /// larger network.
  [[nodiscard]] std::vector<coordinates> hosted_by(int rank) const;
  /// The processor that does the work of the node at these coordinates.
  [[nodiscard]] int host_rank(coordinates const& at) const;
  /// Returns the weight of a coordinate in a rank.
  [[nodiscard]] int weight(int dimension) const { return m_weights[index(dimension)]; }
  /// The way between the hosts of two nodes that differ in one dimension: round their ring, or, for
  /// partners, the shorter way.
  [[nodiscard]] along route(phase const& of, direction way, int from, int to) const;

 private:
  friend class detail::exchange_plans;
  [[nodiscard]] static std::size_t index(int i) { return static_cast<std::size_t>(i); }
  void add_ring_phases(std::vector<int> const& group);
  void add_exchange_phase(int distance, std::vector<int> const& order);

  exchange_choice m_choice;
  std::string m_network;  ///< its specification
  int m_processors = 1;
  std::vector<int> m_sizes;
  std::vector<int> m_filled_up;
  std::vector<int> m_weights;
  std::vector<phase> m_phases;
  bool m_wraps = false;
  int m_stride = 2;
  int m_added = 0;  ///< dimensions that the network itself does not have
  std::shared_ptr<detail::derived_values> m_derived;  ///< made from all this, shared by copies
};

/// Finds the length of the longest ring in use in each ring phase of a group of dimensions.
/// `lengths` are those of their rings, in the order in which the rule takes them. Of k dimensions
/// those in the first max(p, k + 1 - p) places are in use in phase p.
[[nodiscard]] std::vector<int> longest_rings(std::vector<int> const& lengths);

/// Finds dimension and direction of the node `at` in ring phase 1 .. n (Suh and Shin 2001, 3.1.2
/// and 3.2): in two dimensions by (r + c) mod 4; in dimension k > 2 nodes in an even unit follow
/// the pattern of k - 1 dimensions first and dimension k last, those in an odd unit dimension k
/// first. `order` lists the dimensions as the rule takes them, n >= 2.
[[nodiscard]] exchange_schedule::direction axis_and_sign(exchange_schedule::coordinates const& at,
                                                         std::vector<int> const& order, int phase);

}  // namespace lockstep
