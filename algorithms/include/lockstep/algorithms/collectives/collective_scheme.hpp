#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <source_location>
#include <string>
#include <string_view>

#include <lockstep/algorithms/collectives/access.hpp>
#include <lockstep/cost_model.hpp>
#include <lockstep/counts.hpp>

namespace lockstep {

/// How blocks go between processors in a collective operation. Each is for some networks and some
/// operations; docs/collectives.md has the table.
enum class collective_scheme : std::uint8_t {
  transpose,  ///< cut into p pieces: one phase that deals them out, one that brings them together
  direct,     ///< whole, from or to each other processor, in one phase
  k_ary,      ///< one element by a k-ary tree; more in pieces, ceil(log_k p) phases there and back
  automatic,  ///< by the network, the size and the operator (`collective_options`)
  binomial,   ///< trees by halving lines, one dimension after the other; far messages first
  ring,       ///< round a ring of all processors; on a hypercube in the order of Gray's code
  bucket,     ///< round rings, one dimension after the other
  recursive_doubling,  ///< with partners at distances 1, 2, 4, ..
  halving_doubling,    ///< vectors are halved, then doubled again, with such partners: Rabenseifner
  bruck,               ///< from processors 1, 2, 4, .. further on, as many blocks each time
  dissemination,       ///< a token to processors 1, 2, 4, .. further on
  circulant,  ///< skips of 1, 2, 4, ..: rounds and words of Traeff's reduce-scatter, for any p
  tree,       ///< along a breadth-first tree of neighbours: for any network
  two_way     ///< round rings both ways at once, for a torus whose processors use all ports
};

/// The schemes of JaJa and Ryu, for a crossbar.
inline constexpr std::array all_collective_schemes{
    collective_scheme::transpose, collective_scheme::direct, collective_scheme::k_ary};

/// "transpose", "direct", "k-ary", "automatic", "binomial", "ring", "bucket", "recursive-doubling",
/// "halving-doubling", "bruck", "dissemination", "circulant", "tree", "two-way".
[[nodiscard]] std::string_view name_of(collective_scheme scheme);

/// A scheme that is given as such or by its name: `{.scheme = "ring"}`.
class chosen_scheme {
 public:
  constexpr chosen_scheme(collective_scheme scheme)  // NOLINT(google-explicit-constructor)
      : m_scheme(scheme) {}
  /// `name`: as `name_of` gives it; "rabenseifner" is "halving-doubling", "traeff" "circulant".
  /// Errors: invalid_argument for no such scheme.
  // NOLINTBEGIN(google-explicit-constructor)
  chosen_scheme(char const* name, std::source_location where = std::source_location::current());
  chosen_scheme(std::string_view name,
                std::source_location where = std::source_location::current());
  chosen_scheme(std::string const& name,
                std::source_location where = std::source_location::current());
  // NOLINTEND(google-explicit-constructor)

  constexpr operator collective_scheme() const {  // NOLINT(google-explicit-constructor)
    return m_scheme;
  }

 private:
  collective_scheme m_scheme;
};

/// The price of a start-up in words where none is given.
inline constexpr std::uint64_t usual_startup_words = 16;

/// How `broadcast`, `reduce`, `all_reduce`, `scan` and others go about it. All processors say the
/// same.
///
/// `automatic` is, on a crossbar, what JaJa and Ryu do (`transpose`, or one phase, whose rounds pay
/// one start-up in all), unless `startup_words` is given; otherwise, of the schemes that fit but
/// `tree` and those of JaJa and Ryu in pieces, the first with the smallest rounds * startup_words +
/// words (in whole packets of the machine; of pieces of one size, unless on a crossbar), where those
/// that change the order of operands are left out unless the operator is known to be commutative.
/// On a machine with `ports::all` it is that one, or, of `direct`, `transpose`, `tree` and `two_way`, whose
/// rounds then use several links of a processor, the cheapest that fits and takes no more rounds.
struct collective_options {
  chosen_scheme scheme = collective_scheme::automatic;
  int k = 2;                      ///< of the scheme k_ary: `tree_arity(tau, m)` is the paper's
  int root = 0;                   ///< of operations that have one
  access how = access::messages;  ///< of the schemes of JaJa and Ryu
  bool commutes = false;          ///< says that the operator commutes, where its type does not
  /// The price of a start-up in words, by which `automatic` chooses: `startup_words_of(model, p)`.
  /// Where it is left out, `usual_startup_words`, unless on a crossbar.
  std::optional<std::uint64_t> startup_words{};
};

/// Finds how many words cost as much as a start-up by a cost model, to the nearest word, at most
/// 10^9: the price of a step with a message of one word over one link and of the barrier between two
/// steps, on that many processors, and what each word more costs.
///
/// **Example** `lockstep::broadcast(me, block, {.startup_words = startup_words_of(paragon(), 64)});`
template <cost_model Model>
[[nodiscard]] std::uint64_t startup_words_of(Model const& model, int processors) {
  auto const time = [&](std::uint64_t words) {
    counts step;
    step.steps = step.rounds = step.startups = step.messages = step.barriers = 1;
    step.hops = step.contention = step.serialised_steps = 1;
    step.words = step.volume = words;
    return model.time(step, processors);
  };
  constexpr std::uint64_t more = 1'000;
  constexpr double most = 1e9;
  auto const word = (time(1 + more) - time(1)) / more;
  auto const startup = time(1) - word;
  if (!(startup > 0)) return 0;
  return static_cast<std::uint64_t>(startup < most * word ? std::round(startup / word) : most);
}

}  // namespace lockstep
