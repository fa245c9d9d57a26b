#include "papers/shankar_ranka/stage_counts.hpp"

#include <lockstep/counts.hpp>

namespace lockstep {

namespace {

[[nodiscard]] bool is_sends(phase_record const& of) { return of.name == "sends"; }

[[nodiscard]] bool is_stage(phase_record const& of) {
  return of.name == "stage 1" || of.name == "stage 2" || is_sends(of);
}

void add_phase(stage_counts& to, phase_record const& phase) {
  to.startups += phase.startups;
  to.port_words += phase.port_words;
}

}  // namespace

stage_counts stages_in(run_record const& of) {
  stage_counts sum;
  for (auto const& phase : of.phases())
    if (is_stage(phase)) add_phase(sum, phase);
  return sum;
}

read_communications communications_in(run_record const& of, bool asks) {
  read_communications both;
  bool has_come = false;  // whether addresses are where they go
  for (auto const& phase : of.phases()) {
    if (!is_stage(phase)) continue;
    if (is_sends(phase) && !asks) has_come = true;
    add_phase(has_come ? both.elements : both.addresses, phase);
    if (is_sends(phase)) has_come = true;
  }
  return both;
}

}  // namespace lockstep
