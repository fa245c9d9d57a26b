#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <lockstep/detail/debug_containers.hpp>

namespace lockstep {

class topology;

namespace detail {
class derived_values;
[[nodiscard]] derived_values& derived_values_of(topology const& network) noexcept;
}  // namespace detail

/// The way in which messages cross the network (counting rule 4).
enum class switching : std::uint8_t {
  neighbour,   ///< only adjacent processors may talk
  cut_through  ///< a message crosses its whole route in one step
};

/// A destination named by a way: that many links along a dimension, in the + or the - direction.
/// Torus and mesh have dimensions to go along.
struct along {
  int dimension = 0;
  int offset = 0;

  friend bool operator==(along const&, along const&) = default;
};

/// The dimensions that vary in a part of a machine (`processor::subset`): on a hypercube those of
/// the subcube, on a torus or mesh those of the row, plane, and so on.
struct dimensions {
  std::vector<int> list;

  dimensions(std::initializer_list<int> which) : list(which) {}
  explicit dimensions(std::vector<int> which) : list(std::move(which)) {}
};

/// A processor at the other end of a link, and the field's name for that link: "dimension 3",
/// "exchange", "shuffle", "unshuffle", "parent", "left child", "right child",
/// "+ along dimension 0".
struct neighbour {
  int rank = 0;
  std::string name;

  friend bool operator==(neighbour const&, neighbour const&) = default;
};

/// A directed link.
struct link {
  int from = 0;
  int to = 0;

  friend bool operator==(link const&, link const&) = default;
  friend auto operator<=>(link const&, link const&) = default;
};

using link_number = std::int64_t;

/// A dimension that `along` names.
struct network_axis {
  int size = 1;          ///< processors along it
  bool is_ring = false;  ///< whether the last is joined to the first, by a link of its own
};

/// A place in a picture: x to the right, y upwards, in units of a short link's length.
struct layout_point {
  double x = 0;
  double y = 0;
};

/// A network of processors 0 .. size()-1, joined by directed links.
///
/// A topology of your own gives `size`, `neighbours` and `spec`. Everything else has a definition
/// by breadth-first search over the links, which a regular network overrides by formula.
/// Objects are immutable once made, and safe to use from many threads.
/// Errors: invalid_rank for a rank outside 0 .. size()-1, unless a comment says otherwise;
/// where the links are searched, invalid_topology for impossible neighbours.
class topology {
 public:
  virtual ~topology() = default;

  /// Counts the processors: p >= 1.
  [[nodiscard]] virtual int size() const = 0;

  /// Lists the processors at the other end of `rank`'s outgoing links, each once, and the links'
  /// names.
  [[nodiscard]] virtual std::vector<neighbour> neighbours(int rank) const = 0;

  /// Gives what `parse` reads back, such as "torus:12x12"; for a topology of your own, its name.
  [[nodiscard]] virtual std::string spec() const = 0;

  /// Says how messages cross this network unless the machine's options do (counting rule 4).
  [[nodiscard]] virtual switching default_switching() const { return switching::cut_through; }

  /// Counts the directed links, which are numbered 0 .. links()-1.
  [[nodiscard]] virtual link_number links() const;
  /// Finds the link of that number. Errors: invalid_argument for one outside 0 .. links()-1.
  [[nodiscard]] virtual link link_at(link_number number) const;
  /// Finds the number of the link `from` -> `to`: -1 if they are not joined.
  [[nodiscard]] virtual link_number number_of(link which) const;
  /// Tells whether a link leads `from` -> `to`; false where either rank does not exist.
  [[nodiscard]] virtual bool adjacent(int from, int to) const;

  /// Counts the outgoing links of the processor that has most.
  [[nodiscard]] virtual int degree() const;
  /// Measures the longest of the shortest ways between two processors, in links.
  /// Errors: invalid_topology if one cannot reach another.
  [[nodiscard]] virtual int diameter() const;
  /// Counts the links (both directions once) in the smallest cut into halves, whose sizes differ by
  /// at most one, where that is proven; else gives nothing.
  [[nodiscard]] virtual std::optional<std::int64_t> bisection_width() const { return std::nullopt; }

