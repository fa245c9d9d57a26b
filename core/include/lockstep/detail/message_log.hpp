#pragma once

#include <vector>

#include <lockstep/detail/debug_containers.hpp>
#include <lockstep/observer.hpp>

namespace lockstep::detail {

/// The messages of a run, in the order in which an observer sees them.
class message_log : public observer {
 public:
  void message(message_record const& seen) override { m_messages.push_back(seen); }
  [[nodiscard]] std::vector<message_record> const& messages() const { return m_messages; }

 private:
  std::vector<message_record> m_messages;
};

}  // namespace lockstep::detail
