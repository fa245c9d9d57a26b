#pragma once

#include <map>
#include <string>
#include <vector>

#include <lockstep/observer.hpp>
#include <lockstep/topology.hpp>

namespace lockstep::cli {

/// The origin of a message, as a character of a chart and in words.
struct sender_mark {
  char symbol = '*';
  std::string name{};

  friend bool operator==(sender_mark const&, sender_mark const&) = default;
};

/// The marks of the senders of one processor's messages:
///
/// * a neighbour: a character of the link's name, "l" for "left child", the digit for "dimension 3";
/// * in a network with axes a processor in line with it: the way that the message went, by its hops;
/// * where neighbours are many, as on a crossbar, the sender's rank, 0-9, then a-z, then A-Z;
/// * any other: "*".
class sender_marks {
 public:
  sender_marks(topology const& network, int rank);

  [[nodiscard]] sender_mark of(message_record const& seen) const;

 private:
  topology const* m_network;
  std::vector<network_axis> m_axes;
  bool m_are_ranks;                         ///< more neighbours than there are symbols
  std::map<int, sender_mark> m_neighbours;  ///< by rank
};

}  // namespace lockstep::cli
