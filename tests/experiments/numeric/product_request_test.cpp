#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <list>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <lockstep/cost_models.hpp>
#include <lockstep/judgement.hpp>

#include "catch.hpp"
#include "experiments/numeric/numeric_requests.hpp"
#include "numeric/product_input.hpp"

namespace {

struct asked_product {
  char const* name;
  char const* on;
};

constexpr asked_product products[] = {{"matrix-product", "crossbar:1"},
                                      {"matrix-product", "crossbar:8"},
                                      {"matrix-product", "crossbar:27"},
                                      {"cannon", "torus:1x1"},
                                      {"cannon", "torus:2x2"},
                                      {"cannon", "torus:5x5"},
                                      {"summa", "torus:1x1"},
                                      {"summa", "torus:2x2"},
                                      {"summa", "torus:4x4"}};

/// A pair of files, and a request to multiply them.
struct files_to_multiply {
  files_to_multiply(std::string name, std::string const& on)
      : algorithm(std::move(name)), asked(requests::make(algorithm, on)) {
    files.give_to(asked);
  }
  [[nodiscard]] lockstep::experiment_result run() const { return requests::run(algorithm, asked); }
  [[nodiscard]] std::string refusal() const { return requests::refusal(algorithm, asked); }

  std::string algorithm;
  npy_files files;
  lockstep::experiment_request asked;
};

template <class Number>
using matrix = lockstep::number_matrix<Number>;

/// Checks the product of a row and a column.
template <class Number>
lockstep::product_check check_one(std::vector<Number> const& row, std::vector<Number> const& column,
                                  Number product) {
  return lockstep::check_product<Number>({{1, row.size(), row}, {column.size(), 1, column}},
                                         {1, 1, {product}});
}

}  // namespace

TEST_CASE("products of generated matrices are right and keep their claims, for any n",
          "[numeric]") {
  for (auto const& [name, on] : products)
    for (std::int64_t const n : {0, 1, 2, 3, 7, 12, 20})
      for (std::int64_t const packet : {1, 4}) {
        INFO(name << " on " << on << ", n " << n << ", packet " << packet);
        auto const result = requests::run(name, on, {{"n", n}, {"packet", packet}});
        requests::check(result);
        CHECK(error_of(result) < 1e-15);
        CHECK(result.parameters.at("n") == lockstep::parameter_value(n));
      }
}

TEST_CASE("matrix-product in form b, on 64 processors, by trees of several arities", "[numeric]") {
  for (std::int64_t const tau : {1, 2, 3, 16})
    for (auto const* const form : {"a", "b"}) {
      auto const result =
          requests::run("matrix-product", "crossbar:64",
                        {{"n", 16}, {"tau", tau}, {"form", form}, {"way", "paper"}});
      INFO("tau " << tau << ", form " << form);
      requests::check(result);
      CHECK(requests::figure(result, "k") == std::min<std::int64_t>(tau + 1, 4));
    }
}

TEST_CASE("the shifts of Cannon's algorithm are figures", "[numeric]") {
  auto const result = requests::run("cannon", "torus:4x4", {{"n", 8}});
  CHECK(requests::figure(result, "shift_steps") == 6);
  CHECK(requests::figure(result, "shift_words") == 24);  // at most 2 * 64/4
  CHECK(result.record.counts().steps == 10);
}

TEST_CASE("products count the multiply-adds of their processors", "[numeric]") {
  auto const counts = [](std::string const& name, std::string const& on,
                         requests::values const& given) {
    auto const result = requests::run(name, on, given);
    requests::check(result);
    return result.record.counts();
  };
  auto const cannon = counts("cannon", "torus:4x4", {{"n", 8}});
  CHECK(cannon.operations == 8 * 8 * 8);
  CHECK(cannon.work == 8 * 8 * 8 / 16);  // T_p = n^3/p and messages
  CHECK(counts("cannon", "torus:3x3", {{"n", 8}}).work == 3 * 3 * 3 * 3);  // padded to blocks of 3
  auto const product = counts("matrix-product", "crossbar:27", {{"n", 6}});
  CHECK(product.operations == 6 * 6 * 6 + 2 * 6 * 6);  // and sums of three
  CHECK(product.work > 6 * 6 * 6 / 27);
  CHECK(product.work <= 6 * 6 * 6 / 27 + 2 * 2 * 2);
  // Panels come to processors one after another, and so do their products.
  auto const summa = counts("summa", "torus:4x4", {{"n", 8}, {"panels", 2}});
  CHECK(summa.operations == 8 * 8 * 8);
  CHECK(summa.work == 2 * (2 * 4 + 4 - 2) * 4);  // 2(s q + q - 2) slots with a product of 2 x 1 x 2
}

