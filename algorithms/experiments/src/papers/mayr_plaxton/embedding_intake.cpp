#include "papers/mayr_plaxton/embedding_intake.hpp"

namespace lockstep {

namespace {

/// The neighbours of each processor over the links of an embedded tree.
using tree_links = std::vector<std::vector<int>>;

[[nodiscard]] tree_links links_of(embedding const& tree, int processors, tree_places places) {
  tree_links links(static_cast<std::size_t>(processors));
  auto const join = [&](int one, int other) {
    links[static_cast<std::size_t>(one)].push_back(other);
    links[static_cast<std::size_t>(other)].push_back(one);
  };
  for (int rank = 0; rank < processors; ++rank) {
    if (!tree.has(rank) || tree.is_leaf(rank)) continue;
    join(rank, *tree.first_child(rank));
    join(*tree.first_child(rank), *tree.second_child(rank));
  }
  if (places == tree_places::nodes) join(tree.root(), processors - 1);
  return links;
}

/// Marks the processors behind the link from `at` to `next`, seen from `at`.
[[nodiscard]] std::vector<bool> behind_link(tree_links const& links, int at, int next) {
  std::vector<bool> behind(links.size());
  std::vector<int> found{next};
  behind[static_cast<std::size_t>(next)] = true;
  while (!found.empty()) {
    int const here = found.back();
    found.pop_back();
    for (int const neighbour : links[static_cast<std::size_t>(here)]) {
      if (neighbour == at || behind[static_cast<std::size_t>(neighbour)]) continue;
      behind[static_cast<std::size_t>(neighbour)] = true;
      found.push_back(neighbour);
    }
  }
  return behind;
}

/// Counts the runs of places that are behind a link and that another place comes after.
[[nodiscard]] int runs_with_successor(std::vector<int> const& places,
                                      std::vector<bool> const& behind) {
  int runs = 0;
  for (std::size_t i = 0; i + 1 < places.size(); ++i)
    if (behind[static_cast<std::size_t>(places[i])] &&
        !behind[static_cast<std::size_t>(places[i + 1])])
      ++runs;
  return runs;
}

}  // namespace

embedding_intake intake_of_links(embedding const& tree, int processors, tree_places places) {
  std::vector<int> in_order;  // the order of ranks is that of the prefixes
  for (int rank = 0; rank < processors; ++rank)
    if (places == tree_places::nodes || (tree.has(rank) && tree.is_leaf(rank)))
      in_order.push_back(rank);
  auto const links = links_of(tree, processors, places);
  embedding_intake most;
  for (int rank = 0; rank < processors; ++rank) {
    int words = 0;
    for (int const neighbour : links[static_cast<std::size_t>(rank)])
      words += runs_with_successor(in_order, behind_link(links, rank, neighbour));
    if (words > most.words) most = {rank, words};
  }
  return most;
}

}  // namespace lockstep
