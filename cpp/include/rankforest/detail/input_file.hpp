#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "rankforest/detail/platform_files.hpp"

namespace rankforest::detail {

/// The contents of a file: mapped into memory where that is possible, read into memory elsewhere
/// (pipes, terminals). Nobody may shorten the file as long as this lives.
///
/// Throws std::filesystem::filesystem_error for a file that cannot be read.
class MappedFile {
 public:
  explicit MappedFile(const std::filesystem::path& path) {
    const std::filesystem::file_status status = std::filesystem::status(path);
    std::error_code error = std::make_error_code(std::errc::not_supported);
    if (std::filesystem::is_directory(status)) {
      error = std::make_error_code(std::errc::is_a_directory);
    } else if (!std::filesystem::is_other(status)) {  // a pipe must not be opened twice
      error = MapFile(path, mapping_);
    }
    if (error == std::errc::not_supported) error = ReadAll(path);
    if (error) throw std::filesystem::filesystem_error("cannot read", path, error);
  }
  MappedFile(MappedFile&& other) noexcept
      : mapping_(std::exchange(other.mapping_, {})), copy_(std::move(other.copy_)) {}
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  MappedFile& operator=(MappedFile&&) = delete;
  ~MappedFile() { UnmapFile(mapping_); }

  /// Valid as long as this object is neither moved nor destroyed.
  [[nodiscard]] std::string_view text() const {
    return mapping_.data != nullptr ? std::string_view(mapping_.data, mapping_.size) : copy_;
  }

 private:
  std::error_code ReadAll(const std::filesystem::path& path) {
    std::ifstream stream(path, std::ios::binary);
    if (!stream) return LastError();
    copy_.assign(std::istreambuf_iterator<char>(stream), {});
    return stream.bad() ? std::make_error_code(std::errc::io_error) : std::error_code();
  }

  FileMapping mapping_;
  std::string copy_;
};

}  // namespace rankforest::detail