TEST_CASE("products have the T_p of textbooks", "[numeric]") {
  // Multiply-adds, and steps with a start-up of 100 and the words of a block or panel.
  lockstep::block_distributed_model const prices{.tau_words = 100, .operation_words = 1};
  auto const time = [&](std::string const& name, std::string const& on,
                        requests::values const& given) {
    auto const result = requests::run(name, on, given);
    requests::check(result);
    auto const priced = requests::figure(result, "T_p");
    CHECK(static_cast<double>(priced) == prices.time(result.record.counts(), 1));
    return priced;
  };
  CHECK(time("cannon", "torus:4x4", {{"n", 8}}) == 8 * 8 * 8 / 16 + (6 + 4) * (100 + 4));
  CHECK(time("cannon", "torus:3x3", {{"n", 8}}) == 3 * 27 + (4 + 2) * (100 + 9));
  CHECK(time("cannon", "torus:1x1", {{"n", 5}}) == 125);
  CHECK(time("summa", "torus:4x4", {{"n", 8}, {"panels", 2}}) == 80 + 26 * (100 + 2));
  CHECK(time("summa", "torus:2x2", {{"n", 8}, {"panels", 1}}) == 3 * 64 + 4 * (100 + 16));
  for (auto const* const on : {"torus:1x1", "torus:2x2", "torus:3x3", "torus:5x5"})
    for (std::int64_t const panels : {1, 2, 3, 5}) {
      INFO(on << ", " << panels << " panels");
      CHECK(time("summa", on, {{"n", 30}, {"panels", panels}}) > 0);
    }
}

TEST_CASE("Cannon's algorithm has the order of a textbook's T_p", "[numeric]") {
  // The blocks' way to where they begin makes up to half as many steps more than the textbook has.
  auto const point = [](int side, std::int64_t n, double size) -> lockstep::order_point {
    INFO(side << " x " << side << " processors, n " << n);
    auto const result = requests::run(
        "cannon", "torus:" + std::to_string(side) + "x" + std::to_string(side), {{"n", n}});
    requests::check(result);
    auto const claimed = std::ranges::find_if(result.claims, [](lockstep::claim const& one) {
      return one.figure == "T_p" && one.bound == lockstep::comparison::order;
    });
    REQUIRE(claimed != result.claims.end());
    auto const ratio = static_cast<double>(requests::figure(result, "T_p")) / claimed->value();
    CHECK(ratio < 1.5);
    return {size, ratio};
  };
  std::vector<lockstep::order_point> along_p;
  for (int const side : {2, 4, 8, 16, 32}) along_p.push_back(point(side, 8 * side, side));
  CHECK(lockstep::judge_order(along_p).verdict == lockstep::claim_verdict::holds);
  std::vector<lockstep::order_point> along_n;
  for (int const n : {16, 64, 128, 256}) along_n.push_back(point(8, n, n));
  CHECK(lockstep::judge_order(along_n).verdict == lockstep::claim_verdict::holds);
}

