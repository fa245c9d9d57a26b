"""The faults that mutants.py plants: a file, a text that stands in it once, what stands there instead, and the
tests that may see it, in the order in which they are tried."""

from typing import NamedTuple

CONFORMANCE = "tests/experiments/lockstep_conformance_tests"
ALGORITHMS = "tests/algorithms/lockstep_algorithms_tests"
EXPERIMENTS = "tests/experiments/lockstep_experiments_tests"
CORE = "tests/core/lockstep_core_tests"


class Mutant(NamedTuple):
    file: str
    old: str
    new: str
    seen_by: tuple[str, ...]


def of_claims(file: str, old: str, new: str) -> Mutant:
    return Mutant("algorithms/src/" + file, old, new, (CONFORMANCE, EXPERIMENTS))


def of_programs(file: str, old: str, new: str) -> Mutant:
    return Mutant("algorithms/src/" + file, old, new, (CONFORMANCE, ALGORITHMS))


def of_oracles(file: str, old: str, new: str) -> Mutant:
    return Mutant("algorithms/experiments/src/" + file, old, new, (EXPERIMENTS, CONFORMANCE))


def of_counts(file: str, old: str, new: str) -> Mutant:
    return Mutant("core/src/engine/" + file, old, new, (CORE, CONFORMANCE))


