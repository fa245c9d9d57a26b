#include "evidence.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <span>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "message_lines.hpp"

namespace lockstep::detail {

namespace {

[[nodiscard]] double real(std::uint64_t value) { return static_cast<double>(value); }

using stretches = std::span<step_stretch const>;

/// Counts the steps before the first of these.
[[nodiscard]] std::uint64_t before(stretches steps) {
  return steps.empty() ? 0 : steps.front().first.step - 1;
}

/// Rounds a limit down: a whole number is above the limit if it is above the result.
[[nodiscard]] std::uint64_t whole(double limit) {
  return limit <= 0 ? 0 : static_cast<std::uint64_t>(limit);
}

/// Finds the processors that neither send nor take in one of these messages.
[[nodiscard]] std::vector<std::string> idle_ones(run_record const& run,
                                                 std::vector<message_record> const& messages) {
  std::vector<bool> is_busy(run.processors().size());
  for (auto const& one : messages)
    for (int const rank : {one.from, one.to}) is_busy[static_cast<std::size_t>(rank)] = true;
  std::vector<std::string> idle;
  for (std::size_t rank = 0; rank < is_busy.size(); ++rank)
    if (!is_busy[rank]) idle.push_back(fmt::format("{}", rank));
  return idle;
}

/// Reports the last step of a run that ends earlier than expected.
[[nodiscard]] std::string last_step(run_record const& run, std::uint64_t step, bool with_empty) {
  if (step == 0) return "  no message came in at all\n";
  auto const messages = messages_of(run, step, with_empty);
  auto text = fmt::format("  the last message comes in during {}:\n", step_text(run, step)) +
              lines_of(run, step, messages);
  if (!messages.are_kept) return text;
  if (auto const idle = idle_ones(run, messages.list); !idle.empty())
    text +=
        fmt::format("  idle in it: processor{} {}\n", idle.size() == 1 ? "" : "s", some_of(idle));
  return text;
}

/// Reports `steps`, or `rounds`, where empty messages count, too.
[[nodiscard]] std::string of_steps(run_record const& run, stretches steps, double limit,
                                   bool with_empty) {
  std::uint64_t last = 0;
  for (auto const& one : steps) {
    if ((with_empty ? one.first.rounds : one.first.messages) == 0) continue;
    last = one.last_step();
    if (real(last - before(steps)) <= limit) continue;
    auto const step = std::max(one.first.step, before(steps) + whole(limit) + 1);
    return fmt::format("  after step {:.10g} come in, in {}:\n", real(before(steps)) + limit,
                       step_text(run, step)) +
           lines_of(run, step, messages_of(run, step, with_empty));
  }
  if (run.steps().empty()) last = with_empty ? run.counts().rounds : run.counts().steps;
  return last_step(run, last, with_empty);
}

/// Reports a figure that adds up over the steps. `evidence`: writes about one of them.
[[nodiscard]] std::string of_sum(run_record const& run, stretches steps, std::string_view figure,
                                 double limit,
                                 std::function<std::string(std::uint64_t)> const& evidence) {
  std::uint64_t sum = 0;
  std::uint64_t last = 0;
  for (auto const& [first, count] : steps) {
    auto const each = metric_value(first, figure);
    if (each == 0) continue;
    if (real(sum + each * count) <= limit) {
      sum += each * count;
      last = first.step + count - 1;
      continue;
    }
    // Steps that keep the limit; rounded, it may seem to be kept by all.
    auto const below = std::min((std::max(whole(limit), sum) - sum) / each, count - 1);
    sum += each * below;
    auto const step = first.step + below;
    // A run of pipelined rounds pays in its first step.
    bool const pays_for_more = figure == "words" && first.words > first.largest;
    return fmt::format("  {} takes {} from {} to {}{}:\n", step_text(run, step), figure, sum,
                       sum + each,
                       pays_for_more ? ", for all pipelined rounds that begin in it" : "") +
           evidence(step);
  }
  if (last == 0) return "  no step adds to it\n";
  return fmt::format("  {} is the last that adds to it, up to {}:\n", step_text(run, last), sum) +
         evidence(last);
}

/// Lists the messages of a step, those with the most words or hops first.
[[nodiscard]] std::function<std::string(std::uint64_t)> heaviest_first(
    run_record const& run, std::uint64_t message_record::*weight) {
  return [&run, weight](std::uint64_t step) {
    auto messages = messages_of(run, step);
    std::ranges::stable_sort(messages.list, std::greater<>{}, weight);
    return lines_of(run, step, messages);
  };
}

/// Finds the first step above the limit of a figure that is a maximum over the steps, or else the
/// first with the most.
[[nodiscard]] std::uint64_t first_step_above(stretches steps, std::string_view figure,
                                             double limit) {
  auto const of = [&](step_stretch const& one) { return metric_value(one.first, figure); };
  for (auto const& one : steps)
    if (real(of(one)) > limit) return one.first.step;
  auto const most = std::ranges::max_element(steps, {}, of);
  return most == steps.end() || of(*most) == 0 ? 0 : most->first.step;
}

/// Lists the links of a step with the most messages, and their messages.
[[nodiscard]] std::string busiest_links(run_record const& run, std::uint64_t step) {
  auto const messages = messages_of(run, step);
  if (!messages.are_kept || run.network() == nullptr) return lines_of(run, step, messages);
  std::map<link, std::vector<message_record>> on;
  for (auto const& one : messages.list)
    for (auto const& crossed : links_of(*run.network(), one)) on[crossed].push_back(one);
  std::size_t most = 0;
  for (auto const& [which, crossing] : on) most = std::max(most, crossing.size());
  std::erase_if(on, [&](auto const& one) { return one.second.size() < most; });
  auto const& [first, crossing] = *on.begin();
  auto text = fmt::format("  in {} the link {} -> {} carries {} message{}:\n", step_text(run, step),
                          first.from, first.to, most, most == 1 ? "" : "s") +
              lines_of(run, crossing);
  std::vector<std::string> others;
  for (auto it = std::next(on.begin()); it != on.end(); ++it)
    others.push_back(fmt::format("{} -> {}", it->first.from, it->first.to));
  if (!others.empty()) text += fmt::format("  as many on {}\n", some_of(others));
  return text;
}

[[nodiscard]] std::string of_contention(run_record const& run, stretches steps, double limit) {
  auto const step = first_step_above(steps, "contention", limit);
  return step == 0 ? "  no message came in at all\n" : busiest_links(run, step);
}

[[nodiscard]] std::string of_queues(run_record const& run, stretches steps, double limit) {
  auto const step = first_step_above(steps, "queued", limit);
  if (step == 0) return "  no message waits\n";
  auto messages = messages_of(run, step, true);
  auto const wait = [](message_record const& one) { return one.step - one.sent; };
  std::erase_if(messages.list, [&](auto const& one) { return wait(one) == 0; });
  std::ranges::stable_sort(messages.list, std::greater<>{}, wait);
  return fmt::format("  after a wait, these messages come in during {}:\n", step_text(run, step)) +
         lines_of(run, step, messages);
}

/// Lists the processors above the limit, the largest first: "processor 3: 14 words".
[[nodiscard]] std::string of_processors(run_record const& run,
                                        std::uint64_t processor_record::*figure, double limit) {
  std::vector<std::pair<std::uint64_t, std::size_t>> above;
  for (std::size_t rank = 0; rank < run.processors().size(); ++rank)
    if (auto const value = run.processors()[rank].*figure; real(value) > limit)
      above.emplace_back(value, rank);
  std::ranges::stable_sort(above, std::greater<>{}, &std::pair<std::uint64_t, std::size_t>::first);
  std::vector<std::string> texts;
  texts.reserve(above.size());
  for (auto const& [value, rank] : above)
    texts.push_back(fmt::format("processor {}: {} words", rank, value));
  return texts.empty() ? std::string() : fmt::format("  {}\n", some_of(texts));
}

/// Reports a figure of those steps.
[[nodiscard]] std::string where_it_went_wrong(run_record const& run, stretches steps,
                                              std::string_view figure, double limit) {
  if (figure == "steps") return of_steps(run, steps, limit, false);
  if (figure == "rounds") return of_steps(run, steps, limit, true);
  if (figure == "contention") return of_contention(run, steps, limit);
  if (figure == "queued") return of_queues(run, steps, limit);
  if (figure == "hops")
    return of_sum(run, steps, figure, limit, heaviest_first(run, &message_record::hops));
  if (figure == "serialised_steps" || figure == "link_words")
    return of_sum(run, steps, figure, limit,
                  [&](std::uint64_t step) { return busiest_links(run, step); });
  if (figure == "startups" || figure == "hot_startups" || figure == "words" || figure == "volume" ||
      figure == "messages")
    return of_sum(run, steps, figure, limit, heaviest_first(run, &message_record::words));
  if (figure == "work" || figure == "operations")
    return of_sum(run, steps, figure, limit, [](std::uint64_t) { return std::string(); });
  return {};
}

[[nodiscard]] std::string what_is_left_out(run_record const& run) {
  if (run.has_all_steps()) return {};
  return fmt::format("  steps after {} were not recorded\n", run.steps().size());
}

}  // namespace

std::string where_it_went_wrong(run_record const& run, std::string_view figure, double limit) {
  if (figure == "memory") return of_processors(run, &processor_record::memory, limit);
  return where_it_went_wrong(run, run.steps().stretches(), figure, limit) + what_is_left_out(run);
}

std::string where_it_went_wrong(run_record const& run, std::size_t phase, std::string_view figure,
                                double limit) {
  auto const steps = run.steps().stretches();
  auto const first =
      std::ranges::lower_bound(steps, run.phases()[phase].first_step, {},
                               [](step_stretch const& one) { return one.first.step; });
  auto const end = std::find_if(first, steps.end(),
                                [&](step_stretch const& one) { return one.first.phase != phase; });
  return where_it_went_wrong(run, stretches(first, end), figure, limit) + what_is_left_out(run);
}

std::string where_it_went_wrong(run_record const& run, direction which, std::uint64_t limit) {
  bool const sent = which == direction::sent;
  auto const figure = sent ? &processor_record::words_sent : &processor_record::words_received;
  auto text = of_processors(run, figure, real(limit));
  std::vector<std::uint64_t> sums(run.processors().size());
  for (std::uint64_t step = 1;
       step <= std::min<std::uint64_t>(run.steps_kept(), run.counts().steps); ++step) {
    auto messages = messages_of(run, step);
    for (auto const& one : messages.list)
      sums[static_cast<std::size_t>(sent ? one.from : one.to)] += one.words;
    auto const first = std::ranges::find_if(sums, [&](auto sum) { return sum > limit; });
    if (first == sums.end()) continue;
    auto const rank = static_cast<int>(first - sums.begin());
    std::erase_if(messages.list,
                  [&](auto const& one) { return (sent ? one.from : one.to) != rank; });
    return text +
           fmt::format("  processor {} passes {} in {}, with\n", rank, limit,
                       step_text(run, step)) +
           lines_of(run, messages.list);
  }
  if (run.counts().steps > run.steps_kept())
    text += fmt::format(
        "  messages after step {} were not kept; give `run` an observer, such as csv_trace\n",
        run.steps_kept());
  return text;
}

}  // namespace lockstep::detail
