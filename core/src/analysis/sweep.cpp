#include <lockstep/sweep.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <lockstep/errors.hpp>

#include "machine/columns.hpp"

namespace lockstep {

namespace {

[[nodiscard]] std::string number_text(double value) { return fmt::format("{:.10g}", value); }

/// "6", "7, not 6", "9, not <= 8", "12 = 1.5 times"
[[nodiscard]] std::string cell_of(claim const& claimed, double measured,
                                  problem_instance const& at) {
  auto text = number_text(measured);
  if (claimed.bound == comparison::order) {
    auto const constant = constant_of(claimed, measured, at);
    return constant ? fmt::format("{} = {:.4g} times", text, *constant) : text;
  }
  if (holds(claimed, measured, at)) return text;
  return fmt::format("{}, not {}{}", text, claimed.bound == comparison::at_most ? "<= " : "",
                     number_text(claimed.value(at)));
}

[[nodiscard]] std::string first_line_of(std::string const& text) {
  constexpr std::size_t longest = 60;
  auto line = text.substr(0, text.find('\n'));
  if (line.size() <= longest) return line;
  return line.substr(0, line.find_last_of(' ', longest)) + " ...";
}

}  // namespace

std::vector<int> integers(int first, int last) {
  std::vector<int> numbers;
  for (std::int64_t number = first; number <= last; ++number)
    numbers.push_back(static_cast<int>(number));
  return numbers;
}

std::vector<int> powers_of_two(int first, int last) {
  if (first < 1)
    throw invalid_argument(fmt::format("doubling from {}: begin with 1 or more", first));
  std::vector<int> numbers;
  for (std::int64_t number = first; number <= last; number *= 2)
    numbers.push_back(static_cast<int>(number));
  return numbers;
}

sweep sweep::on(std::shared_ptr<topology const> network) const {
  if (network == nullptr) throw invalid_argument("sweep: no network; give it one");
  auto more = *this;
  more.m_networks.push_back(std::move(network));
  return more;
}

sweep sweep::over(std::string name, std::vector<double> values) const {
  if (values.empty())
    throw invalid_argument(fmt::format("sweep: no values of \"{}\"; give it some", name));
  for (auto const& [known, known_values] : m_parameters)
    if (known == name)
      throw invalid_argument(fmt::format("sweep: \"{}\" has values already", name));
  auto more = *this;
  more.m_parameters.emplace_back(std::move(name), std::move(values));
  return more;
}

sweep sweep::where(std::function<bool(problem_instance const&)> is_wanted) const {
  auto more = *this;
  more.m_filters.push_back(std::move(is_wanted));
  return more;
}

sweep sweep::with(machine_options const& options) const {
  auto more = *this;
  more.m_options = options;
  return more;
}

std::vector<problem_instance> sweep::settings() const {
  std::vector<problem_instance> all;
  all.reserve(m_networks.size());
  for (auto const& network : m_networks) all.push_back({network, {}});
  for (auto const& [name, values] : m_parameters) {
    std::vector<problem_instance> wider;
    for (auto const& narrow : all)
      for (double const value : values) {
        wider.push_back(narrow);
        wider.back().parameters[name] = value;
      }
    all = std::move(wider);
  }
  for (auto const& is_wanted : m_filters)
    std::erase_if(all, [&](problem_instance const& at) { return !is_wanted(at); });
  if (all.empty())
    throw invalid_argument(m_networks.empty()
                               ? "sweep: nothing to run on; name a network by `on`"
                               : "sweep: nothing to run; `where` leaves everything out");
  return all;
}

sweep_point sweep::measured(one_run const& run, problem_instance const& at,
                            std::vector<claim> const& claims) const {
  sweep_point point{at};
  std::optional<finished_run> done;
  try {
    done = run(machine(at.network, m_options), at);
  } catch (error const& failed) {
    point.error = point.report = failed.what();
    return point;
  }
  point.counts = done->record.counts();
  for (auto const& one : claims) point.measured.push_back(measured_for(one, point.counts, at));
  point.report = matches(claims, at.parameters).check(done->record).report;
  if (done->wrong_rank >= 0) {
    point.error = fmt::format("wrong result on processor {}", done->wrong_rank);
    point.report = fmt::format("{}\n{}", point.error, point.report);
  }
  return point;
}

sweep_result sweep::run_all(one_run const& run, std::vector<claim> const& claims) const {
  std::vector<sweep_point> points;
  for (auto const& at : settings()) points.push_back(measured(run, at, claims));
  return {claims, std::move(points)};
}

sweep_point const* sweep_result::first_mismatch() const {
  auto const found =
      std::ranges::find_if(m_points, [](auto const& point) { return !point.report.empty(); });
  return found == m_points.end() ? nullptr : &*found;
}

std::vector<std::string> sweep_result::names() const {
  std::vector<std::string> all;
  if (!m_points.empty())
    for (auto const& [name, value] : m_points.front().at.parameters) all.push_back(name);
  return all;
}

std::vector<std::string> sweep_result::headings() const {
  std::vector<std::string> cells{"network"};
  for (auto const& name : names()) cells.push_back(name);
  for (auto const& one : m_claims)
    cells.push_back(fmt::format("{} {} {}", one.figure, symbol(one.bound), one.formula));
  cells.emplace_back("verdict");
  return cells;
}

std::vector<std::string> sweep_result::row_of(sweep_point const& point) const {
  std::vector<std::string> cells{point.at.topology().spec()};
  for (auto const& [name, value] : point.at.parameters) cells.push_back(number_text(value));
  for (std::size_t i = 0; i < m_claims.size(); ++i)
    cells.push_back(i < point.measured.size() ? cell_of(m_claims[i], point.measured[i], point.at)
                                              : "-");
  cells.push_back(!point.error.empty()   ? first_line_of(point.error)
                  : point.report.empty() ? "holds"
                                         : "WRONG");
  return cells;
}

std::string sweep_result::constants() const {
  std::string text;
  for (std::size_t i = 0; i < m_claims.size(); ++i) {
    if (m_claims[i].bound != comparison::order) continue;
    double least = std::numeric_limits<double>::infinity();
    double largest = 0;
    for (auto const& point : m_points) {
      if (i >= point.measured.size()) continue;
      auto const constant = constant_of(m_claims[i], point.measured[i], point.at);
      least = std::min(least, constant.value_or(least));
      largest = std::max(largest, constant.value_or(largest));
    }
    if (least <= largest)
      text += fmt::format("{} order {}: {:.4g} to {:.4g} times\n", m_claims[i].figure,
                          m_claims[i].formula, least, largest);
  }
  return text;
}

std::string sweep_result::table() const {
  std::vector<std::vector<std::string>> rows{headings()};
  for (auto const& point : m_points) rows.push_back(row_of(point));
  std::vector<bool> to_the_left(rows.front().size());
  to_the_left.front() = to_the_left.back() = true;
  return detail::in_columns(rows, to_the_left) + constants();
}

std::string sweep_result::report() const {
  auto const* const mismatch = first_mismatch();
  if (mismatch == nullptr) return table();
  auto const others =
      std::ranges::count_if(m_points, [](auto const& point) { return !point.report.empty(); });
  return fmt::format("first mismatch, of {} in {} runs: {}\n{}\n{}", others, m_points.size(),
                     to_string(mismatch->at), mismatch->report, table());
}

bool holds_everywhere::match(sweep_result const& result) const {
  m_last_report = result.holds() ? "" : result.report();
  return result.holds();
}

std::string holds_everywhere::toString() const {
  return m_last_report.empty() ? "holds everywhere"
                               : fmt::format("holds everywhere\n{}", m_last_report);
}

void require(sweep_result const& result) {
  if (!result.holds()) throw expectation_failed(result.report(), incident{});
}

}  // namespace lockstep
