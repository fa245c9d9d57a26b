#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <lockstep/algorithms/collectives/all_gather.hpp>
#include <lockstep/algorithms/collectives/all_reduce.hpp>
#include <lockstep/algorithms/collectives/block_broadcast.hpp>
#include <lockstep/algorithms/collectives/broadcast.hpp>
#include <lockstep/algorithms/collectives/collective_claims.hpp>
#include <lockstep/algorithms/collectives/item_broadcast.hpp>
#include <lockstep/algorithms/collectives/matrix_sum.hpp>
#include <lockstep/algorithms/collectives/reduce.hpp>
#include <lockstep/algorithms/collectives/scatter.hpp>
#include <lockstep/algorithms/collectives/transpose.hpp>
#include <lockstep/algorithms/detail/counting_operator.hpp>
#include <lockstep/algorithms/textbook/broadcast.hpp>
#include <lockstep/algorithms/textbook/reduce.hpp>
#include <lockstep/claim_list.hpp>

#include "collectives/collective_problem.hpp"
#include "collectives/network_collectives.hpp"
#include "collectives/sums_of_all.hpp"
#include "collectives/textbook_collectives.hpp"
#include "harness/bdm_parameters.hpp"
#include "harness/experiment_list.hpp"
#include "harness/processor_notes.hpp"
#include "harness/sources.hpp"

