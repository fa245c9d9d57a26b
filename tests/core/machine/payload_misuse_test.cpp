// Calls that must not compile, each stated as a concept that does not hold. Beside each stands a call
// that differs in that one respect and does compile, so that no check passes for another reason.
// tests/compile_fail has the calls whose message is checked, too.

#include <array>
#include <concepts>
#include <cstddef>
#include <functional>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <lockstep/machine.hpp>

#include "catch.hpp"

namespace {

using lockstep::machine;
using lockstep::processor;

// `Values` is deduced as a call deduces it: `can_send<int&>` sends an lvalue, `can_send<int>` an rvalue.
template <class Values>
concept can_send = requires(processor& me, Values&& values) {
  { me.send(1, std::forward<Values>(values)) } -> std::same_as<void>;
};

template <class Values>
concept can_exchange =
    requires(processor& me, Values&& values) { me.exchange(1, std::forward<Values>(values)); };

template <class Values>
concept can_exchange_round =
    requires(processor& me, Values&& values) { me.exchange(1, std::forward<Values>(values), 2); };

template <class Element>
concept can_receive = requires(processor& me) {
  { me.receive<Element>(1) } -> std::same_as<std::vector<Element>>;
};

template <class Element>
concept can_receive_counted = requires(processor& me, std::size_t elements) {
  { me.receive<Element>(1, elements) } -> std::same_as<std::vector<Element>>;
};

template <class Element>
concept can_receive_value = requires(processor& me) {
  { me.receive_value<Element>(1) } -> std::same_as<Element>;
};

template <class Element>
concept can_receive_any = requires(processor& me) {
  { me.receive_any<Element>() } -> std::same_as<lockstep::message_from<Element>>;
};

template <class Element>
concept can_try_receive = requires(processor& me) {
  { me.try_receive<Element>(1) } -> std::same_as<std::optional<std::vector<Element>>>;
};

template <class Element>
concept can_deliver = requires(processor& me) {
  { me.deliver<Element>() } -> std::same_as<std::vector<lockstep::message_from<Element>>>;
};

template <class Memory>
concept can_receive_into =
    requires(processor& me, Memory&& memory) { me.receive_into(1, std::forward<Memory>(memory)); };

template <class Values, class Memory>
concept can_exchange_into = requires(processor& me, Values&& out, Memory&& in) {
  me.exchange_into(1, std::forward<Values>(out), std::forward<Memory>(in), 2);
};

template <class Memory>
concept can_read = requires(processor& me, Memory const& mine) { me.read(1, 0, 1, mine); };

template <class Values, class Memory>
concept can_write = requires(processor& me, Values const& values, Memory&& mine) {
  me.write(1, 0, values, std::forward<Memory>(mine));
};

template <class Memory>
concept can_serve =
    requires(processor& me, Memory&& mine) { me.serve(std::forward<Memory>(mine)); };

template <class Program>
concept can_run = requires(machine const& on, Program const& program) { on.run(program); };

struct plain {
  std::array<char, 8> label{};
  int value = 0;
};

struct labelled {
  std::string label;
  int value = 0;
};

using ints = std::vector<int>;
using pointers = std::vector<int*>;
using backwards = decltype(std::declval<ints const&>() | std::views::reverse);

}  // namespace

TEST_CASE("a pointer cannot be sent", "[core][payload]") {
  STATIC_REQUIRE(can_send<int&>);
  STATIC_REQUIRE_FALSE(can_send<int*>);
  STATIC_REQUIRE(can_send<std::vector<long>>);
  STATIC_REQUIRE_FALSE(can_send<std::vector<long*>>);
  STATIC_REQUIRE(can_send<std::array<int, 2>>);
  STATIC_REQUIRE_FALSE(can_send<std::array<int*, 2>>);
  STATIC_REQUIRE(can_send<std::vector<std::array<int, 2>>>);
  STATIC_REQUIRE_FALSE(can_send<std::vector<std::array<int*, 2>>>);
  STATIC_REQUIRE(can_send<decltype(static_cast<void (*)()>(nullptr) == nullptr)>);
  STATIC_REQUIRE_FALSE(can_send<void (*)()>);
  STATIC_REQUIRE_FALSE(can_send<void (*&)()>);
  STATIC_REQUIRE(can_send<decltype(std::declval<std::reference_wrapper<int>>().get())>);
  STATIC_REQUIRE_FALSE(can_send<std::reference_wrapper<int>>);
}

TEST_CASE("a view cannot be an element of a message", "[core][payload]") {
  STATIC_REQUIRE(can_send<std::span<int const>>);  // as its elements
  STATIC_REQUIRE_FALSE(can_send<std::vector<std::span<int const>>>);
  STATIC_REQUIRE(can_send<std::string_view>);  // as its characters
  STATIC_REQUIRE_FALSE(can_send<std::vector<std::string_view>>);
  STATIC_REQUIRE_FALSE(can_send<std::vector<std::string_view> const&>);
}

