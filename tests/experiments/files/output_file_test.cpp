#include <lockstep/experiments/output_file.hpp>

#include <sys/stat.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include <lockstep/experiments/registry.hpp>

#include "catch.hpp"
#include "experiments/temporary_file.hpp"

namespace fs = std::filesystem;
using lockstep::output_file;

namespace {

/// A folder of its own, removed at the end.
class folder {
 public:
  folder() { fs::create_directory(m_name.path()); }
  ~folder() { fs::remove_all(m_name.path()); }
  folder(folder const&) = delete;
  folder& operator=(folder const&) = delete;

  [[nodiscard]] fs::path file(std::string const& name) const { return m_name.path() / name; }
  [[nodiscard]] auto entries() const {
    return std::distance(fs::directory_iterator(m_name.path()), fs::directory_iterator());
  }

 private:
  temporary_file m_name;
};

std::string content(fs::path const& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

void write(fs::path const& file, std::string const& text) {
  output_file out(file);
  out.stream() << text;
  out.complete();
}

}  // namespace

TEST_CASE("a file is there when it is complete, and nothing beside it", "[output]") {
  folder const in;
  write(in.file("a"), "new");
  CHECK(content(in.file("a")) == "new");
  write(in.file("a"), "newer");
  CHECK(content(in.file("a")) == "newer");
  CHECK(in.entries() == 1);
}

TEST_CASE("a name that no file can have is refused before anything is written", "[output]") {
  folder const in;
  std::ofstream(in.file("a")) << "a file";
  for (auto const& name : {std::string(300, 'x'), std::string("a/b"), std::string("none/b")}) {
    INFO(name);
    CHECK_THROWS_AS(output_file(in.file(name)), lockstep::bad_input);
    CHECK(in.entries() == 1);
  }
}

TEST_CASE("a file that is not completed leaves what was there", "[output]") {
  folder const in;
  { output_file(in.file("a")).stream() << "half"; }
  CHECK(in.entries() == 0);
  std::ofstream(in.file("a")) << "old";
  { output_file(in.file("a")).stream() << "half"; }
  CHECK(content(in.file("a")) == "old");
  CHECK(in.entries() == 1);
}

TEST_CASE("a file that is replaced keeps its permissions", "[output]") {
  folder const in;
  std::ofstream(in.file("a")) << "old";
  fs::permissions(in.file("a"), fs::perms::owner_read | fs::perms::owner_write);
  write(in.file("a"), "new");
  CHECK(fs::status(in.file("a")).permissions() == (fs::perms::owner_read | fs::perms::owner_write));
}

TEST_CASE("links, pipes and devices are written in place", "[output]") {
  folder const in;
  std::ofstream(in.file("a")) << "old";
  fs::create_symlink("a", in.file("link"));
  write(in.file("link"), "new");
  CHECK(fs::is_symlink(in.file("link")));
  CHECK(content(in.file("a")) == "new");

  REQUIRE(::mkfifo(in.file("pipe").c_str(), 0600) == 0);
  std::string received;
  std::thread reader([&] { received = content(in.file("pipe")); });
  write(in.file("pipe"), "through");
  reader.join();
  CHECK(received == "through");
  CHECK(fs::is_fifo(in.file("pipe")));

  write("/dev/null", "nothing");
  CHECK(fs::is_character_file("/dev/null"));
}

TEST_CASE("a file that is written in place keeps what it holds until the first piece comes",
          "[output]") {
  folder const in;
  std::ofstream(in.file("a")) << "old";
  fs::create_symlink("a", in.file("link"));
  { output_file(in.file("link")).stream() << "little"; }
  CHECK(content(in.file("a")) == "old");
  write(in.file("link"), "");
  CHECK(content(in.file("a")).empty());
}

TEST_CASE("the reason for which a file cannot be written is told, however late", "[output]") {
  if (!fs::exists("/dev/full")) return;
  for (auto const length : {1, 1'000, 1'000'000}) {
    output_file out("/dev/full");
    for (int i = 0; i < 3; ++i) out.stream() << std::string(static_cast<std::size_t>(length), 'x');
    errno = 0;
    CHECK_THROWS_WITH(out.complete(),
                      "/dev/full: cannot be written: No space left on device; name a file that "
                      "can be");
  }
}

TEST_CASE("what is incomplete can be removed at once, and only that", "[output]") {
  folder const in;
  write(in.file("complete"), "new");
  output_file one(in.file("one"));
  output_file two(in.file("two"));
  one.stream() << "half" << std::flush;
  CHECK(in.entries() == 3);
  output_file::remove_incomplete();
  CHECK(in.entries() == 1);
  CHECK(content(in.file("complete")) == "new");
}

TEST_CASE("a file that cannot be written is refused with the reason", "[output]") {
  folder const in;
  auto const nowhere = in.file("none") / "a";
  CHECK_THROWS_WITH(
      write(nowhere, "x"),
      nowhere.string() + ": cannot be written: No such file or directory; name a file that can be");
  fs::create_directory(in.file("folder"));
  CHECK_THROWS_WITH(
      write(in.file("folder"), "x"),
      in.file("folder").string() + ": cannot be written: Is a directory; name a file that can be");
  CHECK(in.entries() == 1);
  if (fs::exists("/dev/full"))
    CHECK_THROWS_WITH(write("/dev/full", "x"),
                      "/dev/full: cannot be written: No space left on device; name a file that "
                      "can be");
}
