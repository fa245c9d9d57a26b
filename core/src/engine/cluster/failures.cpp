// How the error of a run comes to the other processes: as the same class, with the same text.

#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <lockstep/detail/stop_request.hpp>

#include "engine/cluster/process_team.hpp"

namespace lockstep::detail {

namespace {

enum class kind : std::uint8_t { of_lockstep, stopped, no_memory, standard, other };

void put_line_of(byte_writer& to, process_team const& team, std::source_location line) {
  team.put_line(to, line);
}

void put_inside(byte_writer& to, process_team const& team,
                std::optional<library_place> const& inside) {
  to.put(inside.has_value());
  if (!inside) return;
  team.put_line(to, inside->algorithm);
  team.put_line(to, inside->where);
}

std::optional<library_place> get_inside(byte_reader& from, process_team const& team, int process) {
  if (!from.get<bool>()) return std::nullopt;
  auto const algorithm = team.get_line(process, from);
  return library_place{algorithm, team.get_line(process, from)};
}

/// Calls make(Error's type) for the class of that name, or for `error`.
template <class Make>
std::exception_ptr make_by_name(std::string const& name, Make&& make) {
  if (name == "not_adjacent") return make.template operator()<not_adjacent>();
  if (name == "port_conflict") return make.template operator()<port_conflict>();
  if (name == "link_contention") return make.template operator()<link_contention>();
  if (name == "type_mismatch") return make.template operator()<type_mismatch>();
  if (name == "size_mismatch") return make.template operator()<size_mismatch>();
  if (name == "deadlock") return make.template operator()<deadlock>();
  if (name == "barrier_mismatch") return make.template operator()<barrier_mismatch>();
  if (name == "unreceived_message") return make.template operator()<unreceived_message>();
  if (name == "step_limit") return make.template operator()<step_limit>();
  if (name == "invalid_rank") return make.template operator()<invalid_rank>();
  if (name == "invalid_topology") return make.template operator()<invalid_topology>();
  if (name == "invalid_argument") return make.template operator()<invalid_argument>();
  if (name == "stack_overflow") return make.template operator()<stack_overflow>();
  if (name == "out_of_memory") return make.template operator()<out_of_memory>();
  if (name == "foreign_access") return make.template operator()<foreign_access>();
  if (name == "broken_invariant") return make.template operator()<broken_invariant>();
  if (name == "processor_failed") return make.template operator()<processor_failed>();
  if (name == "incomplete_trace") return make.template operator()<incomplete_trace>();
  if (name == "process_lost") return make.template operator()<process_lost>();
  return make.template operator()<error>();
}

/// Makes an error that has another exception nested in it.
template <class Error>
std::exception_ptr with_nested(Error const& outer, std::exception_ptr const& inner) {
  try {
    std::rethrow_exception(inner);
  } catch (...) {
    try {
      std::throw_with_nested(outer);
    } catch (...) {
      return std::current_exception();
    }
  }
}

/// Finds the exception that is nested in an error; nullptr where none is.
std::exception_ptr nested_in(error const& thrown) {
  auto const* const outer = dynamic_cast<std::nested_exception const*>(&thrown);
  return outer == nullptr ? nullptr : outer->nested_ptr();
}

}  // namespace

void process_team::put_incident(byte_writer& to, error const& of) const {
  auto const& at = of.at();
  to.put(at.rank);
  to.put(at.step);
  to.put_text(at.phase);
  put_line_of(to, *this, at.where);
  put_inside(to, *this, at.inside);
  to.put(at.details != nullptr);
  if (at.details == nullptr) return;
  to.put(at.details->waits.size());
  for (auto const& one : at.details->waits) {
    to.put(one.rank);
    to.put(one.waits_for);
    to.put(one.since);
    to.put_text(one.in);
    put_line_of(to, *this, one.where);
    put_inside(to, *this, one.inside);
  }
  to.put_all(std::span<int const>(at.details->cycle));
  to.put(at.details->messages.size());
  for (auto const& one : at.details->messages) {
    to.put(one.from);
    to.put(one.to);
    to.put(one.words.has_value());
    to.put(one.words.value_or(0));
    to.put(one.step);
    to.put_all(std::span<int const>(one.route));
    put_line_of(to, *this, one.where);
    put_inside(to, *this, one.inside);
  }
}

incident process_team::get_incident(int process, byte_reader& from) const {
  incident at;
  at.rank = from.get<int>();
  at.step = from.get<std::uint64_t>();
  at.phase = from.get_text();
  at.where = get_line(process, from);
  at.inside = get_inside(from, *this, process);
  if (!from.get<bool>()) return at;
  auto details = std::make_shared<failure_details>();
  for (auto left = from.get<std::size_t>(); left > 0; --left) {
    waiting_processor one;
    one.rank = from.get<int>();
    one.waits_for = from.get<int>();
    one.since = from.get<std::uint64_t>();
    one.in = from.get_text();
    one.where = get_line(process, from);
    one.inside = get_inside(from, *this, process);
    details->waits.push_back(std::move(one));
  }
  details->cycle = from.get_all<int>();
  for (auto left = from.get<std::size_t>(); left > 0; --left) {
    failed_message one;
    one.from = from.get<int>();
    one.to = from.get<int>();
    bool const has_words = from.get<bool>();
    auto const words = from.get<std::uint64_t>();
    if (has_words) one.words = words;
    one.step = from.get<std::uint64_t>();
    one.route = from.get_all<int>();
    one.where = get_line(process, from);
    one.inside = get_inside(from, *this, process);
    details->messages.push_back(std::move(one));
  }
  at.details = std::move(details);
  return at;
}

void process_team::put_failure(byte_writer& to, std::exception_ptr const& failure) const {
  try {
    std::rethrow_exception(failure);
  } catch (error const& thrown) {
    to.put(kind::of_lockstep);
    to.put_text(class_name(thrown));
    to.put_text(thrown.message());
    put_incident(to, thrown);
    auto const nested = nested_in(thrown);
    to.put(nested != nullptr);
    if (nested != nullptr) put_failure(to, nested);
  } catch (work_stopped const&) {
    to.put(kind::stopped);
  } catch (std::bad_alloc const&) {
    to.put(kind::no_memory);
  } catch (std::exception const& thrown) {
    to.put(kind::standard);
    to.put_text(thrown.what());
  } catch (...) {
    to.put(kind::other);
  }
}

std::exception_ptr process_team::get_failure(int process, byte_reader& from) const {
  switch (from.get<kind>()) {
    case kind::of_lockstep: {
      auto const name = from.get_text();
      auto const message = from.get_text();
      auto const at = get_incident(process, from);
      auto const nested = from.get<bool>() ? get_failure(process, from) : nullptr;
      return make_by_name(name, [&]<class Error>() {
        Error const made(message, at);
        return nested == nullptr ? std::make_exception_ptr(made) : with_nested(made, nested);
      });
    }
    case kind::stopped:
      return std::make_exception_ptr(work_stopped());
    case kind::no_memory:
      return std::make_exception_ptr(std::bad_alloc());
    case kind::standard:
      return std::make_exception_ptr(std::runtime_error(from.get_text()));
    case kind::other:
      break;
  }
  return std::make_exception_ptr(std::runtime_error(fmt::format(
      "process {} of the cluster threw something that is not a std::exception", process)));
}

}  // namespace lockstep::detail
