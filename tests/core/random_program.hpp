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
  pipelined_end,
  rearrange,
  pass,
  fail  ///< the program throws an exception of its own
};

/// How an outgoing payload is given: a single element, memory that is copied, or a moved vector.
enum class giving : std::uint8_t { value, span, moved };
/// How an incoming payload is asked for.
enum class taking : std::uint8_t { value, vector, into };

struct outgoing {
  int to = 0;
  std::optional<lockstep::along> way;  ///< instead of the rank
  element_type type = element_type::integer;
  std::size_t count = 1;
  std::uint64_t seed = 0;
  giving how = giving::value;
};

struct incoming {
  int from = 0;
  element_type type = element_type::integer;
  std::size_t count = 1;  ///< expected; `taking::vector` takes any number
  taking how = taking::value;
};

/// One call of a program.
struct operation {
  action what = action::idle;
  outgoing out;
  incoming in;
  std::uint64_t number = 1;  ///< steps, words or pass
  std::string name;          ///< of a phase
};

/// The calls of each processor.
using program = std::vector<std::vector<operation>>;

/// A program, and the machine that it is for.
struct experiment {
  std::shared_ptr<lockstep::topology const> network;
  lockstep::machine_options options;
  program calls;
};

/// Makes the calls on a real processor. Result: `now` after each call, preceded by a digest of what
/// it brought, where it brought something.
[[nodiscard]] std::vector<std::uint64_t> play(std::vector<operation> const& calls,
                                              lockstep::processor& me);

/// The program as text, a line a processor, for reports.
[[nodiscard]] std::string to_string(program const& calls);
[[nodiscard]] std::string to_string(experiment const& of);

}  // namespace reference
