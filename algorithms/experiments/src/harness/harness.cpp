#include "harness/harness.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <random>
#include <string>

#include <fmt/format.h>

#include <lockstep/cluster.hpp>
#include <lockstep/detail/enumerator_check.hpp>
#include <lockstep/memory.hpp>
#include <lockstep/topologies/crossbar.hpp>
#include <lockstep/topologies/hypercube.hpp>
#include <lockstep/topologies/mesh.hpp>
#include <lockstep/topologies/torus.hpp>

#include "network_kind.hpp"

namespace lockstep {

namespace {

/// Bytes that there are on any computer.
constexpr std::uint64_t least_looked_at = std::uint64_t{1} << 20U;

/// Says why this process has no memory for its share of a run, which needs that much; nothing if it has.
[[nodiscard]] std::string lack_of_memory(arguments const& given, machine_needs const& needs,
                                         std::uint64_t needed) {
  constexpr double mebibyte = 1 << 20;
  if (needs.held.empty() || needed <= least_looked_at || needed <= available_memory()) return {};
  auto const* const processes = given.request().options.cluster;
  auto const whose = processes == nullptr
                         ? std::string("the run")
                         : fmt::format("process {}'s share of the run", processes->process());
  return fmt::format(
      "{} has {} processors, and {} need {:.0f} MiB, and {} {:.0f} MiB in all, and {:.0f} MiB "
      "are available: take a smaller machine{}{}",
      given.network().spec(), given.processors(), needs.held,
      needs.bytes_each * given.processors() / mebibyte, whose,
      static_cast<double>(needed) / mebibyte, static_cast<double>(available_memory()) / mebibyte,
      needs.remedy.empty() ? "" : " or ", needs.remedy);
}

void require_memory_on(machine const& on, arguments const& given, machine_needs const& needs) {
  constexpr auto most = static_cast<double>(std::numeric_limits<std::int64_t>::max());
  auto const outgrown = options_for(given, needs).stacks == stacks::copied ? needs.outgrown : 0;
  auto const bytes_each =
      static_cast<std::size_t>(std::min(needs.bytes_each + static_cast<double>(outgrown), most));
  auto const needed = on.memory_needed(bytes_each, needs.waiting) + needs.of_process;
  if (auto const& tell = given.request().told_of_memory) tell(needed + needs.made);
  // What one process lacks ends the run on all.
  for (auto const& lack : of_all_processes(given, lack_of_memory(given, needs, needed)))
    if (!lack.empty()) throw out_of_memory(lack);
  on.require_memory(bytes_each, needs.waiting);
}

}  // namespace

void require_options(arguments const& given, machine_needs const& needs) {
  auto const& options = given.request().options;
  if (needs.one_port && options.ports == ports::all)
    throw invalid_argument(
        "its rounds are steps of a machine with one port; leave out --ports all");
  if (needs.strict == strictness::never && options.strict)
    throw invalid_argument(
        "its messages share links, which a strict machine forbids; run it without strict, or "
        "all-to-all");
  if (auto const* const all = options.cluster; all != nullptr) {
    if (given.processors() < all->processes())
      throw invalid_argument(fmt::format(
          "{} is too small for {} processes: some would have no processor; take fewer processes",
          given.request().network->spec(), all->processes()));
  }
}

machine_options options_for(arguments const& given, machine_needs const& needs) {
  auto options = given.request().options;
  if (needs.cut_through) options.switching = switching::cut_through;
  if (!given.request().stacks_chosen && !needs.own_stacks && options.engine == engine::fibers &&
      given.processors() >= processors_that_copy_stacks)
    options.stacks = stacks::copied;
  return options;
}

machine machine_for(arguments const& given, machine_needs const& needs) {
  require_options(given, needs);
  auto options = options_for(given, needs);
  options.strict = options.strict || needs.strict == strictness::always;
  if (needs.packet > 0) options.packet = needs.packet;
  machine on(given.request().network, options);
  require_memory_on(on, given, needs);
  return on;
}

void require_memory(arguments const& given, machine_needs const& needs) {
  require_memory_on(machine(given.request().network, options_for(given, needs)), given, needs);
}

void require_crossbar(arguments const& given) {
  if (!is<crossbar>(given.network()))
    throw invalid_argument(fmt::format(
        "{} is not a crossbar; this algorithm needs a link between every pair, for example "
        "crossbar:{}",
        given.network().spec(), given.processors()));
}

void require_rounds_of_all(arguments const& given) {
  auto const& network = given.network();
  if (is<crossbar>(network) || is<hypercube>(network) || is<torus>(network) || is<mesh>(network))
    return;
  throw invalid_argument(fmt::format(
      "{} is neither a crossbar nor a hypercube, torus or mesh, on which all send to all without "
      "sharing links; take for example crossbar:{}",
      network.spec(), given.processors()));
}

int root_from(arguments const& given) {
  auto root = root_of("");
  root.most = given.processors() - 1;
  return static_cast<int>(given[root]);
}

std::size_t instances_from(arguments const& given, machine_needs of_one) {
  auto const k = given[instances("")];
  of_one.bytes_each *= static_cast<double>(k);
  of_one.held = fmt::format("{} at once on each", k);
  of_one.remedy = "a smaller k";
  require_memory(given, of_one);
  return k;
}

experiment_result result_of(arguments const& given, run_record record, bool correct) {
  return {
      .record = std::move(record), .correct = correct, .parameters = given.request().parameters};
}

std::string_view name_of(input_values values) {
  switch (values) {
    case input_values::real:
      return "real";
    case input_values::small:
      return "small";
  }
  detail::throw_no_such_value("input_values", static_cast<std::uint64_t>(values),
                              {"input_values::real", "input_values::small"});
}

std::vector<std::int64_t> generated_numbers(arguments const& given, std::size_t count,
                                            number_range small) {
  auto const range = takes_small_values(given) ? small : number_range();
  auto const different = static_cast<std::uint64_t>(range.largest - range.least + 1);
  std::mt19937_64 random(given.seed());
  std::vector<std::int64_t> numbers(count);
  for (auto& each : numbers) each = static_cast<std::int64_t>(random() % different) + range.least;
  return numbers;
}

std::uint64_t generated_word(std::uint64_t seed, int source, int destination, std::uint64_t index) {
  auto mixed = seed;
  for (auto const part :
       {static_cast<std::uint64_t>(source), static_cast<std::uint64_t>(destination), index}) {
    mixed += part + 0x9E3779B97F4A7C15U;
    mixed = (mixed ^ (mixed >> 30U)) * 0xBF58476D1CE4E5B9U;
    mixed = (mixed ^ (mixed >> 27U)) * 0x94D049BB133111EBU;
    mixed ^= mixed >> 31U;
  }
  return mixed;
}

std::uint64_t generated_summand(arguments const& given, int source, std::uint64_t index) {
  auto const word = generated_word(given.seed(), source, 0, index);
  return takes_small_values(given) ? word % 9 + 1 : word;
}

}  // namespace lockstep
