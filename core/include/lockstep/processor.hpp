#pragma once

#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <new>
#include <optional>
#include <ranges>
#include <source_location>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <lockstep/detail/lent_payload.hpp>
#include <lockstep/detail/payload_type.hpp>
#include <lockstep/detail/received_message.hpp>
#include <lockstep/detail/refused.hpp>
#include <lockstep/detail/work_meter.hpp>
#include <lockstep/mailbox.hpp>
#include <lockstep/operation_counts.hpp>
#include <lockstep/payload.hpp>
#include <lockstep/processor_memory.hpp>
#include <lockstep/shown.hpp>
#include <lockstep/topology.hpp>

namespace lockstep {

namespace detail {
struct processor_state;
class group;
class runtime;
struct collectives_memo;
class memo_of_processor;
class untyped_calls;
enum class barrier_kind : std::uint8_t;
}  // namespace detail

class library_call;
template <class T>
class window;

namespace detail {

/// The number of a label in the tree of its worker. 0 stands for none, and encloses all others.
using label_number = std::uint32_t;

/// The labels of a processor: the last that its program gave, and the one that encloses it.
struct label_place {
  label_number current = 0;
  label_number enclosing = 0;
};

}  // namespace detail

/// A destination of a message: a rank, or a way along a dimension of a torus or mesh.
struct destination {
  int rank = -1;
  along way{};

  destination(int to) : rank(to) {}  // NOLINT(google-explicit-constructor): a rank is a destination
  destination(along to) : way(to), by_way(true) {}  // NOLINT(google-explicit-constructor)

  bool by_way = false;
};

/// A virtual processor, as its program sees it. It is in one step at a time, `now`, at first 1; the
/// counting rules (docs/counting-rules.md) say what each call does to `now`. Valid during the run,
/// in the program's own call.
///
/// "Errors" names what a call can end the run with. All come out of `machine::run`. What only the
/// machine can see (deadlock, barrier_mismatch, link_contention, unreceived_message, a one-sided
/// request that its owner cannot meet) comes out there only; the rest is thrown by the call as
/// well, and catching it does not save the run. When the run has failed elsewhere a call ends the
/// processor, by an exception of a private type: let it pass. While an exception unwinds the
/// processor its calls do nothing.
///
/// "Cost" speaks of one out-port and one in-port. With `ports::all` each link has its own, with
/// `ports::per_pass` each pass (counting rule 3).
class processor {
 public:
  processor(processor const&) = delete;
  processor& operator=(processor const&) = delete;

  [[nodiscard]] int rank() const noexcept { return m_rank; }
  [[nodiscard]] int size() const noexcept { return m_size; }
  /// The network of the machine, or of the subset.
  [[nodiscard]] lockstep::topology const& topology() const noexcept;
  /// How messages cross the machine's network.
  [[nodiscard]] lockstep::switching switching() const noexcept;
  /// The step that this processor is in.
  [[nodiscard]] std::uint64_t now() const noexcept;

  /// Sends one message, to be received later: an element, a contiguous range of elements, or an
  /// rvalue vector, which is moved, not copied. `to` is a rank or `along{dimension, offset}`.
  ///
  /// Errors: invalid_rank for no such rank, this processor's own, or a way off the edge of a mesh;
  /// invalid_argument for a way along no such dimension, or more than 2^32 - 1 elements;
  /// not_adjacent with neighbour switching; invalid_topology if no route leads there; step_limit;
  /// on a strict machine link_contention; unreceived_message if it is never received.
  ///
  /// Cost: the out-port in step `now`, or in the next if it is taken (counting rule 2); it never
  /// waits, and `now` stays that step. Words: elements * words_of, rounded up to whole packets
  /// (counting rule 6). Hops: links of the route (counting rule 4). Both count in the step in which
  /// the message comes in.
  template <payload Values>
  void send(destination to, Values&& values,
            std::source_location where = std::source_location::current()) {
    if constexpr (detail::is_movable_vector<Values>) {
      auto moved = std::forward<Values>(values);
      send_vector(to, &moved, detail::payload_type_of<typename Values::value_type>, where);
    } else {
      send_elements(to, elements_of(values), where);
    }
  }

  /// Receives the oldest message from that processor, of any number of elements. Waits for it.
  ///
  /// Errors: invalid_rank for no such rank, or this processor's own; not_adjacent with neighbour
  /// switching; type_mismatch; deadlock; step_limit; on a strict machine port_conflict.
  ///
  /// Cost: the in-port in step t = max(the message's step, last step of the in-port + 1), even
  /// before `now`; afterwards `now` is t + 1 at least (counting rule 2).
  template <payload_element T>
  [[nodiscard]] std::vector<T> receive(
      int from, std::source_location where = std::source_location::current()) {
    return take(from, detail::payload_type_of<T>, nullptr, where).template to_vector<T>();
  }

  /// Receives the oldest message, of that many elements. A vector sent as an rvalue is not copied.
  /// Errors: size_mismatch, and those of `receive`. Cost: as `receive`.
  template <payload_element T>
  [[nodiscard]] std::vector<T> receive(
      int from, std::size_t elements,
      std::source_location where = std::source_location::current()) {
    return take(from, detail::payload_type_of<T>, &elements, where).template to_vector<T>();
  }

