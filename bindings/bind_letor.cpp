#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "bindings.hpp"
#include "rankforest/detail/input_file.hpp"
#include "rankforest/io/letor.hpp"

namespace rankforest::bindings {
namespace {

/// Bytes that are usually UTF-8; others become lone surrogates and come back as they were.
py::str ToStr(const std::string& bytes) {
  PyObject* const text =
      PyUnicode_DecodeUTF8(bytes.data(), static_cast<Py_ssize_t>(bytes.size()), "surrogateescape");
  if (text == nullptr) throw py::error_already_set();
  return py::reinterpret_steal<py::str>(text);
}

py::list ToList(const std::vector<std::string>& strings) {
  py::list list(strings.size());
  for (std::size_t i = 0; i < strings.size(); ++i) list[i] = ToStr(strings[i]);
  return list;
}

std::string FromStr(const py::handle& text) {
  PyObject* const bytes = PyUnicode_AsEncodedString(text.ptr(), "utf-8", "surrogateescape");
  if (bytes == nullptr) throw py::error_already_set();
  return py::reinterpret_steal<py::bytes>(bytes);
}

std::vector<std::string> FromList(const py::list& list) {
  std::vector<std::string> strings;
  strings.reserve(list.size());
  for (const py::handle text : list) strings.push_back(FromStr(text));
  return strings;
}

/// (name, path of a file or None, text in its place or None, damage or "")
using PySource =
    std::tuple<std::string, std::optional<py::bytes>, std::optional<py::buffer>, std::string>;

LetorData Read(const std::vector<PySource>& py_sources, std::optional<bool> zero_based,
               float absent, std::size_t n_features, bool require_qid, bool keep_comments,
               int n_jobs, std::size_t chunk_bytes) {
  std::vector<std::pair<std::size_t, std::string>> paths;  // of the sources that are files
  std::vector<py::buffer_info> buffers;                    // keep the text from moving
  std::vector<LetorSource> sources;
  for (const auto& [name, path, text, damage] : py_sources) {
    if (path) {
      paths.emplace_back(sources.size(), *path);
      sources.push_back({name, {}, damage, nullptr});
    } else {
      const py::buffer_info& info = buffers.emplace_back(text.value().request());
      const auto size = static_cast<std::size_t>(info.size * info.itemsize);
      sources.push_back({name, {static_cast<const char*>(info.ptr), size}, damage, nullptr});
    }
  }
  LetorOptions options;
  options.zero_based = !zero_based   ? ZeroBased::kAuto
                       : *zero_based ? ZeroBased::kYes
                                     : ZeroBased::kNo;
  options.absent = absent;
  options.n_features = n_features;
  options.require_qid = require_qid;
  options.keep_comments = keep_comments;
  options.threads = RequireThreads(n_jobs);
  options.chunk_bytes = chunk_bytes;
  const py::gil_scoped_release release;  // opening a pipe waits, maybe for another thread
  std::vector<detail::InputFile> files;
  files.reserve(paths.size());
  for (const auto& [source, path] : paths) sources[source].file = &files.emplace_back(path);
  return ReadLetor(Span<const LetorSource>(sources), options);
}

void Write(const py::bytes& path, const Array<float>& features, const Array<double>& grades,
           const Array<QueryId>& query_codes, const py::list& query_ids,
           const std::optional<py::list>& comments, bool zero_based, int n_jobs) {
  const std::vector<std::string> ids = FromList(query_ids);
  const std::vector<std::string> comment_of_row =
      comments ? FromList(*comments) : std::vector<std::string>();
  LetorTable table;
  table.features = ViewMatrix(features, "features");
  table.grades = View(grades, "grades");
  table.query_codes = View(query_codes, "query_codes");
  table.query_ids = ids;
  table.comments = comment_of_row;
  table.zero_based = zero_based;
  const Threads threads = RequireThreads(n_jobs);
  const std::filesystem::path target = std::string(path);
  const py::gil_scoped_release release;
  WriteLetor(target, table, threads);
}

/// Files that cannot be read or written are OSError in Python, by number FileNotFoundError and
/// so on.
void TranslateFileError(std::exception_ptr pointer) {
  try {
    if (pointer) std::rethrow_exception(pointer);
  } catch (const std::filesystem::filesystem_error& error) {
    errno = error.code().value();
    const py::object path =
        py::reinterpret_steal<py::object>(PyUnicode_DecodeFSDefault(error.path1().c_str()));
    PyErr_SetFromErrnoWithFilenameObject(PyExc_OSError, path.ptr());
  }
}

template <class T>
auto ArrayOf(std::vector<T> LetorData::* values) {
  return [values](const py::object& self) {
    return Expose(Span<const T>(self.cast<const LetorData&>().*values), self);
  };
}

}  // namespace

void BindLetor(py::module_& module) {
  py::register_local_exception_translator(&TranslateFileError);
  py::class_<LetorData>(module, "LetorData", "What LETOR text says. The arrays are views.")
      .def_property_readonly(
          "features",
          [](const py::object& self) {
            const auto& data = self.cast<const LetorData&>();
            return ExposeMatrix(
                {data.features.data(), data.n_documents, data.n_features, data.n_features}, self);
          })
      .def_property_readonly("grades", ArrayOf(&LetorData::grades))
      .def_property_readonly("query_codes", ArrayOf(&LetorData::query_codes))
      .def_property_readonly("query_ids",
                             [](const LetorData& data) { return ToList(data.query_ids); })
      .def_property_readonly("comments",
                             [](const LetorData& data) -> std::optional<py::list> {
                               if (data.comments.empty()) return std::nullopt;
                               return ToList(data.comments);
                             })
      .def_readonly("zero_based", &LetorData::zero_based)
      .def_readonly("n_mentioned", &LetorData::n_mentioned);
  module.def("read_letor", &Read, py::arg("sources"), py::kw_only(), py::arg("zero_based"),
             py::arg("absent"), py::arg("n_features"), py::arg("require_qid"),
             py::arg("keep_comments"), py::arg("n_jobs"), py::arg("chunk_bytes") = 1U << 20U,
             "Each source is (name, path or None, text or None, damage); zero_based None is auto.");
  module.def("write_letor", &Write, py::arg("path"), py::kw_only(), py::arg("features").noconvert(),
             py::arg("grades").noconvert(), py::arg("query_codes").noconvert(),
             py::arg("query_ids"), py::arg("comments"), py::arg("zero_based"), py::arg("n_jobs"));
}

}  // namespace rankforest::bindings
