// Calls of a processor and a machine that cannot work. Each line that begins with `// refused:` is the text
// that the compiler has to print for the statement below it, and no other error (check_refused.cmake).

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <lockstep/machine.hpp>

using lockstep::along;
using lockstep::processor;

// A message is data: a pointer means nothing in another processor's memory.
void pointers(processor& me, int* there) {
  // refused: send numbers, flat structs, or a vector of these: no pointers
  me.send(1, there);
  // refused: send numbers, flat structs, or a vector of these: no pointers
  me.send(1, std::pair<int, int*>(1, there));
  // refused: exchange numbers, flat structs, or a vector of these: no pointers
  int* const heard = me.exchange(1, there);
  // refused: post numbers, flat structs, or a vector of these: no pointers
  me.post(1, heard);
  // refused: name the type of one element, a number or a flat struct: receive_value<int>(from)
  int* const received = me.receive_value<int*>(1);
  static_cast<void>(received);
}

// Elements are data: a vector of vectors has them elsewhere.
std::size_t vectors_of_vectors(processor& me, std::vector<std::vector<int>> const& rows) {
  // refused: send numbers, flat structs, or a vector of these: no pointers, vectors of vectors, or vector<bool>
  me.send(1, rows);
  // refused: exchange numbers, flat structs, or a vector of these: no pointers, vectors of vectors, or vector<bool>
  std::vector<std::vector<int>> const heard = me.exchange(1, rows);
  // refused: shift numbers, flat structs, or a vector of these: no pointers, vectors of vectors, or vector<bool>
  auto const shifted = me.shift(along{0, 1}, rows);
  return heard.size() + shifted.size();
}

// A way names the processor that a message goes to, and not the one that a message comes from.
long ways(processor& me, long sum) {
  // refused: write shift(along, values), or exchange(to, values, from)
  sum += me.exchange(along{1, 1}, sum);
  // refused: write shift(along, values), or exchange(to, values, from)
  auto const more = me.exchange(along{1, 1}, 5) + 1;
  // refused: write shift(along, values), or exchange(to, values, from)
  for (auto const value : me.exchange(along{0, -1}, std::vector<short>{3})) sum += value;
  // refused: receive from a rank, which me.neighbour(along) finds, or write shift(along, values)
  sum += me.receive<int>(along{0, 1})[0];
  // refused: receive from a rank, which me.neighbour(along) finds, or write shift(along, values)
  sum = std::max(sum, me.receive_value<long>(along{0, 1}));
  // refused: write neighbour(along{dimension, offset})
  auto const left = me.neighbour(0, -1);
  return sum + more + *left;
}

// A program says which type it receives.
long types_unsaid(processor& me) {
  // refused: name the type that comes in: receive<int>(from)
  long sum = me.receive(1)[0];
  // refused: name the type that comes in: receive<int>(from, elements)
  for (long const value : me.receive(1, 3)) sum += value;
  // refused: name the type that comes in: receive_value<int>(from)
  sum += me.receive_value(1);
  // refused: name the type that comes in: receive_any<int>()
  auto const [from, values] = me.receive_any();
  // refused: name the type that comes in: try_receive<int>(from)
  if (auto const came = me.try_receive(from)) sum += came->front();
  // refused: name the type that comes in: deliver<int>()
  for (auto const& message : me.deliver()) sum += message.from;
  return sum + values[0];
}

// The type that is named is that of an element.
std::size_t types_of_vectors(processor& me) {
  // refused: name the type of one element, a number or a flat struct: receive<int>(from) gives a vector
  std::vector<int> const received = me.receive<std::vector<int>>(1);
  // refused: name the type of one element, a number or a flat struct: receive<int>(from) gives a vector
  auto const text = me.receive<std::string>(1);
  // refused: name the type of one element, a number or a flat struct: receive_value<int>(from)
  std::string const name = me.receive_value<std::string>(1);
  // refused: name the type of one element, a number or a flat struct: receive_any<int>() gives a vector
  auto const any = me.receive_any<std::vector<int>>();
  // refused: name the type of one element, a number or a flat struct: try_receive<int>(from) gives a vector
  auto const tried = me.try_receive<std::vector<int>>(1);
  // refused: name the type of one element, a number or a flat struct: deliver<int>() gives vectors
  auto const mail = me.deliver<std::vector<int>>();
  return received.size() + text.size() + name.size() + any.values.size() + tried->size() +
         mail.size();
}

// A message is received into the elements of a range.
int one_element(processor& me) {
  int value = 0;
  // refused: receive into a vector, array or span of numbers or flat structs; one of them is x = receive_value<int>(from)
  me.receive_into(1, value);
  return value;
}

// A machine has a network, and a program takes its processor by reference: it cannot be copied and kept.
int machines() {
  // refused: name the network: machine{crossbar{4}}, or machine{"crossbar:4"}
  lockstep::machine const machine{4};
  // refused: a program takes its processor by reference, and nothing else
  auto const run = machine.run([](processor me) { return me.rank(); });
  // refused: a program takes its processor by reference, and nothing else
  machine.run([](processor& me, int rank) { me.send(rank, 1); });
  int calls = 0;
  // refused: all processors call the same program: a lambda that is not mutable, or a const call operator
  machine.run([calls](processor& me) mutable { me.idle(++calls); });
  // refused: name the network: machine{crossbar{4}}, or machine{"crossbar:4"}
  lockstep::machine const other{2.5};
  return run.results()[0] + other.size();
}
