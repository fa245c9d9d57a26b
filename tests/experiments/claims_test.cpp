#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <lockstep/algorithms/exchange/exchange_schedule.hpp>
#include <lockstep/algorithms/routing/bin_bounds.hpp>
#include <lockstep/algorithms/sorting/rotate_sort.hpp>
#include <lockstep/algorithms/sorting/shear_sort.hpp>
#include <lockstep/errors.hpp>
#include <lockstep/experiments/registry.hpp>
#include <lockstep/formula.hpp>
#include <lockstep/topologies/binary_tree.hpp>
#include <lockstep/topologies/parse.hpp>

#include "catch.hpp"
#include "exchange/choice_text.hpp"
#include "experiments/default_request.hpp"

// The value of each claim is what its formula comes to.

namespace {

using lockstep::formula_letters;
using lockstep::parameter_value;
using texts = std::vector<std::string>;

/// One of these is in each formula that is words.
texts const words_of_formulas{
    "turns with a message",
    "ln p",
    "the largest messages",
    "over the steps",
    "n_i/m",
    "q_i/m",
    "n_j/m",
    "not empty",
    "links that the records cross",
    "for each round",
    "with words",
    "over phases",
    "over all messages",
    "something travels",
    "over rounds",
    "over processors",
    "elements can make",
    "phases of a tree of k",
    "log2 n_i",  // sizes of dimensions: network_collectives_test evaluates these
    "(n_i - 1)",
    "rounds of the tree",
    "with bit i",
    "balancing +",  // the words of a plan: h_relation_request_test has what they come to
    "5 ln n"};

texts const crossbars{"crossbar:1", "crossbar:2", "crossbar:3", "crossbar:4",
                      "crossbar:5", "crossbar:7", "crossbar:8", "crossbar:16"};
texts const grids{"torus:1x1", "torus:2x2",   "torus:4x4",  "torus:8x4", "torus:6x4",
                  "torus:5x3", "torus:4x4x4", "mesh:1x2",   "mesh:2x2",  "mesh:4x4",
                  "mesh:4x6",  "mesh:3x3",    "mesh:2x2x4", "mesh:8x2",  "mesh:4x4x4"};
texts const cubes{"hypercube:0", "hypercube:1", "hypercube:2", "hypercube:3", "hypercube:4"};
texts const lines{"torus:1", "mesh:5", "torus:4x4", "mesh:4x4", "mesh:3x5", "torus:2x3x2"};
texts const trees{"tree:1", "tree:2", "tree:3", "tree:4"};
texts const shuffles{"shuffle-exchange:1", "shuffle-exchange:2", "shuffle-exchange:3",
                     "shuffle-exchange:4"};

[[nodiscard]] texts all_of(std::initializer_list<texts> const& lists) {
  texts all;
  for (auto const& list : lists) all.insert(all.end(), list.begin(), list.end());
  return all;
}

[[nodiscard]] double depth_of(lockstep::topology const& network) {
  if (auto const* const tree = dynamic_cast<lockstep::binary_tree const*>(&network))
    return tree->levels();
  return std::ceil(std::log2(network.size()));
}

[[nodiscard]] std::vector<double> sizes_in(std::string const& spec) {
  std::vector<double> sizes;
  std::istringstream list(spec.substr(spec.find(':') + 1));
  for (std::string size; std::getline(list, size, 'x');) sizes.push_back(std::stod(size));
  return sizes;
}

void add_letters_of_grids(formula_letters& letters, lockstep::experiment_result const& of,
                          lockstep::topology const& network) {
  auto& numbers = letters.numbers;
  auto const sizes = sizes_in(network.spec());
  auto const [least, largest] = std::ranges::minmax(sizes);
  numbers["m"] = static_cast<double>(std::get<std::int64_t>(of.parameters.at("words")));
  numbers["R"] = least;
  numbers["C"] = numbers["N1"] = largest;
  numbers["d"] = std::log2(largest);
  numbers["A"] = network.size();
  numbers["n"] = static_cast<double>(sizes.size());
  numbers["odd sizes"] = static_cast<double>(
      std::ranges::count_if(sizes, [](double size) { return std::fmod(size, 2) == 1; }));
  letters.lists["N_i"] = sizes;
  numbers["r"] = static_cast<double>(of.record.counts().rearrangements);  // of the fewest orders
}

/// N_p: the longest rings of each ring phase, of the schedule that was taken.
void add_rings(formula_letters& letters, lockstep::experiment_result const& of,
               lockstep::topology const& network) {
  using enum lockstep::exchange_scheme;
  if (!of.figures.contains("scheme") || of.figures.contains("groups")) return;
  auto const name = std::get<std::string>(of.figures.at("scheme"));
  for (auto const scheme : {virtual_nodes, paper}) {
    bool const is_papers = scheme == paper && name == "fewest-rearrangements";
    if (lockstep::name_of(scheme) != name && !is_papers) continue;
    lockstep::exchange_schedule const schedule(network, {.scheme = scheme});
    std::vector<double> rings;
    for (auto const& phase : schedule.phases())
      if (phase.in_rings) rings.push_back((phase.steps + 1) * schedule.stride());
    if (rings.size() == letters.lists["N_i"].size()) letters.lists["N_p"] = rings;
  }
}

/// b1, b2: the sizes of padded blocks.
void add_block_sizes(formula_letters& letters, lockstep::experiment_result const& of,
                     lockstep::topology const& network) {
  using enum lockstep::block_rule;
  auto const name = std::get<std::string>(of.parameters.at("blocks"));
  auto const limit = [&](char const* called) {
    return static_cast<std::uint64_t>(std::get<std::int64_t>(of.parameters.at(called)));
  };
  for (auto const rule : {bound, text, appendix, exact}) {
    if (name != lockstep::name_of(rule) && (rule != bound || name != "padded")) continue;
    auto const sizes = lockstep::blocks_of(rule, {limit("h1"), limit("h")}, network.size());
    letters.numbers["b1"] = static_cast<double>(sizes.out);
    letters.numbers["b2"] = static_cast<double>(sizes.through);
  }
}

void add_letters_of_collectives(formula_letters& letters, std::string_view name) {
  auto& numbers = letters.numbers;
  bool const has_all =
      name == "scatter" || name == "gather" || name == "all-gather" || name == "reduce-scatter";
  numbers["n"] = numbers.at("words") * (has_all ? numbers.at("p") : 1);
  numbers["q"] = numbers.at("words");
  numbers["b"] = std::min(numbers.at("m"), std::ceil(std::sqrt(numbers.at("p"))));
}

void add_letters_of_bucket_sorts(formula_letters& letters, lockstep::experiment_result const& of) {
  auto& numbers = letters.numbers;
  auto const has = [&](char const* called) { return of.figures.contains(called); };
  numbers["a"] = has("attempts") ? numbers.at("attempts") : 1;
  numbers["B"] = numbers.at("largest_bucket");
  if (has("samples")) {
    bool const again = std::get<bool>(of.parameters.at("with-replacement"));
    auto const most = std::ceil(numbers.at("n") / numbers.at("p"));
    numbers["s"] = again ? numbers.at("samples") : std::min(numbers.at("samples"), most);
  }
}

void add_letters_of_sorts(formula_letters& letters, lockstep::experiment_result const& of) {
  auto& numbers = letters.numbers;
  auto const range = numbers.at(of.parameters.contains("range") ? "range" : "radix");
  numbers["q"] = std::ceil(range / numbers.at("p"));
  numbers["r"] = std::log2(range);
  if (of.figures.contains("key_bits")) numbers["b"] = numbers.at("key_bits");
}

/// s panels of a block, w columns of a block of A.
void add_letters_of_panels(formula_letters& letters) {
  auto& numbers = letters.numbers;
  auto const panels = numbers["s"] = numbers.at("panels");
  if (numbers.contains("b")) numbers["w"] = panels * std::ceil(numbers.at("b") / panels);
}

void add_letters_of_greedy_route(formula_letters& letters) {
  auto& numbers = letters.numbers;
  numbers["G"] = numbers.at("greedy_rounds");
  numbers["g"] = std::max(1.0, std::ceil(std::log2(numbers.at("d"))));
  numbers["K"] = std::exp2(numbers.at("g"));
  numbers["m"] = std::ceil(numbers.at("d") / numbers.at("g"));
}

void add_letters_of_shear_sort(formula_letters& letters, lockstep::topology const& network) {
  auto const shape = lockstep::mesh_shape::of(network);
  letters.numbers["R"] = lockstep::detail::transposition_rounds(shape.rows);
  letters.numbers["C"] = lockstep::detail::transposition_rounds(shape.columns);
  letters.numbers["l"] = shape.halvings();
}

[[nodiscard]] bool is_of_random_access(std::string const& name) {
  static std::set<std::string> const all{"random-access-write",  "random-access-read",
                                         "transportation",       "generalize",
                                         "concentrate-elements", "distribute-elements"};
  return all.contains(name);
}

/// l rounds along all lines, b levels of trees on them; of a transportation n/p elements of a processor.
void add_letters_of_lines(formula_letters& letters, std::string const& name,
                          lockstep::topology const& network) {
  auto& numbers = letters.numbers;
  numbers["l"] = numbers["b"] = 0;
  for (auto const size : sizes_in(network.spec())) {
    numbers["l"] += size - 1;
    numbers["b"] += std::ceil(std::log2(size));
  }
  if (name == "transportation")
    numbers["n"] = numbers.at("p") * std::max(numbers.at("r"), numbers.at("c"));
}

[[nodiscard]] formula_letters letters_of(std::string const& name,
                                         lockstep::experiment_result const& of,
                                         lockstep::topology const& network) {
  formula_letters letters;
  auto& numbers = letters.numbers;
  for (auto const& from : {of.parameters, of.figures})
    for (auto const& [called, value] : from) {
      if (auto const* const whole = std::get_if<std::int64_t>(&value))
        numbers[called] = static_cast<double>(*whole);
      if (auto const* const real = std::get_if<double>(&value)) numbers[called] = *real;
    }
  numbers["p"] = network.size();
  numbers["d"] = depth_of(network);
  numbers["steps"] = static_cast<double>(of.record.counts().steps);
  numbers["work"] = static_cast<double>(of.record.counts().work);
  if (of.figures.contains("T_p")) numbers["t_s"] = 100;
  if (name.starts_with("all-to-all")) {
    add_letters_of_grids(letters, of, network);
    add_rings(letters, of, network);
  }
  if (of.parameters.contains("packet")) numbers["m"] = numbers.at("packet");
  if (of.parameters.contains("packet") && of.parameters.contains("words"))
    add_letters_of_collectives(letters, name);
  if (name.ends_with("-sort") && of.parameters.contains("rows")) numbers["q"] = numbers.at("rows");
  if (name == "sample-sort" || name == "median-sort") add_letters_of_bucket_sorts(letters, of);
  if (numbers.contains("panels")) add_letters_of_panels(letters);
  if (of.parameters.contains("shears")) {
    auto const blocks = lockstep::rotate_sort_blocks(network.size());
    numbers["a"] = static_cast<double>(blocks.rows);
    numbers["b"] = static_cast<double>(blocks.columns);
  }
  if (numbers.contains("range") || numbers.contains("radix")) add_letters_of_sorts(letters, of);
  if (name.starts_with("h-relation")) numbers["h2"] = numbers.at("h");
  if (name == "h-relation") add_block_sizes(letters, of, network);
  if (name == "randomized-routing") numbers["m"] = 1;
  if (name == "greedy-route") add_letters_of_greedy_route(letters);
  if (name == "shear-sort") add_letters_of_shear_sort(letters, network);
  if (name == "random-access-read") numbers["m"] = numbers.at("words");
  if (is_of_random_access(name)) add_letters_of_lines(letters, name, network);
  if (name.starts_with("vector-")) numbers["m"] = numbers.at("words");
  return letters;
}

/// What has been compared.
struct compared {
  int formulas = 0;
  int runs = 0;
};

void compare(lockstep::experiment const& which, lockstep::experiment_request const& asked,
             compared& all) {
  lockstep::experiment_result result;
  try {
    result = which.run(asked);
  } catch (lockstep::invalid_argument const& /*not a network or a value for it*/) {
    return;
  } catch (lockstep::bad_input const&) {
    return;
  }
  ++all.runs;
  auto const letters = letters_of(which.name, result, *asked.network);
  for (auto const& claimed : result.claims) {
    INFO(claimed.figure << " " << symbol(claimed.bound) << " " << claimed.formula << " = "
                        << claimed.value());
    auto const value = lockstep::value_of(claimed.formula, letters);
    if (value && std::isnan(*value)) {  // (p - 1) ln 0, which claims take for 0
      CHECK(asked.network->size() == 1);
      continue;
    }
    if (value) {
      ++all.formulas;
      CHECK(std::abs(claimed.value() - *value) <= 1e-9 * std::max(1.0, std::abs(*value)));
    } else {
      CHECK(std::ranges::any_of(words_of_formulas, [&](std::string const& words) {
        return claimed.formula.find(words) != std::string::npos;
      }));
    }
  }
}

/// Values to try: its names, and numbers, which are refused where it does not have them.
[[nodiscard]] std::vector<parameter_value> values_for(lockstep::parameter const& one) {
  if (std::holds_alternative<bool>(one.fallback)) return {true};
  if (std::holds_alternative<double>(one.fallback)) return {1.0, 2.5};
  if (std::holds_alternative<std::int64_t>(one.fallback))
    return {std::int64_t{0}, std::int64_t{1},  std::int64_t{2},  std::int64_t{3},
            std::int64_t{5}, std::int64_t{17}, std::int64_t{64}, std::int64_t{600}};
  if (one.names.empty()) return {std::string("auto")};
  return {one.names.begin(), one.names.end()};
}

/// Runs it on these networks, with each parameter in turn at other values than its default.
void check_formulas(std::string const& name, texts const& networks,
                    given_parameters const& with = {}) {
  auto const& which = *lockstep::find_experiment(name);
  compared all;
  for (auto const& network : networks) {
    auto const asked = default_request(which, network, with);
    INFO(name << " on " << network);
    compare(which, asked, all);
    for (auto const& taken : which.parameters)
      for (auto const& value : values_for(taken)) {
        // matrices of 600 rows take too long to multiply
        if (asked.parameters.contains("second") && value == parameter_value{std::int64_t{600}})
          continue;
        auto other = asked;
        other.parameters[taken.name] = value;
        std::visit([&](auto const& v) { UNSCOPED_INFO("--" << taken.name << " " << v); }, value);
        compare(which, other, all);
      }
  }
  INFO(name << ": " << all.runs << " runs, " << all.formulas << " formulas");
  CHECK(all.runs >= 4);
  CHECK(all.formulas >= all.runs);
}

}  // namespace

