#pragma once

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

#include <lockstep/assert.hpp>

#include "engine/messages/routes.hpp"

// The way of a message through the rules is one straight piece of code.
#define LOCKSTEP_HOT [[gnu::always_inline]]

namespace lockstep::detail {

/// The counting rules, written once for every engine. The engine gives
///   hold()                     what keeps others out of the machine meanwhile (fibers: nothing)
///   suspend(me, held)          waits until the processor was made ready
///   make_ready(by, who)        lets a waiting processor go on that is within reach of `by`
///   within_reach(me, other)    whether `other` may be touched at once
///   hand_over(me, to, sent)    a message for a processor that is not
///   worker_of(me)              who runs it
///   ledger_of(me)              what that one writes in
///   pool_of(me)                what that one takes messages from
///   sent_one(me, held)         after each send: now and then lets others run, and says so
///   may_enter(me)              false while an exception is on its way through the program; throws
///                              where the call does not come from the processor's own program
///   note_arrival(me)           it waits in a barrier or a one-sided round
///   refuse_touch(me, where)    on a guarded machine, throws if the program touched what is not its
///                              own since its last call
template <class Engine>
class rules : public routes {
 public:
  using routes::routes;

  void send(processor_state& me, int to, elements const& values, std::source_location where) final {
    auto held = engine().hold();
    if (!enter(me, where, held)) return;
    post(me, to, values, where);
    static_cast<void>(engine().sent_one(me, held));
  }

  void send_vector(processor_state& me, int to, void* vector, payload_type const& type,
                   std::source_location where) final {
    auto held = engine().hold();
    if (!enter(me, where, held)) return;
    if (guarded() != nullptr) [[unlikely]] {
      post_copy_of_moved(me, to, vector, type, where);
    } else {
      envelope sent;
      stamp(me, to, type.vector_size(vector), type, where, sent);
      auto* const made = engine().pool_of(me).take_vector(vector, type);
      address(*made, sent, where);
      dispatch(me, to, made);
    }
    static_cast<void>(engine().sent_one(me, held));
  }

  message* take(processor_state& me, int from, payload_type const& type, std::size_t wanted,
                std::source_location where) final {
    auto held = engine().hold();
    if (!enter(me, where, held)) return nullptr;
    return take_first(me, from, type, wanted, where, held, me.pass);
  }

  void take_into(processor_state& me, int from, room const& in, std::source_location where) final {
    auto held = engine().hold();
    if (enter(me, where, held)) fill(me, from, in, where, held, me.pass);
  }

  void exchange(processor_state& me, int to, elements const& out, int from, room const& in,
                std::source_location where) final {
    auto held = engine().hold();
    if (!enter(me, where, held)) return;
    post(me, to, out, where);
    if (engine().sent_one(me, held) && has_to_stop(me)) stop(me, held);
    fill(me, from, in, where, held, me.pass);
  }

  void release(processor_state& me, message* taken) final {
    [[maybe_unused]] auto const held = engine().hold();
    release_held(me, taken);
  }

  void idle(processor_state& me, std::uint64_t steps, std::source_location where) final {
    auto held = engine().hold();
    if (!enter(me, where, held)) return;
    auto const limit = options().max_steps;
    if (steps > limit || me.now + steps > limit + 1) {
      me.now = std::min(me.now + std::min(steps, limit), limit + 1);
      fail<step_limit>(
          me, where,
          fmt::format(
              "idled beyond step {}: the machine stops at max_steps = {}; raise max_steps if the "
              "program is meant to run that long",
              limit, limit));
    }
    me.now += steps;
  }

  void barrier(processor_state& me, group& of, barrier_kind kind, std::string_view name,
               std::source_location where) final {
    auto held = engine().hold();
    if (!enter(me, where, held)) return;
    me.more->barrier_group = &of;
    me.more->barrier_is = kind;
    me.more->barrier_name = name;
    wait(me, activity::in_barrier, held);
  }

  void rearrange(processor_state& me, std::uint64_t words, std::source_location where) final {
    auto held = engine().hold();
    if (!enter(me, where, held)) return;
    if (words > me.more->rearranged_words_left) refuse_words(me, "rearranged", words, where);
    me.more->rearranged_words_left -= words;
    write_down(me, [&] { append_rearrangement(me, words); });
  }