  /// Receives the oldest message from that processor, which must have one element.
  /// Errors: size_mismatch, and those of `receive`. Cost: as `receive`.
  template <payload_element T>
  [[nodiscard]] T receive_value(int from,
                                std::source_location where = std::source_location::current()) {
    return into_value<T>([&](detail::receive_buffer const& in) { take_into(from, in, where); });
  }

  /// Receives the oldest message from that processor, which must have in.size() elements.
  /// Errors: size_mismatch, and those of `receive`. Cost: as `receive`.
  template <payload_range Buffer>
  void receive_into(int from, Buffer&& in,
                    std::source_location where = std::source_location::current()) {
    take_into(from, buffer_of(in), where);
  }

  /// Exactly `send(partner, values)`, then `receive` from the partner: an element for an element, a
  /// vector, of any number of elements, for a range.
  ///
  /// Errors: those of `send` and `receive`; for an element, size_mismatch unless one comes in.
  ///
  /// Cost: that of the two. Between partners that are in the same step, with ports free in it, both
  /// messages cross in that step, and both go on in the next.
  template <payload Values>
  auto exchange(int partner, Values&& values,
                std::source_location where = std::source_location::current()) {
    return exchange(destination{partner}, std::forward<Values>(values), partner, where);
  }

  /// Exactly `send(to, values)`, then `receive` from `from`. Errors, cost: as above.
  template <payload Values>
  auto exchange(destination to, Values&& values, int from,
                std::source_location where = std::source_location::current()) ->
      typename detail::received_as<std::remove_cvref_t<Values>>::type {
    if constexpr (detail::is_movable_vector<Values>) {
      send(to, std::forward<Values>(values), where);
      return receive<typename Values::value_type>(from, where);
    } else if constexpr (payload_range<Values>) {
      auto const lent = lend_elements(to, elements_of(values), from, where);
      return receive<std::ranges::range_value_t<Values>>(from, where);
    } else {
      using element = std::remove_cvref_t<Values>;
      return into_value<element>([&](detail::receive_buffer const& in) {
        exchange_elements(to, elements_of(values), in, from, where);
      });
    }
  }

  /// Exactly `send(to, out)`, then `receive_into(from, in)`. `out` and `in` may overlap.
  /// Errors, cost: those of the two.
  template <payload_range Values, payload_range Buffer>
  void exchange_into(destination to, Values&& out, Buffer&& in, int from,
                     std::source_location where = std::source_location::current()) {
    exchange_elements(to, elements_of(out), buffer_of(in), from, where);
  }

  /// Sends `values` that way, then receives from the processor at the other side, `-offset` along the
  /// same dimension, what it sent by the same call: exactly `send(way, values)`, then `receive`. At the
  /// edge of a mesh a processor sends to nobody or receives from nobody.
  ///
  /// Result: for an element, an optional one, nothing where nobody is at the other side; for a range,
  /// a vector, empty there. On a torus somebody always is, but along a dimension of size 1.
  ///
  /// Errors: those of `neighbour`, `send` and `receive`; invalid_rank for a way that leads back to
  /// this processor.
  ///
  /// Cost: that of the two, or of the one that is left. Processors that shift in the same step, with
  /// ports free in it, take one step; its contention is |offset|, or less on a small dimension.
  /// Example: `double const left = me.shift(along{1, 1}, mine.back()).value_or(0);`
  template <payload Values>
  auto shift(along way, Values&& values,
             std::source_location where = std::source_location::current()) ->
      typename detail::shifted_as<std::remove_cvref_t<Values>>::type {
    auto const ends = ends_of_shift(way, where);
    if (ends.to && ends.from)
      return exchange(destination{way}, std::forward<Values>(values), *ends.from, where);
    if (ends.to) send(way, std::forward<Values>(values), where);
    if (!ends.from) return {};
    if constexpr (payload_range<std::remove_cvref_t<Values>>)
      return receive<std::ranges::range_value_t<Values>>(*ends.from, where);
    else
      return receive_value<std::remove_cvref_t<Values>>(*ends.from, where);
  }

  /// Finds the rank that `way` leads to, in the machine or subset: nothing off the edge of a mesh.
  /// Errors: invalid_argument for a dimension that the network lacks; invalid_topology where the
  /// network names a processor that does not exist. Cost: no step.
  [[nodiscard]] std::optional<int> neighbour(
      along way, std::source_location where = std::source_location::current());

  /// Lets that many steps pass: `now` += steps (counting rule 8). Errors: step_limit.
  /// Cost: no port; the steps count only if a message comes in after them.
  void idle(std::uint64_t steps = 1, std::source_location where = std::source_location::current());

  /// Lets all processors (of the machine or subset) go on in the same step. Called by all of them.
  ///
  /// Errors: barrier_mismatch if a member can never reach it, or is in a phase or `pipelined`
  /// instead; deadlock; step_limit after 1,000,000 in a row in which no step passes.
  ///
  /// Cost: no step of its own; `now` becomes the largest over the members of `now`, or `now` + 1
  /// where the out-port is used in `now` (counting rule 8).
  void barrier(std::source_location where = std::source_location::current());

  /// A barrier that names what follows, until the next; all members give the same name. Counts are
  /// kept per phase; the same name twice gives two phases. In a subset it names nothing.
  /// Errors: those of `barrier`; barrier_mismatch if different names meet. Cost: as `barrier`. The
  /// steps of a phase: counting rule 9.
  void phase(std::string_view name, std::source_location where = std::source_location::current());

