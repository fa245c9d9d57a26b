#include "engine/scheduling/cluster_fibers.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <new>
#include <utility>

#include <fmt/format.h>

#include "engine/scheduling/errand.hpp"
#include "engine/tuning.hpp"

namespace lockstep::detail {

// It is compiled in fibers.cpp, where it takes the fewest instructions.
extern template class message_path<fibers>;

namespace {

/// Rounds after which loans end that no receiver has taken.
constexpr std::uint64_t rounds_of_a_loan = 64;

constexpr std::uint64_t idles = 1;
constexpr std::uint64_t sends_some = 2;
constexpr std::uint64_t wants_merging = 4;
constexpr std::uint64_t wants_stop = 8;
constexpr std::uint64_t calls_differ = 16;
constexpr std::size_t figures_each = 7;

}  // namespace

bool fibers::is_nested() { return on_errand || running_worker != nullptr; }

cluster_fibers::cluster_fibers(std::shared_ptr<lockstep::topology const> const& network,
                               machine_options const& options, std::span<observer* const> observers,
                               std::shared_ptr<kept_slab> keeper)
    : fibers(network, options, observers, std::move(keeper)) {
  if (!m_copied && m_stacks.has_zones() && own_ranks().size() < size())
    throw invalid_argument(
        fmt::format("a share of {} processors on a system without a guard for each stack: take "
                    "stacks::copied, more processes, or Linux 6.13 or newer",
                    own_ranks().size()));
  if (!m_copied) m_stacks.begin_at(static_cast<std::size_t>(own_ranks().first));
  m_elsewhere = std::make_unique<worker>(*this, static_cast<std::uint8_t>(worker_count()));
  make_blocks_of_processes();
}

/// Divides the machine into blocks, each of one process, and gives this process's own to its workers.
void cluster_fibers::make_blocks_of_processes() {
  auto const processors = static_cast<std::size_t>(size());
  auto const block_size =
      static_cast<std::size_t>(process_shares(size(), team()->processes()).block());
  m_block_size = static_cast<unsigned>(block_size);
  for (std::size_t first = 0; first < processors; first += block_size) {
    auto const members = static_cast<int>(std::min(block_size, processors - first));
    if (own_ranks().has(static_cast<int>(first)))
      m_blocks.emplace_back(states_of(static_cast<int>(first), members));
    else
      m_blocks.emplace_back(static_cast<int>(first), members);
  }
  for (auto& one : m_workers) {
    one->waiting = lifo_queue<processor_block>(m_blocks.size());
    one->outboxes.assign(2, outbox(worker_count() + 1, m_blocks.size()));
  }
  auto const is_own = [&](processor_block const& one) { return own_ranks().has(one.first); };
  auto const own = static_cast<std::size_t>(std::ranges::count_if(m_blocks, is_own));
  std::size_t next = 0;
  for (auto& given : m_blocks) {
    given.runner = m_elsewhere.get();
    if (!is_own(given)) continue;
    given.runner = m_workers[next++ * worker_count() / own].get();
    let_wait(given);
  }
}

// --- the end of a round ---

void cluster_fibers::finish_round() noexcept {
  note_progress(*m_workers.front());
  auto const parity = round_parity();
  ++m_round;
  if (m_lost) {
    drop_sent(parity);
    return end_round_alone();
  }
  bool idle = false;
  bool resolving = false;
  try {
    idle = end_round_together(parity);
    bool const loans_last =
        m_round % rounds_of_a_loan == 0 || std::ranges::any_of(m_workers, [](auto& one) {
          return std::exchange(one->loans_last, false);
        });
    if (!idle && loans_last) static_cast<void>(fibers::copy_all_lent());
    if (!idle) return;
    resolving = true;
    --m_round;
    m_done = !resolve_blocked(m_arrived);
    ++m_round;
  } catch (process_lost const&) {
    m_lost = true;
    note(std::current_exception(), 0, 0);
    if (resolving) ++m_round;
    end_round_alone();
  } catch (...) {
    note(std::current_exception(), 0, 0);
    if (!idle) return;
    m_done = all_finished();
    if (!m_done) end_everybody();
    if (resolving) ++m_round;
  }
}

/// Lets messages change hands. Result: whether no processor of any process can go on.
bool cluster_fibers::end_round_together(std::size_t parity) {
  auto const batches = pack(parity);
  bool const sends = std::ranges::any_of(batches, [](auto const& one) { return !one.empty(); });
  bool idle = is_idle(parity);
  // Who only waits for the end of a loan does not wait for other processes.
  if (idle && fibers::copy_all_lent()) idle = false;
  auto const own = own_figures(idle, sends);
  auto const flags = (own.idle ? idles : 0) | (own.sends ? sends_some : 0) |
                     (own.merges ? wants_merging : 0) | (own.stops ? wants_stop : 0) |
                     (own.counted.differ ? calls_differ : 0);
  auto const came =
      team()->exchange({flags, own.finished, static_cast<std::uint64_t>(own.counted.processors),
                        own.counted.step, static_cast<std::uint64_t>(own.counted.in_calls),
                        own.failed.step, static_cast<std::uint64_t>(own.failed.rank)},
                       batches);
  if (came.figures.size() != figures_each * static_cast<std::size_t>(team()->processes()))
    throw process_lost("the processes of the cluster are at different places of a run");
  bool all_idle = true;
  bool merges = false;
  bool stops = false;
  std::uint64_t finished = 0;
  m_counted = {};
  for (auto at = came.figures.begin(); at != came.figures.end(); at += figures_each) {
    all_idle = all_idle && (at[0] & (idles | sends_some)) == idles;
    merges = merges || (at[0] & wants_merging) != 0;
    stops = stops || (at[0] & wants_stop) != 0;
    finished += at[1];
    m_counted.add({static_cast<int>(at[2]), at[3], static_cast<int>(at[4]),
                   (at[0] & calls_differ) != 0, own.counted.call});
    if (at[5] != never) note_elsewhere({at[5], static_cast<int>(at[6])});
  }
  m_all_finished = finished == static_cast<std::uint64_t>(size());
  for (int from = 0; from < team()->processes(); ++from)
    unpack(from, came.from[static_cast<std::size_t>(from)]);
  if (stops && !failed() && !(all_idle && m_all_finished))
    note(std::make_exception_ptr(work_stopped()), 0, 0);
  if (merges) {
    merge_finished_steps();
    for (auto& one : m_blocks) one.ready.let_others_catch_up();
  }
  // Where memory was short in one process, it tells the others in the next round; then all decide alike.
  return all_idle && !merges;
}

/// Ends the processors of this process, where another is gone.
void cluster_fibers::end_round_alone() noexcept {
  std::size_t finished = 0;
  for (auto const& one : m_workers) finished += one->finished;
  m_all_finished = finished == static_cast<std::size_t>(own_ranks().size());
  m_done = m_all_finished;
  bool const any_goes_on =
      std::ranges::any_of(m_workers, [](auto const& one) { return !one->waiting.empty(); });
  if (!m_done && !any_goes_on) end_everybody();
}

bool cluster_fibers::is_idle(std::size_t parity) {
  return std::ranges::all_of(m_workers, [&](auto const& one) {
    return one->waiting.empty() &&
           std::ranges::all_of(one->outboxes[parity].to_worker,
                               [](auto const& to) { return to.filled.empty() && !to.ends_loans; });
  });
}

cluster_fibers::round_figures cluster_fibers::own_figures(bool idle, bool sends) {
  round_figures own{
      idle, sends,      m_counters.worth_merging(), m_stop != nullptr && m_stop->is_asked(), 0,
      {},   failed_at()};
  for (auto const& one : m_workers) {
    own.finished += one->finished;
    own.counted.add(one->counted);
  }
  return own;
}

// --- messages between processes ---

int cluster_fibers::process_of(processor_block const& one) const {
  return process_shares(size(), team()->processes()).process_of(one.first);
}

/// Calls action(block, messages) for each block of another process that messages of a worker are for.
template <class Action>
void cluster_fibers::for_each_filled(std::size_t parity, Action&& action) {
  for (auto& mine : m_workers) {
    auto& box = mine->outboxes[parity];
    for (auto* const theirs : box.to_worker[m_elsewhere->index].filled)
      action(*theirs, box.to_block[index_of(*theirs)].messages);
  }
}

/// Writes a batch for each process: the messages, with their number of bytes before them, and then the
/// places and types that they are the first to name. Where memory is short, all messages stay.
std::vector<cluster::bytes> cluster_fibers::pack(std::size_t parity) {
  std::vector<cluster::bytes> batches(static_cast<std::size_t>(team()->processes()));
  for_each_filled(parity, [&](processor_block const& theirs, auto const& messages) {
    auto& batch = batches[static_cast<std::size_t>(process_of(theirs))];
    if (batch.empty()) batch.resize(sizeof(std::uint64_t));
    for (auto const& [sent, to] : messages) pack_message(*sent, to, batch);
  });
  for (std::size_t to = 0; to < batches.size(); ++to) {
    auto& batch = batches[to];
    if (batch.empty()) continue;
    auto const bytes = static_cast<std::uint64_t>(batch.size()) - sizeof(std::uint64_t);
    std::memcpy(batch.data(), &bytes, sizeof(bytes));
    byte_writer definitions;
    team()->put_definitions(static_cast<int>(to), definitions);
    auto const rest = definitions.take();
    batch.insert(batch.end(), rest.begin(), rest.end());
  }
  drop_sent(parity);
  return batches;
}

void cluster_fibers::pack_message(message const& sent, int to, cluster::bytes& batch) {
  process_team::envelope_on_wire const head{sent.stamp,
                                            m_counters.counts_work() ? m_paths.take(sent, to) : 0,
                                            sent.count,
                                            sent.hops,
                                            sent.from,
                                            to,
                                            team()->number_of(sent.where),
                                            team()->number_of(sent.type),
                                            sent.pass,
                                            sent.way};
  // In one piece where it is short: a batch looks for room once.
  constexpr std::size_t bytes_of_short = 64;
  std::array<std::byte, sizeof(head) + bytes_of_short> piece;
  std::memcpy(piece.data(), &head, sizeof(head));
  auto const size = std::size_t{sent.count} * sent.type->size;
  auto const* const elements = sent.elements();
  bool const is_short = size <= bytes_of_short;
  if (is_short && size > 0) std::memcpy(piece.data() + sizeof(head), elements, size);
  batch.insert(batch.end(), piece.data(), piece.data() + sizeof(head) + (is_short ? size : 0));
  if (!is_short) batch.insert(batch.end(), elements, elements + size);
}

void cluster_fibers::unpack(int from, cluster::bytes const& batch) {
  if (batch.empty()) return;
  byte_reader all(batch);
  auto const bytes = all.get<std::uint64_t>();
  byte_reader messages({all.get_bytes(bytes), static_cast<std::size_t>(bytes)});
  team()->get_definitions(from, all);
  while (!messages.empty()) {
    auto const head = messages.get<process_team::envelope_on_wire>();
    if (!own_ranks().has(head.to))
      throw process_lost("a message came to a process that has not its receiver");
    auto& block = block_of(head.to);
    auto const* const type = team()->type(from, head.type);
    auto const size = std::size_t{head.count} * type->size;
    auto* const made = block.runner->pool.take(size, type->alignment);
    if (made == nullptr) throw std::bad_alloc();
    if (size > 0) std::memcpy(message_pool::buffer_of(*made), messages.get_bytes(size), size);
    made->stamp = head.stamp;
    made->count = head.count;
    made->hops = head.hops;
    made->from = head.from;
    made->pass = head.pass;
    made->way = head.way;
    made->type = type;
    made->where = team()->place(from, head.place);
    if (head.path > 0) begin_path(*made, head.to, head.path);
    block.incoming.push_back({made, head.to});
    let_wait(block);
  }
}

/// Gives back the messages for other processes. No processor runs, so that each goes straight to its home.
void cluster_fibers::drop_sent(std::size_t parity) {
  for_each_filled(parity, [&](processor_block const&, auto& messages) {
    for (auto const& [sent, to] : messages) {
      if (sent->kind == storage_kind::lent) end_loan(*sent);
      m_workers[sent->home]->pool.give_back(sent);
    }
    messages.clear();
  });
  for (auto& mine : m_workers) mine->outboxes[parity].to_worker[m_elsewhere->index].filled.clear();
}

// --- decisions of all processes ---

bool cluster_fibers::bring_served(bool failed) {
  auto const came =
      team()->exchange({static_cast<std::uint64_t>(topic::served), failed ? std::uint64_t{1} : 0},
                       pack(round_parity()));
  for (int from = 0; from < team()->processes(); ++from)
    unpack(from, came.from[static_cast<std::size_t>(from)]);
  for (std::size_t at = 1; at < came.figures.size(); at += 2)
    failed = failed || came.figures[at] != 0;
  return failed;
}

void cluster_fibers::wake(processor_state& waiting) {
  if (own_ranks().has(waiting.rank)) fibers::wake(waiting);
}

void cluster_fibers::wake_all() {
  for (auto& one : m_blocks) {
    if (!own_ranks().has(one.first)) continue;
    one.ready.add_all(states_of(one.first, static_cast<int>(one.size)));
    let_wait(one);
  }
}

barrier_arrivals cluster_fibers::take_counted() {
  static_cast<void>(fibers::take_counted());
  return m_counted;
}

}  // namespace lockstep::detail
