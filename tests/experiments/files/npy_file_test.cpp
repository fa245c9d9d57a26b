#include "files/npy_file.hpp"

#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <sstream>
#include <string>
#include <variant>
#include <vector>

#include <lockstep/experiments/registry.hpp>

#include "catch.hpp"
#include "experiments/temporary_file.hpp"
#include "files/matrix_file.hpp"
#include "matrix_complaint.hpp"
#include "npy_bytes.hpp"

using namespace std::string_literals;
using lockstep::matrix;
using lockstep::read_matrix;
using lockstep::square_matrix;

namespace {

std::string const eight_bytes_each = bytes_of<std::int64_t>({1, -2, 3, 4});

matrix npy_matrix_in(std::string const& bytes) { return read_matrix(temporary_file(bytes).path()); }

std::string complaint_about_shape(std::string const& shape, std::string const& data = "") {
  return matrix_complaint(npy_bytes(npy_dictionary("<i8", shape), data));
}

std::string complaint_about_type(std::string const& type) {
  return matrix_complaint(npy_bytes(npy_dictionary(type, "(2, 2)"), eight_bytes_each));
}

std::string complaint_about_header(std::string const& dictionary) {
  return matrix_complaint(npy_bytes(dictionary, eight_bytes_each));
}

template <class Number>
void check_reads(std::string const& type, std::vector<Number> const& numbers) {
  INFO(type);
  auto const bytes = npy_bytes(npy_dictionary(type, "(2, 2)"), bytes_of(numbers));
  CHECK(npy_matrix_in(bytes) == matrix(square_matrix<Number>{2, numbers}));
}

/// The file that NumPy writes of a matrix of that type: 128 bytes, then the numbers.
template <class Number>
void check_writes(std::string const& type, square_matrix<Number> const& written) {
  auto const n = std::to_string(written.size);
  auto dictionary =
      "{'descr': '" + type + "', 'fortran_order': False, 'shape': (" + n + ", " + n + "), }";
  dictionary.resize(117, ' ');
  auto const expected = "\x93NUMPY\x01\x00v\x00"s + dictionary + "\n" + bytes_of(written.entries);
  std::ostringstream out;
  write_npy(out, written);
  CHECK(out.str() == expected);
  auto const file = temporary_file::ending_in(".npy");
  write_matrix(file.path(), written);
  CHECK(file.content() == expected);
  CHECK(read_matrix(file.path()) == matrix(written));
}

}  // namespace

TEST_CASE("all four types of number are read from .npy files", "[npy]") {
  check_reads<double>("<f8", {0.1, -2, 1e300, 4});
  check_reads<float>("<f4", {0.1F, -2, 1e30F, 4});
  check_reads<std::int64_t>("<i8", {1, -2, std::numeric_limits<std::int64_t>::min(), 4});
  check_reads<std::int32_t>("<i4", {1, -2, std::numeric_limits<std::int32_t>::max(), 4});
}

TEST_CASE("the computer's own byte order has several names", "[npy]") {
  for (auto const* type : {"<f8", "=f8", "|f8", "f8"}) check_reads<double>(type, {1, 2, 3, 4});
  for (auto const* type : {"<i4", "=i4", "|i4", "i4"})
    check_reads<std::int32_t>(type, {1, 2, 3, 4});
}

TEST_CASE("versions 1.0, 2.0 and 3.0 are read", "[npy]") {
  auto const dictionary = npy_dictionary("<i8", "(2, 2)");
  for (int const version : {1, 2, 3})
    CHECK(npy_matrix_in(npy_bytes(dictionary, eight_bytes_each, version)) ==
          matrix(square_matrix<std::int64_t>{2, {1, -2, 3, 4}}));
}

