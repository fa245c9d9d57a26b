#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <memory>
#include <source_location>
#include <string_view>
#include <vector>

#include <lockstep/processor.hpp>

#include "engine/call_place.hpp"
#include "engine/counting/label_counters.hpp"
#include "engine/counting/order_events.hpp"
#include "engine/counting/run_counters.hpp"
#include "engine/counting/work_counters.hpp"
#include "engine/messages/mailbox.hpp"
#include "engine/messages/message.hpp"
#include "engine/scheduling/arrival_question.hpp"
#include "engine/scheduling/group.hpp"

namespace lockstep::detail {

class runtime;

/// The activity of a processor, as far as others have to know it.
enum class activity : std::uint8_t {
  running,
  receiving,
  lending,  ///< has received, and waits until its payload was copied, see message_path::lend
  in_barrier,
  counted_in_barrier,  ///< a plain one of the whole machine, see barrier_arrivals
  counted_in_call,     ///< another of the whole machine, whose call its details have
  in_one_sided_round,
  choosing,      ///< receives from whoever comes first
  polling,       ///< asks whether a message has come
  stopped,       ///< the run failed in a step before its own
  missing_mail,  ///< waits for mail whose sender failed
  finished
};

/// Whether a processor waits in a barrier in which it was counted only.
[[nodiscard]] inline bool is_counted(activity doing) {
  return doing == activity::counted_in_barrier || doing == activity::counted_in_call;
}

/// Whether the details of a processor say by which call it came to its barrier.
[[nodiscard]] inline bool has_call(activity doing) {
  return doing == activity::in_barrier || doing == activity::counted_in_call;
}

/// The kind of a barrier, the same for all members of a group.
enum class barrier_kind : std::uint8_t {
  plain,
  phase,
  begin_pipelined,
  end_pipelined,
  announce,  ///< `deliver` with .announced, as the next two
  deliver,
  mail_sent  ///< all members have sent what they posted; no clock changes
};

/// Whether a barrier begins a run of pipelined rounds.
[[nodiscard]] inline bool begins_run(barrier_kind kind) {
  return kind == barrier_kind::begin_pipelined || kind == barrier_kind::announce ||
         kind == barrier_kind::deliver;
}

/// A rank that its group does not have.
struct unknown_rank {
  int rank = 0;
  int group_size = 0;
};

/// The call by which a processor comes to a barrier.
struct barrier_call {
  barrier_kind kind = barrier_kind::plain;
  std::string_view name{};  ///< of a phase; as long as the processor that gave it waits

  bool operator==(barrier_call const&) const = default;
};

/// The processors that came to barriers of the whole machine and are counted, not noted one by one.
struct barrier_arrivals {
  int processors = 0;
  std::uint64_t step = 0;  ///< in which they may go on, as far as they know
  int in_calls = 0;        ///< of them those whose barrier is not a plain one
  bool differ = false;     ///< these, in their calls
  barrier_call call{};     ///< of the first of these

  void add(barrier_arrivals const& more) {
    processors += more.processors;
    step = std::max(step, more.step);
    if (more.in_calls == 0) return;
    if (in_calls == 0) call = more.call;
    differ = differ || more.differ || call != more.call;
    in_calls += more.in_calls;
  }
  /// Whether all of them mean the same barrier.
  [[nodiscard]] bool agree() const { return in_calls == 0 || (in_calls == processors && !differ); }
};

/// One request of a round of one-sided reads and writes.
struct one_sided_request {
  enum class kind : std::uint8_t { serve, read, write } what = kind::serve;
  int owner = -1;  ///< on the machine
  std::size_t offset = 0;
  elements asked{};  ///< read: only count and type; write: the values
  receive_buffer mine{};
  bool writable = false;  ///< whether others may write to it
  std::uint32_t hops = 0;

  struct incoming_write {
    int from;
    std::size_t offset;
    std::size_t count;
    bool meets;
  };
  std::vector<incoming_write> incoming{};  ///< the writes that others ask for, in rank order

  std::uint64_t askers = 0;  ///< processors that ask this one for words, or send it some
  bool meets = false;        ///< whether another asks the owner, too (rule 10)
};

/// Ports that are kept apart, by link or by pass, and the last step in which each was used.
using port_table = std::map<std::int64_t, std::uint64_t>;

/// The ports of a processor that has several each way.
struct port_tables {
  port_table out;
  port_table in;
};

/// The marks of a processor that each of its calls looks at, all at once.
class alignas(std::uint16_t) call_marks {
 public:
  /// Its calls throw, or do nothing during unwinding.
  [[nodiscard]] bool ending() const { return (m_stops & ends) != 0; }
  void end() { m_stops |= ends; }
  /// It is in `processor::work_of`, and makes no calls.
  [[nodiscard]] bool computing() const { return (m_stops & computes) != 0; }
  void begin_computing() { m_stops |= computes; }
  void end_computing() { m_stops &= ends; }
  /// Whether a call has to look at these two.
  [[nodiscard]] bool stops() const { return m_stops != 0; }
  /// Gives a byte that is not 0 where `stops()`.
  [[nodiscard]] std::uint8_t const* stops_byte() const { return &m_stops; }
  [[nodiscard]] bool any() const { return std::bit_cast<std::uint16_t>(*this) != 0; }

 private:
  static constexpr std::uint8_t ends = 1;
  static constexpr std::uint8_t computes = 2;
  std::uint8_t m_stops = 0;