MUTANTS = [
    # Formulas of claims.
    of_claims("routing/msbt.cpp", '"(p - 1)k"', '"p k"'),
    of_claims("routing/routes.cpp", '"3(k + d - 1)"', '"3(k + d)"'),
    of_claims("routing/routes.cpp", '"messages", "kdp"', '"messages", "k(d + 1)p"'),
    of_claims("routing/greedy_route.cpp", '"m K/2 + "', '"m K/4 + "'),
    of_claims("sorting/nassimi_sahni_sort.cpp", '"5(d - l) + 2l ', '"5(d - l) + l '),
    of_claims("sorting/sort_claims.cpp", '"rounds", times + "4(p - 1)"', '"rounds", times + "3(p - 1)"'),
    of_claims("sorting/column_sort_claims.cpp", '"2(p - 1) + 2"', '"2(p - 1) + 3"'),
    of_claims("sorting/column_sort_claims.cpp", '"2(p - 1)(p + 1)"', '"2(p - 1)p"'),
    of_claims("sorting/odd_even_merge_sort.cpp", '"k(d^2 + d - 1)"', '"k(d^2 + d)"'),
    of_claims("sorting/odd_even_merge_sort.cpp", "+ 9)/2 - 6k", "+ 9)/2 - 5k"),
    of_claims("sorting/merge_claims.cpp", '"8k + 17 log p"', '"8k + log p"'),
    of_claims("sorting/multiway_merge.cpp", '"14k + 5l + 19m"', '"4k + 5l + 19m"'),
    of_claims("prefix/prefix_claims.cpp", "claims.value(messages) * w", "claims.value(messages)"),
    of_claims("random_access/concentrate_elements.cpp", '"q + 4 ceil(log2 p)"', '"q + 5 ceil(log2 p)"'),
    of_claims("random_access/monotone_claims.cpp", '"sends_steps", "q"', '"sends_steps", "q + 1"'),
    of_claims("exchange/all_to_all_claims.cpp", '"contention", any ? "1"', '"contention", any ? "2"'),
    of_claims("exchange/all_to_all_direct.cpp", '"hops", "p sum (N_i - 1)/2"', '"hops", "p sum N_i/2"'),
    of_claims("collectives/collective_claims.cpp", '"(p - 1)ceil(n^2/p)"', '"(p - 2)ceil(n^2/p)"'),
    of_claims("numeric/cannon.cpp", '"2(q - 1) + 2 floor(q/2)"', '"2(q - 1) + floor(q/2)"'),
    of_claims("numeric/torus_claims.hpp", '"2(s q + 2q - 3)"', '"2(s q + 2q - 2)"'),
    # Programs.
    of_programs("exchange/all_to_all_direct.cpp", "step % *size", "step / *size"),
    # What results are compared with.
    of_oracles("numeric/check_product.cpp", "found.error = 1;", "found.error = 0;"),
    of_oracles("numeric/check_product.cpp", "m_check.error = std::isnan(error) ?", "m_check.largest = std::isnan(error) ?"),
    of_oracles("numeric/check_spectrum.cpp", "check.error = relative_error(measured, right, multiple);", "check.error = 0;"),
    of_oracles("numeric/transform_problem.hpp", "spectrum_of(parts, m_options.layout)", "spectrum_of(parts, fft_layout::cyclic)"),
    of_oracles("routing/routing_problem.cpp", "return found == expected;", "return found.size() == expected.size();"),
    of_oracles("routing/h_relation_problem.cpp", "if (!is_right) return false;", "if (!is_right) return true;"),
    of_oracles("sorting/sort_problem.cpp", " && !seen[at] &&", " &&"),
    of_oracles("sorting/sort_problem.cpp", "return whole.is_ordered && whole.size == m_input.size();", "return whole.is_ordered;"),
    of_oracles("sorting/sort_problem.cpp", "block.size() == size_at(place).value_or(block.size());", "true;"),
    of_oracles("sorting/merge_problem.cpp", "holders[static_cast<std::size_t>(list) * sets + number] = rank;", "holders[number] = rank;"),
    of_oracles("prefix/check_prefixes.hpp", "if (is_inclusive(kind) && !is_near(found[i], i + 1)) return false;", ""),
    # What the engine counts.
    of_counts("message_path.hpp", "counters.volume += words;", "counters.volume += 1;"),
    of_counts("message_path.hpp", "*largest = std::max(*largest, words);", "*largest = words;"),
    of_counts("message_path.hpp", "std::max(counters.longest_route, message.hops)", "message.hops"),
    of_counts("message_path.hpp", "counters.queued = std::max(counters.queued, step - message.stamp)", "counters.queued = step - message.stamp"),
    of_counts("message_path.hpp", "return each == 1 ? words : (words + each - 1) / each * each;", "return each == 1 ? words : words / each * each;"),
    of_counts("counting/step_counters.cpp", "queued = std::max(queued, other.queued);", "queued += other.queued;"),
    of_counts("counting/step_counters.cpp", "contention = std::max(contention, other.contention);", "contention = other.contention;"),
    of_counts("counting/step_sums.cpp", "total.contention = std::max(total.contention, step.contention);", "total.contention = step.contention;"),
    of_counts("counting/step_sums.cpp", "total.steps > 0 ? total.steps - 1 : 0", "total.steps"),
    of_counts("counting/run_counters.cpp", "anew.queued = std::max(anew.queued, seen.step - seen.sent);", "anew.queued = seen.step - seen.sent;"),
    of_counts("counting/run_counters.cpp", "anew.largest = std::max(anew.largest, seen.words);", "anew.largest = seen.words;"),
    of_counts("counting/run_counters.cpp", "anew.hops = std::max(anew.hops, seen.hops);", "anew.hops = seen.hops;"),
    of_counts("counting/run_counters.cpp", "steps == 0 ? 0 : static_cast<std::uint64_t>(steps) - 1;", "static_cast<std::uint64_t>(steps);"),
    of_counts("counting/run_counters.cpp", "hot_steps.size() - 1;", "hot_steps.size();"),
    of_counts("counting/run_counters.cpp", "return step < run->end ? run.get() : nullptr;", "return run.get();"),
    of_counts("message_path.hpp", "me.more->in_meeting && words > 0", "me.more->in_meeting"),
    of_counts("scheduling/resolve_blocked.cpp", "owner.more->request->askers > 1;", "owner.more->request->askers > 0;"),
    # Ports.
    of_counts("message_path.hpp", "auto const step = std::max(message.stamp, *last_use + 1);", "auto const step = message.stamp;"),
    of_counts("message_path.hpp", "    if (*last_use == me.now) ++me.now;\n    if (me.now > options().max_steps)", "    if (me.now > options().max_steps)"),
    of_counts("message_path.hpp", "if (is_strict<Known>() && step != message.stamp)", "if (is_strict<Known>() && step < message.stamp)"),
]
