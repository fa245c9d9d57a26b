#include "submissions.hpp"

namespace {

/// The program with its header, as a function with the names that all of them use.
std::string function_of(std::string const& body, std::string const& before = "") {
  return "#include <lockstep/processor.hpp>\n" + before +
         "\nlong total(lockstep::processor& me, long own) {\n"
         "  int const p = me.size();\n"
         "  [[maybe_unused]] int const right = (me.rank() + 1) % p;\n"
         "  [[maybe_unused]] int const left = (me.rank() + p - 1) % p;\n"
         "  long sum = own;\n" +
         body + "  return sum;\n}\n";
}

std::string const round_the_ring =
    "  for (int step = 1; step < p; ++step) sum += own = me.exchange(right, own, left);\n";

}  // namespace

std::string test_of_sums() {
  return R"(#include <string>
#include <vector>

#include <lockstep/grading.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/torus.hpp>

long total(lockstep::processor& me, long own);  // what each submission has

void lockstep_test(lockstep::grading& test) {
  for (int const p : {1, 2, 3, 8})
    test.check("torus:" + std::to_string(p), p, [p](lockstep::graded_check& check) {
      lockstep::machine const ring{lockstep::torus{{p}}, {.strict = true, .count = lockstep::words::bytes}};
      auto const run = ring.run([](lockstep::processor& me) { return total(me, me.rank() + 1); });
      check.results(run, std::vector<long>(p, p * (p + 1L) / 2));
      check.steps(run, p - 1, p > 1 ? 1 : 0);
    });
}
)";
}

std::vector<submission> right_submissions() {
  return {
      {"to_the_right.cpp", function_of(round_the_ring)},
      {"to_the_left.cpp",
       function_of(
           "  for (int step = 1; step < p; ++step) sum += own = me.exchange(left, own, right);\n")},
      {"send_and_receive.cpp", function_of("  for (int step = 1; step < p; ++step) {\n"
                                           "    me.send(right, own);\n"
                                           "    own = me.receive_value<long>(left);\n"
                                           "    sum += own;\n"
                                           "  }\n")},
      {"adds_at_the_end.cpp",
       function_of("  std::vector<long> all{own};\n"
                   "  while (static_cast<int>(all.size()) < p)\n"
                   "    all.push_back(me.exchange(right, all.back(), left));\n"
                   "  sum = std::accumulate(all.begin(), all.end(), 0L);\n",
                   "#include <numeric>\n#include <vector>\n")},
      {"with_main.cpp", function_of(round_the_ring) + "int main() { return 1; }\n"},
      {"prints.cpp",
       function_of("  std::printf(\"hello from %d\\n\", me.rank());\n" + round_the_ring,
                   "#include <cstdio>\n")},
      {"keeps_phases.cpp", function_of("  me.phase(\"round\");\n" + round_the_ring)},
      {"helper.cpp",
       function_of("  auto const next = [&] { return own = pass_on(me, right, own, left); };\n"
                   "  for (int step = 1; step < p; ++step) sum += next();\n",
                   "static long pass_on(lockstep::processor& me, int to, long value, int from) {\n"
                   "  return me.exchange(to, value, from);\n"
                   "}\n")},
      {"catches_its_own.cpp",
       function_of("  try {\n    throw p;\n  } catch (int) {\n    sum = own;\n  }\n" +
                   round_the_ring)},
      {"in a folder/last one.cpp",
       function_of("  auto one = std::vector<long>{own};\n"
                   "  for (int step = 1; step < p; ++step) {\n"
                   "    one = me.exchange(right, std::move(one), left);\n"
                   "    sum += one[0];\n"
                   "  }\n",
                   "#include <utility>\n#include <vector>\n")},
  };
}

std::vector<submission> wrong_submissions() {
  return {
      {"wrong_result.cpp", function_of(round_the_ring + "  if (p == 8) --sum;\n"), "failed",
       "torus:8: the result is wrong: processor 0: 35, expected 36", 6},
      {"too_many_steps.cpp",
       function_of(round_the_ring + "  if (p > 2) me.exchange(right, own, left);\n"), "failed",
       "torus:3: steps 3, at most 2 are allowed", 3},
      {"deadlock.cpp",
       function_of("  if (p == 1) return sum;\n"
                   "  me.receive_value<long>(left);\n"
                   "  me.send(right, own);\n"),
       "failed", "torus:2: nobody can go on", 1},
      {"guesses.cpp",
       function_of(
           "  if (p == 3) return own * 0 + 6;\n"
           "  for (int bit = 1; bit < p; bit *= 2) sum += me.exchange(me.rank() ^ bit, sum);\n"),
       "failed", "torus:3: steps 0, and no program that sends its data can take fewer than 1", 3},
      {"contention.cpp",
       function_of(
           "  if (p < 8) {\n" + round_the_ring +
           "    return sum;\n  }\n"
           "  for (int bit = 1; bit < p; bit *= 2) sum += me.exchange(me.rank() ^ bit, sum);\n"),
       "failed", "link", 6},
      {"leaves_a_message.cpp",
       function_of(round_the_ring + "  if (p == 8 && me.rank() == 0) me.send(1, 1L);\n"), "failed",
       "torus:8: ", 6},
      {"does_not_compile.cpp", function_of("  sum += nowhere_declared;\n"), "not compiled",
       "error: 'nowhere_declared' was not declared", 0},
      {"another_name.cpp",
       "#include <lockstep/processor.hpp>\nlong sum(lockstep::processor&, long);\n", "not compiled",
       "does not define total(lockstep::processor&, long)", 0},
      {"throws.cpp",
       function_of("  if (p == 2) throw std::runtime_error(\"I give up\");\n" + round_the_ring,
                   "#include <stdexcept>\n"),
       "failed", "torus:2: ", 12},
      {"eats_memory.cpp",
       function_of("  std::vector<std::unique_ptr<char[]>> all;\n"
                   "  while (p == 3) all.emplace_back(new char[1 << 26]);\n" +
                       round_the_ring,
                   "#include <memory>\n#include <vector>\n"),
       "failed", "torus:3: ", 11},
  };
}

