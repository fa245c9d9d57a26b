// The elements of messages, and how they are sent and received.

#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <lockstep/machine.hpp>
#include <lockstep/topologies/crossbar.hpp>
#include <lockstep/topologies/torus.hpp>

#include "catch.hpp"
#include "core/usual_names.hpp"

namespace {

using namespace usual_names;

struct particle {
  std::array<double, 3> position{};
  std::int32_t id = 0;
  char kind = 'x';

  friend bool operator==(particle const&, particle const&) = default;
};

struct alignas(64) cache_line {
  std::uint64_t value = 0;
};

enum class colour : std::uint8_t { red, green };

/// Runs `sender` on processor 0 and `receiver`, whose result is given, on processor 1.
template <class Sender, class Receiver>
auto send_and_receive(reference::engine_choice const& choice, Sender sender, Receiver receiver) {
  using result = std::invoke_result_t<Receiver, processor&>;
  auto run = machine{crossbar{2}, on(choice)}.run([&](processor& me) {
    if (me.rank() == 1) return receiver(me);
    sender(me);
    return result{};
  });
  return run.results()[1];
}

}  // namespace

TEST_CASE("pointers, views and containers are not elements of a message", "[core][payload]") {
  using lockstep::payload_element;
  STATIC_REQUIRE_FALSE(payload_element<int*>);
  STATIC_REQUIRE_FALSE(payload_element<void const*>);
  STATIC_REQUIRE_FALSE(payload_element<void (*)()>);
  STATIC_REQUIRE_FALSE(payload_element<int particle::*>);
  STATIC_REQUIRE_FALSE(payload_element<std::nullptr_t>);
  STATIC_REQUIRE_FALSE(payload_element<std::reference_wrapper<int>>);
  STATIC_REQUIRE_FALSE(payload_element<std::span<int>>);
  STATIC_REQUIRE_FALSE(payload_element<std::span<int const, 3>>);
  STATIC_REQUIRE_FALSE(payload_element<std::string_view>);
  STATIC_REQUIRE_FALSE(payload_element<std::array<int*, 2>>);
  STATIC_REQUIRE_FALSE(payload_element<std::array<std::array<char const*, 2>, 3>>);
  STATIC_REQUIRE_FALSE(payload_element<std::array<std::string_view, 2>>);
  STATIC_REQUIRE_FALSE(payload_element<std::array<std::reference_wrapper<int>, 2>>);
  STATIC_REQUIRE_FALSE(payload_element<int* [2]>);
  STATIC_REQUIRE_FALSE(payload_element<std::string>);
  STATIC_REQUIRE_FALSE(payload_element<std::vector<int>>);
  STATIC_REQUIRE_FALSE(payload_element<std::vector<bool>::reference>);
  STATIC_REQUIRE_FALSE(payload_element<int const>);
  STATIC_REQUIRE(payload_element<std::array<int, 2>>);
  STATIC_REQUIRE(payload_element<std::array<std::array<double, 2>, 3>>);
  STATIC_REQUIRE(payload_element<particle>);
  STATIC_REQUIRE(payload_element<bool>);
}

TEST_CASE("pairs and tuples of data are elements, those of pointers are not", "[core][payload]") {
  using lockstep::payload_element;
  STATIC_REQUIRE(payload_element<std::pair<int, double>>);
  STATIC_REQUIRE(payload_element<std::pair<particle, std::array<int, 2>>>);
  STATIC_REQUIRE(payload_element<std::tuple<int, std::pair<char, double>, particle>>);
  STATIC_REQUIRE(payload_element<std::complex<double>>);
  STATIC_REQUIRE(
      payload_element<std::pair<std::complex<float>, std::array<std::pair<int, char>, 2>>>);
  STATIC_REQUIRE(lockstep::payload<std::string const&>);  // as its characters
  STATIC_REQUIRE_FALSE(lockstep::payload<std::vector<std::vector<int>>>);
  STATIC_REQUIRE_FALSE(payload_element<std::pair<int, double> const>);
  STATIC_REQUIRE_FALSE(payload_element<std::pair<int, int*>>);
  STATIC_REQUIRE_FALSE(payload_element<std::pair<int&, int>>);
  STATIC_REQUIRE_FALSE(payload_element<std::pair<int, std::string>>);
  STATIC_REQUIRE_FALSE(payload_element<std::pair<int, std::pair<std::string_view, int>>>);
  STATIC_REQUIRE_FALSE(payload_element<std::tuple<int, char const*>>);
  STATIC_REQUIRE_FALSE(payload_element<std::tuple<int, int const&>>);
  STATIC_REQUIRE_FALSE(payload_element<std::tuple<std::vector<int>>>);
}

