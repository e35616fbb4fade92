#include <pybind11/numpy.h>
#include <pybind11/operators.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "bindings.hpp"
#include "ensemble_arrays.hpp"
#include "rankforest/core/blending.hpp"
#include "rankforest/core/ensemble.hpp"
#include "rankforest/core/importance.hpp"
#include "rankforest/core/missing_as_filled.hpp"
#include "rankforest/core/narrowing.hpp"
#include "rankforest/core/types.hpp"
#include "rankforest/core/validate.hpp"
#include "rankforest/detail/atomic_file.hpp"
#include "rankforest/io/foreign_file.hpp"
#include "rankforest/io/model_codec.hpp"
#include "rankforest/io/model_file.hpp"
#include "rankforest/io/model_info.hpp"
#include "rankforest/score/reference.hpp"
#include "rankforest/score/staged.hpp"

namespace rankforest::bindings {

namespace {

using Codes = std::optional<Array<QueryId>>;

Span<const QueryId> ViewCodes(const Codes& codes) {
  return codes ? View(*codes, "query_codes") : Span<const QueryId>();
}

py::array_t<double> Predict(const Ensemble& model, const Array<float>& features, const Codes& codes,
                            int n_jobs) {
  const FeatureMatrix matrix = ViewMatrix(features, "features");
  const Span<const QueryId> query_of_row = ViewCodes(codes);
  const Threads threads = RequireThreads(n_jobs);
  std::vector<double> scores;
  {
    const py::gil_scoped_release release;
    scores = Score(model, matrix, query_of_row, threads);
  }
  return ToArray(scores);
}

/// Values that stand for the missing ones of each feature of a model.
Span<const float> ViewFill(const Ensemble& model, const Array<float>& fill) {
  const Span<const float> values = View(fill, "fill");
  if (values.size() != model.n_features) {
    throw std::invalid_argument("fill must have one value for each feature of the model");
  }
  for (std::size_t f = 0; f < values.size(); ++f) {
    if (std::isnan(values[f])) throw std::invalid_argument("fill must not have NaN");
  }
  return values;
}

Ensemble SendMissingAsFilled(const Ensemble& model, const Array<float>& fill) {
  Ensemble changed = MissingAsFilled(model, ViewFill(model, fill));
  Validate(changed);  // refuses third children, which nothing reaches any more
  return changed;
}

/// An iterator over the scores of prefixes. Keeps alive what the scorer borrows.
class StagedScores {
 public:
  StagedScores(const Ensemble& model, Array<float> features, Codes codes, int n_jobs,
               std::size_t every)
      : features_(std::move(features)),
        codes_(std::move(codes)),
        every_(every),
        scorer_(model, ViewMatrix(features_, "features"), ViewCodes(codes_),
                RequireThreads(n_jobs)) {
    if (every == 0) throw std::invalid_argument("every must be >= 1, got 0");
  }

  py::array_t<double> Next() {
    if (scorer_.round() == scorer_.n_rounds()) throw py::stop_iteration();
    std::vector<double> scores;
    {
      const py::gil_scoped_release release;
      scorer_.Advance(every_);
      scores = scorer_.Scores();
    }
    return ToArray(scores);
  }