  /// Reports that this processor re-laid that many words of its memory.
  /// Cost: no step, no port. The r-th calls of all processors are one rearrangement, of the most
  /// words among them.
  void rearrange(std::uint64_t words, std::source_location where = std::source_location::current());

  /// Counts local operations of this processor: what an operation is, the program says (comparisons,
  /// multiply-adds). It is called after the work that it stands for, or before.
  ///
  /// Errors: invalid_argument for a negative number, or more in all than the machine's sums hold.
  ///
  /// Cost: no step and no port. Operations of one step, between barriers, and of a run of pipelined
  /// rounds, count together in `counts::work` (counting rule 14); models that price an operation price
  /// that. The first call makes each later message of the run cost a look-up more.
  /// Example: `me.work(mine.size() * 20);`
  template <std::integral Operations>
  void work(Operations operations, std::source_location where = std::source_location::current()) {
    if constexpr (std::signed_integral<Operations>)
      if (operations < 0) [[unlikely]]
        return refuse_work(operations, where);
    auto const more = static_cast<std::uint64_t>(operations);
    if (m_meter == nullptr || !m_meter->add(more, where)) [[unlikely]]
      count_work(more, where);
  }

  /// Calls `compute` and counts the operations of the `counted` numbers in it as `work`: comparisons,
  /// additions, multiplications, one each. Result: that of `compute`. Numbers of other types count
  /// nothing, and the processor makes no calls inside.
  ///
  /// Errors: invalid_argument for a call inside; those of `work`.
  ///
  /// Cost: that of `work`, and of counting.
  /// Example: `me.work_of([&] { std::ranges::sort(keys); });`
  template <std::invocable Compute>
  auto work_of(Compute&& compute, std::source_location where = std::source_location::current()) {
    operation_counts done;
    if constexpr (std::is_void_v<std::invoke_result_t<Compute>>) {
      count_operations(done, std::forward<Compute>(compute), where);
      work(done.all(), where);
    } else {
      auto result = count_operations(done, std::forward<Compute>(compute), where);
      work(done.all(), where);
      return result;
    }
  }
  /// Calls `compute` and gives the operations of the `counted` numbers in it by kind, for a program that
  /// weighs them: it calls `work` itself. Errors: invalid_argument for a call of the processor inside.
  /// Example: `auto const did = me.operations_of([&] { multiply(a, b, c); });`
  template <std::invocable Compute>
  [[nodiscard]] operation_counts operations_of(
      Compute&& compute, std::source_location where = std::source_location::current()) {
    operation_counts done;
    static_cast<void>(count_operations(
        done,
        [&] {
          std::forward<Compute>(compute)();
          return 0;
        },
        where));
    return done;
  }

  /// Runs rounds that pay one start-up together. Called by all members of the machine or subset,
  /// each with as many rounds as it has; not nested.
  ///
  /// Errors: invalid_argument if nested; processor_failed if an exception leaves `rounds`; those of
  /// `barrier`.
  ///
  /// Cost: a barrier before and one after; inside, each step obeys the ports as elsewhere. One
  /// start-up for all its steps, none if no words travel; its words are the largest over processors
  /// of max(words sent, words received). Runs of subsets that overlap in time count as one
  /// (counting rule 5).
  template <std::invocable Rounds>
  void pipelined(Rounds&& rounds, std::source_location where = std::source_location::current()) {
    begin_pipelined(where);
    try {
      std::forward<Rounds>(rounds)();
    } catch (...) {
      abandon_pipelined(where);
      throw;
    }
    end_pipelined(where);
  }

  /// Receives from whoever comes first, and names the sender: the message of least (step in which it
  /// comes in, rank of the sender on the machine) among all that can still come. Of each sender only
  /// the oldest message counts. In a subset, only messages of members. Which it is does not depend on
  /// the engine or the run: it is decided when no processor can send an earlier one.
  ///
  /// Errors: those of `receive`; deadlock if nobody can send any more; invalid_argument beside
  /// one-sided calls that wait in the same step or an earlier one.
  ///
  /// Cost: as `receive` from that sender. `run_record::choices` says how often another order of
  /// messages could have given another sender (counting rule 13). Each decision waits until no other
  /// processor can go on.
  ///
  /// Source: a wildcard receive (MPI_ANY_SOURCE), made deterministic as by a conservative simulation
  /// (Chandy and Misra 1979).
  /// Example: `auto const [worker, result] = me.receive_any<long>();`
  template <payload_element T>
  [[nodiscard]] message_from<T> receive_any(
      std::source_location where = std::source_location::current()) {
    return take_any<T>(nullptr, where);
  }

  /// Receives from whoever of these ranks comes first. Errors: those of `receive_any`; invalid_rank;
  /// not_adjacent; invalid_argument for no rank at all. Cost: as above.
  template <payload_element T>
  [[nodiscard]] message_from<T> receive_any(
      std::span<int const> among, std::source_location where = std::source_location::current()) {
    return take_any<T>(&among, where);
  }
  /// The same for a list: `me.receive_any<int>({left, right})`.
  template <payload_element T>
  [[nodiscard]] message_from<T> receive_any(
      std::initializer_list<int> among,
      std::source_location where = std::source_location::current()) {
    std::span<int const> const ranks(among.begin(), among.size());
    return take_any<T>(&ranks, where);
  }

