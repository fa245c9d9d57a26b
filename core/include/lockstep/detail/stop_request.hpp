#pragma once

#include <atomic>

namespace lockstep::detail {

/// The end of long work that somebody has asked to stop. Not a std::exception, for it is not an error, and
/// comes out of all work as it is.
struct work_stopped {};

/// A request to long work that it stop, from any thread.
class stop_request {
 public:
  void ask() noexcept { m_is_asked.store(true, std::memory_order_relaxed); }
  [[nodiscard]] bool is_asked() const noexcept {
    return m_is_asked.load(std::memory_order_relaxed);
  }

 private:
  std::atomic<bool> m_is_asked = false;
};

/// While it lives, what its thread does heeds a request: between the rounds of machines on fibers, and where a
/// stage of work begins, work_stopped is thrown once it is asked for. It ends on the thread that it began on.
class stop_scope {
 public:
  /// `request`: outlives the scope; nullptr: none.
  explicit stop_scope(stop_request const* request) noexcept;
  stop_scope(stop_scope const&) = delete;
  stop_scope& operator=(stop_scope const&) = delete;
  ~stop_scope();

  /// The request that this thread heeds, or nullptr.
  [[nodiscard]] static stop_request const* current() noexcept;
  /// Throws work_stopped if this thread is asked to stop.
  static void check();

 private:
  stop_request const* m_outer;
};

}  // namespace lockstep::detail
