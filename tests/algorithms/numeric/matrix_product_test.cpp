#include <lockstep/algorithms/numeric/matrix_product.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <lockstep/algorithms/collectives/arity.hpp>
#include <lockstep/errors.hpp>
#include <lockstep/judgement.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/crossbar.hpp>

#include "algorithms/numeric/numeric_samples.hpp"
#include "catch.hpp"
#include "index.hpp"

using lockstep::machine;
using lockstep::matrix_product;
using lockstep::matrix_product_options;
using lockstep::processor;
using lockstep::product_form;
using lockstep::product_shape;

namespace {

constexpr product_form forms[] = {product_form::a, product_form::b};

struct asked_product {
  int q;
  product_shape blocks;
  matrix_product_options options{};
  std::uint64_t packet = 1;
  lockstep::engine engine = lockstep::engine::fibers;
};

/// Runs it, checks the result and returns the counts.
template <class T>
lockstep::counts counts_of(asked_product const& asked) {
  int const q = asked.q;
  machine const on(lockstep::crossbar{q * q * q},
                   {.strict = true, .packet = asked.packet, .engine = asked.engine});
  return samples::checked_product<T>(
      on, q, asked.blocks, [q](int rank) { return rank % q == 0 ? rank / q : -1; },
      [&](processor& me, auto const& left, auto const& right) {
        return matrix_product<T>(me, asked.blocks, left, right, asked.options);
      });
}

/// Runs it on whole numbers, and compares the counts with the claims: some say why they may fail.
void check_product_and_claims(asked_product const& asked, std::uint64_t tau) {
  auto const counts = counts_of<std::int64_t>(asked);
  int const p = asked.q * asked.q * asked.q;
  auto const& [rows, inner, columns] = asked.blocks;
  bool const are_squares = rows == inner && inner == columns;
  auto const& options = asked.options;
  for (auto const& claims :
       {lockstep::matrix_product_claims({p, tau, asked.packet}, asked.blocks, options),
        are_squares ? lockstep::matrix_product_claims({p, tau, asked.packet}, rows * index(asked.q),
                                                      options)
                    : std::vector<lockstep::claim>()})
    for (auto const& claimed : claims) {
      INFO(claimed.figure << " " << claimed.formula << " = " << claimed.value() << ", measured "
                          << measured_for(claimed, counts) << "; " << claimed.erratum);
      CHECK_FALSE(judge(claimed, measured_for(claimed, counts)).is_fault);
    }
}

}  // namespace

TEST_CASE(
    "matrix_product is the product, in both forms, for all arities and shapes, at the claimed "
    "counts",
    "[numeric][sanitize]") {
  for (int const q : {1, 2, 3, 4, 5})
    for (bool const whole : {false, true})
      for (auto const form : forms)
        for (int const k : {2, 3, 5})
          for (auto const& blocks : samples::shapes)
            if (q < 5 || (whole && blocks.rows * blocks.columns <= 40)) {
              INFO("k " << k << ", form " << static_cast<int>(form) << (whole ? ", whole" : ""));
              check_product_and_claims({q, blocks, {form, k, whole}}, 16);
            }
}

TEST_CASE("matrix_product of doubles and floats", "[numeric]") {
  static_cast<void>(counts_of<double>({2, {6, 5, 4}}));
  static_cast<void>(counts_of<float>({3, {4, 4, 4}, {product_form::b, 3}}));
}

TEST_CASE("matrix_product keeps its claims, packets and latencies of all kinds, on both engines",
          "[numeric][threads]") {
  for (auto const engine : samples::engines)
    for (int const q : {1, 2, 3})
      for (auto const form : forms)
        for (std::uint64_t const packet : {1U, 4U})
          for (std::uint64_t const times : {1U, 2U, 7U})
            for (std::size_t const b : {0U, 1U, 2U, 5U}) {
              auto const tau = times * packet;
              INFO("m " << packet << ", tau " << tau);
              check_product_and_claims(
                  {q, {b, b, b}, {form, lockstep::tree_arity(tau, packet)}, packet, engine}, tau);
            }
}

