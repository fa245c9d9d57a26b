#include <lockstep/mpi/cluster.hpp>

// The C interface alone: that of C++ needs a library of its own in Open MPI.
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include <lockstep/errors.hpp>

#include "signal_line.hpp"

namespace lockstep::mpi {

namespace {

constexpr std::size_t most_figures = 8;
/// A meeting's purpose, the number of figures, the figures; then the bytes for each process.
constexpr std::size_t fixed_figures = 2 + most_figures;
/// Longer batches are sent in parts, for which a process without memory for a batch has room.
constexpr std::size_t bytes_of_part = std::size_t{4} << 20;

/// Waits until `is_over()`. Others may need this core: so it is given up after some trials, and later the
/// process sleeps.
template <class IsOver>
void wait_until(IsOver&& is_over) {
  constexpr int trials = 200;
  constexpr int yields = 20'000;
  for (int trial = 0;; ++trial) {
    if (is_over()) return;
    if (trial < trials) continue;
    if (trial < yields)
      std::this_thread::yield();
    else
      std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
}

std::size_t parts_of(std::size_t size) { return (size + bytes_of_part - 1) / bytes_of_part; }

/// The place among the parts of the batches between a process and the others, one part after another.
class part_cursor {
 public:
  part_cursor(std::size_t processes, std::size_t own) : m_processes(processes), m_own(own) {}

  /// Calls move(process, first byte, bytes) for the next part. Result: whether there was one.
  template <class Sizes, class Move>
  bool next(Sizes const& size_of, Move const& move) {
    while (m_process < m_processes && (m_process == m_own || m_at >= size_of(m_process))) {
      ++m_process;
      m_at = 0;
    }
    if (m_process == m_processes) return false;
    auto const size = std::min(bytes_of_part, size_of(m_process) - m_at);
    move(static_cast<int>(m_process), m_at, static_cast<int>(size));
    m_at += size;
    return true;
  }

 private:
  std::size_t m_processes;
  std::size_t m_own;
  std::size_t m_process = 0;
  std::size_t m_at = 0;
};

}  // namespace

struct cluster::communicator {
  MPI_Comm all = MPI_COMM_NULL;
  /// Room for a part, if there is none for a batch; its pages take no memory before.
  std::unique_ptr<std::byte[]> spare = std::make_unique_for_overwrite<std::byte[]>(bytes_of_part);
  /// The processes of one computer, and a number that they share.
  MPI_Comm beside = MPI_COMM_NULL;
  MPI_Win shared = MPI_WIN_NULL;
  std::optional<signal_line> signals;
};

struct cluster::said {
  /// The reason why a process comes to a meeting.
  enum class purpose : std::uint64_t { exchange = 1, gather = 2, leave = 3 };

  purpose why;
  std::vector<std::uint64_t> figures{};
  std::vector<std::size_t> bytes{};
  std::string_view reason{};  ///< of leaving