  /// Counts the messages from that processor that have come before the step `now`: sent in an earlier
  /// step, and not received. No time passes.
  ///
  /// Errors: invalid_rank for no such rank, or this processor's own; not_adjacent with neighbour
  /// switching; invalid_argument beside one-sided calls, as `receive_any`.
  ///
  /// Cost: no step, no port (counting rule 13). The call waits until no other processor can go on.
  [[nodiscard]] std::size_t pending(int from,
                                    std::source_location where = std::source_location::current());

  /// Receives the oldest message from that processor if it has come, as `pending` says: then no time
  /// passes but for what `receive` takes where the in-port is in use. Otherwise gives nothing, a step
  /// later.
  /// Errors: those of `receive` and `pending`. Cost: as `receive`, or a step.
  /// Example: `while (!(answer = me.try_receive<int>(0))) ++polls;`
  template <payload_element T>
  [[nodiscard]] std::optional<std::vector<T>> try_receive(
      int from, std::source_location where = std::source_location::current()) {
    auto taken = try_take(from, detail::payload_type_of<T>, where);
    if (!taken.has_message()) return std::nullopt;
    return taken.template to_vector<T>();
  }

  /// Posts values to a processor of this machine or subset, itself too: they come out of its next
  /// `deliver`. Any number of posts, to anybody, of elements of one type between two calls of
  /// `deliver`; they are copied.
  ///
  /// Errors: invalid_rank for no such rank; not_adjacent with neighbour switching; type_mismatch for
  /// elements of another type than the posts before; invalid_argument for more than 2^32 - 1
  /// elements; unreceived_message if they are never delivered.
  ///
  /// Cost: no step. What it is sent for, `deliver` counts. Source: a put into a bulk-synchronous
  /// message queue (Hill et al. 1998, bsp_send).
  template <payload Values>
  void post(int to, Values const& values,
            std::source_location where = std::source_location::current()) {
    post_elements(to, elements_of(values), where);
  }

  /// Ends a superstep: delivers what all members of the machine or subset have posted through it.
  /// Called by all of them. Result: one entry for each member that posted something to this one,
  /// itself included, sorted by rank; each has all values of that member, in posting order.
  ///
  /// Errors: invalid_argument inside `pipelined`; type_mismatch if T is not what was posted; those
  /// of `send`, `receive` and `barrier`.
  ///
  /// Cost: a barrier; then each member sends its messages by ascending (to - rank) mod n and takes
  /// in its own by ascending (rank - from) mod n, n the members; a barrier. What lies between is as
  /// in `pipelined`: one start-up, and the largest over processors of max(words sent, words
  /// received). All posts to one member are one message, rounded up to whole packets once; one
  /// without words is empty, and delivered. A post to oneself costs nothing. A member knows its
  /// senders free of charge, unless `.announced`: then a pipelined run before it has a message of one
  /// word from each member to each other (counting rule 12). Local work: O(m log m) for m posts.
  ///
  /// Source: a superstep (Valiant 1990), with one message for each pair.
  /// Example: `for (auto const& [from, values] : me.deliver<int>()) total += values.size();`
  template <payload_element T>
  [[nodiscard]] std::vector<message_from<T>> deliver(
      deliver_options const& options = {},
      std::source_location where = std::source_location::current()) {
    std::vector<message_from<T>> all;
    auto const delivered = begin_delivery(detail::payload_type_of<T>, options, where);
    try {
      all.reserve(delivered.size());
      for (auto const& one : delivered) {
        auto const* const first = reinterpret_cast<T const*>(one.data);
        all.push_back({one.from, std::vector<T>(first, first + one.count)});
      }
    } catch (...) {
      abandon_pipelined(where);
      throw;
    }
    end_delivery(where);
    return all;
  }

  /// Gives this processor's own memory, for the data that an algorithm's space bound covers. Its
  /// peak is counted (`counts::memory`, `processor_record::memory`). On a guarded machine no other
  /// processor may touch what was taken from it. A subset has the same memory.
  /// Errors: invalid_argument from another program than the processor's own.
  /// Cost: no step. An allocation as with `new`.
  /// Example: `std::pmr::vector<long> block(words, me.memory());`
  [[nodiscard]] processor_memory& memory(
      std::source_location where = std::source_location::current());

  /// Shows a value to observers that want calls (`observer::wants_calls`), such as a view_trace, as
  /// what this processor holds from here on under that name: a number, a text, a `block_label` or
  /// `rank_interval`, a range of one of these but texts, or a `matrix_view`. Does nothing in other
  /// runs, and while an exception unwinds the processor. Of a range or matrix of more than
  /// `most_shown_elements` it keeps one more than these, which a page has no room for.
  ///
  /// Errors: invalid_argument for a matrix that is not of whole rows, of a column or more;
  /// out_of_memory; both only where an observer keeps the value.
  /// Cost: no step and no port, and no count changes. Without such an observer a load and a branch:
  /// the value is not looked at, but what makes it up in the call is evaluated. `is_shown` tells
  /// whether that is worth it. With one, a copy of the value is kept until the end of the run.
  /// Example: `me.show("data array", labels);`
  template <showable Value>
  void show(std::string_view name, Value&& value,
            std::source_location where = std::source_location::current()) {
    if (m_shown) [[unlikely]]
      keep_shown(
          name, [&] { return detail::kept_value(std::forward<Value>(value)); }, where);
  }
  /// Whether an observer keeps what `show` says. Cost: a load.
  [[nodiscard]] bool is_shown() const noexcept { return m_shown; }

