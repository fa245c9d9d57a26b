#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <lockstep/claim.hpp>
#include <lockstep/counts.hpp>
#include <lockstep/problem_instance.hpp>

namespace lockstep {

/// How a claim came out. Each word is used in one sense, wherever a claim is shown.
enum class claim_verdict : std::uint8_t {
  equal,                ///< the claim says "=", and that was measured
  holds,                ///< a bound is met, or runs of several sizes grow as claimed
  refuted,              ///< within its hypotheses no program can keep it, or its own was run
  our_program_exceeds,  ///< the program that ran takes more: all that is known
  outside_the_claim,    ///< a hypothesis is not met
  decides_nothing,      ///< the run is compatible with the claim, or takes less than "=" says
  not_run               ///< nothing was measured
};

inline constexpr std::array all_claim_verdicts{claim_verdict::equal,
                                               claim_verdict::holds,
                                               claim_verdict::refuted,
                                               claim_verdict::our_program_exceeds,
                                               claim_verdict::outside_the_claim,
                                               claim_verdict::decides_nothing,
                                               claim_verdict::not_run};

/// "equal", "holds", "refuted", "our program exceeds", "outside the claim", "decides nothing", "not
/// run".
[[nodiscard]] std::string_view name_of(claim_verdict of);

/// A verdict on a claim, and what it rests on.
struct judgement {
  claim_verdict verdict = claim_verdict::not_run;
  /// The hypotheses that are not met, the evidence, the known reason, or why nothing is decided;
  /// empty where the figures speak for themselves.
  std::string reason{};
  /// Whether the claim ought to hold and does not, for no reason that is known: a mistake, of the
  /// program or of the claim.
  bool is_fault = false;

  friend bool operator==(judgement const&, judgement const&) = default;
};

/// Judges a claim by what was measured. This is the only place that does: tables, JSON, matchers and
/// pages show what it says.
/// Errors: those of the formula and of the hypotheses.
[[nodiscard]] judgement judge(claim const& claimed, double measured,
                              problem_instance const& at = {});
/// Errors: also those of `measured_for`.
[[nodiscard]] judgement judge(claim const& claimed, counts const& measured,
                              problem_instance const& at = {});

/// A run of a claim of order: how large it was, and what the claimed value was to be multiplied by.
struct order_point {
  double size = 0;
  double constant = 0;
};

/// Judges an order of growth by the trend of the constants, over runs that differ in one size.
///
/// Let first, middle and last be the constants at the least size, at the largest of the sizes up to
/// the geometric mean of the least and the largest, and at the largest; middle and last are raised to the
/// largest constant up to there. The claim fails if the constants rise by more than a tenth from middle
/// to last, and this rise is more than half of that from first to middle. A ratio that grows without
/// end, as a power or a logarithm of the size does, rises in the second half no less than in the first.
/// One that tends to a limit, as 4 - 8/size or 4 - 4/log size does, rises by less and less. Falling
/// constants pass: an order is an upper bound.
///
/// It takes three sizes, the largest at least four times the least, and one of them between the least
/// and that mean; else it decides nothing.
[[nodiscard]] judgement judge_order(std::span<order_point const> runs);

}  // namespace lockstep
