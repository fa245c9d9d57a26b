#include <lockstep/algorithms/random_access/access_patterns.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "catch.hpp"
#include "random_access/access_samples.hpp"

// The values are those of an independent script of section 4's rules.

using lockstep::generated_pointers;

namespace {

std::uint64_t hash_of(pointers const& all) {
  std::uint64_t hash = 0;
  for (auto const pointer : all)
    hash = hash * 1'000'003 + (pointer == no_pointer ? 0 : pointer + 1);
  return hash;
}

constexpr access_pattern every_pattern[] = {
    access_pattern::random,    access_pattern::monotonic, access_pattern::one_hot,
    access_pattern::few_hot,   access_pattern::local,     access_pattern::permutation,
    access_pattern::singles,   access_pattern::figure_3a, access_pattern::figure_3b,
    access_pattern::figure_3c, access_pattern::figure_4};

/// Elements from i to j, row by row.
std::vector<int> matrix_of(pointers const& all, bucket_layout const& layout) {
  auto const p = static_cast<std::size_t>(layout.processors());
  std::vector<int> numbers(p * p);
  for (std::size_t i = 0; i < all.size(); ++i)
    ++numbers[static_cast<std::size_t>(layout.owner(i)) * p +
              static_cast<std::size_t>(layout.owner(all[i]))];
  return numbers;
}

}  // namespace

TEST_CASE("pointers of 11 elements are drawn as the rules say", "[random_access]") {
  bucket_layout const layout(11, 3, 3);
  auto const with = [&](access_pattern pattern, int dots = 0) {
    return generated_pointers(pattern, layout, 5, dots);
  };
  CHECK(with(access_pattern::random) == pointers{8, 5, 9, 9, 8, 10, 1, 10, 9, 0, 2});
  CHECK(with(access_pattern::monotonic) == pointers{0, 1, 2, 5, 8, 8, 9, 9, 9, 10, 10});
  CHECK(with(access_pattern::one_hot) == pointers{5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5});
  CHECK(with(access_pattern::few_hot) == pointers{5, 5, 9, 5, 1, 1, 7, 9, 9, 1, 5});
  CHECK(with(access_pattern::local) == pointers{0, 1, 2, 1, 7, 7, 7, 5, 10, 8, 8});
  CHECK(with(access_pattern::permutation) == pointers{9, 0, 2, 1, 4, 6, 10, 5, 7, 3, 8});
  CHECK(with(access_pattern::singles) == pointers{0, 2, 4, 6, 8, 10, 10, 10, 10, 10, 10});
  CHECK(with(access_pattern::random, 40) == pointers{no_pointer, 5, 9, 9, 8, 10, 1, 10, 9, 0, 2});
}

TEST_CASE("pointers of many elements are drawn as the rules say", "[random_access]") {
  // Of 1000 elements, of these 30 per cent without pointers, and of 4096 elements.
  auto const [pattern, hash, hash_of_lost,
              hash_of_many] = GENERATE(table<access_pattern, std::uint64_t, std::uint64_t,
                                             std::uint64_t>(
      {{access_pattern::random, 10251361064282779424U, 2556367714491571201U, 17475187142933193440U},
       {access_pattern::monotonic, 11840223405978080900U, 6471305028529699261U,
        2664455612108567437U},
       {access_pattern::one_hot, 2849435343234859984U, 15597112264264247534U,
        14499754587988827081U},
       {access_pattern::few_hot, 7837169869355244417U, 8399367319446468526U, 2432012276562583285U},
       {access_pattern::local, 11667562178399690813U, 11168338480635103394U, 941864487566171360U},
       {access_pattern::permutation, 10877442410173517184U, 5872922091045283707U,
        2960651767795038665U},
       {access_pattern::singles, 12241947012945418839U, 2880328180598358404U,
        9294376259123540681U}}));
  INFO(name_of(pattern));
  bucket_layout const layout(1000, 7, 5);
  CHECK(hash_of(generated_pointers(pattern, layout, 1)) == hash);
  CHECK(hash_of(generated_pointers(pattern, layout, 1, 30)) == hash_of_lost);
  CHECK(hash_of(generated_pointers(pattern, bucket_layout(4096, 16, 4), 123456789, 10)) ==
        hash_of_many);
}

TEST_CASE("the paper's examples have the paper's communication matrices", "[random_access]") {
  bucket_layout const layout(32, 4, 2);
  auto const matrix = [&](access_pattern pattern) {
    return matrix_of(generated_pointers(pattern, layout, 1), layout);
  };
  CHECK(matrix(access_pattern::figure_3a) ==
        std::vector{8, 0, 0, 0, 0, 8, 0, 0, 0, 0, 8, 0, 0, 0, 0, 8});
  CHECK(matrix(access_pattern::figure_3b) == std::vector<int>(16, 2));
  CHECK(matrix(access_pattern::figure_3c) ==
        std::vector{2, 5, 0, 1, 4, 0, 0, 4, 2, 2, 2, 2, 0, 1, 6, 1});
  CHECK(matrix(access_pattern::figure_4) ==
        std::vector{3, 1, 3, 1, 4, 0, 2, 2, 4, 0, 2, 2, 0, 2, 6, 0});
}

TEST_CASE("every pattern stays inside of its elements, for any n and p", "[random_access]") {
  for (auto const pattern : every_pattern)
    for (int p = 1; p <= 9; ++p)
      for (int const asked : {0, 1, p - 1, p, 3 * p + 1}) {
        auto const n = elements_of(pattern, static_cast<std::size_t>(asked));
        bucket_layout const layout(n, p);
        auto const made = generated_pointers(pattern, layout, 7, 20);
        INFO(name_of(pattern) << ", n = " << n << ", p = " << p);
        CHECK(made.size() == n);
        CHECK(std::ranges::all_of(made, [&](auto a) { return a < n || a == no_pointer; }));
      }
}

TEST_CASE("all elements can lose their pointers", "[random_access]") {
  CHECK(generated_pointers(access_pattern::random, bucket_layout(9, 2), 1, 100) ==
        pointers(9, no_pointer));
}

TEST_CASE("patterns have names of their own, and refuse what they cannot make", "[random_access]") {
  std::set<std::string_view> names;
  for (auto const pattern : every_pattern) names.insert(name_of(pattern));
  CHECK(names.size() == std::size(every_pattern));
  bucket_layout const layout(33, 4);
  CHECK(refusal_of_call([&] { return generated_pointers(access_pattern::figure_4, layout, 1); }) ==
        "figure-4 has 32 elements, not 33; take n = 32");
  CHECK(refusal_of_call([&] {
          return generated_pointers(access_pattern::random, layout, 1, 101);
        }) == "101 per cent of the elements cannot lose their pointer; take 0 to 100");
  auto const beyond = static_cast<access_pattern>(200);
  CHECK_THAT(refusal_of_call([&] { return name_of(beyond); }),
             has_text("access_pattern is 200: take one of access_pattern::random, "));
  CHECK_THROWS_AS(generated_pointers(beyond, layout, 1), lockstep::invalid_argument);
  CHECK_THROWS_AS(elements_of(beyond, 1), lockstep::invalid_argument);
}
