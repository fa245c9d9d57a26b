#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sweep_report.hpp"

namespace lockstep::cli {

/// The combinations of a sweep that do not fit. A program is an algorithm, by the scheme where that
/// varies.
class misfits {
 public:
  explicit misfits(sweep_report const& of);

  [[nodiscard]] std::size_t left_out() const { return m_left_out; }
  [[nodiscard]] std::size_t combinations() const { return m_combinations; }
  /// Says why the first does not fit; empty where all do.
  [[nodiscard]] std::string const& first_reason() const { return m_first_reason; }

  /// Names programs with the networks on which they are left out, up to a dozen: "prefix on ring:2, ring:4 (1 of 3)
  /// and 7 more". A network that some of the combinations fit has the number of those that do not.
  [[nodiscard]] std::string names() const;

  /// A program that fits no network, beside others that do.
  struct program_without_runs {
    std::string name;
    std::size_t combinations = 0;
    std::string reason;
  };
  [[nodiscard]] std::vector<program_without_runs> without_runs() const;
  /// Lines below a table on these programs, with a blank line before them; empty without such programs.
  [[nodiscard]] std::string without_runs_as_text() const;

 private:
  struct network_count {
    std::string network;
    std::size_t left_out = 0;
    std::size_t combinations = 0;
  };
  struct program_count {
    std::string name;
    std::vector<network_count> networks{};  ///< in the order in which they come
    std::string reason{};                   ///< of the first that is left out
  };

  void count(sweep_report const& of, nlohmann::ordered_json const& row);

  std::vector<program_count> m_programs;
  std::vector<std::size_t> m_with_misfits;  ///< places of programs, by the first that is left out
  std::size_t m_left_out = 0;
  std::size_t m_combinations = 0;
  std::string m_first_reason;
};

}  // namespace lockstep::cli
