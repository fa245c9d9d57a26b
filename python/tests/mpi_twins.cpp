// Programs of mpi_programs as one writes them in C++.

#include "mpi_twins.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <numeric>
#include <vector>

#include <lockstep/algorithms/collectives/all_gather.hpp>
#include <lockstep/algorithms/collectives/all_reduce.hpp>
#include <lockstep/algorithms/collectives/broadcast.hpp>
#include <lockstep/algorithms/collectives/reduce.hpp>
#include <lockstep/algorithms/collectives/scan.hpp>
#include <lockstep/algorithms/collectives/scatter.hpp>
#include <lockstep/algorithms/collectives/total_exchange.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/processor.hpp>
#include <lockstep/run.hpp>
#include <lockstep/topologies/parse.hpp>

namespace {

using lockstep::processor;

void ring_token(processor& me) {
  int const right = (me.rank() + 1) % me.size();
  int const left = (me.rank() + me.size() - 1) % me.size();
  int token = 0;
  for (int lap = 0; lap < 3; ++lap) {
    if (me.rank() == 0) me.send(right, token);
    token = me.receive_value<int>(left) + me.rank();
    if (me.rank() != 0) me.send(right, token);
  }
}

void ping_pong(processor& me) {
  int const partner = me.rank() ^ 1;
  std::size_t n = 1;
  for (int power = 0; power < 6; ++power, n *= 4) {
    std::vector<double> data(n);
    if (me.rank() % 2 == 0) me.send(partner, data);
    data = me.receive<double>(partner);
    if (me.rank() % 2 != 0) me.send(partner, data);
  }
}

void pi(processor& me) {
  int const intervals = lockstep::broadcast(me, 1000);
  static_cast<void>(lockstep::reduce(me, std::plus<>{}, 1.0 / intervals));
}

void scattered_squares(processor& me) {
  std::size_t const all = 5 * static_cast<std::size_t>(me.size());
  auto const mine = lockstep::scatter(me, std::vector<int>(me.rank() == 0 ? all : 0), all);
  static_cast<void>(lockstep::gather(me, mine));
}

void dot_product(processor& me) {
  std::size_t const all = 25 * static_cast<std::size_t>(me.size());
  for (int vector = 0; vector < 2; ++vector)
    static_cast<void>(lockstep::scatter(me, std::vector<double>(me.rank() == 0 ? all : 0), all));
  static_cast<void>(lockstep::all_reduce(me, std::plus<>{}, std::vector<double>(1)));
}

void matrix_vector(processor& me) {
  std::size_t const n = 4 * static_cast<std::size_t>(me.size());
  static_cast<void>(lockstep::scatter(me, std::vector<double>(me.rank() == 0 ? n * n : 0), n * n));
  std::vector<double> vector(n);
  lockstep::broadcast(me, vector);
  static_cast<void>(lockstep::all_gather(me, std::vector<double>(4)));
}

double larger(double a, double b) { return std::max(a, b); }

void heat(processor& me) {
  std::vector<double> cells(10);
  if (me.rank() == 0) cells[0] = 100;
  bool const has_left = me.rank() > 0;
  bool const has_right = me.rank() < me.size() - 1;
  for (double change = 100; change > 0.5;) {
    if (has_left) me.send(me.rank() - 1, cells[1]);
    if (has_right) me.send(me.rank() + 1, cells[8]);
    if (has_left) cells.front() = me.receive_value<double>(me.rank() - 1);
    if (has_right) cells.back() = me.receive_value<double>(me.rank() + 1);
    std::vector<double> next(cells);
    change = 0;
    for (std::size_t i = 1; i < 9; ++i) {
      next[i] = 0.5 * (cells[i - 1] + cells[i + 1]);
      change = std::max(change, std::abs(next[i] - cells[i]));
    }
    change = lockstep::all_reduce(me, larger, change, {.commutes = true});
    cells = next;
  }
  static_cast<void>(lockstep::reduce(me, std::plus<>{}, cells[1]));
}

void odd_even_sort(processor& me) {
  std::vector<int> keys(6);
  for (int phase = 0; phase < me.size(); ++phase) {
    int const partner = (me.rank() + phase) % 2 == 0 ? me.rank() + 1 : me.rank() - 1;
    if (partner >= 0 && partner < me.size()) static_cast<void>(me.exchange(partner, keys));
  }
  static_cast<void>(lockstep::gather(me, keys));
}

void prefix_sums(processor& me) {
  int const length = 10 * (me.rank() + 1) + me.rank() % 3;
  int const end = lockstep::scan(me, std::plus<>{}, length);
  int const begin = lockstep::exclusive_scan(me, std::plus<>{}, length);
  static_cast<void>(lockstep::all_reduce(me, [](int a, int b) { return std::max(a, b); }, length,
                                         {.commutes = true}));
  static_cast<void>(lockstep::gather(me, std::vector<int>{begin, end}, {.root = me.size() - 1}));
}

void transposed(processor& me) {
  auto const p = static_cast<std::size_t>(me.size());
  static_cast<void>(lockstep::all_to_all(me, std::vector<int>(p), {}));
  auto const theirs = lockstep::all_to_all(me, std::vector<int>(2 * p), {});
  static_cast<void>(lockstep::gather(me, theirs));
}

void uneven_blocks(processor& me) {
  std::vector<std::size_t> sizes;
  for (int rank = 0; rank < me.size(); ++rank)
    sizes.push_back(3 * static_cast<std::size_t>(rank) + 1);
  auto const all = std::accumulate(sizes.begin(), sizes.end(), std::size_t{0});
  auto const mine = lockstep::scatterv(me, std::vector<double>(me.rank() == 0 ? all : 0), sizes);
  static_cast<void>(lockstep::gatherv(me, mine, sizes));
  static_cast<void>(lockstep::all_reduce(me, larger, std::vector<double>(1), {.commutes = true}));
}

}  // namespace

std::map<std::string, lockstep::counts> counts_of_mpi_twins() {
  std::map<std::string, std::function<void(processor&)>> const programs{
      {"ring_token", ring_token},
      {"ping_pong", ping_pong},
      {"pi", pi},
      {"scattered_squares", scattered_squares},
      {"dot_product", dot_product},
      {"matrix_vector", matrix_vector},
      {"heat", heat},
      {"odd_even_sort", odd_even_sort},
      {"prefix_sums", prefix_sums},
      {"transposed", transposed},
      {"uneven_blocks", uneven_blocks}};
  std::map<std::string, lockstep::counts> all;
  for (auto const& [name, program] : programs)
    for (char const* const network : {"crossbar:4", "ring:4", "mesh:2x2"})
      all.emplace(name + " on " + network,
                  lockstep::machine(lockstep::parse(network)).run(program).counts());
  return all;
}
