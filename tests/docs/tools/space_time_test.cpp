#include "space_time.hpp"

#include <array>
#include <string>

#include <lockstep/detail/message_log.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/torus.hpp>

#include "catch.hpp"

namespace {

[[nodiscard]] std::size_t count_of(std::string const& text, std::string const& part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

/// Draws two phases on a ring of four: a step of a word each, and one of no word.
[[nodiscard]] std::string picture_of_ring() {
  lockstep::torus const ring{{4}};
  lockstep::detail::message_log log;
  std::array<lockstep::observer*, 1> const watching{&log};
  auto const run = lockstep::machine{lockstep::torus{{4}}}.run(
      [](lockstep::processor& me) {
        int const next = (me.rank() + 1) % 4;
        int const previous = (me.rank() + 3) % 4;
        me.phase("a & b");
        static_cast<void>(me.exchange(next, std::array{me.rank()}, previous));
        me.phase("empty");
        static_cast<void>(me.exchange(next, std::vector<int>(), previous));
      },
      watching);
  return lockstep::docs::space_time_diagram(ring, run, log.messages());
}

}  // namespace

TEST_CASE("a space-time diagram has an arrow for each message", "[space_time]") {
  auto const picture = picture_of_ring();
  CHECK(picture.starts_with("<svg "));
  CHECK(picture.ends_with("</svg>\n"));
  CHECK(count_of(picture, "<circle ") == 8);
  CHECK(count_of(picture, "stroke-dasharray") == 4);
}

TEST_CASE("a space-time diagram names steps, processors and phases", "[space_time]") {
  auto const picture = picture_of_ring();
  CHECK(count_of(picture, "text-anchor=\"middle\"") == 2);
  for (auto const* const rank : {">0<", ">1<", ">2<", ">3<"}) CHECK(count_of(picture, rank) >= 1);
  CHECK(count_of(picture, "a &amp; b, from step 1") == 1);
  CHECK(count_of(picture, "empty, from step 2") == 1);
  CHECK(count_of(picture, "#0072b2") == 9);  // four lines, four heads, the legend
}
