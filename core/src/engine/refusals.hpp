#pragma once

#include <cstdint>
#include <source_location>
#include <string_view>

#include "engine/runtime.hpp"

namespace lockstep::detail {

/// What a processor is told when it breaks a rule of sending and receiving. All of them throw.
class refusals : public runtime {
 public:
  using runtime::runtime;

 protected:
  [[noreturn, gnu::cold]] void refuse_rank(processor_state& me, std::string_view what, int rank,
                                           unknown_rank const& asked, std::source_location where);
  [[noreturn, gnu::cold]] void refuse_distance(processor_state& me, int other,
                                               std::source_location where);
  [[noreturn, gnu::cold]] void refuse_count(processor_state& me, std::uint64_t count,
                                            std::source_location where);
  [[noreturn, gnu::cold]] void refuse_words(processor_state& me, std::string_view what,
                                            std::uint64_t words, std::source_location where);
  [[noreturn, gnu::cold]] void refuse_size(processor_state& me, message const& taken,
                                           room const& in, std::source_location where);
  [[noreturn, gnu::cold]] void refuse_step(processor_state& me, std::string_view what,
                                           std::uint64_t step, std::source_location where);
  [[noreturn, gnu::cold]] void refuse_type(processor_state& me, message const& taken,
                                           payload_type const& wanted, std::source_location where);
  [[noreturn, gnu::cold]] void refuse_queueing(processor_state& me, envelope const& message,
                                               std::uint64_t step, std::source_location where);
  /// Where nothing more can be written down in that ledger.
  [[noreturn, gnu::cold]] void refuse_memory(processor_state& me, ledger& mine);
};

}  // namespace lockstep::detail