TEST_CASE("the claims of complete exchanges are worth what their formulas say", "[claims]") {
  check_formulas("all-to-all", grids);
  check_formulas("all-to-all-direct", grids);
  check_formulas("all-to-all-binary", grids);
}

TEST_CASE("the claims of prefixes are worth what their formulas say", "[claims]") {
  for (auto const* const name :
       {"prefix", "segmented-prefix", "data-distribution", "pipelined-prefix"})
    check_formulas(name, all_of({cubes, trees, shuffles}));
}

TEST_CASE("the claims of routes on hypercubes are worth what their formulas say", "[claims]") {
  for (auto const* const name :
       {"concentrate", "inverse-concentrate", "monotone-route", "msbt-broadcast", "msbt-sum"})
    check_formulas(name, cubes);
}

TEST_CASE("the claims of data movements and sums are worth what their formulas say", "[claims]") {
  for (auto const* const name : {"transpose", "broadcast", "all-gather", "gather", "scatter",
                                 "block-broadcast", "reduce", "all-reduce"}) {
    check_formulas(name, crossbars);
    check_formulas(name, crossbars, {{"words", std::int64_t{7}}, {"packet", std::int64_t{4}}});
  }
}

TEST_CASE("the claims of blocks of any sizes are worth what their formulas say", "[claims]") {
  for (auto const* const name : {"gatherv", "scatterv", "all-gatherv", "all-to-allv"})
    check_formulas(name, all_of({crossbars, cubes}));
}

