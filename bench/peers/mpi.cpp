// MPI, one source for all that implement it: SimGrid's simulator SMPI, Open MPI, MPICH.

#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <span>
#include <vector>

#include "measurement.hpp"
#include "workloads.hpp"

namespace peers {

namespace {

class mpi_processor {
 public:
  static constexpr bool exchange_is_barrier = false;

  mpi_processor() {
    MPI_Comm_rank(MPI_COMM_WORLD, &m_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &m_size);
  }

  [[nodiscard]] int rank() const { return m_rank; }
  [[nodiscard]] int size() const { return m_size; }
  void barrier() { MPI_Barrier(MPI_COMM_WORLD); }

  void exchange(int to, std::span<word const> out, std::span<word> in, int from) {
    MPI_Sendrecv(out.data(), static_cast<int>(out.size()), MPI_UINT64_T, to, 0, in.data(),
                 static_cast<int>(in.size()), MPI_UINT64_T, from, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
  }

  void receive(int from, std::span<word> in) {
    MPI_Recv(in.data(), static_cast<int>(in.size()), MPI_UINT64_T, from, 0, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
  }

  void all_to_all(std::vector<word> const& blocks, std::vector<word>& arrived) {
    MPI_Alltoall(blocks.data(), 1, MPI_UINT64_T, arrived.data(), 1, MPI_UINT64_T, MPI_COMM_WORLD);
  }

  [[nodiscard]] std::vector<std::uint32_t> radix_sorted(std::vector<std::uint32_t> const& keys) {
    auto sorted = keys;
    for (unsigned shift = 0; shift < 32; shift += digit_bits) sort_by_digit(sorted, shift);
    return sorted;
  }

 private:
  /// A counting sort by one digit, stable: every key goes to the processor of its rank among all
  /// keys, and is put in order there.
  void sort_by_digit(std::vector<std::uint32_t>& keys, unsigned shift) {
    auto const digit = [shift](std::uint32_t key) { return key >> shift & (radix - 1); };
    std::vector<int> own(radix);
    for (auto const key : keys) ++own[digit(key)];
    std::vector<int> before(radix);
    std::vector<int> all(radix);
    MPI_Exscan(own.data(), before.data(), radix, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (m_rank == 0) std::ranges::fill(before, 0);
    MPI_Allreduce(own.data(), all.data(), radix, MPI_INT, MPI_SUM, MPI_COMM_WORLD);

    // The keys here in order, and how many of them go to each processor.
    std::vector<std::uint32_t> ordered(keys.size());
    std::vector<int> counts(static_cast<std::size_t>(m_size));
    auto const block = keys.size();
    std::size_t first_of_digit = 0;  // among all keys
    int placed = 0;                  // keys here of the digits before
    auto next = own;
    for (std::size_t at = 0; at < radix; ++at) {
      auto const first = first_of_digit + static_cast<std::size_t>(before[at]);
      for (int key = 0; key < own[at]; ++key)
        ++counts[(first + static_cast<std::size_t>(key)) / block];
      first_of_digit += static_cast<std::size_t>(all[at]);
      next[at] = placed;
      placed += own[at];
    }
    for (auto const key : keys) ordered[static_cast<std::size_t>(next[digit(key)]++)] = key;
    exchange_keys(ordered, counts, keys);

    // From each processor, in its order, keys come by ascending digits.
    order_by(digit, keys);
  }

  void exchange_keys(std::vector<std::uint32_t> const& out, std::vector<int> const& counts,
                     std::vector<std::uint32_t>& in) {
    std::vector<int> arriving(counts.size());
    MPI_Alltoall(counts.data(), 1, MPI_INT, arriving.data(), 1, MPI_INT, MPI_COMM_WORLD);
    std::vector<int> from(counts.size());
    std::vector<int> to(counts.size());
    std::exclusive_scan(counts.begin(), counts.end(), from.begin(), 0);
    std::exclusive_scan(arriving.begin(), arriving.end(), to.begin(), 0);
    MPI_Alltoallv(out.data(), counts.data(), from.data(), MPI_UINT32_T, in.data(), arriving.data(),
                  to.data(), MPI_UINT32_T, MPI_COMM_WORLD);
  }

  template <class Digit>
  static void order_by(Digit const& digit, std::vector<std::uint32_t>& keys) {
    std::vector<int> next(radix + 1);
    for (auto const key : keys) ++next[digit(key) + 1];
    std::partial_sum(next.begin(), next.end(), next.begin());
    std::vector<std::uint32_t> ordered(keys.size());
    for (auto const key : keys) ordered[static_cast<std::size_t>(next[digit(key)]++)] = key;
    keys.swap(ordered);
  }

  int m_rank = 0;
  int m_size = 0;
};

/// Reads this process's proportional share of the computer's memory.
double proportional_memory() { return memory_field("/proc/self/smaps_rollup", "Pss:"); }

/// The number of this process. (The simulator has a getpid of its own, which tells the ranks apart.)
int process_number() {
  char number[32] = {};
  auto const length = readlink("/proc/self", number, sizeof number - 1);
  return length > 0 ? std::atoi(number) : 0;
}

/// Bytes of all processes, at the end; their peak where all ranks are one process, as in the simulator.
double memory_of_all(mpi_processor const& me) {
  int first = process_number();
  MPI_Bcast(&first, 1, MPI_INT, 0, MPI_COMM_WORLD);
  bool const is_same = first == process_number();
  double const own = is_same && me.rank() > 0 ? 0 : is_same ? peak_memory() : proportional_memory();
  double all = 0;
  MPI_Reduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  return all;
}

outcome reduced(outcome const& own) {
  outcome all = own;
  int const is_wrong = own.is_right ? 0 : 1;
  int wrong = 0;
  MPI_Reduce(&is_wrong, &wrong, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  MPI_Reduce(&own.change, &all.change, 1, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
  all.is_right = wrong == 0;
  return all;
}

}  // namespace

}  // namespace peers

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  auto const asked = peers::request_from(argc, argv);
  auto const program = asked ? peers::program_for<peers::mpi_processor>(*asked) : nullptr;
  if (program == nullptr) MPI_Abort(MPI_COMM_WORLD, 2);
  peers::mpi_processor me;
  auto const all = peers::reduced(program(me, *asked));
  auto const bytes = peers::memory_of_all(me);
  int status = 0;
  if (me.rank() == 0) status = peers::report(*asked, all, bytes);
  MPI_Finalize();
  return status;
}
