#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <source_location>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <lockstep/detail/parcel.hpp>
#include <lockstep/payload.hpp>
#include <lockstep/topology.hpp>

namespace lockstep {

namespace detail {
struct processor_state;
class group;
class runtime;
}  // namespace detail

/// Where a message goes: a rank, or a way along a dimension.
struct destination {
  int rank = -1;
  along way{};

  destination(int to) : rank(to) {}  // NOLINT(google-explicit-constructor): a rank is a destination
  destination(along to) : way(to), by_way(true) {}  // NOLINT(google-explicit-constructor)

  bool by_way = false;
};

/// A virtual processor, as its program sees it. It is in one step at a time, `now`, at first 1; the
/// counting rules say what each call does to `now`. Valid during the run, in the program's own
/// call.
///
/// Every call may throw what section "errors" of its comment says, and in addition ends the
/// processor (by an exception of a private type; let it pass) when the run has failed elsewhere.
class processor {
 public:
  processor(processor const&) = delete;
  processor& operator=(processor const&) = delete;

  [[nodiscard]] int rank() const noexcept { return m_rank; }
  [[nodiscard]] int size() const noexcept { return m_size; }
  /// The network of the machine, or of the subset.
  [[nodiscard]] lockstep::topology const& topology() const noexcept;
  /// The step that this processor is in.
  [[nodiscard]] std::uint64_t now() const noexcept;

  /// Sends one message: an element, a contiguous range of elements, or a vector that is moved, not
  /// copied.
  /// Errors: invalid_rank; not_adjacent; step_limit; on a strict machine link_contention.
  /// Cost: the out-port in step `now`, or in the next if it is taken; sending never waits.
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

  /// The oldest message from that processor, of any number of elements.
  /// Errors: invalid_rank; not_adjacent; type_mismatch; deadlock; step_limit; on a strict machine
  /// port_conflict.
  /// Cost: the in-port in the first step in which it is free and the message is there.
  template <payload_element T>
  [[nodiscard]] std::vector<T> receive(
      int from, std::source_location where = std::source_location::current()) {
    return take(from, detail::payload_type_of<T>, where).template to_vector<T>();
  }

  /// The oldest message from that processor, which must have one element.
  /// Errors: size_mismatch, and as `receive`.
  template <payload_element T>
  [[nodiscard]] T receive_value(int from,
                                std::source_location where = std::source_location::current()) {
    return into_value<T>([&](detail::room const& in) { take_into(from, in, where); });
  }

  /// The oldest message from that processor, which must have in.size() elements.
  /// Errors: size_mismatch, and as `receive`.
  template <payload_range Room>
  void receive_into(int from, Room&& in,
                    std::source_location where = std::source_location::current()) {
    take_into(from, room_of(in), where);
  }

  /// Exactly `send(partner, values)`, then `receive` from the partner: an element for an element, a
  /// vector for a range.
  template <payload Values>
  auto exchange(int partner, Values&& values,
                std::source_location where = std::source_location::current()) {
    return exchange(destination{partner}, std::forward<Values>(values), partner, where);
  }

  /// Exactly `send(to, values)`, then `receive` from `from`.
  template <payload Values>
  auto exchange(destination to, Values&& values, int from,
                std::source_location where = std::source_location::current()) ->
      typename detail::received_as<std::remove_cvref_t<Values>>::type {
    if constexpr (payload_range<Values>) {
      send(to, std::forward<Values>(values), where);
      return receive<std::ranges::range_value_t<Values>>(from, where);
    } else {
      using element = std::remove_cvref_t<Values>;
      return into_value<element>([&](detail::room const& in) {
        exchange_elements(to, elements_of(values), in, from, where);
      });
    }
  }

  /// Exactly `send(to, out)`, then `receive_into(from, in)`. `out` and `in` must not overlap.
  template <payload_range Values, payload_range Room>
  void exchange_into(destination to, Values&& out, Room&& in, int from,
                     std::source_location where = std::source_location::current()) {
    exchange_elements(to, elements_of(out), room_of(in), from, where);
  }

  /// Lets k steps pass. Errors: step_limit.
  void idle(std::uint64_t steps = 1, std::source_location where = std::source_location::current());

  /// All processors (of the machine or subset) go on in the same step.
  /// Errors: barrier_mismatch, deadlock.
  void barrier(std::source_location where = std::source_location::current());

  /// A barrier that names what follows; counts are kept per phase. In a subset a barrier that names
  /// nothing.
  void phase(std::string_view name, std::source_location where = std::source_location::current());

  /// Says that this processor re-laid that many words of its memory.
  void rearrange(std::uint64_t words, std::source_location where = std::source_location::current());

  /// Rounds that pay one start-up together (counting rule 5). Called by all members of the machine
  /// or subset; begins and ends with a barrier of it; not nested.
  /// Errors: invalid_argument if nested.
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

