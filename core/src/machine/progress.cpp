#include <lockstep/progress.hpp>

#include <utility>

#include <lockstep/detail/stop_request.hpp>

namespace lockstep {

namespace {

thread_local work_progress* board_of_thread = nullptr;

}  // namespace

void work_progress::begin_stage(std::string name, std::uint64_t total) {
  detail::stop_scope::check();
  std::lock_guard const lock(m_naming);
  m_stage = std::move(name);
  ++m_stages;
  m_total = total;
  m_done.store(0, std::memory_order_relaxed);
  m_step.store(0, std::memory_order_relaxed);
}

void work_progress::expect_steps(std::uint64_t steps) {
  std::lock_guard const lock(m_naming);
  m_steps = steps;
}

void work_progress::expect_parts(std::vector<double> ends) {
  std::lock_guard const lock(m_naming);
  m_part_ends = std::move(ends);
  m_part = 0;
}

void work_progress::begin_part() {
  std::lock_guard const lock(m_naming);
  ++m_part;
}

void work_progress::reach_step(std::uint64_t step) noexcept {
  auto latest = m_step.load(std::memory_order_relaxed);
  while (latest < step && !m_step.compare_exchange_weak(latest, step, std::memory_order_relaxed)) {
  }
}

progress_state work_progress::state() const {
  std::lock_guard const lock(m_naming);
  auto const share_after = [&](std::uint64_t parts) {
    return parts == 0 || parts > m_part_ends.size() ? 0.0 : m_part_ends[parts - 1];
  };
  return {.stage = m_stage,
          .stages = m_stages,
          .done = m_done.load(std::memory_order_relaxed),
          .total = m_total,
          .step = m_step.load(std::memory_order_relaxed),
          .steps = m_steps,
          .part = m_part,
          .parts = m_part_ends.size(),
          .part_begins = m_part == 0 ? 0 : share_after(m_part - 1),
          .part_ends = share_after(m_part)};
}

progress_scope::progress_scope(work_progress& board) noexcept
    : m_outer(std::exchange(board_of_thread, &board)) {}

progress_scope::~progress_scope() { board_of_thread = m_outer; }

work_progress* progress_scope::board() noexcept { return board_of_thread; }

}  // namespace lockstep
