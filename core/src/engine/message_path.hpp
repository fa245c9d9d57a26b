#pragma once

#include <algorithm>
#include <cstring>
#include <limits>
#include <new>
#include <ranges>
#include <utility>

#include <lockstep/assert.hpp>

#include "engine/carries_messages.hpp"
#include "engine/messages/message_pool.hpp"
#include "engine/messages/routes.hpp"
#include "engine/messages/words_of_elements.hpp"
#include "engine/throw_errors.hpp"

// The path of a message is one straight piece of code.
#define LOCKSTEP_HOT [[gnu::always_inline]]

namespace lockstep::detail {

/// The path of a message, from the call of its sender to the count, in the order of this file:
/// the calls, sending (check, route, step, hand over), receiving (wait, take in, count). The
/// counting rules are written here once, for every engine. README.md has the picture.
///
/// An engine derives from message_path<Engine>, and adds what `carries_messages` says.
template <class Engine>
class message_path : public runtime {
 public:
  using runtime::runtime;

  // --- the calls: send and receive ---

  void send(processor_state& me, int to, elements const& values,
            std::source_location where) override {
    switch (known_of(values)) {
      case known::word:
        return send_as<known::word>(me, to, values, where);
      case known::options:
        return send_as<known::options>(me, to, values, where);
      case known::nothing:
        return send_as<known::nothing>(me, to, values, where);
    }
  }

  void send_vector(processor_state& me, int to, void* vector, payload_type const& type,
                   std::source_location where) override {
    if (!enter_send(me, where)) return;
    if (guarded() != nullptr) [[unlikely]] {
      record(me, [&] { send_copy_of_moved(me, to, vector, type); });
    } else {
      envelope sent;
      stamp<known::nothing>(me, to, type.vector_size(vector), type, sent);
      auto* const made = engine().pool_of(me).take_vector(vector, type);
      if (made == nullptr) throw_out_of_memory(*this, me, engine().counters_of(me));
      address(*made, sent, me.where);
      deliver(me, to, made);
    }
    static_cast<void>(engine().sent_one(me));
  }

  bool send_lending(processor_state& me, int to, elements const& values, int from,
                    std::source_location where) override {
    if (!enter_send(me, where)) return false;
    if (is_worth_lending(me, values, from, {nullptr, 0, values.type}))
      lend(me, to, values);
    else
      send_copy<known::nothing>(me, to, values);
    static_cast<void>(engine().sent_one(me));
    return me.lends;
  }

  message* take(processor_state& me, int from, payload_type const& type, std::size_t const* wanted,
                std::source_location where) override {
    if (!enter(me, where)) return nullptr;
    return take_oldest(me, from, type, wanted, me.pass);
  }

  void take_into(processor_state& me, int from, receive_buffer const& in,
                 std::source_location where) override {
    switch (known_of(in)) {
      case known::word:
        return take_into_as<known::word>(me, from, in, where);
      case known::options:
        return take_into_as<known::options>(me, from, in, where);
      case known::nothing:
        return take_into_as<known::nothing>(me, from, in, where);
    }
  }

  void exchange(processor_state& me, int to, elements const& out, int from,
                receive_buffer const& in, std::source_location where) override {
    switch (known_of(out, in)) {
      case known::word:
        return exchange_as<known::word>(me, to, out, from, in, where);
      case known::options:
        return exchange_as<known::options>(me, to, out, from, in, where);
      case known::nothing:
        return exchange_as<known::nothing>(me, to, out, from, in, where);
    }
  }

  void release(processor_state& me, message* taken) final { engine().give_back(me, taken); }

  void wait_for_loan(processor_state& me) noexcept final { engine().wait_for_end_of_loan(me); }

 private:
  /// The compiler's knowledge of a call, each time more. What it knows it need not look up: so the
  /// rules below are compiled three times, and written once. Each call chooses by a switch: as a
  /// function that takes the call, it would cost 7 % of a step.
  enum class known : std::uint8_t {
    nothing,
    options,  ///< the machine's are the usual ones, see m_usual_options
    word      ///< and the payload is one element of eight bytes
  };
  static constexpr std::size_t word_bytes = sizeof(std::uint64_t);

  template <class Payload>
  LOCKSTEP_HOT [[nodiscard]] static bool is_known_word(Payload const& payload) {
    return payload.count == 1 && payload.type->is_word;
  }
  template <class... Payloads>
  LOCKSTEP_HOT [[nodiscard]] known known_of(Payloads const&... payloads) const {
    if (!m_usual_options.load(std::memory_order_relaxed)) [[unlikely]]
      return known::nothing;
    return (is_known_word(payloads) && ...) ? known::word : known::options;
  }

  template <known Known>
  void send_as(processor_state& me, int to, elements const& values, std::source_location where) {
    if (!enter_send<Known>(me, where)) return;
    send_copy<Known>(me, to, values);
    static_cast<void>(engine().sent_one(me));
  }

  template <known Known>
  void take_into_as(processor_state& me, int from, receive_buffer const& in,
                    std::source_location where) {
    if (enter<Known>(me, where)) receive_into<Known>(me, from, in, me.pass);
  }

  template <known Known>
  void exchange_as(processor_state& me, int to, elements const& out, int from,
                   receive_buffer const& in, std::source_location where) {
    if (!enter_send<Known>(me, where)) return;
    if (Known != known::word && is_long(out) && is_worth_lending(me, out, from, in)) [[unlikely]]
      return exchange_lending(me, to, out, from, in);
    send_copy<Known>(me, to, out);
    if (engine().sent_one(me) && has_to_stop(me)) stop(me);
    receive_into<Known>(me, from, in, me.pass);
  }

  template <known Known>
  [[nodiscard]] bool one_port() const {
    return Known != known::nothing || options().ports == ports::one;
  }
  template <known Known>
  [[nodiscard]] bool is_strict() const {
    return Known == known::nothing && options().strict;
  }
  template <known Known>
  [[nodiscard]] std::uint64_t packet() const {
    return Known != known::nothing ? 1 : options().packet;
  }