  /// Which pass of an algorithm the next messages, sent and received, belong to (ports::per_pass),
  /// at first 0.
  void pass(int number, std::source_location where = std::source_location::current());

  /// Part of the machine with ranks of its own, 0 .. size()-1 in the order of `members`; nothing
  /// else is new: same clock, ports, channels and links. Takes no step. Its topology is a hypercube
  /// for a subcube, a ring for a row, else a crossbar.
  /// Errors: invalid_rank; invalid_argument for a rank named twice or if this processor is not a
  /// member.
  [[nodiscard]] processor subset(std::span<int const> members,
                                 std::source_location where = std::source_location::current());
  /// The processors that differ from this one at most in these dimensions, in rank order.
  [[nodiscard]] processor subset(dimensions const& varying,
                                 std::source_location where = std::source_location::current());

  /// One-sided read: `count` elements from `offset` on of the memory that `owner` gives in this round.
  /// Collective in its round, which is made of all that read, write or serve when nobody else can go
  /// on: every member gives memory of its own, `mine`, a contiguous range.
  /// Errors: invalid_rank; not_adjacent; barrier_mismatch if the owner takes no part; type_mismatch;
  /// size_mismatch outside its memory.
  /// Cost: one message from the owner, stamped by its clock, with what its memory holds at the
  /// beginning of the round; the request is free (counting rule 10). Several readers of one owner
  /// are served in the order of their ranks.
  template <payload_range Memory>
  [[nodiscard]] auto read(int owner, std::size_t offset, std::size_t count, Memory const& mine,
                          std::source_location where = std::source_location::current()) {
    return one_sided_read(owner, offset, count, elements_of(mine), where)
        .template to_vector<std::ranges::range_value_t<Memory>>();
  }

  /// One-sided write of `values` to the place `offset` of the memory that `owner` gives in this
  /// round. As `read`; reads of the same round see what was there before. Cost: one message to the owner.
  template <payload_range Values, payload_range Memory>
  void write(int owner, std::size_t offset, Values const& values, Memory&& mine,
             std::source_location where = std::source_location::current()) {
    one_sided_write(owner, offset, elements_of(values), room_of(mine), where);
  }

  /// Takes part in a round of one-sided reads and writes without asking for anything. Memory that is const is
  /// read only: a write to it is an invalid_argument.
  template <payload_range Memory>
  void serve(Memory&& mine, std::source_location where = std::source_location::current()) {
    constexpr bool writable =
        !std::is_const_v<std::remove_reference_t<std::ranges::range_reference_t<Memory>>>;
    one_sided_serve(elements_of(mine), writable, where);
  }

 private:
  friend struct detail::processor_state;
  processor(detail::processor_state& state, detail::group const* members, int rank, int size)
      : m_state(&state), m_group(members), m_rank(rank), m_size(size) {}

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

  template <class Room>
  [[nodiscard]] static detail::room room_of(Room&& in) {
    using element = std::ranges::range_value_t<Room>;
    static_assert(!std::is_const_v<std::remove_reference_t<std::ranges::range_reference_t<Room>>>,
                  "messages are received into memory that can be written");
    return {reinterpret_cast<std::byte*>(std::ranges::data(in)), std::ranges::size(in),
            &detail::payload_type_of<element>};
  }

  template <class T, class Take>
  [[nodiscard]] static T into_value(Take&& take) {
    alignas(T) std::array<std::byte, sizeof(T)> raw{};
    take(detail::room{raw.data(), 1, &detail::payload_type_of<T>});
    return std::bit_cast<T>(raw);
  }

  [[nodiscard]] detail::group& members() const;
  void send_elements(destination to, detail::elements const& values, std::source_location where);
  void send_vector(destination to, void* vector, detail::payload_type const& type,
                   std::source_location where);
  [[nodiscard]] detail::parcel take(int from, detail::payload_type const& type,
                                    std::source_location where);
  void take_into(int from, detail::room const& in, std::source_location where);
  void exchange_elements(destination to, detail::elements const& out, detail::room const& in,
                         int from, std::source_location where);
  void begin_pipelined(std::source_location where);
  void end_pipelined(std::source_location where);
  void abandon_pipelined(std::source_location where);
  [[nodiscard]] detail::parcel one_sided_read(int owner, std::size_t offset, std::size_t count,
                                              detail::elements const& mine,
                                              std::source_location where);
  void one_sided_write(int owner, std::size_t offset, detail::elements const& values,
                       detail::room const& mine, std::source_location where);
  void one_sided_serve(detail::elements const& mine, bool writable, std::source_location where);

  detail::processor_state* m_state;
  detail::group const* m_group;  ///< nullptr: the whole machine
  int m_rank;
  int m_size;
};

}  // namespace lockstep
