#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>

#include "rankforest/core/ensemble.hpp"
#include "rankforest/core/parallel.hpp"
#include "rankforest/detail/atomic_file.hpp"
#include "rankforest/detail/input_file.hpp"
#include "rankforest/detail/quoted.hpp"
#include "rankforest/io/bytes.hpp"
#include "rankforest/io/foreign_file.hpp"
#include "rankforest/io/lightgbm_text.hpp"
#include "rankforest/io/model_codec.hpp"
#include "rankforest/io/model_info.hpp"
#include "rankforest/io/section_file.hpp"

namespace rankforest {

namespace detail {

/// The form of a model that the Python package writes for people, and reads.
inline bool IsModelJson(std::string_view file) {
  const std::string_view head = file.substr(0, kForeignHead);
  return StartsWith(WithoutBlanks(head), "{") &&
         head.find("\"rankforest model\"") != std::string_view::npos;
}

/// Why a file is not read that is neither a model file nor LightGBM's text.
inline std::string WhyNotAModel(std::string_view file) {
  if (file.empty()) return "the file is empty, expected a model";
  if (IsModelJson(file)) {
    return "this is the JSON form of a rankforest model, which only Python reads; make a model "
           "file of it: ltr-convert --model FILE --to rankforest --output model.rf";
  }
  const std::string foreign = ForeignFileMessage(file);
  if (!foreign.empty()) return foreign;
  return "neither a rankforest model file nor LightGBM's text; it starts with " +
         Quoted(file.substr(0, 16));
}

}  // namespace detail

/// Writes a model file, under its name only once it is complete. Throws std::invalid_argument for
/// a model that is not valid, std::filesystem::filesystem_error for a file that cannot be written.
inline void SaveModel(const std::filesystem::path& path, const Ensemble& ensemble,
                      const ModelInfo& info = {}, Threads threads = {}) {
  const Bytes bytes = EncodeModel(ensemble, info, threads);
  detail::AtomicFile file(path);
  file.Write({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  file.Commit();
}

/// The model in the bytes of a model file, or of LightGBM's text (lightgbm_text.hpp). Throws
/// std::invalid_argument for what is neither or not valid; it names the system whose model or
/// data it is where the first bytes tell (foreign_file.hpp).
inline Model ReadModel(std::string_view file, Threads threads = {}) {
  if (IsLightGbmText(file)) return ReadLightGbmText(file);
  if (!detail::HasMagic(TextBytes(file))) {
    throw std::invalid_argument(detail::WhyNotAModel(file));
  }
  return DecodeModel(TextBytes(file), threads);
}

/// The same from a file. Throws std::invalid_argument, naming the path, for one that is not valid,
/// std::filesystem::filesystem_error for one that cannot be read.
inline Model LoadModel(const std::filesystem::path& path, Threads threads = {}) {
  const std::string file = detail::ContentsOf(path);
  try {
    return ReadModel(file, threads);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(path.string() + ": " + error.what());
  }
}

/// The same for whoever gives an ensemble features as they are. Throws std::invalid_argument for a
/// model with categorical features, too (RequireNumbers).
inline Model LoadModelOfNumbers(const std::filesystem::path& path, Threads threads = {}) {
  Model model = LoadModel(path, threads);
  try {
    RequireNumbers(model.info);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(path.string() + ": " + error.what());
  }
  return model;
}

}  // namespace rankforest