TEST_CASE("arrays of pairs come in as they were sent", "[core][payload]") {
  using row = std::array<std::pair<std::int32_t, double>, 2>;
  machine const two{crossbar{2}};
  auto const run = two.run([](processor& me) {
    std::vector<row> const rows{{{{1, 1.5}, {2, 2.5}}}, {{{me.rank(), 3.5}, {4, 4.5}}}};
    return me.exchange(1 - me.rank(), rows);
  });
  CHECK(run.results()[0] == std::vector<row>{{{{1, 1.5}, {2, 2.5}}}, {{{1, 3.5}, {4, 4.5}}}});
  CHECK(run.counts().words == 2);
}

TEST_CASE("pairs and tuples come in as they were sent, a word each", "[core][payload]") {
  using weighted = std::pair<std::int32_t, double>;
  using entry = std::tuple<char, std::int64_t, weighted>;
  auto const choice = GENERATE(from_range(all_engines()));
  auto const run = machine{crossbar{2}, on(choice)}.run([](processor& me) {
    auto const partner = 1 - me.rank();
    auto const one = me.exchange(partner, weighted{me.rank(), 0.5});
    auto const all = me.exchange(partner, std::vector<weighted>{{me.rank(), 1.5}, one});
    std::vector<weighted> some(2);
    me.exchange_into(partner, all, some, partner);
    auto const last = me.exchange(partner, entry{'a', 7, some[1]});
    return std::tuple{one, all, some, last};
  });
  for (int rank : {0, 1}) {
    auto const& [one, all, some, last] = run.results()[static_cast<std::size_t>(rank)];
    CHECK(one == weighted{1 - rank, 0.5});
    CHECK(all == std::vector<weighted>{{1 - rank, 1.5}, {rank, 0.5}});
    CHECK(some == std::vector<weighted>{{rank, 1.5}, {1 - rank, 0.5}});
    CHECK((last == entry{'a', 7, weighted{rank, 0.5}}));
  }
  CHECK(run.counts().words == 1 + 2 + 2 + 1);
}

TEST_CASE("types that cannot be a message", "[core][payload]") {
  using lockstep::payload;
  using pointers = int* [2];
  using rows_of_pointers = int* [2][3];
  STATIC_REQUIRE_FALSE(payload<int*>);
  STATIC_REQUIRE_FALSE(payload<char const*>);
  STATIC_REQUIRE_FALSE(payload<pointers>);
  STATIC_REQUIRE_FALSE(payload<rows_of_pointers>);
  STATIC_REQUIRE_FALSE(payload<rows_of_pointers const&>);
  STATIC_REQUIRE_FALSE(payload<std::array<int*, 2>>);
  STATIC_REQUIRE_FALSE(payload<std::array<int* [2], 2>>);
  STATIC_REQUIRE_FALSE(payload<std::array<int*, 2>&>);
  STATIC_REQUIRE_FALSE(payload<std::span<int*>>);
  STATIC_REQUIRE_FALSE(payload<std::vector<std::array<int*, 2>>>);
  STATIC_REQUIRE_FALSE(payload<std::vector<std::span<int>>>);
  STATIC_REQUIRE_FALSE(payload<std::vector<std::string_view>>);
  STATIC_REQUIRE_FALSE(payload<std::reference_wrapper<int>>);
  STATIC_REQUIRE_FALSE(payload<std::vector<std::reference_wrapper<int>>>);
  STATIC_REQUIRE_FALSE(payload<std::vector<bool>>);
  STATIC_REQUIRE_FALSE(payload<std::vector<bool>&>);
  STATIC_REQUIRE_FALSE(payload<std::vector<std::vector<int>>>);
  // A view is sent as what it looks at.
  STATIC_REQUIRE(payload<std::span<int const>>);
  STATIC_REQUIRE(payload<std::string_view>);
  STATIC_REQUIRE(payload<std::array<bool, 2>>);
}

