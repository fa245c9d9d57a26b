#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <source_location>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <lockstep/algorithms/numeric/cannon.hpp>
#include <lockstep/algorithms/numeric/detail/show_blocks.hpp>
#include <lockstep/algorithms/numeric/detail/torus_square.hpp>
#include <lockstep/algorithms/numeric/local_product.hpp>
#include <lockstep/claim.hpp>
#include <lockstep/detail/library_frame.hpp>
#include <lockstep/library_call.hpp>
#include <lockstep/processor.hpp>

namespace lockstep {

/// Options of `summa`. All processors pass the same.
struct summa_options {
  int panels = 1;  ///< into which each block is cut, along the inner dimension, which it divides
};

namespace detail {

/// When panels go round a ring of q processors, one after another: panel u begins at processor
/// u / panels, in a slot of its own, and goes one processor further in each slot, up to the last one
/// before its beginning. A processor that begins panels has passed on all earlier ones before.
class panel_schedule {
 public:
  panel_schedule(int side, int panels) : m_side(side), m_panels(panels) {}

  [[nodiscard]] int count() const { return m_side * m_panels; }
  [[nodiscard]] int begins_at(int panel) const { return panel / m_panels; }
  /// The slots from 1 on in which something moves.
  [[nodiscard]] int slots() const { return m_side == 1 ? 0 : first_slot(count() - 1) + m_side - 2; }

  [[nodiscard]] bool sends(int panel, int place) const {
    return distance(panel, place) < m_side - 1;
  }
  [[nodiscard]] bool receives(int panel, int place) const { return distance(panel, place) > 0; }
  /// The slot in which the processor at that place of the ring sends a panel that it sends.
  [[nodiscard]] int slot_of_send(int panel, int place) const {
    return first_slot(panel) + distance(panel, place);
  }

 private:
  [[nodiscard]] int distance(int panel, int place) const {
    return (place - begins_at(panel) + m_side) % m_side;
  }
  [[nodiscard]] int first_slot(int panel) const {
    return 1 + panel + (m_side > 2 ? begins_at(panel) : 0);
  }

  int m_side;
  int m_panels;
};

/// The panels of one matrix, as a processor of a ring sees them.
template <class T>
class panel_ring {
 public:
  /// `own`: the panels that begin here, in order. `dimension`: that the ring goes along.
  panel_ring(panel_schedule const& schedule, torus_square const& at, int dimension,
             std::size_t elements, std::vector<std::vector<T>> own)
      : m_schedule(schedule),
        m_dimension(dimension),
        m_place(dimension == 0 ? at.row() : at.column()),
        m_before(dimension == 0 ? at.rank_at(-1, 0) : at.rank_at(0, -1)),
        m_elements(elements),
        m_panels(static_cast<std::size_t>(schedule.count())) {
    auto panel = static_cast<std::size_t>(m_place) * own.size();
    for (auto& each : own) m_panels[panel++] = std::move(each);
    skip_others();
  }

  /// Sends and takes in what the slot has for this processor. Takes one step.
  void move(processor& me, int slot, std::source_location where = std::source_location::current()) {
    library_frame const frame(me, where);
    auto const step = me.now();
    if (m_sent < m_schedule.count() && m_schedule.slot_of_send(m_sent, m_place) == slot)
      me.send(along{m_dimension, 1}, m_panels[index(m_sent++)]);
    if (m_received < m_schedule.count() && m_schedule.slot_of_send(m_received, m_place) == slot + 1)
      m_panels[index(m_received++)] = me.receive<T>(m_before, m_elements);
    skip_others();
    if (me.now() == step) me.idle();
  }

  [[nodiscard]] bool has(int panel) const { return panel < m_received; }
  [[nodiscard]] T const* data(int panel) const { return m_panels[index(panel)].data(); }
  /// Gives up the memory of panels before that one, but for those that are still to be sent.
  void release_before(int panel) {
    for (; m_released < std::min(panel, m_sent); ++m_released)
      m_panels[index(m_released)] = std::vector<T>();
  }

 private:
  [[nodiscard]] static std::size_t index(int panel) { return static_cast<std::size_t>(panel); }

  void skip_others() {
    while (m_sent < m_schedule.count() && !m_schedule.sends(m_sent, m_place)) ++m_sent;
    while (m_received < m_schedule.count() && !m_schedule.receives(m_received, m_place))
      ++m_received;
  }

