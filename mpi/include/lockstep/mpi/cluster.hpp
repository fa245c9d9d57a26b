#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <lockstep/cluster.hpp>

namespace lockstep::mpi {

/// The options of a cluster.
struct cluster_options {
  /// Every process has the results of all processors (`run_of::results`), not only those of its own.
  bool share_results = false;
  /// SIGINT, SIGTERM, SIGHUP and SIGQUIT write a line that says which process they came to, before they do what
  /// they did. A program that handles them itself has `name_signals` after that.
  bool names_signals = true;
};

/// The processes of an MPI job, which run machines together (docs/mpi.md). One object stands for MPI in a
/// program: it begins MPI, if the program has not, and ends it. A signal that ends a process ends all.
///
/// Example, under `mpirun -n 4`:
///   lockstep::mpi::cluster cluster(argc, argv);
///   lockstep::machine big{lockstep::hypercube{24}, {.cluster = &cluster}};
///   auto const run = big.run(program);
///   if (cluster.process() == 0) fmt::print("{}", run.summary());
class cluster final : public lockstep::cluster {
 public:
  /// Begins MPI. Errors: process_lost where MPI has begun without MPI_THREAD_SERIALIZED, or has ended.
  cluster(int& argc, char**& argv, cluster_options const& options = {});
  /// Waits for all processes, and ends MPI if the cluster began it. A process that waits for this one in a run is
  /// told that it is gone.
  ~cluster() override;

  [[nodiscard]] int processes() const override { return m_processes; }
  [[nodiscard]] int process() const override { return m_process; }
  [[nodiscard]] round exchange(std::vector<std::uint64_t> const& figures,
                               std::vector<bytes> const& to) override;
  [[nodiscard]] std::vector<bytes> all_gather(bytes const& own) override;
  [[nodiscard]] bool shares_results() const override { return m_options.share_results; }
  /// Of a long reason the first 4,000 bytes.
  void leave(std::string const& why) noexcept override;
  [[nodiscard]] bool was_told_why() const noexcept override { return m_was_told_why; }

  /// Messages and bytes that this process has sent to others, and exchanges that it took part in.
  struct traffic {
    std::uint64_t exchanges = 0;
    std::uint64_t batches = 0;
    std::uint64_t bytes = 0;
  };
  [[nodiscard]] traffic const& sent() const noexcept { return m_sent; }

  /// Lets signals write that line from now on (`cluster_options::names_signals`). All processes call it.
  void name_signals();

  /// Whether a launcher of MPI has started this process.
  [[nodiscard]] static bool is_launched() noexcept;

 private:
  struct communicator;
  struct said;

  [[nodiscard]] std::vector<std::uint64_t> meet(said const& own);
  [[noreturn]] void lose(std::string how);
  [[nodiscard]] std::string reason_of(int process, std::size_t size, said const& own);
  [[nodiscard]] std::vector<bytes> swap(std::vector<std::uint64_t> const& all,
                                        std::vector<bytes const*> const& to);
  template <class Sizes>
  void drain(Sizes const& coming, std::vector<bytes const*> const& to) noexcept;

  std::unique_ptr<communicator> m_world;
  cluster_options m_options;
  int m_processes = 1;
  int m_process = 0;
  bool m_lost = false;
  std::string m_loss{};
  bool m_has_left = false;
  bool m_was_told_why = false;
  bool m_ends_mpi = false;
  traffic m_sent{};
};

}  // namespace lockstep::mpi