TEST_CASE("the claims of matrix sums are worth what their formulas say", "[claims]") {
  texts const some{"crossbar:1", "crossbar:4", "crossbar:7"};
  check_formulas("matrix-sum", some);
  check_formulas("matrix-sum", some, {{"n", std::int64_t{5}}, {"packet", std::int64_t{4}}});
}

TEST_CASE("the claims of balancing are worth what their formulas say", "[claims]") {
  texts const some{"crossbar:1", "crossbar:2", "crossbar:5", "crossbar:8"};
  for (auto const* const loads : {"one", "half", "random"})
    for (std::int64_t const packet : {1, 4})
      check_formulas("balance", some,
                     {{"loads", std::string(loads)}, {"packet", packet}, {"n", std::int64_t{96}}});
}

TEST_CASE("the claims of h-relations are worth what their formulas say", "[claims]") {
  for (auto const* const name : {"h-relation", "h-relation-direct", "randomized-routing"}) {
    check_formulas(name, crossbars, {{"n", std::int64_t{512}}});
    check_formulas(name, crossbars, {{"n", std::int64_t{256}}, {"pattern", std::string("tight")}});
  }
}

TEST_CASE("the claims of monotone accesses are worth what their formulas say", "[claims]") {
  for (auto const* const name : {"generalize", "concentrate-elements", "distribute-elements"})
    check_formulas(name, all_of({crossbars, cubes, lines}), {{"n", std::int64_t{500}}});
}

