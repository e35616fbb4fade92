#pragma once

// The one place for tests of how the platform makes new files.

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

#include "rankforest/detail/platform_files.hpp"

#if defined(__unix__) || defined(__APPLE__)
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

namespace rankforest::detail {

#if defined(__unix__) || defined(__APPLE__)

/// A new file that will replace, or become, a file `target` in the same folder. It has the rights
/// of that file from the start.
///
/// Where the system can, it has no name until then: whatever ends the process leaves nothing
/// behind. Elsewhere, and for the moment in which it replaces another, it has a name that nobody
/// else draws, of 33 bytes whatever the target's.
class NewFile {
 public:
  NewFile() = default;
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;
  ~NewFile() {
    if (file_ >= 0) close(file_);
    if (!name_.empty()) unlink(name_.c_str());
  }

  std::error_code Create(const std::filesystem::path& target) {
    target_ = target;
    struct stat old = {};
    const bool replaces = stat(target.c_str(), &old) == 0;
    if (!replaces && errno != ENOENT) return LastError();  // a name that no file can get
    const mode_t mode = replaces ? 0600 : 0666;  // of which the process's mask takes its part
    if (!OpenNameless(mode)) {
      if (const std::error_code error = OpenNamed(mode)) return error;
    }
    if (replaces) TakeRights(old);
    return {};
  }

  /// Writes all of the bytes.
  std::error_code Write(const char* bytes, std::size_t n) {
    while (n > 0) {
      const ssize_t done = Uninterrupted([&] { return write(file_, bytes, n); });
      if (done < 0) return LastError();
      if (done == 0) return std::make_error_code(std::errc::io_error);  // it would be so for ever
      bytes += done;
      n -= static_cast<std::size_t>(done);
    }
    return {};
  }

  /// Waits until the bytes are on the disk, then gives the file its name.
  std::error_code Finish() {
    if (Uninterrupted([&] { return fsync(file_); }) != 0) return LastError();
    if (name_.empty()) {
      if (Link(target_)) return Close();
      if (errno != EEXIST) return LastError();
      const auto link = [this](const std::filesystem::path& name) { return Link(name); };
      if (const std::error_code error = WithNewName(link)) return error;
    }
    if (const std::error_code error = Close()) return error;
    if (rename(name_.c_str(), target_.c_str()) != 0) return LastError();
    name_.clear();
    return {};
  }

 private:
  /// A file without a name. Without /proc it could not get one.
  bool OpenNameless(mode_t mode) {
#if defined(O_TMPFILE)
    const std::filesystem::path folder = target_.has_parent_path() ? target_.parent_path() : ".";
    file_ =
        Uninterrupted([&] { return open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, mode); });
    if (file_ >= 0 && access(InProc().c_str(), F_OK) == 0) return true;
    if (file_ >= 0) close(std::exchange(file_, -1));
#endif
    return false;
  }

  std::error_code OpenNamed(mode_t mode) {
    return WithNewName([&](const std::filesystem::path& name) {
      file_ = Uninterrupted(
          [&] { return open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode); });
      return file_ >= 0;
    });
  }

  bool Link(const std::filesystem::path& name) {
    return linkat(AT_FDCWD, InProc().c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0;
  }
  [[nodiscard]] std::string InProc() const { return "/proc/self/fd/" + std::to_string(file_); }

  /// Calls make(name) with names in the target's folder until one is new.
  template <class Make>
  std::error_code WithNewName(const Make& make) {
    for (int attempt = 0; attempt < 100; ++attempt) {
      unsigned char random[8] = {};
      if (const std::error_code error = Draw(random, sizeof random)) return error;
      std::string name = ".rankforest-";
      for (const unsigned char byte : random)
        name += {"0123456789abcdef"[byte / 16], "0123456789abcdef"[byte % 16]};
      std::filesystem::path path = target_.parent_path() / (name + ".tmp");
      if (make(path)) {
        name_ = std::move(path);  // which cannot fail: the file would be left
        return {};
      }
      if (errno != EEXIST) return LastError();
    }
    return std::make_error_code(std::errc::file_exists);
  }

  /// Random bytes, as no process draws a second time: ids of processes repeat in containers.
  static std::error_code Draw(unsigned char* bytes, std::size_t n) {
    ReadHandle source = kNoFile;
    if (const std::error_code error = OpenToRead("/dev/urandom", source)) return error;
    std::size_t got = 0;
    const std::error_code error = ReadNext(source, reinterpret_cast<char*>(bytes), n, got);
    CloseRead(source);
    return !error && got < n ? std::make_error_code(std::errc::io_error) : error;
  }

  /// Takes over who may do what with the old file, as far as the system lets us.
  void TakeRights(const struct stat& old) {
    struct stat own = {};
    mode_t mode = old.st_mode & 0777;
    if (fstat(file_, &own) != 0 || own.st_uid != old.st_uid || own.st_gid != old.st_gid) {
      const bool is_given = fchown(file_, old.st_uid, old.st_gid) == 0;
      if (!is_given && own.st_gid != old.st_gid) mode &= 0707;  // this group had no rights
    }
    fchmod(file_, mode);
  }

  std::error_code Close() {
    // Whatever a signal does, the file is closed, and its bytes are on the disk already.
    const bool is_closed = close(std::exchange(file_, -1)) == 0 || errno == EINTR;
    return is_closed ? std::error_code() : LastError();
  }

  std::filesystem::path target_;
  std::filesystem::path name_;  // of the file until it has the target's; empty: none
  int file_ = -1;
};

#else

/// As above, without the means: a file beside the target, with its name and a suffix.
class NewFile {
 public:
  NewFile() = default;
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;
  ~NewFile() {
    if (file_ == nullptr) return;
    std::fclose(file_);
    std::remove(Name().string().c_str());
  }

  std::error_code Create(const std::filesystem::path& target) {
    target_ = target;
    file_ = std::fopen(Name().string().c_str(), "wb");
    return file_ == nullptr ? LastError() : std::error_code();
  }
  std::error_code Write(const char* bytes, std::size_t n) {
    return std::fwrite(bytes, 1, n, file_) == n ? std::error_code() : LastError();
  }
  std::error_code Finish() {
    if (std::fclose(std::exchange(file_, nullptr)) != 0) return LastError();
    std::error_code error;
    std::filesystem::rename(Name(), target_, error);
    return error;
  }

 private:
  [[nodiscard]] std::filesystem::path Name() const { return target_.string() + ".tmp"; }

  std::filesystem::path target_;
  std::FILE* file_ = nullptr;
};

#endif

}  // namespace rankforest::detail