TEST_CASE("SUMMA takes at most 4 times a textbook's T_p", "[numeric]") {
  for (int const side : {2, 4, 8, 16, 32}) {
    // With blocks of an element, messages are nearly all; with larger ones, multiply-adds.
    for (std::int64_t const block : {1, 3, 8, side <= 16 ? 32 : 12}) {
      auto const n = block * side;
      INFO(side << " x " << side << " processors, n " << n);
      auto const result = requests::run(
          "summa", "torus:" + std::to_string(side) + "x" + std::to_string(side), {{"n", n}});
      requests::check(result);
      auto const time = static_cast<double>(requests::figure(result, "T_p"));
      auto const q = static_cast<double>(side);
      auto const words = static_cast<double>(block * block);
      auto const of_textbooks =
          q * words * static_cast<double>(block) + 2 * q * (100 + words) * std::log2(q);
      CHECK(time < 4 * of_textbooks);
      std::vector<double> claimed;
      for (auto const& one : result.claims)
        if (one.figure == "T_p" && one.bound == lockstep::comparison::at_most) {
          CHECK(one.where.size() == 4);
          claimed.push_back(one.value());
        }
      REQUIRE(claimed.size() == 2);
      CHECK(claimed[0] == Approx(4 * of_textbooks));
      CHECK(claimed[1] < claimed[0]);
      CHECK(time <= claimed[1]);
      // Two broadcasts a round take 2 sqrt p log2 sqrt p steps in all.
      auto const of_broadcasts = static_cast<std::uint64_t>(2 * q * std::log2(q));
      auto const steps = result.record.counts().steps;
      if (side == 2) CHECK(steps == of_broadcasts);
      if (side == 4) CHECK(8 * steps == 9 * of_broadcasts);
      if (side > 4) CHECK(steps < of_broadcasts);
    }
  }
}

TEST_CASE("SUMMA is beside a textbook's T_p where that is what it is of", "[numeric]") {
  auto const bounds = [](std::string const& on, requests::values const& given) {
    auto const result = requests::run("summa", on, given);
    requests::check(result);
    return std::ranges::count_if(result.claims, [](lockstep::claim const& one) {
      return one.figure == "T_p" && one.bound == lockstep::comparison::at_most;
    });
  };
  CHECK(bounds("torus:4x4", {{"n", 8}}) == 2);
  CHECK(bounds("torus:1x1", {{"n", 8}}) == 0);
  CHECK(bounds("torus:3x3", {{"n", 9}}) == 0);
  CHECK(bounds("torus:4x4", {{"n", 9}}) == 0);
  CHECK(bounds("torus:4x4", {{"n", 8}, {"panels", 2}}) == 0);
  CHECK(bounds("torus:4x4", {{"n", 8}, {"packet", 3}}) == 0);
}

TEST_CASE("SUMMA with more panels sends fewer words in more steps", "[numeric]") {
  std::uint64_t words = 1'000'000;
  std::uint64_t steps = 0;
  for (std::int64_t const panels : {1, 2, 4, 8}) {
    auto const result = requests::run("summa", "torus:4x4", {{"n", 32}, {"panels", panels}});
    requests::check(result);
    auto const& counts = result.record.counts();
    CHECK(counts.words < words);
    CHECK(counts.steps > steps);
    words = counts.words;
    steps = counts.steps;
  }
}

TEST_CASE("an entry of a product that is wrong is found", "[numeric]") {
  lockstep::matrix_pair<double> const factors{{2, 2, {1, 2, 3, 4}}, {2, 2, {5, 6, 7, 8}}};
  matrix<double> product{2, 2, {19, 22, 43, 50}};
  CHECK(check_product(factors, product).error == 0);
  product.entries[2] += 1e-10;
  auto const off = check_product(factors, product);
  CHECK(off.error > off.largest);
}

TEST_CASE("a product of whole numbers is compared with all its bits", "[numeric]") {
  using whole = std::int64_t;
  constexpr auto most = std::numeric_limits<whole>::max();
  constexpr auto least = std::numeric_limits<whole>::min();
  constexpr auto two_to_62 = whole{1} << 62U;
  auto const check = check_one<whole>;
  CHECK(check({two_to_62}, {1}, two_to_62).error == 0);
  CHECK(check({two_to_62}, {1}, 0).error == 1);
  CHECK(check({two_to_62}, {-2}, least).error == 0);
  CHECK(check({most, most, 1}, {most, -most, 5}, 5).error == 0);  // its sums do not fit on the way
  CHECK(check({most, most, 1}, {most, -most, 5}, 4).error == 1);
  std::vector<whole> const row{least, least, least, least, least, least, least, least};
  std::vector<whole> const signs{least, least, least, least, 1, 1, 1, 1};
  CHECK(check(row, {most, most, -most, -most, most, most, -most, -most}, 0).error == 0);
  for (auto const& [left, right] : {std::pair{std::vector<whole>{two_to_62}, std::vector<whole>{2}},
                                    {{least}, {-1}},
                                    {{least}, {least}},
                                    {row, row},  // 2^129, of which the lower 128 bits are 0
                                    {row, signs}}) {
    auto const refused = check(left, right, 0);
    CHECK_THAT(refused.refusal, has_text("row 0, column 0 is about"));
    CHECK_THAT(refused.refusal, has_text("which whole numbers of 64 bits do not hold"));
  }
  CHECK_THAT(check({least}, {-1}, least).refusal, has_text("about 9.223e+18"));
  auto const of_32_bits = check_one<std::int32_t>;
  CHECK_THAT(of_32_bits({1 << 20}, {1 << 12}, 0).refusal, has_text("of 32 bits do not hold"));
  CHECK(of_32_bits({1 << 19}, {-(1 << 12)}, std::numeric_limits<std::int32_t>::min()).error == 0);
}

