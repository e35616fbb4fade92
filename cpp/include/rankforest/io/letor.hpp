#pragma once

#include <filesystem>
#include <vector>

#include "rankforest/core/span.hpp"
#include "rankforest/detail/input_file.hpp"
#include "rankforest/io/letor_data.hpp"
#include "rankforest/io/letor_reader.hpp"
#include "rankforest/io/letor_writer.hpp"

namespace rankforest {

/// Reads files of LETOR text as one data set, with their paths as names; see ReadLetor. Throws
/// std::filesystem::filesystem_error for a file that cannot be read, std::invalid_argument for one
/// that changes meanwhile.
inline LetorData ReadLetorFiles(Span<const std::filesystem::path> paths,
                                const LetorOptions& options = {}) {
  std::vector<detail::InputFile> files;
  std::vector<LetorSource> sources;
  files.reserve(paths.size());
  for (const std::filesystem::path& path : paths) {
    files.emplace_back(path);
    sources.push_back({path.string(), {}, {}, &files.back()});
  }
  return ReadLetor(Span<const LetorSource>(sources), options);
}

}  // namespace rankforest
