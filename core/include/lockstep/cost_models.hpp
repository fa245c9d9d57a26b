#pragma once

#include <string>
#include <string_view>

#include <lockstep/cost_model.hpp>
#include <lockstep/counts.hpp>

namespace lockstep {

/// The cost models of the papers, as plain structs: set the members, then `run.time(model)`.
/// Each prices counts alone, so that a run is counted once and priced on any number of machines.
/// `label` is the name that results carry. Local operations (`processor::work`) are priced where a
/// model has a price of one; it is 0 by default, but for BSP, whose unit it is.
/// Errors of `time` and `check`, of each model that has parameters: invalid_argument, with the model and the
/// parameter, where one is below 0 (`barrier_offset_us` may be) or not finite.

/// Completion time on a wormhole-switched torus or mesh, in microseconds:
///
///   T = startups t_s + words w t_c + hops t_l + barriers t_b + rearranged w rho + work gamma
///   w = word_bytes
///   t_b = max(0, barrier_us_per_dimension log2(processors) + barrier_offset_us)
///
/// Assumes that steps follow one another (each pays its start-up, its largest message, its longest
/// route), and that no two messages share a link: counts.contention is 1. A machine whose number of
/// processors is not a power of two has a fractional dimension.
/// Source: Suh and Shin 2001, sections 2 and 5; its blocks are counted in bytes, one flit each.
struct suh_shin_model {
  double startup_us = 0;                 ///< t_s, for each start-up
  double transmission_us_per_byte = 0;   ///< t_c
  double hop_us = 0;                     ///< t_l, for each link of a route
  double rearrangement_us_per_byte = 0;  ///< rho
  double barrier_us_per_dimension = 0;   ///< t_b = this times log2(processors) ...
  double barrier_offset_us = 0;          ///< ... plus this, but at least 0
  double word_bytes = 1;                 ///< bytes of a word
  double operation_us = 0;               ///< gamma, for a local operation
  std::string label = "suh-shin";

  [[nodiscard]] std::string_view name() const noexcept { return label; }
  [[nodiscard]] std::string_view unit() const noexcept { return "us"; }
  [[nodiscard]] double barrier_us(int processors) const;
  [[nodiscard]] double time(counts const& of, int processors) const;
  void check() const;  ///< of its parameters
};

/// The Intel Paragon as measured: t_s = 75 us, t_c = 0.011 us, rho = 0.014 us, t_l = 0.02 us and
/// t_b = (126 d - 113) us, where d = log2 of the number of processors.
/// Source: Suh and Shin 2001, section 5.
[[nodiscard]] suh_shin_model paragon();

/// The same machine with a start-up 20,000 times t_c: 220 us.
/// Source: Suh and Shin 2001, section 5, Figures 15 and 16.
[[nodiscard]] suh_shin_model paragon_slow_startup();

/// Time of block permutations on a complete graph, in microseconds:
///
///   T = startups tau + words sigma + work gamma
///
/// Assumes that a processor sends and receives at the same time, and that the network routes any block
/// permutation without congestion.
/// Source: Bader, Helman and JaJa 1996, section 2 (which names no values).
struct tau_sigma_model {
  double tau_us = 0;             ///< bound on the latency
  double sigma_us_per_word = 0;  ///< time in which a processor injects or takes in a word
  double operation_us = 0;       ///< gamma, for a local operation
  std::string label = "tau-sigma";

  [[nodiscard]] std::string_view name() const noexcept { return label; }
  [[nodiscard]] std::string_view unit() const noexcept { return "us"; }
  [[nodiscard]] double time(counts const& of, int processors) const;
  void check() const;  ///< of its parameters
};

/// Communication time on the Block Distributed Memory machine, in the time of one word (sigma = 1):
///
///   T = (startups + hot_startups) tau + words + work gamma
///
/// where words are whole packets of m words: run the program on a machine with
/// `machine_options::packet` = m, which rounds them up. k prefetches of a processor that are
/// pipelined cost tau + k m (`processor::pipelined`); k requests of that many processors to one
/// cost k (tau + m), pipelined or not, where they are one-sided and of one round
/// (`processor::read`, `write`). Assumes that m divides tau, as the paper does. Of pipelined rounds
/// of both kinds the paper says nothing; here the steps in which requests that meet come in pay a
/// tau each, and the others share that of the first.
/// Source: JaJa and Ryu 1994, section 2 (which names no values).
struct block_distributed_model {
  double tau_words = 0;        ///< latency, in the time of one word
  double operation_words = 0;  ///< gamma, for a local operation, in the same
  std::string label = "bdm";

