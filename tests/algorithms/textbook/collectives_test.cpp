#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <source_location>
#include <span>
#include <string>
#include <vector>

#include <lockstep/algorithms/collectives/all_gather.hpp>
#include <lockstep/algorithms/collectives/all_reduce.hpp>
#include <lockstep/algorithms/collectives/block_broadcast.hpp>
#include <lockstep/algorithms/collectives/broadcast.hpp>
#include <lockstep/algorithms/collectives/matrix_sum.hpp>
#include <lockstep/algorithms/collectives/pieces.hpp>
#include <lockstep/algorithms/collectives/reduce.hpp>
#include <lockstep/algorithms/collectives/scatter.hpp>
#include <lockstep/algorithms/textbook/all_gather.hpp>
#include <lockstep/algorithms/textbook/all_reduce.hpp>
#include <lockstep/algorithms/textbook/broadcast.hpp>
#include <lockstep/algorithms/textbook/reduce.hpp>
#include <lockstep/algorithms/textbook/scatter.hpp>
#include <lockstep/errors.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/crossbar.hpp>
#include <lockstep/topologies/parse.hpp>

#include "catch.hpp"
#include "experiments/refusal_of.hpp"
#include "index.hpp"

using lockstep::collective_scheme;
using lockstep::machine;
using lockstep::processor;
namespace textbook = lockstep::textbook;

namespace {

using words = std::vector<std::int64_t>;
using program = std::function<words(processor&)>;
using word_span = std::span<std::int64_t const>;

/// Not commutative: the composition of x -> ax + b, both modulo 2^32, in one number.
std::int64_t composed(std::int64_t first, std::int64_t then) {
  constexpr std::uint64_t half = 0xffff'ffff;
  auto const a = static_cast<std::uint64_t>(first) >> 32U;
  auto const b = static_cast<std::uint64_t>(first) & half;
  auto const c = static_cast<std::uint64_t>(then) >> 32U;
  auto const d = static_cast<std::uint64_t>(then) & half;
  return static_cast<std::int64_t>((a * c & half) << 32U | ((b * c + d) & half));
}

words block_of(int rank, std::size_t n) {
  words block(n);
  for (std::size_t i = 0; i < n; ++i)
    block[i] = 1'000'003 * (rank + 1) + 7'000'000'001 * static_cast<std::int64_t>(i + 1);
  return block;
}

/// What all n elements are that the processors have pieces of.
words all_elements(std::size_t n) { return block_of(41, n); }

words piece_of(int rank, int p, std::size_t n) {
  auto const all = all_elements(n);
  lockstep::pieces const of(n, p);
  auto const piece = word_span(all).subspan(of.before(rank), of.size(rank));
  return {piece.begin(), piece.end()};
}

template <class Operator>
words sums_of(int p, std::size_t n, Operator const& plus) {
  auto sums = block_of(0, n);
  for (int rank = 1; rank < p; ++rank)
    for (std::size_t i = 0; i < n; ++i) sums[i] = plus(sums[i], block_of(rank, n)[i]);
  return sums;
}

/// Runs both forms strict: they have the same counts, and each processor's result is the expected one.
void check_forms(std::string const& network, program const& textbook_form, program const& fast_form,
                 std::function<words(int rank)> const& expected) {
  INFO(network);
  auto const on = lockstep::parse(network);
  machine const strict(on, {.strict = true});
  auto const run = strict.run(textbook_form);
  auto const fast = strict.run(fast_form);
  for (int rank = 0; rank < on->size(); ++rank) {
    INFO("rank " << rank);
    CHECK(run.results()[index(rank)] == expected(rank));
  }
  CHECK(run.results() == fast.results());
  CHECK(run.counts() == fast.counts());
  CHECK(run.phases().size() == fast.phases().size());
}

std::vector<std::string> const of_powers_of_two{"hypercube:0", "hypercube:1", "hypercube:3",
                                                "hypercube:4", "crossbar:1",  "crossbar:8"};
std::vector<std::string> const crossbars{"crossbar:1", "crossbar:2", "crossbar:3", "crossbar:7",
                                         "crossbar:8"};
std::vector<std::string> const rings{"torus:2", "torus:3", "torus:8", "crossbar:5"};
constexpr std::array<std::size_t, 5> lengths{0, 1, 5, 16, 33};

int processors_of(std::string const& network) { return lockstep::parse(network)->size(); }

/// Calls `check(network, n, root)` for all of them.
template <class Check>
void for_all(std::vector<std::string> const& networks, Check const& check) {
  for (auto const& network : networks)
    for (auto const n : lengths) {
      int const p = processors_of(network);
      for (int root = 0; root < p; root += p / 2 + 1) check(network, n, root);
    }
}

using collective = void (*)(processor&, std::span<std::int64_t>, int, std::source_location);

void check_broadcast(std::vector<std::string> const& networks, collective textbook_form,
                     collective_scheme scheme) {
  for_all(networks, [&](std::string const& network, std::size_t n, int root) {
    auto const begin = [=](processor const& me) {
      return me.rank() == root ? block_of(root, n) : words(n);
    };
    check_forms(
        network,
        [&](processor& me) {
          auto block = begin(me);
          textbook_form(me, std::span(block), root, std::source_location::current());
          return block;
        },
        [&](processor& me) {
          auto block = begin(me);
          lockstep::broadcast(me, std::span(block), {.scheme = scheme, .root = root});
          return block;
        },
        [&](int /*rank*/) { return block_of(root, n); });
  });
}

}  // namespace

