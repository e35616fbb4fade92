#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

#include "interrupt.hpp"
#include "rankforest/core/feature_matrix.hpp"
#include "rankforest/core/parallel.hpp"
#include "rankforest/core/span.hpp"

// What the areas share: NumPy arrays as spans and back, without copies.

namespace rankforest::bindings {

namespace py = pybind11;

/// An array that is used as it is: other dtypes are refused, not converted.
template <class T>
using Array = py::array_t<T, 0>;

/// The elements of a one-dimensional array without gaps.
template <class T>
Span<const T> View(const Array<T>& array, const char* name) {
  if (array.ndim() != 1 || (array.size() > 1 && array.strides(0) != sizeof(T))) {
    throw std::invalid_argument(std::string(name) + " must be a contiguous one-dimensional array");
  }
  return {array.data(), static_cast<std::size_t>(array.size())};
}

/// Whether an array is of two dimensions and its rows have no gaps; the rows may be apart.
template <class T>
bool HasContiguousRows(const Array<T>& array) {
  constexpr py::ssize_t kSize = sizeof(T);
  return array.ndim() == 2 &&
         (array.size() == 0 ||  // its strides say nothing
          ((array.shape(1) <= 1 || array.strides(1) == kSize) &&
           (array.shape(0) <= 1 ||
            (array.strides(0) >= array.shape(1) * kSize && array.strides(0) % kSize == 0))));
}

/// Whether an object is an array of T, not of a class that derives from NumPy's, whose rows can be
/// read where they are.
template <class T>
bool HoldsRowsOf(py::handle object) {
  const py::detail::npy_api& numpy = py::detail::npy_api::get();
  return Py_TYPE(object.ptr()) == numpy.PyArray_Type_ && py::isinstance<Array<T>>(object) &&
         py::detail::check_flags(object.ptr(), py::detail::npy_api::NPY_ARRAY_ALIGNED_) &&
         HasContiguousRows(py::reinterpret_borrow<Array<T>>(object));
}

/// A two-dimensional float32 array whose rows have no gaps.
inline FeatureMatrix ViewMatrix(const Array<float>& array, const char* name) {
  constexpr py::ssize_t kSize = sizeof(float);
  if (!HasContiguousRows(array)) {
    throw std::invalid_argument(std::string(name) +
                                " must be a two-dimensional array of contiguous rows");
  }
  const auto n_features = static_cast<std::size_t>(array.shape(1));
  const std::size_t stride = array.shape(0) <= 1 || array.size() == 0
                                 ? n_features
                                 : static_cast<std::size_t>(array.strides(0) / kSize);
  return {array.data(), static_cast<std::size_t>(array.shape(0)), n_features, stride};
}

/// A new array with these values.
template <class T>
py::array_t<T> ToArray(const std::vector<T>& values) {
  return py::array_t<T>(static_cast<py::ssize_t>(values.size()), values.data());
}

/// Makes an array read-only.
inline py::array Locked(py::array array) {
  py::detail::array_proxy(array.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
  return array;
}

/// A read-only array over memory that `owner` keeps alive.
template <class T>
py::array Expose(Span<const T> values, py::handle owner) {
  return Locked(Array<T>(static_cast<py::ssize_t>(values.size()), values.data(), owner));
}

inline py::array ExposeMatrix(const FeatureMatrix& matrix, py::handle owner) {
  const auto stride = static_cast<py::ssize_t>(matrix.row_stride * sizeof(float));
  return Locked(Array<float>(
      {static_cast<py::ssize_t>(matrix.n_rows), static_cast<py::ssize_t>(matrix.n_features)},
      {stride, static_cast<py::ssize_t>(sizeof(float))}, matrix.data, owner));
}

/// n_jobs of Python, resolved to a count of threads; Ctrl-C ends their work.
inline Threads RequireThreads(int n_jobs) {
  if (n_jobs < 1) {
    throw std::invalid_argument("n_jobs must be >= 1 here, got " + std::to_string(n_jobs));
  }
  return Threads{n_jobs, &CheckSignals};
}

}  // namespace rankforest::bindings
