#include "engine/throw_errors.hpp"

#include <algorithm>
#include <exception>
#include <new>

#include <fmt/format.h>

namespace lockstep::detail {

void throw_invalid_rank(runtime& run, processor_state& me, std::string_view done, int rank,
                        unknown_rank const& asked) {
  auto const why = rank == me.rank ? std::string("itself: a processor talks to others only")
                                   : fmt::format("rank {}: ranks here are 0 to {}", asked.rank,
                                                 asked.group_size - 1);
  run.fail<invalid_rank>(me, fmt::format("{} {}", done, why));
}

void throw_not_adjacent(runtime& run, processor_state& me, int other) {
  run.fail<not_adjacent>(
      me, fmt::format(
              "wanted to talk to processor {} on {}, which no link joins to processor {}: with "
              "neighbour switching only adjacent processors may talk; relay the message, or set "
              "switching::cut_through",
              other, run.network().spec(), me.rank));
}

void throw_too_many_elements(runtime& run, processor_state& me, std::uint64_t count) {
  run.fail<invalid_argument>(
      me, fmt::format("sent {} elements at once: a message has at most {}; send it in pieces",
                      count, most_elements));
}

void throw_too_many_words(runtime& run, processor_state& me, std::string_view done,
                          std::uint64_t words) {
  run.fail<invalid_argument>(
      me, fmt::format("{} {} words more: on {} a processor has at most {} words in all, so that no "
                      "sum passes 64 bits; count in larger words",
                      done, words, run.network().spec(), run.most_words()));
}

void throw_call_while_computing(runtime& run, processor_state& me) {
  run.fail<invalid_argument>(
      me,
      "a call of a processor inside its work_of or operations_of: there it computes, and others "
      "may not run; make the call before or after");
}

void throw_too_much_work(runtime& run, processor_state& me, std::uint64_t operations) {
  run.fail<invalid_argument>(
      me, fmt::format("worked {} operations more: on {} a processor has at most {} operations in "
                      "all, so that no sum passes 64 bits; count in larger units",
                      operations, run.network().spec(), run.most_words()));
}

void throw_size_mismatch(runtime& run, processor_state& me, message const& taken,
                         std::size_t wanted) {
  run.fail<size_mismatch>(
      me, fmt::format("received {} elements from processor {}, which sent {} (at {}): what is "
                      "received has to be what was sent; receive<T>(from) takes any number",
                      wanted, taken.from, taken.count, place_text(taken.where)));
}

void throw_type_mismatch(runtime& run, processor_state& me, message const& taken,
                         payload_type const& wanted) {
  run.fail<type_mismatch>(
      me,
      fmt::format("received elements of type {} from processor {}, which sent {} (at {}): what is "
                  "received has to be what was sent",
                  readable_name(wanted), taken.from, readable_name(*taken.type),
                  place_text(taken.where)));
}

void throw_type_of_mail(runtime& run, processor_state& me, mail const& posted,
                        payload_type const& wanted) {
  auto const from = posted.sent.stamp == 0 ? std::string("itself, which")
                                           : fmt::format("processor {}, which", posted.sent.from);
  run.fail<type_mismatch>(
      me, fmt::format("delivered elements of type {} from {} posted {}: deliver<T> takes the "
                      "type that was posted",
                      readable_name(wanted), from, readable_name(*posted.type)));
}

void throw_types_of_posts(runtime& run, processor_state& me, payload_type const& first,
                          payload_type const& posted) {
  run.fail<type_mismatch>(
      me,
      fmt::format("posted elements of type {} after some of type {}: between two calls of "
                  "deliver a processor posts elements of one type; deliver the others first, or "
                  "post a struct that holds both",
                  readable_name(posted), readable_name(first)));
}

void throw_step_limit(runtime& run, processor_state& me, std::string_view done,
                      std::uint64_t step) {
  run.fail<step_limit>(
      me, fmt::format("{} in step {}: the machine stops at max_steps = {}; raise max_steps if the "
                      "program is meant to run that long",
                      done, step, run.options().max_steps));
}

void throw_idle_too_long(runtime& run, processor_state& me, std::uint64_t steps) {
  auto const limit = run.options().max_steps;
  me.now = std::min(me.now + std::min(steps, limit), limit + 1);
  run.fail<step_limit>(
      me,
      fmt::format("idled beyond step {}: the machine stops at max_steps = {}; raise max_steps if "
                  "the program is meant to run that long",
                  limit, limit));
}

void throw_port_conflict(runtime& run, processor_state& me, envelope const& message,
                         std::uint64_t step) {
  run.fail<port_conflict>(
      me,
      fmt::format(
          "the message that processor {} sent in step {} could come in no earlier than step {}, "
          "because another took the in-port: a strict machine has no buffers; let it be sent "
          "in that step, or run without strict",
          message.from, message.stamp, step));
}

void throw_out_of_memory(runtime& run, processor_state& me, worker_counters& full) {
  full.reserve.reset();
  try {
    run.fail<out_of_memory>(
        me,
        "lockstep got no memory for a message, or to write down what came in: let processors run "
        "less far apart and take messages in sooner, or take a smaller program");
  } catch (std::bad_alloc const&) {  // not even for the error
    run.note(std::current_exception(), me.now, me.rank);
    me.marks.end();
    throw;
  }
}

}  // namespace lockstep::detail
