#include <sstream>
#include <stdexcept>
#include <utility>

#include "random_program.hpp"

namespace reference {
namespace {

template <class T>
std::vector<T> make_payload(outgoing const& out) {
  std::vector<T> values;
  for (std::size_t index = 0; index < out.count; ++index)
    values.push_back(encode<T>(code_of(out.seed, index)));
  return values;
}

template <class T>
std::uint64_t digest_of(std::vector<T> const& values) {
  std::vector<std::uint64_t> codes;
  for (auto const& one : values) codes.push_back(decode<T>(one));
  return digest(codes);
}

/// Calls `visit` with an element of this type.
template <class Visitor>
auto with_type(element_type type, Visitor&& visit) {
  switch (type) {
    case element_type::byte:
      return visit(static_cast<signed char>(0));
    case element_type::integer:
      return visit(0);
    case element_type::real:
      return visit(0.0);
    case element_type::triple:
      break;
  }
  return visit(triple{});
}

lockstep::destination where_to(outgoing const& out) {
  if (out.way) return {*out.way};
  return {out.to};
}

/// Makes the calls of one processor, one after another.
class player {
 public:
  player(std::vector<operation> const& calls, lockstep::processor& me) : m_calls(calls), m_me(me) {}

  std::vector<std::uint64_t> play() {
    while (m_next < m_calls.size()) make(m_calls[m_next++]);
    return std::move(m_result);
  }

 private:
  void make(operation const& call) {
    switch (call.what) {
      case action::send:
        send(call.out);
        break;
      case action::receive:
        m_result.push_back(receive(call.in));
        break;
      case action::exchange:
        m_result.push_back(exchange(call));
        break;
      case action::idle:
        m_me.idle(call.number);
        break;
      case action::barrier:
        m_me.barrier();
        break;
      case action::phase:
        m_me.phase(call.name);
        break;
      case action::pipelined_begin:
        m_me.pipelined([&] { inside_pipelined(); });
        break;
      case action::pipelined_end:
        break;
      case action::rearrange:
        m_me.rearrange(call.number);
        break;
      case action::pass:
        m_me.pass(static_cast<int>(call.number));
        break;
      case action::fail:
        throw std::runtime_error("the program's own");
    }
    m_result.push_back(m_me.now());
  }

  /// Up to the end; the call after it is the one that ended the rounds.
  void inside_pipelined() {
    m_result.push_back(m_me.now());
    while (m_next < m_calls.size() && m_calls[m_next].what != action::pipelined_end)
      make(m_calls[m_next++]);
    ++m_next;
  }

  void send(outgoing const& out) {
    with_type(out.type, [&](auto sample) {
      auto values = make_payload<decltype(sample)>(out);
      switch (out.how) {
        case giving::value:
          m_me.send(where_to(out), values.front());
          break;
        case giving::span:
          m_me.send(where_to(out), std::span(std::as_const(values)));
          break;
        case giving::moved:
          m_me.send(where_to(out), std::move(values));
          break;
      }
    });
  }

  std::uint64_t receive(incoming const& in) {
    return with_type(in.type, [&](auto sample) {
      using element = decltype(sample);
      std::vector<element> values(in.count);
      switch (in.how) {
        case taking::value:
          values = {m_me.receive_value<element>(in.from)};
          break;
        case taking::vector:
          values = m_me.receive<element>(in.from);
          break;
        case taking::into:
          m_me.receive_into(in.from, values);
          break;
      }
      return digest_of(values);
    });
  }

  std::uint64_t exchange(operation const& call) {
    auto const& [out, in] = std::pair{call.out, call.in};
    return with_type(out.type, [&](auto sample) {
      using element = decltype(sample);
      auto values = make_payload<element>(out);
      std::vector<element> taken(in.count);
      if (in.how == taking::into)
        m_me.exchange_into(where_to(out), values, taken, in.from);
      else if (in.how == taking::value)
        taken = {m_me.exchange(where_to(out), values.front(), in.from)};
      else if (out.how == giving::moved)
        taken = m_me.exchange(where_to(out), std::move(values), in.from);
      else if (!out.way && out.to == in.from)
        taken = m_me.exchange(in.from, values);
      else
        taken = m_me.exchange(where_to(out), std::span(std::as_const(values)), in.from);
      return digest_of(taken);
    });
  }

  std::vector<operation> const& m_calls;
  lockstep::processor& m_me;
  std::size_t m_next = 0;
  std::vector<std::uint64_t> m_result;
};

std::string to_string(outgoing const& out) {
  std::ostringstream text;
  if (out.way)
    text << "along{" << out.way->dimension << "," << out.way->offset << "}";
  else
    text << out.to;
  text << ", " << out.count << " of type " << static_cast<int>(out.type) << " by "
       << static_cast<int>(out.how);
  return text.str();
}

std::string to_string(incoming const& in) {
  std::ostringstream text;
  text << in.from << ", " << in.count << " of type " << static_cast<int>(in.type) << " by "
       << static_cast<int>(in.how);
  return text.str();
}

std::string to_string(operation const& call) {
  switch (call.what) {
    case action::send:
      return "send(" + to_string(call.out) + ")";
    case action::receive:
      return "receive(" + to_string(call.in) + ")";
    case action::exchange:
      return "exchange(" + to_string(call.out) + "; " + to_string(call.in) + ")";
    case action::idle:
      return "idle(" + std::to_string(call.number) + ")";
    case action::barrier:
      return "barrier";
    case action::phase:
      return "phase(" + call.name + ")";
    case action::pipelined_begin:
      return "pipelined{";
    case action::pipelined_end:
      return "}";
    case action::rearrange:
      return "rearrange(" + std::to_string(call.number) + ")";
    case action::pass:
      return "pass(" + std::to_string(call.number) + ")";
    case action::fail:
      break;
  }
  return "throw";
}

}  // namespace

std::vector<std::uint64_t> play(std::vector<operation> const& calls, lockstep::processor& me) {
  return player(calls, me).play();
}

std::string to_string(program const& calls) {
  std::ostringstream text;
  for (std::size_t rank = 0; rank < calls.size(); ++rank) {
    text << rank << ":";
    for (auto const& call : calls[rank]) text << " " << to_string(call) << ";";
    text << "\n";
  }
  return text.str();
}

std::string to_string(experiment const& of) {
  std::ostringstream text;
  text << of.network->spec() << ", ports " << static_cast<int>(of.options.ports) << ", switching "
       << static_cast<int>(of.options.switching.value_or(of.network->default_switching()))
       << (of.options.strict ? ", strict" : "") << ", packets of " << of.options.packet
       << ", max_steps " << of.options.max_steps << "\n"
       << to_string(of.calls);
  return text.str();
}

}  // namespace reference
