#include "busiest_text.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/report.hpp"
#include "report/text_table.hpp"

namespace lockstep::cli {

namespace {

std::string counted(std::uint64_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

/// "a", "a and b", "a, b and c".
std::string listed(std::vector<std::string> const& parts) {
  if (parts.size() < 2) return parts.empty() ? "" : parts.front();
  return fmt::format("{} and {}", fmt::join(parts.begin(), parts.end() - 1, ", "), parts.back());
}

std::string_view unit_of(in_port_tally const& tally) {
  return tally.words == tally.messages ? "word" : "message";
}

/// "24 words", or "8 messages" where they are not of one word each.
std::string amount_of(in_port_tally const& tally) {
  return counted(tally.messages, unit_of(tally));
}

std::string paragraph(std::string const& text) {
  return fmt::format("{}\n", fmt::join(wrapped(text, page_width), "\n"));
}

/// "8 from each of left child, right child and parent".
std::string shares_of(in_port_row const& row) {
  constexpr std::size_t most = 6;
  std::vector<std::string> names;
  std::vector<std::string> parts;
  bool are_equal = true;
  for (auto const& share : row.shares) {
    names.push_back(share.mark.name);
    parts.push_back(fmt::format("{} from {}", share.messages, share.mark.name));
    are_equal = are_equal && share.messages == row.shares.front().messages;
  }
  if (are_equal && parts.size() > 1)
    return fmt::format("{} from each of {}", row.shares.front().messages,
                       parts.size() > most ? fmt::format("{} sides", parts.size()) : listed(names));
  return parts.size() > most ? fmt::format("from {} sides", parts.size()) : listed(parts);
}

std::string others_as_busy(in_port_chart const& of) {
  constexpr std::size_t most = 16;
  auto const& ranks = of.busiest->as_busy;
  if (ranks.empty()) return {};
  auto const all = of.are_chosen ? of.rows.size() : static_cast<std::size_t>(of.processors);
  if (ranks.size() > 1 && ranks.size() + 1 == all) return " All others take in as many.";
  if (ranks.size() > most) return fmt::format(" {} others take in as many.", ranks.size());
  std::vector<std::string> names;
  names.reserve(ranks.size());
  for (int const rank : ranks) names.push_back(std::to_string(rank));
  return ranks.size() == 1 ? fmt::format(" Processor {} takes in as many.", names.front())
                           : fmt::format(" Processors {} take in as many.", listed(names));
}

/// Says which messages repeat, and that they could not come faster.
std::string about_rounds(in_port_chart const& of, std::string const& round) {
  constexpr std::size_t longest = 24;
  auto const steps = counted(round.size(), "step");
  auto text = fmt::format("{} over and over",
                          round.size() > longest ? fmt::format("the same {}", steps) : round);
  if (round.size() == 1) return text;
  bool const is_full = of.with == ports::one && round.find(empty_cell) == std::string::npos;
  if (!is_full) return text + fmt::format(", a round in {}", steps);
  auto const unit = unit_of(of.rows[of.busiest->row].tally);
  return text + fmt::format(", and no round can take in its {} in less than {}",
                            counted(round.size(), unit), steps);
}

/// When it is never idle, and in what rounds.
std::string about_time(in_port_chart const& of) {
  auto const& unbroken = of.busiest->unbroken;
  auto const& steady = of.busiest->steady;
  if (steady)
    return fmt::format(" From step {} to step {} (=) it is never idle: {}.", steady->steps.first,
                       steady->steps.last, about_rounds(of, steady->round));
  if (unbroken.count() < 2) return {};
  return fmt::format(" From step {} to step {} it is never idle.", unbroken.first, unbroken.last);
}

/// The processor that takes in most, how much, and from which senders.
std::string about_load(in_port_chart const& of) {
  auto const& row = of.rows[of.busiest->row];
  auto const amount = fmt::format("{} in {}", amount_of(row.tally), counted(of.steps, "step"));
  auto const text = of.with == ports::one
                        ? fmt::format("{} busiest in-port is that of processor {}: {}",
                                      of.are_chosen ? "Of these the" : "The", row.rank, amount)
                        : fmt::format("{}rocessor {} takes in most: {}",
                                      of.are_chosen ? "Of these p" : "P", row.rank, amount);
  if (row.shares.empty()) return text + '.';
  bool const has_all = of.shown.count() == of.steps;
  return text + fmt::format("{} {}.", has_all ? "," : ", in those shown", shares_of(row));
}

/// How many steps every program takes that sends it the same.
std::string about_bound(in_port_chart const& of, bool has_errata) {
  auto const& bound = of.busiest->bound;
  auto const& row = of.rows[of.busiest->row];
  auto const unit = unit_of(row.tally);
  auto rule = fmt::format("One {} comes in through an in-port in a step.", unit);
  auto these = fmt::format("these {}", amount_of(row.tally));
  if (of.with == ports::all)
    rule = fmt::format("With all ports one {} comes in over each of its {} in a step.", unit,
                       counted(bound.links, "link"));
  if (of.with == ports::per_pass) {
    rule = fmt::format("With a port for each pass, each pass brings in one {} a step.", unit);
    these = fmt::format("the {} of pass {}", counted(bound.steps, unit), bound.pass);
  }
  return fmt::format(
      "{} So every program that sends processor {} {} takes {} or more, in whatever order it sends "
      "them. The chart does not prove that a program has to send it that many: that takes a "
      "separate argument{}.",
      rule, row.rank, these, counted(bound.steps, "step"),
      has_errata ? ", such as the one under the claims" : "");
}

/// Whether the run took more steps than a claim allows.
bool is_too_low(claim const& claimed, counts const& measured) {
  if (claimed.figure != "steps" || static_cast<double>(measured.steps) <= claimed.value())
    return false;
  auto const verdict = judge(claimed, static_cast<double>(measured.steps)).verdict;
  return verdict == claim_verdict::refuted || verdict == claim_verdict::our_program_exceeds;
}

/// Whether the busiest in-port alone refutes the claim, for programs that send it the same.
std::string about_claim(claim const& claimed, in_port_chart const& of) {
  auto const& bound = of.busiest->bound;
  auto const claim = fmt::format("The claim ({}; {}) allows {:.6g} steps", claimed.formula,
                                 claimed.source, claimed.value());
  if (static_cast<double>(bound.steps) > claimed.value())
    return fmt::format(
        "{}, too few for these {}: no program that sends it that many keeps the claim.", claim,
        bound.steps);
  return fmt::format(
      "{}, room enough for these {}: at this size the busiest in-port alone does not refute it, "
      "though this run takes {}. If the load grows faster than the claim, it does at larger sizes.",
      claim, bound.steps, of.steps);
}

}  // namespace

std::string about_busiest(in_port_chart const& chart, experiment_result const& result) {
  auto const& measured = result.record.counts();
  bool const has_errata = std::ranges::any_of(result.claims, [&](claim const& one) {
    auto const found = judge(one, result);
    return !found.is_fault && (found.verdict == claim_verdict::refuted ||
                               found.verdict == claim_verdict::our_program_exceeds);
  });
  auto text = paragraph(about_load(chart) + about_time(chart) + others_as_busy(chart));
  if (chart.busiest->bound.steps == 0) return text;  // none of its messages are shown
  text += '\n' + paragraph(about_bound(chart, has_errata));
  for (auto const& claimed : result.claims)
    if (is_too_low(claimed, measured)) text += '\n' + paragraph(about_claim(claimed, chart));
  return text;
}

}  // namespace lockstep::cli
