#include "sorting/key_column.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <lockstep/experiments/registry.hpp>

#include "catch.hpp"
#include "experiments/temporary_file.hpp"

using lockstep::key_type;
using lockstep::key_vector;
using lockstep::keys_taken;

namespace {

key_vector column_in(std::string const& content, std::string const& name,
                     std::optional<key_type> type = {}, keys_taken taken = keys_taken::numbers) {
  temporary_file const file(content);
  return lockstep::read_key_column(file.path(), name, type, taken).keys;
}

/// What is said of the file, behind its name.
std::string column_refusal(std::string const& content, std::string const& name,
                           std::optional<key_type> type = {},
                           keys_taken taken = keys_taken::numbers) {
  temporary_file const file(content);
  try {
    static_cast<void>(lockstep::read_key_column(file.path(), name, type, taken));
  } catch (lockstep::bad_input const& bad) {
    std::string const text = bad.what();
    CHECK(text.find('\n') == std::string::npos);
    CHECK(text.starts_with(file.path().string() + ":"));
    return text.substr(file.path().string().size());
  }
  return "not refused";
}

}  // namespace

TEST_CASE("keys of a column are of the first type that has room", "[sorting][sanitize]") {
  using std::vector;
  CHECK(column_in("a,b\nx,3\ny, -2\t\nz,\"+7\"\n", "b") ==
        key_vector(vector<std::int32_t>{3, -2, 7}));
  CHECK(column_in("b,a\n2147483648,\n-1,\n", "b") ==
        key_vector(vector<std::int64_t>{2147483648, -1}));
  CHECK(column_in("b\n18446744073709551615\n", "b") ==
        key_vector(vector<std::uint64_t>{std::numeric_limits<std::uint64_t>::max()}));
  CHECK(column_in("b\n1\n.5\n-inf\n", "b") ==
        key_vector(vector<double>{1, 0.5, -std::numeric_limits<double>::infinity()}));
  CHECK(column_in("b\n0.1\n", "b", key_type::float32) == key_vector(vector<float>{0.1F}));
  CHECK(column_in("b\n5\n", "b", key_type::uint64, keys_taken::whole_numbers) ==
        key_vector(vector<std::uint64_t>{5}));
  CHECK(column_in("b\n", "b") == key_vector(vector<std::int32_t>{}));
}

TEST_CASE("what is not a key of a column is refused with its line", "[sorting]") {
  CHECK(column_refusal("a,b\n\"x\ny\",1\nz,two\n", "b") ==
        ":4: \"two\" in column \"b\" is not a whole number of 64 bits; give one in each row, -2^63 "
        "to "
        "2^64 - 1");
  CHECK(column_refusal("b\n0.5\ntwo\n", "b") ==
        ":3: \"two\" in column \"b\" is not a number; give one in each row, for example -2, 0.5 or "
        "1e-3");
  CHECK(column_refusal("b\n1.5\n", "b", {}, keys_taken::whole_numbers) ==
        ":2: \"1.5\" in column \"b\" is not a whole number of 64 bits; give one in each row, -2^63 "
        "to "
        "2^64 - 1");
  CHECK(column_refusal("a,b\nx, \n", "b") == ":2: nothing in column \"b\"; give a number");
  CHECK_THAT(column_refusal("a,b\nx,1\ny,nan\n", "b", key_type::float64),
             Catch::Matchers::StartsWith(":3: NaN in column \"b\" is neither less"));
  CHECK_THAT(column_refusal("a,b\n\"x\n\",9007199254740993\ny,.5\n", "b"),
             Catch::Matchers::StartsWith(":2: float64, the type of a text"));
  CHECK(column_refusal("b\n300\n-1\n", "b", key_type::uint32) ==
        ":3: -1 is out of the range of uint32; give --keys auto, or another type");
}

TEST_CASE("files without the column are refused", "[sorting]") {
  CHECK(column_refusal("", "b") ==
        ": is empty; give a CSV file whose first line names its columns");
  CHECK(column_refusal("a,c\n1,2\n", "b") == ": has no column \"b\"; there are: \"a\", \"c\"");
  CHECK(column_refusal("a, B\n1,2\n", "b") == ": has no column \"b\"; did you mean \" B\"?");
  CHECK_THAT(column_refusal("b,b\n1,2\n", "b"),
             Catch::Matchers::StartsWith(": has 2 columns \"b\""));
  CHECK_THAT(column_refusal("a,b\n1,2\n3\n", "b"),
             Catch::Matchers::StartsWith(":3: 1 field in this row, 2 in the first line"));
}

TEST_CASE("rows for which there is no memory are refused", "[sorting]") {
  std::string text = "n,text\n";
  for (int i = 0; i < 300; ++i) text += "1," + std::string(9999, 'x') + '\n';
  temporary_file const file(text);
  auto const no_memory = []() -> std::uint64_t { return 1U << 20U; };
  CHECK_THROWS_WITH(lockstep::read_key_column(file.path(), "n", {}, keys_taken::numbers, no_memory),
                    has_text("more keys than there is memory for (1 MiB available)"));
}
