#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <variant>
#include <vector>

#include <lockstep/experiments/registry.hpp>

#include "catch.hpp"
#include "experiments/temporary_file.hpp"
#include "files/matrix_file.hpp"
#include "matrix_complaint.hpp"

using lockstep::read_matrix;
using lockstep::write_matrix;
using whole_matrix = lockstep::square_matrix<std::int64_t>;
using real_matrix = lockstep::square_matrix<double>;

namespace {

lockstep::matrix matrix_in(std::string const& text) {
  return read_matrix(temporary_file(text).path());
}

template <class Number>
void check_round_trip(lockstep::square_matrix<Number> const& written) {
  temporary_file const file;
  write_matrix(file.path(), written);
  CHECK(read_matrix(file.path()) == lockstep::matrix(written));
}

}  // namespace

TEST_CASE("whole numbers are read as such") {
  CHECK(matrix_in("7\n") == lockstep::matrix(whole_matrix{1, {7}}));
  CHECK(matrix_in("1 2\n3 4\n") == lockstep::matrix(whole_matrix{2, {1, 2, 3, 4}}));
  CHECK(matrix_in("  1\t +2 \r\n\n-3   4\r\n\n") ==
        lockstep::matrix(whole_matrix{2, {1, 2, -3, 4}}));
  CHECK(matrix_in("1 2\n3 4") == lockstep::matrix(whole_matrix{2, {1, 2, 3, 4}}));
  CHECK(matrix_in("\xEF\xBB\xBF"
                  "1 2\n3 4") == lockstep::matrix(whole_matrix{2, {1, 2, 3, 4}}));
  CHECK(matrix_in("9223372036854775807 -9223372036854775808\n0 0\n") ==
        lockstep::matrix(whole_matrix{2,
                                      {std::numeric_limits<std::int64_t>::max(),
                                       std::numeric_limits<std::int64_t>::min(), 0, 0}}));
}

