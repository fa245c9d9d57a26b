#include <lockstep/algorithms/random_access/vector_combine.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <lockstep/claim_list.hpp>
#include <lockstep/topologies/hypercube.hpp>

#include "choices.hpp"
#include "harness/experiment_list.hpp"
#include "harness/solve.hpp"
#include "harness/sources.hpp"
#include "harness/stages.hpp"
#include "network_kind.hpp"
#include "random_access/option_names.hpp"
#include "random_access/problem_without_files.hpp"
#include "random_access/shared_parameters.hpp"

namespace lockstep {

namespace {

using word_list = std::vector<std::uint64_t>;
constexpr std::plus<std::uint64_t> add_words_of_vectors;  // modulo 2^64

/// The same, which counts each addition of a processor as an operation.
class counted_addition {
 public:
  explicit counted_addition(processor& me) : m_me(&me) {}

  [[nodiscard]] std::uint64_t operator()(std::uint64_t one, std::uint64_t other) const {
    m_me->work(1);
    return add_words_of_vectors(one, other);
  }

 private:
  processor* m_me;
};

constexpr integer_parameter vector_length{"words", "words of each processor's vector", 64, 0,
                                          std::int64_t{1} << 31U};
constexpr choice_parameter combining_method{
    "method",
    "where p is not a power of two: auto (the cheapest), fold (few start-ups), exchange (few "
    "words; piece j to processor j and back) or circulant (both, for totals alone)",
    choices_of(detail::vector_method_names)};

/// The sums of a processor, as far as they are asked for.
using found_sums = combined_and_scanned<std::uint64_t>;

/// The problem of combining vectors: all processors are to have the sums of all vectors, or of those before
/// their own, or both.
struct vector_problem : problem_without_files {
  vector_problem(arguments const& given, detail::wanted_sums of)
      : network(given.network()), words(given[vector_length]), wanted(of), sums{word_list(words)} {
    for (int rank = 0; rank < given.processors(); ++rank) {
      word_list vector(words);
      for (std::size_t i = 0; i < words; ++i) vector[i] = generated_summand(given, rank, i);
      sums.push_back(sums.back());
      std::ranges::transform(sums.back(), vector, sums.back().begin(), add_words_of_vectors);
      vectors.push_back(std::move(vector));
    }
  }

  [[nodiscard]] std::span<std::uint64_t const> part_of(processor const& me) const {
    return vectors[static_cast<std::size_t>(me.rank())];
  }
  [[nodiscard]] bool is_solved_by(std::vector<found_sums> const& found) const {
    for (std::size_t rank = 0; rank < vectors.size(); ++rank) {
      auto const& [totals, before] = found[rank];
      if (wanted.totals && totals != sums.back()) return false;
      if (wanted.prefixes && (rank == 0 ? before.has_value() : before != sums[rank])) return false;
    }
    return true;
  }
  /// Says what any program needs: every processor something of all elements of all others, or of those of
  /// lower ranks.
  template <class Results>
  [[nodiscard]] traffic_requirement least_traffic(Results const& /*found*/) const {
    auto const p = vectors.size();
    if (p == 1 || words == 0) return {};
    return {.taken_in = words,
            .sent = words,
            .moved = (wanted.totals ? p : p - 1) * words,
            .distance = is<hypercube>(network) ? static_cast<int>(std::bit_width(p)) - 1 : 1,
            .joined = p};
  }

  topology const& network;
  std::size_t words;
  detail::wanted_sums wanted;
  std::vector<word_list> vectors{};
  std::vector<word_list> sums;  ///< of the vectors before each processor; the last of all
};

/// A call on the vector of a processor.
using vector_program = found_sums (*)(processor&, std::span<std::uint64_t const>,
                                      vector_options const&);

[[nodiscard]] experiment_result run_on_vectors(arguments const& given, detail::wanted_sums wanted,
                                               double held, vector_program program) {
  auto const words = given[vector_length];
  vector_options const options{.method = given[combining_method],
                               .startup_words = given[startup_price],
                               .commutes = !wanted.prefixes};
  int const copies = wanted.copies();
  auto const method = detail::method_of_sums(options, given.processors(), words, wanted);
  detail::require_vector_network(given.network(), method);
  machine_needs const needs{
      .strict = strictness::always,
      .one_port = true,
      .bytes_each = sizeof(std::uint64_t) * held * static_cast<double>(words),
      .held = fmt::format("vectors of {} words, their sums and messages", words),
      .remedy = "fewer words"};
  require_memory(given, needs);
  vector_problem const problem(given, wanted);
  auto claims = vector_combine_claims(given.processors(), words, copies, options);
  expect_steps(claims);
  auto result = solve(given, needs, problem,
                      [&](processor& me, auto const& mine) { return program(me, mine, options); });
  if (given.request().options.packet == 1) result.claims = std::move(claims);
  if (!wanted.prefixes) {
    std::vector<claim> const additions =
        claim_list({{{"p", given.processors()}, {"m", static_cast<double>(words)}}})
            .from("lockstep, the additions counted")
            .equal("operations", "(p - 1)m");  // a total of each element, made once
    result.claims.insert(result.claims.end(), additions.begin(), additions.end());
  }
  result.figures["method"] = std::string(name_of(method));
  return result;
}

/// Completes an experiment on vectors: where it runs, and with which parameters.
[[nodiscard]] experiment vector_experiment(experiment of) {
  of.topologies = "crossbar, hypercube";
  of.examples = {"crossbar:8", "crossbar:4", "crossbar:6", "hypercube:4", "crossbar:13"};
  of.parameters = {vector_length, combining_method, startup_price};
  return of;
}

}  // namespace

experiment vector_combine_experiment() {
  return vector_experiment(
      {.name = "vector-combine",
       .summary = "all processors get the sums of their vectors, by halves of vectors",
       .source = shankar_ranka_1997,
       .run = [](arguments const& given) {
         return run_on_vectors(
             given, {.totals = true}, 6.3,
             [](auto& me, auto mine, auto const& options) -> found_sums {
               return {vector_combine(me, counted_addition(me), mine, options), {}};
             });
       }});
}

experiment vector_scan_experiment() {
  return vector_experiment(
      {.name = "vector-scan",
       .summary = "processor i gets the sums of the vectors of processors 0 to i - 1",
       .source = shankar_ranka_1997,
       .run = [](arguments const& given) {
         return run_on_vectors(given, {.prefixes = true}, 7.8,
                               [](auto& me, auto mine, auto const& options) -> found_sums {
                                 return {{}, vector_scan(me, counted_addition(me), mine, options)};
                               });
       }});
}

experiment vector_combine_scan_experiment() {
  return vector_experiment(
      {.name = "vector-combine-scan",
       .summary = "the sums of all vectors and of those before, at once, in the start-ups of one",
       .source = after_shankar_ranka_1997,
       .run = [](arguments const& given) {
         return run_on_vectors(given, {.totals = true, .prefixes = true}, 8.1,
                               [](auto& me, auto mine, auto const& options) {
                                 return vector_combine_scan(me, counted_addition(me), mine,
                                                            options);
                               });
       }});
}

}  // namespace lockstep
