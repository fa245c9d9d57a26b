#include "papers/run_pace.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <lockstep/experiments/papers.hpp>

namespace lockstep {

std::span<run_pace const> run_paces() {
  static std::vector<run_pace> const paces{
      {"mayr-plaxton", 654, {{263, 6.1},  {391, 12.9},  {411, 20.5},  {516, 22.9},  {534, 30.4},
                             {579, 31.3}, {595, 36.4},  {648, 37.3},  {661, 40.9},  {704, 41.5},
                             {726, 46.2}, {822, 51.9},  {858, 61.6},  {930, 66.2},  {956, 73.3},
                             {993, 73.9}, {1008, 81.1}, {1028, 83.7}, {1460, 90.4}, {1726, 98},
                             {1762, 100}}},
      {"bader-helman-jaja",
       64,
       {{66, 4.3}, {108, 34.3}, {114, 45.6}, {116, 62.2}, {122, 69.6}, {123, 91.9}, {147, 100}}},
      {"shankar-ranka",
       808,
       {{107, 0.4},
        {130, 4.3},
        {144, 10.3},
        {298, 12.7},
        {320, 18},
        {436, 22},
        {449, 27},
        {670, 28.9},
        {689, 31.3},
        {865, 35.9},
        {1217, 98.5},
        {1238, 100}}},
      {"jaja-ryu",
       411,
       {{208, 2.3},
        {214, 8.3},
        {436, 12.9},
        {445, 19.4},
        {466, 22},
        {611, 24},
        {657, 30.5},
        {662, 31.8},
        {668, 47.6},
        {790, 48.4},
        {802, 74.7},
        {863, 76.2},
        {879, 100}}},
      {"suh-shin-13", 0, {{2, 0.6}, {3, 6.7}, {4, 100}}},
      {"suh-shin-14", 0, {{2, 1.2}, {3, 7.8}, {4, 100}}},
      {"mayr-plaxton-sorting", 0, {{24, 0.7}, {25, 88.7}, {26, 93}, {62, 100}}},
      {"bader-helman-jaja-2",
       0,
       {{13, 11.6}, {19, 25}, {25, 57.3}, {40, 68.8}, {45, 79.8}, {50, 100}}},
      {"bader-helman-jaja-4",
       0,
       {{4, 2.5},
        {7, 17.5},
        {12, 20.1},
        {14, 29.8},
        {19, 32.3},
        {26, 44},
        {28, 56.5},
        {32, 58},
        {35, 69},
        {40, 71.9},
        {42, 79.7},
        {53, 88.4},
        {56, 100}}},
      {"bader-helman-jaja-5",
       0,
       {{5, 5.5},
        {7, 21.2},
        {12, 26.6},
        {13, 32},
        {14, 43.5},
        {19, 50.1},
        {20, 56.5},
        {21, 69.3},
        {26, 77.7},
        {27, 85.1},
        {28, 100}}},
      {"bader-helman-jaja-6", 0, {{16, 56.8}, {32, 100}}},
      {"jaja-ryu-sorts",
       0,
       {{139, 4.1},
        {225, 16.7},
        {235, 24.3},
        {239, 35.9},
        {255, 42.3},
        {260, 49.6},
        {267, 52.4},
        {271, 63.1},
        {287, 69.3},
        {292, 76.8},
        {299, 79.6},
        {303, 90.8},
        {321, 100}}},
      {"jaja-ryu-packets",
       0,
       {{33, 4.5},
        {55, 14},
        {66, 27.5},
        {110, 34.8},
        {132, 45.9},
        {143, 59.1},
        {187, 68.8},
        {209, 85.5},
        {220, 100}}},
      {"jaja-ryu-start-ups", 0, {{170, 2.4}, {213, 9.9}, {272, 37.1}, {281, 49.7}, {306, 100}}},
  };
  return paces;
}

std::vector<double> expected_runs(std::string_view name) {
  auto const paces = run_paces();
  auto const pace = std::ranges::find(paces, name, &run_pace::name);
  std::vector<double> ends;
  if (pace == paces.end()) return ends;
  pace_point from;
  for (auto const& to : pace->points) {
    auto const runs = to.runs - from.runs;
    for (std::uint64_t over = 1; over <= runs; ++over)
      ends.push_back((from.percent + (to.percent - from.percent) * static_cast<double>(over) /
                                         static_cast<double>(runs)) /
                     100);
    from = to;
  }
  return ends;
}

}  // namespace lockstep
