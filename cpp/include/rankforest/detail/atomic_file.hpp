#pragma once

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>

#include "rankforest/detail/platform_files.hpp"

namespace rankforest::detail {

/// Writes a file that appears under its name only when it is complete. Until Commit() the bytes
/// go to a new file beside it, which is removed if Commit() is never reached; whatever had the
/// name stays as it was. A pipe or a terminal is written to directly.
///
/// Throws std::filesystem::filesystem_error, naming `path`, when something cannot be written.
class AtomicFile {
 public:
  explicit AtomicFile(const std::filesystem::path& path) : path_(path) {
    if (std::filesystem::is_directory(path)) Fail(std::make_error_code(std::errc::is_a_directory));
    if (!std::filesystem::exists(path)) {
      CreateBeside(path);
    } else if (std::filesystem::is_regular_file(path)) {
      // Through a symbolic link to what it names, which is then replaced in its own directory.
      CreateBeside(std::filesystem::canonical(path));
    } else {
      file_.reset(std::fopen(path.c_str(), "wb"));  // a pipe behind /dev/stdout has no other name
    }
    if (!file_) Fail(LastError());
  }
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  ~AtomicFile() {
    file_.reset();
    if (std::error_code ignored; !written_to_.empty()) {
      std::filesystem::remove(written_to_, ignored);
    }
  }

  void Write(std::string_view bytes) {
    if (std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) != bytes.size()) {
      Fail(LastError());
    }
  }

  /// Waits until the bytes are on the disk, then gives the file its name.
  void Commit() {
    if (written_to_.empty()) {
      if (std::fflush(file_.get()) != 0) Fail(LastError());
      return;
    }
    if (const std::error_code error = SyncFile(file_.get())) Fail(error);
    if (std::fclose(file_.release()) != 0) Fail(LastError());
    std::error_code error;
    if (std::filesystem::exists(target_)) {
      const auto permissions = std::filesystem::status(target_).permissions();
      std::filesystem::permissions(written_to_, permissions, error);
    }
    std::filesystem::rename(written_to_, target_, error);
    if (error) Fail(error);
    written_to_.clear();
    SyncDirectory(target_.has_parent_path() ? target_.parent_path() : ".");
  }

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  /// The new file's name does not grow with the target's, which may be as long as names can be.
  void CreateBeside(const std::filesystem::path& target) {
    target_ = target;
    for (int attempt = 0; attempt < 1000 && !file_; ++attempt) {  // others may be writing, too
      std::filesystem::path candidate = target_;
      candidate.replace_filename(".rankforest" + std::to_string(attempt) + ".tmp");
      file_.reset(std::fopen(candidate.c_str(), "wbx"));
      if (file_) {
        written_to_ = candidate;
      } else if (errno != EEXIST) {
        return;
      }
    }
  }

  [[noreturn]] void Fail(const std::error_code& error) const {
    throw std::filesystem::filesystem_error("cannot write", path_, error);
  }

  std::filesystem::path path_;  ///< as the caller spells it
  std::filesystem::path target_;
  std::filesystem::path written_to_;  ///< empty if that is the target itself, or done
  std::unique_ptr<std::FILE, Close> file_;
};

}  // namespace rankforest::detail