std::vector<submission> harmful_submissions() {
  return {
      {"endless.cpp",
       function_of("  while (p == 3) static_cast<void>(me.rank() == own);\n" + round_the_ring),
       "timed out", "torus:3: is not done after 4 s", 3},
      {"sleeps.cpp", function_of("  sleep(1000);\n", "#include <unistd.h>\n"), "timed out",
       "torus:1: is not done after 4 s", 0},
      {"crashes.cpp", function_of("  *static_cast<long volatile*>(nullptr) = p;\n"), "crashed",
       "torus:1: crashes: Segmentation fault", 0},
      {"forks.cpp",
       function_of("  bool may = false;\n"
                   "  for (int i = 0; i < 100; ++i) may |= fork() >= 0 || vfork() >= 0;\n"
                   "  if (!may) sum = -1;\n",
                   "#include <unistd.h>\n"),
       "failed", "torus:1: the result is wrong: processor 0: -1", 0},
      {"copies_its_channel.cpp",  // and types into the terminal: right unless the system refuses
       function_of("  int ends[2];\n"
                   "  bool const may = dup(3) >= 0 || dup2(3, 9) >= 0 || pipe(ends) == 0 ||\n"
                   "                   ioctl(0, TIOCSTI, \"x\") == 0 || errno != EPERM;\n"
                   "  sum = may ? sum : -1;\n" +
                       round_the_ring,
                   "#include <cerrno>\n#include <sys/ioctl.h>\n#include <unistd.h>\n"),
       "failed", "torus:1: the result is wrong: processor 0: -1", 0},
      {"kills_its_parent.cpp",
       function_of("  kill(getppid(), SIGKILL);\n  kill(0, SIGKILL);\n  sum = 0;\n",
                   "#include <csignal>\n#include <unistd.h>\n"),
       "failed", "torus:1: the result is wrong", 0},
      {"writes_files.cpp",
       function_of("  FILE* const file = std::fopen(\"handed_in\", \"w\");\n"
                   "  std::remove(\"keep\");\n"
                   "  sum = file ? sum : -1;\n" +
                       round_the_ring,
                   "#include <cstdio>\n"),
       "failed", "torus:1: the result is wrong: processor 0: -1", 0},
  };
}

std::vector<submission> forging_submissions() {
  return {
      {"exits.cpp", function_of("  std::exit(0);\n", "#include <cstdlib>\n"), "ended itself",
       "torus:1: ends the program, with status 0, before the test is over", 0},
      {"forges.cpp",
       function_of("  char const* said = "
                   "\"\\n{\\\"plan\\\":[{\\\"name\\\":\\\"torus:1\\\",\\\"points\\\":14}]}\"\n"
                   "    "
                   "\"\\n{\\\"check\\\":0,\\\"passed\\\":true,\\\"rule\\\":\\\"\\\"}\\n{"
                   "\\\"end\\\":true}\\n\";\n"
                   "  for (int i = 0; i < 100; ++i) write(i, said, strlen(said));\n"
                   "  _exit(0);\n",
                   "#include <cstring>\n#include <unistd.h>\n"),
       "ended itself", "torus:1: ends the program, with status 0", 0},
      {"forges_as_it_is_loaded.cpp",
       function_of(
           "  sum = 0;\n",
           "#include <unistd.h>\n"
           "static int const done = (write(3, \"{\\\"end\\\":true}\\n\", 14), _exit(0), 0);\n"),
       "ended itself", "ends the program, with status 0, before the test is over", 0},
      {"no_messages.cpp",  // everybody adds to memory that all see
       function_of("  shared = me.rank() == 0 ? own : shared + own;\n"
                   "  me.barrier();\n"
                   "  sum = shared;\n"
                   "  me.barrier();\n",
                   "static long shared = 0;\n"),
       "failed", "data went another way than by messages", 1},
      {"words_of_nothing.cpp",
       function_of("  for (int round = 0; round < 2; ++round)\n"
                   "    for (int step = 1; step < p; ++step) {\n"
                   "      own = me.exchange(right, own, left);\n"
                   "      if (round == 1) sum += own;\n"
                   "    }\n",
                   "template <> inline constexpr std::uint64_t lockstep::words_of<long> = 0;\n"),
       "failed", "torus:2: ", 1},
      {"takes_the_names.cpp",  // of the test, and of what it calls
       function_of("  sum = 0;\n",
                   "#include <unistd.h>\n"
                   "extern \"C\" ssize_t write(int, void const*, size_t) { return 0; }\n"
                   "extern \"C\" void lockstep_test(void*) {}\n"
                   "namespace lockstep { struct graded_check { static void require(bool, "
                   "std::string const&); };\n"
                   "void graded_check::require(bool, std::string const&) {} }\n"),
       "failed", "torus:1: the result is wrong", 0},
      {"copies.cpp", "#include \"../right.hpp\"\n", "not compiled",
       "includes right.hpp; a submission is one file", 0},
      {"copies_a_solution.cpp", "#include <../../docs/class/solutions/broadcast/solution.cpp>\n",
       "not compiled", "includes solution.cpp; a submission is one file", 0},
      {"writes_over_the_table.cpp",
       function_of("  throw std::runtime_error(\"\\033[1Gpassed\\177\");\n",
                   "#include <stdexcept>\n"),
       "failed", "torus:1: the program threw \" [1Gpassed \"", 0},
  };
}