  /// Lists the processors that a message from `from` to `to` comes to, `to` last: as many as hops,
  /// none if they are the same. Errors: invalid_topology if no way leads there.
  [[nodiscard]] virtual std::vector<int> route(int from, int to) const;
  /// Gives the length of that route, in links.
  [[nodiscard]] virtual int hops(int from, int to) const;
  /// Appends the numbers of the links on that route.
  virtual void append_links(int from, int to, std::vector<link_number>& links) const;
  /// Counts how many of the routes from `from` to `to` of these pairs take each link, where that is
  /// known faster than by going along each route: adds to `loads`, by the links' numbers, all 0
  /// before. False where it is not, which leaves `loads` as they are. A machine asks lockstep's own
  /// networks only.
  /// Cost: on a torus or mesh, time O(pairs + links).
  [[nodiscard]] virtual bool count_loads(std::span<link const> pairs,
                                         std::span<std::uint32_t> loads) const;

  /// Tells whether every route is a single link, so that no two messages ever share one.
  [[nodiscard]] virtual bool always_one_link() const { return false; }

  /// Lists the dimensions that `along` names; empty where processors are named by rank only.
  [[nodiscard]] virtual std::vector<network_axis> axes() const { return {}; }
  /// Gives the rank to which `way` leads from `from`.
  /// Errors: invalid_argument for a dimension that the network lacks; invalid_rank off the edge of
  /// a mesh.
  [[nodiscard]] virtual int end_of(int from, along way) const;
  /// Lists the processors on that way, the last one included: |way.offset| of them.
  [[nodiscard]] virtual std::vector<int> route(int from, along way) const;

  /// Gives the position in the network's own coordinates, such as a row and a column, or the bits
  /// of the rank; the rank alone in a network that has no others.
  [[nodiscard]] virtual std::vector<int> coordinates(int rank) const;
  /// Finds the processor at these coordinates.
  /// Errors: invalid_argument where no processor is there.
  [[nodiscard]] virtual int rank_at(std::span<int const> coordinates) const;
  /// The same for a list: `rank_at({1, 2})`. A network that overrides the other names this one, too,
  /// by `using topology::rank_at;`.
  [[nodiscard]] int rank_at(std::initializer_list<int> coordinates) const {
    return rank_at(std::span<int const>(coordinates.begin(), coordinates.size()));
  }

  /// Writes a processor's rank and position as a chart shows them: " 8 (1,2)". The ranks of a
  /// network are written equally wide.
  [[nodiscard]] virtual std::string label(int rank) const;
  /// Says what a reader of these labels has to know, such as "the tree lies on its side"; mostly
  /// nothing.
  [[nodiscard]] virtual std::string label_note() const { return {}; }
  /// Places each processor in a picture, in rank order: on a circle unless it is overridden.
  /// Cost: time and memory O(p).
  [[nodiscard]] virtual std::vector<layout_point> layout() const;

  /// Lists the processors that differ from `rank` at most in these dimensions, in rank order.
  /// Errors: invalid_argument for dimensions that the network lacks.
  [[nodiscard]] virtual std::vector<int> members(int rank, dimensions const& varying) const;
  /// Makes the network that these processors are by themselves: a hypercube for a subcube, a torus
  /// or mesh for a row, plane and so on of one, where they are in rank order; else a crossbar.
  /// Errors: invalid_argument for an empty list.
  [[nodiscard]] virtual std::shared_ptr<topology const> part(std::span<int const> members) const;
  /// Lists the dimensions of this network that those of `part(members)` stand for, in their order,
  /// for `along` in the part; an empty list where the part has no axes.
  [[nodiscard]] virtual std::vector<int> dimensions_of_part(std::span<int const> members) const;

 protected:
  topology();
  topology(topology const&);
  topology& operator=(topology const&);

 private:
  friend detail::derived_values& detail::derived_values_of(topology const& network) noexcept;
  class search_tables;  // made at first use
  [[nodiscard]] search_tables const& tables() const;
  mutable std::shared_ptr<search_tables> m_tables;
};

}  // namespace lockstep
