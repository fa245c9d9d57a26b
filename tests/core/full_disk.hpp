#pragma once

#include <streambuf>

namespace reference {

/// A stream that takes that many characters, as a full disk does.
class full_disk : public std::streambuf {
 public:
  explicit full_disk(int room) : m_room(room) {}

 protected:
  int_type overflow(int_type) override { return m_room-- > 0 ? 0 : traits_type::eof(); }

 private:
  int m_room;
};

}  // namespace reference
