#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include <lockstep/algorithms/collectives/detail/rounds.hpp>
#include <lockstep/processor.hpp>
#include <lockstep/shown.hpp>

namespace lockstep::detail {

/// The blocks as which the pieces of a collective operation are shown, each by its number. A piece
/// has the same label wherever it is, so that it can be followed.
class piece_labels {
 public:
  /// For pieces that are not shown: in a subset ranks are other ones than on the machine.
  constexpr piece_labels() = default;
  /// Piece i as block (i, i): it is for all.
  [[nodiscard]] static piece_labels for_all() { return {"pieces", kind::for_all, nobody}; }
  /// Piece i as block (root, i).
  [[nodiscard]] static piece_labels from(int root) { return {"pieces", kind::from_root, root}; }
  /// Piece i as block (i, root).
  [[nodiscard]] static piece_labels to(int root) { return {"pieces", kind::to_root, root}; }
  /// The sum of all pieces i as the blocks (s, i) of all processors s.
  [[nodiscard]] static piece_labels of_sums() { return {"sums of pieces", kind::sum, nobody}; }

  /// Whether to show anything. Cost: a load and a branch without a view.
  [[nodiscard]] bool are_shown(processor const& me) const {
    return me.is_shown() && !m_name.empty();
  }

  /// Shows that this processor has these pieces, by their numbers.
  void show(processor& me, std::vector<int> const& pieces) const {
    std::vector<block_label> labels;
    for (int const piece : pieces) add(labels, piece, me.size());
    show(me, labels);
  }
  /// Shows labels under the name of the pieces.
  void show(processor& me, std::vector<block_label> const& labels) const {
    me.show(m_name, labels);
  }

 private:
  enum class kind : std::uint8_t { for_all, from_root, to_root, sum };

  piece_labels(std::string_view name, kind of, int root) : m_name(name), m_kind(of), m_root(root) {}

  void add(std::vector<block_label>& labels, int piece, int processors) const {
    switch (m_kind) {
      case kind::for_all:
        labels.push_back({piece, piece});
        break;
      case kind::from_root:
        labels.push_back({m_root, piece});
        break;
      case kind::to_root:
        labels.push_back({piece, m_root});
        break;
      case kind::sum:
        for (int source = 0; source < processors; ++source) labels.push_back({source, piece});
        break;
    }
  }

  std::string_view m_name{};
  kind m_kind = kind::for_all;
  int m_root = nobody;
};

}  // namespace lockstep::detail
