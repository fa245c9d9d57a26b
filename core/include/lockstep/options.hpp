#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include <lockstep/recording.hpp>
#include <lockstep/topology.hpp>

namespace lockstep {

class cluster;

/// The ports of a processor: what it can send and take in during one step (counting rule 3).
enum class ports : std::uint8_t {
  one,      ///< one message out, one in
  all,      ///< one out and one in on each directed link
  per_pass  ///< one out and one in for each pass of the algorithm (`processor::pass`)
};

/// The engine that runs the processors. The counts are the same on each.
enum class engine : std::uint8_t {
  fibers,  ///< a fiber a processor, many to a worker
  threads  ///< a std::jthread a processor
};

/// Where the stacks of the fibers engine's processors lie.
enum class stacks : std::uint8_t {
  own,    ///< each processor has its own
  copied  ///< a worker's processors run on one, and a waiting processor's is kept densely elsewhere
};

/// The words of a message (counting rule 6).
enum class words : std::uint8_t {
  elements,  ///< one for each element, or as many as `words_of` says
  bytes      ///< its bytes, eight to a word, rounded up; `words_of` is not asked
};

/// The options of a machine besides its topology. Every option has a default. Those that a program
/// names stand in this order, as C++ wants it: `{.ports = ..., .switching = ..., .strict = true}`.
/// g++ refuses another order and names the option that comes too late; clang warns of both.
struct machine_options {
  lockstep::ports ports = lockstep::ports::one;
  /// The topology's own by default.
  std::optional<lockstep::switching> switching = std::nullopt;
  /// No buffers: a message that has to queue ends the run in port_conflict, two on one directed
  /// link in one step in link_contention.
  bool strict = false;
  /// Words in a packet, 1 to 2^32; the words of a message are rounded up to whole packets.
  std::uint64_t packet = 1;
  lockstep::engine engine = lockstep::engine::fibers;
  /// Workers of the fibers engine, at most 256; 0 takes as many as the computer runs at a time.
  /// Each has 8,192 processors at least, so a second one needs 16,384: with fewer they would wait
  /// for each other's data longer than they work. Workers share the threads that there are. The
  /// threads engine has a thread for each processor, which suits small machines whose programs
  /// compute much between messages.
  int workers = 0;
  /// Bytes of a fiber's stack, 16 KiB to 1 TiB: address space, in use only where touched. The
  /// threads engine uses the system's stacks.
  std::size_t stack = std::size_t{64} * 1024;
  /// A run that passes this many steps, at least 1, ends in step_limit. Above 2^62 it is 2^62.
  std::uint64_t max_steps = 1'000'000;
  /// Bytes in a word of memory, 1 at least: what `counts::memory` is counted in.
  std::size_t word_bytes = 8;
  /// For finding mistakes, on the fibers engine, for up to 16,384 processors: a run ends in
  /// foreign_access where a program touches what another processor took from
  /// `processor::memory`, or a payload that was moved away (reading the parts of it that do not
  /// fill a page is found with AddressSanitizer only). Such a run is slower, on one worker.
  bool guarded = false;
  /// Copied stacks suit machines of a million processors or more whose programs wait with little on
  /// their stacks: a processor then takes 0.9 to 3.3 KiB instead of 4.5, and less time to begin and
  /// end, but each wait copies what it has on its stack. While a processor waits, what lies on its
  /// stack is not there: nobody else may touch it (no program may give others a pointer to its
  /// local variables). Messages, phases and one-sided calls may name local variables as ever. On
  /// the fibers engine only. Under AddressSanitizer and ThreadSanitizer, which keep track of stacks
  /// by their addresses, each processor has its own all the same.
  lockstep::stacks stacks = lockstep::stacks::own;
  /// Keeps messages, calls and what processors show, for `run_record::view`. Such a run takes longer,
  /// and memory as a view_trace does; its counts are the same. Needs lockstep::view.
  recording recorded{};
  /// Keeps what each processor does, for `run_record::timeline`: 32 bytes for a send, a receive, a barrier,
  /// idle steps or work. Such a run takes longer; its counts are the same.
  bool clocked = false;
  /// The file for a page of a run that fails, with the steps up to there and the error: it is written
  /// before the error comes out of `machine::run`. Runs are recorded for that, as with `recorded`. A
  /// file that cannot be written changes nothing: the run's own error comes out. A run that is refused
  /// before it begins has no page. Needs lockstep::view.
  failure_page view_failure{};
  /// `words::bytes` counts messages by their size, padding of structs included.
  enum words count = words::elements;
  /// The processes that run the machine together, each a share of its processors, on the fibers engine:
  /// every process makes the same machine and calls `run` with the same program (docs/mpi.md). Whatever
  /// the run counts is the same on each, and the same as on one process. It has to outlive the machine.
  lockstep::cluster* cluster = nullptr;
};

}  // namespace lockstep