  /// Begins a call. False: it does nothing, for an exception unwinds the processor.
  template <known Known = known::nothing, bool Sends = false>
  LOCKSTEP_HOT [[nodiscard]] bool enter(processor_state& me, std::source_location where) {
    if (!engine().may_enter(me)) [[unlikely]]
      return false;
    if (Known == known::nothing && guarded() != nullptr) [[unlikely]]
      engine().check_touch(me, where);
    if ((Sends ? me.marks.any() : me.marks.stops()) || is_beyond_failure(me)) [[unlikely]]
      enter_marked(me, where);
    else
      me.where = where;
    return true;
  }

  /// Begins a call of a processor that has to stop, or sends in a call of a library: a message has
  /// the place of its sending with it. That is the place of the call before, where that was the same.
  [[gnu::noinline]] void enter_marked(processor_state& me, std::source_location where) {
    if (!me.marks.in_library || me.marks.stops() || !me.where.is_call(where)) [[unlikely]]
      return enter_elsewhere(me, where);
    if (has_to_stop(me)) [[unlikely]]
      stop(me);
  }

  /// The same where its last call in this call of a library was another one, where it is in none, and
  /// where it has to stop.
  [[gnu::noinline]] void enter_elsewhere(processor_state& me, std::source_location where) {
    me.where = where;
    if (me.marks.computing() && !me.marks.ending()) throw_call_while_computing(*this, me);
    if (me.marks.in_library) {
      auto const* const here =
          me.inside->is_call(where) ? me.inside : find_place(me.inside->entry, where);
      if (here != nullptr) me.inside = here;
      me.where = place_in(me.inside->entry, here);
    }
    if (has_to_stop(me)) stop(me);
  }

  /// Begins a call that sends a message.
  template <known Known = known::nothing>
  LOCKSTEP_HOT [[nodiscard]] bool enter_send(processor_state& me, std::source_location where) {
    return enter<Known, true>(me, where);
  }

  /// Waits, where the run failed in an earlier step, until all have come to that step. Comes back
  /// only if what this processor does can still show an earlier error.
  [[gnu::noinline, gnu::cold]] void stop(processor_state& me) {
    if (!me.marks.ending()) {
      me.doing = activity::stopped;
      engine().suspend(me);
    }
    if (me.marks.ending()) end(me);
  }

  // --- sending: check, route, step, hand over ---

  /// Sends a copy of the values: stamps the message, and lays it where its receiver waits for it or
  /// sends it off.
  template <known Known>
  LOCKSTEP_HOT void send_copy(processor_state& me, int to, elements const& values) {
    envelope sent;
    stamp<Known>(me, to, count_of<Known>(values), *values.type, sent);
    bool const near = engine().within_reach(me, to);
    if (land_if_awaited<Known>(me, to, near, values, sent)) return;
    if (near)
      enqueue(state_of(to), copy_of<Known>(me, values, sent));
    else
      engine().hand_over(me, to, copy_of<Known>(me, values, sent));
  }

  /// Lays the values where the receiver waits for them. False if it does not.
  template <known Known>
  LOCKSTEP_HOT [[nodiscard]] bool land_if_awaited(processor_state& me, int to, bool near,
                                                  elements const& values, envelope const& sent) {
    auto& receiver = state_of(to);
    if (!(near ? waits_for(receiver, me.rank, me.pass) : engine().waits_elsewhere(me, to)) ||
        receiver.landing_type != values.type || receiver.landing_count != count_of<Known>(values))
      return false;
    land<Known>(receiver, values, sent);
    engine().make_ready(me, receiver);
    return true;
  }

  template <known Known>
  LOCKSTEP_HOT [[nodiscard]] static std::size_t count_of(elements const& values) {
    return Known == known::word ? 1 : values.count;
  }

  /// Fills in the envelope: the message's route, its step, its words.
  template <known Known>
  LOCKSTEP_HOT void stamp(processor_state& me, int& to, std::uint64_t count,
                          payload_type const& type, envelope& sent) {
    if (one_port<Known>()) [[likely]] {
      if (me.last_sent == me.now) ++me.now;
    } else if (options().ports == ports::per_pass) {
      if (*out_port_use(me, to, sent) == me.now) ++me.now;
    }
    find_route(me, to, sent);
    check_count(me, count, sent);
    claim_out_port<Known>(me, to, sent);
    account_for<Known>(me, to, sent, type);
  }

  /// Finds the receiver and the length of the route to it (rule 4).
  LOCKSTEP_HOT void find_route(processor_state& me, int& to, envelope& sent) {
    if (to < 0 || to == me.rank) [[unlikely]] {
      auto const end = end_of_way(*this, me, to);
      to = end.rank;
      sent.hops = end.hops;
      sent.way = end.way;
    } else if (m_always_one_link) {
      sent.hops = 1;
    } else {
      if (me.route_to != to) {
        me.route_hops = look_up_hops(me.rank, to, me, to);
        me.route_to = to;
      }
      sent.hops = me.route_hops;
    }
  }

  /// Asks the topology for the length of the route between `me` and `other`.
  [[nodiscard, gnu::noinline]] std::uint32_t look_up_hops(int from, int to, processor_state& me,
                                                          int other) {
    try {
      if (!m_adjacent_only) return static_cast<std::uint32_t>(network().hops(from, to));
      if (network().adjacent(from, to)) [[likely]]
        return 1;
    } catch (error const& lie) {
      fail_by_topology(me, lie);
    } catch (std::bad_alloc const&) {
      throw_out_of_memory(*this, me, engine().counters_of(me));
    }
    throw_not_adjacent(*this, me, other);
  }

  LOCKSTEP_HOT void check_count(processor_state& me, std::uint64_t count, envelope& sent) {
    if (count > most_elements) [[unlikely]]
      throw_too_many_elements(*this, me, count);
    sent.count = static_cast<std::uint32_t>(count);
  }

