#include "engine/scheduling/worker_team.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <optional>
#include <thread>
#include <vector>

#include <tbb/global_control.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include "engine/memory/sanitizer.hpp"
#include "engine/tuning.hpp"

namespace lockstep::detail {

namespace {

/// The threads that belong to a team: those that joined before the run began.
class enrolment {
 public:
  explicit enrolment(int wanted) : m_wanted(wanted) {}

  /// Takes a place in the team, or gives -1 if it has begun without this thread.
  int join() {
    int const member = m_joined.fetch_add(1, std::memory_order_acq_rel);
    if (member >= m_wanted) return -1;
    while (members() == 0) std::this_thread::yield();
    return member < members() ? member : -1;
  }

  [[nodiscard]] int members() const { return m_members.load(std::memory_order_acquire); }

  /// Waits for the others for a while, then begins with the threads that have come.
  void begin() {
    auto const deadline = std::chrono::steady_clock::now() + usual_tuning.patience;
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

using member_work = std::function<void(int member, worker_team const& team)>;

/// The task of a thread that joins. ThreadSanitizer has to be told that it is copied before it
/// runs, and that it ends before oneTBB has waited for it.
class helper {
 public:
  helper(enrolment& team, member_work const& work) : m_team(&team), m_work(&work) {}
  helper(helper const& given) : m_team(given.m_team), m_work(given.m_work) {
    happens_before(&copied);
  }
  helper& operator=(helper const&) = delete;
  ~helper() = default;

  void operator()() const {
    happens_after(&copied);  // before anything of the task is read
    int const member = m_team->join();
    if (member > 0) (*m_work)(member, m_team->formed());
    happens_before(m_team);
  }

 private:
  static constexpr char copied = 0;

  enrolment* m_team;
  member_work const* m_work;
};

/// The helpers that this process asked of oneTBB so far. oneTBB keeps its threads, so as many as
/// came are there again; nothing else knows of them.
struct helpers_so_far {
  using clock = std::chrono::steady_clock;

  std::atomic<int> came = 0;                                             ///< at most in a run
  std::atomic<clock::time_point> some_missed{clock::time_point::min()};  ///< when not all came

  static helpers_so_far& of_process() {
    static helpers_so_far all;
    return all;
  }
};

/// Finds how many of the wanted threads the system gives at a time, by starting them.
int threads_given(int wanted) {
  std::atomic<bool> over = false;
  std::vector<std::jthread> started;
  try {
    started.reserve(static_cast<std::size_t>(wanted));
    for (int one = 0; one < wanted; ++one)
      started.emplace_back([&] { over.wait(false, std::memory_order_acquire); });
  } catch (std::exception const&) {
    // Those that were started are all there are.
  }
  over.store(true, std::memory_order_release);
  over.notify_all();
  return static_cast<int>(started.size());
}

/// Finds how many helpers to ask oneTBB for. It starts the first of them here, which may fail, and
/// others from those, where a failure would end the process: so no threads are taken to see how many
/// there are while oneTBB may still be starting some that did not come in time.
int helpers_to_ask_for(int wanted) {
  constexpr std::chrono::seconds to_start(1);
  auto& so_far = helpers_so_far::of_process();
  int const came = so_far.came.load(std::memory_order_relaxed);
  if (wanted <= 1 || wanted <= came) return wanted;
  auto const missed = so_far.some_missed.load(std::memory_order_relaxed);
  if (missed > helpers_so_far::clock::now() - to_start) return came;
  return threads_given(wanted);
}

void note_helpers(int came, int asked_for) {
  auto& so_far = helpers_so_far::of_process();
  for (int before = so_far.came.load(std::memory_order_relaxed);
       before < came &&
       !so_far.came.compare_exchange_weak(before, came, std::memory_order_relaxed);) {
  }
  if (came < asked_for)
    so_far.some_missed.store(helpers_so_far::clock::now(), std::memory_order_relaxed);
}

}  // namespace

int worker_team::most_members() {
  // The processors that this process may use, which can be fewer than the computer has, and what
  // the program around lockstep allows oneTBB.
  auto const allowed =
      tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism);
  return std::max(1, std::min(usual_tuning.cores(), static_cast<int>(allowed)));
}

void worker_team::run(int wanted,
                      std::function<void(int member, worker_team const& team)> const& work) {
  wanted = 1 + helpers_to_ask_for(wanted - 1);
  if (wanted <= 1) {
    round_barrier barrier(1);
    return work(0, {1, barrier});
  }
  tbb::task_arena arena(wanted);
  enrolment team(wanted);
  arena.execute([&] {
    tbb::task_group helpers;
    try {
      for (int one = 1; one < wanted; ++one) helpers.run(helper(team, work));
    } catch (...) {
      // There is no memory, or no thread to be had, which oneTBB says by a std::runtime_error. Those
      // that were asked are enough: the caller alone does all the work.
    }
    team.begin();
    note_helpers(team.members() - 1, wanted - 1);
    work(0, team.formed());
    helpers.wait();
    happens_after(&team);
  });
}

}  // namespace lockstep::detail
