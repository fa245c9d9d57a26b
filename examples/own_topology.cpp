// A network of your own. Petersen's graph joins ten processors by an outer ring, an inner star and
// five spokes: with three links each, nobody is more than two links away from anybody.
#include <iostream>
#include <string>
#include <vector>

#include <lockstep/lockstep.hpp>

class petersen : public lockstep::topology {
 public:
  [[nodiscard]] int size() const override { return 10; }
  [[nodiscard]] std::string spec() const override { return "petersen"; }
  [[nodiscard]] std::vector<lockstep::neighbour> neighbours(int rank) const override {
    bool const outer = rank < 5;
    int const first = outer ? 0 : 5;   // of this ring, or of this star
    int const stride = outer ? 1 : 2;  // to the next one on it
    int const place = rank - first;
    return {{first + (place + stride) % 5, "ahead"},
            {first + (place + 5 - stride) % 5, "behind"},
            {outer ? rank + 5 : rank - 5, "spoke"}};
  }
};

int main() {
  lockstep::machine machine{petersen{}, {.strict = true}};
  auto const& network = machine.topology();
  std::cout << network.spec() << ": degree " << network.degree() << ", diameter "
            << network.diameter() << ", " << network.links() << " directed links\n";

  // Each processor adds up the ranks of its neighbours, in three steps: on a strict machine none of
  // the messages may wait, or share a link.
  auto run = machine.run([](lockstep::processor& me) {
    auto const links = me.topology().neighbours(me.rank());
    int const ahead = links[0].rank;
    int const behind = links[1].rank;
    int const spoke = links[2].rank;
    int sum = me.exchange(ahead, me.rank(), behind);  // around the ring, or the star,
    sum += me.exchange(behind, me.rank(), ahead);     // and back,
    sum += me.exchange(spoke, me.rank());             // and between the two
    return sum;
  });

  for (int const sum : run.results()) std::cout << sum << ' ';
  std::cout << '\n' << run.summary();
}

// prints: petersen: degree 3, diameter 2, 30 directed links
// prints: 10 8 11 14 12 15 18 16 14 17
// prints: steps              3
