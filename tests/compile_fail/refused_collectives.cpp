// Collectives that cannot work, written as refused_calls.cpp is.

#include <functional>
#include <string>
#include <vector>

#include <lockstep/algorithms/collectives/all_gather.hpp>
#include <lockstep/algorithms/collectives/all_reduce.hpp>
#include <lockstep/algorithms/collectives/broadcast.hpp>
#include <lockstep/algorithms/collectives/reduce.hpp>
#include <lockstep/algorithms/collectives/reduce_scatter.hpp>
#include <lockstep/algorithms/collectives/scan.hpp>
#include <lockstep/algorithms/collectives/scatter.hpp>
#include <lockstep/algorithms/collectives/total_exchange.hpp>

using lockstep::processor;

// Sums need an operator before the values.
long operators(processor& me, long sum) {
  // refused: write all_reduce(me, std::plus<>{}, values): an operator on two of them, then numbers
  sum += lockstep::all_reduce(me, sum, {.scheme = "ring"});
  // refused: write all_reduce(me, std::plus<>{}, values): an operator on two of them, then numbers
  sum += lockstep::all_reduce(me, sum, std::plus<>{});
  // refused: write reduce(me, std::plus<>{}, values): an operator on two of them, then numbers
  sum += lockstep::reduce(me, sum);
  // refused: write scan(me, std::plus<>{}, values): an operator on two of them, then numbers
  sum += lockstep::scan(me, sum, std::plus<>{});
  // refused: write exclusive_scan(me, std::plus<>{}, values): an operator on two of them, then numbers
  sum += lockstep::exclusive_scan(me, sum);
  // refused: write reduce_scatter(me, std::plus<>{}, values): an operator on two of them, then numbers
  sum += lockstep::reduce_scatter(me, std::vector<long>{sum})[0];
  return sum;
}

// Blocks are data, and a block that comes in needs a place.
std::size_t blocks(processor& me, std::vector<std::string> const& names) {
  // refused: pass numbers, flat structs, or a vector of these: no pointers, vectors of vectors, or vector<bool>
  auto const gathered = lockstep::gather(me, names);
  // refused: pass numbers, flat structs, or a vector of these: no pointers, vectors of vectors, or vector<bool>
  auto const all = lockstep::all_gather(me, &names);
  // refused: pass numbers, flat structs, or a vector of these: no pointers, vectors of vectors, or vector<bool>
  lockstep::broadcast(me, names);
  // refused: broadcast writes to the block that it is given: pass a variable
  auto const block = lockstep::broadcast(me, std::vector{1, 2, 3});
  // refused: all_to_all takes blocks of one size in one vector, one after the other; a vector of vectors is for all_to_allv
  auto const came = lockstep::all_to_all(me, std::vector<std::vector<int>>{{1}, {2}});
  return gathered.size() + all.size() + block.size() + came.size();
}