  /// Names what this processor does from here on, until it gives its next label: the messages that it
  /// takes in, and its local work, are counted under that name in `run_record::labels`. An empty name
  /// ends the label. No other processor need give the same; in a subset too, for a processor has one
  /// label, whoever gives it. Does nothing while an exception unwinds the processor.
  /// Errors: invalid_argument inside `work_of`; out_of_memory.
  /// Cost: no step, no barrier and no port, and no other count changes. Until the first of the run,
  /// nothing; from then on each message of the run costs a look-up more, and each step of a label with
  /// messages 64 bytes until it is over.
  /// Example: `me.label("skew");`
  void label(std::string_view name, std::source_location where = std::source_location::current());

  /// Calls `body` under a label inside of the present one, which is valid again afterwards. Labels
  /// that `body` gives are inside of this one, and count under both.
  /// Result: that of `body`. Errors: those above. Cost: as above.
  /// Example: `me.label("columns", [&] { me.label("skew"); … me.label("turn"); … });`
  template <std::invocable Body>
  decltype(auto) label(std::string_view name, Body&& body,
                       std::source_location where = std::source_location::current()) {
    enclosing_label const encloses(*this, name, where);
    return std::forward<Body>(body)();
  }

  /// Says why this processor makes its next call, to observers that want calls, such as a view_trace.
  /// Does nothing in other runs, and while an exception unwinds the processor.
  /// Errors: out_of_memory, only where an observer keeps the text.
  /// Cost: no step and no port, and no count changes. Without such an observer a load and a branch.
  /// Example: `me.note("keeps the smaller half");`
  void note(std::string_view text, std::source_location where = std::source_location::current()) {
    if (m_shown) [[unlikely]]
      keep_note(text, where);
  }

  /// Which pass of an algorithm the next messages, sent and received, belong to, 0 to 254, at first
  /// 0. With `ports::per_pass` each has ports and channels of its own (counting rule 3); on other
  /// machines the call does nothing.
  /// Errors: invalid_argument for another number, on any machine. Cost: no step.
  void pass(int number, std::source_location where = std::source_location::current());

  class tagged_messages;
  /// Tags the messages that this processor sends and receives as long as the result lives, 0 to 254; 0
  /// have those without one. A receive takes the oldest message with its own tag: each tag is a
  /// channel of its own, on the same ports. `me.tagged(1)->send(to, values)` tags that call, and all
  /// others in the same full expression, as those in its arguments. All members of a collective call it
  /// with one tag.
  /// Errors: invalid_argument for another number, and with `ports::per_pass`, whose passes keep messages
  /// apart; unreceived_message and deadlock name the tag. Cost: no step.
  [[nodiscard]] tagged_messages tagged(
      int tag, std::source_location where = std::source_location::current());

  /// Makes a part of the machine with ranks of its own, 0 .. size()-1 in the order of `members`,
  /// which are ranks of this machine or subset. Nothing else is new: same clock, ports, channels
  /// and links. All members name the same list, in the same order: other lists are other subsets,
  /// whose barriers do not meet. Its topology is a hypercube for a subcube, a torus (mesh) for a
  /// row, plane and so on of one, if the members are all there in rank order; else a crossbar. A
  /// torus or mesh has the machine's dimensions in which the members differ; `along` counts them
  /// from 0, from the lowest up.
  ///
  /// Errors: invalid_rank; invalid_argument for a rank named twice, or if this processor is not
  /// a member. Cost: no step, and no processor waits. Local work grows with the members, so make it
  /// once.
  [[nodiscard]] processor subset(std::span<int const> members,
                                 std::source_location where = std::source_location::current());
  /// Makes the subset of the processors that differ from this one at most in these dimensions, in
  /// rank order.
  /// Errors: invalid_argument where the topology has no such dimension.
  [[nodiscard]] processor subset(dimensions const& varying,
                                 std::source_location where = std::source_location::current());

  /// Makes the subset of this processor's row of a torus or mesh of two dimensions: ranks are column
  /// numbers. Errors: invalid_argument on other networks. Cost: as `subset`.
  [[nodiscard]] processor row(std::source_location where = std::source_location::current());
  /// Makes the subset of this processor's column: ranks are row numbers. Errors, cost: as `row`.
  [[nodiscard]] processor column(std::source_location where = std::source_location::current());
  /// Makes the subset of the processors that have this one's coordinate along `dimension`, of a torus
  /// or mesh: with two dimensions slice(0) is the row and slice(1) the column; with three a plane.
  /// Errors: invalid_argument for a dimension that the network lacks. Cost: as `subset`.
  [[nodiscard]] processor slice(int dimension,
                                std::source_location where = std::source_location::current());

  /// Names memory of this processor once, for the one-sided rounds in which it reads, writes or takes
  /// part (window.hpp). The memory stays where it is while the window lives.
  /// Cost: nothing. Source: a window of one-sided communication (MPI_Win_create).
  /// Example: `auto table = me.window(part); … table.write(owner, 3, value); … table.sync();`
  template <payload_range Memory>
    requires std::is_lvalue_reference_v<Memory> || std::ranges::borrowed_range<Memory>
  [[nodiscard]] auto window(Memory&& memory);

