#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <lockstep/options.hpp>
#include <lockstep/processor.hpp>
#include <lockstep/topology.hpp>

#include "random_payload.hpp"

namespace reference {

enum class action : std::uint8_t {
  send,
  receive,
  exchange,  ///< exactly send, then receive
  idle,
  barrier,
  phase,
  pipelined_begin,
  pipelined_end,  ///< nothing where no rounds have begun
  rearrange,
  pass,
  tag,  ///< of the messages from here on
  subset,
  read,
  write,
  serve,
  receive_any,  ///< `in.type`; among `of.members` if it has some
  pending,      ///< messages of `in.from`
  try_receive,  ///< up to `number` times, then receives as in `in`
  post,
  deliver,      ///< `number`: 2 with .announced; `in.type`: what is delivered
  allocate,     ///< takes bytes of the processor's own memory
  free_memory,  ///< gives back what it took last
  work,
  label,  ///< `name`; `number`: 0, or 1 around the next call, or 2 with another inside of it
  fail    ///< the program throws an exception of its own
};

/// How an outgoing payload is given: a single element, memory that is copied, or a moved vector.
enum class giving : std::uint8_t { value, span, moved };
/// How an incoming payload is asked for. `counted`: a vector of that many elements. `in_place`: the
/// memory that an exchange sends from.
enum class taking : std::uint8_t { value, vector, counted, into, in_place };

/// All ranks are those on the machine, also in calls through a subset: whoever makes the call
/// translates. A rank that the machine does not have stays as it is.
struct outgoing {
  int to = 0;
  std::optional<lockstep::along> way{};  ///< instead of the rank
  element_type type = element_type::integer;
  std::size_t count = 1;  ///< of a value: 1
  std::uint64_t seed = 0;
  giving how = giving::value;
};

struct incoming {
  int from = 0;
  element_type type = element_type::integer;
  std::size_t count = 1;  ///< expected; `taking::vector` takes any number
  taking how = taking::value;
};

/// What a one-sided call asks for; of a write also what it writes.
struct one_sided_request {
  int owner = 0;
  std::size_t offset = 0;
  std::size_t count = 1;
  element_type type =
      element_type::integer;  ///< of a write; a read asks for that of its own memory
  std::uint64_t seed = 0;
};

/// The memory that a processor gives in a one-sided round.
struct given_memory {
  element_type type = element_type::integer;
  std::size_t count = 1;
  std::uint64_t seed = 0;
  bool constant = false;  ///< of serve
};

/// The processors of a subset, in its order, and its dimensions if it is asked for by these.
struct part {
  std::vector<int> members{};
  std::optional<std::vector<int>> varying{};
};

/// The subset that is the whole machine: `operation::through`.
inline constexpr std::uint64_t whole_machine = 0;

/// One call of a program.
struct operation {
  action what = action::idle;
  outgoing out{};
  incoming in{};
  std::uint64_t number =
      1;  ///< steps, words, pass, tag, bytes, operations, or the number of the subset that is made
  std::string name{};                     ///< of a phase or label
  std::uint64_t through = whole_machine;  ///< the subset that it goes through; left out if not made
  part of{};                              ///< of subset
  one_sided_request asked{};
  given_memory mine{};
  int event = -1;       ///< calls with the same number belong together
  bool caught = false;  ///< the program catches lockstep's errors
  bool shifts =
      false;  ///< an exchange along `out.way`, or what a mesh's edge leaves of it: by `shift`
};

/// The calls of each processor.
using program = std::vector<std::vector<operation>>;

/// A program, and the machine that it is for.
struct experiment {
  std::shared_ptr<lockstep::topology const> network;
  lockstep::machine_options options;
  program calls;
};

/// Makes a call of which nothing else has to be said.
[[nodiscard]] inline operation plain_call(action what, std::uint64_t number = 1) {
  operation made;
  made.what = what;
  made.number = number;
  return made;
}

/// The label that a call of action::label with number 2 gives inside of its own.
inline constexpr char const* inner_label = "inner";
/// Whether a call is made inside of the label before it, where that is around the next call.
[[nodiscard]] inline bool goes_inside(operation const& call) {
  return call.what != action::pipelined_begin && call.what != action::pipelined_end &&
         call.what != action::label;
}

/// Elements of the message that the call sends.
[[nodiscard]] inline std::size_t elements_sent(operation const& call) {
  bool const one =
      call.what == action::exchange ? call.in.how == taking::value : call.out.how == giving::value;
  return one ? 1 : call.out.count;
}

/// Finds the rank of a processor of the machine in the group of these members, or gives one that the
/// group does not have.
[[nodiscard]] int rank_in(std::vector<int> const& members, int on_machine, int machine_size);

/// Makes the calls on a real processor. Result: `now` after each call, preceded by a digest of what
/// it brought, where it brought something.
[[nodiscard]] std::vector<std::uint64_t> play(std::vector<operation> const& calls,
                                              lockstep::processor& me);

/// One number for a text.
[[nodiscard]] std::uint64_t digest_of_text(std::string const& text);

/// The number of calls of a program.
[[nodiscard]] std::size_t length(program const& calls);

/// The program as text, a line a processor, for reports.
[[nodiscard]] std::string to_string(program const& calls);
[[nodiscard]] std::string to_string(experiment const& of);

}  // namespace reference
