#include "files/npy_file.hpp"

#include <algorithm>
#include <bit>
#include <complex>
#include <cstdint>
#include <istream>
#include <limits>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <lockstep/experiments/registry.hpp>
#include <lockstep/memory.hpp>

#include "files/input_file.hpp"
#include "files/npy_header.hpp"
#include "harness/stages.hpp"
#include "in_quotes.hpp"

namespace lockstep {

namespace {

constexpr std::string_view magic = "\x93NUMPY";
constexpr char native_order = std::endian::native == std::endian::little ? '<' : '>';
/// That of a matrix has 128 bytes.
constexpr std::uint64_t longest_header = 65'535;
constexpr std::uint64_t most_bytes = std::numeric_limits<std::int64_t>::max();

/// NumPy's name of an element type, and its own in messages.
template <class Number>
constexpr std::string_view type_name = "";
template <>
constexpr std::string_view type_name<double> = "f8";
template <>
constexpr std::string_view type_name<float> = "f4";
template <>
constexpr std::string_view type_name<std::int64_t> = "i8";
template <>
constexpr std::string_view type_name<std::int32_t> = "i4";
template <>
constexpr std::string_view type_name<std::complex<double>> = "c16";
template <>
constexpr std::string_view type_name<std::complex<float>> = "c8";

/// A file while it is read.
struct source {
  std::istream& in;
  std::string name;
  std::optional<std::uint64_t> bytes_left;  ///< unknown of a pipe

  [[noreturn]] void refuse(std::string const& reason) const {
    throw bad_input(name + ": " + reason);
  }

  /// Reads that many bytes, or as many as are left.
  [[nodiscard]] std::string read(std::uint64_t bytes) {
    std::string text(bytes, '\0');
    in.read(text.data(), static_cast<std::streamsize>(bytes));
    text.resize(static_cast<std::size_t>(in.gcount()));
    if (text.size() < bytes)
      refuse("ends within its header; it is incomplete: write it again with numpy.save");
    if (bytes_left) *bytes_left -= bytes;
    return text;
  }
};

[[nodiscard]] std::uint64_t number_in(std::string_view little_endian) {
  std::uint64_t number = 0;
  for (std::size_t i = little_endian.size(); i-- > 0;)
    number = number << 8U | static_cast<unsigned char>(little_endian[i]);
  return number;
}

[[nodiscard]] std::string read_dictionary(source& from) {
  if (from.read(magic.size()) != magic)
    from.refuse(
        "is not an .npy file (it does not begin with \\x93NUMPY) nor a text; write it with "
        "numpy.save");
  auto const version = from.read(2);
  auto const major = static_cast<unsigned>(static_cast<unsigned char>(version[0]));
  auto const minor = static_cast<unsigned>(static_cast<unsigned char>(version[1]));
  if (major < 1 || major > 3 || minor != 0)
    from.refuse(fmt::format(
        "has version {}.{} of the .npy format; save it in version 1.0, 2.0 or 3.0", major, minor));
  auto const length = number_in(from.read(major == 1 ? 2 : 4));
  if (length > longest_header)
    from.refuse(fmt::format(
        "its header has {} bytes, and that of a matrix {} at most; write it again with numpy.save",
        length, longest_header));
  return from.read(length);
}

/// "f8" of "<f8".
[[nodiscard]] std::string_view without_order(std::string_view type) {
  bool const has_order = type.find_first_of("<>=|") == 0;
  return type.substr(has_order ? 1 : 0);
}

/// Without an order, or with = or |, it is the computer's own.
void require_native_order(npy_header const& header, source const& from) {
  char const order = header.type.front();
  if ((order == '<' || order == '>') && order != native_order)
    from.refuse(fmt::format("its numbers are {}-endian (\"{}\"); save a.astype('{}{}')",
                            order == '>' ? "big" : "little", header.type, native_order,
                            without_order(header.type)));
}

/// How many numbers an array has, and how messages say it.
struct array_size {
  std::uint64_t rows = 0;
  std::uint64_t columns = 1;
  std::string text;    ///< "3 x 4 numbers"
  char const* remedy;  ///< where they are too many: "give a smaller matrix"
};

[[nodiscard]] array_size size_of_matrix(npy_header const& header, source const& from) {
  auto const& shape = header.shape;
  if (shape.size() != 2)
    from.refuse(fmt::format("its array has {} dimension{}; give a matrix, of two", shape.size(),
                            shape.size() == 1 ? "" : "s"));
  if (shape[0] == 0 || shape[1] == 0) from.refuse("holds no numbers; give n rows of n numbers");
  if (header.fortran_order && (shape[0] > 1 && shape[1] > 1))
    from.refuse(
        "its numbers lie column by column (Fortran order); save numpy.ascontiguousarray(a)");
  return {shape[0], shape[1], fmt::format("{} x {} numbers", shape[0], shape[1]),
          "give a smaller matrix"};
}

[[nodiscard]] array_size size_of_square(npy_header const& header, source const& from) {
  auto const& shape = header.shape;
  if (shape.size() == 2 && shape[0] != shape[1] && shape[0] != 0 && shape[1] != 0)
    from.refuse(
        fmt::format("{} rows of {} numbers; give as many rows as columns", shape[0], shape[1]));
  return size_of_matrix(header, from);
}

[[nodiscard]] array_size size_of_signal(npy_header const& header, source const& from) {
  auto const& shape = header.shape;
  if (shape.size() != 1)
    from.refuse(fmt::format("its array has {} dimension{}; give a signal, of one", shape.size(),
                            shape.size() == 1 ? "" : "s"));
  return {shape[0], 1, fmt::format("{} numbers", shape[0]), "give a shorter signal"};
}

/// The bytes of numbers of that size, once they are known to be there and to fit.
[[nodiscard]] std::uint64_t bytes_to_read(array_size const& size, std::uint64_t each,
                                          source const& from) {
  if (size.rows > most_bytes / each / size.columns)
    from.refuse(
        fmt::format("its header promises {}, more than any file holds; write it "
                    "again with numpy.save",
                    size.text));
  auto const bytes = size.rows * size.columns * each;
  if (from.bytes_left && *from.bytes_left != bytes)
    from.refuse(
        fmt::format("its header promises {} of {} bytes, {} in all, and "
                    "{} follow; write it again with numpy.save",
                    size.text, each, bytes, *from.bytes_left));
  if (auto const available = available_memory(); bytes > available)
    from.refuse(fmt::format("{} take {} MiB, and {} are available; {}", size.text, bytes >> 20U,
                            available >> 20U, size.remedy));
  return bytes;
}

/// Reads that many bytes, or fewer if there are no more.
template <class Number>
[[nodiscard]] std::uint64_t read_bytes(std::istream& in, std::uint64_t bytes,
                                       std::vector<Number>& numbers) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast)
  in.read(reinterpret_cast<char*>(numbers.data() + (numbers.size() - bytes / sizeof(Number))),
          static_cast<std::streamsize>(bytes));
  return static_cast<std::uint64_t>(in.gcount());
}

