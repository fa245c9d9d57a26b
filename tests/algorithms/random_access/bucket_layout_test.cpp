#include <lockstep/algorithms/random_access/bucket_layout.hpp>

#include <cstddef>
#include <vector>

#include "catch.hpp"
#include "random_access/access_samples.hpp"

using lockstep::best_buckets_each;

namespace {

std::vector<std::size_t> sizes_in(bucket_layout const& layout) {
  std::vector<std::size_t> sizes;
  for (std::size_t b = 0; b < layout.buckets(); ++b) sizes.push_back(layout.size(b));
  return sizes;
}

std::vector<std::size_t> buckets_in(bucket_layout const& layout) {
  std::vector<std::size_t> buckets;
  for (std::size_t a = 0; a < layout.elements(); ++a) buckets.push_back(layout.bucket(a));
  return buckets;
}

}  // namespace

TEST_CASE("buckets of sizes that divide, and of sizes that do not", "[random_access]") {
  bucket_layout const figure_4(32, 4, 2);
  CHECK(figure_4.block_size() == 8);
  CHECK(figure_4.bucket_size() == 4);
  CHECK(sizes_in(figure_4) == std::vector<std::size_t>(8, 4));
  CHECK(figure_4.bucket(25) == 6);

  bucket_layout const erratum_9(40, 4, 4);
  CHECK(erratum_9.bucket_size() == 3);
  CHECK(sizes_in(erratum_9) ==
        std::vector<std::size_t>{3, 3, 3, 1, 3, 3, 3, 1, 3, 3, 3, 1, 3, 3, 3, 1});

  bucket_layout const odd(10, 4, 2);
  CHECK(sizes_in(odd) == std::vector<std::size_t>{2, 1, 2, 1, 2, 1, 1, 0});
  CHECK(buckets_in(odd) == std::vector<std::size_t>{0, 0, 1, 2, 2, 3, 4, 4, 5, 6});

  bucket_layout const with_empty_processor(13, 5, 3);
  CHECK(sizes_in(with_empty_processor) ==
        std::vector<std::size_t>{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0});

  bucket_layout const fewer_than_processors(3, 4);
  CHECK(sizes_in(fewer_than_processors) == std::vector<std::size_t>{1, 1, 1, 0});
  CHECK(fewer_than_processors.first_of(3) == 3);
}

TEST_CASE("a layout of no elements has buckets of no address", "[random_access]") {
  bucket_layout const layout(0, 3);
  CHECK(layout.block_size() == 0);
  CHECK(sizes_in(layout) == std::vector<std::size_t>{0, 0, 0});
  CHECK(layout.size_of(2) == 0);
}

TEST_CASE("a layout says the same of every address, forwards and backwards", "[random_access]") {
  for (int p = 1; p <= 9; ++p)
    for (std::size_t n = 0; n <= 40; ++n) {
      auto const most = bucket_layout(n, p).block_size();
      for (std::size_t k = 1; k <= std::max<std::size_t>(most, 1); ++k) {
        bucket_layout const layout(n, p, k);
        INFO("n = " << n << ", p = " << p << ", k = " << k);
        std::size_t next = 0;
        for (std::size_t b = 0; b < layout.buckets(); ++b) {
          CHECK(layout.size(b) <= layout.bucket_size());
          for (auto a = layout.first_in(b); a < layout.first_in(b) + layout.size(b); ++a) {
            REQUIRE(a == next++);
            REQUIRE(layout.bucket(a) == b);
            REQUIRE(layout.owner(a) == layout.owner_of_bucket(b));
            auto const own = layout.owner(a);
            REQUIRE((layout.first_of(own) <= a && a < layout.first_of(own) + layout.size_of(own)));
          }
        }
        CHECK(next == n);
      }
    }
}

TEST_CASE("layouts refuse buckets and processors that there cannot be", "[random_access]") {
  CHECK(refusal_of_call([] { return bucket_layout(32, 4, 0); }) ==
        "k = 0 buckets for the ceil(n/p) = 8 elements of a processor: take 1 to 8");
  CHECK(refusal_of_call([] { return bucket_layout(30, 4, 9); }) ==
        "k = 9 buckets for the ceil(n/p) = 8 elements of a processor: take 1 to 8");
  CHECK(refusal_of_call([] { return bucket_layout(0, 4, 2); }) ==
        "k = 2 buckets for the ceil(n/p) = 0 elements of a processor: take 1 to 1");
  CHECK(refusal_of_call([] { return bucket_layout(5, 0); }) ==
        "5 elements lie on at least 1 processor, not 0");
  CHECK(refusal_of_call([] { return best_buckets_each(5, -1); }) ==
        "5 elements lie on at least 1 processor, not -1");
}

TEST_CASE("the best number of buckets is that of a search through all", "[random_access]") {
  CHECK(best_buckets_each(32, 4) == 1);  // as good as 2
  CHECK(best_buckets_each(33, 4) == 2);
  CHECK(best_buckets_each(4096, 16) == 4);
  CHECK(best_buckets_each(100'000, 4) == 79);
  CHECK(best_buckets_each(1'000'000, 10) == 100);
  CHECK(best_buckets_each(0, 3) == 1);
  for (int p = 1; p <= 20; ++p)
    for (std::size_t n = 1; n <= 2000; n = 3 * n / 2 + 1) {
      std::size_t best = 1;
      auto const vectors = [&](std::size_t k) {
        auto const kp = static_cast<double>(k) * p;
        return kp + static_cast<double>(n) / kp;
      };
      for (std::size_t k = 2; k <= bucket_layout(n, p).block_size(); ++k)
        if (vectors(k) < vectors(best)) best = k;
      INFO("n = " << n << ", p = " << p);
      CHECK(vectors(best_buckets_each(n, p)) == Approx(vectors(best)));
    }
}
