#pragma once

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string_view>
#include <system_error>

#include "rankforest/detail/input_file.hpp"
#include "rankforest/detail/platform_files.hpp"
#include "rankforest/detail/platform_new_file.hpp"

namespace rankforest::detail {

/// Writes a file that appears under its name only when it is complete. If Commit() is never
/// reached, whatever had the name stays as it was, and nothing else is left; see NewFile for a
/// process that is killed. A symbolic link stays one, also one to a name that does not exist yet. A
/// pipe or a terminal is written to directly.
///
/// Throws std::filesystem::filesystem_error, naming `path`, when something cannot be written, and
/// std::invalid_argument for a path with a NUL byte.
class AtomicFile {
 public:
  explicit AtomicFile(const std::filesystem::path& path) : path_(path) {
    RequireNoNul(path);
    if (std::filesystem::is_directory(path)) Fail(std::make_error_code(std::errc::is_a_directory));
    if (std::filesystem::exists(path) && !std::filesystem::is_regular_file(path)) {
      // By this name, not by that which links lead to: a pipe behind /dev/stdout has no other.
      stream_.reset(std::fopen(path.string().c_str(), "wb"));
      if (!stream_) Fail(LastError());
      return;
    }
    target_ = WithoutLinks(path);
    if (const std::error_code error = file_.Create(target_)) Fail(error);
  }

  void Write(std::string_view bytes) {
    if (!stream_) {
      if (const std::error_code error = file_.Write(bytes.data(), bytes.size())) Fail(error);
    } else if (std::fwrite(bytes.data(), 1, bytes.size(), stream_.get()) != bytes.size()) {
      Fail(LastError());
    }
  }

  /// Waits until the bytes are on the disk, then gives the file its name.
  void Commit() {
    if (stream_) {
      if (std::fflush(stream_.get()) != 0) Fail(LastError());
      return;
    }
    if (const std::error_code error = file_.Finish()) Fail(error);
    SyncDirectory(target_.has_parent_path() ? target_.parent_path() : ".");
  }

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  /// What a symbolic link names in the end, which need not exist.
  static std::filesystem::path WithoutLinks(std::filesystem::path path) {
    if (std::filesystem::exists(path)) return std::filesystem::canonical(path);
    for (int links = 0; links < 40 && std::filesystem::is_symlink(path); ++links) {
      path =
          path.parent_path() / std::filesystem::read_symlink(path);  // replaced by an absolute one
    }
    return path;
  }

  [[noreturn]] void Fail(const std::error_code& error) const {
    throw std::filesystem::filesystem_error("cannot write", path_, error);
  }

  std::filesystem::path path_;  ///< as the caller spells it
  std::filesystem::path target_;
  NewFile file_;
  std::unique_ptr<std::FILE, Close> stream_;  ///< of what is no regular file
};

}  // namespace rankforest::detail
