#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <lockstep/detail/debug_containers.hpp>

namespace lockstep {

/// Ranks first, ..., end - 1.
struct rank_range {
  int first = 0;
  int end = 0;

  [[nodiscard]] int size() const noexcept { return end - first; }
  [[nodiscard]] bool has(int rank) const noexcept { return first <= rank && rank < end; }

  friend bool operator==(rank_range const&, rank_range const&) = default;
};

/// The processes that run machines together, each some of their processors (`machine_options::cluster`).
/// All of them run the same executable, and make the same runs in the same order. `lockstep::mpi::cluster`
/// is one; its functions are called by the machine alone, from one thread at a time.
///
/// Errors of its functions: process_lost, in all processes, where one of them ends or does something else.
class cluster {
 public:
  using bytes = std::vector<std::byte>;
  /// The figures and batches of all processes, in their order.
  struct round {
    std::vector<std::uint64_t> figures;  ///< those of process 0, of process 1, ...
    std::vector<bytes> from;
  };

  cluster() = default;
  cluster(cluster const&) = delete;
  cluster& operator=(cluster const&) = delete;
  virtual ~cluster() = default;

  /// The number of processes, at least 1.
  [[nodiscard]] virtual int processes() const = 0;
  /// The number of this one, from 0 on.
  [[nodiscard]] virtual int process() const = 0;
  /// Sends `to[i]` to process i, and `figures`, which are equally many on each, to all. All processes call it.
  [[nodiscard]] virtual round exchange(std::vector<std::uint64_t> const& figures,
                                       std::vector<bytes> const& to) = 0;
  /// Gives each process what every process has, in their order. All processes call it.
  [[nodiscard]] virtual std::vector<bytes> all_gather(bytes const& own) = 0;
  /// Whether `run_of::results()` has the results of all processors on every process, not only those of its
  /// own: for programs that look at all of them, where memory allows.
  [[nodiscard]] virtual bool shares_results() const { return false; }
  /// Leaves the cluster for a reason that this process alone may have: process_lost of the others, as soon as they
  /// call a function, says which. Afterwards no function is called any more.
  virtual void leave(std::string const& /*why*/) noexcept {}
  /// Whether a process that is lost said why, to all others.
  [[nodiscard]] virtual bool was_told_why() const noexcept { return false; }
};

namespace detail {

/// The processors that each process runs, in rank order: whole blocks, nearly as many on each.
class process_shares {
 public:
  process_shares(int processors, int processes);

  [[nodiscard]] rank_range of(int process) const;
  [[nodiscard]] int process_of(int rank) const;
  /// The number of processors in a block.
  [[nodiscard]] int block() const { return static_cast<int>(m_block); }

 private:
  std::int64_t m_processors;
  std::int64_t m_processes;
  std::int64_t m_block;
  std::int64_t m_blocks;
};

}  // namespace detail

}  // namespace lockstep
