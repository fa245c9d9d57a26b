#pragma once

#include <string>
#include <vector>

#include "running_part.hpp"

namespace lockstep::cli {

/// `sweep`.
class sweep_part : public running_part {
 public:
  sweep_part(CLI::App& parser, tool const& of);
  [[nodiscard]] command read() const override;

 private:
  /// An option of the runs, with all its values.
  struct listed_option {
    std::string name;  ///< without dashes
    std::vector<std::string> values;
  };

  void refuse_unquoted_braces() const;
  [[nodiscard]] bool names_schemes() const;
  [[nodiscard]] std::vector<experiment const*> algorithms() const;
  [[nodiscard]] std::vector<listed_option> listed_options() const;
  void check_words(std::vector<experiment const*> const& of, listed_option const& option) const;
  void add_runs_of(experiment const& chosen, std::vector<listed_option> const& options,
                   sweep_command& asked) const;
  void read_runs(sweep_command& asked) const;
  void read_form(sweep_command& asked) const;
  void read_columns(sweep_command& asked) const;
  void read_axes(sweep_command& asked) const;
  void read_efficiency(sweep_command& asked) const;
  [[nodiscard]] std::string typed(bool only_runs) const;

  std::string m_schemes;
  std::string m_columns;
  std::string m_plot;
  std::string m_plot_size;
  std::string m_x;
  std::string m_y;
  std::string m_log = "auto";
  std::string m_parallel = "0";
  std::string m_resume;
  std::string m_sequential;
  std::string m_isoefficiency;
  bool m_csv = false;
  bool m_latex = false;
};

}  // namespace lockstep::cli
