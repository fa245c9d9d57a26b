#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engine/cluster/process_team.hpp"
#include "engine/scheduling/fibers.hpp"

namespace lockstep::detail {

/// The fibers engine where several processes run a machine together, each the processors of its share.
///
/// Messages for other processes are handed over like those for another worker, and change hands at the end of
/// a round, which all processes come to: one exchange takes a batch from each to each, and says which are idle.
/// When all are, each decides alike how the run goes on (resolve_blocked), of what all were told: which have come
/// to barriers. So nothing has to be sent but that, and every process comes to the same counts.
class cluster_fibers final : public fibers {
 public:
  /// Errors: invalid_argument where the system cannot guard each of that many stacks.
  cluster_fibers(std::shared_ptr<topology const> const& network, machine_options const& options,
                 std::span<observer* const> observers, std::shared_ptr<kept_slab> keeper);

 private:
  /// The figures that each process says of itself at the end of a round.
  struct round_figures {
    bool idle = false;
    bool sends = false;  ///< messages to other processes
    bool merges = false;
    bool stops = false;
    std::uint64_t finished = 0;  ///< processors
    barrier_arrivals counted{};
    failure_place failed{};
  };

  void make_blocks_of_processes();
  void finish_round() noexcept override;
  [[nodiscard]] bool end_round_together(std::size_t parity);
  void end_round_alone() noexcept;
  [[nodiscard]] bool is_idle(std::size_t parity);
  [[nodiscard]] round_figures own_figures(bool idle, bool sends);
  [[nodiscard]] std::vector<cluster::bytes> pack(std::size_t parity);
  void pack_message(message const& sent, int to, cluster::bytes& batch);
  void unpack(int from, cluster::bytes const& batch);
  void drop_sent(std::size_t parity);
  template <class Action>
  void for_each_filled(std::size_t parity, Action&& action);
  [[nodiscard]] int process_of(processor_block const& one) const;

  [[nodiscard]] bool bring_served(bool failed) override;
  void wake(processor_state& waiting) override;
  void wake_all() override;
  [[nodiscard]] barrier_arrivals take_counted() override;
  [[nodiscard]] bool copy_all_lent() override { return false; }  // done before a round ends
  [[nodiscard]] bool all_finished() const override { return m_all_finished; }

  std::unique_ptr<worker> m_elsewhere;  ///< the runner of the blocks of other processes
  barrier_arrivals m_counted{};         ///< in all processes
  bool m_all_finished = false;
  bool m_lost = false;  ///< a process is gone, and the others end by themselves
};

}  // namespace lockstep::detail
