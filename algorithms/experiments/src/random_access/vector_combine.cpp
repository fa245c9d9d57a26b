#include <lockstep/algorithms/random_access/vector_combine.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <lockstep/topologies/hypercube.hpp>

#include "harness/experiment_list.hpp"
#include "harness/harness.hpp"
#include "harness/sources.hpp"
#include "harness/stages.hpp"
#include "network_kind.hpp"
#include "random_access/shared_parameters.hpp"

namespace lockstep {

namespace {

using word_list = std::vector<std::uint64_t>;
constexpr std::plus<std::uint64_t> add_words_of_vectors;  // modulo 2^64

constexpr integer_parameter vector_length{"words", "words of each processor's vector", 64, 0,
                                          std::int64_t{1} << 31U};
constexpr choice_parameter combining_method{
    "method",
    "where p is not a power of two: auto (the cheapest), fold (few start-ups), exchange (few "
    "words; piece j to processor j and back) or circulant (both, for totals alone)",
    std::array{named_choice{"auto", vector_method::automatic},
               named_choice{"fold", vector_method::fold},
               named_choice{"exchange", vector_method::exchange},
               named_choice{"circulant", vector_method::circulant}}};

/// Vectors, and the sums of those before each processor; the last are those of all.
struct summed_vectors {
  summed_vectors(arguments const& given, std::size_t words) : sums{word_list(words)} {
    for (int rank = 0; rank < given.processors(); ++rank) {
      word_list vector(words);
      for (std::size_t i = 0; i < words; ++i) vector[i] = generated_word(given.seed(), rank, 0, i);
      sums.push_back(sums.back());
      std::ranges::transform(sums.back(), vector, sums.back().begin(), add_words_of_vectors);
      vectors.push_back(std::move(vector));
    }
  }

  [[nodiscard]] std::span<std::uint64_t const> of(processor const& me) const {
    return vectors[static_cast<std::size_t>(me.rank())];
  }
  [[nodiscard]] bool are_totals(word_list const& totals) const { return totals == sums.back(); }
  [[nodiscard]] bool are_before(processor const& me, std::optional<word_list> const& found) const {
    if (me.rank() == 0) return !found;
    return found == sums[static_cast<std::size_t>(me.rank())];
  }

  std::vector<word_list> vectors;
  std::vector<word_list> sums;
};

/// Says what any program needs: every processor something of all elements of all others, or of
/// those of lower ranks.
[[nodiscard]] traffic_requirement vector_requirement(topology const& network, std::uint64_t words,
                                                     bool makes_totals) {
  auto const p = static_cast<std::uint64_t>(network.size());
  if (p == 1 || words == 0) return {};
  bool const is_cube = is<hypercube>(network);
  return {.taken_in = words,
          .sent = words,
          .moved = (makes_totals ? p : p - 1) * words,
          .distance = is_cube ? static_cast<int>(std::bit_width(p)) - 1 : 1,
          .joined = p};
}

/// A call on vectors that says whether its processor has what it should.
using vector_program =
    std::function<bool(processor&, summed_vectors const&, vector_options const&)>;

[[nodiscard]] experiment_result run_on_vectors(arguments const& given, detail::wanted_sums wanted,
                                               double held, vector_program const& program) {
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
  summed_vectors const all(given, words);
  auto claims = vector_combine_claims(given.processors(), words, copies, options);
  expect_steps(claims);
  auto result =
      run_and_check(given, needs, [&](processor& me) { return program(me, all, options); });
  if (given.request().options.packet == 1) result.claims = std::move(claims);
  result.bounds =
      lower_bounds(result.record, vector_requirement(given.network(), words, wanted.totals));
  result.figures["method"] = std::string(name_of(method));
  return result;
}

/// Completes an experiment on vectors: where it runs, and with which parameters.
[[nodiscard]] experiment vector_experiment(experiment of) {
  of.topologies = "crossbar, hypercube";
  of.source = shankar_ranka_1997;
  of.examples = {"crossbar:8", "crossbar:4", "crossbar:6", "hypercube:4", "crossbar:13"};
  of.parameters = {vector_length, combining_method, startup_price};
  return of;
}

}  // namespace

experiment vector_combine_experiment() {
  return vector_experiment(
      {.name = "vector-combine",
       .summary = "all processors get the sums of their vectors, by halves of vectors",
       .run = [](arguments const& given) {
         return run_on_vectors(
             given, {.totals = true}, 6.3,
             [](processor& me, summed_vectors const& all, vector_options const& options) {
               return all.are_totals(vector_combine(me, add_words_of_vectors, all.of(me), options));
             });
       }});
}

experiment vector_scan_experiment() {
  return vector_experiment(
      {.name = "vector-scan",
       .summary = "processor i gets the sums of the vectors of processors 0 to i - 1",
       .run = [](arguments const& given) {
         return run_on_vectors(
             given, {.prefixes = true}, 7.8,
             [](processor& me, summed_vectors const& all, vector_options const& options) {
               return all.are_before(me,
                                     vector_scan(me, add_words_of_vectors, all.of(me), options));
             });
       }});
}

experiment vector_combine_scan_experiment() {
  return vector_experiment(
      {.name = "vector-combine-scan",
       .summary = "the sums of all vectors and of those before, at once, in the start-ups of one",
       .run = [](arguments const& given) {
         return run_on_vectors(
             given, {.totals = true, .prefixes = true}, 8.1,
             [](processor& me, summed_vectors const& all, vector_options const& options) {
               auto const sums = vector_combine_scan(me, add_words_of_vectors, all.of(me), options);
               return all.are_totals(sums.totals) && all.are_before(me, sums.before);
             });
       }});
}

}  // namespace lockstep
