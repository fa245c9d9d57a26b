#pragma once

#include <cstddef>
#include <source_location>
#include <span>
#include <string_view>

#include <lockstep/detail/payload_type.hpp>
#include <lockstep/detail/received_message.hpp>
#include <lockstep/mailbox.hpp>
#include <lockstep/processor.hpp>

namespace lockstep::detail {

/// The calls of a processor whose payloads have a type that is known at run time only, for bindings of
/// other languages. Their errors and cost are those of `send` and `receive`.
class untyped_calls {
 public:
  /// Sends a copy of elements.
  static void send(processor& me, destination to, elements const& values,
                   std::source_location where) {
    me.send_elements(to, values, where);
  }
  /// Sends what `type` takes for a vector, which is moved. It has at most the size of a std::vector.
  static void send_vector(processor& me, destination to, void* vector, payload_type const& type,
                          std::source_location where) {
    me.send_vector(to, vector, type, where);
  }
  /// Receives the oldest message, of `wanted` elements; nullptr takes any number.
  [[nodiscard]] static received_message receive(processor& me, int from, payload_type const& type,
                                                std::size_t const* wanted,
                                                std::source_location where) {
    return me.take(from, type, wanted, where);
  }
  /// Receives the first message of all, or of those from `among`, and writes its sender to `from`.
  [[nodiscard]] static received_message receive_any(processor& me,
                                                    std::span<int const> const* among,
                                                    payload_type const& type, int& from,
                                                    std::source_location where) {
    return me.take_first(among, type, from, where);
  }
  /// Receives the oldest message if it has come.
  [[nodiscard]] static received_message try_receive(processor& me, int from,
                                                    payload_type const& type,
                                                    std::source_location where) {
    return me.try_take(from, type, where);
  }

  /// Posts a copy of elements.
  static void post(processor& me, int to, elements const& values, std::source_location where) {
    me.post_elements(to, values, where);
  }
  /// Delivers what was posted: calls `take(delivered_mail)` for each sender, whose elements stay until it
  /// returns.
  template <class Take>
  static void deliver(processor& me, payload_type const& type, deliver_options const& options,
                      std::source_location where, Take&& take) {
    auto const delivered = me.begin_delivery(type, options, where);
    try {
      for (auto const& one : delivered) take(one);
    } catch (...) {
      me.abandon_pipelined(where);
      throw;
    }
    me.end_delivery(where);
  }

  /// Reads elements of another processor's memory, of the type of this one's own, `mine`.
  [[nodiscard]] static received_message read(processor& me, int owner, std::size_t offset,
                                             std::size_t count, elements const& mine,
                                             std::source_location where) {
    return me.one_sided_read(owner, offset, count, mine, where);
  }
  /// Writes elements to another processor's memory.
  static void write(processor& me, int owner, std::size_t offset, elements const& values,
                    receive_buffer const& mine, std::source_location where) {
    me.one_sided_write(owner, offset, values, mine, where);
  }
  /// Takes part in a round of one-sided calls.
  static void serve(processor& me, elements const& mine, bool writable,
                    std::source_location where) {
    me.one_sided_serve(mine, writable, where);
  }

  /// Gives messages a tag. Result: what `end_tag` takes.
  [[nodiscard]] static int begin_tag(processor& me, int tag, std::source_location where) {
    return me.begin_tag(tag, where);
  }
  /// Makes the tag before valid again.
  static void end_tag(processor& me, int before) noexcept {
    processor::end_tag(*me.m_state, before);
  }

  /// Begins a label inside of the present one. Result: what `end_label` takes.
  [[nodiscard]] static label_place begin_label(processor& me, std::string_view name,
                                               std::source_location where) {
    return me.begin_enclosing_label(name, where);
  }
  /// Makes the label before valid again.
  static void end_label(processor& me, label_place before) noexcept {
    me.end_enclosing_label(before);
  }

  /// Finds a processor's own memory, without a call: on any stack, which `processor::memory` may leave for good where
  /// the run has failed.
  [[nodiscard]] static processor_memory& memory_of(processor const& me);

  /// Finds the vector that a message carries; nullptr if it has a copy of elements.
  [[nodiscard]] static void* vector_of(received_message const& taken) {
    return taken.moved_vector();
  }
  /// Finds the elements of a message.
  [[nodiscard]] static std::byte const* data_of(received_message const& taken) {
    return taken.data();
  }
  /// Counts them.
  [[nodiscard]] static std::size_t count_of(received_message const& taken) { return taken.count(); }
};

}  // namespace lockstep::detail
