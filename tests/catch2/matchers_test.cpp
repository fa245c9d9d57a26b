#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <lockstep/catch2.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies.hpp>

// As a test of one's own has them: no name may mean two things.
using namespace std;       // NOLINT(google-build-using-namespace)
using namespace Catch;     // NOLINT(google-build-using-namespace)
using namespace lockstep;  // NOLINT(google-build-using-namespace)

namespace {

/// Everybody sends a value to the processor that far behind.
auto shift(int distance) {
  return [distance](processor& me) {
    int const p = me.size();
    return me.exchange((me.rank() + distance) % p, me.rank(), (me.rank() + p - distance) % p);
  };
}

/// What CHECK_THAT would print; "" where it would print nothing.
template <class Arg, class Matcher>
[[nodiscard]] string message_of(Arg const& arg, Matcher const& matcher) {
  if (matcher.match(arg)) return {};
  return Detail::stringify(arg) + ' ' + matcher.toString();
}

claim const log_p{"steps", "log2 p", [](problem_instance const& at) { return log2(at.p()); }};

}  // namespace

TEST_CASE("expectations are matchers", "[catch2]") {
  auto const run = machine{torus{{5}}}.run(shift(1));
  CHECK_THAT(run, takes(steps(1)).words(1).contention_free());
  CHECK_THAT(run, steps_at_most(1) && words_at_most(1));
  CHECK_THAT(run, takes(run.counts()));
  CHECK_THAT(run, sent_at_most_words_per_processor(1));
  CHECK_THAT(run, uses_memory_at_most(0));
  CHECK_THAT(
      run, matches({"messages", "p m", [](problem_instance const& at) { return at.p() * at["m"]; }},
                   {{"m", 1}}));
  CHECK_THAT(machine{torus{{5}}}.run(shift(1)), takes(steps(1)));  // a run that nobody keeps
  CHECK_THAT(static_cast<run_record const&>(run), takes(hops(1)));
  CHECK(takes(steps(1)).check(run));
  REQUIRE_THAT(run, contention_free());
}

TEST_CASE("a matcher that fails says where it went wrong", "[catch2]") {
  auto const run = machine{torus{{5}}}.run(shift(2));
  CHECK(message_of(run, contention_free()) ==
        "the run on torus:5 takes contention <= 1\n"
        "counted on torus:5: steps 1, rounds 1, startups 1, words 1, volume 5, messages 5, hops 2, "
        "barriers 0, rearrangements 0, rearranged 0, contention 2, serialised_steps 2, queued 0, "
        "link_words 2\n"
        "contention: 2, more than 1\n"
        "  in step 1 the link 0 -> 1 carries 2 messages:\n"
        "    4 -> 1: 1 word over 4 -> 0 -> 1\n"
        "    0 -> 2: 1 word over 0 -> 1 -> 2\n"
        "  as many on 1 -> 2, 2 -> 3, 3 -> 4, 4 -> 0\n"
        "note: messages share links, up to 2 in a step; where they take turns: steps 2, words 2\n");
  CHECK(
      Detail::stringify(contention_free().check(run)).starts_with("counted on torus:5: steps 1,"));
  CHECK(Detail::stringify(run.counts()) == to_string(run.counts()));
}

TEST_CASE("sweeps have a matcher", "[catch2]") {
  auto const all = sweep().on(integers(1, 3), [](int d) { return hypercube{d}; });
  auto const sum = [](processor& me, problem_instance const&) {
    int value = me.rank();
    for (int bit = 1; bit < me.size(); bit *= 2) value += me.exchange(me.rank() ^ bit, value);
    return value == me.size() * (me.size() - 1) / 2;
  };
  CHECK_THAT(all.run(sum, {log_p}), holds_everywhere());
  auto const wrong = all.run(sum, {{"steps", "1", 1}});
  CHECK(message_of(wrong, holds_everywhere()) ==
        "the sweep of 3 runs holds everywhere\n" + wrong.report());
}
