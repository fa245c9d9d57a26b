#include <algorithm>
#include <new>

#include "engine/scheduling/fibers.hpp"

namespace lockstep::detail {

/// Ends the loan of a payload that was copied.
void fibers::end_loan(message const& lent) {
  auto& lender = state_of(lent.from);
  lender.lends = false;
  if (lender.doing != activity::lending) return;
  lender.doing = activity::running;
  --worker_for(lender).lenders;
  auto& theirs = block_of(lender.rank);
  theirs.ready.push(&lender);
  let_wait(theirs);
}

/// Copies the payloads of processors that only wait for the end of their loans.
bool fibers::copy_all_lent() {
  bool const any_waits =
      std::ranges::any_of(m_workers, [](auto const& one) { return one->lenders > 0; });
  if (!any_waits) return false;
  bool any_goes_on = false;
  for (auto& lender : own_states()) {
    if (lender.doing != activity::lending || lender.marks.ending() || !copy_lent(lender)) continue;
    any_goes_on = true;
    lender.lends = false;
    lender.doing = activity::running;
    wake(lender);
    auto& mine = worker_for(lender);
    --mine.lenders;
    // A search through all processors is not to come after every few exchanges.
    mine.until_lending = size() / static_cast<int>(worker_count());
  }
  return any_goes_on;
}

/// Copies what the processor lends into its message. False without memory: it waits until the run
/// ends.
bool fibers::copy_lent(processor_state& lender) {
  auto& mine = worker_for(lender);
  if (mine.pool.copy_lent(*lender.more->lent)) return true;
  try {
    throw_out_of_memory(*this, lender, *mine.counters);
  } catch (error const&) {  // it was noted
  } catch (std::bad_alloc const&) {
  }
  return false;
}

}  // namespace lockstep::detail
