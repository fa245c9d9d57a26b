#include <lockstep/detail/derived_values.hpp>

#include <algorithm>
#include <atomic>
#include <stdexcept>
#include <string>
#include <vector>

#include <lockstep/machine.hpp>
#include <lockstep/topologies/torus.hpp>

#include "catch.hpp"
#include "core/machines.hpp"

using lockstep::processor;
using lockstep::detail::derived_values;
using lockstep::detail::derived_values_of;

namespace {

struct number_of_links {
  long links = 0;
};
struct name_and_links {
  std::string text;
};

}  // namespace

TEST_CASE("what follows from a network is made once for all processors of a run", "[threads]") {
  for (auto const& choice : reference::all_engines()) {
    INFO(choice);
    lockstep::machine const on{lockstep::torus{{6, 6}}, reference::on(choice)};
    std::atomic<int> made = 0;
    auto const program = [&](processor& me) {
      return &derived_values_of(me.topology()).get<number_of_links>([&] {
        ++made;
        return number_of_links{me.topology().links()};
      });
    };
    auto const run = on.run(program);
    CHECK(made == 1);
    auto const* const first = run.results().front();
    CHECK(first->links == 144);
    CHECK(std::ranges::count(run.results(), first) == on.size());
    CHECK(on.run(program).results().back() == first);
    CHECK(made == 1);
  }
}

TEST_CASE("members of a subset share what follows from its network, not that of the machine") {
  lockstep::machine const on{lockstep::torus{{4, 6}}};
  auto const run = on.run([](processor& me) {
    auto row = me.subset({1});
    auto const& of = row.topology();
    return &derived_values_of(of).get<number_of_links>([&] { return number_of_links{of.links()}; });
  });
  for (int rank = 0; rank < on.size(); ++rank) {
    auto const at = static_cast<std::size_t>(rank);
    CHECK(run.results()[at] == run.results()[at / 6 * 6]);
    if (rank >= 6) CHECK(run.results()[at] != run.results()[at - 6]);
  }
}

TEST_CASE("a copy of a network has values of its own, and each type has one") {
  lockstep::torus const network{{3, 3}};
  auto const copy = network;
  auto const links_of = [](lockstep::topology const& of) -> number_of_links const& {
    return derived_values_of(of).get<number_of_links>([&] { return number_of_links{of.links()}; });
  };
  CHECK(&links_of(network) == &links_of(network));
  CHECK(&links_of(network) != &links_of(copy));
  auto const& both = derived_values_of(network).get<name_and_links>([&] {
    return name_and_links{network.spec() + ": " + std::to_string(links_of(network).links)};
  });
  CHECK(both.text == "torus:3x3: 36");
}

TEST_CASE("a value may ask for another one while it is made, and one that fails is made again") {
  derived_values values;
  int tried = 0;
  auto const text = [&] {
    return values.get<name_and_links>([&] {
      auto const& number = values.get<number_of_links>([] { return number_of_links{7}; });
      if (++tried == 1) throw std::runtime_error("not yet");
      return name_and_links{std::to_string(number.links)};
    });
  };
  CHECK_THROWS_AS(text(), std::runtime_error);
  CHECK(text().text == "7");
  CHECK(text().text == "7");
  CHECK(tried == 2);
}
