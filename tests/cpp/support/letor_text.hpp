#pragma once

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rankforest/io/letor_reader.hpp"

namespace rankforest::testing {

/// Reads texts as files named a.txt, b.txt, ...
inline LetorData ReadTexts(const std::vector<std::string>& texts,
                           const LetorOptions& options = {}) {
  std::vector<LetorSource> sources;
  for (const std::string& text : texts) {
    const char letter = static_cast<char>('a' + sources.size());
    sources.push_back({std::string(1, letter) + ".txt", text, ""});
  }
  return ReadLetor(Span<const LetorSource>(sources), options);
}

inline LetorData ReadText(const std::string& text, const LetorOptions& options = {}) {
  return ReadTexts({text}, options);
}

/// The message of the LetorError that reading `texts` ends in; "" if it succeeds.
inline std::string ErrorOf(const std::vector<std::string>& texts,
                           const LetorOptions& options = {}) {
  try {
    ReadTexts(texts, options);
  } catch (const LetorError& error) {
    return error.what();
  }
  return "";
}

inline std::vector<float> Features(const LetorData& data) {
  return {data.features.begin(), data.features.end()};
}

template <class Numbers>
std::string_view BytesOf(const Numbers& numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof numbers[0]};
}

/// Whether two vectors of numbers have the same bits.
template <class Numbers>
bool SameBits(const Numbers& a, const Numbers& b) {
  return BytesOf(a) == BytesOf(b);
}

inline bool SameData(const LetorData& a, const LetorData& b) {
  return a.n_documents == b.n_documents && a.n_features == b.n_features &&
         SameBits(a.features, b.features) && SameBits(a.grades, b.grades) &&
         a.query_codes == b.query_codes && a.query_ids == b.query_ids && a.comments == b.comments &&
         a.zero_based == b.zero_based;
}

/// A new folder that goes away with this object.
class TemporaryFolder {
 public:
  explicit TemporaryFolder(const std::string& name)
      : path_(std::filesystem::temp_directory_path() / ("rankforest_" + name)) {
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }

  [[nodiscard]] std::filesystem::path operator/(const std::string& name) const {
    return path_ / name;
  }
  [[nodiscard]] std::filesystem::path Write(const std::string& name, std::string_view text) const {
    std::ofstream(path_ / name, std::ios::binary) << text;
    return path_ / name;
  }
  [[nodiscard]] std::vector<std::string> Names() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) {
      names.push_back(entry.path().filename().string());
    }
    return names;
  }

 private:
  std::filesystem::path path_;
};

inline std::string ContentsOf(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace rankforest::testing