TEST_CASE("a product that its type does not hold is refused, also on the way", "[numeric]") {
  auto const check = check_one<double>;
  CHECK_THAT(check({1e200}, {1e200}, INFINITY).refusal,
             has_text("row 0, column 0 is about 1e+400, more than float64 holds; scale"));
  CHECK_THAT(check({1e200}, {-1e200}, 0).refusal, has_text("is about -1e+400"));
  CHECK_THAT(check({1e200, 1e200}, {1e200, -1e200}, NAN).refusal,
             has_text("a sum on the way to it more than float64 holds"));
  CHECK(check({1e200, 1e200}, {1e200, -1e200}, 0).refusal.empty());
  CHECK(check({1e200, 1e200}, {1e108, -1e108}, 0).error == 0);
  CHECK(check({1, 1}, {1, 1}, INFINITY).error > 1);  // wrong, however it came about
  CHECK(check({1e-200}, {1e-200}, 0).error == 0);    // the nearest number
  CHECK_THAT(check({1e-162, 1e-162, 1e-162}, {1e-162, 1e-162, 1e-162}, 0).refusal,
             has_text("all rows and columns is so small that float64 loses digits; scale the"));
  lockstep::matrix_pair<double> const mixed{{2, 3, {1e-162, 1e-162, 1e-162, 1, 0, 0}},
                                            {3, 1, {1e-162, 1e-162, 1e-162}}};
  CHECK(check_product(mixed, {2, 1, {0, 1e-162}}).refusal.empty());
  CHECK(check_product(mixed, {2, 1, {0, 1e-162}}).error == 0);
  CHECK(check_product(mixed, {2, 1, {1e-320, 1e-162}}).error > 1);
  CHECK_THAT(check_one<float>({1e30F}, {1e30F}, 0).refusal,
             has_text("is about 1e+60, more than float32 holds"));
}

TEST_CASE("products by a library that is lent", "[numeric]") {
  auto asked = requests::make("cannon", "torus:3x3", {{"n", 9}});
  asked.libraries.products = "counted";
  std::atomic<int> calls = 0;
  asked.libraries.multiply_doubles = [&](lockstep::product_shape const& of, double const* a,
                                         double const* b, double* c) {
    ++calls;
    lockstep::local_product{}(of, a, b, c);
  };
  auto const result = requests::run("cannon", asked);
  requests::check(result);
  CHECK(calls == 27);
  CHECK(std::get<std::string>(result.figures.at("products")) == "counted");
}

