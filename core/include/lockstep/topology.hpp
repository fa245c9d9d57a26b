#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lockstep {

/// How messages cross the network (counting rule 4).
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

/// A network of processors 0 .. size()-1, joined by directed links.
///
/// A topology of your own gives `size`, `neighbours` and `spec`; everything else has a definition
/// by breadth-first search over the links, which a regular network overrides by formula.
/// Objects are immutable once made, and safe to use from many threads.
/// Errors: invalid_rank for a rank outside 0 .. size()-1, unless a comment says what comes then;
/// where the links are searched, invalid_topology for neighbours that cannot be.
class topology {
 public:
  virtual ~topology() = default;

  /// Number of processors, p >= 1.
  [[nodiscard]] virtual int size() const = 0;

  /// The processors at the other end of `rank`'s outgoing links, each once, and the links' names.
  [[nodiscard]] virtual std::vector<neighbour> neighbours(int rank) const = 0;

  /// What `parse` reads back, such as "torus:12x12"; for a topology of your own, its name.
  [[nodiscard]] virtual std::string spec() const = 0;

  /// neighbour on hypercube, shuffle-exchange and tree, cut_through elsewhere.
  [[nodiscard]] virtual switching default_switching() const { return switching::cut_through; }

  /// Number of directed links. They are numbered 0 .. links()-1.
  [[nodiscard]] virtual link_number links() const;
  /// Errors: invalid_argument for no such number.
  [[nodiscard]] virtual link link_at(link_number number) const;
  /// Number of the link `from` -> `to`, or -1 if there is none.
  [[nodiscard]] virtual link_number number_of(link which) const;
  /// Whether there is a link `from` -> `to`; false for no such ranks.
  [[nodiscard]] virtual bool adjacent(int from, int to) const;

  /// Largest number of outgoing links of a processor.
  [[nodiscard]] virtual int degree() const;
  /// Longest of the shortest ways between two processors, in links.
  /// Errors: invalid_topology if one cannot reach another.
  [[nodiscard]] virtual int diameter() const;
  /// Least number of links (both directions counted once) between two halves, sizes differing by at
  /// most one; where it is proven.
  [[nodiscard]] virtual std::optional<std::int64_t> bisection_width() const { return std::nullopt; }

  /// The processors that a message from `from` to `to` comes to, `to` last: as many as hops, none
  /// if they are the same. Errors: invalid_topology if no way leads there.
  [[nodiscard]] virtual std::vector<int> route(int from, int to) const;
  /// Length of that route, in links.
  [[nodiscard]] virtual int hops(int from, int to) const;
  /// Appends the numbers of the links on that route.
  virtual void append_links(int from, int to, std::vector<link_number>& links) const;

  /// Whether every route is a single link, so that no two messages ever share one.
  [[nodiscard]] virtual bool always_one_link() const { return false; }

  /// Where `way` leads from `from`.
  /// Errors: invalid_argument where there is no such dimension; invalid_rank off the edge of a
  /// mesh.
  [[nodiscard]] virtual int end_of(int from, along way) const;
  /// The processors on that way, the last one included: |way.offset| of them.
  [[nodiscard]] virtual std::vector<int> route(int from, along way) const;

  /// Position in the network's own coordinates: per dimension on torus and mesh, bits (dimension 0
  /// first) on hypercube and shuffle-exchange, depth and position on the tree, else the rank alone.
  [[nodiscard]] virtual std::vector<int> coordinates(int rank) const;
  /// Errors: invalid_argument where no processor is there.
  [[nodiscard]] virtual int rank_at(std::span<int const> coordinates) const;

  /// The processors that differ from `rank` at most in these dimensions, in rank order.
  /// Errors: invalid_argument where the network has no such dimensions.
  [[nodiscard]] virtual std::vector<int> members(int rank, dimensions const& varying) const;
  /// What these processors look like by themselves: a hypercube for a subcube, a torus or mesh for
  /// a row, plane and so on of one, where they are in rank order; else a crossbar.
  /// Errors: invalid_argument for none.
  [[nodiscard]] virtual std::shared_ptr<topology const> part(std::span<int const> members) const;
  /// The dimensions of this network that those of `part(members)` stand for, in their order, for
  /// `along` in the part; none where it has none to go along.
  [[nodiscard]] virtual std::vector<int> dimensions_of_part(std::span<int const> members) const;

 protected:
  topology();
  topology(topology const&);
  topology& operator=(topology const&);

 private:
  class search_tables;  // made at first use
  [[nodiscard]] search_tables const& tables() const;
  mutable std::shared_ptr<search_tables> m_tables;
};

}  // namespace lockstep