TEST_CASE("matrix_product counts what the formula says where k^d = q divides b^2", "[numeric]") {
  struct sample {
    int q;
    int k;
    std::size_t b;
    std::uint64_t words;
    std::uint64_t startups;
  };
  // 6 sum of (k - 1)N/k^i + 2N/k
  for (auto const& each : {sample{2, 2, 4, 6 * 8 + 2 * 8, 6}, sample{4, 2, 4, 6 * 12 + 2 * 8, 12},
                           sample{4, 4, 4, 6 * 12 + 2 * 4, 6}, sample{3, 3, 3, 6 * 6 + 2 * 3, 6}})
    for (auto const form : forms) {
      auto const counts = counts_of<int>({each.q, {each.b, each.b, each.b}, {form, each.k}});
      CHECK(counts.words == each.words);
      CHECK(counts.startups == each.startups);
    }
}

TEST_CASE("matrix_product runs by the chosen way at the time by which it was chosen", "[numeric]") {
  int whole = 0;
  int other_k = 0;
  for (int const q : {2, 3, 4})
    for (auto const form : forms)
      for (std::uint64_t const packet : {1U, 4U, 16U})
        for (std::uint64_t const times : {1U, 2U, 7U})
          for (std::size_t const b : {1U, 2U, 5U}) {
            auto const tau = times * packet;
            INFO("q " << q << ", m " << packet << ", tau " << tau << ", b " << b);
            product_shape const blocks{b, b, b};
            auto const choice =
                lockstep::choose_product_way({q * q * q, tau, packet}, blocks, form);
            auto const counts = counts_of<int>({q, blocks, choice.options, packet});
            CHECK(static_cast<double>(counts.startups * tau + counts.words) == choice.time);
            auto const printed =
                counts_of<int>({q, blocks, {form, lockstep::tree_arity(tau, packet)}, packet});
            CHECK(static_cast<double>(printed.startups * tau + printed.words) ==
                  choice.printed_time);
            CHECK(choice.time <= choice.printed_time);
            if (choice.options.whole) ++whole;
            if (choice.time < choice.printed_time && !choice.options.whole) ++other_k;
          }
  CHECK(whole > 0);
  CHECK(other_k > 0);
}

TEST_CASE("by the best way Theorem 5.5 holds wherever q divides n and m divides tau", "[numeric]") {
  int cases = 0;
  int printed_fails = 0;
  for (int const q : {2, 3, 4, 5, 6, 7, 8, 10})
    for (std::size_t const b : {1U, 2U, 3U, 4U, 5U, 7U, 10U, 16U})
      for (std::uint64_t const packet : {1U, 2U, 3U, 4U, 8U, 16U, 32U})
        for (std::uint64_t const times : {1U, 2U, 3U, 4U, 7U, 16U, 100U}) {
          auto const tau = times * packet;
          auto const choice =
              lockstep::choose_product_way({q * q * q, tau, packet}, {b, b, b}, product_form::b);
          int phases = 0;  // ceil(log_k q), k = tau/m + 1
          for (std::uint64_t reached = 1; reached < static_cast<std::uint64_t>(q); ++phases)
            reached *= times + 1;
          auto const bound =
              6.0 * (2.0 * static_cast<double>(tau) * phases + static_cast<double>(b * b));
          INFO("q " << q << ", b " << b << ", m " << packet << ", tau " << tau);
          CHECK(choice.time <= bound);
          if (choice.printed_time > bound) ++printed_fails;
          ++cases;
        }
  CHECK(cases >= 2'592);
  CHECK(printed_fails > 0);
}

TEST_CASE("matrix_product refuses what is not a cube, blocks elsewhere, and arities below 2",
          "[numeric]") {
  auto const complaint = [](int p, product_shape const& blocks, std::size_t elements, int k) {
    machine const on(lockstep::crossbar{p});
    try {
      on.run([&](processor& me) {
        std::vector<double> const block(elements);
        return matrix_product<double>(me, blocks, block, block, {product_form::a, k});
      });
    } catch (lockstep::processor_failed const& failed) {
      return failed.message();
    } catch (lockstep::error const& refused) {
      return refused.message();
    }
    return std::string("not refused");
  };
  CHECK(complaint(9, {1, 1, 1}, 1, 2).find("9 processors are not a cube") != std::string::npos);
  CHECK(complaint(8, {1, 1, 1}, 1, 2).find("none elsewhere") != std::string::npos);
  CHECK(complaint(1, {2, 2, 2}, 3, 2).find("blocks of 3 and 3 elements") != std::string::npos);
  CHECK(complaint(1, {1, 1, 1}, 1, 1).find("k >= 2") != std::string::npos);
  CHECK(lockstep::cube_side(27) == 3);
  CHECK_THROWS_AS(lockstep::cube_side(26), lockstep::invalid_argument);
}