TEST_CASE("products refuse what does not fit, in one line, and write nothing", "[numeric]") {
  CHECK(requests::refusal("matrix-product", "crossbar:9") ==
        "crossbar:9 is not a crossbar of q x q x q processors; take crossbar:8 or crossbar:27");
  CHECK_THAT(requests::refusal("matrix-product", "torus:2x4"), has_text("is not a crossbar"));
  for (auto const* const name : {"cannon", "summa"})
    for (auto const* const on : {"torus:2x4", "torus:4", "torus:2x2x2", "mesh:2x2", "crossbar:4"})
      CHECK_THAT(requests::refusal(name, on), has_text("is not a torus of q x q processors"));
  CHECK(requests::refusal("matrix-product", "crossbar:8", {{"tau", 0}})
            .starts_with("tau = 0 is not a whole number of packets"));
  CHECK(requests::refusal("cannon", "torus:2x2", {{"second", "b.npy"}}) ==
        "a product has two factors; give --input and --second, or neither to generate both");

  files_to_multiply of("cannon", "torus:2x2");
  auto const first = of.files.input.path().string();
  auto const second = of.files.second.path().string();
  save(of.files.input, matrix<double>{2, 3, std::vector<double>(6)});
  CHECK(of.refusal().starts_with(second));  // which is not there
  save(of.files.second, matrix<double>{2, 3, std::vector<double>(6)});
  CHECK(of.refusal() ==
        first + " is 2 x 3 and " + second + " is 2 x 3, which do not multiply; give one of 3 rows");
  save(of.files.second, matrix<float>{3, 2, std::vector<float>(6)});
  CHECK(of.refusal() ==
        first + " holds float64 and " + second + " holds float32; save both as one type");
  save(of.files.second, matrix<double>{3, 2, {0, 0, 0, INFINITY, 0, 0}});
  CHECK(of.refusal() ==
        second + ": its number in row 1, column 1 is not finite; give finite numbers");
  of.asked.parameters["second"] = "";
  CHECK(of.refusal().starts_with("a product has two factors"));
  CHECK_FALSE(std::filesystem::exists(of.files.output.path()));
}

TEST_CASE("products of what NumPy wrote are NumPy's, of the same type", "[numeric][numpy]") {
  auto const python = python_with_numpy();
  if (!python) return;
  std::list<files_to_multiply> all;
  std::string writing = "r = numpy.random.default_rng(7)\n";
  std::string checking = R"(
def check(type, *files):
  a, b, c = [numpy.load(f) for f in files]
  assert c.dtype == a.dtype == type and c.shape == (a @ b).shape, files
  if a.dtype.kind == 'i':
    assert (c == a @ b).all(), files
  else:
    e = 8 * numpy.finfo(a.dtype).eps
    assert numpy.linalg.norm(c - a @ b) <= e * numpy.linalg.norm(a) * numpy.linalg.norm(b), files
)";
  for (std::string const type : {"float64", "float32", "int64", "int32"})
    for (std::string const shape : {"1, 1, 1", "7, 5, 9", "12, 12, 12"})
      for (auto const& [name, on] : products) {
        auto const& files = all.emplace_back(name, on).files;
        auto const first = files.input.path().string();
        auto const second = files.second.path().string();
        auto const* const size = type == "int32" ? "1e3" : "1e6";  // whose products int32 holds
        writing += fmt::format(R"(
n, k, m = {}
numpy.save('{}', ({} * r.standard_normal((n, k))).astype('{}'))
numpy.save('{}', ({} * r.standard_normal((k, m))).astype('{}'))
)",
                               shape, first, size, type, second, size, type);
        checking += fmt::format("check('{}', '{}', '{}', '{}')\n", type, first, second,
                                files.output.path().string());
      }
  REQUIRE(runs_python(*python, writing));
  for (auto const& each : all) requests::check(each.run());
  CHECK(runs_python(*python, checking));
}

TEST_CASE("factors of very different sizes are multiplied and checked element by element",
          "[numeric]") {
  files_to_multiply of("matrix-product", "crossbar:8");
  matrix<double> const large{2, 2, {1e200, 1e200, 1e200, 1e200}};
  save(of.files.input, large);
  save(of.files.second, matrix<double>{2, 2, {1e-200, 1e-200, 1e-200, 1e-200}});
  auto const result = of.run();
  CHECK(result.correct);
  CHECK(error_of(result) <= 1e-15);
  save(of.files.second, large);
  CHECK(of.refusal() ==
        fmt::format("{} and {}: the product in row 0, column 0 is about 2e+400, more than float64 "
                    "holds; scale the factors down",
                    of.files.input.path().string(), of.files.second.path().string()));
}

TEST_CASE("a wrong element counts however large the others are", "[numeric]") {
  matrix<double> const left{2, 2, {1e160, 0, 0, 1}};
  matrix<double> const right{2, 2, {1e-160, 0, 0, 1}};
  auto const error = [&](double last) {
    return lockstep::check_product<double>({left, right}, {2, 2, {1, 0, 0, last}}).error;
  };
  CHECK(error(1) <= 1e-15);
  CHECK(error(1.5) == 0.5);
  CHECK(std::isinf(error(std::nan(""))));
}