namespace lockstep {

namespace {

constexpr choice_parameter access_of_memory{
    "access", "messages, reads or writes: which side moves a word; counted alike",
    std::array{named_choice{"messages", access::messages}, named_choice{"reads", access::reads},
               named_choice{"writes", access::writes}}};

/// How many words a block of a collective has.
[[nodiscard]] constexpr integer_parameter block_length(std::string_view help) {
  return {"words", help, 1, 0, 2'147'483'647};
}

constexpr named_choice automatic_scheme{"automatic", collective_scheme::automatic};
constexpr named_choice transpose_scheme{"transpose", collective_scheme::transpose};
constexpr named_choice direct_scheme{"direct", collective_scheme::direct};
constexpr named_choice k_ary_scheme{"k-ary", collective_scheme::k_ary};
constexpr named_choice binomial_scheme{"binomial", collective_scheme::binomial};
constexpr named_choice ring_scheme{"ring", collective_scheme::ring};
constexpr named_choice bucket_scheme{"bucket", collective_scheme::bucket};
constexpr named_choice doubling_scheme{"recursive-doubling", collective_scheme::recursive_doubling};
constexpr named_choice halving_scheme{"halving-doubling", collective_scheme::halving_doubling};
constexpr named_choice rabenseifner_scheme{"rabenseifner", collective_scheme::halving_doubling};
constexpr named_choice bruck_scheme{"bruck", collective_scheme::bruck};
constexpr named_choice circulant_scheme{"circulant", collective_scheme::circulant};
constexpr named_choice tree_scheme{"tree", collective_scheme::tree};
constexpr named_choice two_way_scheme{"two-way", collective_scheme::two_way};

constexpr choice_parameter reduce_scheme{
    "scheme",
    "automatic (the cheapest by --model or --tau; on a crossbar k-ary, unless a model prices every "
    "round and neither --tau nor --access is given); on a crossbar k-ary (a tree, k = tau/m + "
    "1: a "
    "single word whole, a block in pieces), transpose (p pieces) or direct (whole blocks, all to "
    "the "
    "root); on any network that it fits binomial, ring, bucket, halving-doubling, tree",
    std::array{automatic_scheme, k_ary_scheme, transpose_scheme, direct_scheme, binomial_scheme,
               ring_scheme, bucket_scheme, halving_scheme, rabenseifner_scheme, tree_scheme}};
constexpr choice_parameter all_reduce_scheme{
    "scheme",
    "automatic (the cheapest by --model or --tau; on a crossbar k-ary, unless a model prices every "
    "round and neither --tau nor --access is given); on a crossbar k-ary (a tree, k = tau/m + "
    "1: a "
    "single word whole, a block in pieces), transpose (p pieces) or direct (whole blocks, each to "
    "every "
    "processor); on any network that it fits recursive-doubling, halving-doubling, circulant, "
    "ring, "
    "bucket, binomial, tree; with --ports all two-way",
    std::array{automatic_scheme, k_ary_scheme, transpose_scheme, direct_scheme, doubling_scheme,
               halving_scheme, rabenseifner_scheme, circulant_scheme, ring_scheme, bucket_scheme,
               binomial_scheme, tree_scheme, two_way_scheme}};
constexpr choice_parameter scan_scheme{
    "scheme",
    "automatic (the cheapest by --model or --tau), recursive-doubling, binomial or tree; on a "
    "crossbar with --ports all direct",
    std::array{automatic_scheme, doubling_scheme, binomial_scheme, tree_scheme, direct_scheme}};
constexpr choice_parameter reduce_scatter_scheme{
    "scheme",
    "automatic (the cheapest by --model or --tau); direct (one phase, on a crossbar), "
    "circulant, "
    "halving-doubling, ring, bucket, binomial or tree, where they fit; with --ports all two-way",
    std::array{automatic_scheme, direct_scheme, circulant_scheme, halving_scheme,
               rabenseifner_scheme, ring_scheme, bucket_scheme, binomial_scheme, tree_scheme,
               two_way_scheme}};

/// How blocks of all processors go: as it is asked for, or found to be the cheapest.
enum class way : std::uint8_t {
  cheapest,
  direct,
  k_ary,
  two_phase,
  filled_phases,
  best,
  of_network
};

/// A way, and where it is not one of JaJa and Ryu's the scheme.
struct chosen_way {
  way of_blocks = way::of_network;
  collective_scheme scheme = collective_scheme::automatic;
};

constexpr named_choice cheapest_way{"cheapest", chosen_way{way::cheapest}};
constexpr named_choice direct_way{"direct", chosen_way{way::direct, collective_scheme::direct}};
constexpr named_choice k_ary_way{"k-ary", chosen_way{way::k_ary, collective_scheme::k_ary}};
constexpr named_choice two_phase_way{"two-phase",
                                     chosen_way{way::two_phase, collective_scheme::k_ary}};
constexpr named_choice filled_way{"two-phase-filled",
                                  chosen_way{way::filled_phases, collective_scheme::k_ary}};

/// The phases of `cheapest_broadcast`, of all phases that reach everybody. "cheapest" chooses among
/// schemes, and "automatic" a scheme for the network.
constexpr named_choice best_way{"best", chosen_way{way::best, collective_scheme::k_ary}};

/// A scheme of any network that it fits.
[[nodiscard]] constexpr named_choice<chosen_way> of_network(
    named_choice<collective_scheme> const& scheme) {
  return {scheme.name, chosen_way{way::of_network, scheme.value}};
}

constexpr choice_parameter broadcast_scheme{
    "scheme",
    "automatic (the cheapest by --model or --tau; on a crossbar transpose, unless a model prices "
    "every round and neither --tau nor --access is given); on a crossbar transpose (dealt out in "
    "p "
    "pieces, then gathered by all), direct (whole, p - 1 messages), k-ary (a tree, k = tau/m + 1: "
    "a "
    "single word whole, a block in pieces) or, for one word, best (whole, in the phases that take "
    "the least time, cheapest_broadcast in C++); on any network that it fits binomial, ring, "
    "bucket, "
    "halving-doubling, tree",
    std::array{of_network(automatic_scheme), of_network(transpose_scheme),
               of_network(direct_scheme), of_network(k_ary_scheme), best_way,
               of_network(binomial_scheme), of_network(ring_scheme), of_network(bucket_scheme),
               of_network(halving_scheme), of_network(rabenseifner_scheme),
               of_network(tree_scheme)}};
constexpr choice_parameter scatter_scheme{
    "scheme",
    "cheapest (by --model or --tau); on a crossbar direct (p - 1 messages of the root) or k-ary (a "
    "tree, k = tau/m + 1); "
    "on "
    "any network that it fits binomial, tree",
    std::array{cheapest_way, direct_way, k_ary_way, of_network(binomial_scheme),
               of_network(tree_scheme)}};
constexpr choice_parameter all_gather_scheme{
    "scheme",
    "cheapest (by --model or --tau); on a crossbar direct (one phase), k-ary (k = tau/m + 1 times "
    "as "
    "many words after "
    "each "
    "phase) or, for one word each, two-phase (a packet of b = min(m, ceil(sqrt p)) words is "
    "filled, then "
    "goes on) or two-phase-filled (b = min(m, p), as the paper says); on any network that it fits "
    "bruck, circulant, recursive-doubling, ring, bucket, tree; with --ports all two-way",
    std::array{cheapest_way, direct_way, k_ary_way, two_phase_way, filled_way,
               of_network(bruck_scheme), of_network(circulant_scheme), of_network(doubling_scheme),
               of_network(ring_scheme), of_network(bucket_scheme), of_network(tree_scheme),
               of_network(two_way_scheme)}};

constexpr integer_parameter way_of_blocks{"way",
                                          "1 (trees of pieces there and back, k = tau/m + 1) or 2 "
                                          "(p pieces, one phase there and one back)",
                                          1, 1, 2};
constexpr flag_parameter textbook_form_of_blocks{
    "textbook",
    "the short form, which reads as the paper's pseudocode; the counts are the same; it goes "
    "without --access, and with --way 1 needs k >= p"};
constexpr flag_parameter textbook_form_of_matrices{
    "textbook",
    "the short form, which reads as the paper's pseudocode; the counts are the same; it goes "
    "without --access, and needs k = tau/m + 1 >= p"};
constexpr integer_parameter matrix_side{"n", "rows and columns of the matrices", 16, 0, 46'340};

constexpr integer_parameter summands_of_each{"summands",
                                             "blocks of each processor, which it adds up itself "
                                             "first (on a crossbar, by k-ary, transpose or "
                                             "direct)",
                                             1, 1, 1'000'000};

using word_list = collective_problem::word_list;

/// Tells the scheme that blocks go by.
[[nodiscard]] constexpr collective_scheme scheme_of(collective_scheme asked) { return asked; }
[[nodiscard]] constexpr collective_scheme scheme_of(chosen_way const& asked) {
  return asked.scheme;
}

/// A collective that is asked for.
struct collective_run {
  explicit collective_run(arguments const& asked)
      : given(asked),
        on(bdm_machine_from(given)),
        words(words_of(given)),
        all(static_cast<std::uint64_t>(on.p) * words),
        root(root_from(given)),
        summands(given.has(summands_of_each.name) ? given[summands_of_each] : std::size_t{1}),
        how(given[access_of_memory]) {}

  /// Reads how a block goes. Errors: invalid_argument, also as `arity_from`.
  template <class Choice, std::size_t Choices>
  [[nodiscard]] collective_options options(choice_parameter<Choice, Choices> const& scheme) const {
    auto asked = scheme_of(given[scheme]);
    bool const is_textbook = given.has(textbook_form.name) && given[textbook_form];
    if (asked == collective_scheme::automatic)
      asked = is_textbook ? collective_scheme::transpose : scheme_of(scheme.choices[1].value);
    return {asked, asked == collective_scheme::k_ary ? arity_from(on) : 2, root, how};
  }

  /// Requires memory for that many blocks in a processor at a time, messages included.
  /// Errors: out_of_memory, with the figures.
  void require_blocks(double blocks) const {
    require_memory(given,
                   {.bytes_each = sizeof(std::uint64_t) * blocks * static_cast<double>(words),
                    .held = fmt::format("blocks and messages of {} words", words),
                    .remedy = "fewer words"});
  }

  arguments given;
  bdm_machine on;
  std::size_t words;  ///< of a block
  std::uint64_t all;  ///< words of all processors
  int root;
  std::size_t summands;  ///< blocks of each processor
  access how;

 private:
  /// Counts the words of a block: a matrix is one of n^2.
  [[nodiscard]] static std::size_t words_of(arguments const& given) {
    if (!given.has(matrix_side.name)) return given[block_length("")];
    auto const n = given[matrix_side];
    return n * n;
  }
};

using figure_map = std::map<std::string, parameter_value>;

/// The run of a collective on a request, and its claims.
struct collective_plan {
  collective_kind kind;
  std::vector<claim> claims;
  figure_map figures;
  std::function<word_list(processor&, word_list)> program;
  std::function<figure_map()> measured = {};  ///< by the program, besides
};

using plan_maker = collective_plan (*)(collective_run const&);

/// A collective that runs on any network.
struct on_any_network {
  collective_kind kind;
  collective_operation operation;
  collective_scheme (*scheme)(arguments const&);  ///< that is asked for
};

/// Reads a scheme, or the one of a way.
template <auto const& Parameter>
[[nodiscard]] collective_scheme scheme_from(arguments const& given) {
  return scheme_of(given[Parameter]);
}

/// Reads the scheme of a broadcast. Errors: invalid_argument for the best phases elsewhere than on a
/// crossbar.
[[nodiscard]] collective_scheme scheme_of_broadcast(arguments const& given) {
  auto const asked = given[broadcast_scheme];
  if (asked.of_blocks == way::best && is_for_network(asked.scheme, given))
    throw invalid_argument(
        fmt::format("broadcast: the scheme best does not fit {}; it is for a crossbar, for example "
                    "crossbar:{}",
                    given.network().spec(), given.processors()));
  return asked.scheme;
}

/// Tells whether the price of a model may choose the scheme on a crossbar, too: where each round pays
/// a start-up, JaJa and Ryu's phases have no advantage.
[[nodiscard]] bool may_go_by_price(collective_scheme asked, arguments const& given) {
  auto const& price = given.request().price;
  return asked == collective_scheme::automatic && price && price->every_round_pays;
}

/// Tells whether a scheme of a crossbar takes machines whose processors use all of their ports.
[[nodiscard]] bool goes_at_once(collective_scheme asked, arguments const& given) {
  return given.request().options.ports == ports::all && asked != collective_scheme::k_ary;
}

/// Names the option that only JaJa and Ryu's schemes have, if one is given.
[[nodiscard]] std::string option_of_papers(arguments const& given) {
  if (given[access_of_memory] != access::messages)
    return fmt::format("--access {}", name_of(given[access_of_memory]));
  if (given.has(summands_of_each.name) && given[summands_of_each] > 1)
    return fmt::format("--summands {}", given[summands_of_each]);
  return {};
}

[[nodiscard]] experiment_result run_by_network(arguments const& given, on_any_network const& of) {
  if (given.has(access_of_memory.name) && given[access_of_memory] != access::messages)
    throw invalid_argument(fmt::format(
        "--access {} is for the schemes of a crossbar: transpose, direct, k-ary{}; leave it "
        "out, or take one of these there",
        name_of(given[access_of_memory]), of.kind == collective_kind::broadcast ? ", best" : ""));
  if (given.has(summands_of_each.name) && given[summands_of_each] > 1)
    throw invalid_argument(
        "--summands is for the schemes of a crossbar: transpose, direct, k-ary; leave it out, or "
        "take one of these there");
  int const root = given.has("root") ? root_from(given) : 0;
  return run_on_network(given,
                        {of.kind, of.operation, of.scheme(given), given[block_length("")], root});
}

template <class PlanMaker>
[[nodiscard]] experiment_result run_on_crossbar(arguments const& given, PlanMaker const& plan) {
  collective_run const what(given);
  auto [kind, claims, figures, program, measured] = plan(what);
  machine_needs const needs{
      .strict = strictness::always, .packet = what.on.packet, .one_port = true};
  auto result =
      solve(given, needs, std::move(claims),
            collective_problem{kind, given, what.words, what.root, what.summands}, program);
  result.figures = std::move(figures);
  if (measured) result.figures.merge(measured());
  return result;
}

/// Runs the short form of a collective, with the claims that its other form has.
/// Errors: invalid_argument for what it does not have.
[[nodiscard]] experiment_result run_textbook(arguments const& given, plan_maker plan,
                                             on_any_network const& of) {
  if (auto const option = option_of_papers(given); !option.empty())
    throw invalid_argument(
        fmt::format("--textbook goes without {}; leave out one of them", option));
  auto const scheme = textbook_scheme(given, of.kind, of.scheme(given));
  auto const words = static_cast<std::size_t>(given[block_length("")]);
  int const root = given.has("root") ? root_from(given) : 0;
  if (is_for_network(scheme, given))
    return run_on_network(given, {of.kind, of.operation, scheme, words, root, true});
  auto result = run_on_crossbar(given, [&](collective_run const& what) {
    auto made = plan(what);
    made.program = [=, kind = of.kind](processor& me, word_list mine) {
      return by_textbook(me, kind, scheme, std::move(mine), words, root);
    };
    return made;
  });
  result.figures["scheme"] = std::string(name_of(scheme));
  return result;
}

/// Completes an experiment of a collective: where it runs, how, and with which parameters. `size` says
/// how long blocks are.
[[nodiscard]] experiment collective(experiment of, integer_parameter const& size,
                                    std::vector<parameter> const& own, plan_maker plan) {
  of.topologies = "crossbar";
  of.examples = {"crossbar:8", "crossbar:4", "crossbar:16", "crossbar:32"};
  of.parameters = {size, latency, packet_size, access_of_memory};
  of.parameters.insert(of.parameters.end(), own.begin(), own.end());
  of.run = [plan](arguments const& given) { return run_on_crossbar(given, plan); };
  return of;
}

/// Adds networks of other kinds, on which a price chooses the scheme.
[[nodiscard]] experiment with_networks(experiment of) {
  for (auto& each : of.parameters)
    if (each.name == latency.name)
      each.help += ", and schemes, too, where it is given or there is no --model";
  of.topologies = "any network";
  for (char const* const spec : {"hypercube:3", "hypercube:4", "torus:4x4", "torus:3x5", "mesh:4x4",
                                 "mesh:7", "tree:4", "shuffle-exchange:3", "butterfly:2"})
    of.examples.emplace_back(spec);
  return of;
}

/// The same for a collective of any network: on a crossbar, by a scheme of JaJa and Ryu, as planned.
[[nodiscard]] experiment collective(experiment of, integer_parameter const& size,
                                    std::vector<parameter> const& own, plan_maker plan,
                                    on_any_network const& elsewhere) {
  of = with_networks(collective(std::move(of), size, own, plan));
  of.parameters.emplace_back(textbook_form);
  of.run = [plan, elsewhere](arguments const& given) {
    if (given[textbook_form]) return run_textbook(given, plan, elsewhere);
    auto const scheme = elsewhere.scheme(given);
    bool const has_price = may_go_by_price(scheme, given);
    auto const option = option_of_papers(given);
    if (is_for_network(scheme, given) || goes_at_once(scheme, given) ||
        (has_price && option.empty()))
      return run_by_network(given, elsewhere);
    auto result = run_on_crossbar(given, plan);
    if (has_price)
      result.figures["reason"] = fmt::format(
          "{} is for the schemes of JaJa and Ryu alone, so the model chooses none", option);
    return result;
  };
  return of;
}

/// The same for a collective that JaJa and Ryu do not have.
[[nodiscard]] experiment collective(experiment of, integer_parameter const& size,
                                    parameter const& scheme, on_any_network const& on) {
  of.examples = {"crossbar:8", "crossbar:11"};
  of.parameters = {size, latency, packet_size, scheme};
  of = with_networks(std::move(of));
  of.run = [on](arguments const& given) { return run_by_network(given, on); };
  return of;
}

/// Tells the arity of a tree.
[[nodiscard]] figure_map figures_of_tree(int k) {
  if (k == one_phase) return {};
  return {{"k", std::int64_t{k}}};
}
[[nodiscard]] figure_map figures_of(collective_options const& options) {
  if (options.scheme != collective_scheme::k_ary) return {};
  return {{"k", std::int64_t{options.k}}};
}

/// Tells the way that is taken, and the arity of a tree.
[[nodiscard]] figure_map figures_of_way(int k, int first_k = 0) {
  if (first_k != 0) return {{"scheme", std::string(two_phase_way.name)}};
  if (k == one_phase) return {{"scheme", std::string(direct_way.name)}};
  return {{"scheme", std::string(k_ary_way.name)}, {"k", std::int64_t{k}}};
}

[[nodiscard]] all_gather_options all_gather_options_of(collective_run const& what) {
  all_gather_options options;
  auto const asked = what.given[all_gather_scheme].of_blocks;
  bool const two_phases = asked == way::two_phase || asked == way::filled_phases;
  if (two_phases && what.words != 1)
    throw invalid_argument(fmt::format(
        "two-phase is for one word each, not {}; take --words 1, or --scheme k-ary", what.words));
  if (asked == way::cheapest) options = cheapest_all_gather(what.on, what.all);
  if (asked == way::k_ary) options.k = arity_from(what.on);
  if (asked == way::two_phase) options = in_two_phases(what.on.p, what.on.packet);
  if (asked == way::filled_phases) options = in_two_filled_phases(what.on.p, what.on.packet);
  options.how = what.how;
  return options;
}

[[nodiscard]] collective_plan plan_transpose(collective_run const& what) {
  what.require_blocks(3.3);  // column, messages, rows twice
  auto claims = transpose_claims(what.on, what.words);
  std::vector<claim> const moves =
      claim_list({{{"p", what.on.p}, {"q", static_cast<double>(what.words)}}})
          .from("lockstep, the elements counted that are put in rows")
          .equal("work", "p ceil(q/p)")
          .equal("operations", "pq");
  std::ranges::copy(moves, std::back_inserter(claims));
  return {collective_kind::transpose,
          std::move(claims),
          {},
          [how = what.how](processor& me, word_list const& column) {
            me.phase("transpose");
            auto rows = transpose(me, column, how);
            me.work(rows.size());
            return rows;
          }};
}

/// Errors: invalid_argument for a block of another size than a word.
[[nodiscard]] collective_plan plan_best_broadcast(collective_run const& what) {
  if (what.words != 1)
    throw invalid_argument(
        fmt::format("best is for one word, not {}; take --words 1, or --scheme k-ary", what.words));
  item_broadcast_options const options{
      .parts = cheapest_broadcast(what.on), .root = what.root, .how = what.how};
  std::int64_t packets = 0;  // of the busiest sender of each phase
  for (auto const k : options.parts) packets += k - 1;
  return {collective_kind::broadcast,
          item_broadcast_claims(what.on, options.parts),
          {{"parts", fmt::format("{}", fmt::join(options.parts, ", "))},
           {"phases", static_cast<std::int64_t>(options.parts.size())},
           {"packets", packets}},
          [options](processor& me, word_list const& block) {
            return word_list{broadcast_item(me, block.front(), options)};
          }};
}

[[nodiscard]] collective_plan plan_broadcast(collective_run const& what) {
  if (what.given[broadcast_scheme].of_blocks == way::best) return plan_best_broadcast(what);
  what.require_blocks(6);  // block, pieces, messages
  auto const options = what.options(broadcast_scheme);
  return {collective_kind::broadcast, broadcast_claims(what.on, what.words, options),
          figures_of(options), [options](processor& me, word_list block) {
            broadcast(me, std::span(block), options);
            return block;
          }};
}

/// Checks that the request is for the textbook's form, in which pieces go straight to their processors.
/// Errors: invalid_argument otherwise.
void require_straight_pieces(collective_run const& what, int k) {
  if (auto const option = option_of_papers(what.given); !option.empty())
    throw invalid_argument(
        fmt::format("--textbook goes without {}; leave out one of them", option));
  if (k < what.on.p)
    throw invalid_argument(
        fmt::format("--textbook sends pieces straight to {} processors, and for --tau {} and "
                    "--packet {} they go along trees with k = {}; take a larger --tau, or leave "
                    "--textbook out",
                    what.on.p, what.on.tau, what.on.packet, k));
}

[[nodiscard]] collective_plan plan_block_broadcast(collective_run const& what) {
  what.require_blocks(2.5);  // block, pieces, messages
  bool const by_trees = what.given[way_of_blocks] == 1;
  bool const is_textbook = what.given[textbook_form];
  scatter_options const options{
      .k = by_trees ? arity_from(what.on) : one_phase, .root = what.root, .how = what.how};
  if (is_textbook) require_straight_pieces(what, options.k);
  return {collective_kind::broadcast, block_broadcast_claims(what.on, what.words, options),
          figures_of_tree(options.k), [options, is_textbook](processor& me, word_list block) {
            if (is_textbook)
              textbook::broadcast_in_pieces(me, std::span(block), options.root, piece_sizes::even);
            else
              block_broadcast(me, std::span(block), options);
            return block;
          }};
}

/// Adds up a processor's own blocks, and counts these additions.
[[nodiscard]] word_list sums_of_own(processor& me, word_list const& blocks, std::size_t words) {
  word_list sums(blocks.begin(), blocks.begin() + static_cast<std::ptrdiff_t>(words));
  std::size_t additions = 0;
  for (auto i = words; i < blocks.size(); ++i, ++additions) sums[i % words] += blocks[i];
  me.work(additions);
  return sums;
}

/// Claims the additions of a sum of one word, one after the other: its own numbers in each processor,
/// then as many as there are rounds.
[[nodiscard]] std::vector<claim> claims_of_additions(collective_run const& what,
                                                     collective_options const& options) {
  claim_list claims({{{"p", what.on.p},
                      {"tau", static_cast<double>(what.on.tau)},
                      {"m", static_cast<double>(what.on.packet)},
                      {"k", options.k},
                      {"summands", static_cast<double>(what.summands)}}});
  claims.from("lockstep, the additions counted");
  if (options.scheme != collective_scheme::k_ary)
    return claims.equal("work", "summands - 1 + p - 1");
  claims.equal("work", "summands - 1 + sum of min(k, ceil(p/k^i)) - 1, i = 0 .. ceil(log_k p) - 1")
      .at_most("work", "summands - 1 + (k - 1)ceil(log_k p)");
  if (what.on.tau <= what.on.packet) return claims;  // log(tau/m) is 0 or less
  return claims.from("JaJa and Ryu 1994, Theorem 3.2")
      .compare("work", comparison::order, "summands + tau log p/(m log (tau/m))");
}

[[nodiscard]] collective_plan plan_reduce(collective_run const& what) {
  auto const options = what.options(reduce_scheme);
  auto const words = what.words;
  what.require_blocks(3.6 + static_cast<double>(what.summands - 1));  // summands, as they come
  auto claims = reduce_claims(what.on, words, options);
  if (words == 1 && options.scheme != collective_scheme::transpose)
    std::ranges::move(claims_of_additions(what, options), std::back_inserter(claims));
  return {collective_kind::reduce, std::move(claims), figures_of(options),
          [options, words](processor& me, word_list const& blocks) {
            auto const add = [&me](std::uint64_t a, std::uint64_t b) {
              me.work(1);
              return a + b;
            };
            return reduce(me, add, sums_of_own(me, blocks, words), options);
          }};
}

/// Counts the additions of each processor as they are made, also as work; the most are a figure.
[[nodiscard]] collective_plan plan_matrix_sum(collective_run const& what) {
  what.require_blocks(3.5);  // summands, as they come
  scatter_options const options{.k = arity_from(what.on), .root = what.root, .how = what.how};
  auto const additions = std::make_shared<processor_notes<std::uint64_t>>(what.given);
  bool const is_textbook = what.given[textbook_form];
  if (is_textbook) require_straight_pieces(what, options.k);
  return {collective_kind::reduce, matrix_sum_claims(what.on, what.given[matrix_side], options),
          figures_of_tree(options.k),
          [options, additions, is_textbook](processor& me, word_list const& matrix) {
            auto& count = additions->of(me);
            auto const add_and_count = [&me, &count](std::uint64_t a, std::uint64_t b) {
              me.work(1);
              ++count;
              return a + b;
            };
            return is_textbook ? textbook::reduce_in_pieces(me, add_and_count, std::span(matrix),
                                                            options.root, piece_sizes::even)
                               : matrix_sum(me, add_and_count, std::span(matrix), options);
          },
          [additions] {
            auto const most = static_cast<std::int64_t>(std::ranges::max(additions->all()));
            return figure_map{{"additions", most}};
          }};
}

[[nodiscard]] collective_plan plan_all_reduce(collective_run const& what) {
  auto const options = what.options(all_reduce_scheme);
  what.require_blocks(options.scheme == collective_scheme::direct ? 4.5 * what.on.p : 4.4);
  auto claims = all_reduce_claims(what.on, what.words, options);
  claim_list additions({{{"p", what.on.p}, {"n", static_cast<double>(what.words)}}});
  additions.from("lockstep, the additions counted");
  claim_sums_of_all(additions, options.scheme == collective_scheme::direct);
  std::ranges::move(std::vector<claim>(additions), std::back_inserter(claims));
  return {collective_kind::all_reduce, std::move(claims), figures_of(options),
          [options](processor& me, word_list const& block) {
            detail::counting_operator const add(me, collective_problem::add_words);
            return all_reduce(me, add, std::span(block), options);
          }};
}

/// Plans both: each is the other one backwards, and costs the same.
template <bool Gathers>
[[nodiscard]] collective_plan plan_scatter(collective_run const& what) {
  auto const n = what.all;
  scatter_options options{.root = what.root};
  auto const asked = what.given[scatter_scheme].of_blocks;
  if (asked == way::cheapest) options = cheapest_scatter(what.on, n, what.root);
  if (asked == way::k_ary) options.k = arity_from(what.on);
  options.how = what.how;
  // A tree has all words twice in a processor, and as much again in the others.
  what.require_blocks(options.k == one_phase ? 3.6 : 5);
  return {Gathers ? collective_kind::gather : collective_kind::scatter,
          scatter_claims(what.on, n, options), figures_of_way(options.k),
          [n, options](processor& me, word_list const& mine) {
            me.phase(Gathers ? "gather" : "scatter");
            if (Gathers) return gather<std::uint64_t>(me, mine, n, options);
            return scatter<std::uint64_t>(me, mine, n, options);
          }};
}

[[nodiscard]] collective_plan plan_all_gather(collective_run const& what) {
  what.require_blocks(4.5 * what.on.p);  // all words, twice, and messages
  auto const options = all_gather_options_of(what);
  auto const n = what.all;
  return {collective_kind::all_gather, all_gather_claims(what.on, n, options),
          figures_of_way(options.k, options.first_k),
          [n, options](processor& me, word_list const& mine) {
            me.phase("all-gather");
            return all_gather<std::uint64_t>(me, mine, n, options);
          }};
}

}  // namespace

experiment transpose_experiment() {
  return collective(
      {.name = "transpose",
       .summary = "a q x p matrix, a column in each processor, is dealt out by rows",
       .source = cited(jaja_ryu_1994, "Lemma 3.3")},
      block_length(
          "q, the rows of the matrix: words in each processor's column, of which q/p go to each"),
      {}, plan_transpose);
}

experiment broadcast_experiment() {
  return collective(
      {.name = "broadcast",
       .summary = "a processor's block goes to all",
       .source = cited(jaja_ryu_1994, "Theorems 3.1 and 3.3")},
      block_length("words of the block"),
      {broadcast_scheme, root_of("the processor that has the block")}, plan_broadcast,
      {collective_kind::broadcast, collective_operation::broadcast, scheme_of_broadcast});
}

experiment reduce_experiment() {
  return collective(
      {.name = "reduce",
       .summary = "a processor gets the sums of all processors' blocks, word by word",
       .source = cited(jaja_ryu_1994, "Theorem 3.2 and Lemma 5.2")},
      block_length("words of a processor's block"),
      {reduce_scheme, summands_of_each, root_of("the processor that gets the sums")}, plan_reduce,
      {collective_kind::reduce, collective_operation::reduce, scheme_from<reduce_scheme>});
}

experiment all_reduce_experiment() {
  return collective(
      {.name = "all-reduce",
       .summary = "every processor gets the sums of all processors' blocks, word by word",
       .source = cited(jaja_ryu_1994, "Theorems 3.1 to 3.3 and Lemma 5.2")},
      block_length("words of a processor's block"), {all_reduce_scheme}, plan_all_reduce,
      {collective_kind::all_reduce, collective_operation::all_reduce,
       scheme_from<all_reduce_scheme>});
}

experiment scatter_experiment() {
  return collective(
      {.name = "scatter",
       .summary = "a processor deals out a block of words to each",
       .source = cited(jaja_ryu_1994, "Corollary 3.1")},
      block_length("words of each processor"),
      {scatter_scheme, root_of("the processor that deals out")}, plan_scatter<false>,
      {collective_kind::scatter, collective_operation::scatter, scheme_from<scatter_scheme>});
}

experiment gather_experiment() {
  return collective(
      {.name = "gather",
       .summary = "a processor gets a block of words from each",
       .source = cited(jaja_ryu_1994, "Theorem 3.3")},
      block_length("words of each processor"),
      {scatter_scheme, root_of("the processor that gets all")}, plan_scatter<true>,
      {collective_kind::gather, collective_operation::gather, scheme_from<scatter_scheme>});
}

experiment all_gather_experiment() {
  return collective({.name = "all-gather",
                     .summary = "every processor gets a block of words from each",
                     .source = cited(jaja_ryu_1994, "Lemma 3.2")},
                    block_length("words of each processor"), {all_gather_scheme}, plan_all_gather,
                    {collective_kind::all_gather, collective_operation::all_gather,
                     scheme_from<all_gather_scheme>});
}

experiment reduce_scatter_experiment() {
  return collective(
      {.name = "reduce-scatter",
       .summary = "each processor gets its block of the sums of all processors' words",
       .source = cited(jaja_ryu_1994, "Lemma 5.2, its first half, on a crossbar")},
      block_length("words of each processor's block of the sums"), reduce_scatter_scheme,
      {collective_kind::reduce_scatter, collective_operation::reduce_scatter,
       scheme_from<reduce_scatter_scheme>});
}

experiment scan_experiment() {
  return collective(
      {.name = "scan",
       .summary = "processor i gets the sums of the blocks of processors 0 to i, word by word",
       .source = "Hillis and Steele, Data Parallel Algorithms, 1986; Ladner and Fischer, Parallel "
                 "Prefix Computation, 1980"},
      block_length("words of a processor's block"), scan_scheme,
      {collective_kind::scan, collective_operation::scan, scheme_from<scan_scheme>});
}

experiment exclusive_scan_experiment() {
  return collective(
      {.name = "exclusive-scan",
       .summary = "processor i gets the sums of the blocks of processors 0 to i - 1, word by word",
       .source = "Hillis and Steele, Data Parallel Algorithms, 1986; Ladner and Fischer, Parallel "
                 "Prefix Computation, 1980"},
      block_length("words of a processor's block"), scan_scheme,
      {collective_kind::exclusive_scan, collective_operation::scan, scheme_from<scan_scheme>});
}

experiment block_broadcast_experiment() {
  return collective(
      {.name = "block-broadcast",
       .summary = "a processor's block goes to all, always in p pieces",
       .source = cited(jaja_ryu_1994, "Theorem 3.3")},
      block_length("words of the block"),
      {way_of_blocks, root_of("the processor that has the block"), textbook_form_of_blocks},
      plan_block_broadcast);
}

experiment matrix_sum_experiment() {
  return collective({.name = "matrix-sum",
                     .summary = "a processor gets the sum of all processors' n x n matrices",
                     .source = cited(jaja_ryu_1994, "Lemma 5.2")},
                    matrix_side,
                    {root_of("the processor that gets the sum"), textbook_form_of_matrices},
                    plan_matrix_sum);
}

}  // namespace lockstep
