#include <lockstep/algorithms/routing/balance.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <ostream>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <lockstep/algorithms/prefix/block_prefix.hpp>

#include "harness/bdm_parameters.hpp"
#include "harness/experiment_list.hpp"
#include "harness/harness.hpp"
#include "harness/solve.hpp"
#include "harness/sources.hpp"
#include "routing/load_file.hpp"

namespace lockstep {

namespace {

enum class load_kind : std::uint8_t { one, last, even, half, random };

constexpr std::int64_t most_balanced = std::int64_t{1} << 31U;
constexpr integer_parameter elements_to_balance{
    "n",           "elements on all processors together, of loads that are made",
    1024,          0,
    most_balanced, true,
    true};
constexpr choice_parameter kind_of_loads{
    "loads",
    "one (all on processor 0), last (on p - 1), even, half (floor(2n/p) on each odd processor, the "
    "rest on the last one) or random (n cut at p - 1 random places)",
    std::array{named_choice{"one", load_kind::one}, named_choice{"last", load_kind::last},
               named_choice{"even", load_kind::even}, named_choice{"half", load_kind::half},
               named_choice{"random", load_kind::random}},
    true};

constexpr text_parameter column_of_loads{
    "column",
    "column of loads in the input file (CSV), a row for each processor; needed if it has "
    "several"};

constexpr choice_parameter way_to_balance{
    "way",
    "cheapest (straight, or from a single source by a tree of the best k) or direct (straight, in "
    "three "
    "phases)",
    std::array{named_choice{"cheapest", balance_way::cheapest},
               named_choice{"direct", balance_way::direct}}};

using load_list = std::vector<std::uint64_t>;

/// Cuts n at p - 1 random places.
[[nodiscard]] load_list random_loads(std::uint64_t n, std::size_t p, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  load_list cuts(p - 1);
  for (auto& cut : cuts) cut = random() % (n + 1);
  std::ranges::sort(cuts);
  cuts.push_back(n);
  std::adjacent_difference(cuts.begin(), cuts.end(), cuts.begin());
  return cuts;
}

[[nodiscard]] load_list loads_of_kind(load_kind kind, std::uint64_t n, std::size_t p,
                                      std::uint64_t seed) {
  if (kind == load_kind::random) return random_loads(n, p, seed);
  load_list loads(p);
  if (kind == load_kind::one) loads.front() = n;
  if (kind == load_kind::last) loads.back() = n;
  if (kind == load_kind::even)
    for (std::size_t i = 0; i < p; ++i)
      loads[i] = even_block(n, static_cast<int>(p), static_cast<int>(i)).count;
  if (kind == load_kind::half) {
    for (std::size_t i = 1; i + 1 < p; i += 2) loads[i] = 2 * n / p;
    loads.back() = n - std::accumulate(loads.begin(), loads.end() - 1, std::uint64_t{0});
  }
  return loads;
}

/// The balance problem: n elements, any number of them on each processor, are to be as many on each.
/// Which of them a processor gets depends on the way that its plan takes.
struct balance_problem {
  explicit balance_problem(arguments const& asked)
      : given(asked),
        on(bdm_machine_from(given)),
        file(file_from(given)),
        plan(plan_balance(file ? loads_of(*file, given) : made_loads(given), on.packet)),
        options{.packet = on.packet, .tau = on.tau, .way = given[way_to_balance]},
        choice(choose_balance_way(plan, options)) {}

  [[nodiscard]] load_list part_of(processor const& me) const { return elements_of(me.rank()); }
  [[nodiscard]] bool is_solved_by(std::vector<load_list> const& found) const {
    return found == balanced();
  }
  /// Computes what any program has to move: processors have more than their share, or less.
  [[nodiscard]] traffic_requirement least_traffic(std::vector<load_list> const& found) const;
  [[nodiscard]] std::uint64_t pieces_to_write() const { return plan.loads.size(); }
  /// Writes how many elements each processor has in the end, beside the file's loads if there is one.
  void write(std::ostream& out, std::vector<load_list> const& found) const;
  void add_size_to(experiment_result& result) const {
    std::uint64_t n = 0;
    for (auto const load : plan.loads) n += load;
    result.parameters["n"] = static_cast<std::int64_t>(n);
    if (file) result.parameters.erase(std::string(kind_of_loads.name));
  }

  arguments given;
  bdm_machine on;
  std::optional<loads_of_file> file;
  balance_plan plan;
  balance_options options;
  balance_choice choice;