TEST_CASE("the claims of sorts are worth what their formulas say", "[claims]") {
  for (auto const* const blocks : {"real", "padded"}) {
    given_parameters with{{"n", std::int64_t{512}}, {"blocks", std::string(blocks)}};
    check_formulas("counting-sort", crossbars, with);
    with["radix"] = std::int64_t{256};
    check_formulas("radix-sort", crossbars, with);
  }
}

TEST_CASE("the claims of sorts by comparisons are worth what their formulas say", "[claims]") {
  check_formulas("column-sort", crossbars, {{"n", std::int64_t{512}}});
  check_formulas("column-sort", crossbars, {{"n", std::int64_t{700}}, {"packet", std::int64_t{5}}});
}

TEST_CASE("the claims of sorts by buckets are worth what their formulas say", "[claims]") {
  texts const some{"crossbar:1", "crossbar:2", "crossbar:5", "crossbar:8"};
  for (auto const* const name : {"sample-sort", "median-sort"})
    check_formulas(name, some,
                   {{"n", std::int64_t{512}}, {"packet", std::int64_t{4}}, {"c", 16.0}});
  check_formulas("sample-sort", some, {{"n", std::int64_t{64}}, {"even", true}});
  check_formulas("median-sort", some, {{"n", std::int64_t{64}}, {"way", std::string("random")}});
}