  message* one_sided(processor_state& me, one_sided_request&& request,
                     std::source_location where) final {
    auto held = engine().hold();
    if (!enter(me, where, held)) return nullptr;
    bool const reads = request.what == one_sided_request::kind::read;
    if (request.what != one_sided_request::kind::serve) {
      check_source(me, request.owner, where);
      request.hops = reads ? look_up(request.owner, me.rank, me, request.owner, where)
                           : look_up(me.rank, request.owner, me, request.owner, where);
    }
    me.more->request = std::make_unique<one_sided_request>(std::move(request));
    wait(me, activity::in_one_sided_round, held);
    auto const served = std::move(me.more->request);
    for (auto const& write : served->incoming) {
      auto* const place = served->mine.data + write.offset * served->mine.type->size;
      fill(me, write.from, {place, write.count, served->mine.type}, where, held, one_sided_pass);
    }
    return reads ? take_first(me, served->owner, *served->asked.type, any_number, where, held,
                              one_sided_pass)
                 : nullptr;
  }

  bool may_call(processor_state& me, std::source_location where) final {
    auto held = engine().hold();
    return enter(me, where, held);
  }

 protected:
  void deliver_from(processor_state& from, int to, elements const& values,
                    std::uint32_t hops) final {
    envelope sent;
    sent.hops = hops;
    put_count(from, values.count, sent, from.where);
    stamp_ports(from, to, sent, from.where);
    sent.pass = one_sided_pass;
    account_sent(from, to, sent, *values.type, from.where);
    dispatch(from, to, copy_of(from, values, sent, from.where));
  }

 private:
  template <class Held>
  LOCKSTEP_HOT [[nodiscard]] bool enter(processor_state& me, std::source_location where,
                                        Held& held) {
    if (!engine().may_enter(me)) [[unlikely]]
      return false;
    if (guarded() != nullptr) [[unlikely]]
      engine().refuse_touch(me, where);
    me.where = where;
    if (has_to_stop(me)) [[unlikely]]
      stop(me, held);
    return true;
  }

  /// The run failed in an earlier step: waits until all have come to that step, and goes on only if
  /// what this processor does can still show an earlier error.
  template <class Held>
  [[gnu::noinline, gnu::cold]] void stop(processor_state& me, Held& held) {
    if (!me.ending) {
      me.doing = activity::stopped;
      engine().suspend(me, held);
    }
    if (me.ending) end(me);
  }

  [[nodiscard]] Engine& engine() { return static_cast<Engine&>(*this); }

  [[nodiscard]] std::uint64_t words_of(payload_type const& type, std::uint64_t count) const {
    auto const words = count * type.words;
    auto const packet = options().packet;
    return packet == 1 ? words : (words + packet - 1) / packet * packet;
  }

  LOCKSTEP_HOT static void copy(std::byte* to, elements const& from) {
    if (from.count == 1 && from.type->size == sizeof(std::uint64_t)) [[likely]]
      std::memcpy(to, from.data, sizeof(std::uint64_t));
    else if (from.count > 0)
      std::memcpy(to, from.data, from.count * from.type->size);
  }

  // --- sending ---

  /// Stamps a message (rule 2), lays it where its receiver waits for it, or sends it off.
  LOCKSTEP_HOT void post(processor_state& me, int to, elements const& values,
                         std::source_location where) {
    envelope sent;
    stamp(me, to, values.count, *values.type, where, sent);
    if (!engine().within_reach(me, to))
      return engine().hand_over(me, to, copy_of(me, values, sent, where));
    auto& receiver = state_of(to);
    if (waits_for(receiver, me.rank, me.pass) && receiver.landing_type == values.type &&
        receiver.landing_count == values.count) {
      land(receiver, values, sent);
      engine().make_ready(me, receiver);
    } else {
      receive_message(receiver, copy_of(me, values, sent, where));
    }
  }

  /// Whether a message is short enough to be laid beside its receiver's clock.
  [[nodiscard]] static bool is_word(std::size_t count, payload_type const& type) {
    return count * type.size <= sizeof(processor_state::landed_word);
  }

