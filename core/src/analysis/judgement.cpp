#include <lockstep/judgement.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include <lockstep/detail/enumerator_names.hpp>

namespace lockstep {

namespace {

/// "made for n >= p^3, p a power of two": those that are not met.
[[nodiscard]] std::string unmet_hypotheses(claim const& claimed, problem_instance const& at) {
  std::string text;
  for (auto const& one : claimed.where)
    if (!one.is_met(at)) text += (text.empty() ? "made for " : ", ") + one.text;
  return text;
}

/// Judges a value above a bound, or unlike the one that was claimed to be equal.
[[nodiscard]] judgement judge_difference(claim const& claimed, double measured, double value) {
  if (!claimed.evidence.empty() && measured > value)
    return {claim_verdict::refuted, claimed.evidence};
  judgement found{
      measured > value ? claim_verdict::our_program_exceeds : claim_verdict::decides_nothing,
      claimed.erratum, claimed.erratum.empty()};
  if (found.reason.empty())
    found.reason = "it ought to hold: a mistake of the program, or of the claim";
  return found;
}

[[nodiscard]] judgement not_a_number(char const* what) {
  return {claim_verdict::decides_nothing, fmt::format("{} is not a finite number", what), true};
}

/// The largest constant up to a size.
[[nodiscard]] double largest_up_to(std::span<order_point const> sorted, double size) {
  double largest = sorted.front().constant;
  for (auto const& [at, constant] : sorted)
    if (at <= size) largest = std::max(largest, constant);
  return largest;
}

}  // namespace

std::string_view name_of(claim_verdict of) {
  return detail::shown_name("claim_verdict", of,
                            {{claim_verdict::equal, "equal"},
                             {claim_verdict::holds, "holds"},
                             {claim_verdict::refuted, "refuted"},
                             {claim_verdict::our_program_exceeds, "our program exceeds"},
                             {claim_verdict::outside_the_claim, "outside the claim"},
                             {claim_verdict::decides_nothing, "decides nothing"},
                             {claim_verdict::not_run, "not run"}});
}

judgement judge(claim const& claimed, double measured, problem_instance const& at) {
  static_cast<void>(symbol(claimed.bound));  // refuses any other number
  if (auto unmet = unmet_hypotheses(claimed, at); !unmet.empty())
    return {claim_verdict::outside_the_claim, std::move(unmet)};
  if (claimed.bound == comparison::order)
    return {claim_verdict::decides_nothing, "one size decides nothing"};
  auto const value = claimed.value(at);
  if (std::isnan(value)) return not_a_number("what is claimed");
  if (!std::isfinite(measured)) return not_a_number("what was measured");
  bool const is_equality = claimed.bound == comparison::equal;
  if (is_equality ? measured == value : measured <= value)
    return {is_equality ? claim_verdict::equal : claim_verdict::holds};
  if (claimed.bound == comparison::about && claimed.evidence.empty())
    return {claim_verdict::decides_nothing, claimed.erratum.empty()
                                                ? "how much more is meant, the source leaves open"
                                                : claimed.erratum};
  return judge_difference(claimed, measured, value);
}

judgement judge(claim const& claimed, counts const& measured, problem_instance const& at) {
  return judge(claimed, measured_for(claimed, measured, at), at);
}

judgement judge_order(std::span<order_point const> runs) {
  std::vector<order_point> sorted(runs.begin(), runs.end());
  for (auto const& [size, constant] : sorted)
    if (!std::isfinite(size) || !std::isfinite(constant))
      return not_a_number("a size or a constant");
  std::ranges::stable_sort(sorted, {}, &order_point::size);
  std::vector<double> sizes;
  for (auto const& one : sorted)
    if (sizes.empty() || sizes.back() != one.size) sizes.push_back(one.size);
  if (sizes.size() < 2) return {claim_verdict::decides_nothing, "one size decides nothing"};
  if (sizes.size() < 3 || sizes.back() < 4 * sizes.front())
    return {claim_verdict::decides_nothing,
            "it takes three sizes, the largest four times the least"};
  auto const mean = std::sqrt(sizes.front() * sizes.back());
  if (sizes.front() <= 0 || sizes[1] > mean)
    return {
        claim_verdict::decides_nothing,
        "it takes a size between the least and the geometric mean of the least and the largest"};
  constexpr double least_rise = 0.1;
  constexpr double least_share = 0.5;
  auto const first = largest_up_to(sorted, sizes.front());
  auto const middle = largest_up_to(sorted, mean);
  auto const last = largest_up_to(sorted, sizes.back());
  if (last - middle <= least_rise * middle || last - middle <= least_share * (middle - first))
    return {claim_verdict::holds};
  return {
      claim_verdict::our_program_exceeds,
      fmt::format("the constants rise on, from {:.4g} by {:.4g} to {:.4g}", first, middle, last),
      true};
}

}  // namespace lockstep
