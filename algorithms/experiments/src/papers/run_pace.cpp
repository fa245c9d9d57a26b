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
      {"mayr-plaxton", 702, {{199, 5.3},  {388, 14.4}, {398, 16.3},  {405, 22.3},  {514, 24.9},
                             {528, 28},   {533, 32},   {578, 32.7},  {594, 37.8},  {641, 38.4},
                             {657, 41.8}, {703, 42.3}, {722, 45.8},  {820, 50.8},  {827, 53.6},
                             {828, 56.7}, {875, 60.4}, {883, 63.7},  {929, 64.5},  {942, 67.6},
                             {946, 71.7}, {998, 73.3}, {1005, 75.6}, {1009, 80.2}, {1609, 89.3},
                             {1900, 100}}},
      {"bader-helman-jaja",
       64,
       {{66, 4.3}, {108, 34.3}, {114, 45.6}, {116, 62.2}, {122, 69.6}, {123, 91.9}, {147, 100}}},
      {"shankar-ranka", 932, {{119, 1.8},   {133, 5.3},   {185, 7.6},   {187, 10.4},  {200, 13.5},
                              {208, 21.9},  {361, 24.9},  {364, 27.2},  {390, 30.2},  {496, 31.8},
                              {500, 34.5},  {525, 37.4},  {790, 40.1},  {1074, 51},   {1087, 55.7},
                              {1241, 64.3}, {1259, 71.5}, {1272, 79.4}, {1335, 85.8}, {1355, 89.9},
                              {1358, 93.5}, {1431, 96.2}, {1435, 100}}},
      {"jaja-ryu",
       411,
       {{145, 0.9},
        {208, 4.5},
        {211, 6.6},
        {214, 15.9},
        {436, 21.1},
        {445, 25},
        {466, 27.3},
        {611, 31},
        {617, 37.5},
        {662, 38.7},
        {668, 52.7},
        {790, 56},
        {802, 78.5},
        {863, 79.7},
        {878, 96.2},
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