  /// Lays a message where its receiver, which waits for it, finds it.
  LOCKSTEP_HOT static void land(processor_state& receiver, elements const& values,
                                envelope const& sent) {
    copy(is_word(values.count, *values.type) ? reinterpret_cast<std::byte*>(&receiver.landed_word)
                                             : receiver.landing,
         values);
    receiver.landed_stamp = sent.stamp;
    receiver.landed_hops = sent.hops;
    receiver.landed_way = sent.way;
    receiver.landed = true;
    receiver.doing = activity::running;
  }

  [[nodiscard]] static bool waits_for(processor_state const& receiver, int from,
                                      std::uint8_t pass) {
    return receiver.doing == activity::receiving && receiver.waiting_for == from &&
           receiver.pass == pass;
  }

  LOCKSTEP_HOT [[nodiscard]] message* copy_of(processor_state& me, elements const& values,
                                              envelope const& sent, std::source_location where) {
    auto* const made =
        engine().pool_of(me).take(values.count * values.type->size, values.type->alignment);
    copy(message_pool::room_of(*made), values);
    made->type = values.type;
    address(*made, sent, where);
    return made;
  }

  /// On a guarded machine: the message carries a copy, and nobody may touch the vector any more.
  [[gnu::noinline]] void post_copy_of_moved(processor_state& me, int to, void* vector,
                                            payload_type const& type, std::source_location where) {
    envelope sent;
    stamp(me, to, type.vector_size(vector), type, where, sent);
    auto* const made = copy_of(me, {type.vector_data(vector), sent.count, &type}, sent, where);
    guarded()->moved.add(vector, type, {me.rank, sent.stamp, where});
    dispatch(me, to, made);
  }

  LOCKSTEP_HOT static void address(message& made, envelope const& sent,
                                   std::source_location where) {
    // One by one: they may still be in registers, and reading them back as a whole would wait for
    // memory.
    made.stamp = sent.stamp;
    made.count = sent.count;
    made.hops = sent.hops;
    made.from = sent.from;
    made.pass = sent.pass;
    made.way = sent.way;
    made.where = where;
  }

  void dispatch(processor_state& me, int to, message* made) {
    if (!engine().within_reach(me, to)) return engine().hand_over(me, to, made);
    receive_message(state_of(to), made);
  }

 public:
  /// Puts a message into its receiver's inbox, and wakes it if that is what it waits for.
  void receive_message(processor_state& receiver, message* arrived) {
    receiver.arrived.push(arrived);
    if (!waits_for(receiver, arrived->from, arrived->pass)) return;
    receiver.doing = activity::running;
    engine().make_ready(receiver, receiver);
  }

 private:
  /// Gives the message its step, and finds its receiver and the length of its route.
  LOCKSTEP_HOT void stamp(processor_state& me, int& to, std::uint64_t count,
                          payload_type const& type, std::source_location where, envelope& sent) {
    if (options().ports == ports::one) [[likely]] {
      if (me.last_sent == me.now) ++me.now;
    } else if (options().ports == ports::per_pass) {
      if (port(me.more->out_ports, me.pass) == me.now) ++me.now;
    }
    if (to < 0 || to == me.rank) [[unlikely]]
      follow(me, to, sent, where);
    else
      sent.hops = hops_to(me, to, where);
    put_count(me, count, sent, where);
    stamp_ports(me, to, sent, where);
    account_sent(me, to, sent, type, where);
  }

  LOCKSTEP_HOT void put_count(processor_state& me, std::uint64_t count, envelope& sent,
                              std::source_location where) {
    if (count > most_elements) [[unlikely]]
      refuse_count(me, count, where);
    sent.count = static_cast<std::uint32_t>(count);
  }

  LOCKSTEP_HOT void stamp_ports(processor_state& me, int to, envelope& sent,
                                std::source_location where) {
    std::uint64_t* last_use = &me.last_sent;
    if (options().ports != ports::one) [[unlikely]]
      last_use = &port(me.more->out_ports, out_port(me, to, sent));
    if (*last_use == me.now) ++me.now;
    if (me.now > options().max_steps) [[unlikely]]
      refuse_step(me, "sent a message", me.now, where);
    *last_use = me.now;
    me.last_sent = me.now;
    sent.stamp = me.now;
    sent.from = me.rank;
    sent.pass = me.pass;
  }

