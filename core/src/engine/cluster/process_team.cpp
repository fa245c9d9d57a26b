#include "engine/cluster/process_team.hpp"

#include <algorithm>
#include <limits>
#include <new>
#include <utility>

#include <fmt/format.h>

namespace lockstep::detail {

namespace {

[[noreturn]] void throw_apart() {
  throw process_lost(
      "the processes of the cluster are at different places of a run: make the same runs in all of "
      "them, in the same order");
}

}  // namespace

process_team::process_team(cluster& processes)
    : m_cluster(processes),
      m_addresses(processes.processes()),
      m_told(static_cast<std::size_t>(processes.processes())),
      m_known(static_cast<std::size_t>(processes.processes())) {}

std::vector<cluster::bytes> process_team::gather(topic about, byte_writer&& own) {
  if (m_lost) throw process_lost("a process of the cluster was lost before");
  byte_writer all;
  all.put(about);
  auto const rest = own.take();
  all.put_bytes(rest.data(), rest.size());
  try {
    auto said = m_cluster.all_gather(all.take());
    for (auto const& one : said) static_cast<void>(read(about, one));
    return said;
  } catch (...) {
    m_lost = true;
    throw;
  }
}

byte_reader process_team::read(topic about, cluster::bytes const& said) {
  byte_reader from(said);
  if (from.get<topic>() != about) throw_apart();
  return from;
}

cluster::round process_team::exchange(std::vector<std::uint64_t> const& figures,
                                      std::vector<cluster::bytes> const& to) {
  if (m_lost) throw process_lost("a process of the cluster was lost before");
  try {
    return m_cluster.exchange(figures, to);
  } catch (
      process_lost const&) {  // where memory is short, the others are told in the next exchange
    m_lost = true;
    throw;
  }
}

std::vector<cluster::bytes> process_team::deal(topic about, std::vector<byte_writer>& to) {
  std::vector<cluster::bytes> batches;
  for (auto& one : to) batches.push_back(one.take());
  auto came = exchange({static_cast<std::uint64_t>(about)}, batches);
  for (auto const figure : came.figures)
    if (figure != static_cast<std::uint64_t>(about)) {
      m_lost = true;
      throw_apart();
    }
  return std::move(came.from);
}

std::vector<std::uint64_t> process_team::sum(std::vector<std::uint64_t> const& own) {
  struct entry {
    std::uint64_t at;
    std::uint64_t value;
  };
  byte_writer mine;
  std::vector<entry> entries;
  for (std::size_t at = 0; at < own.size(); ++at)
    if (own[at] != 0) entries.push_back({at, own[at]});
  bool const sparse = 2 * entries.size() < own.size();
  mine.put(own.size());
  mine.put(sparse);
  if (sparse)
    mine.put_all(std::span<entry const>(entries));
  else
    mine.put_all(std::span<std::uint64_t const>(own));
  std::vector<std::uint64_t> all(own.size(), 0);
  for (auto const& said : gather(topic::sums, std::move(mine))) {
    auto from = read(topic::sums, said);
    all.resize(std::max(all.size(), from.get<std::size_t>()));
    if (from.get<bool>()) {
      for (auto const& [at, value] : from.get_all<entry>()) all.at(at) += value;
    } else {
      auto const values = from.get_all<std::uint64_t>();
      for (std::size_t at = 0; at < values.size(); ++at) all.at(at) += values[at];
    }
  }
  return all;
}

std::uint64_t process_team::least(std::uint64_t own) {
  byte_writer mine;
  mine.put(own);
  for (auto const& said : gather(topic::open_step, std::move(mine)))
    own = std::min(own, read(topic::open_step, said).get<std::uint64_t>());
  return own;
}

void process_team::begin(std::string const& machine) {
  byte_writer mine;
  m_addresses.write(mine);
  mine.put_text(machine);
  auto const said = gather(topic::run, std::move(mine));
  std::vector<std::string> machines;
  for (int process = 0; process < processes(); ++process) {
    auto from = read(topic::run, said[static_cast<std::size_t>(process)]);
    m_addresses.read(process, from);
    machines.push_back(from.get_text());
  }
  for (std::size_t process = 1; process < machines.size(); ++process)
    if (machines[process] != machines[0])
      throw process_lost(fmt::format(
          "process {} of the cluster runs {}, and process 0 {}: make the same runs in all "
          "processes, in the same order",
          process, machines[process], machines[0]));
}

void agree_to_run(cluster& processes, std::exception_ptr const& refusal) {
  auto const reason = [&]() -> std::string {
    if (refusal == nullptr) return {};
    try {
      std::rethrow_exception(refusal);
    } catch (std::bad_alloc const&) {
      return "no memory";
    } catch (std::exception const& thrown) {
      return thrown.what();
    } catch (...) {
      return "it was asked to stop";
    }
  };
  byte_writer mine;
  mine.put(topic::agreement);
  mine.put_text(reason());
  auto const said = processes.all_gather(mine.take());
  if (refusal != nullptr) std::rethrow_exception(refusal);
  for (std::size_t process = 0; process < said.size(); ++process) {
    auto const text = process_team::read(topic::agreement, said[process]).get_text();
    if (!text.empty())
      throw process_lost(
          fmt::format("process {} of the cluster cannot run the machine: {}", process, text));
  }
}

// --- places and types ---

void process_team::put_place(byte_writer& to, call_place where) {
  auto const inside = where.in_library();
  put_line(to, where.in_program());
  put_line(to, inside ? inside->algorithm : std::source_location());
  put_line(to, inside ? inside->where : std::source_location());
  to.put(inside.has_value());
}

call_place process_team::get_place(int process, byte_reader& from) {
  auto const program = get_line(process, from);
  auto const algorithm = get_line(process, from);
  auto const call = get_line(process, from);
  library_entry const entry{program, algorithm};
  return from.get<bool>() ? place_in(entry, m_places.find(entry, call)) : call_place(program);
}

std::uint32_t process_team::number_of(call_place where) {
  auto const bits = *where.bits();
  if (bits == m_last_place && bits != 0) return m_last_place_number;
  auto const [at, is_new] =
      m_place_numbers.try_emplace(bits, static_cast<std::uint32_t>(m_places_told.size()));
  if (is_new) m_places_told.push_back(where);
  m_last_place = bits;
  return m_last_place_number = at->second;
}

std::uint16_t process_team::number_of(payload_type const* type) {
  if (type == m_last_type) return m_last_type_number;
  if (m_types_told.size() > std::numeric_limits<std::uint16_t>::max())
    throw invalid_argument("a run on a cluster sends elements of at most 65,536 types");
  auto const [at, is_new] =
      m_type_numbers.try_emplace(type, static_cast<std::uint16_t>(m_types_told.size()));
  if (is_new) m_types_told.push_back(type);
  m_last_type = type;
  return m_last_type_number = at->second;
}

process_team::group_number process_team::number_of(group const& of) {
  auto const [at, is_new] =
      m_group_numbers.try_emplace(&of, static_cast<std::uint32_t>(m_group_numbers.size()));
  return {at->second, is_new};
}

void process_team::put_definitions(int to, byte_writer& batch) {
  auto& told = m_told[static_cast<std::size_t>(to)];
  batch.put(m_places_told.size() - told.places);
  for (; told.places < m_places_told.size(); ++told.places)
    put_place(batch, m_places_told[told.places]);
  batch.put(m_types_told.size() - told.types);
  for (; told.types < m_types_told.size(); ++told.types) put_type(batch, m_types_told[told.types]);
}

void process_team::get_definitions(int from, byte_reader& batch) {
  auto& known = m_known[static_cast<std::size_t>(from)];
  for (auto left = batch.get<std::size_t>(); left > 0; --left)
    known.places.push_back(get_place(from, batch));
  for (auto left = batch.get<std::size_t>(); left > 0; --left)
    known.types.push_back(get_type(from, batch));
}

}  // namespace lockstep::detail
