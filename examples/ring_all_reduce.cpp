// A ring all-reduce with a command line of its own: list, run, explain and view, as lockstep's.
#include <lockstep/main.hpp>

using vectors = std::vector<std::vector<long>>;
constexpr lockstep::integer_parameter m{"m", "words of a piece", 4, 1, 1'000};

vectors ring_all_reduce(lockstep::processor& me, lockstep::arguments const& given) {
  int const p = me.size(), right = (me.rank() + 1) % p, left = (me.rank() + p - 1) % p;
  vectors sums;
  for (int i = 0; i < p; ++i) sums.emplace_back(given[m], me.rank() * i);
  auto const piece = [&](int place) -> auto& { return sums[(me.rank() + place + p) % p]; };
  me.phase("add");
  for (int k = 0; k < p - 1; ++k) {
    auto const arrived = me.exchange(right, piece(-k), left);
    for (std::size_t i = 0; i < arrived.size(); ++i) piece(-k - 1)[i] += arrived[i];
    me.show("partial sum", piece(-k - 1));
  }
  me.phase("hand on");
  for (int k = 0; k < p - 1; ++k) piece(-k) = me.exchange(right, piece(1 - k), left);
  return sums;
}

int main(int argc, char** argv) {
  lockstep::own_algorithm<vectors> all_reduce{.name = "all-reduce", .program = ring_all_reduce};
  all_reduce.summary = "every processor gets the sum of all processors' vectors";
  all_reduce.examples = {"torus:4", "torus:8"};
  all_reduce.parameters = {m};
  all_reduce.expected = [](auto& at) {
    vectors sums;
    for (long p = at.processors(), i = 0; i < p; ++i) sums.emplace_back(at[m], p * (p - 1) / 2 * i);
    return std::vector(sums.size(), sums);
  };
  all_reduce.formulas = "from Patarasuk and Yuan 2009 \n steps = 2(p - 1) \n words = 2(p - 1)m";
  all_reduce.traffic = [](auto& at) {
    return lockstep::traffic_requirement{.taken_in =
                                             at.processors() < 2 ? 0 : at.processors() * at[m]};
  };
  all_reduce.explanation = "Each piece goes round and grows. Then it goes round again, complete.";
  return lockstep::main(argc, argv, {all_reduce});
}