  LOCKSTEP_HOT void account_sent(processor_state& me, int to, envelope const& sent,
                                 payload_type const& type, std::source_location where) {
    auto const words = words_of(type, sent.count);
    if (words > me.words_left) [[unlikely]]
      refuse_words(me, "sent", words, where);
    me.words_left -= words;
    if (m_sends_noted) [[unlikely]]
      write_down(me, [&] { append_send(me, to, sent, words, where); });
  }

  LOCKSTEP_HOT void append_send(processor_state& me, int to, envelope const& sent,
                                std::uint64_t words, std::source_location where) {
    auto& mine = engine().ledger_of(me);
    if (m_links_shared && options().strict)
      mine.use_links({sent.stamp, 1, where, me.rank, to, sent.hops, sent.way, me.pass, words == 0});
    if (m_books.observing())
      mine.sends.push_back({sent.stamp, ++me.more->calls_noted, me.rank, to, sent.pass, sent.way});
  }

  /// Finds the end of the way that the sender chose, or refuses a rank that it cannot send to.
  LOCKSTEP_HOT void follow(processor_state& me, int& to, envelope& sent,
                           std::source_location where) {
    auto const end = end_of(me, to, where);
    to = end.rank;
    sent.hops = end.hops;
    sent.way = end.way;
  }

  /// Length of the route to that processor.
  LOCKSTEP_HOT std::uint32_t hops_to(processor_state& me, int to, std::source_location where) {
    if (m_always_one_link) return 1;
    if (me.route_to != to) {
      me.route_hops = look_up(me.rank, to, me, to, where);
      me.route_to = to;
    }
    return me.route_hops;
  }

  // --- receiving ---

  LOCKSTEP_HOT void check_source(processor_state& me, int from, std::source_location where) {
    if (from < 0 || from == me.rank) [[unlikely]]
      refuse_rank(me, "received from", from, me.more->asked_from, where);
  }

  /// A message that was taken out of an inbox, and goes back to its pool unless somebody keeps it.
  class taken_message {
   public:
    taken_message(rules& owner, processor_state& taker, message* taken)
        : m_owner(owner), m_taker(taker), m_message(taken) {}
    taken_message(taken_message const&) = delete;
    taken_message& operator=(taken_message const&) = delete;
    ~taken_message() {
      if (m_message != nullptr) m_owner.release_held(m_taker, m_message);
    }
    [[nodiscard]] message const& operator*() const { return *m_message; }
    [[nodiscard]] message const* operator->() const { return m_message; }
    [[nodiscard]] message* keep() { return std::exchange(m_message, nullptr); }

   private:
    rules& m_owner;
    processor_state& m_taker;
    message* m_message;
  };

  /// The oldest message of that channel, as it is, with that many elements or any number.
  template <class Held>
  [[nodiscard]] message* take_first(processor_state& me, int from, payload_type const& type,
                                    std::size_t wanted, std::source_location where, Held& held,
                                    std::uint8_t channel) {
    check_source(me, from, where);
    auto* first = me.arrived.take(from, channel);
    if (first == nullptr) {
      await(me, from, {}, where, held);
      first = me.arrived.take(from, channel);
      LOCKSTEP_ASSERT(heavy, first != nullptr);
    }
    taken_message taken(*this, me, first);
    reach(me, taken->stamp);
    check_type(me, *taken, type, where);
    if (wanted != any_number) check_size(me, *taken, {nullptr, wanted, &type}, where);
    take_in(me, *taken, type, where);
    return taken.keep();
  }

  /// The oldest message of that channel, copied to where it is wanted.
  template <class Held>
  LOCKSTEP_HOT void fill(processor_state& me, int from, room const& in, std::source_location where,
                         Held& held, std::uint8_t channel) {
    check_source(me, from, where);
    auto* first = me.arrived.take(from, channel);
    if (first == nullptr) {
      await(me, from, in, where, held);
      if (me.landed) return take_landed(me, from, in, where);
      first = me.arrived.take(from, channel);
    }
    taken_message const taken(*this, me, first);
    reach(me, taken->stamp);
    check_type(me, *taken, *in.type, where);
    check_size(me, *taken, in, where);
    take_in(me, *taken, *in.type, where);
    copy(in.data, {taken->elements(), taken->count, taken->type});
  }

