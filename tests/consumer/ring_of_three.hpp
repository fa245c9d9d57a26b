#pragma once

#include <string>
#include <vector>

#include <lockstep/topology.hpp>

/// A network of a program's own.
class ring_of_three : public lockstep::topology {
 public:
  [[nodiscard]] int size() const override { return 3; }
  [[nodiscard]] std::string spec() const override { return "ring of three"; }
  [[nodiscard]] std::vector<lockstep::neighbour> neighbours(int rank) const override {
    return {{(rank + 1) % 3, "ahead"}, {(rank + 2) % 3, "behind"}};
  }
};