  /// Reads `count` elements from element `offset` on of the memory that `owner` gives
  /// in this round. Collective in its round, which is made of all processors of the machine that
  /// read, write or serve when no other processor can go on. Each gives memory of its own, `mine`,
  /// which others may not write to while its processor reads.
  ///
  /// Errors: invalid_rank; not_adjacent; barrier_mismatch if the owner takes no part; type_mismatch
  /// if the owner's elements are not of the type of `mine`; size_mismatch outside its memory; and
  /// step_limit, port_conflict, link_contention as elsewhere.
  ///
  /// Cost: one message of `count` elements from the owner, with what its memory holds at the
  /// beginning of the round: the owner's out-port, in its `now` or later, and this processor's
  /// in-port; the request is free (counting rule 10). Readers of one owner are served by rank.
  template <payload_range Memory>
  [[nodiscard]] auto read(int owner, std::size_t offset, std::size_t count, Memory const& mine,
                          std::source_location where = std::source_location::current()) {
    return one_sided_read(owner, offset, count, elements_of(mine), where)
        .template to_vector<std::ranges::range_value_t<Memory>>();
  }

  /// Writes `values` to the memory that `owner` gives in this round, from its element
  /// `offset` on. Collective as `read`; reads of the same round see what was there before, and of
  /// writes to one place that of the highest rank stays. Others may write to `mine`.
  /// Errors: those of `read`, with the type of `values`; invalid_argument if the owner reads in
  /// this round, or serves const memory.
  /// Cost: one message to the owner, in this processor's `now` or later.
  template <payload_range Values, payload_range Memory>
  void write(int owner, std::size_t offset, Values const& values, Memory&& mine,
             std::source_location where = std::source_location::current()) {
    one_sided_write(owner, offset, elements_of(values), buffer_of(mine), where);
  }

  /// Takes part in a round of one-sided reads and writes without asking for anything. Others may
  /// write to `mine` unless it is const.
  /// Errors: those of `receive`, for what others write. Cost: the messages that others ask for.
  template <payload_range Memory>
  void serve(Memory&& mine, std::source_location where = std::source_location::current()) {
    constexpr bool writable =
        !std::is_const_v<std::remove_reference_t<std::ranges::range_reference_t<Memory>>>;
    one_sided_serve(elements_of(mine), writable, where);
  }

  // Calls that cannot work, each with the text that the compiler prints for it. They give what the right
  // call would, so that no second error follows.
  /// @cond
  // g++ shows the line of the name.
  // clang-format off
  LOCKSTEP_REFUSALS_BEGIN
  template <class Values>
    requires(!payload<Values>)
  void send(destination, Values&&, std::source_location = {}) LOCKSTEP_REFUSED("send numbers, flat structs, or a vector of these: no pointers, vectors of vectors, or vector<bool>");
  template <class Values>
    requires(!payload<Values>)
  void post(int, Values const&, std::source_location = {}) LOCKSTEP_REFUSED("post numbers, flat structs, or a vector of these: no pointers, vectors of vectors, or vector<bool>");
  template <class Values>
    requires(!payload<Values>)
  std::decay_t<Values> exchange(int, Values&&, std::source_location = {}) LOCKSTEP_REFUSED("exchange numbers, flat structs, or a vector of these: no pointers, vectors of vectors, or vector<bool>");
  template <class Values>
    requires(!payload<Values>)
  std::decay_t<Values> exchange(destination, Values&&, int, std::source_location = {}) LOCKSTEP_REFUSED("exchange numbers, flat structs, or a vector of these: no pointers, vectors of vectors, or vector<bool>");
  template <class Values>
    requires(!payload<Values>)
  std::decay_t<Values> shift(along, Values&&, std::source_location = {}) LOCKSTEP_REFUSED("shift numbers, flat structs, or a vector of these: no pointers, vectors of vectors, or vector<bool>");
  template <class Buffer>
    requires(!payload_range<Buffer>)
  void receive_into(int, Buffer&&, std::source_location = {}) LOCKSTEP_REFUSED("receive into a vector, array or span of numbers or flat structs; one of them is x = receive_value<int>(from)");
  std::optional<int> neighbour(int, int) LOCKSTEP_REFUSED("write neighbour(along{dimension, offset})");
  LOCKSTEP_REFUSALS_END
  // clang-format on
  template <class Values>
  typename detail::received_as<std::decay_t<Values>>::type exchange(along, Values&&,
                                                                    std::source_location = {}) {
    static_assert(detail::is_never<Values>,
                  "write shift(along, values), or exchange(to, values, from)");
    detail::never_reached();
  }
  template <bool IsSaid = false>
  std::vector<int> receive(int, std::source_location = {}) {
    static_assert(IsSaid, "name the type that comes in: receive<int>(from)");
    return {};
  }
  template <bool IsSaid = false>
  std::vector<int> receive(int, std::size_t, std::source_location = {}) {
    static_assert(IsSaid, "name the type that comes in: receive<int>(from, elements)");
    return {};
  }
  template <bool IsSaid = false>
  int receive_value(int, std::source_location = {}) {
    static_assert(IsSaid, "name the type that comes in: receive_value<int>(from)");
    return {};
  }
  template <bool IsSaid = false>
  message_from<int> receive_any(std::source_location = {}) {
    static_assert(IsSaid, "name the type that comes in: receive_any<int>()");
    return {};
  }
  template <bool IsSaid = false>
  std::optional<std::vector<int>> try_receive(int, std::source_location = {}) {
    static_assert(IsSaid, "name the type that comes in: try_receive<int>(from)");
    return {};
  }
  template <bool IsSaid = false>
  std::vector<message_from<int>> deliver() {
    static_assert(IsSaid, "name the type that comes in: deliver<int>()");
    return {};
  }
  // A reference, so that a concept does not take these for calls that give a T.
  template <class T>
    requires(!payload_element<T>)
  std::decay_t<T>&& receive(int, std::source_location = {}) {
    static_assert(detail::is_never<T>,
                  "name the type of one element, a number or a flat struct: receive<int>(from) "
                  "gives a vector");
    detail::never_reached();
  }
  template <class T>
    requires(!payload_element<T>)
  std::decay_t<T>&& receive_value(int, std::source_location = {}) {
    static_assert(
        detail::is_never<T>,
        "name the type of one element, a number or a flat struct: receive_value<int>(from)");
    detail::never_reached();
  }
  template <class T>
    requires(!payload_element<T>)
  message_from<T>&& receive_any(std::source_location = {}) {
    static_assert(detail::is_never<T>,
                  "name the type of one element, a number or a flat struct: receive_any<int>() "
                  "gives a vector of them");
    detail::never_reached();
  }
  template <class T>
    requires(!payload_element<T>)
  std::optional<std::vector<T>>&& try_receive(int, std::source_location = {}) {
    static_assert(detail::is_never<T>,
                  "name the type of one element, a number or a flat struct: try_receive<int>(from) "
                  "gives a vector of them");
    detail::never_reached();
  }
  template <class T>
    requires(!payload_element<T>)
  std::vector<message_from<T>>&& deliver() {
    static_assert(detail::is_never<T>,
                  "name the type of one element, a number or a flat struct: deliver<int>() gives "
                  "vectors of them");
    detail::never_reached();
  }
  template <class T>
  std::vector<std::decay_t<T>> receive(along, std::source_location = {}) {
    static_assert(
        detail::is_never<T>,
        "receive from a rank, which me.neighbour(along) finds, or write shift(along, values)");
    return {};
  }
  template <class T>
  std::decay_t<T> receive_value(along, std::source_location = {}) {
    static_assert(
        detail::is_never<T>,
        "receive from a rank, which me.neighbour(along) finds, or write shift(along, values)");
    detail::never_reached();
  }
  /// @endcond