  /// Takes in what its sender laid where this processor waited for it.
  LOCKSTEP_HOT void take_landed(processor_state& me, int from, room const& in,
                                std::source_location where) {
    LOCKSTEP_ASSERT(heavy, me.waiting_for == from && me.landing_count == in.count);
    me.landed = false;
    reach(me, me.landed_stamp);
    envelope const laid{me.landed_stamp, static_cast<std::uint32_t>(in.count),
                        me.landed_hops,  from,
                        me.pass,         me.landed_way};
    take_in(me, laid, *in.type, where);
    if (is_word(in.count, *in.type))
      copy(in.data, {reinterpret_cast<std::byte const*>(&me.landed_word), in.count, in.type});
  }

  /// A message that is asked for is not there before it was sent. So an error that it causes has a
  /// step no earlier than all that it follows from.
  static void reach(processor_state& me, std::uint64_t stamp) { me.now = std::max(me.now, stamp); }

  /// Waits for a message from `from`.
  template <class Held>
  LOCKSTEP_HOT void await(processor_state& me, int from, room const& in, std::source_location where,
                          Held& held) {
    if (m_adjacent_only) static_cast<void>(look_up(from, me.rank, me, from, where));
    me.waiting_for = from;
    me.landing = in.data;
    // On a guarded machine nobody else may touch that place.
    me.landing_type = in.count <= most_elements && guarded() == nullptr ? in.type : nullptr;
    me.landing_count = static_cast<std::uint32_t>(in.count);
    me.doing = activity::receiving;
    engine().suspend(me, held);
    if (me.ending) [[unlikely]]
      end(me);
  }

  /// Waits in a barrier or a one-sided round.
  template <class Held>
  void wait(processor_state& me, activity doing, Held& held) {
    me.doing = doing;
    engine().note_arrival(me);
    engine().suspend(me, held);
    if (has_to_stop(me)) stop(me, held);
  }

  LOCKSTEP_HOT void check_type(processor_state& me, message const& taken,
                               payload_type const& wanted, std::source_location where) {
    if (taken.type != &wanted && *taken.type->id != *wanted.id) [[unlikely]]
      refuse_type(me, taken, wanted, where);
  }

  LOCKSTEP_HOT void check_size(processor_state& me, message const& taken, room const& in,
                               std::source_location where) {
    if (taken.count != in.count) [[unlikely]]
      refuse_size(me, taken, in, where);
  }

  /// The message comes in through the in-port (rule 2), and is counted.
  LOCKSTEP_HOT void take_in(processor_state& me, envelope const& message, payload_type const& type,
                            std::source_location where) {
    std::uint64_t* last_use = &me.last_received;
    if (options().ports != ports::one) [[unlikely]]
      last_use = &port(me.more->in_ports, in_port(me, message));
    auto const step = std::max(message.stamp, *last_use + 1);
    if (step > options().max_steps) [[unlikely]]
      refuse_step(me, "received a message", step, where);
    if (options().strict && step != message.stamp) [[unlikely]]
      refuse_queueing(me, message, step, where);
    LOCKSTEP_ASSERT(heavy, step >= message.stamp && step > *last_use);
    auto const asked = me.now;
    auto const words = words_of(type, message.count);
    if (m_links_shared && !options().strict) note_links(me, message, words, step);
    *last_use = step;
    me.now = std::max(me.now, step + 1);
    count(me, message, words, step, asked);
  }

  /// Notes which links the message takes in that step. Where it is the next of many from one
  /// sender, a step each, there is nothing to write.
  LOCKSTEP_HOT void note_links(processor_state& me, envelope const& message, std::uint64_t words,
                               std::uint64_t step) {
    if (message.from == me.sender && step == me.last_received + 1 && words > 0 &&
        message.way.by_topology() && step - me.sender_since < engine().ledger_of(me).longest_row)
        [[likely]]
      return;
    auto const in_memory = message;
    note_other_links(me, in_memory, words, step);
  }

