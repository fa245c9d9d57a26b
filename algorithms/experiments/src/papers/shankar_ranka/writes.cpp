#include "papers/shankar_ranka/writes.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "papers/claimed_cells.hpp"
#include "papers/measured_algorithm.hpp"
#include "papers/shankar_ranka/errata.hpp"
#include "papers/shankar_ranka/stage_counts.hpp"
#include "random_access/supposed_sizes.hpp"

namespace lockstep {

namespace {

/// A random access write of n elements.
struct write_case {
  int processors = 4;
  std::int64_t elements = 32;
  std::string pattern;
  std::string variant;
};

[[nodiscard]] experiment_result measured_write(write_case const& of) {
  return measured_algorithm("random-access-write", crossbar_of(of.processors),
                            {{"n", of.elements}, {"pattern", of.pattern}, {"variant", of.variant}});
}

[[nodiscard]] std::string label_of(write_case const& of) {
  return fmt::format("p = {}, n = {}, {}", of.processors, of.elements, of.pattern);
}

/// Section 4.5: words of a transportation of n/p elements of each processor.
constexpr char const* words_of_transportation = "2p(n/p^2 + p)";

/// Ours: start-ups of messages with sorted destinations, p a power of two.
constexpr char const* startups_with_scans = "q + 5 log2 p";

using letters = std::map<std::string, double, std::less<>>;

[[nodiscard]] letters letters_of(write_case const& of) {
  return {{"p", of.processors}, {"n", static_cast<double>(of.elements)}};
}

/// p^2, p^3, 4p^3 and 16p^3: where section 4.5's bounds begin, and beyond.
[[nodiscard]] std::array<std::int64_t, 4> sizes_on(int processors) {
  std::int64_t const p = processors;
  return {p * p, p * p * p, 4 * p * p * p, 16 * p * p * p};
}

/// Runs of several seconds are left out.
[[nodiscard]] bool is_left_out(write_case const& of) {
  constexpr std::int64_t most_elements = 1 << 20;
  return of.elements > most_elements && of.pattern != "random" && of.pattern != "few-hot";
}

/// Counts everything except the vector that decides.
[[nodiscard]] counts counts_without_choice(experiment_result const& result) {
  counts sum;
  for (auto const& phase : result.record.phases()) {
    if (phase.name == "choice") continue;
    sum.startups += phase.startups;
    sum.words += phase.words;
  }
  return sum;
}

/// Adds what section 3 says of the case that was chosen.
void add_limited(claimed_cells& cells, std::string const& choice, std::string const& pattern,
                 counts const& found) {
  if (choice == "local") {
    cells.equal("startups", "0", found.startups).equal("words", "0", found.words);
  } else if (choice == "complete-exchange") {
    cells.at_most("startups", "p", found.startups)
        .where("messages of one size, as in example (b)", pattern == "figure-3b")
        .at_most("words", "n/p", found.words);
  } else {
    cells.at_most("startups", "2p", found.startups)
        .where(detail::elements_of_accesses)
        .about("words", "2n/p", found.words, terms_of_lower_order());
  }
}

[[nodiscard]] paper_row limited_row(write_case const& of) {
  auto const result = measured_write(of);
  auto const choice = std::get<std::string>(result.figures.at("choice"));
  auto const found = counts_without_choice(result);
  claimed_cells stage(letters_of(of));
  stage.where("a transportation", choice == "transportation")
      .at_most("section 4.5", words_of_transportation, found.words);
  claimed_cells cells(letters_of(of));
  add_limited(cells, choice, of.pattern, found);
  auto in_row = stage.cells_of(result);
  std::ranges::move(cells.cells_of(result), std::back_inserter(in_row));
  return {label_of(of), choice, std::move(in_row), result.correct};
}

[[nodiscard]] paper_table limited(int most_processors) {
  paper_table table{"Section 3: limited hot spots, besides the combine that decides", {}, "input"};
  for (auto const* const figure : {"figure-3a", "figure-3b", "figure-3c"})
    if (most_processors >= 4) table.rows.push_back(limited_row({4, 32, figure, "limited"}));
  for (int const p : powers_up_to(most_processors))
    for (auto const* const pattern : {"local", "permutation"})
      for (auto const n : sizes_on(p)) {
        write_case const of{p, n, pattern, "limited"};
        if (!is_left_out(of)) table.rows.push_back(limited_row(of));
      }
  return table;
}

/// Adds start-ups: all of them by our count, and those of both stages beside section 4.5's 2p and p,
/// the 3p of section 7, which has no figure for a hybrid.
void add_startups(claimed_cells& cells, experiment_result const& result, bool is_hybrid) {
  auto const all = result.record.counts().startups;
  cells.at_most("startups", "3p + 6 log2 p", all).ours();
  cells.at_most("start-ups, stages", "3p", stages_in(result.record).startups);
  if (is_hybrid)
    cells.ours();
  else
    cells.about("start-ups, all", "3p", all, startups_of_vectors());
}

/// Adds section 5's bound on the first stage, and where it is of sparse buckets alone.
void add_stage_1_of_hybrid(claimed_cells& cells, write_case const& of, std::uint64_t words) {
  bool const are_sparse = of.pattern == "permutation";
  cells.about("stage 1", "2n/p", words,
              are_sparse ? sparse_buckets_alone() : terms_of_lower_order());
  if (are_sparse) cells.remark(sparse_buckets_alone());
}

[[nodiscard]] paper_row stages_row(write_case const& of) {
  auto const result = measured_write(of);
  auto known = letters_of(of);
  known["k"] = static_cast<double>(std::get<std::int64_t>(result.parameters.at("k")));
  auto const total = counted(result, "port_words");
  auto const stage_1 = counted(result, "stage_1_words");
  bool const is_plain = of.variant == "hybrid-plain";
  bool const is_hybrid = of.variant == "hybrid";
  claimed_cells cells(std::move(known));
  add_startups(cells, result, of.variant != "arbitrary");
  if (!is_plain)
    cells.at_most(is_hybrid ? "stage 1, section 4.5" : "stage 1", words_of_transportation, stage_1);
  cells.at_most("stage 2", "n/p + ceil(n/(kp))", counted(result, "stage_2_port_words"))
      .at_most("total, all terms",
               is_plain ? "4n/p + 4kp + 4 ceil(n/(kp)) + p(p - 1)"
                        : "3n/p + 4kp + 4 ceil(n/(kp)) + p(p - 1)",
               total)
      .ours()
      .where(detail::elements_of_accesses);
  if (is_plain) cells.about("stage 1", "n/p + 2n/p", stage_1, terms_of_lower_order());
  if (is_hybrid) add_stage_1_of_hybrid(cells, of, stage_1);
  cells.about("total", is_plain ? "4n/p" : "3n/p", total, terms_of_lower_order());
  if (of.variant != "arbitrary")
    cells.ours();  // the sum of what sections 5 and 4.4 say of the stages
  return {label_of(of), of.variant, cells.cells_of(result), result.correct};
}

[[nodiscard]] paper_table stages(std::string const& title, std::string const& variant,
                                 int most_processors) {
  paper_table table{title + "; stage 2 and totals by port_words", {}, "input"};
  for (int const p : powers_up_to(most_processors))
    for (auto const* const pattern :
         {"random", "permutation", "local", "monotonic", "few-hot", "one-hot", "singles"})
      for (auto const n : sizes_on(p)) {
        write_case const of{p, n, pattern, variant};
        if (!is_left_out(of)) table.rows.push_back(stages_row(of));
      }
  return table;
}

/// Sums up the words in and out of the busiest ports, phase by phase.
[[nodiscard]] std::uint64_t port_words_in(experiment_result const& result) {
  std::uint64_t sum = 0;
  for (auto const& phase : result.record.phases()) sum += phase.port_words;
  return sum;
}

/// Adds what section 6 says of messages with sorted destinations.
[[nodiscard]] paper_row sorted_row(std::string const& label, std::string const& algorithm,
                                   std::string const& startups, letters of,
                                   experiment_result const& result) {
  of["q"] = static_cast<double>(counted(result, "q"));
  // The paper leaves the times of one-to-one mappings to its companion.
  bool const is_of_paper =
      algorithm != "concentrate-elements" && algorithm != "distribute-elements";
  auto const all = result.record.counts().startups;
  claimed_cells cells(std::move(of));
  auto const credit = [&] {
    if (!is_of_paper) cells.ours();
  };
  cells.about("startups", "q + log2 p", all, scans_and_all_gather());
  credit();
  cells.equal("start-ups, exactly", startups, all).ours();
  cells.at_most("steps", "q", counted(result, "sends_steps"));
  credit();
  cells.at_most("sends", "n/p", counted(result, "sends_port_words"));
  credit();
  cells.about("total", "n/p", port_words_in(result), words_of_scans());
  credit();
  return {label, algorithm, cells.cells(), result.correct};
}

void add_sorted_rows(paper_table& table, int p, std::int64_t n) {
  for (auto const* const pattern : {"monotonic", "one-hot", "singles"}) {
    write_case const of{p, n, pattern, "monotonic"};
    table.rows.push_back(sorted_row(label_of(of), "monotonic write", startups_with_scans,
                                    letters_of(of), measured_write(of)));
    write_case const by_one{p, n, pattern, "one-all-gather"};
    table.rows.push_back(sorted_row(label_of(of), "monotonic write, one all-gather", "q + log2 p",
                                    letters_of(of), measured_write(by_one)));
  }
  auto const add = [&](std::string const& name, std::string const& startups, std::int64_t dots) {
    table.rows.push_back(
        sorted_row(fmt::format("p = {}, n = {}{}", p, n, dots > 0 ? ", half of them dots" : ""),
                   name, startups, letters_of({p, n, "", ""}),
                   measured_algorithm(name, crossbar_of(p), {{"n", n}, {"dots", dots}})));
  };
  add("generalize", startups_with_scans, 0);
  add("generalize", startups_with_scans, 50);
  // Without dots both leave everything where it is.
  add("concentrate-elements", "q + 4 log2 p", 50);
  add("distribute-elements", "q + 3 log2 p", 50);
}

[[nodiscard]] paper_table sorted_pointers(int most_processors) {
  paper_table table{"Section 6: sorted pointers; totals by port_words", {}, "input"};
  constexpr std::int64_t most_elements = 1 << 18;
  for (int const p : powers_up_to(most_processors))
    for (auto const n : sizes_on(p))
      if (n <= most_elements) add_sorted_rows(table, p, n);
  return table;
}

}  // namespace

std::vector<paper_table> write_tables(int most_processors) {
  return {limited(most_processors),
          stages("Section 4: arbitrary hot spots", "arbitrary", most_processors),
          stages("Section 5: the hybrid", "hybrid", most_processors),
          stages("Section 5: the hybrid as it is without the capacities' levels", "hybrid-plain",
                 std::min(most_processors, 16)),
          sorted_pointers(most_processors)};
}

}  // namespace lockstep
