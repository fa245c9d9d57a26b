#include "papers/shankar_ranka/reads.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include <lockstep/claim_list.hpp>

#include "papers/claimed_cells.hpp"
#include "papers/measured_algorithm.hpp"
#include "papers/shankar_ranka/errata.hpp"
#include "papers/shankar_ranka/stage_counts.hpp"
#include "random_access/supposed_sizes.hpp"

namespace lockstep {

namespace {

/// The claimed costs of a variant of the read, by the paper and with all terms.
struct read_claims {
  std::string title;
  std::string variant;
  std::string startups;  ///< the paper's, with the scans
  std::string stages;    ///< the paper's
  std::string total;     ///< the paper's, but for buckets that are weighted, which are ours
  std::string all_terms;
  std::string answers;  ///< the most words of an owner, or of one that it sends buckets to, mended
};

/// A random access read of n elements, values of m words.
struct read_case {
  int processors = 4;
  std::int64_t elements = 32;
  std::int64_t words = 1;
  std::string pattern;
};

[[nodiscard]] std::string label_of(read_case const& of) {
  return fmt::format("p = {}, n = {}, m = {}, {}", of.processors, of.elements, of.words,
                     of.pattern);
}

// What the paper says of whole buckets.
constexpr char const* startups_of_buckets = "5p + 6 log2 p";
constexpr char const* words_of_buckets = "(3m + 2)n/p";

/// Ours, of weighted ones.
constexpr char const* words_of_weighted_buckets = "(5m + 3)n/p";

/// Section 4.4, on the second stage of writes, applied to the answers of reads.
constexpr char const* words_of_answers = "m(n/p + ceil(n/(kp)))";

constexpr char const* vectors_of_reads = " + 4kp + 4m ceil(n/(kp)) + (m + 1)p(p - 1)";

[[nodiscard]] std::vector<read_claims> all_claims() {
  std::string const vectors = vectors_of_reads;
  return {
      {"by requests", "1", "6p + 8 log2 p", "6p", "3(m + 1)n/p",
       "3(m + 1)n/p + 4kp + 4(m + 1) ceil(n/(kp)) + (m + 1)p(p - 1)", words_of_answers},
      {"whole buckets of all kinds, as lockstep reads it", "2", startups_of_buckets, "5p",
       words_of_buckets, "(2m + 2)n/p + mh ceil(n/(kp))" + vectors, "mh ceil(n/(kp))"},
      {"whole buckets, weighted", "weighted", startups_of_buckets, "5p", words_of_weighted_buckets,
       words_of_weighted_buckets + vectors, "m(2n/p + ceil(n/(kp)))"},
      {"whole buckets of dense ones alone", "hybrid", startups_of_buckets, "5p", words_of_buckets,
       words_of_buckets + vectors, words_of_answers}};
}

/// Why the total may be more than the paper says.
[[nodiscard]] erratum excess_of(read_case const& of) {
  std::int64_t const cube = std::int64_t{1} * of.processors * of.processors * of.processors;
  bool const is_by_words = of.elements < cube && of.elements * of.words >= cube;
  return is_by_words ? whole_elements() : terms_of_lower_order();
}

/// Makes the paper's claim about all words. `is_beyond_all_terms`: whether whole buckets of all kinds
/// make more than that and all terms of lower order.
[[nodiscard]] claim total_of(read_claims const& claims, read_case const& of,
                             claim_list const& letters, bool is_beyond_all_terms) {
  claim total{.figure = "total",
              .formula = claims.total,
              .value = letters.value(claims.total),
              .bound = comparison::about,
              .erratum = excess_of(of).text,
              .where = {letters.hypothesis_of(detail::words_of_accesses),
                        letters.hypothesis_of(detail::elements_of_buckets)}};
  if (is_beyond_all_terms) {  // more than terms of lower order
    total.bound = comparison::at_most;
    total.erratum = whole_sparse_buckets().text;
  }
  return total;
}

/// Claims words of the answers, for which the paper gives no such bound.
[[nodiscard]] claim answers_of(read_claims const& claims, claim_list const& letters) {
  claim answers{.figure = "answers",
                .formula = words_of_answers,
                .value = letters.value(words_of_answers),
                .bound = comparison::at_most};
  if (claims.variant == "2") answers.erratum = whole_sparse_buckets().text;
  if (claims.variant == "weighted") answers.erratum = whole_weighted_buckets().text;
  return answers;
}

/// Adds start-ups: all of them by our count, and those of both communications beside the paper's.
void add_startups(claimed_cells& cells, read_claims const& claims, std::uint64_t all,
                  read_communications const& found) {
  cells.at_most("startups", claims.startups, all).ours();
  cells.at_most("start-ups, stages", claims.stages, found.startups());
  if (claims.variant == "weighted")
    cells.ours();
  else
    cells.about("start-ups, all", claims.stages, all, startups_of_vectors());
}

/// Makes the row of what section 7 says of each communication of the read by requests: 3(p tau + mu n/p) for
/// addresses, 3(p tau + mu m n/p) for elements.
[[nodiscard]] paper_row communications_row(read_case const& of, experiment_result const& result) {
  auto const found = communications_in(result.record, true);
  claimed_cells cells({{"p", of.processors},
                       {"n", static_cast<double>(of.elements)},
                       {"m", static_cast<double>(of.words)}});
  cells.at_most("start-ups, addresses", "3p", found.addresses.startups)
      .at_most("start-ups, elements", "3p", found.elements.startups)
      .where(detail::words_of_accesses)
      .about("addresses", "3n/p", found.addresses.port_words, terms_of_lower_order())
      .about("elements", "3m n/p", found.elements.port_words, terms_of_lower_order());
  return {label_of(of), "variant 1", cells.cells()};
}

[[nodiscard]] experiment_result measured_read(read_claims const& claims, read_case const& of) {
  return measured_algorithm("random-access-read", crossbar_of(of.processors),
                            {{"n", of.elements},
                             {"words", of.words},
                             {"pattern", of.pattern},
                             {"variant", claims.variant}});
}

[[nodiscard]] paper_row read_row(read_claims const& claims, read_case const& of,
                                 experiment_result const& result) {
  auto const k = std::get<std::int64_t>(result.parameters.at("k"));
  auto const p = static_cast<std::uint64_t>(of.processors);
  auto const slots = static_cast<std::uint64_t>(of.elements) / p;
  std::map<std::string, double, std::less<>> const known{
      {"p", of.processors},
      {"n", static_cast<double>(of.elements)},
      {"m", static_cast<double>(of.words)},
      {"k", static_cast<double>(k)},
      {"h", static_cast<double>(std::min(static_cast<std::uint64_t>(k) * p, slots + 1))}};
  claimed_cells cells(known);
  claim_list const letters({known});
  auto const total = counted(result, "port_words");
  auto const answers = counted(result, "answer_port_words");
  auto const both = communications_in(result.record, claims.variant == "1");
  add_startups(cells, claims, result.record.counts().startups, both);
  cells.add(answers_of(claims, letters), answers, whole_sparse_buckets().number).ours();
  bool const is_beyond =
      claims.variant == "2" &&
      static_cast<double>(total) > letters.value(words_of_buckets + std::string(vectors_of_reads));
  cells.at_most("answers, in the end", claims.answers, answers)
      .ours()
      .add(total_of(claims, of, letters, is_beyond), total,
           is_beyond ? whole_sparse_buckets().number : excess_of(of).number);
  if (claims.variant == "weighted") cells.ours();
  cells.at_most("total, all terms", claims.all_terms, total).ours();
  return {label_of(of), fmt::format("variant {}", claims.variant), cells.cells_of(result),
          result.correct};
}

/// n from p^2 to 16 p^3 for single words, p^3 for more, and 4p^3/m, less than p^3.
[[nodiscard]] std::vector<read_case> cases_on(int processors, std::string const& pattern) {
  std::int64_t const p = processors;
  std::vector<read_case> cases{{processors, p * p, 1, pattern},
                               {processors, p * p * p, 1, pattern},
                               {processors, p * p * p, 4, pattern}};
  if (p <= 16) cases.push_back({processors, 16 * p * p * p, 1, pattern});
  if (p >= 16) cases.push_back({processors, 4 * p * p * p / 64, 64, pattern});
  return cases;
}

/// How the requests of a read with limited hot spots go.
enum class limited_way : std::uint8_t { local, exchange, transportation };

/// Counts everything but the vectors of bucket hits, which decide.
[[nodiscard]] counts counts_without_hits(run_record const& of) {
  counts sum;
  for (auto const& phase : of.phases()) {
    if (phase.name == "combine bucket hits" || phase.name == "scan bucket hits") continue;
    sum.startups += phase.startups;
    sum.words += phase.words;
  }
  return sum;
}

/// Adds section 3's costs, there with a word and back with m. Section 7 names these ways, and no costs.
void add_limited(claimed_cells& cells, limited_way way, counts const& found) {
  using enum limited_way;
  if (way == local)
    cells.equal("start-ups", "0", found.startups);
  else
    cells.at_most("start-ups", way == exchange ? "2p" : "4p", found.startups);
  cells.ours();
  if (way == local) cells.equal("words", "0", found.words);
  if (way == exchange) cells.at_most("words", "(m + 1)n/p", found.words);
  if (way == transportation)
    cells.where(detail::elements_of_accesses)
        .about("words", "2(m + 1)n/p", found.words, terms_of_lower_order());
  cells.ours();
}

/// Makes the row of a hybrid read with a bucket of each processor: with no more requests than addresses it
/// is sparse, and requests go to their owners at once.
[[nodiscard]] paper_row limited_row(read_case const& of, limited_way way) {
  bool const is_direct = way == limited_way::exchange;
  auto const result =
      measured_algorithm("random-access-read", crossbar_of(of.processors),
                         {{"n", of.elements},
                          {"words", of.words},
                          {"pattern", of.pattern},
                          {"variant", std::string("hybrid")},
                          {"k", std::string("1")},
                          {"stage-1", std::string(is_direct ? "direct" : "transportation")}});
  claimed_cells cells({{"p", of.processors},
                       {"n", static_cast<double>(of.elements)},
                       {"m", static_cast<double>(of.words)}});
  auto const found = counts_without_hits(result.record);
  cells.at_most("words, all terms", "(m + 1)(2n/p + (p - 1)(p - 1))", found.words).ours();
  add_limited(cells, way, found);
  return {label_of(of),
          way == limited_way::local ? "local"
          : is_direct               ? "complete exchange"
                                    : "transportation",
          cells.cells(), result.correct};
}

[[nodiscard]] paper_table limited_reads(int most_processors) {
  paper_table table{
      "Section 7: reads with limited hot spots, besides the vectors that decide", {}, "input"};
  using enum limited_way;
  for (std::int64_t const m : {1, 4}) {
    if (most_processors >= 4) {
      table.rows.push_back(limited_row({4, 32, m, "figure-3a"}, local));
      table.rows.push_back(limited_row({4, 32, m, "figure-3b"}, exchange));
      table.rows.push_back(limited_row({4, 32, m, "figure-3c"}, transportation));
    }
    for (std::int64_t const p : {4, 8, 16, 32}) {
      if (p > most_processors) continue;
      int const processors = static_cast<int>(p);
      table.rows.push_back(limited_row({processors, p * p * p, m, "local"}, local));
      table.rows.push_back(limited_row({processors, p * p * p, m, "permutation"}, transportation));
    }
  }
  return table;
}

}  // namespace

std::vector<paper_table> read_tables(int most_processors) {
  std::vector<paper_table> tables;
  paper_table communications{
      "Section 7: both communications of the reads by requests", {}, "input"};
  for (auto const& claims : all_claims()) {
    paper_table table{"Section 7: reading " + claims.title, {}, "input"};
    for (int const p : {4, 16, 64}) {
      if (p > most_processors) continue;
      for (auto const* const pattern : {"random", "permutation", "few-hot", "one-hot", "singles"})
        for (auto const& one : cases_on(p, pattern)) {
          auto const result = measured_read(claims, one);
          table.rows.push_back(read_row(claims, one, result));
          if (claims.variant == "1") communications.rows.push_back(communications_row(one, result));
        }
    }
    tables.push_back(std::move(table));
  }
  tables.push_back(std::move(communications));
  tables.push_back(limited_reads(most_processors));
  return tables;
}

}  // namespace lockstep
