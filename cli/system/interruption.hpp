#pragma once

namespace lockstep::cli {

/// From now on each signal that ends the process, but SIGKILL, removes the files that are not complete
/// first; the next one ends it at once. An ignored signal stays ignored,
/// as `nohup` wants it. A file that grows beyond a limit (SIGXFSZ) ends nothing: writing fails
/// instead.
void clean_up_when_interrupted() noexcept;

}  // namespace lockstep::cli