TEST_CASE("an element that holds memory of its own cannot be sent", "[core][payload]") {
  STATIC_REQUIRE(can_send<std::string const&>);  // as its characters
  STATIC_REQUIRE_FALSE(can_send<std::vector<std::string>>);
  STATIC_REQUIRE(can_send<plain>);
  STATIC_REQUIRE_FALSE(can_send<labelled>);
}

TEST_CASE("a vector<bool> cannot be sent, neither copied nor moved", "[core][payload]") {
  STATIC_REQUIRE(can_send<bool>);
  STATIC_REQUIRE(can_send<std::vector<char>&>);
  STATIC_REQUIRE_FALSE(can_send<std::vector<bool>&>);
  STATIC_REQUIRE(can_send<std::vector<char>>);
  STATIC_REQUIRE_FALSE(can_send<std::vector<bool>>);
}

TEST_CASE("what cannot be sent cannot be exchanged", "[core][payload]") {
  STATIC_REQUIRE(can_exchange<int const&>);
  STATIC_REQUIRE_FALSE(can_exchange<int const*>);
  STATIC_REQUIRE(can_exchange<ints const&>);
  STATIC_REQUIRE_FALSE(can_exchange<backwards>);  // its elements do not lie side by side
  STATIC_REQUIRE(can_exchange_round<int const&>);
  STATIC_REQUIRE_FALSE(can_exchange_round<int const*>);
  STATIC_REQUIRE(can_exchange_into<ints const&, ints&>);
  STATIC_REQUIRE_FALSE(can_exchange_into<pointers const&, ints&>);
  STATIC_REQUIRE_FALSE(can_exchange_into<ints const&, pointers&>);
}

TEST_CASE("what cannot be sent cannot be received", "[core][payload]") {
  STATIC_REQUIRE(can_receive_value<int>);
  STATIC_REQUIRE_FALSE(can_receive_value<int*>);
  STATIC_REQUIRE(can_receive_value<std::array<int, 2>>);
  STATIC_REQUIRE_FALSE(can_receive_value<std::array<int*, 2>>);
  STATIC_REQUIRE(can_receive<char>);
  STATIC_REQUIRE_FALSE(can_receive<std::string>);
  STATIC_REQUIRE(can_receive_counted<char>);
  STATIC_REQUIRE_FALSE(can_receive_counted<std::string>);
  STATIC_REQUIRE(can_receive_value<char>);
  STATIC_REQUIRE_FALSE(can_receive_value<std::string_view>);
  STATIC_REQUIRE_FALSE(can_receive_value<std::span<int>>);
}

TEST_CASE("what cannot be sent cannot come from anybody, nor in the mail", "[core][payload]") {
  STATIC_REQUIRE(can_receive_any<char>);
  STATIC_REQUIRE_FALSE(can_receive_any<std::string>);
  STATIC_REQUIRE(can_try_receive<char>);
  STATIC_REQUIRE_FALSE(can_try_receive<std::string>);
  STATIC_REQUIRE(can_deliver<char>);
  STATIC_REQUIRE_FALSE(can_deliver<std::string>);
}

TEST_CASE("a machine is not made from a number", "[core][machine]") {
  STATIC_REQUIRE(std::constructible_from<machine, std::string>);
  STATIC_REQUIRE_FALSE(std::constructible_from<machine, int>);
  STATIC_REQUIRE_FALSE(std::constructible_from<machine, bool>);
  STATIC_REQUIRE_FALSE(std::constructible_from<machine, double>);
}

TEST_CASE("messages are received into elements that lie side by side", "[core][payload]") {
  STATIC_REQUIRE(can_receive_into<ints&>);
  STATIC_REQUIRE(can_receive_into<std::span<int>>);
  STATIC_REQUIRE_FALSE(can_receive_into<pointers&>);
  STATIC_REQUIRE(can_receive_into<std::array<bool, 2>&>);
  STATIC_REQUIRE_FALSE(can_receive_into<std::vector<bool>&>);
}

TEST_CASE("what others read and write is data as well", "[core][payload]") {
  STATIC_REQUIRE(can_read<ints>);
  STATIC_REQUIRE_FALSE(can_read<pointers>);
  STATIC_REQUIRE(can_write<ints, ints&>);
  STATIC_REQUIRE_FALSE(can_write<pointers, ints&>);
  STATIC_REQUIRE_FALSE(can_write<ints, pointers&>);
  STATIC_REQUIRE(can_serve<ints&>);
  STATIC_REQUIRE(can_serve<ints const&>);
  STATIC_REQUIRE_FALSE(can_serve<pointers&>);
}

TEST_CASE("a program takes its processor by reference, and cannot keep a copy", "[core][machine]") {
  auto const by_reference = [](processor& me) { me.barrier(); };
  auto const by_value = [](processor me) { me.barrier(); };
  STATIC_REQUIRE(can_run<decltype(by_reference)>);
  STATIC_REQUIRE_FALSE(can_run<decltype(by_value)>);
  STATIC_REQUIRE_FALSE(std::copy_constructible<processor>);
  STATIC_REQUIRE_FALSE(std::is_copy_assignable_v<processor>);
}
