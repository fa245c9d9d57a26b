#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <memory>
#include <optional>
#include <source_location>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <lockstep/cluster.hpp>
#include <lockstep/detail/gathered.hpp>
#include <lockstep/detail/refused.hpp>
#include <lockstep/errors.hpp>
#include <lockstep/observer.hpp>
#include <lockstep/options.hpp>
#include <lockstep/processor.hpp>
#include <lockstep/run.hpp>
#include <lockstep/topology.hpp>

namespace lockstep {

namespace detail {

class kept_slab;

/// Makes the network that a specification names. The core knows none: lockstep::topologies has this
/// function, and a program that names networks in this way links it.
[[nodiscard]] std::shared_ptr<topology const> network_of_specification(std::string_view spec,
                                                                       std::source_location where);

/// A program without its type.
struct erased_program {
  void* body;
  void (*call)(void* body, processor& me, int rank);
};

}  // namespace detail

/// A distributed-memory machine: processors with private memory, joined by a network, synchronised
/// step by step. A value: copies are machines of the same kind, and any number may run at the same
/// time, one after another, or one inside another's program. It keeps the stacks of a run for the
/// next, where memory allows, until it and its copies are gone.
class machine {
 public:
  /// Makes a machine. A topology of your own is checked: its size and links now, its routes when
  /// they are first used (docs/own-topology.md).
  /// Errors: invalid_argument for an option outside its range, or without a topology;
  /// invalid_topology for one without processors, or whose functions contradict each other.
  template <std::derived_from<topology> Network>
  explicit machine(Network network, machine_options const& options = {})
      : machine(std::make_shared<Network const>(std::move(network)), options) {}
  explicit machine(std::shared_ptr<lockstep::topology const> network,
                   machine_options const& options = {});
  /// Makes a machine of the network that a specification names, as `parse` reads it, in a program that
  /// links lockstep::topologies.
  /// Errors: invalid_topology for a text that cannot be read, and for impossible sizes; those above.
  /// Example: `machine m{"torus:4x4", {.strict = true}};`
  template <std::convertible_to<std::string_view> Text>
    requires(!std::same_as<Text, std::nullptr_t>)
  explicit machine(Text const& spec, machine_options const& options = {},
                   std::source_location where = std::source_location::current())
      : machine(detail::network_of_specification(spec, where), options) {}
  /// @cond
  // clang-format off
  template <class Processors>
    requires(std::is_arithmetic_v<Processors> || std::is_enum_v<Processors>)
  explicit machine(Processors, machine_options const& = {}) = delete;  // name the network: machine{crossbar{4}}, or machine{"crossbar:4"}
  // clang-format on
  /// @endcond

  [[nodiscard]] int size() const noexcept { return m_size; }
  [[nodiscard]] lockstep::topology const& topology() const noexcept { return *m_topology; }
  [[nodiscard]] machine_options const& options() const noexcept { return m_options; }
  /// The processors that this process runs: all, without `machine_options::cluster`.
  [[nodiscard]] rank_range own_ranks() const noexcept { return m_own; }

  /// Checks that there is memory for the processors, and for `bytes_each` more for each of them.
  /// `waiting`: bytes that a processor has on its stack while it waits; 0: as most programs have.
  /// Call it before you make their input; `run` itself checks the memory of their results.
  /// Errors: out_of_memory, with the figures.
  void require_memory(std::size_t bytes_each, std::size_t waiting = 0) const;
  /// Computes the bytes that `require_memory` asks for, 2^64 - 1 where they are more.
  [[nodiscard]] std::uint64_t memory_needed(std::size_t bytes_each = 0,
                                            std::size_t waiting = 0) const;

  /// Runs `program(processor&)` on every processor, and tells the observers what happened.
  /// The program is called as const&, on each processor in turn or at the same time.
  /// Result: what the program returned on each processor, in rank order; counts, phases, steps.
  /// Errors: every one of errors.hpp, after every processor has been unwound; of several, the one
  /// of the least (step, rank). out_of_memory before the run where the need can be seen. An
  /// exception of an observer comes out as it is, and so does one of a program that is not a
  /// std::exception.
  template <class Program, std::derived_from<observer>... Observers>
    requires std::invocable<Program const&, processor&>
  auto run(Program const& program, Observers&... watching) const {
    std::array<observer*, sizeof...(Observers)> const observers{&watching...};
    return run(program, std::span<observer* const>(observers));
  }

  /// Runs the program for observers that are known at run time only.
  template <class Program>
    requires std::invocable<Program const&, processor&>
  auto run(Program const& program, std::span<observer* const> observers) const
      -> run_of<std::decay_t<std::invoke_result_t<Program const&, processor&>>> {
    using result = std::decay_t<std::invoke_result_t<Program const&, processor&>>;
    require_memory(result_bytes<result>());
    if constexpr (std::is_void_v<result>) {
      auto body = [&](processor& me, int) { program(me); };
      return run_of<void>(execute(erase(body), observers));
    } else {
      if constexpr (!detail::gatherable<result>) refuse_shared_results();
      std::vector<std::optional<result>> returned(static_cast<std::size_t>(m_own.size()));
      auto body = [&, first = m_own.first](processor& me, int rank) {
        returned[static_cast<std::size_t>(rank - first)].emplace(program(me));
      };
      auto record = execute(erase(body), observers);
      std::vector<result> results;
      results.reserve(returned.size());
      for (auto& one : returned) results.push_back(*std::move(one));
      if constexpr (detail::gatherable<result>)
        if (m_options.cluster != nullptr && m_options.cluster->shares_results())
          return run_of<result>(std::move(record),
                                detail::results_of_all(*m_options.cluster, results));
      return run_of<result>(std::move(record), std::move(results), m_own.first);
    }
  }
  /// @cond
  // clang-format off
  LOCKSTEP_REFUSALS_BEGIN
  template <class Program, class... Observers>
    requires(!std::invocable<Program const&, processor&> && std::invocable<Program&, processor&>)
  run_of<int> run(Program const&, Observers&...) const LOCKSTEP_REFUSED("all processors call the same program: a lambda that is not mutable, or a const call operator");
  template <class Program, class... Observers>
    requires(!std::invocable<Program&, processor&>)
  run_of<int> run(Program const&, Observers&...) const LOCKSTEP_REFUSED("a program takes its processor by reference, and nothing else: run([](lockstep::processor& me) { ... })");
  LOCKSTEP_REFUSALS_END
  // clang-format on
  /// @endcond

 private:
  template <class Body>
  static detail::erased_program erase(Body& body) {
    return {&body,
            [](void* erased, processor& me, int rank) { (*static_cast<Body*>(erased))(me, rank); }};
  }

  template <class Result>
  [[nodiscard]] static constexpr std::size_t result_bytes() {
    if constexpr (std::is_void_v<Result>)
      return 0;
    else
      return sizeof(std::optional<Result>);
  }

  /// Throws invalid_argument where all processes are to have all results, which cannot be sent.
  void refuse_shared_results() const;

  [[nodiscard]] run_record execute(detail::erased_program program,
                                   std::span<observer* const> observers) const;

  std::shared_ptr<lockstep::topology const> m_topology;
  std::shared_ptr<lockstep::topology const> m_network;  ///< the same, checked if it is not built in
  std::shared_ptr<detail::kept_slab> m_stacks;  ///< from run to run; those of its copies, too
  machine_options m_options;
  int m_size;
  rank_range m_own;
};

}  // namespace lockstep