TEST_CASE("a header may be written as Python allows", "[npy]") {
  matrix const expected(square_matrix<std::int64_t>{2, {1, -2, 3, 4}});
  for (auto const* dictionary : {
           "{'descr':'<i8','fortran_order':False,'shape':(2,2)}",
           " { \"shape\" : ( 2 , 2 , ) ,\n 'fortran_order' : False , \"descr\" : \"<i8\" , } \n\n",
           "{'fortran_order': True, 'shape': (1, 1), 'descr': '<f8', 'fortran_order': False, "
           "'shape': (2, 2), 'descr': '<i8'}",
       }) {
    INFO(dictionary);
    CHECK(npy_matrix_in(npy_bytes(dictionary, eight_bytes_each)) == expected);
  }
}

TEST_CASE("of one number either order is the same", "[npy]") {
  CHECK(npy_matrix_in(npy_bytes("{'descr': '<i8', 'fortran_order': True, 'shape': (1, 1), }",
                                bytes_of<std::int64_t>({7}))) ==
        matrix(square_matrix<std::int64_t>{1, {7}}));
}

TEST_CASE(".npy files are written as NumPy does, and read again", "[npy]") {
  check_writes<double>("<f8", {2, {0.1, -2, 3e-308, 4}});
  check_writes<float>("<f4", {2, {0.1F, -2, 3e-38F, 4}});
  check_writes<std::int64_t>("<i8", {1, {std::numeric_limits<std::int64_t>::min()}});
  check_writes<std::int32_t>("<i4", {12, std::vector<std::int32_t>(144, -5)});
}

TEST_CASE("not one bit of what is not a number gets lost", "[npy]") {
  std::vector<std::uint64_t> const bits{0x7FF0000000000000U, 0xFFF8000000000001U,
                                        0x7FF4DEADBEEF0000U, 0x8000000000000000U};
  std::vector<double> numbers(bits.size());
  std::memcpy(numbers.data(), bits.data(), sizeof(double) * bits.size());
  auto const file = temporary_file::ending_in(".npy");
  write_matrix(file.path(), square_matrix<double>{2, numbers});
  auto const read = std::get<square_matrix<double>>(read_matrix(file.path()));
  CHECK(bytes_of(read.entries) == bytes_of(bits));
}

TEST_CASE("what is not an .npy file at all is refused", "[npy]") {
  auto const again = "; write it with numpy.save";
  CHECK(matrix_complaint("\x93NUMPX\x01\x00v\x00"s) ==
        ": is not an .npy file (it does not begin with \\x93NUMPY) nor a text"s + again);
  CHECK(matrix_complaint("\x93NUM") ==
        ": ends within its header; it is incomplete: write it again with numpy.save");
  for (auto const* text : {"", "PK\x03\x04", "NUMPY", "1 2\n3 4 5\n"}) {
    auto const file = temporary_file::ending_in(".npy");
    std::ofstream(file.path()) << text;
    CHECK_THROWS_WITH(
        read_matrix(file.path()),
        file.path().string() +
            ": is not an .npy file (it does not begin with \\x93NUMPY) nor a text with "
            "a matrix" +
            again);
  }
}

TEST_CASE("text in a file that is named .npy is read as text", "[npy]") {
  auto const file = temporary_file::ending_in(".npy");
  std::ofstream(file.path()) << "1 2\n3 4\n";
  CHECK(read_matrix(file.path()) == matrix(square_matrix<std::int64_t>{2, {1, 2, 3, 4}}));
}

TEST_CASE("other versions of the format are refused", "[npy]") {
  auto const dictionary = npy_dictionary("<i8", "(2, 2)");
  auto const save = " of the .npy format; save it in version 1.0, 2.0 or 3.0";
  CHECK(matrix_complaint(npy_bytes(dictionary, "", 4)) == ": has version 4.0"s + save);
  CHECK(matrix_complaint(npy_bytes(dictionary, "", 0)) == ": has version 0.0"s + save);
  CHECK(matrix_complaint(npy_bytes(dictionary, "", 1, 1)) == ": has version 1.1"s + save);
  CHECK(matrix_complaint(npy_bytes(dictionary, "", 200, 255)) == ": has version 200.255"s + save);
}