TEST_CASE("the claims of transforms and products are worth what their formulas say", "[claims]") {
  check_formulas("fft", crossbars, {{"n", std::int64_t{1680}}});
  texts const cubes_of_processors{"crossbar:1", "crossbar:8", "crossbar:27"};
  texts const squares{"torus:1x1", "torus:2x2", "torus:3x3", "torus:4x4"};
  for (std::int64_t const n : {7, 16})
    for (std::int64_t const packet : {1, 4}) {
      given_parameters with{{"n", n}, {"packet", packet}};
      for (auto const* const name : {"cannon", "summa"}) check_formulas(name, squares, with);
      with["tau"] = 2 * packet;
      check_formulas("matrix-product", cubes_of_processors, with);
    }
}

TEST_CASE("the claims of sorts by merging are worth what their formulas say", "[claims]") {
  for (auto const* const name : {"merge", "merge-sort", "multiway-merge", "multiway-merge-sort"})
    check_formulas(name, cubes);
  check_formulas("merge", cubes, {{"lists", std::string("whole")}, {"fused", true}});
  for (auto const* const l : {"1", "2", "3"})
    check_formulas("multiway-merge-sort", cubes, {{"l", std::string(l)}});
}

TEST_CASE("the claims of vectors are worth what their formulas say", "[claims]") {
  for (auto const* const name : {"vector-combine", "vector-scan", "vector-combine-scan"})
    for (std::int64_t const words : {0, 7, 48})
      for (auto const* const method : {"auto", "fold", "exchange", "circulant"})
        if (std::string(method) != "circulant" || std::string(name) == "vector-combine")
          check_formulas(name, crossbars, {{"words", words}, {"method", std::string(method)}});
}

TEST_CASE("the claims of transportation are worth what their formulas say", "[claims]") {
  for (auto const* const traffic :
       {"uniform", "shift", "double", "random", "hot", "gather", "adversary"})
    check_formulas("transportation", all_of({crossbars, cubes, lines}),
                   {{"traffic", std::string(traffic)}});
}

TEST_CASE("the claims of random access writes are worth what their formulas say", "[claims]") {
  for (auto const* const pattern : {"random", "few-hot", "local"})
    for (auto const* const variant : {"arbitrary", "hybrid", "hybrid-plain", "limited", "auto"})
      check_formulas("random-access-write", all_of({crossbars, cubes, lines}),
                     {{"n", std::int64_t{256}},
                      {"pattern", std::string(pattern)},
                      {"variant", std::string(variant)}});
}

TEST_CASE("the claims of random access reads are worth what their formulas say", "[claims]") {
  for (auto const* const variant : {"1", "2", "weighted", "hybrid", "auto"})
    check_formulas("random-access-read", all_of({crossbars, cubes, lines}),
                   {{"n", std::int64_t{256}}, {"variant", std::string(variant)}});
}

TEST_CASE("every algorithm's claims are worth what their formulas say, on its examples",
          "[claims]") {
  for (auto const& which : lockstep::experiments()) {
    compared all;
    for (auto const& example : which.examples) {
      auto asked = default_request(which, example);
      if (asked.parameters.contains("n"))  // of matrices n x n elements
        asked.parameters["n"] = std::int64_t{which.name.starts_with("matrix-") ? 32 : 1024};
      if (asked.parameters.contains("second")) asked.parameters["n"] = std::int64_t{30};
      INFO(which.name << " on " << example);
      compare(which, asked, all);
    }
    CHECK(all.formulas > 0);
  }
}

TEST_CASE("the claims of schedules are worth what their formulas say", "[claims]") {
  check_formulas("goal", all_of({cubes, trees, {"torus:3x4", "crossbar:5"}}));
}
