#include "engine/watched.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <new>
#include <set>
#include <source_location>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <lockstep/observer.hpp>

#include "engine/scheduling/fibers.hpp"
#include "engine/scheduling/threads.hpp"

namespace lockstep::detail {

// The code of both is compiled with the engines, for the others' callers change how it is inlined.
extern template class message_path<fibers>;
extern template class message_path<threads>;

namespace {

/// The order of frames by address: a compiler writes down each line once.
struct frame_order {
  [[nodiscard]] bool operator()(call_frame const& left, call_frame const& right) const {
    auto const key = [](call_frame const& of) {
      return std::pair(std::bit_cast<std::uintptr_t>(of.line),
                       std::bit_cast<std::uintptr_t>(of.caller));
    };
    return key(left) < key(right);
  }
};

/// The calls of libraries that a processor is in. Without memory for a frame those inside have none,
/// either.
struct frames_of_processor {
  call_frame const* innermost = nullptr;
  unsigned missing = 0;  ///< inside it
};

/// An engine that keeps the calls of its processors, and what they show, for observers that want
/// them. Other runs have no part in it: their calls go to `Engine` at once.
template <class Engine>
class watched final : public Engine {
 public:
  using Engine::Engine;

  void send(processor_state& me, int to, elements const& values,
            std::source_location where) override {
    auto const made = note(me, where, call_kind::send, receiver_of(me, to));
    Engine::send(me, to, values, where);
    end(me, made);
  }
  bool send_lending(processor_state& me, int to, elements const& values, int from,
                    std::source_location where) override {
    auto const made = note(me, where, call_kind::send, receiver_of(me, to));
    bool const lent = Engine::send_lending(me, to, values, from, where);
    end(me, made);
    return lent;
  }
  void send_vector(processor_state& me, int to, void* vector, payload_type const& type,
                   std::source_location where) override {
    auto const made = note(me, where, call_kind::send, receiver_of(me, to));
    Engine::send_vector(me, to, vector, type, where);
    end(me, made);
  }
  message* take(processor_state& me, int from, payload_type const& type, std::size_t const* wanted,
                std::source_location where) override {
    auto const made = note(me, where, call_kind::receive, from);
    auto* const taken = Engine::take(me, from, type, wanted, where);
    end(me, made);
    return taken;
  }
  void take_into(processor_state& me, int from, receive_buffer const& in,
                 std::source_location where) override {
    auto const made = note(me, where, call_kind::receive, from);
    Engine::take_into(me, from, in, where);
    end(me, made);
  }
  message* take_any(processor_state& me, group const& of, std::span<int const> among,
                    payload_type const& type, std::source_location where) override {
    auto const made = note(me, where, call_kind::receive);
    auto* const taken = Engine::take_any(me, of, among, type, where);
    if (taken != nullptr) this->m_counters.set_other(Engine::worker_of(me), made, taken->from);
    end(me, made);
    return taken;
  }
  message* try_take(processor_state& me, int from, payload_type const& type,
                    std::source_location where) override {
    auto const made = note(me, where, call_kind::receive, from);
    auto* const taken = Engine::try_take(me, from, type, where);
    if (taken == nullptr) this->m_counters.set_idle(Engine::worker_of(me), made);
    end(me, made);
    return taken;
  }
  void exchange(processor_state& me, int to, elements const& out, int from,
                receive_buffer const& in, std::source_location where) override {
    send(me, to, out, where);
    take_into(me, from, in, where);
  }
  void idle(processor_state& me, std::uint64_t steps, std::source_location where) override {
    auto const made = note(me, where, call_kind::idle);
    Engine::idle(me, steps, where);
    end(me, made);
  }
  void barrier(processor_state& me, group& of, barrier_kind kind, std::string_view name,
               std::source_location where) override {
    bool const brings_mail = kind == barrier_kind::announce || kind == barrier_kind::deliver;
    auto const made =
        note(me, where, call_of(kind), -1, 0, of.whole() ? nullptr : &of.members(), brings_mail);
    Engine::barrier(me, of, kind, name, where);
    end(me, made);
  }
  void rearrange(processor_state& me, std::uint64_t words, std::source_location where) override {
    auto const made = note(me, where, call_kind::rearrange, -1, words);
    Engine::rearrange(me, words, where);
    end(me, made);
  }
  void count_work(processor_state& me, std::uint64_t operations,
                  std::source_location where) override {
    auto const made = note(me, where, call_kind::work, -1, operations);
    Engine::count_work(me, operations, where);
    end(me, made);
  }
  message* one_sided(processor_state& me, one_sided_request&& request,
                     std::source_location where) override {
    auto const made = note(me, where, call_kind::one_sided, request.owner);
    auto* const came = Engine::one_sided(me, std::move(request), where);
    end(me, made);
    return came;
  }
  void label(processor_state& me, std::string_view name, bool encloses,
             std::source_location where) override {
    Engine::label(me, name, encloses, where);
    if (is_noted(me)) say_label(me, where);
  }
  void keep_note(processor_state& me, std::string_view text, std::source_location where) override {
    if (!is_noted(me)) return;
    say_label(me, where);
    this->record(me, [&] { say(me, call_kind::note, where, std::string(text)); });
  }
  void show(processor_state& me, std::string_view name, shown_value&& value,
            std::source_location where) override {
    if (!is_noted(me)) return;
    say_label(me, where);
    this->record(me, [&] {
      this->m_counters.keep_shown(
          Engine::worker_of(me),
          {me.rank, me.free_step() - 1, std::string(name), std::move(value), where}, frame_of(me));
    });
  }
  void enter_frame(processor_state& me, std::source_location line) noexcept override {
    auto& mine = m_frames[static_cast<std::size_t>(me.rank)];
    if (mine.missing == 0) try {
        std::scoped_lock const lock(m_frames_mutex);
        mine.innermost = &*m_known_frames.insert({line, mine.innermost}).first;
        return;
      } catch (std::bad_alloc const&) {
      }
    ++mine.missing;
  }
  void leave_frame(processor_state& me) noexcept override {
    auto& mine = m_frames[static_cast<std::size_t>(me.rank)];
    if (mine.missing > 0)
      --mine.missing;
    else
      mine.innermost = mine.innermost->caller;
  }