  /// The figures that all processes see of it, for that many of them.
  [[nodiscard]] std::vector<std::uint64_t> as_figures(std::size_t processes) const {
    std::vector<std::uint64_t> all(fixed_figures + processes, 0);
    all[0] = static_cast<std::uint64_t>(why);
    all[1] = why == purpose::leave ? reason.size() : figures.size();
    std::ranges::copy(figures, all.begin() + 2);
    std::ranges::copy(bytes, all.begin() + fixed_figures);
    return all;
  }
};

bool cluster::is_launched() noexcept {
  return std::ranges::any_of(
      std::initializer_list<char const*>{"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK"},
      [](char const* name) { return std::getenv(name) != nullptr; });
}

cluster::cluster(int& argc, char**& argv, cluster_options const& options)
    : m_world(std::make_unique<communicator>()), m_options(options) {
  int begun = 0;
  int ended = 0;
  MPI_Initialized(&begun);
  MPI_Finalized(&ended);
  if (ended != 0) throw process_lost("MPI has ended: a program makes its cluster once");
  int level = MPI_THREAD_SERIALIZED;
  if (begun == 0) {
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &level);
    m_ends_mpi = true;
  } else {
    MPI_Query_thread(&level);
  }
  if (level < MPI_THREAD_SERIALIZED)
    throw process_lost(
        "MPI has begun without MPI_THREAD_SERIALIZED: let the cluster begin it, or ask for that");
  MPI_Comm_dup(MPI_COMM_WORLD, &m_world->all);
  MPI_Comm_size(m_world->all, &m_processes);
  MPI_Comm_rank(m_world->all, &m_process);
  if (options.names_signals) name_signals();
}

void cluster::name_signals() {
  if (m_world->signals) return;
  MPI_Comm_split_type(m_world->all, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &m_world->beside);
  int beside = 0;
  MPI_Comm_rank(m_world->beside, &beside);
  void* own = nullptr;
  auto const room = static_cast<MPI_Aint>(beside == 0 ? sizeof(int) : 0);
  MPI_Win_allocate_shared(room, sizeof(int), MPI_INFO_NULL, m_world->beside, &own,
                          &m_world->shared);
  MPI_Aint size = 0;
  int unit = 0;
  int* first = nullptr;
  MPI_Win_shared_query(m_world->shared, 0, &size, &unit, static_cast<void*>(&first));
  if (beside == 0) *first = 0;
  MPI_Barrier(m_world->beside);
  m_world->signals.emplace(m_process, m_processes, first);
}

cluster::~cluster() {
  int ended = 0;
  MPI_Finalized(&ended);
  if (ended != 0) return;
  try {
    if (!m_lost && !m_has_left) static_cast<void>(meet({said::purpose::leave}));
  } catch (std::exception const&) {
    // The others were told.
  }
  m_world->signals.reset();
  if (!m_lost && m_world->shared != MPI_WIN_NULL) {
    MPI_Win_free(&m_world->shared);
    MPI_Comm_free(&m_world->beside);
  }
  if (m_ends_mpi) {
    MPI_Finalize();
  } else {
    MPI_Comm_free(&m_world->all);
  }
}

/// Tells all processes what this one comes for. Result: what each does, one after another.
std::vector<std::uint64_t> cluster::meet(said const& own) {
  if (m_lost) throw process_lost(m_loss);
  auto const processes = static_cast<std::size_t>(m_processes);
  if (own.figures.size() > most_figures) throw process_lost("too many figures for a meeting");
  auto const mine = own.as_figures(processes);
  std::vector<std::uint64_t> all(mine.size() * processes);
  auto const count = static_cast<int>(mine.size());
  MPI_Request met = MPI_REQUEST_NULL;
  MPI_Iallgather(mine.data(), count, MPI_UINT64_T, all.data(), count, MPI_UINT64_T, m_world->all,
                 &met);
  wait_until([&] {
    int over = 0;
    MPI_Test(&met, &over, MPI_STATUS_IGNORE);
    return over != 0;
  });
  ++m_sent.exchanges;
  auto const leaves = [&](std::size_t process) {
    return all[process * mine.size()] == static_cast<std::uint64_t>(said::purpose::leave);
  };
  bool all_leave = true;
  for (std::size_t process = 0; process < processes; ++process)
    all_leave = all_leave && leaves(process);
  if (all_leave) return all;
  for (std::size_t process = 0; process < processes; ++process) {
    auto const size = all[process * mine.size() + 1];
    if (!leaves(process) || size == 0) continue;
    m_was_told_why = true;
    lose(fmt::format("process {} of {}: {}", process, processes,
                     reason_of(static_cast<int>(process), size, own)));
  }
  for (std::size_t process = 0; process < processes; ++process) {
    auto const* const theirs = all.data() + process * mine.size();
    if (theirs[0] == mine[0] && theirs[1] == mine[1]) continue;
    if (leaves(process))
      lose(
          fmt::format("process {} of the cluster has ended, or left its cluster, while process {} "
                      "was in a run",
                      process, m_process));
    lose(
        fmt::format("process {} of the cluster does something else than process {}: make the same "
                    "runs in all processes, in the same order",
                    process, m_process));
  }
  return all;
}

/// Errors: process_lost, always, which later calls have, too.
void cluster::lose(std::string how) {
  m_lost = true;
  m_loss = std::move(how);
  throw process_lost(m_loss);
}

/// Gives all the reason for which a process leaves, of that many bytes. All processes call it.
std::string cluster::reason_of(int process, std::size_t size, said const& own) {
  std::string reason(process == m_process ? own.reason : std::string_view());
  reason.resize(size);
  MPI_Request given = MPI_REQUEST_NULL;
  MPI_Ibcast(reason.data(), static_cast<int>(size), MPI_BYTE, process, m_world->all, &given);
  wait_until([&] {
    int over = 0;
    MPI_Test(&given, &over, MPI_STATUS_IGNORE);
    return over != 0;
  });
  return reason;
}

void cluster::leave(std::string const& why) noexcept {
  constexpr std::size_t most = 4'000;
  try {
    auto const reason =
        why.empty() ? std::string_view("it gives no reason") : std::string_view(why);
    if (!m_lost && !m_has_left)
      static_cast<void>(meet({said::purpose::leave, {}, {}, reason.substr(0, most)}));
    m_has_left = true;
  } catch (std::exception const&) {
    // The others were told.
  }
}

/// Sends `to[i]` to process i. `all`: what all said, with the bytes of each batch.
/// Errors: std::bad_alloc without room for the batches of the others, which are taken in all the same, so that
/// nobody waits.
std::vector<cluster::bytes> cluster::swap(std::vector<std::uint64_t> const& all,
                                          std::vector<bytes const*> const& to) {
  auto const processes = static_cast<std::size_t>(m_processes);
  auto const own = static_cast<std::size_t>(m_process);
  auto const coming = [&, each = fixed_figures + processes](std::size_t from) {
    return from == own ? 0 : all[from * each + fixed_figures + own];
  };
  std::vector<bytes> from;
  std::vector<MPI_Request> under_way;
  try {
    std::size_t parts = 0;
    for (std::size_t other = 0; other < processes; ++other) {
      from.emplace_back(coming(other));
      parts += parts_of(coming(other)) + parts_of(to[other]->size());
    }
    from[own] = *to[own];
    under_way.reserve(parts);
  } catch (std::bad_alloc const&) {
    from.clear();
    from.shrink_to_fit();
    drain(coming, to);
    throw;
  }
  auto const in_parts = [&](std::size_t size, auto&& move) {
    for (std::size_t at = 0; at < size; at += bytes_of_part) {
      under_way.push_back(MPI_REQUEST_NULL);
      move(at, static_cast<int>(std::min(bytes_of_part, size - at)));
    }
  };
  for (std::size_t other = 0; other < processes; ++other)
    in_parts(coming(other), [&](std::size_t at, int size) {
      MPI_Irecv(from[other].data() + at, size, MPI_BYTE, static_cast<int>(other), 0, m_world->all,
                &under_way.back());
    });
  for (std::size_t other = 0; other < processes; ++other) {
    if (other == own || to[other]->empty()) continue;
    ++m_sent.batches;
    m_sent.bytes += to[other]->size();
    in_parts(to[other]->size(), [&](std::size_t at, int size) {
      MPI_Isend(to[other]->data() + at, size, MPI_BYTE, static_cast<int>(other), 0, m_world->all,
                &under_way.back());
    });
  }
  wait_until([&] {
    int over = 0;
    MPI_Testall(static_cast<int>(under_way.size()), under_way.data(), &over, MPI_STATUSES_IGNORE);
    return over != 0;
  });
  return from;
}

/// Sends all batches, and takes in those of the others, a part at a time, into a buffer that is there already.
template <class Sizes>
void cluster::drain(Sizes const& coming, std::vector<bytes const*> const& to) noexcept {
  auto const processes = static_cast<std::size_t>(m_processes);
  auto const own = static_cast<std::size_t>(m_process);
  part_cursor received{processes, own};
  part_cursor sent{processes, own};
  MPI_Request receiving = MPI_REQUEST_NULL;
  MPI_Request sending = MPI_REQUEST_NULL;
  wait_until([&] {
    int came = 0;
    int left = 0;
    MPI_Test(&receiving, &came, MPI_STATUS_IGNORE);
    MPI_Test(&sending, &left, MPI_STATUS_IGNORE);
    bool const receives = came == 0 || received.next(coming, [&](int other, std::size_t, int size) {
      MPI_Irecv(m_world->spare.get(), size, MPI_BYTE, other, 0, m_world->all, &receiving);
    });
    auto const size_to = [&](std::size_t other) { return to[other]->size(); };
    bool const sends = left == 0 || sent.next(size_to, [&](int other, std::size_t at, int size) {
      MPI_Isend(to[static_cast<std::size_t>(other)]->data() + at, size, MPI_BYTE, other, 0,
                m_world->all, &sending);
    });
    return !receives && !sends;
  });
}

cluster::round cluster::exchange(std::vector<std::uint64_t> const& figures,
                                 std::vector<bytes> const& to) {
  said own{said::purpose::exchange, figures, {}};
  std::vector<bytes const*> batches;
  for (auto const& one : to) {
    own.bytes.push_back(one.size());
    batches.push_back(&one);
  }
  auto const all = meet(own);
  auto const each = fixed_figures + static_cast<std::size_t>(m_processes);
  round came;
  for (auto at = all.begin(); at != all.end(); at += static_cast<std::ptrdiff_t>(each))
    came.figures.insert(came.figures.end(), at + 2,
                        at + 2 + static_cast<std::ptrdiff_t>(figures.size()));
  came.from = swap(all, batches);
  return came;
}

std::vector<cluster::bytes> cluster::all_gather(bytes const& own) {
  auto const processes = static_cast<std::size_t>(m_processes);
  auto const all =
      meet({said::purpose::gather, {}, std::vector<std::size_t>(processes, own.size())});
  return swap(all, std::vector<bytes const*>(processes, &own));
}

}  // namespace lockstep::mpi
