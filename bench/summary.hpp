#pragma once

#include <map>
#include <optional>
#include <string>

#include <benchmark/benchmark.h>

#include "scope.hpp"

namespace bench {

/// The counters of all benchmarks, by name of benchmark and of counter.
class results {
 public:
  void add(std::string const& benchmark, std::string const& counter, double value) {
    m_values[benchmark][counter] = value;
  }
  [[nodiscard]] std::optional<double> find(std::string const& benchmark,
                                           std::string const& counter) const;
  /// All that begin so, by the rest of the name.
  [[nodiscard]] std::map<std::string, double> starting_with(std::string const& prefix,
                                                            std::string const& counter) const;

 private:
  std::map<std::string, std::map<std::string, double>> m_values;
};

/// Shows what Google Benchmark always shows, and keeps the counters.
class collecting_reporter final : public benchmark::ConsoleReporter {
 public:
  explicit collecting_reporter(bool colours)
      : ConsoleReporter(colours ? OO_ColorTabular : OO_Tabular) {}

  void ReportRuns(std::vector<Run> const& runs) override;

  [[nodiscard]] results const& collected() const { return m_results; }
  [[nodiscard]] bool any_failed() const { return m_any_failed; }

 private:
  results m_results;
  bool m_any_failed = false;
};

/// The ratios of a run beside their aims.
[[nodiscard]] std::string summary_of(results const& all, scope const& of);

}  // namespace bench