 private:
  /// Gives the innermost call of a library that a processor is in.
  [[nodiscard]] call_frame const* frame_of(processor_state const& me) const {
    return m_frames[static_cast<std::size_t>(me.rank)].innermost;
  }

  /// Whether the call is one of the program: not while an exception unwinds it, nor once it was told
  /// to end.
  [[nodiscard]] bool is_noted(processor_state& me) {
    return Engine::may_enter(me) && !me.marks.ending() && this->m_counters.observing();
  }

  void say(processor_state const& me, call_kind kind, std::source_location where,
           std::string&& text) {
    this->m_counters.keep_said(
        Engine::worker_of(me),
        {me.rank, kind, -1, me.now, me.now, 0, 0, where, nullptr, frame_of(me)}, std::move(text));
  }
  /// Keeps the processor's label if it is another than the last that was kept.
  void say_label(processor_state& me, std::source_location where) {
    auto const label = me.more->label.current;
    auto& said = m_said[static_cast<std::size_t>(me.rank)];
    if (label == said) return;
    this->record(me, [&] {
      say(me, call_kind::label, where, Engine::counters_of(me).labels.tree().path(label));
    });
    said = label;
  }

  /// Finds the processor that a send is to, also if it names a way; -1 if none exists.
  [[nodiscard]] int receiver_of(processor_state const& me, int to) const {
    if (to != by_way) return to;
    try {
      return this->network().end_of(me.rank, me.more->asked_way);
    } catch (error const&) {
      return -1;  // the send itself says why
    }
  }

  /// Keeps a call that begins. Result: its place among the worker's calls.
  std::size_t note(processor_state& me, std::source_location where, call_kind kind, int other = -1,
                   std::uint64_t words = 0, std::vector<int> const* members = nullptr,
                   bool brings_mail = false) {
    if (!is_noted(me)) return run_counters::not_kept;
    say_label(me, where);
    auto place = run_counters::not_kept;
    bool const moves_messages = kind == call_kind::send || kind == call_kind::receive ||
                                kind == call_kind::one_sided || brings_mail;
    this->record(me, [&] {
      place = this->m_counters.keep_call(
          Engine::worker_of(me),
          {me.rank, kind, other, me.now, 0, moves_messages ? me.more->calls_noted + 1 : 0, words,
           where, members, frame_of(me)});
    });
    return place;
  }

  /// Notes that a call has ended, in which step.
  void end(processor_state const& me, std::size_t call) {
    this->m_counters.end_call(Engine::worker_of(me), call, me.now);
  }

  [[nodiscard]] static call_kind call_of(barrier_kind kind) {
    switch (kind) {
      case barrier_kind::plain:
      case barrier_kind::mail_sent:
        return call_kind::barrier;
      case barrier_kind::phase:
        return call_kind::phase;
      case barrier_kind::begin_pipelined:
      case barrier_kind::announce:
      case barrier_kind::deliver:
        return call_kind::begin_pipelined;
      case barrier_kind::end_pipelined:
        return call_kind::end_pipelined;
    }
    return call_kind::barrier;
  }

  std::vector<label_number> m_said =
      std::vector<label_number>(static_cast<std::size_t>(this->size()));  ///< by rank
  std::vector<frames_of_processor> m_frames =
      std::vector<frames_of_processor>(static_cast<std::size_t>(this->size()));  ///< by rank
  std::mutex m_frames_mutex;
  std::set<call_frame, frame_order> m_known_frames;
};

}  // namespace

std::unique_ptr<runtime> make_watched(std::shared_ptr<topology const> const& network,
                                      machine_options const& options,
                                      std::span<observer* const> observers,
                                      std::shared_ptr<kept_slab> const& keeper) {
  if (options.engine == engine::threads)
    return std::make_unique<watched<threads>>(network, options, observers);
  return std::make_unique<watched<fibers>>(network, options, observers, keeper);
}

}  // namespace lockstep::detail