/// Of a file whose length is known all at once; of a pipe piece by piece, for it may hold less than
/// its header promises.
template <class Number>
[[nodiscard]] std::vector<Number> read_numbers(array_size const& size, source& from) {
  auto const bytes = bytes_to_read(size, sizeof(Number), from);
  std::vector<Number> read;
  constexpr std::uint64_t piece = std::uint64_t{1} << 24U;
  std::uint64_t got = 0;
  while (got < bytes) {
    auto const wanted = from.bytes_left ? bytes : std::min(bytes - got, std::max(piece, got));
    read.resize((got + wanted) / sizeof(Number));
    auto const came = read_bytes(from.in, wanted, read);
    got += came;
    if (came < wanted) break;
  }
  if (got != bytes)
    from.refuse(
        fmt::format("its header promises {} bytes of numbers, and {} follow; write it "
                    "again with numpy.save",
                    bytes, got));
  if (from.in.peek() != std::istream::traits_type::eof())
    from.refuse(
        fmt::format("its header promises {} bytes of numbers, and more follow; write it "
                    "again with numpy.save",
                    bytes));
  return read;
}

}  // namespace

bool begins_npy(std::istream& in) { return in.peek() == static_cast<unsigned char>(magic[0]); }

bool has_npy_name(std::filesystem::path const& file) { return file.extension() == ".npy"; }

