// Random programs as text: nearly what one would write.

#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "random_program.hpp"

namespace reference {
namespace {

std::string_view name_of(element_type type) {
  switch (type) {
    case element_type::byte:
      return "byte";
    case element_type::integer:
      return "int";
    case element_type::real:
      return "double";
    case element_type::triple:
      return "triple";
    case element_type::wide:
      return "wide";
    case element_type::weightless:
      break;
  }
  return "weightless";
}

std::string_view name_of(giving how) {
  return how == giving::value ? "value" : how == giving::span ? "span" : "moved";
}

std::string text_of(operation const& call, outgoing const& out) {
  auto const to = out.way ? fmt::format("along{{{}, {}}}", out.way->dimension, out.way->offset)
                          : std::to_string(out.to);
  return fmt::format("{}, {} {} {}", to, name_of(out.how), elements_sent(call), name_of(out.type));
}

std::string text_of(incoming const& in) {
  switch (in.how) {
    case taking::value:
      return fmt::format("{}, value {}", in.from, name_of(in.type));
    case taking::vector:
      return fmt::format("{}, any number of {}", in.from, name_of(in.type));
    case taking::counted:
      return fmt::format("{}, vector of {} {}", in.from, in.count, name_of(in.type));
    case taking::into:
      return fmt::format("{}, into {} {}", in.from, in.count, name_of(in.type));
    case taking::in_place:
      break;
  }
  return fmt::format("{}, in place {} {}", in.from, in.count, name_of(in.type));
}

std::string text_of(given_memory const& mine) {
  return fmt::format("mine: {}{} {}", mine.constant ? "const " : "", mine.count,
                     name_of(mine.type));
}

std::string subset_text(operation const& call) {
  auto const what = call.of.varying
                        ? fmt::format("dimensions{{{}}} = ", fmt::join(*call.of.varying, ","))
                        : std::string();
  return fmt::format("s{} = subset({}{{{}}})", call.number, what, fmt::join(call.of.members, ","));
}

std::string one_sided_text(operation const& call) {
  auto const& asked = call.asked;
  switch (call.what) {
    case action::read:
      return fmt::format("read({}, from {}, {} elements; {})", asked.owner, asked.offset,
                         asked.count, text_of(call.mine));
    case action::write:
      return fmt::format("write({}, from {}, {} {}; {})", asked.owner, asked.offset, asked.count,
                         name_of(asked.type), text_of(call.mine));
    default:
      return fmt::format("serve({})", text_of(call.mine));
  }
}

std::string plain_text(operation const& call) {
  switch (call.what) {
    case action::send:
      return "send(" + text_of(call, call.out) + ")";
    case action::receive_any:
      return fmt::format("receive_any({}; {})", name_of(call.in.type),
                         fmt::join(call.of.members, ","));
    case action::pending:
      return fmt::format("pending({})", call.in.from);
    case action::try_receive:
      return fmt::format("try {} times, then receive({})", call.number, text_of(call.in));
    case action::post:
      return "post(" + text_of(call, call.out) + ")";
    case action::deliver:
      return fmt::format("deliver({}{})", name_of(call.in.type),
                         call.number == 2 ? ", announced" : "");
    case action::receive:
      return "receive(" + text_of(call.in) + ")";
    case action::exchange:
      return (call.shifts ? "shift(" : "exchange(") + text_of(call, call.out) + "; " +
             text_of(call.in) + ")";
    case action::idle:
      return fmt::format("idle({})", call.number);
    case action::barrier:
      return "barrier()";
    case action::phase:
      return "phase(\"" + call.name + "\")";
    case action::pipelined_begin:
      return "pipelined{";
    case action::pipelined_end:
      return "}";
    case action::rearrange:
      return fmt::format("rearrange({})", call.number);
    case action::work:
      return fmt::format("work({})", call.number);
    case action::label:
      return fmt::format("label(\"{}\"{})", call.name,
                         call.number == 0   ? ""
                         : call.number == 1 ? ", around the next call"
                                            : ", around the next call, with another inside");
    case action::pass:
      return fmt::format("pass({})", static_cast<int>(call.number));
    case action::tag:
      return fmt::format("tag({})", static_cast<int>(call.number));
    case action::subset:
      return subset_text(call);
    case action::allocate:
      return fmt::format("memory: take {} bytes", call.number);
    case action::free_memory:
      return "memory: give back";
    case action::fail:
      return "throw";
    default:
      return one_sided_text(call);
  }
}

std::string text_of(operation const& call) {
  auto text = plain_text(call);
  if (call.through != whole_machine) text = fmt::format("s{}.{}", call.through, text);
  return call.caught ? "try " + text : text;
}

std::string_view name_of(lockstep::ports ports) {
  return ports == lockstep::ports::one ? "one" : ports == lockstep::ports::all ? "all" : "per pass";
}

/// What a specification says, or all links.
std::string text_of(lockstep::topology const& network) {
  auto text = network.spec();
  if (text.find(':') != std::string::npos) return text;
  for (int rank = 0; rank < network.size(); ++rank) {
    text += fmt::format(" {} ->", rank);
    for (auto const& neighbour : network.neighbours(rank))
      text += fmt::format(" {}", neighbour.rank);
    text += ";";
  }
  return text;
}

}  // namespace

std::size_t length(program const& calls) {
  std::size_t total = 0;
  for (auto const& of_processor : calls) total += of_processor.size();
  return total;
}

std::string to_string(program const& calls) {
  std::ostringstream text;
  for (std::size_t rank = 0; rank < calls.size(); ++rank) {
    text << "  " << rank << ":";
    for (auto const& call : calls[rank]) text << " " << text_of(call) << ";";
    text << "\n";
  }
  return text.str();
}

std::string to_string(experiment const& of) {
  auto const crossing = of.options.switching.value_or(of.network->default_switching());
  return fmt::format("  {}, ports {}, {}{}, packets of {}, {}max_steps {}, words of {} bytes\n{}",
                     text_of(*of.network), name_of(of.options.ports),
                     crossing == lockstep::switching::neighbour ? "neighbour" : "cut-through",
                     of.options.strict ? ", strict" : "", of.options.packet,
                     of.options.count == lockstep::words::bytes ? "counted in bytes, " : "",
                     of.options.max_steps, of.options.word_bytes, to_string(of.calls));
}

}  // namespace reference
