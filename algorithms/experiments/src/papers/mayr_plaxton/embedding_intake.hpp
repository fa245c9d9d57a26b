#pragma once

#include <cstddef>
#include <vector>

#include <lockstep/algorithms/prefix/embedding.hpp>

namespace lockstep {

/// The processors of an embedded tree that have a value and want its prefix. `nodes`: with processor p - 1,
/// which is not in the tree and has a link to its root.
enum class tree_places : unsigned char { nodes, leaves };

/// The processor into which most words have to come of one prefix, by any program that uses the links of an
/// embedded tree only.
struct embedding_intake {
  int processor = 0;
  int words = 0;
};

/// Finds it. The links, from a node to its first child and from that to its sibling, are a tree: what
/// is behind a link comes over it alone, and that is a word for each run of places there which others
/// come after, since these need the sum up to its end. On one port k prefixes take k times as many steps.
/// Source: lockstep, with the embeddings of Mayr and Plaxton 1989, figures 2, 3 and 4.
[[nodiscard]] embedding_intake intake_of_links(embedding const& tree, int processors,
                                               tree_places places);

}  // namespace lockstep
