#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <lockstep/topologies/parse.hpp>

#include "commands.hpp"
#include "explain/busiest_text.hpp"
#include "explain/in_port_chart.hpp"
#include "explain/in_port_log.hpp"
#include "explain/in_port_text.hpp"
#include "explain/value_chart.hpp"
#include "measured_run.hpp"
#include "report/report.hpp"
#include "report/text_table.hpp"
#include "usage_error.hpp"

namespace lockstep::cli {

namespace {

/// Messages for the chart, 64 bytes each.
constexpr std::size_t most_messages_kept = std::size_t{1} << 21U;

void check_processors(explain_command const& asked, topology const& network) {
  if (asked.processors.empty() || asked.processors.back() < network.size()) return;
  throw usage_error(
      fmt::format("--processors: there is no processor {} on {}; give some of 0 to {}",
                  asked.processors.back(), asked.run.on, network.size() - 1));
}

/// Errors: usage_error for steps after the run's last.
void check_steps(explain_command const& asked, std::uint64_t last) {
  if (last > 0 && asked.steps.first > last)
    throw usage_error(
        fmt::format("--steps: the last step is {}; begin with that or an earlier one", last));
}

/// The report around a chart: how the algorithm works before it, and the claims after it.
std::string around(std::string const& chart, report const& of, explain_command const& asked) {
  auto text = headline(of) + '\n';
  if (auto const how = explanation_of(*asked.run.what, of.result).text; !how.empty())
    text += fmt::format("{}\n\n", fmt::join(wrapped(how, page_width), "\n"));
  text += chart;
  if (auto const claims = claims_as_text(of.result); !claims.empty()) text += '\n' + claims;
  if (asked.run.table) text += '\n' + of.result.record.table();
  return text + conclusion(of);
}

std::string as_text(report const& of, in_port_chart const& chart, explain_command const& asked) {
  auto text = as_text(chart, asked.content);
  if (chart.busiest) text += '\n' + about_busiest(chart, of.result);
  return around(text, of, asked);
}

std::string as_text(report const& of, value_chart const& chart, explain_command const& asked) {
  return around(as_text(chart), of, asked);
}

/// Prints a report with a chart, which JSON has under that name.
template <class Chart>
void print_with_chart(report const& of, Chart const& chart, char const* name,
                      explain_command const& asked, std::ostream& out) {
  if (asked.run.json) {
    auto json = as_json(of);
    json[name] = as_json(chart);
    print(json, out);
  } else {
    out << as_text(of, chart, asked);
  }
}

exit_status explain_values(explain_command const& asked, topology const& network,
                           std::ostream& out) {
  shown_log log;
  return run_and_print(asked.run, {&log}, out, [&](report const& of) {
    auto const last = of.result.record.counts().rounds;
    check_steps(asked, last);
    auto chart =
        values_of(std::move(log), network, {asked.value, asked.processors, asked.steps, last});
    chart.phases = phases_in(of.result.record, chart.steps);
    print_with_chart(of, chart, "values", asked, out);
  });
}

}  // namespace

exit_status execute(explain_command const& asked, std::ostream& out) {
  auto const network = parse(asked.run.on);
  check_processors(asked, *network);
  if (asked.content == cell_content::values) return explain_values(asked, *network, out);
  in_port_log log(network->size(), asked.steps, asked.processors, most_messages_kept);
  return run_and_print(asked.run, {&log}, out, [&](report const& of) {
    auto chart = chart_of(log, *network, asked.run.options.ports, asked.processors);
    check_steps(asked, chart.steps);
    chart.phases = phases_in(of.result.record, chart.shown);
    print_with_chart(of, chart, "in_ports", asked, out);
  });
}

}  // namespace lockstep::cli
