#include "sorting/sort_input.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <lockstep/errors.hpp>
#include <lockstep/experiments/registry.hpp>
#include <lockstep/topologies/parse.hpp>

#include "catch.hpp"
#include "experiments/temporary_file.hpp"

using lockstep::key_vector;
using lockstep::keys_taken;

namespace {

using parameters = std::map<std::string, lockstep::parameter_value>;

key_vector keys_for(parameters const& given, keys_taken taken, std::string const& content = "") {
  temporary_file const file(content);
  lockstep::experiment_request asked{.network = lockstep::parse("crossbar:4"), .parameters = given};
  asked.parameters["distribution"] = std::string("C");
  if (!content.empty()) asked.input = file.path();
  auto const n = lockstep::arguments(asked)[lockstep::number_of_keys];
  try {
    return keys_from(asked, taken, n,
                     [](std::uint64_t keys) {
                       if (keys > 100) throw lockstep::out_of_memory("too many");
                       return lockstep::machine_needs{};
                     })
        .keys;
  } catch (lockstep::bad_input const& bad) {
    std::string const text = bad.what();
    CHECK(text.starts_with(file.path().string()));
    throw lockstep::bad_input(text.substr(file.path().string().size()));
  }
}

}  // namespace

TEST_CASE("keys are generated of any type", "[sorting]") {
  auto const with = [](std::string const& type) {
    return keys_for({{"n", std::int64_t{5}}, {"keys", type}}, keys_taken::numbers);
  };
  CHECK(with("auto") == key_vector(std::vector<std::int32_t>{0, 4, 1, 2, 3}));
  CHECK(with("uint64") == key_vector(std::vector<std::uint64_t>{0, 4, 1, 2, 3}));
  CHECK(with("float32") == key_vector(std::vector<float>{0, 4, 1, 2, 3}));
  CHECK(with("float64") == key_vector(std::vector<double>{0, 4, 1, 2, 3}));
  CHECK_THROWS_AS(keys_for({{"n", std::int64_t{101}}}, keys_taken::numbers),
                  lockstep::out_of_memory);
}

TEST_CASE("NaN is not a key, and the refusal says where it stands", "[sorting]") {
  auto const refusal = [](parameters const& given, std::string const& content) {
    try {
      static_cast<void>(keys_for(given, keys_taken::numbers, content));
    } catch (lockstep::bad_input const& bad) {
      return std::string(bad.what());
    }
    return std::string("not refused");
  };
  std::string const why =
      " is neither less than a number nor greater nor equal, so it has no place in an order; "
      "leave it out";
  CHECK(refusal({}, "1\n0.5\nnan\n") == ":3: NaN" + why);
  CHECK(refusal({{"keys", std::string("float32")}}, "-NaN") == ":1: NaN" + why);
  std::string bytes(24, '\0');
  bytes[23] = static_cast<char>(0xFF);
  bytes[22] = static_cast<char>(0xF8);
  CHECK(refusal({{"format", std::string("float64")}}, bytes) == ": its key 3, NaN," + why);
  CHECK(refusal({{"format", std::string("int64")}}, bytes) == "not refused");
}

TEST_CASE("sorts by digits take whole numbers only", "[sorting]") {
  for (auto const* const name : {"format", "keys"})
    for (auto const* const type : {"float32", "float64"}) {
      parameters const given{{"n", std::int64_t{5}}, {name, std::string(type)}};
      CHECK_THROWS_WITH(keys_for(given, keys_taken::whole_numbers),
                        has_text("'" + std::string(type) + "' is not one of ") &&
                            has_text("int32, uint32, int64, uint64"));
    }
  CHECK_THROWS_WITH(keys_for({}, keys_taken::whole_numbers, "1\n0.5\n"),
                    has_text(":2: \"0.5\" is not a whole number of 64 bits"));
}
