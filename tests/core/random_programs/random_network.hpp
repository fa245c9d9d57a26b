#pragma once

#include <memory>
#include <vector>

#include <lockstep/options.hpp>
#include <lockstep/topology.hpp>

#include "random_generator.hpp"

namespace reference {

/// A network, and the sizes of its dimensions where it has dimensions to go along.
struct random_network {
  std::shared_ptr<lockstep::topology const> network;
  std::vector<int> sizes;
};

[[nodiscard]] random_network make_network(dice& roll);
[[nodiscard]] lockstep::machine_options make_options(dice& roll);

}  // namespace reference
