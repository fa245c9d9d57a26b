#include "files/input_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <span>
#include <system_error>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include <lockstep/experiments/shared_inputs.hpp>

namespace lockstep {

namespace {

constexpr std::size_t piece_bytes = std::size_t{1} << 16U;         // read at a time
constexpr std::size_t shared_piece_bytes = std::size_t{1} << 20U;  // and where processes share it

thread_local cluster* sharing = nullptr;  // the processes that share the inputs of this thread

/// Gives all processes the bytes that process 0 has.
[[nodiscard]] cluster::bytes bytes_of_first(cluster& processes, std::span<std::byte const> own) {
  cluster::bytes mine;
  if (processes.process() == 0) mine.assign(own.begin(), own.end());
  return processes.all_gather(mine).front();
}

/// Gives all processes the value that process 0 has.
template <class Value>
  requires std::is_trivially_copyable_v<Value>
[[nodiscard]] Value value_of_first(cluster& processes, Value const& own) {
  auto const bytes = bytes_of_first(processes, std::as_bytes(std::span(&own, 1)));
  Value value = own;
  if (bytes.size() != sizeof(value))
    throw process_lost("process 0 of the cluster reads another file");
  std::memcpy(&value, bytes.data(), sizeof(value));
  return value;
}

[[nodiscard]] bool reads_files(cluster const* processes) {
  return processes == nullptr || processes->process() == 0;
}

}  // namespace

shared_inputs::shared_inputs(cluster& processes) : m_outer(std::exchange(sharing, &processes)) {}

shared_inputs::~shared_inputs() { sharing = m_outer; }

input_file::buffer::buffer(std::filesystem::path const& file)
    : m_processes(sharing), m_piece(m_processes == nullptr ? piece_bytes : shared_piece_bytes) {
  if (reads_files(m_processes)) open(file);
  if (m_processes != nullptr) m_problem = value_of_first(*m_processes, m_problem);
}

input_file::buffer::~buffer() {
  if (m_descriptor >= 0) ::close(m_descriptor);
}

void input_file::buffer::open(std::filesystem::path const& file) {
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored)) {
    m_problem = EISDIR;
    return;
  }
  m_descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (m_descriptor < 0) m_problem = errno;
}

/// Reads the next piece. Result: its bytes; 0 at the end, and where reading fails.
std::size_t input_file::buffer::read_piece() {
  ssize_t got = 0;
  do got = ::read(m_descriptor, m_piece.data(), m_piece.size());
  while (got < 0 && errno == EINTR);
  if (got < 0) m_problem = errno;
  return got < 0 ? 0 : static_cast<std::size_t>(got);
}

input_file::buffer::int_type input_file::buffer::underflow() {
  if (m_problem != 0) return traits_type::eof();
  auto got = reads_files(m_processes) ? read_piece() : 0;
  if (m_processes != nullptr) {
    m_problem = value_of_first(*m_processes, m_problem);
    auto const piece = bytes_of_first(*m_processes, std::as_bytes(std::span(m_piece).first(got)));
    got = piece.size();
    if (got > 0) std::memcpy(m_piece.data(), piece.data(), got);
  }
  if (got == 0) return traits_type::eof();
  note_done(got);
  setg(m_piece.data(), m_piece.data(), m_piece.data() + got);
  return traits_type::to_int_type(*gptr());
}

input_file::input_file(std::filesystem::path const& file, std::string const& would_do)
    : std::istream(nullptr), m_name(file.string()), m_would_do(would_do), m_buffer(file) {
  if (m_buffer.problem() == EISDIR)
    throw bad_input(fmt::format("{}: is a directory; {}", m_name, m_would_do));
  rdbuf(&m_buffer);
  if (m_buffer.problem() == 0) peek();
  require_readable();
}

void input_file::require_readable() const {
  if (m_buffer.problem() != 0)
    throw bad_input(fmt::format("{}: cannot be read: {}; {}", m_name,
                                std::generic_category().message(m_buffer.problem()), m_would_do));
}

input_facts facts_of_input(std::filesystem::path const& file) {
  input_facts facts;
  if (reads_files(sharing)) {
    std::error_code problem;
    using type = std::filesystem::file_type;
    auto const of_file = std::filesystem::status(file, problem).type();
    facts.can_be_read_once =
        of_file == type::fifo || of_file == type::character || of_file == type::socket;
    if (of_file == type::regular)
      if (auto const bytes = std::filesystem::file_size(file, problem); !problem)
        facts.bytes = bytes;
  }
  return sharing == nullptr ? facts : value_of_first(*sharing, facts);
}

}  // namespace lockstep