namespace {

[[nodiscard]] source source_of(std::istream& in, std::filesystem::path const& file) {
  return {in, file.string(), facts_of_input(file).bytes};
}

/// Errors: bad_input for a text, which is read where a square matrix is wanted only.
void require_npy(source const& from) {
  if (!begins_npy(from.in))
    from.refuse(
        "is not an .npy file (it does not begin with \\x93NUMPY); write it with numpy.save");
}

/// Returns the result of `read_as(number, header, from)` for numbers of one of these types.
template <class Result, class... Numbers, class ReadAs>
[[nodiscard]] Result read_of_type(source& from, char const* types, ReadAs const& read_as) {
  auto const header = read_npy_header(read_dictionary(from), from.name);
  auto const type = without_order(header.type);
  std::optional<Result> read;
  auto const try_as = [&]<class Number>(Number number) {
    if (type != type_name<Number>) return;
    require_native_order(header, from);
    read.emplace(read_as(number, header, from));
  };
  (try_as(Numbers{}), ...);
  if (read) return std::move(*read);
  from.refuse(
      fmt::format("its elements are of type {}; save it as {}", in_quotes(header.type), types));
}

constexpr char const* types_of_matrices =
    "float64, float32, int64 or int32, with a.astype(\"float64\") for one";

/// Writes all that stands before the numbers. `shape`: as Python writes it. NumPy leaves room for the first
/// size to grow to 21 digits.
void write_npy_header(std::ostream& out, std::string_view type, std::string const& shape,
                      std::size_t first_size) {
  constexpr std::size_t alignment = 64;
  constexpr std::size_t before_dictionary = magic.size() + 2 + 2;
  auto dictionary = fmt::format("{{'descr': '{}{}', 'fortran_order': False, 'shape': {}, }}",
                                native_order, type, shape);
  dictionary.append(21 - std::to_string(first_size).size(), ' ');
  auto const unaligned = (before_dictionary + dictionary.size() + 1) % alignment;
  dictionary.append(alignment - unaligned, ' ');
  out << magic << '\1' << '\0' << static_cast<char>(dictionary.size() + 1) << '\0' << dictionary
      << '\n';
}

template <class Number>
void write_numbers(std::ostream& out, std::span<Number const> numbers) {
  constexpr std::size_t at_once = (std::size_t{1} << 20U) / sizeof(Number);
  for (std::size_t first = 0; out && first < numbers.size(); first += at_once) {
    auto const now = numbers.subspan(first, std::min(at_once, numbers.size() - first));
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast)
    out.write(reinterpret_cast<char const*>(now.data()),
              static_cast<std::streamsize>(now.size_bytes()));
    note_done(now.size());
  }
}

}  // namespace

matrix read_npy(std::istream& in, std::filesystem::path const& file) {
  auto from = source_of(in, file);
  return read_of_type<matrix, double, float, std::int64_t, std::int32_t>(
      from, types_of_matrices, []<class Number>(Number, npy_header const& header, source& of) {
        auto const size = size_of_square(header, of);
        return square_matrix<Number>{size.rows, read_numbers<Number>(size, of)};
      });
}

any_matrix read_npy_matrix(std::istream& in, std::filesystem::path const& file) {
  auto from = source_of(in, file);
  require_npy(from);
  return read_of_type<any_matrix, double, float, std::int64_t, std::int32_t>(
      from, types_of_matrices, []<class Number>(Number, npy_header const& header, source& of) {
        auto const size = size_of_matrix(header, of);
        return number_matrix<Number>{size.rows, size.columns, read_numbers<Number>(size, of)};
      });
}

any_signal read_npy_signal(std::istream& in, std::filesystem::path const& file) {
  auto from = source_of(in, file);
  require_npy(from);
  return read_of_type<any_signal, std::complex<double>, std::complex<float>>(
      from, "complex128 or complex64, with a.astype(\"complex128\") for one",
      []<class Number>(Number, npy_header const& header, source& of) {
        return read_numbers<Number>(size_of_signal(header, of), of);
      });
}

template <class Number>
void write_npy(std::ostream& out, square_matrix<Number> const& written) {
  write_npy_header(out, type_name<Number>, fmt::format("({0}, {0})", written.size), written.size);
  write_numbers<Number>(out, written.entries);
}

template <class Number>
void write_npy(std::ostream& out, number_matrix<Number> const& written) {
  write_npy_header(out, type_name<Number>, fmt::format("({}, {})", written.rows, written.columns),
                   written.rows);
  write_numbers<Number>(out, written.entries);
}

template <class Real>
void write_npy(std::ostream& out, std::span<std::complex<Real> const> written) {
  write_npy_header(out, type_name<std::complex<Real>>, fmt::format("({},)", written.size()),
                   written.size());
  write_numbers<std::complex<Real>>(out, written);
}

template void write_npy(std::ostream&, square_matrix<std::int64_t> const&);
template void write_npy(std::ostream&, square_matrix<double> const&);
template void write_npy(std::ostream&, square_matrix<std::int32_t> const&);
template void write_npy(std::ostream&, square_matrix<float> const&);
template void write_npy(std::ostream&, number_matrix<std::int64_t> const&);
template void write_npy(std::ostream&, number_matrix<double> const&);
template void write_npy(std::ostream&, number_matrix<std::int32_t> const&);
template void write_npy(std::ostream&, number_matrix<float> const&);
template void write_npy(std::ostream&, std::span<std::complex<double> const>);
template void write_npy(std::ostream&, std::span<std::complex<float> const>);

}  // namespace lockstep
