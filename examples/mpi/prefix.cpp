#include <cstdio>
#include <functional>

#include <lockstep/algorithms/prefix/prefix.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/mpi/cluster.hpp>
#include <lockstep/topologies/hypercube.hpp>

int main(int argc, char** argv) {
  lockstep::mpi::cluster cluster(argc, argv);
  lockstep::machine const big(lockstep::hypercube(16), {.cluster = &cluster});
  auto const run = big.run([](lockstep::processor& me) {
    return lockstep::prefix(me, lockstep::monoid{0, std::plus<int>{}}, 1);
  });
  auto const results =
      run.gather_results();  // on process 0; the others have run.results(), their own
  if (cluster.process() == 0)
    std::printf("the last of %zu prefixes is %d\n%s", results.size(), results.back(),
                run.summary().c_str());
}
