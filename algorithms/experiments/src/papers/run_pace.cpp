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
      {"mayr-plaxton",
       738,
       {{295, 6.7},
        {425, 14.5},
        {431, 19.8},
        {550, 25.5},
        {562, 31.7},
        {616, 34.5},
        {633, 37.9},
        {744, 44.5},
        {758, 46.4},
        {932, 55.8},
        {944, 60.4},
        {1013, 66.7},
        {1045, 68.9},
        {1055, 74.2},
        {1108, 76.1},
        {1125, 81.1},
        {1877, 94.8},
        {2008, 100}}},
      {"bader-helman-jaja",
       200,
       {{52, 1.9},
        {81, 11.3},
        {91, 18.7},
        {106, 34.6},
        {108, 35.4},
        {109, 39.4},
        {111, 40.5},
        {112, 45.4},
        {114, 46.5},
        {115, 51.4},
        {116, 61.7},
        {122, 68.3},
        {123, 90.8},
        {146, 98},
        {292, 100}}},
      {"shankar-ranka", 1112, {{118, 1.7},   {135, 5},     {185, 6.7},   {209, 13.5},  {215, 19.4},
                               {369, 21.8},  {392, 26.3},  {504, 27.8},  {529, 31.6},  {833, 34.2},
                               {1138, 44.8}, {1152, 49.9}, {1304, 58.3}, {1320, 64.5}, {1336, 75.4},
                               {1397, 81.4}, {1419, 85.9}, {1426, 89.9}, {1495, 91.7}, {1499, 95.6},
                               {1543, 97.5}, {1562, 99.7}, {1629, 100}}},
      {"jaja-ryu",
       483,
       {{179, 2.7},
        {218, 5.1},
        {226, 19.5},
        {449, 26.4},
        {485, 31.5},
        {634, 36.2},
        {641, 43.3},
        {684, 45.1},
        {691, 59},
        {758, 62.7},
        {864, 63.8},
        {875, 82.2},
        {947, 85.8},
        {961, 96.8},
        {962, 100}}},
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