TEST_CASE("textbook: broadcasts are those of the fast form", "[collectives]") {
  check_broadcast(of_powers_of_two, textbook::broadcast_binomial<std::int64_t>,
                  collective_scheme::binomial);
  check_broadcast(
      crossbars,
      [](processor& me, std::span<std::int64_t> block, int root, std::source_location where) {
        textbook::broadcast_in_pieces(me, block, root, lockstep::piece_sizes::larger_first, where);
      },
      collective_scheme::transpose);
}

TEST_CASE("textbook: scatter and gather are those of the fast form", "[collectives]") {
  for_all(crossbars, [](std::string const& network, std::size_t n, int root) {
    int const p = processors_of(network);
    auto const all = all_elements(n);
    auto const at_root = [&](processor const& me) { return me.rank() == root ? all : words(); };
    check_forms(
        network,
        [&](processor& me) {
          return textbook::scatter_directly<std::int64_t>(me, at_root(me), n, root);
        },
        [&](processor& me) {
          return lockstep::scatter<std::int64_t>(me, at_root(me), n, {.root = root});
        },
        [&](int rank) { return piece_of(rank, p, n); });
    check_forms(
        network,
        [&](processor& me) {
          return textbook::gather_directly<std::int64_t>(me, piece_of(me.rank(), p, n), n, root);
        },
        [&](processor& me) {
          return lockstep::gather<std::int64_t>(me, piece_of(me.rank(), p, n), n, {.root = root});
        },
        [&](int rank) { return rank == root ? all : words(); });
  });
}

TEST_CASE("textbook: binomial scatter and gather are those of the fast form", "[collectives]") {
  for_all(of_powers_of_two, [](std::string const& network, std::size_t words_of_each, int root) {
    int const p = processors_of(network);
    auto const n = words_of_each * index(p);
    auto const all = all_elements(n);
    auto const at_root = [&](processor const& me) { return me.rank() == root ? all : words(); };
    lockstep::scatter_options const how{.scheme = collective_scheme::binomial, .root = root};
    check_forms(
        network,
        [&](processor& me) {
          return textbook::scatter_binomial<std::int64_t>(me, at_root(me), n, root);
        },
        [&](processor& me) { return lockstep::scatter<std::int64_t>(me, at_root(me), n, how); },
        [&](int rank) { return piece_of(rank, p, n); });
    check_forms(
        network,
        [&](processor& me) {
          return textbook::gather_binomial<std::int64_t>(me, piece_of(me.rank(), p, n), root);
        },
        [&](processor& me) {
          return lockstep::gather<std::int64_t>(me, piece_of(me.rank(), p, n), n, how);
        },
        [&](int rank) { return rank == root ? all : words(); });
  });
}