  panel_schedule m_schedule;
  int m_dimension;
  int m_place;
  int m_before;
  std::size_t m_elements;
  std::vector<std::vector<T>> m_panels;
  int m_sent = 0;      ///< the next panel to send
  int m_received = 0;  ///< the next panel to take in: all before are here, or were
  int m_released = 0;
};

/// Cuts a matrix of rows x columns, row by row, into `panels` of columns.
template <class T>
[[nodiscard]] std::vector<std::vector<T>> panels_of_columns(std::span<T const> matrix,
                                                            std::size_t columns,
                                                            std::size_t panels) {
  auto const width = columns / panels;
  std::vector<std::vector<T>> cut(panels);
  for (std::size_t panel = 0; panel < panels; ++panel)
    for (std::size_t at = panel * width; at < matrix.size(); at += columns) {
      auto const row = matrix.subspan(at, width);
      cut[panel].insert(cut[panel].end(), row.begin(), row.end());
    }
  return cut;
}

/// Cuts a matrix into `panels` of rows.
template <class T>
[[nodiscard]] std::vector<std::vector<T>> panels_of_rows(std::span<T const> matrix,
                                                         std::size_t panels) {
  std::vector<std::vector<T>> cut(panels);
  auto const size = matrix.size() / panels;
  for (std::size_t panel = 0; panel < panels; ++panel) {
    auto const rows = matrix.subspan(panel * size, size);
    cut[panel].assign(rows.begin(), rows.end());
  }
  return cut;
}

/// Errors: invalid_argument unless the inner dimension can be cut into that many panels.
void require_panels(product_shape const& blocks, summa_options const& options);

}  // namespace detail

/// The product of two matrices of q x q blocks on a torus of q x q processors, where P(i, j) has
/// A_{i,j} and B_{i,j}, and gets that block of the product. Panels, some columns of A, some rows of B,
/// are broadcast one after another, those of A along the rows of processors, those of B along the
/// columns, in pipelined rings: a panel goes one link further in each slot, of two steps, the first for
/// A, the second for B. Called by all processors of a square torus.
///
/// `blocks`, `multiply`: as for `cannon`. `left`, `right`: the two blocks.
/// Shows: the blocks of "A", "B" and "C".
/// Result: the block of the product.
/// Errors: invalid_argument for another network, blocks of another size, or panels that do not divide
/// the inner dimension; those of the machine.
///
/// **Cost** on a torus, one-port, packets of m words, blocks cut into s panels each:
/// 2(s q + 2q - 3) rounds and start-ups for q > 2, 2s q rounds for q = 2, none for q = 1, in each of
/// which a panel goes one link. With more and more panels that comes to 2n^2/sqrt p words. Memory of
/// three blocks, and of panels on their way. Strict.
///
/// **Source** van de Geijn and Watts, SUMMA: scalable universal matrix multiplication algorithm, 1997,
/// with its broadcasts pipelined; the slots, one-port, are lockstep.
///
/// **Example**
/// ```
/// lockstep::machine machine{lockstep::torus{{2, 2}}};
/// auto run = machine.run([](lockstep::processor& me) {
///   std::vector<int> const block{me.rank()};  // (0 1, 2 3)
///   return lockstep::summa<int>(me, {1, 1, 1}, block, block);
/// });
/// run.results()[3];  // {11}
/// ```
template <class T, class Product = local_product>
  requires std::is_arithmetic_v<T>
[[nodiscard]] std::vector<T> summa(processor& me, product_shape const& blocks,
                                   std::span<T const> left, std::span<T const> right,
                                   summa_options const& options = {}, Product const& multiply = {},
                                   std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  detail::torus_square const at(me, "summa");
  detail::require_blocks_of_product("summa", blocks, left.size(), right.size());
  detail::require_panels(blocks, options);
  auto const panels = static_cast<std::size_t>(options.panels);
  product_shape const panel{blocks.rows, blocks.inner / panels, blocks.columns};
  detail::panel_schedule const schedule(at.side(), options.panels);
  detail::panel_ring<T> in_rows(schedule, at, 1, panel.left(),
                                detail::panels_of_columns(left, blocks.inner, panels));
  detail::panel_ring<T> in_columns(schedule, at, 0, panel.right(),
                                   detail::panels_of_rows(right, panels));
  std::vector<T> product(blocks.result());
  detail::show_blocks<T>(me, blocks, left, right, product);
  int multiplied = 0;
  for (int slot = 1; slot <= schedule.slots() || multiplied < schedule.count(); ++slot) {
    if (slot <= schedule.slots()) {
      in_rows.move(me, slot);
      in_columns.move(me, slot);
    }
    for (; multiplied < schedule.count() && in_rows.has(multiplied) && in_columns.has(multiplied);
         ++multiplied)
      multiply(panel, in_rows.data(multiplied), in_columns.data(multiplied), product.data());
    detail::show_blocks<T>(me, blocks, {}, {}, product);
    in_rows.release_before(multiplied);
    in_columns.release_before(multiplied);
  }
  return product;
}

/// Makes the claims, van de Geijn and Watts's and ours, about a torus of `side` x `side`, with
/// packets of that many words. `n`: of n x n matrices; 0 for others.
/// Errors: those of `cannon_claims`, and as `summa`; invalid_argument for 2^30 panels or more in a
/// ring.
[[nodiscard]] std::vector<claim> summa_claims(int side, std::uint64_t packet,
                                              product_shape const& blocks, std::size_t n,
                                              summa_options const& options = {});

}  // namespace lockstep
