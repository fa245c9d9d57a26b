#pragma once

#include <cstdint>
#include <string_view>

#include "engine/runtime.hpp"

namespace lockstep::detail {

// The errors of a processor that breaks a rule of sending or receiving. Each function notes its
// error in the run and throws it; its place is that of the processor's call.

[[noreturn, gnu::cold]] void throw_invalid_rank(runtime& run, processor_state& me,
                                                std::string_view done, int rank,
                                                unknown_rank const& asked);
[[noreturn, gnu::cold]] void throw_not_adjacent(runtime& run, processor_state& me, int other);
[[noreturn, gnu::cold]] void throw_too_many_elements(runtime& run, processor_state& me,
                                                     std::uint64_t count);
[[noreturn, gnu::cold]] void throw_too_many_words(runtime& run, processor_state& me,
                                                  std::string_view done, std::uint64_t words);
[[noreturn, gnu::cold]] void throw_call_while_computing(runtime& run, processor_state& me);
[[noreturn, gnu::cold]] void throw_too_much_work(runtime& run, processor_state& me,
                                                 std::uint64_t operations);
[[noreturn, gnu::cold]] void throw_size_mismatch(runtime& run, processor_state& me,
                                                 message const& taken, std::size_t wanted);
[[noreturn, gnu::cold]] void throw_type_mismatch(runtime& run, processor_state& me,
                                                 message const& taken, payload_type const& wanted);
[[noreturn, gnu::cold]] void throw_type_of_mail(runtime& run, processor_state& me,
                                                mail const& posted, payload_type const& wanted);
[[noreturn, gnu::cold]] void throw_types_of_posts(runtime& run, processor_state& me,
                                                  payload_type const& first,
                                                  payload_type const& posted);
[[noreturn, gnu::cold]] void throw_step_limit(runtime& run, processor_state& me,
                                              std::string_view done, std::uint64_t step);
/// Advances the processor's clock to the end of the last step, and throws.
[[noreturn, gnu::cold]] void throw_idle_too_long(runtime& run, processor_state& me,
                                                 std::uint64_t steps);
[[noreturn, gnu::cold]] void throw_port_conflict(runtime& run, processor_state& me,
                                                 envelope const& message, std::uint64_t step);
/// Frees the memory that `full` has in reserve, so that the error can be made, and throws.
[[noreturn, gnu::cold]] void throw_out_of_memory(runtime& run, processor_state& me,
                                                 worker_counters& full);

}  // namespace lockstep::detail