 private:
  Array<float> features_;
  Codes codes_;
  std::size_t every_;
  StagedScorer scorer_;
};

py::bytes ToBytes(const Ensemble& model, const ModelInfo& info) {
  Bytes bytes;
  {
    const py::gil_scoped_release release;
    bytes = EncodeModel(model, info);
  }
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

using EnsembleAndInfo = std::pair<Ensemble, ModelInfo>;

EnsembleAndInfo FromBytes(const py::bytes& bytes, int n_jobs) {
  const auto file = static_cast<std::string_view>(bytes);
  const Threads threads = RequireThreads(n_jobs);
  const py::gil_scoped_release release;
  Model model = ReadModel(file, threads);
  return {std::move(model.ensemble), std::move(model.info)};
}

void Save(const Ensemble& ensemble, const py::bytes& path, const ModelInfo& info) {
  const std::filesystem::path target = std::string(path);
  const py::gil_scoped_release release;
  SaveModel(target, ensemble, info);
}

EnsembleAndInfo Load(const py::bytes& path, int n_jobs) {
  const std::filesystem::path source = std::string(path);
  const Threads threads = RequireThreads(n_jobs);
  const py::gil_scoped_release release;
  Model model = LoadModel(source, threads);
  return {std::move(model.ensemble), std::move(model.info)};
}

void WriteFile(const py::bytes& path, const py::bytes& data) {
  const std::filesystem::path target = std::string(path);
  const auto bytes = static_cast<std::string_view>(data);
  const py::gil_scoped_release release;
  detail::AtomicFile file(target);
  file.Write(bytes);
  file.Commit();
}

/// A file that appears under its name when it is whole.
class PyAtomicFile {
 public:
  explicit PyAtomicFile(const py::bytes& path) {
    const std::filesystem::path target = std::string(path);
    const py::gil_scoped_release release;  // a pipe waits for who reads it, maybe another thread
    file_.emplace(target);
  }

  void Write(const py::buffer& data) {
    const py::buffer_info info = data.request();
    const auto size = static_cast<std::size_t>(info.size * info.itemsize);
    const py::gil_scoped_release release;
    Open().Write({static_cast<const char*>(info.ptr), size});
  }

  void Commit() {
    const py::gil_scoped_release release;
    Open().Commit();
    file_.reset();
  }

  void Discard() { file_.reset(); }

 private:
  detail::AtomicFile& Open() {
    if (!file_) throw std::invalid_argument("the file is no longer open");
    return *file_;
  }

  std::optional<detail::AtomicFile> file_;
};

void BindStagedScores(py::module_& module) {
  py::class_<StagedScores>(module, "StagedScores", "An iterator over the scores of prefixes.")
      .def("__iter__", [](const py::object& self) { return self; })
      .def("__next__", &StagedScores::Next);
}

Importance ParseImportance(const std::string& kind) {
  if (kind == "gain") return Importance::kGain;
  if (kind == "split") return Importance::kSplit;
  throw std::invalid_argument("kind must be gain or split, got " + kind);
}

}  // namespace

void BindEnsemble(py::module_& module) {
  BindStagedScores(module);
  py::class_<Ensemble>(module, "Ensemble", "A trained ensemble of trees. It does not change.")
      .def_readonly("n_features", &Ensemble::n_features)
      .def_property_readonly("n_rounds", &Ensemble::n_rounds)
      .def_property_readonly("n_trees", &Ensemble::n_trees)
      .def_property_readonly("rounds_of_members", &Ensemble::rounds_of_members)
      .def_property_readonly(
          "combine",
          [](const Ensemble& model) {
            return CombineName(model.blends.empty() ? model.combine : model.blends.back().combine);
          },
          "How the last column, the score, is made of others.")
      .def_property_readonly("is_sum", &Ensemble::is_sum,
                             "Whether scores are sums, of all trees or up to an exit.")
      .def_property_readonly("scores_in_part", &Ensemble::scores_in_part,
                             "Whether documents can be scored in part.")
      .def_property_readonly("needs_queries", &Ensemble::needs_queries,
                             "Whether scores depend on whole queries.")
      .def_property_readonly("has_linear", &Ensemble::has_linear,
                             "Whether any member has a linear part.")
      .def_property_readonly(
          "exits",
          [](const Ensemble& model) -> py::object {
            if (model.exits.empty()) return py::none();
            return ExitsToDict(model.exits);
          },
          "When documents stop being scored, as a dict; None: after the last tree.")
      .def(
          "with_exits",
          [](Ensemble model, const std::optional<py::dict>& exits) {
            model.exits = exits.has_value() ? ExitsFromDict(*exits) : ExitSchedule{};
            Validate(model);
            return model;
          },
          py::arg("exits"), "The same trees with such exits.")
      .def_static(
          "blend",
          [](std::vector<Ensemble> models, const std::vector<double>& weights,
             const std::string& combine) {
            if (models.empty() || models.size() != weights.size()) {
              throw std::invalid_argument("a blend needs models, and a weight for each");
            }
            Ensemble blend = Blended(std::move(models), weights, ParseCombine(combine));
            Validate(blend);
            return blend;
          },
          py::arg("models"), py::arg("weights"), py::arg("combine"),
          "One model of several of the same features.")
      .def(
          "on_columns",
          [](const Ensemble& model, const Array<FeatureId>& columns, FeatureId n_features) {
            const Span<const FeatureId> column_of = View(columns, "columns");
            if (column_of.size() != model.n_features) {
              throw std::invalid_argument("columns must name one for each feature of the model");
            }
            Ensemble moved = OnColumns(model, column_of, n_features);
            Validate(moved);
            return moved;
          },
          py::arg("columns"), py::arg("n_features"),
          "The model where its features stand elsewhere.")
      .def(
          "narrowed",
          [](const Ensemble& model) {
            NarrowModel narrow = Narrowed(model);
            return std::pair(std::move(narrow.ensemble), ToArray(narrow.features));
          },
          "(model, features): the model on the columns that its scores depend on alone, and which\n"
          "these are: uint32, ascending. It takes no memory for the others.")
      .def("missing_as_filled", &SendMissingAsFilled, py::arg("fill").noconvert(),
           "The model whose splits send NaN where they send the value of their feature.")
      .def(
          "sends_missing_as_filled",
          [](const Ensemble& model, const Array<float>& fill) {
            return SendsMissingAsFilled(model, ViewFill(model, fill));
          },
          py::arg("fill").noconvert(), "Whether that is the model itself.")
      .def("predict", &Predict, py::arg("features").noconvert(), py::arg("query_codes").noconvert(),
           py::arg("n_jobs"),
           "One float64 score per row. query_codes: a code per row, any codes in any order; None\n"
           "unless needs_queries. The reference: CompiledScorer.predict gives the same bits, "
           "faster.")
      .def(
          "staged",
          [](const Ensemble& model, Array<float> features, Codes codes, int n_jobs,
             std::size_t every) {
            return StagedScores(model, std::move(features), std::move(codes), n_jobs, every);
          },
          py::keep_alive<0, 1>(), py::arg("features").noconvert(),
          py::arg("query_codes").noconvert(), py::arg("n_jobs"), py::arg("every") = 1,
          "The scores of the first every, 2 every, ... rounds and of all, as an iterator; exits "
          "are\n"
          "not followed.")
      .def("prefix", &Prefix, py::arg("rounds"), "The first rounds of every member.")
      .def(
          "importances",
          [](const Ensemble& model, const std::string& kind) {
            return ToArray(Importances(model, ParseImportance(kind)));
          },
          py::arg("kind"),
          "One float64 value per feature, not normalised: gains times |tree weight|, or the "
          "number\n"
          "of splits.")
      .def("to_arrays", &ToArrays, "The ensemble as nested dicts of arrays.")
      .def_static("from_arrays", &FromArrays, py::arg("arrays"), "The reverse, fully checked.")
      .def("to_bytes", &ToBytes, py::arg("info"), "The bytes of a model file.")
      .def_static(
          "from_bytes", &FromBytes, py::arg("data"), py::arg("n_jobs") = 1,
          "(ensemble, info) of a model file, or of LightGBM's text. Raises ValueError unless\n"
          "all of it is valid.")
      .def("save", &Save, py::arg("path"), py::arg("info"),
           "Writes a model file, under its name only once it is complete.")
      .def_static("load", &Load, py::arg("path"), py::arg("n_jobs") = 1,
                  "The same from a file; errors as of from_bytes, with the path.")
      .def(py::self == py::self)
      .def(py::pickle([](const Ensemble& model) { return ToBytes(model, {}); },
                      [](const py::bytes& bytes) { return FromBytes(bytes, 1).first; }));
  module.def(
      "foreign_file",
      [](const py::bytes& start) {
        return ForeignFileMessage(static_cast<std::string_view>(start));
      },
      py::arg("start"),
      "Says of which other system a file is, by its first 4,096 bytes, and what to do with it;\n"
      "an empty text if that is not known.");
  py::class_<PyAtomicFile>(module, "AtomicFile", "A file that gets its name when it is whole.")
      .def(py::init<const py::bytes&>(), py::arg("path"))
      .def("write", &PyAtomicFile::Write, py::arg("data"))
      .def("commit", &PyAtomicFile::Commit, "Gives it its name, once it is on the disk.")
      .def("discard", &PyAtomicFile::Discard, "Leaves what has the name as it is.");
  module.def("write_file", &WriteFile, py::arg("path"), py::arg("data"),
             "Writes a file, under its name only once it is complete.");
}

}  // namespace rankforest::bindings
