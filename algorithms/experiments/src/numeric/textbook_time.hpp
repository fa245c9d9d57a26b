#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <lockstep/claim.hpp>
#include <lockstep/claim_list.hpp>
#include <lockstep/experiments/experiment.hpp>

namespace lockstep {

/// Prices a run as textbooks price T_p, by startups t_s + words t_w + work, where t_w and an operation take
/// the same time and t_s takes 100 times that: the figure T_p. Claims that it is what the formula comes to, in
/// the letters of `claims` and t_s.
void claim_textbook_time(experiment_result& result, claim_list claims, std::string const& formula);

/// Claims, of a run whose T_p is claimed, the order that a textbook gives for it, in the letters of `claims`
/// and t_s.
void claim_textbook_order(experiment_result& result, claim_list claims, std::string const& section,
                          std::string const& formula);

/// Claims, of a run whose T_p is claimed, that it is at most these formulas, in which a textbook's prices have
/// constants of ours, in the letters of `claims` and t_s. `where`: what the claims suppose.
void claim_textbook_bounds(experiment_result& result, claim_list claims,
                           std::vector<std::string> const& formulas,
                           std::vector<hypothesis> const& where);

/// Makes the figure T_p of a sort of n keys by samples on p processors, and claims the order that a textbook
/// gives for it.
void claim_textbook_time_of_samples(experiment_result& result, int p, std::uint64_t n);

}  // namespace lockstep
