#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include <lockstep/observer.hpp>
#include <lockstep/topology.hpp>

#include "commands/selection.hpp"
#include "in_port_chart.hpp"

namespace lockstep::cli {

/// The values that processors show, kept until the end of the run.
class shown_log : public observer {
 public:
  [[nodiscard]] bool wants_calls() const override { return true; }
  void shown(shown_record const& value) override { m_values.push_back(value); }
  void cut_off(std::string const& why) override { leave_out(why); }
  void ended(run_end const& how) override {
    if (!how.calls_left_out.empty()) leave_out(how.calls_left_out);
  }

  /// Takes the values: in the order of ranks, and for each in the order of its program.
  [[nodiscard]] std::vector<shown_record> take_values() { return std::move(m_values); }
  /// Says in sentences why nothing was told; empty where all was.
  [[nodiscard]] std::string const& left_out() const noexcept { return m_left_out; }

 private:
  void leave_out(std::string_view why);

  std::vector<shown_record> m_values;
  std::string m_left_out;
};

/// Writes a value as short text: "12", "3 5 9", "2>7" for a block from 2 to 7, "0-3" for combined
/// ranks. Of a long one at least the first `most` characters are written, and it may end there.
[[nodiscard]] std::string text_of(shown_value const& value, std::size_t most = std::string::npos);

/// The values that one processor holds after each step, under one name.
struct value_row {
  /// The cell of a step before which the processor has shown nothing.
  static constexpr std::size_t nothing = std::numeric_limits<std::size_t>::max();

  int rank = 0;
  std::string label{};
  std::vector<std::size_t> cells{};  ///< indices into the chart's values, or `nothing`
};

/// A chart of what processors hold, step by step.
struct value_chart {
  std::string name{};                ///< of the shown values; empty without any
  std::vector<std::string> names{};  ///< all that can be shown, in the order in which they come
  std::string left_out{};            ///< why values are missing, in sentences, or nothing
  step_range steps{};                ///< step 0 is before the first
  int processors = 0;
  std::vector<shown_value> values{};  ///< those that are held after some of the steps
  std::vector<value_row> rows{};
  std::vector<phase_columns> phases{};
};

/// The part of a run to show.
struct value_selection {
  std::string name{};         ///< the first that a program shows where it is empty
  std::vector<int> ranks{};   ///< all, or some of a large network, if empty
  step_range steps{};         ///< from 1 on: step 0, too
  std::uint64_t last_step{};  ///< of the run
};

/// Draws what was logged. Errors: usage_error for a name that the program does not show.
[[nodiscard]] value_chart values_of(shown_log log, topology const& network,
                                    value_selection const& what);

/// The chart for people, in blocks that are as wide as a page.
[[nodiscard]] std::string as_text(value_chart const& of);

/// For programs: {"name", "names", "steps", "rows"}, a cell for each step, and "left_out" where values
/// are missing.
[[nodiscard]] nlohmann::ordered_json as_json(value_chart const& of);

}  // namespace lockstep::cli
