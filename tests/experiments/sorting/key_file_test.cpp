#include "sorting/key_file.hpp"

#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include <lockstep/experiments/registry.hpp>

#include "catch.hpp"
#include "experiments/temporary_file.hpp"

using lockstep::key_type;
using lockstep::key_vector;
using lockstep::keys_taken;

namespace {

using wanted_type = std::optional<key_type>;
constexpr wanted_type in_lines{};
constexpr wanted_type smallest_type{};

key_vector keys_in(std::string const& content, wanted_type format = in_lines,
                   wanted_type type = smallest_type, keys_taken taken = keys_taken::whole_numbers) {
  temporary_file const file(content);
  return read_keys(file.path(), format, type, lockstep::available_memory, taken);
}

std::string complaint_about(std::string const& content, wanted_type format = in_lines,
                            wanted_type type = smallest_type,
                            keys_taken taken = keys_taken::whole_numbers) {
  temporary_file const file(content);
  try {
    static_cast<void>(read_keys(file.path(), format, type, lockstep::available_memory, taken));
  } catch (lockstep::bad_input const& bad) {
    std::string const text = bad.what();
    CHECK(text.find('\n') == std::string::npos);
    CHECK(text.starts_with(file.path().string() + ":"));
    return text.substr(file.path().string().size() + 1);
  }
  return "nothing";
}

template <class Key>
std::string raw(std::vector<Key> const& keys, wanted_type format) {
  std::ostringstream out;
  lockstep::write_keys<Key>(out, keys, format);
  return out.str();
}

template <class Key>
void check_raw(wanted_type format) {
  std::vector<Key> keys{std::numeric_limits<Key>::min(), 1, std::numeric_limits<Key>::max(), 258};
  auto const bytes = raw(keys, format);
  CHECK(bytes.size() == 4 * sizeof(Key));
  CHECK(bytes.substr(3 * sizeof(Key), 3) == std::string("\2\1\0", 3));  // little-endian
  CHECK(keys_in(bytes, format) == key_vector(keys));
  keys.resize(400'000, static_cast<Key>(-3));  // more than is read at a time
  CHECK(keys_in(raw(keys, format), format) == key_vector(keys));
}

}  // namespace

TEST_CASE("keys are read from lines, as the first type that has room", "[sorting][sanitize]") {
  using std::vector;
  CHECK(keys_in("") == key_vector(vector<std::int32_t>{}));
  CHECK(keys_in("7") == key_vector(vector<std::int32_t>{7}));
  CHECK(keys_in("3\n-2\n+3\n-0\n007\n") == key_vector(vector<std::int32_t>{3, -2, 3, 0, 7}));
  CHECK(keys_in(" 3\t\r\n2 \r\n") == key_vector(vector<std::int32_t>{3, 2}));
  CHECK(keys_in("1\n\n\n") == key_vector(vector<std::int32_t>{1}));
  CHECK(keys_in("2147483647\n-2147483648") ==
        key_vector(vector<std::int32_t>{2147483647, -2147483647 - 1}));
  CHECK(keys_in("2147483648\n-1") == key_vector(vector<std::int64_t>{2147483648, -1}));
  CHECK(keys_in("-9223372036854775808\n9223372036854775807") ==
        key_vector(vector<std::int64_t>{std::numeric_limits<std::int64_t>::min(),
                                        std::numeric_limits<std::int64_t>::max()}));
  CHECK(keys_in("0\n18446744073709551615\n") ==
        key_vector(vector<std::uint64_t>{0, ~std::uint64_t{0}}));
}

TEST_CASE("keys in lines are of the type that is asked for", "[sorting]") {
  using std::vector;
  auto const as = [](wanted_type type) { return keys_in("5\n6\n", in_lines, type); };
  CHECK(as(key_type::int32) == key_vector(vector<std::int32_t>{5, 6}));
  CHECK(as(key_type::uint32) == key_vector(vector<std::uint32_t>{5, 6}));
  CHECK(as(key_type::int64) == key_vector(vector<std::int64_t>{5, 6}));
  CHECK(as(key_type::uint64) == key_vector(vector<std::uint64_t>{5, 6}));
  auto const complaint = [](std::string const& lines, key_type type) {
    return complaint_about(lines, in_lines, type);
  };
  CHECK_THAT(
      complaint("1\n2147483648", key_type::int32),
      Catch::Matchers::StartsWith("2: 2147483648 is out of the range of int32; give --keys auto"));
  CHECK_THAT(complaint("-1", key_type::uint32),
             Catch::Matchers::StartsWith("1: -1 is out of the range"));
  CHECK_THAT(complaint("4294967296", key_type::uint32),
             Catch::Matchers::StartsWith("1: 4294967296 is out"));
  CHECK_THAT(complaint("9223372036854775808", key_type::int64),
             Catch::Matchers::StartsWith("1: 922337203"));
  CHECK_THAT(complaint("-1", key_type::uint64),
             Catch::Matchers::StartsWith("1: -1 is out of the range"));
}

TEST_CASE("lines that are not keys are refused", "[sorting][sanitize]") {
  for (std::string const junk : {"abc", "1 2", "1,2", "1.5", "0x1f", "--1", "+-1", "1e3", "-", "+",
                                 "18446744073709551616", "-9223372036854775809"})
    CHECK_THAT(complaint_about("1\n" + junk + "\n3\n"),
               Catch::Matchers::StartsWith("2: \"" + junk +
                                           "\" is not a whole number of 64 bits; give one"));
  CHECK_THAT(complaint_about("1\n\n2\n"),
             Catch::Matchers::StartsWith("2: is empty, and keys follow"));
  CHECK_THAT(complaint_about("1\n" + std::string(1000, '0')),
             Catch::Matchers::StartsWith("2: \"000000000000000000000000...\" is too long"));
  CHECK_THAT(complaint_about(std::string("1\0", 2)),
             Catch::Matchers::StartsWith("1: \"1?\" is not a whole"));
  CHECK_THAT(complaint_about("-1\n18446744073709551615"),
             Catch::Matchers::StartsWith("2: no type of 64"));
  CHECK_THAT(complaint_about("18446744073709551615\n-1"),
             Catch::Matchers::StartsWith("2: no type of 64"));
}

TEST_CASE("keys are read and written little-endian", "[sorting]") {
  check_raw<std::int32_t>(key_type::int32);
  check_raw<std::uint32_t>(key_type::uint32);
  check_raw<std::int64_t>(key_type::int64);
  check_raw<std::uint64_t>(key_type::uint64);
  CHECK(keys_in("", key_type::int64) == key_vector(std::vector<std::int64_t>{}));
  CHECK(
      complaint_about("1234567", key_type::int32) ==
      " its 7 bytes are not a whole number of int32 keys of 4 bytes; give one with whole keys, or "
      "another --format");
  CHECK_THAT(complaint_about(std::string((1U << 20U) + 9, 'x'), key_type::int64),
             Catch::Matchers::StartsWith(" its 1048585 bytes are not a whole number"));
}

TEST_CASE("keys of floating point are read and written little-endian", "[sorting]") {
  std::vector<float> const singles{1.0F, -0.0F, std::numeric_limits<float>::infinity(), 1e-45F};
  auto const bytes = raw(singles, key_type::float32);
  CHECK(bytes.substr(0, 8) == std::string("\0\0\x80\x3f\0\0\0\x80", 8));
  CHECK(keys_in(bytes, key_type::float32) == key_vector(singles));
  std::vector<double> doubles{1.0, std::numeric_limits<double>::lowest(), 5e-324};
  CHECK(raw(doubles, key_type::float64).substr(0, 8) == std::string("\0\0\0\0\0\0\xf0\x3f", 8));
  doubles.resize(300'000, 0.1);
  CHECK(keys_in(raw(doubles, key_type::float64), key_type::float64) == key_vector(doubles));
  CHECK_THAT(
      complaint_about("1234567", key_type::float64),
      Catch::Matchers::StartsWith(" its 7 bytes are not a whole number of float64 keys of 8"));
}

TEST_CASE("numbers in lines are double precision unless all are whole", "[sorting][sanitize]") {
  auto const read = [](std::string const& lines, wanted_type type = {}) {
    return keys_in(lines, in_lines, type, keys_taken::numbers);
  };
  auto const complaint = [](std::string const& lines, wanted_type type = {}) {
    return complaint_about(lines, in_lines, type, keys_taken::numbers);
  };
  constexpr auto infinity = std::numeric_limits<double>::infinity();
  using std::vector;
  CHECK(read("3\n-2\n") == key_vector(vector<std::int32_t>{3, -2}));
  CHECK(read("3\n-2\n0.5\n+7\n1e3\n-inf") ==
        key_vector(vector<double>{3, -2, 0.5, 7, 1000, -infinity}));
  CHECK(read("18446744073709549568\n.5") ==
        key_vector(vector<double>{18446744073709549568.0, 0.5}));
  CHECK(read("-9007199254740992\n-9223372036854775808\n.5") ==
        key_vector(vector<double>{-9007199254740992.0, -9223372036854775808.0, 0.5}));
  CHECK(read("1\n0.1\n", key_type::float32) == key_vector(vector<float>{1, 0.1F}));
  CHECK(read("9007199254740993", key_type::float64) ==
        key_vector(vector<double>{9007199254740992.0}));
  CHECK_THAT(complaint("1\n9007199254740993\n0.5"),
             Catch::Matchers::StartsWith("2: float64, the type of a text whose numbers are not all "
                                         "whole, would round this whole number"));
  CHECK_THAT(complaint("0.5\n-9007199254740993\n"), Catch::Matchers::StartsWith("2: float64, the"));
  CHECK_THAT(complaint("1\n1e999\n"),
             Catch::Matchers::StartsWith("2: 1e999 is out of the range of float64"));
  CHECK_THAT(complaint("1e39", key_type::float32),
             Catch::Matchers::StartsWith("1: 1e39 is out of the range of float32"));
  for (std::string const junk : {"abc", "1 2", "1,5", "0x1f", "--1", "+-1", "-", "+", "1e"})
    CHECK_THAT(complaint("0.5\n" + junk),
               Catch::Matchers::StartsWith("2: \"" + junk + "\" is not a number; give one"));
  CHECK_THAT(complaint("0.5", key_type::int64),
             Catch::Matchers::StartsWith("1: \"0.5\" is not a whole number"));
}

TEST_CASE("keys are written in lines", "[sorting]") {
  CHECK(raw<double>({0.1, -2, 1e300}, in_lines) == "0.1\n-2\n1e+300\n");
  CHECK(raw<float>({0.1F}, in_lines) == "0.1\n");
  CHECK(raw<std::int32_t>({3, -4}, in_lines) == "3\n-4\n");
  CHECK(raw<std::uint64_t>({~std::uint64_t{0}}, in_lines) == "18446744073709551615\n");
  std::vector<std::int64_t> const many(300'000, -123'456);
  CHECK(keys_in(raw(many, in_lines), in_lines, key_type::int64) == key_vector(many));
}

TEST_CASE("keys that cannot be read are refused", "[sorting]") {
  auto const refusal = [](std::filesystem::path const& file) {
    try {
      static_cast<void>(read_keys(file, in_lines, smallest_type));
    } catch (lockstep::bad_input const& bad) {
      return std::string(bad.what());
    }
    return std::string("nothing");
  };
  CHECK_THAT(refusal("/nonexistent/keys"), has_text("/nonexistent/keys: cannot be read"));
  CHECK_THAT(refusal(std::filesystem::temp_directory_path()), has_text("is a directory"));
}

TEST_CASE("keys for which there is no memory are refused", "[sorting]") {
  std::string lines;
  for (int i = 0; i < 200'000; ++i) lines += "1\n";
  temporary_file const file(lines);
  auto const no_memory = []() -> std::uint64_t { return 1U << 20U; };
  CHECK_THROWS_WITH(read_keys(file.path(), in_lines, smallest_type, no_memory),
                    has_text("more keys than there is memory for (1 MiB available)"));
  temporary_file const bytes(std::string(std::size_t{4} << 20U, '1'));
  CHECK_THROWS_WITH(read_keys(bytes.path(), key_type::int64, smallest_type, no_memory),
                    has_text("more keys than there is memory for (1 MiB available)"));
}