TEST_CASE("a file that ends within its header is refused", "[npy]") {
  auto const whole = npy_bytes(npy_dictionary("<i8", "(2, 2)"), "", 2);
  for (std::size_t bytes = 1; bytes < whole.size(); ++bytes)
    CHECK(matrix_complaint(whole.substr(0, bytes)) ==
          ": ends within its header; it is incomplete: write it again with numpy.save");
  CHECK(matrix_complaint("\x93NUMPY\x02\x00\xFF\xFF\xFF\xFF{}"s) ==
        ": its header has 4294967295 bytes, and that of a matrix 65535 at most; write it again "
        "with numpy.save");
}

TEST_CASE("malformed headers are refused with what is wrong", "[npy]") {
  auto const check = [](std::string const& dictionary, std::string const& wrong) {
    INFO(dictionary);
    CHECK(complaint_about_header(dictionary) ==
          ": its header " + wrong + "; write it again with numpy.save");
  };
  auto const lacks = "lacks one of 'descr', 'fortran_order', 'shape'";
  check("", "ends where { should be");
  check("[1]", "has \"[1]\" where { should be");
  check("{}", lacks);
  check("{'descr': '<f8', 'shape': (2, 2)}", lacks);
  check("{'descr': '<f8', 'fortran_order': False", "ends where } should be");
  check("{'descr': '<f8', 'colour': 3}", "has the entry \"colour\"");
  check("{'descr': '<f8}", "has a text without an end");
  check("{'descr': 8}", "has \"8}\" where ' should be");
  check("{'descr' '<f8'}", "has \"'<f8'}\" where : should be");
  check("{'fortran_order': 0}", "has \"0}\" where True or False should be");
  check("{'shape': 4}", "has \"4}\" where ( should be");
  check("{'shape': (4)}", "has a shape that is not a tuple");
  check("{'shape': (4, x)}", "has \"x)}\" where a size should be");
  check("{'shape': (04, 4)}", "has \"04, 4)}\" where a size should be");
  check("{'shape': (4.5, 4)}", "has a shape that is not a tuple");
  check("{'shape': (4 4)}", "has a shape that is not a tuple");
  check("{'shape': (-4, -4)}", "has a shape with a negative size");
  check("{'shape': (2, 2), 'descr': '<i8', 'fortran_order': False} 7", "ends with \"7\"");
  check("\x01\x80{", "has \"??{\" where { should be");
}

TEST_CASE("sizes as Python 2 wrote them are refused", "[npy]") {
  CHECK(complaint_about_shape("(2L, 2L)") ==
        ": its header has the size 2L, as Python 2 wrote it; load and save it with NumPy under "
        "Python 3");
}

TEST_CASE("shapes that are not n x n are refused", "[npy]") {
  CHECK(complaint_about_shape("()") == ": its array has 0 dimensions; give a matrix, of two");
  CHECK(complaint_about_shape("(4,)") == ": its array has 1 dimension; give a matrix, of two");
  CHECK(complaint_about_shape("(2, 2, 1)") ==
        ": its array has 3 dimensions; give a matrix, of two");
  CHECK(complaint_about_shape("(2, 3)") == ": 2 rows of 3 numbers; give as many rows as columns");
  CHECK(complaint_about_shape("(0, 0)") == ": holds no numbers; give n rows of n numbers");
  CHECK(complaint_about_shape("(0, 5)") == ": holds no numbers; give n rows of n numbers");
}

TEST_CASE("a shape that promises too much is refused before memory is taken", "[npy]") {
  CHECK(complaint_about_shape("(10000000000, 10000000000)") ==
        ": its header promises 10000000000 x 10000000000 numbers, more than any file holds; write "
        "it again with numpy.save");
  CHECK(complaint_about_shape("(4294967296, 4294967296)") ==  // 2^64 numbers
        ": its header promises 4294967296 x 4294967296 numbers, more than any file holds; write "
        "it again with numpy.save");
  CHECK(complaint_about_shape("(1000000000, 1000000000)") ==
        ": its header promises 1000000000 x 1000000000 numbers of 8 bytes, 8000000000000000000 in "
        "all, and 0 follow; write it again with numpy.save");
  CHECK(complaint_about_shape("(99999999999999999999, 2)") ==
        ": its header promises 99999999999999999999 rows or columns, more than any file holds; "
        "write it again with numpy.save");
}

