#include <lockstep/sweep.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <lockstep/detail/side_by_side.hpp>
#include <lockstep/errors.hpp>
#include <lockstep/judgement.hpp>

#include "machine/columns.hpp"

namespace lockstep {

namespace {

[[nodiscard]] std::string number_text(double value) { return fmt::format("{:.10g}", value); }

/// Whether runs of several sizes have to decide.
[[nodiscard]] bool grows(claim const& claimed) {
  return claimed.bound == comparison::order || claimed.bound == comparison::about;
}

/// "6", "7, not 6", "9, not <= 8", "12 = 1.5 times", "7, outside the claim"
[[nodiscard]] std::string cell_of(claim const& claimed, double measured,
                                  problem_instance const& at) {
  auto text = number_text(measured);
  auto const verdict = judge(claimed, measured, at).verdict;
  if (verdict == claim_verdict::outside_the_claim)
    return fmt::format("{}, {}", text, name_of(verdict));
  if (grows(claimed)) {
    auto const constant = constant_of(claimed, measured, at);
    return constant ? fmt::format("{} = {:.4g} times", text, *constant) : text;
  }
  if (verdict == claim_verdict::equal || verdict == claim_verdict::holds) return text;
  return fmt::format("{}, not {}{}", text, claimed.bound == comparison::at_most ? "<= " : "",
                     number_text(claimed.value(at)));
}

/// "8 steps, 24 words"; "-" where no messages share links.
[[nodiscard]] std::string turns_text(counts const& of) {
  if (!shares_links(of)) return "-";
  auto const in_turns = with_turns_on_links(of);
  return fmt::format("{} steps, {} words", in_turns.steps, in_turns.words);
}

[[nodiscard]] std::string first_line_of(std::string const& text) {
  constexpr std::size_t longest = 60;
  auto line = text.substr(0, text.find('\n'));
  if (line.size() <= longest) return line;
  return line.substr(0, line.find_last_of(' ', longest)) + " ...";
}

/// Ranks verdicts: of several, that of the highest rank is shown.
[[nodiscard]] int rank_of(claim_verdict of) {
  constexpr std::array by_rank{claim_verdict::not_run,         claim_verdict::equal,
                               claim_verdict::holds,           claim_verdict::outside_the_claim,
                               claim_verdict::decides_nothing, claim_verdict::our_program_exceeds,
                               claim_verdict::refuted};
  return static_cast<int>(std::ranges::find(by_rank, of) - by_rank.begin());
}

/// Whether a judgement says more against a claim than another does.
[[nodiscard]] bool is_worse(judgement const& one, judgement const& other) {
  if (one.is_fault != other.is_fault) return one.is_fault;
  return rank_of(one.verdict) > rank_of(other.verdict);
}

/// The verdict on a run: the worst of its claims.
[[nodiscard]] claim_verdict verdict_on_run(std::vector<claim> const& claims,
                                           sweep_point const& point) {
  judgement worst{claim_verdict::equal};
  for (std::size_t i = 0; i < point.measured.size(); ++i)
    if (auto one = judge(claims[i], point.measured[i], point.at); is_worse(one, worst))
      worst = std::move(one);
  return worst.verdict;
}

/// Makes the key that runs share which differ in one size: the kind of network and the parameters,
/// or the network and the other parameters.
[[nodiscard]] std::string key_without(std::string_view size, problem_instance const& at) {
  auto key = at.topology().spec();
  if (size.empty()) key.resize(std::min(key.find(':'), key.size()));
  for (auto const& [name, value] : at.parameters)
    if (name != size) key += fmt::format(", {} {:.10g}", name, value);
  return key;
}

/// The runs of a claim along a size, the parameter of that name, or the processors for no name, and the
/// values that are claimed of them.
struct runs_along {
  std::vector<order_point> runs{};
  std::set<double> values{};
};
using order_series = std::map<std::string, runs_along>;

[[nodiscard]] order_series series_along(std::string_view size, std::size_t index,
                                        claim const& claimed,
                                        std::vector<sweep_point> const& points) {
  order_series all;
  for (auto const& point : points) {
    if (index >= point.measured.size() || claimed.value(point.at) <= 0) continue;
    auto const measured = point.measured[index];
    if (judge(claimed, measured, point.at).verdict == claim_verdict::outside_the_claim) continue;
    auto const value = claimed.value(point.at);
    auto& [runs, values] = all[key_without(size, point.at)];
    runs.push_back({size.empty() ? point.at.topology().size() : point.at[size], measured / value});
    values.insert(value);
  }
  return all;
}

/// The measured values of the claims' subjects.
[[nodiscard]] std::vector<double> measured_by(std::vector<claim> const& claims,
                                              sweep_point const& point) {
  std::vector<double> all;
  for (auto const& one : claims) all.push_back(measured_for(one, point.counts, point.at));
  return all;
}

/// Writes what a function gives, or what it fails with: it may not be for runs that end in an error.
template <class Function>
[[nodiscard]] std::string text_from(Function const& function) {
  try {
    return fmt::format("{}", function());
  } catch (std::exception const& problem) {
    return problem.what();
  }
}

/// Writes a claim, but for its values.
[[nodiscard]] std::string text_of(claim const& of) {
  auto text = fmt::format("{} {} {}\n{}\n{}\n{}", of.figure, symbol(of.bound), of.formula,
                          of.source, of.erratum, of.evidence);
  if (of.model)
    text +=
        fmt::format("\n{} {} {}", of.model->name(), of.model->tau_words, of.model->operation_words);
  for (auto const& one : of.where) text += '\n' + one.text;
  return text;
}

/// Writes a claim about a run: its value, and which of the hypotheses are met.
[[nodiscard]] std::string text_of(claim const& of, problem_instance const& at) {
  auto text = text_from([&] { return of.value(at); });
  for (auto const& one : of.where) text += ' ' + text_from([&] { return one.is_met(at); });
  return text;
}

[[nodiscard]] std::string text_of(traffic_requirement const& of) {
  return fmt::format("{} {} {} {} {} {} {}", of.taken_in, of.sent, of.moved, of.word_links,
                     of.crossing, of.distance, of.joined);
}

/// "words below 16 (16 words into processor 0), which every program needs: the bound or the program is wrong"
[[nodiscard]] std::string below_text(lower_bound const& bound) {
  return fmt::format(
      "{} below {} ({}), which every program needs: the bound or the program is wrong\n",
      bound.figure, bound.value, bound.formula);
}

constexpr std::string_view one_size = "one size decides nothing";

/// Puts two verdicts on a growth together: a failure counts most, and nothing least.
[[nodiscard]] judgement worse(judgement first, judgement second) {
  if (first.verdict == claim_verdict::our_program_exceeds) return first;
  if (second.verdict != claim_verdict::decides_nothing) return second;
  bool const has_one_size = first.reason == one_size;
  return first.verdict == claim_verdict::decides_nothing && has_one_size ? second : first;
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

sweep sweep::traffic(std::function<traffic_requirement(problem_instance const&)> of) const {
  auto more = *this;
  more.m_traffic = std::move(of);
  return more;
}

sweep sweep::parallel(int runs) const {
  if (runs < 0 || runs > 256)
    throw invalid_argument(
        fmt::format("sweep: {} runs at a time; take a number from 0 (one a core) to 256", runs));
  auto more = *this;
  more.m_parallel = runs;
  return more;
}

sweep sweep::resume(std::shared_ptr<run_store> store) const {
  if (store == nullptr) throw invalid_argument("sweep: no store of runs; give it one");
  auto more = *this;
  more.m_store = std::move(store);
  return more;
}

sweep_point sweep::measured(one_run const& run, problem_instance const& at,
                            std::vector<claim> const& claims) const {
  sweep_point point{at};
  auto options = m_options;
  options.workers = detail::workers_beside(m_parallel, options.workers);
  std::optional<finished_run> done;
  try {
    done = run(machine(at.network, options), at);
  } catch (error const& failed) {
    point.error = point.report = failed.what();
    return point;
  }
  point.has_ended = true;
  point.counts = done->record.counts();
  point.makespan = done->record.makespan();
  point.span = done->record.span();
  point.measured = measured_by(claims, point);
  std::vector<claim> decided;
  for (std::size_t i = 0; i < claims.size(); ++i) {
    auto const found = judge(claims[i], point.measured[i], at).verdict;
    if (!grows(claims[i]) && found != claim_verdict::outside_the_claim)
      decided.push_back(claims[i]);
  }
  auto const found = matches(decided, at.parameters).check(done->record);
  if (!found.holds) point.report = found.report;
  if (m_traffic) point.bounds = lower_bounds(done->record, m_traffic(at));
  for (auto const& one : point.bounds)
    if (!lockstep::holds(one, point.counts)) point.report += below_text(one);
  if (done->wrong_rank >= 0) {
    point.error = fmt::format("wrong result on processor {}", done->wrong_rank);
    point.report = fmt::format("{}\n{}", point.error, point.report);
  }
  return point;
}

/// Writes what tells the sweep from others: the number of runs, and a number made of all their networks and
/// parameters, the options that change counts, the claims and the traffic, and what these two come to for each run.
std::string sweep::text_of(std::vector<problem_instance> const& all,
                           std::vector<claim> const& claims) const {
  auto text = fmt::format("{} {} {} {} {} {}", static_cast<int>(m_options.ports),
                          m_options.switching ? static_cast<int>(*m_options.switching) : -1,
                          m_options.strict, m_options.packet, m_options.max_steps,
                          static_cast<int>(m_options.count));
  text += fmt::format(" {} {} {}", m_options.word_bytes, m_options.guarded,
                      static_cast<bool>(m_traffic));
  for (auto const& one : claims) text += '\n' + lockstep::text_of(one);
  for (auto const& at : all) {
    text += '\n' + to_string(at);
    for (auto const& one : claims) text += '\n' + lockstep::text_of(one, at);
    if (m_traffic) text += '\n' + text_from([&] { return lockstep::text_of(m_traffic(at)); });
  }
  std::uint64_t hash = 14'695'981'039'346'656'037U;  // FNV-1a
  for (char const letter : text)
    hash = (hash ^ static_cast<unsigned char>(letter)) * 1'099'511'628'211U;
  return fmt::format("{} runs, {:016x}", all.size(), hash);
}

sweep_result sweep::run_all(one_run const& run, std::vector<claim> const& claims) const {
  if (m_options.cluster != nullptr && (m_parallel != 1 || m_store != nullptr))
    throw invalid_argument(
        "sweep: the processes of a cluster make each run together, in the same order; leave out "
        "parallel and resume, or the cluster");
  auto const all = settings();
  std::vector<sweep_point> points(all.size());
  std::map<std::size_t, sweep_point> finished;
  if (m_store != nullptr) finished = m_store->begin(text_of(all, claims));
  detail::run_side_by_side(all.size(), m_parallel, [&](std::size_t place) {
    auto& point = points[place];
    if (auto const found = finished.find(place); found != finished.end()) {
      point = found->second;
      point.at = all[place];
      if (point.has_ended) point.measured = measured_by(claims, point);
      return;
    }
    point = measured(run, all[place], claims);
    if (m_store != nullptr) m_store->keep(place, point);
  });
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

bool sweep_result::has_turns() const {
  return std::ranges::any_of(m_points, [](auto const& one) { return shares_links(one.counts); });
}

std::vector<std::string> sweep_result::headings() const {
  std::vector<std::string> cells{"network"};
  for (auto const& name : names()) cells.push_back(name);
  for (auto const& one : m_claims)
    cells.push_back(fmt::format("{} {} {}", one.figure, symbol(one.bound), one.formula));
  if (has_turns()) cells.emplace_back("in turns");
  cells.emplace_back("verdict");
  return cells;
}

std::vector<std::string> sweep_result::row_of(sweep_point const& point) const {
  std::vector<std::string> cells{point.at.topology().spec()};
  for (auto const& [name, value] : point.at.parameters) cells.push_back(number_text(value));
  for (std::size_t i = 0; i < m_claims.size(); ++i)
    cells.push_back(i < point.measured.size() ? cell_of(m_claims[i], point.measured[i], point.at)
                                              : "-");
  if (has_turns()) cells.push_back(turns_text(point.counts));
  cells.push_back(!point.error.empty()    ? first_line_of(point.error)
                  : !point.report.empty() ? "WRONG"
                  : m_claims.empty()      ? "no claims"
                                          : std::string(name_of(verdict_on_run(m_claims, point))));
  return cells;
}

std::string sweep_result::constants() const {
  std::string text;
  for (std::size_t i = 0; i < m_claims.size(); ++i) {
    if (!grows(m_claims[i])) continue;
    double least = std::numeric_limits<double>::infinity();
    double largest = 0;
    for (auto const& point : m_points) {
      if (i >= point.measured.size()) continue;
      auto const constant = constant_of(m_claims[i], point.measured[i], point.at);
      least = std::min(least, constant.value_or(least));
      largest = std::max(largest, constant.value_or(largest));
    }
    if (least <= largest)
      text += fmt::format("{} {} {}: {:.4g} to {:.4g} times: {}\n", m_claims[i].figure,
                          symbol(m_claims[i].bound), m_claims[i].formula, least, largest,
                          name_of(judged(i).verdict));
  }
  return text;
}

judgement sweep_result::judged(std::size_t claim) const {
  auto const& claimed = m_claims.at(claim);
  judgement found{claim_verdict::outside_the_claim, "no run is within its hypotheses"};
  for (auto const& point : m_points) {
    if (claim >= point.measured.size()) continue;
    auto one = judge(claimed, point.measured[claim], point.at);
    if (one.verdict == claim_verdict::outside_the_claim) continue;
    if (found.verdict == claim_verdict::outside_the_claim || is_worse(one, found))
      found = std::move(one);
  }
  if (!grows(claimed) || found.verdict != claim_verdict::decides_nothing || found.is_fault)
    return found;
  found = {claim_verdict::decides_nothing, std::string(one_size)};
  std::vector<std::string> sizes{""};
  for (auto& name : names()) sizes.push_back(std::move(name));
  for (auto const& size : sizes)
    for (auto const& [others, series] : series_along(size, claim, claimed, m_points)) {
      auto const& [runs, values] = series;
      if (values.size() < 2) continue;  // the claim says nothing of this size
      auto along = judge_order(runs);
      if (along.verdict == claim_verdict::our_program_exceeds)
        along.reason += fmt::format(" along {} ({})", size.empty() ? "p" : size, others);
      found = worse(std::move(found), std::move(along));
    }
  return found;
}

std::string sweep_result::undecided() const {
  std::string text;
  for (std::size_t i = 0; i < m_claims.size(); ++i) {
    auto const found = judged(i);
    if (found.verdict == claim_verdict::equal || found.verdict == claim_verdict::holds) continue;
    text += fmt::format("{} {} {}: {}{}\n", m_claims[i].figure, symbol(m_claims[i].bound),
                        m_claims[i].formula, name_of(found.verdict),
                        found.reason.empty() ? "" : ": " + found.reason);
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
  if (mismatch == nullptr) {
    auto const lines = undecided();
    return lines.empty() ? table() : lines + '\n' + table();
  }
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
