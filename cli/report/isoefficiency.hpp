#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "curves.hpp"
#include "sweep_report.hpp"

namespace lockstep::cli {

/// The least problem that keeps an efficiency on a number of processors.
struct isoefficient_size {
  nlohmann::ordered_json given;  ///< the other values that vary, networks by their kind
  double processors = 0;
  std::optional<double> size{};  ///< nothing where no run of the sweep is as efficient
  double efficiency = 0;         ///< of that run, or the greatest of all
};

/// Finds it for each number of processors of a sweep whose runs have the figure "efficiency": the least value
/// of what varies under the name `size` from which on all greater ones of the sweep keep it, too.
[[nodiscard]] std::vector<isoefficient_size> isoefficient_sizes(sweep_report const& of,
                                                                std::string const& size,
                                                                double efficiency);

/// Gives the sizes as curves along the processors; those that the sweep does not reach are left out.
[[nodiscard]] std::vector<sweep_curve> curves_of(std::vector<isoefficient_size> const& sizes);

/// Writes them as a table below a line that says what they are.
[[nodiscard]] std::string isoefficiency_as_text(std::vector<isoefficient_size> const& sizes,
                                                std::string const& size, double efficiency);
/// Lists them for programs: the other values, "processors", the size by its name (null where the sweep does
/// not reach it) and "efficiency".
[[nodiscard]] nlohmann::ordered_json isoefficiency_as_json(
    std::vector<isoefficient_size> const& sizes, std::string const& size);

}  // namespace lockstep::cli