TEST_CASE("more or less data than promised is refused", "[npy]") {
  auto const promises = ": its header promises 2 x 2 numbers of 8 bytes, 32 in all, and "s;
  auto const again = " follow; write it again with numpy.save"s;
  CHECK(complaint_about_shape("(2, 2)") == promises + "0" + again);
  CHECK(complaint_about_shape("(2, 2)", eight_bytes_each.substr(1)) == promises + "31" + again);
  CHECK(complaint_about_shape("(2, 2)", eight_bytes_each + "\n") == promises + "33" + again);
}

TEST_CASE("a stream of unknown length is checked as it is read", "[npy]") {
  auto const read = [](std::string const& data) {
    std::istringstream in(npy_bytes(npy_dictionary("<i8", "(2, 2)"), data));
    return lockstep::read_npy(in, "pipe");
  };
  CHECK(read(eight_bytes_each) == matrix(square_matrix<std::int64_t>{2, {1, -2, 3, 4}}));
  CHECK_THROWS_WITH(read(eight_bytes_each.substr(1)),
                    "pipe: its header promises 32 bytes of numbers, and 31 follow; write it again "
                    "with numpy.save");
  CHECK_THROWS_WITH(read(eight_bytes_each + "."),
                    "pipe: its header promises 32 bytes of numbers, and more follow; write it "
                    "again with numpy.save");
  std::istringstream huge(npy_bytes(npy_dictionary("<i8", "(1000000000, 1000000000)"), ""));
  CHECK_THROWS_WITH(lockstep::read_npy(huge, "pipe"),
                    has_text("1000000000 x 1000000000 numbers take 7629394531250 MiB, and "));
}

TEST_CASE("a stream that promises more than it holds takes little memory", "[npy]") {
  std::istringstream lying(npy_bytes(npy_dictionary("<f8", "(5000, 5000)"), "12345678"));
  CHECK_THROWS_WITH(lockstep::read_npy(lying, "pipe"),
                    has_text("promises 200000000 bytes") && has_text("8 follow"));
  // As much as comes in one piece, and then more.
  std::vector<double> numbers(1700 * 1700);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<double>(i);
  std::istringstream whole(npy_bytes(npy_dictionary("<f8", "(1700, 1700)"), bytes_of(numbers)));
  auto const read = std::get<lockstep::square_matrix<double>>(lockstep::read_npy(whole, "pipe"));
  CHECK((read.entries == numbers));
}

TEST_CASE("other types of element are refused with an example of what fits", "[npy]") {
  CHECK(complaint_about_type(">f8") ==
        ": its numbers are big-endian (\">f8\"); save "
        "a.astype('<f8')");
  CHECK(complaint_about_type(">i4") ==
        ": its numbers are big-endian (\">i4\"); save "
        "a.astype('<i4')");
  for (auto const* type :
       {"<c16", ">c16", "<<f8", "<f2", "|u1", "|b1", "<u8", "<U3", "|O", "<M8[ns]", "", "<", "|"})
    CHECK(complaint_about_type(type) ==
          ": its elements are of type \""s + type +
              "\"; save it as float64, float32, int64 or int32, with a.astype(\"float64\") for "
              "one");
  CHECK(complaint_about_header(
            "{'descr': [('x', '<f8')], 'fortran_order': False, 'shape': (2, 2), }") ==
        ": its elements are records (a structured type); save one field of them, with numpy.save");
}

TEST_CASE("Fortran's order is refused with an example of what fits", "[npy]") {
  CHECK(complaint_about_header("{'descr': '<i8', 'fortran_order': True, 'shape': (2, 2), }") ==
        ": its numbers lie column by column (Fortran order); save numpy.ascontiguousarray(a)");
}