 public:
  bool in_library = false;  ///< a library_call lives
};

/// The state of the calls in which the data decide which processors talk: posts, and questions for
/// the first message, or for those that have come.
struct irregular_state {
  arrival_question question;                        ///< while it waits for the answer
  order_events order;                               ///< once some call of receive_any was decided
  std::vector<std::unique_ptr<mailbox>> mailboxes;  ///< one for each group that it posted in
  mailbox* mail = nullptr;                          ///< the one whose superstep ends
  std::uint64_t mail_since = 0;  ///< while mail comes in: the step in which that began; else 0
};

/// The rarely used state of a processor, apart from what every message touches.
struct processor_details {
  message* lent = nullptr;  ///< while processor_state::lends
  section* run = nullptr;   ///< the pipelined run that it is in
  bool in_pipelined = false;
  bool in_meeting = false;  ///< what it takes in is of requests that meet at one owner
  bool returned = false;    ///< its program, by itself
  barrier_kind barrier_is = barrier_kind::plain;
  std::uint32_t barriers_of_subsets = 0;  ///< that it has passed
  std::uint64_t sections_over_before =
      0;  ///< steps before this one may belong to sections that are over
  std::size_t phase = no_phase;
  std::uint64_t rearrangements = 0;
  std::uint64_t phase_rearrangements = 0;
  std::uint64_t rearranged_words_left = 0;  ///< that it may still rearrange
  std::unique_ptr<processor_work> work;     ///< once there is some, or a path of it has come
  std::uint64_t calls_noted = 0;            ///< sends and receives so far, with observers only

  std::unique_ptr<port_tables> ports;  ///< once one was used, where they are kept apart
  label_place label;                   ///< that its program gave
  std::unique_ptr<one_sided_request> request;
  std::unique_ptr<irregular_state> irregular_calls;  ///< see irregular()
  held_memory memory;                                ///< once it was asked for

  unknown_rank asked_to{};
  unknown_rank asked_from{};
  along asked_way{};

  group* barrier_group = nullptr;
  std::string_view barrier_name;

  void* caught_exceptions = nullptr;  ///< where processor_state::has_exceptions
  unsigned uncaught_exceptions = 0;
  unsigned swallowed = 0;     ///< how often the program went on after it was told to end
  void* sanitizer = nullptr;  ///< AddressSanitizer's fake stack, or ThreadSanitizer's fiber

  /// The call by which it came to its barrier.
  [[nodiscard]] barrier_call came_by() const { return {barrier_is, barrier_name}; }
  /// Gives the state of its irregular calls, which is made at first use. Errors: std::bad_alloc.
  [[nodiscard]] irregular_state& irregular() {
    if (irregular_calls == nullptr) irregular_calls = std::make_unique<irregular_state>();
    return *irregular_calls;
  }
};
static_assert(sizeof(processor_details) <= 192,
              "details take memory in every run: what few programs need is made at first use");

/// The state of one processor: three cache lines, and the details.
struct alignas(64) processor_state {
  // First line: its own clock.
  std::uint64_t now = 1;            ///< the step that it is in
  std::uint64_t last_sent = 0;      ///< last step in which it sent
  std::uint64_t last_received = 0;  ///< last step in which a message came in
  runtime* owner = nullptr;
  void* worker_data = nullptr;  ///< the worker that runs it, once it has begun
  processor_details* more = nullptr;
  int rank = 0;
  int route_to = -1;  ///< the last destination, and the length of the route to it
  std::uint32_t route_hops = 0;
  int sender = -1;  ///< a message from it arrived in every step since `sender_since`; or -1

  // Second line: what a sender touches if this processor waits for it.
  /// Where the message that it waits for may be laid at once, unless the type is nullptr.
  alignas(64) std::byte* landing = nullptr;
  payload_type const* landing_type = nullptr;
  std::uint32_t landing_count = 0;
  std::uint32_t landed_hops = 0;
  std::uint64_t landed_stamp = 0;
  std::uint64_t landed_word = 0;  ///< a short message lies here, so that its stack is not touched
  void* context = nullptr;        ///< where a fiber goes on; nullptr before it starts
  int waiting_for = -1;           ///< on the machine
  std::uint8_t pass = 0;
  activity doing = activity::running;
  call_marks marks;
  bool landed = false;          ///< the message was laid into `landing` or `landed_word`
  bool has_exceptions = false;  ///< exceptions in flight belong to the fiber, not to its worker
  way_taken landed_way{};
  bool lends = false;              ///< a message has its elements in the memory of this processor
  std::uint32_t sender_words = 0;  ///< of each of these messages of `sender`

  // Third line.
  alignas(64) inbox arrived;
  std::uint64_t words_left = 0;  ///< that it may still send
  std::uint64_t words_received = 0;
  std::uint64_t sender_since = 0;
  call_place where;  ///< of its last call, in which it may wait
  /// Its last place in a library, in which it is now if call_marks::in_library.
  place_inside const* inside = nullptr;

  /// Finds the state of a processor that its program sees.
  [[nodiscard]] static processor_state const& of(processor const& me) { return *me.m_state; }
  [[nodiscard]] static processor_state& of(processor& me) { return *me.m_state; }
  /// Makes the processor that its program sees.
  [[nodiscard]] processor handle(int machine_size, bool shown) {
    return {*this, nullptr, rank, machine_size, shown};
  }
  /// Finds the step in which it goes on from a barrier if it came last: after a send, the next.
  [[nodiscard]] std::uint64_t free_step() const { return last_sent == now ? now + 1 : now; }
};
static_assert(sizeof(processor_state) == 192, "a processor takes three cache lines");

}  // namespace lockstep::detail