 private:
  [[nodiscard]] load_list elements_of(int rank) const;
  [[nodiscard]] std::vector<load_list> balanced() const;
  [[nodiscard]] static std::optional<loads_of_file> file_from(arguments const& given);
  [[nodiscard]] static load_list loads_of(loads_of_file const& file, arguments const& given);
  [[nodiscard]] static load_list made_loads(arguments const& given);
};

/// Errors: bad_input; invalid_argument for a column of no file.
std::optional<loads_of_file> balance_problem::file_from(arguments const& given) {
  auto const name = given[column_of_loads];
  if (given.request().input) return read_loads(given, name, most_balanced);
  if (!name.empty()) throw invalid_argument("--column needs --input FILE");
  return std::nullopt;
}

void balance_problem::write(std::ostream& out, std::vector<load_list> const& found) const {
  std::vector<std::int64_t> shares;
  for (auto const& elements : found) shares.push_back(static_cast<std::int64_t>(elements.size()));
  if (!file)
    return write_csv<std::int64_t>(out, std::array{written_column<std::int64_t>{"share", shares}});
  auto const* const name = file->column.name == "share" ? "share after" : "share";
  write_csv_beside<std::int64_t>(out, file->column, {name, shares});
}

load_list balance_problem::elements_of(int rank) const {
  auto const own = plan.loads.begin() + rank;
  load_list elements(*own);
  if (takes_small_values(given)) {
    auto const before = std::accumulate(plan.loads.begin(), own, std::uint64_t{0});
    std::iota(elements.begin(), elements.end(), before + 1);
    return elements;
  }
  for (std::size_t i = 0; i < elements.size(); ++i)
    elements[i] = generated_word(given.seed(), rank, 0, i);
  return elements;
}

/// Computes without a plan what each processor has in the end: its part of the line of whole
/// packets, then its part of the line of rests, an even one or, if pm divides n, a packet or
/// none. By a tree there are no rests.
std::vector<load_list> balance_problem::balanced() const {
  load_list whole;
  load_list rests;
  for (int rank = 0; rank < on.p; ++rank) {
    auto const elements = elements_of(rank);
    auto const packets =
        choice.is_tree() ? elements.size() : elements.size() - elements.size() % on.packet;
    auto const rest = elements.begin() + static_cast<std::ptrdiff_t>(packets);
    whole.insert(whole.end(), elements.begin(), rest);
    rests.insert(rests.end(), rest, elements.end());
  }
  std::vector<load_list> all(static_cast<std::size_t>(on.p));
  auto next = whole.begin();
  auto next_rest = rests.begin();
  auto const n = whole.size() + rests.size();
  bool const divides = n % (all.size() * on.packet) == 0;
  auto const filled = static_cast<int>(rests.size() / on.packet);  // packets of rests
  for (int rank = 0; auto& share : all) {
    auto const in_packets = rank + filled >= on.p ? on.packet : 0;
    auto const of_rests = static_cast<std::ptrdiff_t>(
        divides ? in_packets : even_block(rests.size(), on.p, rank).count);
    auto const wanted = static_cast<std::ptrdiff_t>(even_block(n, on.p, rank).count) - of_rests;
    share.assign(next, next + wanted);
    share.insert(share.end(), next_rest, next_rest + of_rests);
    next += wanted;
    next_rest += of_rests;
    ++rank;
  }
  return all;
}

/// Errors: out_of_memory, with the figures.
void require_memory_for_elements(arguments const& given, std::uint64_t n) {
  constexpr double bytes_of_an_element = 28;  // before, on the way, after, and to compare with
  require_memory(given, {.bytes_each = bytes_of_an_element * static_cast<double>(n) /
                                       static_cast<double>(given.processors()),
                         .held = fmt::format("{} elements", n),
                         .remedy = "fewer elements"});
}

/// Errors: those of require_memory_for_elements.
load_list balance_problem::loads_of(loads_of_file const& file, arguments const& given) {
  require_memory_for_elements(
      given, std::accumulate(file.loads.begin(), file.loads.end(), std::uint64_t{0}));
  return file.loads;
}

/// Errors: the same.
load_list balance_problem::made_loads(arguments const& given) {
  auto const n = given[elements_to_balance];
  require_memory_for_elements(given, n);
  return loads_of_kind(given[kind_of_loads], n, static_cast<std::size_t>(given.processors()),
                       given.seed());
}

traffic_requirement balance_problem::least_traffic(std::vector<load_list> const& /*found*/) const {
  traffic_requirement needed{.distance = 0};
  for (std::size_t i = 0; i < plan.loads.size(); ++i) {
    auto const& [load, share] = std::pair(plan.loads[i], plan.shares[i]);
    if (load > share) needed.sent = std::max<std::uint64_t>(needed.sent, load - share);
    if (load > share) needed.moved += load - share;
    if (load < share) needed.taken_in = std::max<std::uint64_t>(needed.taken_in, share - load);
  }
  return needed;
}

/// Tells what the plan comes to, and the words of its phases, as they were counted.
void add_figures(experiment_result& result, balance_plan const& plan,
                 balance_choice const& choice) {
  auto const add = [&](std::string const& name, std::uint64_t value) {
    result.figures[name] = static_cast<std::int64_t>(value);
  };
  std::uint64_t moved = 0;
  for (auto const& phase : plan.phases)
    for (auto const& move : phase.moves) moved += move.elements;
  add("M", std::ranges::max(plan.loads));
  add("h", static_cast<std::uint64_t>(plan.most_readers));
  add("moved", moved);
  result.figures["way"] = text_of(choice);
  if (choice.is_tree()) return;
  for (auto const* const name : {"phase 1", "phase 2", "phase 3"}) {
    auto const found = std::ranges::find(result.record.phases(), name, &phase_record::name);
    std::string figure(name);
    figure[figure.find(' ')] = '_';
    add(figure + "_words", found == result.record.phases().end() ? 0 : found->words);
  }
}

[[nodiscard]] experiment_result run_balance(arguments const& given) {
  balance_problem const problem(given);
  machine_needs const needs{
      .strict = strictness::always, .packet = problem.on.packet, .one_port = true};
  auto result = solve(given, needs, balance_claims(problem.on, problem.plan, problem.options.way),
                      problem, [&](processor& me, load_list const& mine) {
                        return balance(me, std::span(mine), problem.options);
                      });
  add_figures(result, problem.plan, problem.choice);
  return result;
}

}  // namespace

experiment balance_experiment() {
  return {
      .name = "balance",
      .summary =
          "elements move until every processor has as many of them as the others; loads are made, "
          "or a column of an input file (CSV)",
      .topologies = "crossbar",
      .source = cited(jaja_ryu_1994, "Theorem 4.1"),
      .examples = {"crossbar:8", "crossbar:4", "crossbar:16", "crossbar:32"},
      .parameters = {elements_to_balance, kind_of_loads, column_of_loads, way_to_balance, latency,
                     packet_size},
      .takes_files = true,
      .run = run_balance};
}

}  // namespace lockstep
