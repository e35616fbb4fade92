#pragma once

#include <pybind11/pybind11.h>

#include <chrono>

namespace rankforest::bindings {

namespace py = pybind11;

/// A checkpoint (see core/parallel.hpp) that ends the work where Python has a signal to handle,
/// as after Ctrl-C.
///
/// Threads of the pool know no interpreter and are left alone. The others look at the clock at
/// every 16th call and at the signals, for which they take the interpreter lock, every 50 ms.
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

}  // namespace rankforest::bindings
