#pragma once

#include <cstddef>

namespace lockstep::detail {

struct processor_state;

/// A payload that was sent, and that its sender may have to leave as it is until it was copied: the
/// end of this object waits for that.
class lent_payload {
 public:
  /// Bytes below which no payload is worth a wait.
  static constexpr std::size_t fewest_bytes = 1024;

  /// `lender`: nullptr where nobody needs it.
  explicit lent_payload(processor_state* lender) : m_lender(lender) {}
  lent_payload(lent_payload const&) = delete;
  lent_payload& operator=(lent_payload const&) = delete;
  ~lent_payload() {
    if (m_lender != nullptr) wait();
  }

 private:
  void wait() noexcept;

  processor_state* m_lender;
};

}  // namespace lockstep::detail