TEST_CASE("single elements of many types in one run", "[core][payload][sanitize][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  particle const sent{{1, 2.5, -3}, 42, 'q'};
  auto const all_there = send_and_receive(
      choice,
      [&](processor& me) {
        me.send(1, 5);
        me.send(1, 2.5F);
        me.send(1, true);
        me.send(1, colour::green);
        me.send(1, sent);
        me.send(1, std::uint64_t{1} << 63U);
        me.send(1, cache_line{77});
        me.send(1, std::array<int, 2>{8, 9});
      },
      [&](processor& me) {
        std::vector<bool> right;
        right.push_back(me.receive_value<int>(0) == 5);
        right.push_back(me.receive_value<float>(0) == 2.5F);
        right.push_back(me.receive_value<bool>(0));
        right.push_back(me.receive_value<colour>(0) == colour::green);
        right.push_back(me.receive_value<particle>(0) == sent);
        right.push_back(me.receive_value<std::uint64_t>(0) == std::uint64_t{1} << 63U);
        right.push_back(me.receive_value<cache_line>(0).value == 77);
        right.push_back(me.receive<int>(0) == std::vector{8, 9});
        return right;
      });
  CHECK(all_there == std::vector<bool>(8, true));
}

TEST_CASE("ranges are copied, and stay with the sender", "[core][payload][sanitize][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  auto const seen = send_and_receive(
      choice,
      [](processor& me) {
        std::vector<int> values{1, 2, 3, 4};
        me.send(1, values);
        values[0] = 100;  // too late for the first message
        me.send(1, std::span(values).subspan(0, 2));
        values[0] = 200;
        std::array<int, 3> const three{5, 6, 7};
        me.send(1, three);
        int const raw[] = {8, 9};
        me.send(1, raw);
        std::vector<int> const constant{10};
        me.send(1, constant);
        me.send(1, std::string("hi"));
        me.send(1, std::span<int const>{});
        if (values.size() != 4) me.send(1, 0);  // would be left over
      },
      [](processor& me) {
        std::vector<int> all;
        auto const take = [&](auto const& values) {
          all.insert(all.end(), values.begin(), values.end());
        };
        for (int message = 0; message < 5; ++message) take(me.receive<int>(0));
        take(me.receive<char>(0));
        take(me.receive<int>(0));
        return all;
      });
  CHECK(seen == std::vector<int>{1, 2, 3, 4, 100, 2, 5, 6, 7, 8, 9, 10, 'h', 'i'});
}

TEST_CASE("a moved vector arrives in the same memory", "[core][payload][sanitize][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  auto const size = GENERATE(std::size_t{1}, std::size_t{1000}, std::size_t{1} << 20U);
  auto const run = machine{crossbar{2}, on(choice)}.run([&](processor& me) {
    std::vector<double> values;
    if (me.rank() == 0) {
      values.resize(size);
      std::iota(values.begin(), values.end(), 0.0);
      auto const address = reinterpret_cast<std::uintptr_t>(values.data());
      me.send(1, std::move(values));
      return std::pair{address, values.empty()};  // NOLINT(bugprone-use-after-move)
    }
    values = me.receive<double>(0);
    bool const whole = values.size() == size && values.back() == static_cast<double>(size - 1);
    return std::pair{reinterpret_cast<std::uintptr_t>(values.data()), whole};
  });
  CHECK(run.results()[0].first == run.results()[1].first);
  CHECK(run.results()[0].second);
  CHECK(run.results()[1].second);
  CHECK(run.counts().volume == size);
}

