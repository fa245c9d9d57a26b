// lockstep itself, as it comes: lockstep.cpp WORKLOAD PROCESSORS ROUNDS WORDS [threads]

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <lockstep/algorithms/exchange/all_to_all.hpp>
#include <lockstep/algorithms/sorting/radix_sort.hpp>
#include <lockstep/core.hpp>
#include <lockstep/topologies/crossbar.hpp>
#include <lockstep/topologies/hypercube.hpp>
#include <lockstep/topologies/torus.hpp>

#include "measurement.hpp"
#include "workloads.hpp"

namespace peers {

namespace {

class lockstep_processor {
 public:
  static constexpr bool exchange_is_barrier = false;

  lockstep_processor(lockstep::processor& me,
                     std::optional<lockstep::exchange_schedule> const& schedule)
      : m_me(me), m_schedule(schedule) {}

  [[nodiscard]] int rank() const { return m_me.rank(); }
  [[nodiscard]] int size() const { return m_me.size(); }
  void barrier() { m_me.barrier(); }

  void exchange(int to, std::span<word const> out, std::span<word> in, int from) {
    if (out.size() == 1)
      in[0] = m_me.exchange(to, out[0], from);
    else
      m_me.exchange_into(to, out, in, from);
  }

  void receive(int from, std::span<word> in) { m_me.receive_into(from, in); }

  void all_to_all(std::vector<word> const& blocks, std::vector<word>& arrived) {
    lockstep::all_to_all<word>(
        m_me, 1,
        [&](int to, std::span<word> block) { block[0] = blocks[static_cast<std::size_t>(to)]; },
        [&](int from, std::span<word const> block) {
          arrived[static_cast<std::size_t>(from)] = block[0];
        },
        m_schedule.value());
  }

  [[nodiscard]] std::vector<std::uint32_t> radix_sorted(std::vector<std::uint32_t> const& keys) {
    return lockstep::radix_sort(m_me, keys, {}, {.radix = radix});
  }

 private:
  lockstep::processor& m_me;
  std::optional<lockstep::exchange_schedule> const& m_schedule;
};

bool is_exchange(request const& asked) {
  return asked.workload == "exchange" || asked.workload == "all-to-all";
}

/// The network of each workload.
std::shared_ptr<lockstep::topology const> network_for(request const& asked) {
  int const p = asked.processors;
  if (asked.workload == "prefix")
    return std::make_shared<lockstep::hypercube>(std::countr_zero(static_cast<unsigned>(p)));
  if (is_exchange(asked)) {
    int const side = static_cast<int>(std::lround(std::sqrt(p)));
    return std::make_shared<lockstep::torus>(std::vector<int>{side, side});
  }
  if (asked.workload == "ring" || asked.workload == "deadlock")
    return std::make_shared<lockstep::torus>(std::vector<int>{p});
  return std::make_shared<lockstep::crossbar>(p);
}

int run(request const& asked, lockstep::engine engine) {
  auto const program = program_for<lockstep_processor>(asked);
  if (program == nullptr) return 2;
  lockstep::machine_options options;
  options.engine = engine;
  options.max_steps = std::uint64_t{1} << 62U;
  lockstep::machine const machine{network_for(asked), options};
  std::optional<lockstep::exchange_schedule> schedule;
  if (is_exchange(asked)) schedule.emplace(machine.topology());
  auto const run = machine.run([&](lockstep::processor& each) {
    lockstep_processor me(each, schedule);
    return program(me, asked);
  });
  return report(asked, outcome_of_all(run.results()), peak_memory());
}

}  // namespace

}  // namespace peers

int main(int argc, char** argv) {
  auto const asked = peers::request_from(argc, argv);
  if (!asked) return 2;
  bool const threads = argc > 5 && std::string_view(argv[5]) == "threads";
  try {
    return peers::run(*asked, threads ? lockstep::engine::threads : lockstep::engine::fibers);
  } catch (lockstep::error const& failure) {
    std::fprintf(stderr, "%s\n", failure.what());
    return 3;
  }
}
