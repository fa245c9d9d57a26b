#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lockstep {

/// The setting of a row of Tables I and II: c = hp/n.
struct g_group_setting {
  std::int64_t c = 1;
  std::int64_t g = 1;
  std::int64_t t = 1;
};

/// Seconds for n = 1M, 2M and 4M.
struct routing_times {
  g_group_setting input;
  std::array<double, 3> two_phase;
  std::array<double, 3> single_phase;
};

/// Tables I and II: 64 processors.
struct routing_machine {
  std::string title;  ///< "Table I, TMC CM-5"
  std::string name;   ///< "CM-5"
  std::array<routing_times, 4> rows;
};
[[nodiscard]] std::array<routing_machine, 2> const& routing_machines();

/// A row of Table III: seconds of the code of Alexandrov et al. and of the paper's.
struct sorting_times {
  std::string distribution;
  std::int64_t keys_per_processor = 0;
  double alexandrov = 0;
  double bader = 0;
};

/// A part of Table III.
struct sorting_machine {
  std::string name;  ///< "SP-2"
  int processors = 0;
  std::vector<sorting_times> rows;
};
[[nodiscard]] std::vector<sorting_machine> const& sorting_machines();

}  // namespace lockstep