  [[nodiscard]] std::string_view name() const noexcept { return label; }
  [[nodiscard]] std::string_view unit() const noexcept { return "words"; }
  [[nodiscard]] double time(counts const& of, int processors) const;
  void check() const;  ///< of its parameters
};

/// Time on a coarse-grained machine with two levels of memory, local and remote, in microseconds:
///
///   T = startups tau + words mu + (rearranged + work) delta
///
/// delta prices local work: the words that the program says it rearranged (`processor::rearrange`),
/// one unit of work each, and its local operations (`processor::work`).
/// Assumes a virtual crossbar: neither distance nor links shared by messages matter.
/// Source: Shankar and Ranka 1996, section 2 (which names no values).
struct two_level_model {
  double tau_us = 0;             ///< start-up
  double mu_us_per_word = 0;     ///< 1 / data transfer rate
  double delta_us_per_word = 0;  ///< local work for a word
  std::string label = "two-level";

  [[nodiscard]] std::string_view name() const noexcept { return label; }
  [[nodiscard]] std::string_view unit() const noexcept { return "us"; }
  [[nodiscard]] double time(counts const& of, int processors) const;
  void check() const;  ///< of its parameters
};

/// Unit time steps: T = steps. A processor sends and takes in one packet in a step, and a packet is
/// one word; so the program's messages should be single words.
/// Source: Mayr and Plaxton 1989, section 1.
struct unit_step_model {
  std::string label = "unit-steps";

  [[nodiscard]] std::string_view name() const noexcept { return label; }
  [[nodiscard]] std::string_view unit() const noexcept { return "steps"; }
  [[nodiscard]] double time(counts const& of, int processors) const;
};

/// LogGP, in microseconds. A message of k bytes takes o + (k - 1) G + L + o, and a processor starts
/// its next message g or more after the last one. Over a run:
///
///   T = startups max(L + 2 o, g) + (words w - startups) G + work gamma,   w = word_bytes
///
/// Assumes lock-step: each processor takes in the messages of a step before it sends in the next,
/// so that a step lasts as long as its largest message. For g <= L + 2 o that is exact. Where a
/// processor sends in one step after another without waiting, LogGP lets the messages overlap, and
/// the price is above its time. A pipelined run of steps is priced as one long message, without
/// the gaps between its messages.
/// Source: Alexandrov, Ionescu, Schauser and Scheiman 1995, LogGP: incorporating long messages into
/// the LogP model.
struct loggp_model {
  double latency_us = 0;       ///< L
  double overhead_us = 0;      ///< o, of the sender and of the receiver
  double gap_us = 0;           ///< g, between two messages
  double gap_us_per_byte = 0;  ///< G, between two bytes of a message
  double word_bytes = 8;       ///< bytes of a word
  double operation_us = 0;     ///< gamma, for a local operation
  std::string label = "loggp";

  [[nodiscard]] std::string_view name() const noexcept { return label; }
  [[nodiscard]] std::string_view unit() const noexcept { return "us"; }
  [[nodiscard]] double time(counts const& of, int processors) const;
  void check() const;  ///< of its parameters
};

/// BSP, in the time of one local operation (flop), as g and l are usually given:
///
///   T = work + words g + startups l
///
/// Every step with a message, and every pipelined run of steps, is a superstep; its h-relation is
/// the largest message, or in a pipelined run the largest over processors of max(sent, received).
/// Source: Valiant 1990, A bridging model for parallel computation.
struct bsp_model {
  double g_flops_per_word = 0;       ///< price of a word of an h-relation
  double l_flops_per_superstep = 0;  ///< price of a synchronisation
  std::string label = "bsp";

  [[nodiscard]] std::string_view name() const noexcept { return label; }
  [[nodiscard]] std::string_view unit() const noexcept { return "flops"; }
  [[nodiscard]] double time(counts const& of, int processors) const;
  void check() const;  ///< of its parameters
};

/// Eight 400 MHz Pentium II on switched 100 Mbit Ethernet: g = 30.9 flops a word, l = 18,347 flops.
/// The values hold for 8 processors; l grows with their number.
/// Source: table of BSP machine parameters of the Oxford BSP toolset, bsp-worldwide.org.
[[nodiscard]] bsp_model bsp_cluster();

}  // namespace lockstep
