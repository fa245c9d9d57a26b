#include <lockstep/algorithms/numeric/local_product.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "algorithms/numeric/numeric_samples.hpp"
#include "catch.hpp"

using lockstep::product_shape;

namespace {

/// Numbers so small that every type holds the sums.
template <class T>
bool is_product(product_shape const& of) {
  auto const a = samples::matrix<T>(of.rows, of.inner, 3);
  auto const b = samples::matrix<T>(of.inner, of.columns, 4);
  auto c = samples::matrix<T>(of.rows, of.columns, 5);
  auto expected = samples::product(of, a, b);
  for (std::size_t i = 0; i < c.size(); ++i) expected[i] = static_cast<T>(expected[i] + c[i]);
  lockstep::local_product{}(of, a.data(), b.data(), c.data());
  return c == expected;
}

}  // namespace

TEST_CASE("local products of every shape up to 9 are added to what is there", "[numeric]") {
  for (std::size_t rows = 0; rows <= 9; ++rows)
    for (std::size_t inner = 0; inner <= 9; ++inner)
      for (std::size_t columns = 0; columns <= 9; ++columns) {
        INFO(rows << " x " << inner << " x " << columns);
        CHECK(is_product<double>({rows, inner, columns}));
        CHECK(is_product<float>({rows, inner, columns}));
      }
}

TEST_CASE("local products larger than a block of the caches", "[numeric]") {
  for (product_shape const of : {product_shape{97, 257, 13}, {5, 300, 530}, {200, 3, 1030}}) {
    INFO(of.rows << " x " << of.inner << " x " << of.columns);
    CHECK(is_product<double>(of));
    CHECK(is_product<float>(of));
    CHECK(is_product<std::uint64_t>(of));
  }
}

TEST_CASE("local products of all arithmetic types", "[numeric]") {
  product_shape const of{7, 6, 11};
  CHECK(is_product<signed char>({1, 2, 3}));
  CHECK(is_product<unsigned short>(of));
  CHECK(is_product<int>(of));
  CHECK(is_product<std::int64_t>(of));
  CHECK(is_product<long double>(of));
}