TEST_CASE("rows of any length are read") {
  // A single number, so far to the right that the line is read in pieces of 65,535 characters.
  for (std::size_t const blanks : {65'533U, 65'534U, 65'535U, 65'536U, 131'070U, 300'000U})
    for (auto const* const end : {"7", "7\n", "7\n\n"})
      CHECK(matrix_in(std::string(blanks, ' ') + end) == lockstep::matrix(whole_matrix{1, {7}}));
  std::string row;
  for (int i = 0; i < 40'000; ++i) row += std::to_string(i) + ' ';
  CHECK(matrix_complaint(row + '\n' + row + '\n') ==
        ": 2 rows of 40000 numbers; give as many rows as columns");
  CHECK_THAT(matrix_complaint(std::string(100'000, '\0')), has_text("is not a finite number"));
}

TEST_CASE("one number with a fraction, or too large, makes all of them real") {
  CHECK(matrix_in("1 2\n3 4.5\n") == lockstep::matrix(real_matrix{2, {1, 2, 3, 4.5}}));
  CHECK(matrix_in("1e2 .5\n+3. -4\n") == lockstep::matrix(real_matrix{2, {100, 0.5, 3, -4}}));
  CHECK(matrix_in("9223372036854775808\n") == lockstep::matrix(real_matrix{1, {0x1p63}}));
  auto const zero = std::get<real_matrix>(matrix_in("-0\n"));
  CHECK(std::signbit(zero.entries[0]));
}

TEST_CASE("matrices are written row by row") {
  temporary_file const file;
  write_matrix(file.path(), whole_matrix{2, {1, -2, 3, 4}});
  CHECK(file.content() == "1 -2\n3 4\n");
  write_matrix(file.path(), real_matrix{2, {0.1, 2, -3.25, 1e300}});
  CHECK(file.content() == "0.1 2\n-3.25 1e+300\n");
}

TEST_CASE("numbers of 32 bits are written with no more digits than they have") {
  temporary_file const file;
  write_matrix(file.path(), lockstep::square_matrix<float>{2, {0.1F, 2, -3.25F, 1e30F}});
  CHECK(file.content() == "0.1 2\n-3.25 1e+30\n");
  write_matrix(file.path(), lockstep::square_matrix<std::int32_t>{1, {-2147483647 - 1}});
  CHECK(file.content() == "-2147483648\n");
}

TEST_CASE("what is not a finite number has no place in text, and nothing is written") {
  temporary_file const file;
  auto const name = file.path().string();
  CHECK_THROWS_WITH(
      write_matrix(file.path(), real_matrix{2, {1, 2, std::numeric_limits<double>::infinity(), 4}}),
      name + ": inf in row 2, column 1 has no place in text; name a .npy file");
  CHECK_FALSE(std::filesystem::exists(file.path()));
  CHECK_THROWS_WITH(
      write_matrix(file.path(),
                   lockstep::square_matrix<float>{1, {std::numeric_limits<float>::quiet_NaN()}}),
      name + ": nan in row 1, column 1 has no place in text; name a .npy file");
  CHECK_FALSE(std::filesystem::exists(file.path()));
}

TEST_CASE("what is written is read again without loss") {
  check_round_trip(whole_matrix{
      2,
      {std::numeric_limits<std::int64_t>::min(), -1, 0, std::numeric_limits<std::int64_t>::max()}});
  check_round_trip(real_matrix{3,
                               {0.1, 1.0 / 3, -2e-308, std::numeric_limits<double>::max(),
                                std::numeric_limits<double>::denorm_min(),
                                std::numeric_limits<double>::epsilon(), 123456789.125, 1e22, 5}});
}

TEST_CASE("what is not a square matrix is refused in one line") {
  std::string const give = "; give numbers separated by blanks";
  CHECK(matrix_complaint("") == ": holds no numbers; give n rows of n numbers, one row a line");
  CHECK(matrix_complaint("\n \n") ==
        ": holds no numbers; give n rows of n numbers, one row a line");
  CHECK(matrix_complaint("1 2\n\n3\n") ==
        ":3: 1 numbers in this row, 2 in line 1; give all rows the same length");
  CHECK(matrix_complaint("1 2 3\n4 5 6\n") ==
        ": 2 rows of 3 numbers; give as many rows as columns");
  CHECK(matrix_complaint("1 2\n3 four\n") == ":2: \"four\" is not a finite number in range" + give);
  CHECK(matrix_complaint("1,2\n") == ":1: \"1,2\" is not a finite number in range" + give);
  CHECK(matrix_complaint("1.5x\n") == ":1: \"1.5x\" is not a finite number in range" + give);
  CHECK(matrix_complaint("0x10\n") == ":1: \"0x10\" is not a finite number in range" + give);
  CHECK(matrix_complaint("nan\n") == ":1: \"nan\" is not a finite number in range" + give);
  CHECK(matrix_complaint("-inf\n") == ":1: \"-inf\" is not a finite number in range" + give);
  CHECK(matrix_complaint("1e999\n") == ":1: \"1e999\" is not a finite number in range" + give);
  CHECK(matrix_complaint("+\n") == ":1: \"+\" is not a finite number in range" + give);
  CHECK(matrix_complaint("+-1\n") == ":1: \"+-1\" is not a finite number in range" + give);
  CHECK(matrix_complaint(std::string(40, '\x01')) ==
        ":1: \"" + std::string(24, '?') + "...\" is not a finite number in range" + give);
}

TEST_CASE("files that cannot be read or written are refused with the reason") {
  auto const directory = std::filesystem::temp_directory_path();
  auto const nowhere = directory / "lockstep-no-such-directory" / "matrix.txt";
  whole_matrix const one{1, {1}};
  CHECK_THROWS_WITH(read_matrix(nowhere),
                    nowhere.string() +
                        ": cannot be read: No such file or directory; name a text or "
                        ".npy file with a matrix");
  CHECK_THROWS_WITH(
      read_matrix(directory),
      directory.string() + ": is a directory; name a text or .npy file with a matrix");
  CHECK_THROWS_WITH(write_matrix(nowhere, one),
                    nowhere.string() +
                        ": cannot be written: No such file or directory; name a "
                        "file that can be");
  CHECK_THROWS_AS(write_matrix(directory, one), lockstep::bad_input);
  if (std::filesystem::exists("/dev/full"))
    CHECK_THROWS_AS(write_matrix("/dev/full", one), lockstep::bad_input);
}
