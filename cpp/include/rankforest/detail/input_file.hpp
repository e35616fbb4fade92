#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "rankforest/detail/platform_files.hpp"

namespace rankforest::detail {

/// @throws std::invalid_argument  for a path that the system would cut short
inline void RequireNoNul(const std::filesystem::path& path) {
  const std::string text = path.string();
  const std::size_t nul = text.find('\0');
  if (nul == std::string::npos) return;
  throw std::invalid_argument("the path '" + text.substr(0, nul) + "' goes on after a NUL byte");
}

/// A file to read from. A regular file stays open, and pieces of it are read when they are asked
/// for, by any thread; anything else (a pipe, a terminal) is read to its end at once.
///
/// Files are not mapped into memory: one that somebody shortens meanwhile would end the process.
///
/// Throws std::filesystem::filesystem_error for a file that cannot be read, and
/// std::invalid_argument for one that changes while it is read or whose path has a NUL byte.
class InputFile {
 public:
  explicit InputFile(const std::filesystem::path& path) : path_(path) {
    RequireNoNul(path);
    if (const std::error_code error = OpenToRead(path, file_)) Fail(error);
    std::error_code error = StampOf(file_, stamp_);
    if (!error && !stamp_.is_regular) error = ReadToEnd();
    if (error) {
      CloseRead(file_);
      Fail(error);
    }
  }
  InputFile(InputFile&& other) noexcept
      : path_(std::move(other.path_)),
        file_(std::exchange(other.file_, kNoFile)),
        stamp_(other.stamp_),
        copy_(std::move(other.copy_)) {}
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;
  InputFile& operator=(InputFile&&) = delete;
  ~InputFile() { CloseRead(file_); }

  [[nodiscard]] std::size_t size() const {
    return stamp_.is_regular ? static_cast<std::size_t>(stamp_.size) : copy_.size();
  }

  /// Copies the bytes from `begin` on.
  ///
  /// @param n  how many; there are as many
  void Read(std::size_t begin, std::size_t n, char* to) const {
    if (!stamp_.is_regular) {
      copy_.copy(to, n, begin);
      return;
    }
    std::size_t done = 0;
    while (done < n) {
      std::size_t got = 0;
      if (const auto error = ReadAt(file_, begin + done, to + done, n - done, got)) Fail(error);
      if (got == 0) FailAsChanged();
      done += got;
    }
  }

  /// Checks that all pieces were of one file: that it has the size and the time of its last change
  /// that it had when it was opened.
  void RequireUnchanged() const {
    if (!stamp_.is_regular) return;
    FileStamp now;
    if (const std::error_code error = StampOf(file_, now)) Fail(error);
    if (!(now == stamp_)) FailAsChanged();
  }

  [[noreturn]] void FailAsChanged() const {
    throw std::invalid_argument(path_.string() + ": the file was changed while it was read");
  }

 private:
  std::error_code ReadToEnd() {
    std::size_t size = 0;
    for (;;) {
      constexpr std::size_t kLeast = 65536;
      copy_.resize(std::max(kLeast, size + size / 2));
      std::size_t got = 0;
      if (const auto error = ReadNext(file_, copy_.data() + size, copy_.size() - size, got)) {
        return error;
      }
      size += got;
      if (got == 0) break;
    }
    copy_.resize(size);
    return {};
  }

  [[noreturn]] void Fail(const std::error_code& error) const {
    throw std::filesystem::filesystem_error("cannot read", path_, error);
  }

  std::filesystem::path path_;
  ReadHandle file_ = kNoFile;
  FileStamp stamp_;
  std::string copy_;  ///< of what is no regular file
};

/// All bytes of a file, or of what a pipe gives until it is closed. Throws as InputFile.
inline std::string ContentsOf(const std::filesystem::path& path) {
  const InputFile file(path);
  std::string contents(file.size(), '\0');
  file.Read(0, contents.size(), contents.data());
  file.RequireUnchanged();
  return contents;
}

}  // namespace rankforest::detail
