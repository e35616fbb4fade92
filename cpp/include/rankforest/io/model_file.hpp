#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>

#include "rankforest/core/ensemble.hpp"
#include "rankforest/core/parallel.hpp"
#include "rankforest/detail/atomic_file.hpp"
#include "rankforest/detail/input_file.hpp"
#include "rankforest/io/bytes.hpp"
#include "rankforest/io/lightgbm_text.hpp"
#include "rankforest/io/model_codec.hpp"
#include "rankforest/io/model_info.hpp"

namespace rankforest {

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
/// std::invalid_argument for what is neither or not valid.
inline Model ReadModel(std::string_view file, Threads threads = {}) {
  return IsLightGbmText(file) ? ReadLightGbmText(file) : DecodeModel(TextBytes(file), threads);
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

}  // namespace rankforest
