#include "engine/refusals.hpp"

namespace lockstep::detail {

void refusals::refuse_rank(processor_state& me, std::string_view what, int rank,
                           unknown_rank const& asked, std::source_location where) {
  auto const why = rank == me.rank ? std::string("itself: a processor talks to others only")
                                   : fmt::format("rank {}: ranks here are 0 to {}", asked.rank,
                                                 asked.group_size - 1);
  fail<invalid_rank>(me, where, fmt::format("{} {}", what, why));
}

void refusals::refuse_distance(processor_state& me, int other, std::source_location where) {
  fail<not_adjacent>(
      me, where,
      fmt::format(
          "wanted to talk to processor {} on {}, which no link joins to processor {}: with "
          "neighbour switching only adjacent processors may talk; relay the message, or set "
          "switching::cut_through",
          other, network().spec(), me.rank));
}

void refusals::refuse_count(processor_state& me, std::uint64_t count, std::source_location where) {
  fail<invalid_argument>(
      me, where,
      fmt::format("sent {} elements at once: a message has at most {}; send it in pieces", count,
                  most_elements));
}

void refusals::refuse_words(processor_state& me, std::string_view what, std::uint64_t words,
                            std::source_location where) {
  fail<invalid_argument>(
      me, where,
      fmt::format("{} {} words more: on {} a processor has at most {} words in all, so that no "
                  "sum passes 64 bits; count in larger words",
                  what, words, network().spec(), m_most_words));
}

void refusals::refuse_size(processor_state& me, message const& taken, room const& in,
                           std::source_location where) {
  fail<size_mismatch>(
      me, where,
      fmt::format("received {} elements from processor {}, which sent {} (at {}:{}): what is "
                  "received has to be what was sent; receive<T>(from) takes any number",
                  in.count, taken.from, taken.count, taken.where.file_name(), taken.where.line()));
}

void refusals::refuse_step(processor_state& me, std::string_view what, std::uint64_t step,
                           std::source_location where) {
  fail<step_limit>(
      me, where,
      fmt::format(
          "{} in step {}: the machine stops at max_steps = {}; raise max_steps if the program "
          "is meant to run that long",
          what, step, options().max_steps));
}

void refusals::refuse_type(processor_state& me, message const& taken, payload_type const& wanted,
                           std::source_location where) {
  fail<type_mismatch>(
      me, where,
      fmt::format(
          "received elements of type {} from processor {}, which sent {} (at {}:{}): what is "
          "received has to be what was sent",
          readable_name(wanted), taken.from, readable_name(*taken.type), taken.where.file_name(),
          taken.where.line()));
}

void refusals::refuse_queueing(processor_state& me, envelope const& message, std::uint64_t step,
                               std::source_location where) {
  fail<port_conflict>(
      me, where,
      fmt::format(
          "the message that processor {} sent in step {} could come in no earlier than step {}, "
          "because another took the in-port: a strict machine has no buffers; let it be sent "
          "in that step, or run without strict",
          message.from, message.stamp, step));
}

void refusals::refuse_memory(processor_state& me, ledger& mine) {
  mine.reserve.reset();
  fail<out_of_memory>(
      me, me.where,
      "lockstep got no memory to write down what came in: let processors run less far apart and "
      "take messages in sooner, or take a smaller program");
}

}  // namespace lockstep::detail