TEST_CASE("textbook: all_gather is that of the fast form", "[collectives]") {
  using form = words (*)(processor&, word_span, std::size_t, std::source_location);
  auto const check = [](std::vector<std::string> const& networks, form textbook_form,
                        collective_scheme scheme) {
    for_all(networks, [&](std::string const& network, std::size_t n, int /*root*/) {
      int const p = processors_of(network);
      check_forms(
          network,
          [&](processor& me) {
            auto const mine = piece_of(me.rank(), p, n);
            return textbook_form(me, mine, n, std::source_location::current());
          },
          [&](processor& me) {
            return lockstep::all_gather<std::int64_t>(me, piece_of(me.rank(), p, n), n,
                                                      {.scheme = scheme});
          },
          [&](int /*rank*/) { return all_elements(n); });
    });
  };
  check(crossbars, textbook::all_gather_directly<std::int64_t>, collective_scheme::direct);
  check(rings, textbook::all_gather_ring<std::int64_t>, collective_scheme::ring);
  check(of_powers_of_two, textbook::all_gather_doubling<std::int64_t>,
        collective_scheme::recursive_doubling);
}

TEST_CASE("textbook: reduce is that of the fast form, in the order of ranks", "[collectives]") {
  auto const compose = [](std::int64_t one, std::int64_t other) { return composed(one, other); };
  auto const check = [&](std::vector<std::string> const& networks, auto const& textbook_form,
                         collective_scheme scheme) {
    for_all(networks, [&](std::string const& network, std::size_t n, int root) {
      int const p = processors_of(network);
      check_forms(
          network, [&](processor& me) { return textbook_form(me, block_of(me.rank(), n), root); },
          [&](processor& me) {
            return lockstep::reduce<std::int64_t>(me, compose, block_of(me.rank(), n),
                                                  {.scheme = scheme, .root = root});
          },
          [&](int rank) { return rank == root ? sums_of(p, n, compose) : words(); });
    });
  };
  check(
      crossbars,
      [&](processor& me, words const& block, int root) {
        return textbook::reduce_in_pieces<std::int64_t>(me, compose, block, root);
      },
      collective_scheme::transpose);
  check(
      of_powers_of_two,
      [&](processor& me, words const& block, int root) {
        return textbook::reduce_binomial<std::int64_t>(me, compose, block, root);
      },
      collective_scheme::binomial);
}

TEST_CASE("textbook: all_reduce is that of the fast form", "[collectives]") {
  auto const compose = [](std::int64_t one, std::int64_t other) { return composed(one, other); };
  auto const check = [](std::vector<std::string> const& networks, auto const& textbook_form,
                        auto const& plus, collective_scheme scheme) {
    for_all(networks, [&](std::string const& network, std::size_t n, int /*root*/) {
      int const p = processors_of(network);
      check_forms(
          network, [&](processor& me) { return textbook_form(me, block_of(me.rank(), n)); },
          [&](processor& me) {
            return lockstep::all_reduce<std::int64_t>(me, plus, block_of(me.rank(), n),
                                                      {.scheme = scheme});
          },
          [&](int /*rank*/) { return sums_of(p, n, plus); });
    });
  };
  check(
      crossbars,
      [&](processor& me, words const& block) {
        return textbook::all_reduce_in_pieces<std::int64_t>(me, compose, block);
      },
      compose, collective_scheme::transpose);
  check(
      of_powers_of_two,
      [&](processor& me, words const& block) {
        return textbook::all_reduce_doubling<std::int64_t>(me, compose, block);
      },
      compose, collective_scheme::recursive_doubling);
  check(
      of_powers_of_two,
      [&](processor& me, words const& block) {
        return textbook::all_reduce_binomial<std::int64_t>(me, compose, block);
      },
      compose, collective_scheme::binomial);
  check(
      rings,
      [](processor& me, words const& block) {
        return textbook::all_reduce_ring<std::int64_t>(me, std::plus<>(), block);
      },
      std::plus<>(), collective_scheme::ring);
}

TEST_CASE("textbook: broadcasts and sums in even pieces are those of blocks and matrices",
          "[collectives]") {
  auto const compose = [](std::int64_t one, std::int64_t other) { return composed(one, other); };
  for_all(crossbars, [&](std::string const& network, std::size_t n, int root) {
    int const p = processors_of(network);
    check_forms(
        network,
        [&](processor& me) {
          auto block = block_of(me.rank(), n);
          textbook::broadcast_in_pieces(me, std::span(block), root, lockstep::piece_sizes::even);
          return block;
        },
        [&](processor& me) {
          auto block = block_of(me.rank(), n);
          lockstep::block_broadcast(me, std::span(block), {.k = std::max(2, p), .root = root});
          return block;
        },
        [&](int /*rank*/) { return block_of(root, n); });
    check_forms(
        network,
        [&](processor& me) {
          return textbook::reduce_in_pieces<std::int64_t>(me, compose, block_of(me.rank(), n), root,
                                                          lockstep::piece_sizes::even);
        },
        [&](processor& me) {
          auto const block = block_of(me.rank(), n);
          return lockstep::matrix_sum(me, compose, std::span<std::int64_t const>(block),
                                      {.k = std::max(2, p), .root = root});
        },
        [&](int rank) { return rank == root ? sums_of(p, n, compose) : words(); });
  });
}