  [[gnu::noinline]] void note_other_links(processor_state& me, envelope const& message,
                                          std::uint64_t words, std::uint64_t step) {
    write_down(me, [&] { append_links(me, message, words, step); });
  }

  void append_links(processor_state& me, envelope const& message, std::uint64_t words,
                    std::uint64_t step) {
    auto& mine = engine().ledger_of(me);
    end_row(mine, me);
    if (words == 0) return;
    if (!message.way.by_topology() || options().ports != ports::one) {
      mine.use_links(
          {step, 1, {}, message.from, me.rank, message.hops, message.way, message.pass, false});
      return;
    }
    me.sender = message.from;
    me.sender_since = step;
    mine.note_route(message.hops);
  }

  LOCKSTEP_HOT void count(processor_state& me, envelope const& message, std::uint64_t words,
                          std::uint64_t step, std::uint64_t asked) {
    me.words_received += words;
    auto& mine = engine().ledger_of(me);
    if (!mine.tallies.holds(step)) [[unlikely]]
      begin_step(me, step);
    auto& tally = mine.tallies[step];
    auto* largest = &tally.largest;
    if (m_books.has_sections()) [[unlikely]] {
      write_down(me, [&] {
        if (m_books.count(engine().worker_of(me), me.more->run, me.more->settled_before,
                          message.from, me.rank, step, words))
          largest = &tally.largest_in_runs;
      });
    }
    if (step != message.stamp) tally.queued = std::max(tally.queued, step - message.stamp);
    if (words > 0) [[likely]] {
      tally.messages += 1;
      tally.volume += words;
      *largest = std::max(*largest, words);
      tally.longest_route = std::max(tally.longest_route, message.hops);
    } else {
      tally.any_empty = true;
    }
    if (step <= m_books.noted_until()) [[unlikely]] {
      auto const in_memory = message;  // elsewhere it may stay in registers
      note_message(me, in_memory, words, step, asked);
    }
  }

  /// Writes something down for a processor.
  template <class Action>
  LOCKSTEP_HOT void write_down(processor_state& me, Action&& action) {
    try {
      action();
    } catch (std::bad_alloc const&) {
      this->refuse_memory(me, engine().ledger_of(me));
    }
  }

  void append_rearrangement(processor_state& me, std::uint64_t words) {
    auto& mine = engine().ledger_of(me);
    mine.rearrange(mine.rearranged, me.more->rearrangements++, words);
    if (me.more->phase == no_phase) return;
    if (mine.phase_rearranged.size() <= me.more->phase)
      mine.phase_rearranged.resize(me.more->phase + 1);
    mine.rearrange(mine.phase_rearranged[me.more->phase], me.more->phase_rearrangements++, words);
  }

  [[gnu::noinline]] void begin_step(processor_state& me, std::uint64_t step) {
    write_down(me, [&] { engine().ledger_of(me).tallies.take_in_hand(step); });
  }

  [[gnu::noinline]] void note_message(processor_state& me, envelope const& message,
                                      std::uint64_t words, std::uint64_t step,
                                      std::uint64_t asked) {
    write_down(me, [&] { append_message(me, message, words, step, asked); });
  }

  void append_message(processor_state& me, envelope const& message, std::uint64_t words,
                      std::uint64_t step, std::uint64_t asked) {
    auto& mine = engine().ledger_of(me);
    // What a one-sided call asked for takes the in-port of the receiver's pass.
    auto const pass = message.pass == one_sided_pass ? me.pass : message.pass;
    if (step <= m_books.steps_kept())
      mine.kept.push_back({words, static_cast<std::uint32_t>(step),
                           static_cast<std::uint32_t>(step - message.stamp), message.from, me.rank,
                           message.hops, pass, message.way.dimension(), message.way.direction()});
    if (m_books.observing())
      mine.observed.push_back(
          {{step, message.stamp, message.from, me.rank, words, message.hops, pass, no_phase,
            message.way.to_along(message.hops), 0, ++me.more->calls_noted},
           asked,
           message.pass});
  }

  void release_held(processor_state& me, message* taken) { engine().give_back(me, taken); }
};

}  // namespace lockstep::detail

#undef LOCKSTEP_HOT