 private:
  friend struct detail::processor_state;
  friend class detail::untyped_calls;
  friend class detail::memo_of_processor;
  friend class library_call;
  template <class T>
  friend class lockstep::window;
  processor(detail::processor_state& state, detail::group const* members, int rank, int size,
            bool shown)
      : m_state(&state), m_group(members), m_rank(rank), m_size(size), m_shown(shown) {}

  template <class T>
  [[nodiscard]] static std::byte const* bytes(T const* data) {
    return reinterpret_cast<std::byte const*>(data);
  }

  template <class Values>
  [[nodiscard]] static detail::elements elements_of(Values const& values) {
    if constexpr (payload_range<Values const&>) {
      using element = std::ranges::range_value_t<Values>;
      return {bytes(std::ranges::data(values)), std::ranges::size(values),
              &detail::payload_type_of<element>};
    } else {
      return {bytes(&values), 1, &detail::payload_type_of<Values>};
    }
  }

  template <class Buffer>
  [[nodiscard]] static detail::receive_buffer buffer_of(Buffer&& in) {
    using element = std::ranges::range_value_t<Buffer>;
    static_assert(!std::is_const_v<std::remove_reference_t<std::ranges::range_reference_t<Buffer>>>,
                  "messages are received into memory that can be written");
    return {reinterpret_cast<std::byte*>(std::ranges::data(in)), std::ranges::size(in),
            &detail::payload_type_of<element>};
  }

  template <class T, class Take>
  [[nodiscard]] static T into_value(Take&& take) {
    alignas(T) std::array<std::byte, sizeof(T)> raw{};
    take(detail::receive_buffer{raw.data(), 1, &detail::payload_type_of<T>});
    if constexpr (std::is_trivially_copyable_v<T>)
      return std::bit_cast<T>(raw);
    else
      return *std::launder(reinterpret_cast<T const*>(raw.data()));  // a pair or tuple
  }

  /// Gives the same processor, of the same machine or subset, for a member.
  [[nodiscard]] processor same() const { return {*m_state, m_group, m_rank, m_size, m_shown}; }

  /// Who takes what a processor shifts, and whose it takes.
  struct shift_ends {
    std::optional<int> to;
    std::optional<int> from;
  };
  [[nodiscard]] shift_ends ends_of_shift(along way, std::source_location where);
  [[nodiscard]] processor slice_of_plane(char const* call, int dimension,
                                         std::source_location where);
  [[nodiscard]] detail::group& members() const;
  void count_work(std::uint64_t operations, std::source_location where);
  void count_first_work(std::uint64_t operations, std::source_location where);
  /// A processor that makes no calls while the scope lasts.
  class computing_scope {
   public:
    computing_scope(processor& of, std::source_location where)
        : m_of(of), m_begun(of.begin_computing(where)) {}
    computing_scope(computing_scope const&) = delete;
    computing_scope& operator=(computing_scope const&) = delete;
    ~computing_scope() {
      if (m_begun) m_of.end_computing();
    }