TEST_CASE("textbook: collectives refuse roots and numbers of processors", "[collectives]") {
  machine const on(lockstep::crossbar{6});
  CHECK_THAT(refusal_of<lockstep::invalid_argument>(on,
                                                    [](processor& me) {
                                                      words block(3);
                                                      textbook::broadcast_binomial(
                                                          me, std::span(block));
                                                    }),
             has_text("textbook::broadcast_binomial: 6 processors are not a power of two; take 4 "
                      "or 8"));
  CHECK_THAT(refusal_of<lockstep::invalid_rank>(on,
                                                [](processor& me) {
                                                  return textbook::scatter_directly<std::int64_t>(
                                                      me, words(6), 6, -1);
                                                }),
             has_text("textbook::scatter_directly: there is no processor -1"));
}

TEST_CASE("textbook: collectives refuse blocks and pieces of other sizes", "[collectives]") {
  machine const on(lockstep::crossbar{4});
  auto const refuses = [&](auto const& program) {
    CHECK_THAT(refusal_of<lockstep::invalid_argument>(on, program),
               has_text("this processor has "));
  };
  for (std::size_t const n : {3U, 5U, 40U}) {  // in place of 4, or of 1
    refuses(
        [=](processor& me) { return textbook::scatter_directly<std::int64_t>(me, words(n), 4); });
    refuses(
        [=](processor& me) { return textbook::scatter_binomial<std::int64_t>(me, words(n), 4); });
    refuses(
        [=](processor& me) { return textbook::gather_directly<std::int64_t>(me, words(n), 4); });
    refuses([=](processor& me) {
      return textbook::all_gather_directly<std::int64_t>(me, words(n), 4);
    });
    refuses(
        [=](processor& me) { return textbook::all_gather_ring<std::int64_t>(me, words(n), 4); });
    refuses([=](processor& me) {
      return textbook::all_gather_doubling<std::int64_t>(me, words(n), 4);
    });
  }
  for (auto const& of : {lockstep::pieces(5, 4), lockstep::pieces(4, 3), lockstep::pieces(4, 5)})
    CHECK_THAT(
        refusal_of<lockstep::invalid_argument>(
            on,
            [&](processor& me) {
              return textbook::reduce_scatter_directly<std::int64_t>(me, std::plus<>(), words(4),
                                                                     of);
            }),
        has_text("for 4 processors with 4 elements; pass a piece of them for each processor"));
  auto const differs = [&](auto const& program) {
    CHECK_THAT(refusal_of<lockstep::size_mismatch>(on, program),
               has_text("elements are to be combined"));
  };
  auto const uneven = [](processor const& me) {  // so that pieces differ, too
    return words(4 * index(me.rank() + 1));
  };
  differs([&](processor& me) {
    return textbook::reduce_in_pieces<std::int64_t>(me, std::plus<>(), uneven(me));
  });
  differs([&](processor& me) {
    return textbook::reduce_binomial<std::int64_t>(me, std::plus<>(), uneven(me));
  });
  differs([&](processor& me) {
    return textbook::all_reduce_in_pieces<std::int64_t>(me, std::plus<>(), uneven(me));
  });
  differs([&](processor& me) {
    return textbook::all_reduce_ring<std::int64_t>(me, std::plus<>(), uneven(me));
  });
  differs([&](processor& me) {
    return textbook::all_reduce_doubling<std::int64_t>(me, std::plus<>(), uneven(me));
  });
  differs([&](processor& me) {
    return textbook::all_reduce_binomial<std::int64_t>(me, std::plus<>(), uneven(me));
  });
}

TEST_CASE("textbook: scatter_binomial refuses a root that scatters another number of elements") {
  machine const on(lockstep::parse("hypercube:2"));
  auto const scatter = [](processor& me) {
    std::size_t const n = me.rank() == 0 ? 8 : 4;
    return textbook::scatter_binomial<std::int64_t>(me, words(n), n);
  };
  CHECK_THROWS_AS(on.run(scatter), lockstep::size_mismatch);
}