  /// Finds the step in which the out-port is free, which is the message's step (rules 2 and 3).
  template <known Known>
  LOCKSTEP_HOT void claim_out_port(processor_state& me, int to, envelope& sent) {
    std::uint64_t* last_use = &me.last_sent;
    if (!one_port<Known>()) [[unlikely]]
      last_use = out_port_use(me, to, sent);
    if (*last_use == me.now) ++me.now;
    if (me.now > options().max_steps) [[unlikely]]
      throw_step_limit(*this, me, "sent a message", me.now);
    *last_use = me.now;
    me.last_sent = me.now;
    sent.stamp = me.now;
    sent.from = me.rank;
    sent.pass = me.pass;
  }

  /// Finds the last use of the port by which a message leaves.
  [[nodiscard, gnu::noinline]] std::uint64_t* out_port_use(processor_state& me, int to,
                                                           envelope sent) {
    std::uint64_t* last_use = nullptr;
    record(me, [&] {
      last_use = &last_use_of(me.more->ports, &port_tables::out, out_port(*this, me, to, sent));
    });
    return last_use;
  }

  /// Adds to the words that the processor has sent, and records the send where somebody asks.
  template <known Known>
  LOCKSTEP_HOT void account_for(processor_state& me, int to, envelope const& sent,
                                payload_type const& type) {
    auto const words = words_of<Known>(type, sent.count);
    if (words > me.words_left) [[unlikely]]
      throw_too_many_words(*this, me, "sent", words);
    me.words_left -= words;
    if (Known == known::nothing && m_sends_noted) [[unlikely]]
      record(me, [&] { append_send(me, to, sent, words); });
    if (Known == known::nothing && me.more->work != nullptr) [[unlikely]]
      note_path(me, to, sent);
  }

  /// Notes the path of work that the message continues.
  [[gnu::noinline]] void note_path(processor_state& me, int to, envelope sent) {
    me.more->work->settle();
    auto const path = me.more->work->path;
    if (path == 0) return;
    record(me, [&] { m_paths.note(sent, to, path); });
  }
  [[nodiscard]] static processor_work& work_of(processor_state& of) {
    if (of.more->work == nullptr) of.more->work = std::make_unique<processor_work>();
    return *of.more->work;
  }

  /// Words of a message, whole packets of them (rule 6).
  template <known Known>
  [[nodiscard]] std::uint64_t words_of(payload_type const& type, std::uint64_t count) const {
    if (Known == known::word) return 1;
    if (Known == known::options) return count * type.words;
    auto const words = words_of_elements(type, count, options().count);
    auto const each = packet<Known>();
    return each == 1 ? words : (words + each - 1) / each * each;
  }

  [[nodiscard]] static bool waits_for(processor_state const& receiver, int from,
                                      std::uint8_t pass) {
    return receiver.doing == activity::receiving && receiver.waiting_for == from &&
           receiver.pass == pass;
  }

  /// Lays a message where its receiver, which waits for it, finds it.
  template <known Known>
  LOCKSTEP_HOT static void land(processor_state& receiver, elements const& values,
                                envelope const& sent) {
    copy<Known>(fits_word<Known>(values.count, *values.type)
                    ? reinterpret_cast<std::byte*>(&receiver.landed_word)
                    : receiver.landing,
                values);
    receiver.landed_stamp = sent.stamp;
    receiver.landed_hops = sent.hops;
    receiver.landed_way = sent.way;
    receiver.landed = true;
    receiver.doing = activity::running;
  }

  /// Whether a message is short enough to be laid beside its receiver's clock.
  template <known Known>
  [[nodiscard]] static bool fits_word(std::size_t count, payload_type const& type) {
    return Known == known::word || count * type.size <= sizeof(processor_state::landed_word);
  }

  template <known Known>
  LOCKSTEP_HOT static void copy(std::byte* to, elements const& from) {
    if (Known == known::word || (from.count == 1 && from.type->size == word_bytes)) [[likely]]
      std::memcpy(to, from.data, word_bytes);
    else if (from.count > 0)
      std::memcpy(to, from.data, from.count * from.type->size);
  }

  /// Makes a message with a copy of the values.
  template <known Known>
  LOCKSTEP_HOT [[nodiscard]] message* copy_of(processor_state& me, elements const& values,
                                              envelope const& sent) {
    auto& pool = engine().pool_of(me);
    auto* const made = Known == known::word
                           ? pool.take_in_place()
                           : pool.take(values.count * values.type->size, values.type->alignment);
    if (made == nullptr) [[unlikely]]
      throw_out_of_memory(*this, me, engine().counters_of(me));
    copy<Known>(Known == known::word ? made->in_place : message_pool::buffer_of(*made), values);
    made->type = values.type;
    address(*made, sent, me.where);
    return made;
  }

  // --- lending: long payloads of processors that wait ---
  //
  // A processor that sends in an exchange, and then waits, lends a long payload: it stays where it
  // is, and the exchange ends after the receiver has copied it, which is then its only copy. Where
  // that takes long, or no processor can go on, the message gets a copy, and the lender goes on.

  /// Whether an exchange is to lend its payload. Not where the message that it waits for is there
  /// already: the processor goes on at once then, and runs ahead with what its caches hold.
  [[nodiscard]] bool is_worth_lending(processor_state& me, elements const& out, int from,
                                      receive_buffer const& in) {
    bool const apart = out.data + out.count * out.type->size <= in.data ||
                       in.data + in.count * in.type->size <= out.data;
    return apart && !me.arrived.has(from, me.pass) && engine().may_lend(me, out);
  }

  [[gnu::noinline]] void exchange_lending(processor_state& me, int to, elements const& out,
                                          int from, receive_buffer const& in) {
    lend(me, to, out);
    try {
      if (engine().sent_one(me) && has_to_stop(me)) stop(me);
      receive_into<known::nothing>(me, from, in, me.pass);
    } catch (...) {
      wait_for_loan(me);
      throw;
    }
    wait_for_loan(me);
  }

