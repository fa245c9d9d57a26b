#pragma once

#include <ios>
#include <streambuf>

namespace lockstep::cli {

/// A buffer of a stream that forgets its text.
class silent_buffer : public std::streambuf {
 protected:
  int_type overflow(int_type one) override { return traits_type::not_eof(one); }
  std::streamsize xsputn(char const* /*text*/, std::streamsize count) override { return count; }
};

}  // namespace lockstep::cli
