#pragma once

#include <utility>
#include <vector>

#include <lockstep/errors.hpp>
#include <lockstep/experiments/registry.hpp>

/// A made-up outcome with a claim of each kind, two phases and three steps.
inline lockstep::experiment_result sample_outcome() {
  using namespace lockstep;
  phase_record ring;
  ring.name = "ring 1";
  ring.steps = ring.rounds = ring.startups = 2;
  ring.words = ring.link_words = ring.port_words = 144;
  phase_record exchange;
  exchange.name = "exchange";
  exchange.steps = exchange.rounds = exchange.startups = 1;
  exchange.words = exchange.link_words = exchange.port_words = 72;

  std::vector<step_record> steps(3);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    steps[i].steps = steps[i].rounds = steps[i].startups = 1;
    steps[i].step = i + 1;
    steps[i].phase = i < 2 ? 0 : 1;
    steps[i].messages = 4;
    steps[i].words = steps[i].link_words = steps[i].largest = 72;
    steps[i].volume = 288;
    steps[i].hops = 2;
    steps[i].contention = 1;
  }
  counts const total{.steps = 3,
                     .rounds = 3,
                     .startups = 3,
                     .words = 216,
                     .volume = 864,
                     .messages = 12,
                     .hops = 6,
                     .barriers = 2,
                     .rearrangements = 1,
                     .rearranged = 144,
                     .contention = 1,
                     .serialised_steps = 3,
                     .queued = 0,
                     .link_words = 216};
  experiment_result result{.record = run_record(total, {ring, exchange}, steps,
                                                std::vector<processor_record>(
                                                    4, {.words_sent = 216, .words_received = 216})),
                           .correct = true};
  result.claims = {
      {.figure = "steps", .formula = "C/2 + 1", .value = 3, .source = "Suh and Shin 2001, 3.1.4"},
      {.figure = "words",
       .formula = "3 (n/p + p^2/2)",
       .value = 240,
       .bound = comparison::at_most,
       .source = "Bader, Helman and JaJa 1996, 3, Eq. 5"},
      {.figure = "words",
       .formula = "O(n/p)",
       .value = 72.5,
       .bound = comparison::order,
       .source = "Shankar and Ranka 1996, 4"},
      {.figure = "hops",
       .formula = "2(C - 1)",
       .value = 8,
       .source = "Suh and Shin 2001, 3.1.4",
       .erratum = "the formula counts a wrap-around link that a torus of size 2 does not have, so "
                  "that it is two links too long here"}};
  result.bounds = {{"words", "144 words into a processor", 144, "lockstep"},
                   {"words", "words times links", 100, "lockstep"},
                   {"steps", "ceil(log2 4)", 2, "lockstep"}};
  result.figures = {{"largest bin", std::int64_t{17}}, {"spread", 1.25}};
  result.parameters = {{"words", std::int64_t{72}}, {"kind", std::string("uniform")}};
  return result;
}

inline lockstep::experiment_result run_into_deadlock(lockstep::experiment_request const&) {
  throw lockstep::deadlock("nobody can go on", {.rank = 2, .step = 5, .phase = "ring 1"});
}
