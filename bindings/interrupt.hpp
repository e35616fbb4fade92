#pragma once

#include <pybind11/pybind11.h>

#include <chrono>
#include <optional>

namespace rankforest::bindings {

namespace py = pybind11;

/// A checkpoint (see core/parallel.hpp) that ends the work where Python has a signal to handle,
/// as after Ctrl-C.
///
/// Threads of the pool and of OpenMP know no interpreter and are left alone. The others look at the
/// clock at every 16th call and at the signals, for which they take the interpreter lock, every 50
/// ms.
inline void CheckSignals() {
  using Clock = std::chrono::steady_clock;
  if (PyGILState_GetThisThreadState() == nullptr) return;
  thread_local unsigned calls = 0;
  if (++calls % 16 != 0) return;
  thread_local Clock::time_point last = Clock::now();
  const Clock::time_point now = Clock::now();
  if (now - last < std::chrono::milliseconds(50)) return;
  last = now;
  const py::gil_scoped_acquire acquire;
  if (PyErr_CheckSignals() != 0) throw py::error_already_set();
}

/// Releases the interpreter lock while it lives, for work of so many seconds; not for work that is
/// shorter than handing the lock over. Where several Python threads do such work, each release
/// wakes another thread, and each return waits for one.
class ReleaseForLongWork {
 public:
  explicit ReleaseForLongWork(double seconds) {
    constexpr double kLeast = 1e-5;  // of what a release costs where eight threads contend
    if (seconds >= kLeast) release_.emplace();
  }

 private:
  std::optional<py::gil_scoped_release> release_;
};

}  // namespace rankforest::bindings
