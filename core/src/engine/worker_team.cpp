#include "worker_team.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <thread>

#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

namespace lockstep::detail {

namespace {

/// How long a run waits for more threads before it begins.
constexpr std::chrono::microseconds patience{20'000};

/// Turns of a waiting loop before it lets the system run something else.
constexpr int most_spins = 4000;

void relax() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

/// Who belongs to a team: joined before the run began.
class enrolment {
 public:
  explicit enrolment(int wanted) : m_wanted(wanted) {}

  /// A place in the team, or -1 if it has begun without us.
  int join() {
    int const member = m_joined.fetch_add(1, std::memory_order_acq_rel);
    if (member >= m_wanted) return -1;
    while (members() == 0) std::this_thread::yield();
    return member < members() ? member : -1;
  }

  [[nodiscard]] int members() const { return m_members.load(std::memory_order_acquire); }

  /// Waits for the others for a while, then begins with those who are there.
  void begin() {
    auto const deadline = std::chrono::steady_clock::now() + patience;
    while (m_joined.load(std::memory_order_acquire) < m_wanted &&
           std::chrono::steady_clock::now() < deadline)
      std::this_thread::yield();
    int const there = m_joined.fetch_add(m_wanted, std::memory_order_acq_rel);
    int const members = std::min(there, m_wanted);
    m_barrier.emplace(members);
    m_members.store(members, std::memory_order_release);
  }
  [[nodiscard]] worker_team formed() { return {members(), *m_barrier}; }

 private:
  int const m_wanted;
  std::atomic<int> m_joined = 1;   ///< the calling thread is the first
  std::atomic<int> m_members = 0;  ///< 0 until the run begins
  std::optional<round_barrier> m_barrier;
};

}  // namespace

int worker_team::most_members() {
  // The processors that this process may use, which can be fewer than the computer has, and what
  // the program that we are a part of allows oneTBB.
  auto const allowed =
      tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism);
  return std::max(1, std::min(tbb::info::default_concurrency(), static_cast<int>(allowed)));
}

void worker_team::run(int wanted,
                      std::function<void(int member, worker_team const& team)> const& work) {
  if (wanted <= 1) {
    round_barrier barrier(1);
    return work(0, {1, barrier});
  }
  tbb::task_arena arena(wanted);
  enrolment team(wanted);
  arena.execute([&] {
    tbb::task_group helpers;
    for (int helper = 1; helper < wanted; ++helper) {
      helpers.run([&] {
        int const member = team.join();
        if (member > 0) work(member, team.formed());
      });
    }
    team.begin();
    work(0, team.formed());
    helpers.wait();
  });
}

void round_barrier::wait_after(std::uint32_t round) const {
  for (int spin = 0; spin < most_spins; ++spin) {
    if (m_round.load(std::memory_order_acquire) != round) return;
    relax();
  }
  while (m_round.load(std::memory_order_acquire) == round)
    m_round.wait(round, std::memory_order_acquire);
}

}  // namespace lockstep::detail
