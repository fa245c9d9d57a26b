#include "collectives/asked_collective.hpp"

#include <array>

#include <fmt/format.h>

#include <lockstep/algorithms/collectives/arity.hpp>
#include <lockstep/errors.hpp>
#include <lockstep/memory.hpp>

#include "harness/parameters.hpp"
#include "harness/require_crossbar.hpp"

namespace lockstep {

asked_collective collective_from(experiment_request const& asked) {
  constexpr std::int64_t largest_tau = 1'000'000'000'000;
  constexpr std::int64_t largest_packet = std::int64_t{1} << 32U;
  constexpr std::int64_t most_words = 2'147'483'647;
  require_crossbar(asked);
  auto const number = [&](char const* name, std::int64_t fallback, std::int64_t least,
                          std::int64_t most) {
    return static_cast<std::uint64_t>(whole_number(asked, name, fallback, least, most));
  };
  std::array const accesses{access::messages, access::reads, access::writes};
  auto const p = asked.network->size();
  return {
      .on = {.p = p,
             .tau = number("tau", 16, 0, largest_tau),
             .packet = number("packet", static_cast<std::int64_t>(asked.options.packet), 1,
                              largest_packet)},
      .words = number("words", 1, 0, most_words),
      .root = static_cast<int>(number("root", 0, 0, p - 1)),
      .how = choice(asked, "access", accesses),
      .seed = number("seed", 1, 0, std::numeric_limits<std::int64_t>::max()),
  };
}

int tree_arity_for(bdm_machine const& on) {
  return tree_arity(on.tau < on.packet ? on.tau : on.tau - on.tau % on.packet, on.packet);
}

void require_memory_for(experiment_request const& asked, asked_collective const& what,
                        double words_each) {
  auto const bytes_each = 8 * words_each;
  auto const needed = bytes_each * what.on.p;
  if (auto const available = available_memory(); needed > static_cast<double>(available))
    throw out_of_memory(fmt::format(
        "{} has {} processors, whose blocks and messages of {} words need {:.0f} MiB, and {} MiB "
        "are available: take a smaller machine or fewer words",
        asked.network->spec(), what.on.p, what.words, needed / (1U << 20U), available >> 20U));
  machine(asked.network, asked.options).require_memory(static_cast<std::size_t>(bytes_each));
}

traffic_requirement one_to_all(bdm_machine const& on, std::uint64_t words) {
  auto const p = static_cast<std::uint64_t>(on.p);
  if (p == 1 || words == 0) return {};
  return {.taken_in = words, .sent = words, .moved = (p - 1) * words, .distance = 1, .joined = p};
}

traffic_requirement all_to_all_sums(bdm_machine const& on, std::uint64_t words) {
  auto needed = one_to_all(on, words);
  if (needed.moved > 0) needed.moved += words;
  return needed;
}

std::vector<parameter> collective_parameters(std::string words_help) {
  return {{"words", std::move(words_help), std::int64_t{1}},
          {"tau", "latency in the time of a word, which prices the claims", std::int64_t{16}},
          {"packet", "words in a packet: messages are rounded up to whole ones", std::int64_t{1}},
          {"access", "messages, reads or writes: who moves a word; counted alike",
           std::string("messages")}};
}

std::vector<parameter> collective_parameters(std::string words_help, std::string schemes,
                                             std::string const& default_scheme) {
  auto parameters = collective_parameters(std::move(words_help));
  parameters.push_back({"scheme", std::move(schemes), default_scheme});
  return parameters;
}

parameter root_parameter(std::string help) { return {"root", std::move(help), std::int64_t{0}}; }

}  // namespace lockstep