TEST_CASE("a vector goes round a ring by exchange without being copied",
          "[core][payload][sanitize][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  auto const run = machine{lockstep::torus{{4}}, on(choice)}.run([](processor& me) {
    std::vector<int> values(100, me.rank());
    auto const mine = reinterpret_cast<std::uintptr_t>(values.data());
    for (int step = 0; step < 4; ++step)
      values = me.exchange(lockstep::along{0, 1}, std::move(values), (me.rank() + 3) % 4);
    return reinterpret_cast<std::uintptr_t>(values.data()) == mine && values[99] == me.rank();
  });
  CHECK(run.results() == std::vector<bool>(4, true));
  CHECK(run.counts().steps == 4);
}

TEST_CASE("every way of giving fits every way of taking", "[core][payload][sanitize][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  auto const giving = GENERATE(0, 1, 2);
  auto const taking = GENERATE(0, 1, 2);
  auto const taken = send_and_receive(
      choice,
      [&](processor& me) {
        if (giving == 0) me.send(1, 7L);
        if (giving == 1) me.send(1, std::array{7L});
        if (giving == 2) me.send(1, std::vector{7L});
      },
      [&](processor& me) {
        if (taking == 0) return me.receive_value<long>(0);
        if (taking == 1) return me.receive<long>(0).at(0);
        std::array<long, 1> room{};
        me.receive_into(0, room);
        return room[0];
      });
  CHECK(taken == 7);
}

TEST_CASE("receive_into writes where it is told", "[core][payload][sanitize][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  auto const room = send_and_receive(
      choice,
      [](processor& me) {
        me.send(1, std::vector{1, 2});
        me.send(1, std::vector<int>{});
        me.send(1, std::array{3});
      },
      [](processor& me) {
        std::vector<int> whole(5, -1);
        me.receive_into(0, std::span(whole).subspan(1, 2));
        me.receive_into(0, std::span(whole).subspan(0, 0));
        me.receive_into(0, std::span(whole).last(1));
        return whole;
      });
  CHECK(room == std::vector{-1, 1, 2, -1, 3});
}

TEST_CASE("exchange gives an element for an element and a vector for a range",
          "[core][payload][sanitize][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  auto const run = machine{crossbar{3}, on(choice)}.run([](processor& me) {
    int const right = (me.rank() + 1) % 3;
    int const left = (me.rank() + 2) % 3;
    int const value = me.exchange(right, 10 * me.rank(), left);
    std::vector<int> const kept(static_cast<std::size_t>(me.rank()), me.rank());
    std::vector<int> const range = me.exchange(right, kept, left);  // of the sender's size
    std::array<int, 2> room{};
    me.exchange_into(right, std::array{me.rank(), me.rank() + 1}, room, left);
    std::vector<int> seen{value, static_cast<int>(range.size()), room[0], room[1]};
    if (me.rank() < 2) seen.push_back(me.exchange(1 - me.rank(), me.rank()));
    return seen;
  });
  CHECK(run.results()[0] == std::vector{20, 2, 2, 3, 1});
  CHECK(run.results()[1] == std::vector{0, 0, 0, 1, 0});
  CHECK(run.results()[2] == std::vector{10, 1, 1, 2});
  CHECK(run.counts().steps == 4);
}

TEST_CASE("messages between two processors keep their order",
          "[core][payload][sanitize][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  auto const seen = send_and_receive(
      choice,
      [](processor& me) {
        for (int i = 0; i < 2000; ++i) me.send(1, i);
      },
      [](processor& me) {
        std::vector<int> all;
        for (int i = 0; i < 2000; ++i) all.push_back(me.receive_value<int>(0));
        return all;
      });
  std::vector<int> expected(2000);
  std::iota(expected.begin(), expected.end(), 0);
  CHECK(seen == expected);
}