   private:
    processor& m_of;
    bool m_begun;
  };
  template <class Compute>
  auto count_operations(operation_counts& into, Compute&& compute, std::source_location where) {
    computing_scope const computes(*this, where);
    detail::counting_scope const counts(into);
    return std::forward<Compute>(compute)();
  }
  /// A label that encloses those given while it lives.
  class enclosing_label {
   public:
    enclosing_label(processor& of, std::string_view name, std::source_location where)
        : m_of(of), m_before(of.begin_enclosing_label(name, where)) {}
    enclosing_label(enclosing_label const&) = delete;
    enclosing_label& operator=(enclosing_label const&) = delete;
    ~enclosing_label() { m_of.end_enclosing_label(m_before); }

   private:
    processor& m_of;
    detail::label_place m_before;
  };
  /// Result: the tag before.
  [[nodiscard]] int begin_tag(int tag, std::source_location where);
  static void end_tag(detail::processor_state& of, int before) noexcept;
  [[nodiscard]] detail::label_place begin_enclosing_label(std::string_view name,
                                                          std::source_location where);
  void end_enclosing_label(detail::label_place before) noexcept;
  void keep_note(std::string_view text, std::source_location where);
  /// Result: false while an exception unwinds the processor.
  [[nodiscard]] bool begin_computing(std::source_location where);
  void end_computing() noexcept;
  void refuse_work(std::int64_t operations, std::source_location where);
  void send_elements(destination to, detail::elements const& values, std::source_location where);
  void send_vector(destination to, void* vector, detail::payload_type const& type,
                   std::source_location where);
  /// Sends elements that stay as they are until the result ends, which is after a receive.
  [[nodiscard]] detail::lent_payload lend_elements(destination to, detail::elements const& values,
                                                   int from, std::source_location where) {
    if (values.count * values.type->size >= detail::lent_payload::fewest_bytes) [[unlikely]]
      return lend_long(to, values, from, where);
    send_elements(to, values, where);
    return detail::lent_payload(nullptr);
  }
  [[nodiscard]] detail::lent_payload lend_long(destination to, detail::elements const& values,
                                               int from, std::source_location where);
  /// `wanted`: how many elements; nullptr takes any number.
  [[nodiscard]] detail::received_message take(int from, detail::payload_type const& type,
                                              std::size_t const* wanted,
                                              std::source_location where);
  void take_into(int from, detail::receive_buffer const& in, std::source_location where);
  void exchange_elements(destination to, detail::elements const& out,
                         detail::receive_buffer const& in, int from, std::source_location where);
  void exchange_translated(destination to, detail::elements const& out,
                           detail::receive_buffer const& in, int from, std::source_location where);
  template <class T>
  [[nodiscard]] message_from<T> take_any(std::span<int const> const* among,
                                         std::source_location where) {
    message_from<T> result;
    auto taken = take_first(among, detail::payload_type_of<T>, result.from, where);
    result.values = taken.template to_vector<T>();
    return result;
  }
  /// `among`: nullptr for all. Writes the sender's rank to `from`.
  [[nodiscard]] detail::received_message take_first(std::span<int const> const* among,
                                                    detail::payload_type const& type, int& from,
                                                    std::source_location where);
  [[nodiscard]] detail::received_message try_take(int from, detail::payload_type const& type,
                                                  std::source_location where);
  void post_elements(int to, detail::elements const& values, std::source_location where);
  /// Result: empty while an exception unwinds the processor.
  [[nodiscard]] std::span<detail::delivered_mail const> begin_delivery(
      detail::payload_type const& type, deliver_options const& options, std::source_location where);
  void end_delivery(std::source_location where);
  void exchange_mail(detail::barrier_kind begins, detail::payload_type const& type,
                     std::source_location where);
  void begin_pipelined(std::source_location where);
  void end_pipelined(std::source_location where);
  void abandon_pipelined(std::source_location where);
  [[nodiscard]] detail::received_message one_sided_read(int owner, std::size_t offset,
                                                        std::size_t count,
                                                        detail::elements const& mine,
                                                        std::source_location where);
  void one_sided_write(int owner, std::size_t offset, detail::elements const& values,
                       detail::receive_buffer const& mine, std::source_location where);
  void one_sided_serve(detail::elements const& mine, bool writable, std::source_location where);
  void keep_shown(std::string_view name, std::function<shown_value()> const& copy,
                  std::source_location where);

  detail::processor_state* m_state;
  detail::group const* m_group;  ///< nullptr: the whole machine
  int m_rank;
  int m_size;
  bool m_shown;                           ///< an observer keeps what `show` says
  detail::work_meter* m_meter = nullptr;  ///< the processor's, once the machine has counted work
  mutable detail::collectives_memo const* m_memo = nullptr;  ///< no part of what it is
};

/// The time in which messages of a processor have a tag (`processor::tagged`); the one before is valid
/// again when it ends.
class processor::tagged_messages {
 public:
  tagged_messages(tagged_messages const&) = delete;
  tagged_messages& operator=(tagged_messages const&) = delete;
  ~tagged_messages() { processor::end_tag(m_state, m_before); }

  processor* operator->() const noexcept { return &m_of; }

 private:
  friend class processor;
  tagged_messages(processor& of, int tag, std::source_location where)
      : m_of(of), m_state(*of.m_state), m_before(of.begin_tag(tag, where)) {}

  processor& m_of;
  detail::processor_state& m_state;  ///< which outlives a subset that was not kept
  int m_before;
};

inline processor::tagged_messages processor::tagged(int tag, std::source_location where) {
  return {*this, tag, where};
}

}  // namespace lockstep

#include <lockstep/window.hpp>  // IWYU pragma: export: processor::window
