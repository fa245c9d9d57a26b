#include "report/bound_sentence.hpp"

#include <string>
#include <vector>

#include <lockstep/machine.hpp>
#include <lockstep/topologies/crossbar.hpp>
#include <lockstep/topologies/mesh.hpp>
#include <lockstep/topologies/torus.hpp>

#include "../catch.hpp"
#include "report/bound_drawing.hpp"

using namespace lockstep;

namespace {

/// Processor 5 sends three words to processor 3, and processor 0 two to processor 1.
void send_some(processor& me) {
  if (me.rank() == 3) (void)me.receive<int>(5);
  if (me.rank() == 5) me.send(3, std::vector{1, 2, 3});
  if (me.rank() == 1) (void)me.receive<int>(0);
  if (me.rank() == 0) me.send(1, std::vector{1, 2});
}

/// The sentence on the first bound for that reason, on that figure.
std::string sentence(run_record const& run, traffic_requirement const& of, bound_reason reason,
                     std::string const& figure = "words") {
  for (auto const& one : lower_bounds(run, of))
    if (one.reason == reason && one.figure == figure)
      return cli::sentence_on(one, run, cli::drawing_of(one, run));
  return "no such bound";
}

}  // namespace

TEST_CASE("a bound by ports names the words, the ports and the busiest processor",
          "[bound_sentence]") {
  auto const one = machine{mesh{{8}}}.run(send_some);
  CHECK(sentence(one, {.taken_in = 3}, bound_reason::in_port) ==
        "A processor has to take in 3 words, and they go through its one in-port, one after the "
        "other. In this run, processor 3 takes in most, 3 words.");
  CHECK(sentence(one, {.sent = 3}, bound_reason::out_port) ==
        "A processor has to send 3 words, and where no message queues, they go through its one "
        "out-port, one after the other. In this run, processor 5 sends most, 3 words.");
  auto const all = machine{mesh{{8}}, {.ports = ports::all}}.run(send_some);
  CHECK(sentence(all, {.taken_in = 3}, bound_reason::in_port) ==
        "A processor has to take in 3 words, and at least 2 of them go through one of its "
        "in-ports, of which it has at most 2. In this run, processor 3 takes in most, 3 words.");
}

TEST_CASE("a bound by words into a processor says where they come in, and that they go on",
          "[bound_sentence]") {
  auto const run = machine{mesh{{8}}}.run(send_some);
  auto const on = [&](std::string const& formula) {
    lower_bound const one{"steps", formula, 0, "", bound_reason::in_port};
    return cli::sentence_on(one, run, cli::drawing_of(one, run));
  };
  auto const* const first =
      "The links of processor 5 are the only ways for 60 words that it or those beyond it need, "
      "and they come in through its one in-port, one after the other.";
  CHECK(on("60 words into processor 5, each to go 0 links on") == first);
  CHECK(on("60 words into processor 5, each to go 1 link on") ==
        std::string(first) +
            " Each of them is needed farther on, so that the last one still has to go over 1 link "
            "more.");
}

TEST_CASE("a bound by a layer of a hypercube says how many records it lets through",
          "[bound_sentence]") {
  auto const run = machine{mesh{{8}}}.run(send_some);
  lower_bound const one{"steps", "88 records through 20 processors with 3 ones", 5, "",
                        bound_reason::in_port};
  CHECK(cli::drawing_of(one, run).is_null());
  CHECK(
      cli::sentence_on(one, run, cli::drawing_of(one, run)) ==
      "A link changes one bit of a rank, so that 88 records have to go through the 20 processors "
      "with 3 ones in their ranks. Each takes in, and sends, one in a step, and one of them has at "
      "least 5.");
}

TEST_CASE("a bound by distance names the ends of the path that is drawn", "[bound_sentence]") {
  auto const run =
      machine{mesh{{4, 4}}, {.switching = switching::neighbour}}.run([](processor&) {});
  CHECK(sentence(run, {.distance = 6}, bound_reason::distance, "steps") ==
        "Something has to go over 6 links, as far as from processor 0 to processor 15, and in a "
        "step it goes over one. No two processors are farther apart.");
  CHECK(sentence(run, {.distance = 2}, bound_reason::distance, "hops") ==
        "Something has to go over 2 links, as far as from processor 0 to processor 2, each of them "
        "a hop.");
}

TEST_CASE("a bound by spreading says how fast the number of processors grows", "[bound_sentence]") {
  auto const one = machine{torus{{8}}}.run([](processor&) {});
  CHECK(sentence(one, {.joined = 5}, bound_reason::spreading, "steps") ==
        "Something of one processor has to reach 5 processors, itself included, or one processor "
        "needs something of 5. In a step, the number of those reached at most doubles, for each "
        "has one port, which makes 3 steps for 5.");
  auto const all = machine{torus{{8}}, {.ports = ports::all}}.run([](processor&) {});
  CHECK(sentence(all, {.joined = 5}, bound_reason::spreading, "steps") ==
        "Something of one processor has to reach 5 processors, itself included, or one processor "
        "needs something of 5. In a step, the number of those reached at most grows 3-fold, for "
        "each has at most 2 ports, which makes 2 steps for 5.");
}

TEST_CASE("a bound by a cut names its side and its links", "[bound_sentence]") {
  auto const strict = machine_options{.strict = true};
  auto const halves = [&](auto const& network) {
    return sentence(machine{network, strict}.run([](processor&) {}), {.crossing = 2'000},
                    bound_reason::halves);
  };
  CHECK(halves(torus{{4, 4}}) ==
        "However the processors are halved, 2,000 words have to get from one half to the other. "
        "Only 8 links lead from processors 0 to 7 to the others, so that one of them carries at "
        "least 250 words, one after the other.");
  CHECK(halves(mesh{{2, 4}}) ==
        "However the processors are halved, 2,000 words have to get from one half to the other. "
        "Only 2 links lead from processors 0, 1, 4, 5 to the others, so that one of them carries "
        "at least 1,000 words, one after the other.");
  CHECK(halves(mesh{{4, 6}}) ==
        "However the processors are halved, 2,000 words have to get from one half to the other. "
        "Only 4 links lead from processor 0 and 11 more to the others, so that one of them carries "
        "at least 500 words, one after the other.");
}

TEST_CASE("a bound by all links says how many there are, one by words how many",
          "[bound_sentence]") {
  auto const strict = machine{mesh{{8}}, {.strict = true}}.run([](processor&) {});
  CHECK(sentence(strict, {.word_links = 30}, bound_reason::links) ==
        "The ways that words have to go have 30 links altogether. Each of the machine's 14 links "
        "carries one word at a time, so that one carries at least 3 words.");
  auto const full = machine{crossbar{4}}.run([](processor&) {});
  CHECK(
      sentence(full, {.word_links = 30}, bound_reason::links) ==
      "The ways that words have to go have 30 links altogether. Each of the 4 in-ports takes in a "
      "word over one link at a time, so that one takes in at least 8 words.");
  CHECK(sentence(full, {.moved = 20, .word_links = 30}, bound_reason::links, "volume") ==
        "The ways that words have to go have 30 links altogether, and the volume counts a word on "
        "each of them.");
  CHECK(sentence(full, {.moved = 1'234}, bound_reason::moved, "volume") ==
        "Processors have to take in 1,234 words altogether that others have, and the volume counts "
        "each.");
}
