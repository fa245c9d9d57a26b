// The C++ twins of the programs in test_twins.py: prints an object of their counts, by name.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include <lockstep/counted.hpp>
#include <lockstep/counts.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/processor.hpp>
#include <lockstep/run.hpp>
#include <lockstep/topologies/parse.hpp>
#include <lockstep/window.hpp>

#include "mpi_twins.hpp"

namespace {

using lockstep::processor;

/// Posts of several sizes, to several processors, itself among them; some without words.
void post_and_deliver(processor& me) {
  for (int superstep = 0; superstep < 3; ++superstep) {
    for (int i = 0; i < 4; ++i) {
      int const to = (3 * me.rank() + 5 * i + superstep) % me.size();
      me.post(to, std::vector<long>(static_cast<std::size_t>((me.rank() + i) % 4), i));
    }
    for (auto const& [from, values] : me.deliver<long>())
      if (!values.empty()) me.work(values.size() + static_cast<std::uint64_t>(from));
  }
}

void announced(processor& me) {
  me.post((me.rank() + 1) % me.size(), me.rank());
  static_cast<void>(me.deliver<int>({.announced = true}));
}

void in_columns(processor& me) {
  auto column = me.column();
  column.post(0, std::vector<int>(5, me.rank()));
  column.post(column.size() - 1, me.rank());
  static_cast<void>(column.deliver<int>());
  me.barrier();
}

/// Reads, writes and rounds of others, in which each processor has a window of eight numbers.
void one_sided(processor& me) {
  std::vector<double> part(8);
  std::iota(part.begin(), part.end(), 8.0 * me.rank());
  auto window = me.window(part);
  int const next = (me.rank() + 1) % me.size();
  auto const read = window.read(next, 2, 3);
  window.write(next, 0, read);
  if (me.rank() % 2 == 0 && me.rank() > 0)
    static_cast<void>(window.read(0, 7));
  else
    window.sync();
  if (me.rank() == 1)
    window.write(0, 4, 1.5);
  else
    window.sync();
}

void sorted_keys(processor& me) {
  std::vector<lockstep::counted<long>> keys;
  for (long i = 0; i < 12; ++i) keys.emplace_back((7 * i + 5 * me.rank()) % 13);
  me.work_of([&] {
    for (std::size_t i = 1; i < keys.size(); ++i)
      for (std::size_t j = i; j > 0 && keys[j] < keys[j - 1]; --j) std::swap(keys[j - 1], keys[j]);
  });
  auto const other = me.exchange(me.rank() ^ 1, keys);
  me.work_of([&] {
    lockstep::counted<long> sum = 0;
    for (auto const& key : other) sum += key * 2;
    return sum;
  });
}

lockstep::counts counts_of(std::string const& network,
                           std::function<void(processor&)> const& program,
                           lockstep::machine_options const& options = {}) {
  return lockstep::machine(lockstep::parse(network), options).run(program).counts();
}

}  // namespace

int main() {
  std::map<std::string, lockstep::counts> all{
      {"post_and_deliver", counts_of("torus:3x3", post_and_deliver)},
      {"post_and_deliver in packets", counts_of("crossbar:6", post_and_deliver, {.packet = 4})},
      {"announced", counts_of("ring:5", announced)},
      {"in_columns", counts_of("mesh:3x4", in_columns)},
      {"one_sided", counts_of("crossbar:5", one_sided)},
      {"one_sided on a torus", counts_of("torus:2x3", one_sided)},
      {"sorted_keys", counts_of("hypercube:3", sorted_keys)}};
  all.merge(counts_of_mpi_twins());
  char const* separator = "{";
  for (auto const& [name, counts] : all) {
    std::printf("%s\"%s\": ", separator, name.c_str());
    char mark = '{';
    lockstep::for_each_figure(counts, [&](char const* figure, std::uint64_t value) {
      std::printf("%c\"%s\": %llu", mark, figure, static_cast<unsigned long long>(value));
      mark = ',';
    });
    std::printf("}");
    separator = ",\n";
  }
  std::printf("}\n");
}