  /// Sends the values, which stay where they are.
  void lend(processor_state& me, int to, elements const& values) {
    envelope sent;
    stamp<known::nothing>(me, to, values.count, *values.type, sent);
    bool const near = engine().within_reach(me, to);
    if (land_if_awaited<known::nothing>(me, to, near, values, sent)) return;
    auto* const made = engine().pool_of(me).take_lent(values.data);
    if (made == nullptr) throw_out_of_memory(*this, me, engine().counters_of(me));
    made->type = values.type;
    address(*made, sent, me.where);
    deliver(me, to, made);
    engine().begin_loan(me, *made);
  }

  LOCKSTEP_HOT static void address(message& made, envelope const& sent, call_place where) {
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

  /// On a guarded machine: sends a copy of the moved vector, which may not be touched any more.
  [[gnu::noinline]] void send_copy_of_moved(processor_state& me, int to, void* vector,
                                            payload_type const& type) {
    envelope sent;
    stamp<known::nothing>(me, to, type.vector_size(vector), type, sent);
    auto* const made =
        copy_of<known::nothing>(me, {type.vector_data(vector), sent.count, &type}, sent);
    guarded()->moved.add(vector, type, {me.rank, sent.stamp, me.where});
    deliver(me, to, made);
  }

  void deliver(processor_state& me, int to, message* made) {
    if (!engine().within_reach(me, to)) return engine().hand_over(me, to, made);
    enqueue(state_of(to), made);
  }

 public:
  /// Puts a message into its receiver's inbox, and wakes the receiver if it waits for that message.
  void enqueue(processor_state& receiver, message* arrived) {
    receiver.arrived.push(arrived);
    if (!waits_for(receiver, arrived->from, arrived->pass)) return;
    receiver.doing = activity::running;
    engine().make_ready(receiver, receiver);
  }

 private:
  // --- receiving: wait, take in, count ---

  /// Receives the oldest message of that channel into the buffer.
  template <known Known>
  LOCKSTEP_HOT void receive_into(processor_state& me, int from, receive_buffer const& in,
                                 std::uint8_t channel) {
    check_source(me, from);
    auto* first = me.arrived.take(from, channel);
    if (first == nullptr) {
      await(me, from, in);
      if (me.landed) return take_landed<Known>(me, from, in);
      first = me.arrived.take(from, channel);
    }
    taken_message const taken(engine(), me, first);
    advance_to_sending(me, taken->stamp);
    check_type(me, *taken, *in.type);
    check_size(me, *taken, in.count);
    take_in<Known>(me, *taken, *in.type);
    copy<Known>(in.data, {taken->elements(), taken->count, taken->type});
  }

  /// Takes the oldest message of that channel as it is, of `wanted` elements or, without, any number.
  [[nodiscard]] message* take_oldest(processor_state& me, int from, payload_type const& type,
                                     std::size_t const* wanted, std::uint8_t channel) {
    check_source(me, from);
    auto* first = me.arrived.take(from, channel);
    if (first == nullptr) {
      await(me, from, {});
      first = me.arrived.take(from, channel);
      LOCKSTEP_ASSERT(heavy, first != nullptr);
    }
    taken_message taken(engine(), me, first);
    advance_to_sending(me, taken->stamp);
    check_type(me, *taken, type);
    if (wanted != nullptr) check_size(me, *taken, *wanted);
    take_in<known::nothing>(me, *taken, type);
    return taken.keep();
  }

  LOCKSTEP_HOT void check_source(processor_state& me, int from) {
    if (from < 0 || from == me.rank) [[unlikely]]
      throw_invalid_rank(*this, me, "received from", from, me.more->asked_from);
  }

  /// Waits for a message from `from`, and says where it may be laid.
  LOCKSTEP_HOT void await(processor_state& me, int from, receive_buffer const& in) {
    if (m_adjacent_only) static_cast<void>(look_up_hops(from, me.rank, me, from));
    me.waiting_for = from;
    me.landing = in.data;
    me.landing_type = in.count <= most_elements && engine().may_land(me, in) ? in.type : nullptr;
    me.landing_count = static_cast<std::uint32_t>(in.count);
    me.doing = activity::receiving;
    engine().suspend(me);
    if (me.marks.ending()) [[unlikely]]
      end(me);
  }

  /// Takes in what the sender laid where this processor waited for it.
  template <known Known>
  LOCKSTEP_HOT void take_landed(processor_state& me, int from, receive_buffer const& in) {
    LOCKSTEP_ASSERT(heavy, me.waiting_for == from && me.landing_count == in.count);
    me.landed = false;
    advance_to_sending(me, me.landed_stamp);
    envelope const laid{me.landed_stamp, static_cast<std::uint32_t>(in.count),
                        me.landed_hops,  from,
                        me.pass,         me.landed_way};
    take_in<Known>(me, laid, *in.type);
    if (fits_word<Known>(in.count, *in.type))
      copy<Known>(in.data,
                  {reinterpret_cast<std::byte const*>(&me.landed_word), in.count, in.type});
  }

  /// A message that was taken out of an inbox, and goes back to its pool unless it is kept.
  class taken_message {
   public:
    taken_message(Engine& owner, processor_state& taker, message* taken)
        : m_owner(owner), m_taker(taker), m_message(taken) {}
    taken_message(taken_message const&) = delete;
    taken_message& operator=(taken_message const&) = delete;
    ~taken_message() {
      if (m_message != nullptr) m_owner.give_back(m_taker, m_message);
    }
    [[nodiscard]] message const& operator*() const { return *m_message; }
    [[nodiscard]] message const* operator->() const { return m_message; }
    [[nodiscard]] message* keep() { return std::exchange(m_message, nullptr); }

   private:
    Engine& m_owner;
    processor_state& m_taker;
    message* m_message;
  };

  /// Advances the clock to the step in which the message was sent, before which it is not there. So
  /// an error that it causes has a step no earlier than everything that the error follows from.
  static void advance_to_sending(processor_state& me, std::uint64_t stamp) {
    me.now = std::max(me.now, stamp);
  }

  LOCKSTEP_HOT void check_type(processor_state& me, message const& taken,
                               payload_type const& wanted) {
    if (taken.type != &wanted && *taken.type->id != *wanted.id) [[unlikely]]
      throw_type_mismatch(*this, me, taken, wanted);
  }

  LOCKSTEP_HOT void check_size(processor_state& me, message const& taken, std::size_t wanted) {
    if (taken.count != wanted) [[unlikely]]
      throw_size_mismatch(*this, me, taken, wanted);
  }

  /// Takes the message in through the in-port, in the first step in which that is free (rule 2),
  /// and counts it.
  template <known Known>
  LOCKSTEP_HOT void take_in(processor_state& me, envelope const& message,
                            payload_type const& type) {
    std::uint64_t* last_use = &me.last_received;
    if (!one_port<Known>()) [[unlikely]]
      last_use = in_port_use(me, message);
    auto const step = std::max(message.stamp, *last_use + 1);
    if (step > options().max_steps) [[unlikely]]
      throw_step_limit(*this, me, "received a message", step);
    if (is_strict<Known>() && step != message.stamp) [[unlikely]]
      throw_port_conflict(*this, me, message, step);
    LOCKSTEP_ASSERT(heavy, step >= message.stamp && step > *last_use);
    auto const asked = me.now;
    auto const words = words_of<Known>(type, message.count);
    if (m_links_shared && !is_strict<Known>()) note_links(me, message, words, step);
    *last_use = step;
    me.now = std::max(me.now, step + 1);
    count(me, message, words, step, asked);
  }

  /// Finds the last use of the port by which a message comes in.
  [[nodiscard, gnu::noinline]] std::uint64_t* in_port_use(processor_state& me, envelope came) {
    std::uint64_t* last_use = nullptr;
    record(me, [&] {
      last_use = &last_use_of(me.more->ports, &port_tables::in, in_port(*this, me, came));
    });
    return last_use;
  }

  /// Continues the path of work that leads through a message, if it is the longest to here.
  void follow_path(processor_state& me, envelope const& message) {
    if (!m_counters.counts_work()) return;
    if (auto const came = m_paths.take(message, me.rank); came > 0) {
      auto& mine = work_of(me);
      mine.settle();
      mine.path = std::max(mine.path, came);
    }
  }
  /// Counts a message where more is counted than its step. Result: whether it lies in a pipelined run.
  [[gnu::noinline]] bool count_more(processor_state& me, envelope const& message,
                                    std::uint64_t words, std::uint64_t step) {
    bool in_run = false;
    record(me, [&] {
      follow_path(me, message);
      if (auto const label = me.more->label.current; label != 0 && words > 0)
        engine().counters_of(me).labels.count({step, label}, words, message.hops);
      in_run = m_counters.count(engine().worker_of(me), me.more->run, me.more->sections_over_before,
                                message.from, me.rank, step, words);
      if (in_run && me.more->in_meeting && words > 0) engine().counters_of(me).note_hot_step(step);
    });
    return in_run;
  }

  /// Counts a message in the step in which it came in.
  LOCKSTEP_HOT void count(processor_state& me, envelope const& message, std::uint64_t words,
                          std::uint64_t step, std::uint64_t asked) {
    me.words_received += words;
    auto& mine = engine().counters_of(me);
    if (!mine.steps.holds(step)) [[unlikely]]
      begin_step(me, step);
    auto& counters = mine.steps[step];
    auto* largest = &counters.largest;
    if (m_counters.counts_more()) [[unlikely]] {
      auto const in_memory = message;
      if (count_more(me, in_memory, words, step)) largest = &counters.largest_in_runs;
    }
    if (step != message.stamp) counters.queued = std::max(counters.queued, step - message.stamp);
    if (words > 0) [[likely]] {
      counters.messages += 1;
      counters.volume += words;
      *largest = std::max(*largest, words);
      counters.longest_route = std::max(counters.longest_route, message.hops);
    } else {
      counters.any_empty = true;
    }
    if (step <= m_counters.noted_until()) [[unlikely]] {
      auto const in_memory = message;
      note_message(me, in_memory, words, step, asked);
    }
  }

  // --- records beside the counters: links, sends and messages one by one ---

 protected:
  /// Runs an action that may need memory. Without it the run ends, for half of a message is neither
  /// sent nor counted. Errors: lockstep::out_of_memory.
  template <class Action>
  LOCKSTEP_HOT void record(processor_state& me, Action&& action) {
    try {
      action();
    } catch (std::bad_alloc const&) {
      throw_out_of_memory(*this, me, engine().counters_of(me));
    }
  }

 private:
  [[gnu::noinline]] void begin_step(processor_state& me, std::uint64_t step) {
    record(me, [&] { engine().counters_of(me).steps.select_block_of(step); });
  }

  /// Notes which links the message takes in that step. A row of messages of equally many words from one
  /// sender, one in each step, is noted once.
  LOCKSTEP_HOT void note_links(processor_state& me, envelope const& message, std::uint64_t words,
                               std::uint64_t step) {
    if (message.from == me.sender && step == me.last_received + 1 && words == me.sender_words &&
        message.way.by_topology()) [[likely]]
      return;
    auto const in_memory = message;
    note_other_links(me, in_memory, words, step);
  }

  [[gnu::noinline]] void note_other_links(processor_state& me, envelope const& message,
                                          std::uint64_t words, std::uint64_t step) {
    record(me, [&] { append_links(me, message, words, step); });
  }

  void append_links(processor_state& me, envelope const& message, std::uint64_t words,
                    std::uint64_t step) {
    auto& mine = engine().counters_of(me);
    end_row(mine, me);
    if (words == 0) return;
    if (!message.way.by_topology() || options().ports != ports::one ||
        words > std::numeric_limits<std::uint32_t>::max()) {
      mine.use_links(
          {step, 1, {}, words, message.from, me.rank, message.hops, message.way, message.pass});
      return;
    }
    me.sender = message.from;
    me.sender_since = step;
    me.sender_words = static_cast<std::uint32_t>(words);
    mine.note_route(message.hops);
  }

  /// The line of the program from which the processor's call comes.
  [[nodiscard]] static std::source_location program_line(processor_state const& me) {
    return me.marks.in_library ? me.inside->entry.program : me.where.in_program();
  }

  LOCKSTEP_HOT void append_send(processor_state& me, int to, envelope const& sent,
                                std::uint64_t words) {
    auto& mine = engine().counters_of(me);
    if (m_links_shared && options().strict)
      mine.use_links(
          {sent.stamp, 1, place_of(me), words, me.rank, to, sent.hops, sent.way, me.pass});
    if (m_order != nullptr) note_order(me, {order_event::kind::sent, sent.pass, to});
    if (m_events_kept)
      mine.events.add({words, program_line(me), me.rank, to, sent.hops, time_kind::send, sent.pass,
                       me.pass, sent.way});
    if (m_counters.observing())
      mine.sends.push_back({sent.stamp, ++me.more->calls_noted, me.rank, to, sent.pass, sent.way});
  }

  [[gnu::noinline]] void note_message(processor_state& me, envelope const& message,
                                      std::uint64_t words, std::uint64_t step,
                                      std::uint64_t asked) {
    record(me, [&] { append_message(me, message, words, step, asked); });
  }

  void append_message(processor_state& me, envelope const& message, std::uint64_t words,
                      std::uint64_t step, std::uint64_t asked) {
    auto& mine = engine().counters_of(me);
    // What a one-sided call asked for takes the in-port of the receiver's pass.
    auto const pass = message.pass == one_sided_pass ? me.pass : message.pass;
    if (m_order != nullptr) note_order(me, {order_event::kind::taken, message.pass, message.from});
    if (m_events_kept)
      mine.events.add({words, program_line(me), me.rank, message.from, message.hops,
                       time_kind::receive, message.pass, pass, message.way});
    if (step <= m_counters.steps_kept()) {
      mine.kept.push_back({words, static_cast<std::uint32_t>(step),
                           static_cast<std::uint32_t>(step - message.stamp), message.from, me.rank,
                           message.hops, pass, message.way.dimension(), message.way.direction()});
      bool const is_received = message.pass != one_sided_pass;  // by the call that says so
      mine.received_at.push_back(is_received ? place_of(me) : call_place());
    }
    if (m_counters.observing())
      mine.observed.push_back(
          {{step, message.stamp, message.from, me.rank, words, message.hops, pass, no_phase,
            message.way.to_along(message.hops), 0, ++me.more->calls_noted},
           asked,
           message.pass,
           me.more->in_meeting});
  }

 public:
  // --- the calls: steps, barriers, rearrangements, one-sided rounds ---

  void idle(processor_state& me, std::uint64_t steps, std::source_location where) override {
    if (!enter(me, where)) return;
    auto const limit = options().max_steps;
    if (steps > limit || me.now + steps > limit + 1) throw_idle_too_long(*this, me, steps);
    me.now += steps;
    if (m_events_kept) [[unlikely]]
      keep_event(me, time_kind::idle, steps);
  }

  void barrier(processor_state& me, group& of, barrier_kind kind, std::string_view name,
               std::source_location where) override {
    if (!enter(me, where)) return;
    if (kind == barrier_kind::plain && of.counts_arrivals()) [[likely]] {
      engine().count_arrival(me, {});
      return wait_for_others(me, activity::counted_in_barrier);
    }
    if (m_events_kept) keep_meeting(me, of);
    me.more->barrier_group = &of;
    me.doing = come_to_barrier(me, kind, name);
    engine().suspend(me);
    // Mail is sent even where the run has failed in an earlier step: others wait for it.
    bool const sends = kind == barrier_kind::deliver || kind == barrier_kind::announce;
    if (me.marks.ending() || (!sends && has_to_stop(me))) stop(me);
  }

  void post(processor_state& me, group& of, int to, elements const& values,
            std::source_location where) override {
    if (!enter_send(me, where)) return;
    if (to < 0) throw_invalid_rank(*this, me, "posted to", to, me.more->asked_to);
    if (m_adjacent_only && to != me.rank) static_cast<void>(look_up_hops(me.rank, to, me, to));
    if (values.count > most_elements) throw_too_many_elements(*this, me, values.count);
    record(me, [&] {
      auto& box = mailbox_of(me, of);
      if (box.type() != nullptr && *box.type()->id != *values.type->id)
        throw_types_of_posts(*this, me, *box.type(), *values.type);
      int const rank = of.whole() ? to : of.in_group(to);
      box.post(rank, values, {me.now, to, me.where});
    });
  }

  void exchange_mail(processor_state& me, int rank, payload_type const& type) override {
    auto& box = *me.more->irregular().mail;
    for (auto& one : box.outgoing()) send_mail(me, one);
    wait_for_others(me, come_to_barrier(me, barrier_kind::mail_sent, {}));
    if (auto const* const own = box.own()) check_mail(me, *own, type);
    // By ascending (me - from): those before me down to the first, then from the last down.
    std::span<arriving_mail const> const all(box.arriving);
    auto const after = std::ranges::upper_bound(all, rank, {}, &arriving_mail::from);
    auto const before = static_cast<std::size_t>(after - all.begin());
    for (auto const& one : all.first(before) | std::views::reverse) take_mail(me, *one.sent, type);
    for (auto const& one : all.subspan(before) | std::views::reverse)
      take_mail(me, *one.sent, type);
    me.more->irregular().mail_since = 0;
  }

  message* take_any(processor_state& me, group const& of, std::span<int const> among,
                    payload_type const& type, std::source_location where) override {
    if (!enter(me, where)) return nullptr;
    if (m_adjacent_only)
      for (int const from : among) static_cast<void>(look_up_hops(from, me.rank, me, from));
    record(me, [&] { me.more->irregular().question = {&of, among}; });
    ask(me, activity::choosing);
    record(me, [&] { note_choice(me, of, among); });
    return take_first(me, me.more->irregular().question.from, type);
  }

  message* try_take(processor_state& me, int from, payload_type const& type,
                    std::source_location where) override {
    if (!enter(me, where)) return nullptr;
    if (count_pending(me, from) > 0) return take_first(me, from, type);
    if (me.now > options().max_steps) throw_idle_too_long(*this, me, 1);
    ++me.now;
    if (m_events_kept) keep_event(me, time_kind::idle, 1);
    return nullptr;
  }

  std::size_t pending(processor_state& me, int from, std::source_location where) override {
    return enter(me, where) ? count_pending(me, from) : 0;
  }

  void rearrange(processor_state& me, std::uint64_t words, std::source_location where) override {
    if (!enter(me, where)) return;
    if (words > me.more->rearranged_words_left)
      throw_too_many_words(*this, me, "rearranged", words);
    me.more->rearranged_words_left -= words;
    record(me, [&] { append_rearrangement(me, words); });
  }

  void count_work(processor_state& me, std::uint64_t operations,
                  std::source_location where) override {
    if (!enter(me, where)) return;
    auto* mine = me.more->work.get();
    if (mine == nullptr || !mine->meter.is_placed()) [[unlikely]]
      record(me, [&] { mine = &begin_work(me); });
    mine->settle();
    if (operations > most_words() - mine->operations) [[unlikely]]
      throw_too_much_work(*this, me, operations);
    if (!is_pending(me, mine->pending)) [[unlikely]]
      record(me, [&] { begin_moment(me, mine->pending); });
    mine->add(operations);
    mine->labels = nullptr;
    if (auto const label = me.more->label.current; label != 0) [[unlikely]] {
      record(me, [&] { engine().counters_of(me).labels.count_operations(label, operations); });
      mine->labels = &engine().counters_of(me).labels;
      mine->label = label;
    }
    if (m_events_kept) [[unlikely]]
      keep_event(me, time_kind::work, operations);
    if (!m_work_noted) [[likely]]
      mine->meter.open(std::min(most_metered, most_words() - mine->operations), me.now,
                       m_whole_barriers);
  }

  void label(processor_state& me, std::string_view name, bool encloses,
             std::source_location where) override {
    if (!enter(me, where)) return;
    record(me, [&] { begin_label(me, name, encloses); });
  }

  message* one_sided(processor_state& me, one_sided_request&& request,
                     std::source_location where) override {
    if (!enter_send(me, where)) return nullptr;
    message* read = nullptr;
    record(me, [&] { read = take_part(me, std::move(request)); });
    return read;
  }

  bool may_call(processor_state& me, std::source_location where) final { return enter(me, where); }

  // --- an engine's part, where it adds nothing else ---

  // The processors can reach each other's memory, but for a guarded machine's.
  [[nodiscard]] bool may_land(processor_state const& /*me*/, receive_buffer const& /*in*/) const {
    return guarded() == nullptr;
  }
  // Without loans the other two are not called.
  [[nodiscard]] static bool may_lend(processor_state const& /*me*/, elements const& /*values*/) {
    return false;
  }
  static void begin_loan(processor_state& /*me*/, message& /*lent*/) {}
  static void wait_for_end_of_loan(processor_state& /*me*/) noexcept {}
  [[nodiscard]] static std::string_view lasting(processor_state const& /*me*/,
                                                std::string_view name) {
    return name;
  }

 protected:
  void deliver_from(processor_state& from, int to, elements const& values,
                    std::uint32_t hops) final {
    envelope sent;
    sent.hops = hops;
    check_count(from, values.count, sent);
    claim_out_port<known::nothing>(from, to, sent);
    sent.pass = one_sided_pass;
    account_for<known::nothing>(from, to, sent, *values.type);
    deliver(from, to, copy_of<known::nothing>(from, values, sent));
  }

 private:
  /// While it lives, what a processor takes in is of requests that meet at one owner, or is not.
  class meeting_scope {
   public:
    meeting_scope(processor_details& of, bool meets) noexcept : m_of(of) {
      m_of.in_meeting = meets;
    }
    meeting_scope(meeting_scope const&) = delete;
    meeting_scope& operator=(meeting_scope const&) = delete;
    ~meeting_scope() { m_of.in_meeting = false; }

   private:
    processor_details& m_of;
  };

  /// Takes part in a one-sided round. Result: the message that a read asked for, else nullptr.
  [[nodiscard]] message* take_part(processor_state& me, one_sided_request&& request) {
    bool const reads = request.what == one_sided_request::kind::read;
    if (request.what != one_sided_request::kind::serve) {
      check_source(me, request.owner);
      request.hops = reads ? look_up_hops(request.owner, me.rank, me, request.owner)
                           : look_up_hops(me.rank, request.owner, me, request.owner);
    }
    me.more->request = std::make_unique<one_sided_request>(std::move(request));
    engine().note_arrival(me);
    wait_for_others(me, activity::in_one_sided_round);
    auto const served = std::move(me.more->request);
    for (auto const& write : served->incoming) {
      meeting_scope const meeting(*me.more, write.meets);
      auto* const place = served->mine.data + write.offset * served->mine.type->size;
      receive_into<known::nothing>(me, write.from, {place, write.count, served->mine.type},
                                   one_sided_pass);
    }
    meeting_scope const meeting(*me.more, served->meets);
    return reads ? take_oldest(me, served->owner, *served->asked.type, nullptr, one_sided_pass)
                 : nullptr;
  }

  /// Sends what the processor posted to another. Its receiver finds it when all members have sent.
  void send_mail(processor_state& me, mail& posted) {
    envelope sent;
    find_route(me, posted.to, sent);
    check_count(me, posted.count, sent);
    claim_out_port<known::nothing>(me, posted.to, sent);
    sent.pass = one_sided_pass;
    account_for<known::nothing>(me, posted.to, sent, *posted.type);
    posted.sent = sent;
  }

  void take_mail(processor_state& me, mail const& posted, payload_type const& type) {
    while (posted.sent.stamp == 0) {
      me.doing = activity::missing_mail;
      engine().suspend(me);
      if (me.marks.ending()) end(me);
    }
    advance_to_sending(me, posted.sent.stamp);
    check_mail(me, posted, type);
    take_in<known::nothing>(me, posted.sent, *posted.type);
  }

  void check_mail(processor_state& me, mail const& posted, payload_type const& type) {
    if (posted.type != &type && *posted.type->id != *type.id) [[unlikely]]
      throw_type_of_mail(*this, me, posted, type);
  }

  static void note_choice(processor_state& me, group const& of, std::span<int const> among) {
    auto& order = me.more->irregular().order;
    order.list.push_back(
        {order_event::kind::chooses, me.pass, static_cast<int>(order.admitted.size())});
    order.admitted.push_back({&of, {among.begin(), among.end()}});
  }

  /// Counts the messages of that sender which have come before the processor's step.
  [[nodiscard]] std::size_t count_pending(processor_state& me, int from) {
    check_source(me, from);
    if (m_adjacent_only) static_cast<void>(look_up_hops(from, me.rank, me, from));
    record(me, [&] {
      me.more->irregular().question = {};
      me.more->irregular().question.from = from;
    });
    ask(me, activity::polling);
    return me.more->irregular().question.pending;
  }

  /// Waits for the answer to the processor's question.
  void ask(processor_state& me, activity doing) {
    me.doing = doing;
    record(me, [&] { engine().note_arrival(me); });
    engine().suspend(me);
    if (me.marks.ending()) end(me);
  }

  /// Takes the oldest message of that sender, which is there.
  [[nodiscard]] message* take_first(processor_state& me, int from, payload_type const& type) {
    taken_message taken(engine(), me, me.arrived.take(from, me.pass));
    advance_to_sending(me, taken->stamp);
    check_type(me, *taken, type);
    take_in<known::nothing>(me, *taken, type);
    return taken.keep();
  }

  /// Counts or notes a processor that comes to a barrier of the group in its details. Result: how it waits.
  [[nodiscard]] activity come_to_barrier(processor_state& me, barrier_kind kind,
                                         std::string_view name) {
    bool const counts = me.more->barrier_group->counts_arrivals();
    me.more->barrier_is = kind;
    record(me, [&] {
      me.more->barrier_name = engine().lasting(me, name);
      if (!counts) engine().note_arrival(me);
    });
    if (!counts) return activity::in_barrier;
    engine().count_arrival(me, me.more->came_by());
    return activity::counted_in_call;
  }

  /// Waits in a barrier or a one-sided round.
  void wait_for_others(processor_state& me, activity doing) {
    me.doing = doing;
    engine().suspend(me);
    if (has_to_stop(me)) stop(me);
  }

  /// Keeps idle steps or work for a clock.
  [[gnu::noinline]] void keep_event(processor_state& me, time_kind what, std::uint64_t amount) {
    record(me, [&] {
      engine().counters_of(me).events.add(
          {amount, program_line(me), me.rank, -1, 0, what, 0, 0, {}});
    });
  }
  /// Keeps a barrier, or what waits like one, for a clock.
  [[gnu::noinline]] void keep_meeting(processor_state& me, group const& of) {
    record(me, [&] {
      auto& events = engine().counters_of(me).events;
      int const number = of.whole() ? 0 : events.number_of(of);
      events.add({0, program_line(me), me.rank, number, 0, time_kind::barrier, 0, 0, {}});
    });
  }

  void append_rearrangement(processor_state& me, std::uint64_t words) {
    auto& mine = engine().counters_of(me);
    mine.rearrange(mine.rearranged, me.more->rearrangements++, words);
    if (me.more->phase == no_phase) return;
    if (mine.phase_rearranged.size() <= me.more->phase)
      mine.phase_rearranged.resize(me.more->phase + 1);
    mine.rearrange(mine.phase_rearranged[me.more->phase], me.more->phase_rearrangements++, words);
  }

  void begin_label(processor_state& me, std::string_view name, bool encloses) {
    if (me.more->work != nullptr) me.more->work->close();
    auto& place = me.more->label;
    auto const enclosing = encloses ? place.current : place.enclosing;
    place.current = name.empty()
                        ? enclosing
                        : engine().counters_of(me).labels.tree().inside(enclosing, name, me.now);
    place.enclosing = encloses ? place.current : enclosing;
    if (place.current != 0) m_counters.begin_labels();
  }

  /// Counts paths of work from here on: before the processor sends the first message on one.
  processor_work& begin_work(processor_state& me) {
    auto& mine = work_of(me);
    m_usual_options.store(false, std::memory_order_relaxed);
    m_counters.begin_work();
    auto const stack = engine().own_stack(me);
    mine.meter.place({stack.data(), stack.size(), engine().uncaught_in(me), me.marks.stops_byte(),
                      &me.now, &m_whole_barriers, me.where.bits()});
    return mine;
  }
  /// Operations that are added at most until the machine looks whether the run has failed elsewhere, or
  /// others have to run.
  static constexpr std::uint64_t most_metered = std::uint64_t{1} << 24U;
  /// Counts the barriers that the processor has passed.
  [[nodiscard]] std::uint64_t barriers_passed(processor_state const& of) const {
    return m_whole_barriers + of.more->barriers_of_subsets;
  }
  /// Whether what the processor does now counts together with what it did last. Observers of a run
  /// that fails are told of single steps, in pipelined runs too.
  [[nodiscard]] bool is_pending(processor_state const& me, pending_work const& last) const {
    if (last.run != me.more->run || last.at.phase != me.more->phase ||
        last.at.barriers != barriers_passed(me))
      return false;
    return last.at.step == me.now || (last.run != nullptr && !m_counters.observing());
  }
  void begin_moment(processor_state& me, pending_work& last) {
    engine().counters_of(me).work.add(me.rank, last);
    last = {{me.now, barriers_passed(me), me.more->phase}, me.more->run, 0};
  }

  [[nodiscard]] Engine& engine() { return static_cast<Engine&>(*this); }
};

}  // namespace lockstep::detail

#undef LOCKSTEP_HOT
