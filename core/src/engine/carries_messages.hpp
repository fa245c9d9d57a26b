#pragma once

#include <concepts>
#include <cstddef>
#include <source_location>
#include <span>
#include <string_view>

#include "engine/counting/worker_counters.hpp"
#include "engine/messages/message_pool.hpp"
#include "engine/processor_state.hpp"

namespace lockstep::detail {

/// An engine as the path of a message uses it: it lets processors run and wait, and carries messages
/// between them. It decides nothing that counts.
template <class Engine>
concept carries_messages =
    requires(Engine& engine, processor_state& me, processor_state& other, int rank, message& sent,
             elements const& values, receive_buffer const& buffer, std::string_view name,
             std::source_location where) {
      // Waits until the processor was made ready.
      engine.suspend(me);
      // Lets a waiting processor go on that is within reach of `me`.
      engine.make_ready(me, other);
      // Tells whether the other may be touched at once.
      { engine.within_reach(me, rank) } -> std::same_as<bool>;
      // Tells whether a processor that is not within reach waits for a message of `me`, and does
      // nothing until it is made ready.
      { engine.waits_elsewhere(me, rank) } -> std::same_as<bool>;
      // Sends a message to a processor that is not within reach.
      engine.hand_over(me, rank, &sent);
      // Ends a message that `me` took.
      engine.give_back(me, &sent);
      // Lets others run now and then, after each send; true where it did.
      { engine.sent_one(me) } -> std::same_as<bool>;

      // The worker that runs the processor: its number, its counters, its messages.
      { engine.worker_of(me) } -> std::same_as<std::size_t>;
      { engine.counters_of(me) } -> std::same_as<worker_counters&>;
      { engine.pool_of(me) } -> std::same_as<message_pool&>;

      // False while an exception unwinds the program; throws where the call does not come from the
      // processor's own program.
      { engine.may_enter(me) } -> std::same_as<bool>;
      // Where the program of a processor has its frames as it makes calls, and nobody else has any; else
      // empty. Asked by itself, as the next.
      { engine.own_stack(me) } -> std::same_as<std::span<std::byte const>>;
      // The exceptions that unwind the processor, as the C++ runtime counts them.
      { engine.uncaught_in(me) } -> std::same_as<unsigned const*>;
      // On a guarded machine: throws if the program touched memory that is not its own since its
      // last call.
      engine.check_touch(me, where);

      // Notes that the processor waits in a barrier or a one-sided round.
      engine.note_arrival(me);
      // Counts a processor that comes to a barrier of the whole machine by that call.
      engine.count_arrival(me, barrier_call());
      // The name of a phase, where it stays while the processor waits.
      { engine.lasting(me, name) } -> std::same_as<std::string_view>;

      // Tells whether another processor may write to the buffer while this one waits.
      { engine.may_land(me, buffer) } -> std::same_as<bool>;
      // Tells whether another may read the values while this one waits, and loans have paid lately.
      // Each question counts as an exchange.
      { engine.may_lend(me, values) } -> std::same_as<bool>;
      // Notes a message whose elements the processor lends.
      engine.begin_loan(me, sent);
      // Waits until a loan has ended, where it still lends.
      engine.wait_for_end_of_loan(me);
    };

}  // namespace lockstep::detail
